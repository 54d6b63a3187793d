#pragma once

// llama.cpp's headers define static functions that not every file uses.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#include "common/jinja/caps.h"
#include "common/jinja/lexer.h"
#include "common/jinja/parser.h"
#include "common/jinja/runtime.h"
#include "common/jinja/value.h"
#pragma clang diagnostic pop
