#pragma once

#include "values.hpp"

#include <string>

namespace cllama::chat {

/// How `json_text` writes.
struct json_style {
    /// Spaces for each level; negative for a single line.
    int64_t indent = -1;
    std::string item_separator = ", ";
    std::string key_separator = ": ";
    bool escapes_non_ascii = false;
    bool sorts_keys = false;
};

/// `value` as `json.dumps` writes it.
std::string json_text(const jinja::value & value, const json_style & style);

}  // namespace cllama::chat
