#pragma once

// llama.cpp's headers define static functions that not every file uses.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#include "common/speculative.h"
#pragma clang diagnostic pop
