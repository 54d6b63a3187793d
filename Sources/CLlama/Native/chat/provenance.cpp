#include "provenance.hpp"

#include "python_text.hpp"

#include <algorithm>
#include <unordered_set>

namespace cllama::chat {

namespace {

using parts = std::vector<jinja::string_part>;

bool is_mixed(const jinja::string & text) {
    return has_input(text) && !text.all_parts_are_input();
}

void append(parts & target, const parts & more) {
    target.insert(target.end(), more.begin(), more.end());
}

/// The pieces stand in the text one after the other, with a delimiter between them.
void mark_pieces(const operands & values, const jinja::value & result) {
    const jinja::string & text = values[0]->val_str;
    if (!has_input(text)) {
        return;
    }
    const size_t delimiter = values[1]->val_str.length();
    size_t start = 0;
    for (const auto & piece : result->val_arr) {
        const size_t length = piece->val_str.length();
        piece->val_str.parts = parts_between(text, start, start + length);
        start += length + delimiter;
    }
}

void mark_replaced(const operands & values, const jinja::value & result) {
    const jinja::string & text = values[0]->val_str;
    const jinja::string & added = values[2]->val_str;
    if (!is_mixed(text) && (text.all_parts_are_input() || !has_input(added))) {
        return;
    }
    const std::string bytes = text.str();
    const std::string removed = values[1]->val_str.str();
    parts marked;
    size_t start = 0;
    for (size_t at = bytes.find(removed); !removed.empty() && at != std::string::npos;
         at = bytes.find(removed, start)) {
        append(marked, parts_between(text, start, at));
        append(marked, added.parts);
        start = at + removed.size();
    }
    if (removed.empty()) {
        result->val_str.mark_input();
        return;
    }
    append(marked, parts_between(text, start, bytes.size()));
    result->val_str.parts = merged(marked);
}

void mark_joined(const operands & values, const jinja::value & result) {
    const jinja::value delimiter = argument(values, "d", 1);
    parts marked;
    bool is_first = true;
    for (const auto & element : values[0]->val_arr) {
        if (!is_first && delimiter) {
            append(marked, python_text(delimiter).parts);
        }
        append(marked, python_text(element).parts);
        is_first = false;
    }
    result->val_str.parts = merged(marked);
}

/// Numbers of different spelling make two texts alike in length only by accident, so marks go over only with equal
/// text.
void mark_whole(const operands & values, const jinja::value & result) {
    const bool any = std::any_of(values.begin(), values.end(),
                                 [](const auto & value) { return measure(value).has_input; });
    if (any) {
        result->val_str.mark_input();
    }
}

bool keeps_marks(const std::string & builtin) {
    static const std::unordered_set<std::string> names = {
        "upper", "lower", "title", "capitalize", "strip", "lstrip", "rstrip", "format", "safe", "default", "string",
    };
    return names.count(builtin) > 0;
}

void unmark(const jinja::value & value) {
    for (auto & part : value->val_str.parts) {
        part.is_input = false;
    }
}

void mark_keys(const jinja::value & value) {
    for (const auto & element : value->val_arr) {
        mark_keys(element);
    }
    for (const auto & [key, element] : value->val_obj) {
        key->val_str.mark_input();
        mark_keys(element);
    }
}

jinja::value member(const jinja::value & object, const char * key) {
    jinja::value missing = jinja::mk_val<jinja::value_undefined>();
    return jinja::is_val<jinja::value_object>(object) ? object->at(std::string(key), missing) : missing;
}

void mark_message(const jinja::value & message) {
    static const std::unordered_set<std::string> roles = {"system", "user", "assistant", "tool", "developer"};
    const jinja::value role = member(message, "role");
    if (roles.count(role->val_str.str()) > 0) {
        unmark(role);
    }
    const jinja::value calls = member(message, "tool_calls");
    for (const auto & call : calls->val_arr) {
        mark_keys(member(member(call, "function"), "arguments"));
    }
}

}  // namespace

std::vector<jinja::string_part> parts_between(const jinja::string & text, size_t begin, size_t end) {
    parts result;
    size_t start = 0;
    for (const auto & part : text.parts) {
        const size_t from = std::max(begin, start);
        const size_t to = std::min(end, start + part.val.size());
        if (from < to) {
            result.push_back({part.is_input, part.val.substr(from - start, to - from)});
        }
        start += part.val.size();
    }
    return result;
}

void carry_marks(const std::string & builtin, const operands & values, const jinja::value & result) {
    if (values.empty()) {
        return;
    }
    if (builtin == "split" || builtin == "rsplit") {
        if (values.size() > 1) {
            mark_pieces(values, result);
        }
        return;
    }
    if (!is_text(result) || result.use_count() > 1 || result->val_str.length() == 0) {
        return;
    }
    if (builtin == "replace" && values.size() > 2 && is_text(values[0]) && is_text(values[1]) && is_text(values[2])) {
        mark_replaced(values, result);
    } else if (builtin == "join" && argument(values, "attribute", 2) == nullptr) {
        mark_joined(values, result);
    } else if (!has_input(result->val_str) && !(keeps_marks(builtin) && is_text(values[0]))) {
        mark_whole(values, result);
    }
}

void mark_variables(jinja::context & context) {
    unmark(context.get_val("bos_token"));
    unmark(context.get_val("eos_token"));
    const jinja::value messages = context.get_val("messages");
    for (const auto & message : messages->val_arr) {
        mark_message(message);
    }
    mark_keys(context.get_val("tools"));
}

std::vector<jinja::string_part> merged(const std::vector<jinja::string_part> & all) {
    parts result;
    for (const auto & part : all) {
        if (part.val.empty()) {
            continue;
        }
        if (!result.empty() && result.back().is_input == part.is_input) {
            result.back().val += part.val;
        } else {
            result.push_back(part);
        }
    }
    return result;
}

}  // namespace cllama::chat
