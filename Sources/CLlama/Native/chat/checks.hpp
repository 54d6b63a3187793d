#pragma once

#include "values.hpp"

/// One check for each builtin of llama.cpp that needs one. Each gets what the builtin is going to work on.
namespace cllama::chat::checks {

/// Whatever a builtin does, it may do with values of bounded size.
void any(const operands & values);

void to_json(const operands & values);
void join(const operands & values);
void replace(const operands & values);
void split(const operands & values);
void strip(const operands & values);
void indent(const operands & values);

void range(const operands & values);
void items(const operands & values);
void slice(const operands & values);
void append(const operands & values);
void object(const operands & values);
void select(const operands & values);
void map(const operands & values);
void sort(const operands & values);
void dict_sort(const operands & values);
void extreme(const operands & values);

/// The tests `in` and `divisibleby`.
void contained(const operands & values);
void divisible(const operands & values);

bool is_integer(const jinja::value & value);

/// Bytes of a text; 0 for NULL and for other values.
double length_of(const jinja::value & value);

/// How many bytes are compared at most to find `pattern`.
double search_effort(double text, double pattern);

}  // namespace cllama::chat::checks
