#pragma once

#include "nodes.hpp"
#include "values.hpp"

#include <string>

/// Filters, and what they share with tests and methods.
namespace cllama::chat {

/// An expression for a value.
jinja::statement_ptr fixed(jinja::value value);

/// A filter or a test as it stands in the template: a name, perhaps with arguments.
struct application {
    std::string name;
    operands arguments;
    jinja::statement_ptr fixed_node;
};

/// Evaluates the arguments.
application apply(const jinja::statement_ptr & node, jinja::context & context);

operands with_subject(const jinja::value & subject, const operands & arguments);

/// What a filter makes of a value.
jinja::value filtered(const jinja::value & given, application filter, jinja::context & context);

/// A list of what Python's loops find in a text or an object: characters or keys.
jinja::value listed(const jinja::value & value);

}  // namespace cllama::chat
