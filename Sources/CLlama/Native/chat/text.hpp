#pragma once

#include <string>

namespace cllama::chat {

/// `text` without ASCII white space at both ends.
std::string trimmed(const std::string & text);

/// `text` with each byte that belongs to no well-formed UTF-8 character replaced by U+FFFD.
std::string valid_utf8(const std::string & text);

}  // namespace cllama::chat
