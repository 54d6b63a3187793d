#pragma once

#include "llama_jinja.hpp"

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#include "common/chat-auto-parser.h"
#include "common/chat.h"
#pragma clang diagnostic pop
