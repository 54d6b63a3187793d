#pragma once

#include <chrono>
#include <cstddef>

/// Bounds on everything a chat template can make llama.cpp do. Real templates stay far below all of them.
namespace cllama::chat {

inline constexpr size_t KIB = 1024;
inline constexpr size_t MIB = 1024 * KIB;

// Stack figures were measured with unoptimised code on x86_64; optimised code needs a third.

/// Template text.
inline constexpr size_t MAX_SOURCE_BYTES = 512 * KIB;

/// Tokens of a template. Also bounds the depth of its syntax tree (`1+1+1…`, `a.b.c…`, chains of `elif`), and so how
/// deep parsing, rewriting and freeing the tree recurse: 400 bytes of stack per token at most, so 25 MiB.
inline constexpr size_t MAX_SOURCE_TOKENS = 64 * KIB;

/// Open brackets and open blocks. One bracket costs the parser 2.6 KiB of stack.
inline constexpr size_t MAX_SOURCE_NESTING = 250;

/// Different names that a template assigns. Every scope copies all variables.
inline constexpr size_t MAX_VARIABLES = 512;

/// Nodes being executed at the same time: at most 2.2 KiB of stack each, so 5 MiB.
inline constexpr size_t MAX_EXECUTION_DEPTH = 2000;

/// Lists and objects that one operation makes or changes. They may all hang below each other, at two levels each, and
/// are freed recursively: 640 bytes of stack per level, so 245 MiB at worst, of 256.
inline constexpr size_t MAX_CONTAINERS = 200'000;

/// Nesting of a value that is printed, compared, or turned into JSON.
inline constexpr size_t MAX_VALUE_DEPTH = 256;

/// Elements of one list.
inline constexpr size_t MAX_LIST_ELEMENTS = 100'000;

/// Values that one operation may look at, counted along every path.
inline constexpr size_t MAX_VISITED_VALUES = 1'000'000;

/// Bytes that one operation with more than linear cost may touch: a quarter of a second.
inline constexpr double MAX_TOUCHED_BYTES = 2e9;

/// Text printed by a render of a conversation, on top of a multiple of the request.
inline constexpr size_t MAX_OUTPUT_BYTES = 4 * MIB;
inline constexpr size_t OUTPUT_PER_REQUEST_BYTE = 4;

/// Text printed by the test renders that explore a template. llama.cpp compares them with quadratic algorithms.
inline constexpr size_t MAX_ANALYSIS_OUTPUT_BYTES = 64 * KIB;

/// Memory that new values may take during one operation, freed or not, on top of a multiple of the request. A value
/// counts with `VALUE_BYTES` besides its text.
inline constexpr size_t MAX_WORK_BYTES = 128 * MIB;
inline constexpr size_t WORK_PER_REQUEST_BYTE = 128;
inline constexpr size_t VALUE_BYTES = 320;

/// Keys of one object. Keys can be chosen so that every look-up compares with all of them.
inline constexpr size_t MAX_OBJECT_KEYS = 2048;

/// Nesting of the request.
inline constexpr size_t MAX_REQUEST_DEPTH = 512;

/// Processor time for testing a template, for exploring how it writes tool calls, and for one rendering. Processor
/// time, so that a good template is not refused on a busy machine.
inline constexpr std::chrono::milliseconds COMPILE_TIME{1500};
inline constexpr std::chrono::milliseconds ANALYSIS_TIME{1000};
inline constexpr std::chrono::milliseconds RENDER_TIME{1500};

/// Time after which a template is ended on any machine.
inline constexpr std::chrono::milliseconds OPERATION_TIME{3500};

/// How long a caller waits for its worker before it leaves it behind. Nothing known gets this far.
inline constexpr std::chrono::milliseconds WORKER_TIME{4800};

}  // namespace cllama::chat
