#pragma once

#include "llama_jinja.hpp"


namespace cllama::chat {

/// Rewrites a parsed template so that every node runs within the thread's `budget`.
///
/// The rewritten program prints what the original one prints. It refuses programs that assign too many names.
void instrument(jinja::program & program);

}  // namespace cllama::chat
