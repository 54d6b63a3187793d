#pragma once

#include <chrono>
#include <cstddef>

/// Bounds on everything a chat template can make llama.cpp do.
///
/// Real templates stay far below all of them: the largest that ship with llama.cpp have 30 KB and 8,000 tokens, and
/// nest 12 deep.
namespace cllama::chat {

inline constexpr size_t KIB = 1024;
inline constexpr size_t MIB = 1024 * KIB;

/// Template text.
inline constexpr size_t MAX_SOURCE_BYTES = 512 * KIB;

/// Tokens of a template. Also bounds the depth of its syntax tree (`1+1+1…`, `a.b.c…`, chains of `elif`), and with it
/// how deep parsing, rewriting and freeing the tree recurse: at most one level per token and, measured, less than
/// 600 bytes of stack per level, so 40 MiB.
inline constexpr size_t MAX_SOURCE_TOKENS = 64 * KIB;

/// Open brackets and open blocks. One bracket costs the parser 12 calls and, measured, 3.5 KiB of stack.
inline constexpr size_t MAX_SOURCE_NESTING = 250;

/// Different names that a template assigns. Every scope copies all variables.
inline constexpr size_t MAX_VARIABLES = 1024;

/// Nodes being executed at the same time. Measured: at most 4 KiB of stack each, so 8 MiB.
inline constexpr size_t MAX_EXECUTION_DEPTH = 2000;

/// Nesting of a value that is printed, compared, or turned into JSON.
inline constexpr size_t MAX_VALUE_DEPTH = 256;

/// Elements of one list.
inline constexpr size_t MAX_LIST_ELEMENTS = 200'000;

/// Values that one operation may look at, counted along every path.
inline constexpr size_t MAX_VISITED_VALUES = 1'000'000;

/// Bytes that one operation with more than linear cost may touch: about half a second.
inline constexpr double MAX_TOUCHED_BYTES = 4e9;

/// Text printed by a render of a conversation, on top of a multiple of the request.
inline constexpr size_t MAX_OUTPUT_BYTES = 4 * MIB;
inline constexpr size_t OUTPUT_PER_REQUEST_BYTE = 4;

/// Text printed by the test renders that explore a template. llama.cpp compares them with quadratic algorithms.
inline constexpr size_t MAX_ANALYSIS_OUTPUT_BYTES = 64 * KIB;

/// Memory that new values may take during one operation, freed or not, on top of a multiple of the request. It also
/// bounds the values that can hang below each other, which are freed recursively: a value costs at least
/// `VALUE_BYTES` of this and, measured, 250 bytes of stack to free, so 170 MiB of stack for a request of 512 KiB.
inline constexpr size_t MAX_WORK_BYTES = 128 * MIB;
inline constexpr size_t WORK_PER_REQUEST_BYTE = 128;
inline constexpr size_t VALUE_BYTES = 320;

/// Nesting of the request and keys of one of its objects.
inline constexpr size_t MAX_REQUEST_DEPTH = 512;
inline constexpr size_t MAX_REQUEST_KEYS = 4096;

/// Time for one test of a template and for one rendering.
inline constexpr std::chrono::milliseconds COMPILE_TIME{2000};
inline constexpr std::chrono::milliseconds ANALYSIS_TIME{1500};
inline constexpr std::chrono::milliseconds RENDER_TIME{2000};

/// How long a caller waits for its worker before it gives up on it. Nothing known gets this far.
inline constexpr std::chrono::milliseconds WORKER_TIME{4600};

}  // namespace cllama::chat
