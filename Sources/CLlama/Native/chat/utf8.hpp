#pragma once

#include <string>

namespace cllama::chat {

/// `text` with each byte that belongs to no well-formed character replaced by U+FFFD.
std::string valid_utf8(const std::string & text);

}  // namespace cllama::chat
