#pragma once

#include "llama_chat.hpp"

namespace cllama::chat {

/// `tools` without the patterns that llama.cpp cannot express. It would report each of them on stderr.
common_json with_expressible_patterns(const common_json & tools);

/// `tools` with schemas that llama.cpp can turn into a grammar. A property that it cannot express may be anything.
common_json with_expressible_schemas(const common_json & tools);

}  // namespace cllama::chat
