#include "cl_sampler.h"

#include "guard.hpp"
#include "log.hpp"

#include "common/json-schema-to-grammar.h"
#include "common/json.h"

#include <cstdlib>
#include <cstring>
#include <string>

namespace {

using cllama::failure;
using cllama::require;

constexpr size_t maximum_length = size_t(256) << 10;
constexpr int maximum_depth = 64;

/// The converter recurses with the schema, so its depth is bounded before anything parses it.
void check_depth(const std::string & json) {
    int depth = 0;
    bool is_in_string = false;
    for (size_t at = 0; at < json.size(); ++at) {
        const char c = json[at];
        if (is_in_string) {
            at += c == '\\' ? 1 : 0;
            is_in_string = c != '"';
        } else if (c == '"') {
            is_in_string = true;
        } else if (c == '{' || c == '[') {
            require(++depth <= maximum_depth, CL_LIMIT_EXCEEDED, "the schema is nested too deeply");
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
}

/// Ends a conversion before it can print its warnings.
struct probe_result {
    bool is_supported;
};

/// Whether the converter can express a regular expression. It answers "no" by a line on stderr and a rule that takes
/// any string, so it is asked for that rule's name: adding the any-string rule under a name gives the same name back
/// only if the name already stands for it.
bool is_supported(const common_json & pattern) {
    const common_json schema = common_json::object({{"type", "string"}, {"pattern", pattern}});
    try {
        const common_chat_schema_document document = common_chat_schema_from_json(schema);
        build_grammar([&](const common_grammar_builder & builder) {
            const std::string name = builder.add_schema("pattern", *document.root);
            // Without a name the pattern is no regular expression at all, which the conversion will say.
            throw probe_result{name.empty() || builder.add_rule(name, "string") != name};
        });
    } catch (const probe_result & result) {
        return result.is_supported;
    }
    return false;
}

/// Removes patterns that cannot be expressed, which leaves any string; the values of data keywords stay as they are.
void drop_unsupported_patterns(common_json & schema) {
    if (schema.is_array()) {
        for (size_t index = 0; index < schema.size(); ++index) {
            drop_unsupported_patterns(schema.at(index));
        }
    }
    if (!schema.is_object()) {
        return;
    }
    if (schema.contains("pattern") && schema.at("pattern").is_string() && !is_supported(schema.at("pattern"))) {
        schema.erase("pattern");
        cllama::log_line(CL_LOG_WARNING, "a pattern of a JSON schema has no grammar and is not enforced");
    }
    for (const auto & [key, value] : schema.items()) {
        if (key != "const" && key != "enum" && key != "default" && key != "examples") {
            drop_unsupported_patterns(schema.at(key));
        }
    }
}

std::string convert(const std::string & json) {
    require(json.size() <= maximum_length, CL_LIMIT_EXCEEDED, "the schema is longer than 256 KiB");
    check_depth(json);
    common_json schema = common_json::parse(json);
    drop_unsupported_patterns(schema);
    return json_schema_to_grammar(schema, true);
}

}  // namespace

cl_status cl_grammar_from_schema(const char * schema_json, char ** out_grammar) noexcept {
    return cllama::guarded(
        [&] {
            const std::string grammar = convert(schema_json);
            char * const copy = static_cast<char *>(std::malloc(grammar.size() + 1));
            if (!copy) {
                throw std::bad_alloc();
            }
            std::memcpy(copy, grammar.c_str(), grammar.size() + 1);
            *out_grammar = copy;
        },
        CL_GRAMMAR_INVALID);
}

void cl_string_free(char * string) noexcept {
    std::free(string);
}
