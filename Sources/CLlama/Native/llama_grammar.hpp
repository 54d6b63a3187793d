#pragma once

#include "llama.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// llama.cpp exports these functions, but keeps their declarations to itself. The samplers made of them take tokens
// only, while a grammar that starts in the middle of a token has to take the rest of its text.

struct llama_grammar;
struct llama_grammar_element;

llama_grammar * llama_grammar_init_impl(const llama_vocab * vocab, const char * text, const char * root, bool is_lazy,
                                        const char ** trigger_patterns, size_t trigger_pattern_count,
                                        const llama_token * trigger_tokens, size_t trigger_token_count);
void llama_grammar_free_impl(llama_grammar * grammar);
llama_grammar * llama_grammar_clone_impl(const llama_grammar & grammar);
void llama_grammar_apply_impl(const llama_grammar & grammar, llama_token_data_array * candidates);
void llama_grammar_accept_impl(llama_grammar & grammar, llama_token token);
void llama_grammar_accept_str(llama_grammar & grammar, const std::string & text);
void llama_grammar_accept(llama_grammar * grammar, uint32_t character);
std::vector<std::vector<const llama_grammar_element *>> & llama_grammar_get_stacks(llama_grammar * grammar);
