#include "tool_schemas.hpp"

#include "cl_schema.h"

#include "common/json-schema-to-grammar.h"

#include <string>

namespace cllama::chat {

namespace {

using json = common_json;

/// Ends a conversion before llama.cpp reports on it.
struct answer {
    bool is_yes;
};

/// A pattern that llama.cpp cannot express becomes the rule for any string. That rule then has the name `probe`
/// already, while the rule of a pattern makes llama.cpp choose another name.
bool is_expressible(const json & pattern) {
    try {
        const auto document = common_chat_schema_from_json(json::object({{"type", "string"}, {"pattern", pattern}}));
        build_grammar([&](const common_grammar_builder & builder) {
            const std::string name = builder.add_schema("probe", *document.root);
            throw answer{builder.add_rule(name, "string") != name};
        });
    } catch (const answer & given) {
        return given.is_yes;
    } catch (const std::exception &) {
        return false;
    }
    return false;
}

void drop_patterns(json & schema);

void drop_patterns(const std::string & keyword, json & value) {
    switch (cl_schema_content_of(keyword.c_str())) {
        case CL_SCHEMA_DATA: return;
        case CL_SCHEMA_SCHEMA: drop_patterns(value); return;
        case CL_SCHEMA_NAMED_SCHEMAS: break;
    }
    if (value.is_object()) {
        for (const auto & [name, schema] : value.items()) {
            drop_patterns(schema);
        }
    }
}

void drop_patterns(json & schema) {
    if (schema.is_object() && schema.contains("pattern") && schema.at("pattern").is_string() &&
        !is_expressible(schema.at("pattern"))) {
        schema.erase("pattern");
    }
    if (schema.is_array()) {
        for (auto & element : schema) {
            drop_patterns(element);
        }
    } else if (schema.is_object()) {
        for (const auto & [key, value] : schema.items()) {
            drop_patterns(key, value);
        }
    }
}

bool converts(const json & schema) {
    try {
        const auto document = common_chat_schema_from_json(schema);
        build_grammar([&](const common_grammar_builder & builder) { builder.add_schema("arguments", *document.root); });
        return true;
    } catch (const std::exception &) {
        return false;
    }
}

/// Whether `schema` converts with this one of its properties. The rest stays, for references into it.
bool converts_with(json schema, const std::string & name, const json & property) {
    schema["properties"] = json::object();
    schema["properties"][name] = property;
    return converts(schema);
}

json expressible(const json & schema) {
    if (converts(schema)) {
        return schema;
    }
    json result = schema;
    if (schema.contains("properties") && schema.at("properties").is_object()) {
        for (const auto & [name, property] : schema.at("properties").items()) {
            if (!converts_with(schema, name, property)) {
                result["properties"][name] = json::object();
            }
        }
    }
    return converts(result) ? result : json::object({{"type", "object"}});
}

template <class Change>
json with_parameters(const json & tools, Change change) {
    json result = tools;
    for (auto & tool : result) {
        json & function = tool["function"];
        function["parameters"] = change(function.at("parameters"));
    }
    return result;
}

}  // namespace

common_json with_expressible_patterns(const common_json & tools) {
    return with_parameters(tools, [](json parameters) {
        drop_patterns(parameters);
        return parameters;
    });
}

common_json with_expressible_schemas(const common_json & tools) {
    return with_parameters(tools, [](const json & parameters) { return expressible(parameters); });
}

}  // namespace cllama::chat
