#include "cl_context.h"

#include "context.hpp"
#include "guard.hpp"

#include <map>
#include <string>

namespace {

using cllama::failure;
using cllama::require;

[[noreturn]] void refuse(size_t index, const char * reason) {
    throw failure(CL_INVALID_ARGUMENT, "batch entry " + std::to_string(index) + ": " + reason);
}

/// Positions must go on where each sequence ends; this also rules out duplicates and any order but theirs.
void check_positions(const cl_context & context, const cl_batch_entry * entries, size_t count) {
    std::map<int32_t, int64_t> next;
    for (size_t index = 0; index < count; ++index) {
        const cl_batch_entry & entry = entries[index];
        if (!context.holds(entry.sequence)) {
            refuse(index, "the sequence is out of range");
        }
        auto found = next.find(entry.sequence);
        if (found == next.end()) {
            const int64_t first = int64_t(context.last_position(entry.sequence)) + 1;
            found = next.emplace(entry.sequence, first).first;
        }
        if (entry.position != found->second) {
            refuse(index, "the position does not continue its sequence");
        }
        ++found->second;
    }
}

void check(const cl_context & context, const cl_batch_entry * entries, size_t count) {
    require(count > 0 && entries != nullptr, CL_INVALID_ARGUMENT, "the batch is empty");
    require(count <= context.batch_size, CL_INVALID_ARGUMENT, "the batch is larger than the context's batch size");
    size_t outputs = 0;
    for (size_t index = 0; index < count; ++index) {
        if (entries[index].token < 0 || entries[index].token >= context.model->vocab.size()) {
            refuse(index, "the token is outside the vocabulary");
        }
        outputs += entries[index].wants_logits ? 1 : 0;
    }
    require(outputs <= context.maximum_outputs, CL_INVALID_ARGUMENT, "too many entries of the batch want logits");
    check_positions(context, entries, count);
}

/// What `llama_decode` returns when its callback told it to stop.
constexpr int32_t was_stopped = 2;

[[noreturn]] void fail(int32_t code) {
    switch (code) {
        case 1: throw failure(CL_CONTEXT_FULL, "the KV cache has no room for the batch");
        case was_stopped: throw failure(CL_CANCELLED, "decoding was stopped");
        default: break;
    }
    throw failure(CL_DECODE_FAILED, "llama.cpp could not compute the batch (" + std::to_string(code) + ")");
}

/// A draft is worth less than a batch: whatever happens here, the batch was computed.
void follow(cl_context & context, const cl_batch_entry * entries, size_t count) {
    try {
        context.predictor->follow(entries, count);
    } catch (const std::exception &) {
        // The predictor drafts nothing any more.
    }
}

bool wants_abort(void * context) {
    return static_cast<const cl_context *>(context)->abort.is_requested();
}

void run(cl_context & context) {
    const unsigned long aborts = cllama::aborts_on_this_thread();
    int32_t code = 0;
    const cllama::timed_batch timed(context.abort);
    try {
        code = llama_decode(context.raw.get(), context.batch.raw());
        if (code == 0 || !context.model->servers.is_empty()) {
            // Waits for devices that compute on their own, so that a failure belongs to this call, and nothing is under
            // way on a server when another model computes there.
            llama_synchronize(context.raw.get());
        }
    } catch (...) {
        context.is_broken = aborts != cllama::aborts_on_this_thread();
        throw;
    }
    context.is_broken = aborts != cllama::aborts_on_this_thread();
    if (code == 0 && timed.was_stopped()) {
        code = was_stopped;
    }
    if (code != 0) {
        fail(code);
    }
}

}  // namespace

cl_status cl_decode(cl_context * context, const cl_batch_entry * entries, size_t count) noexcept {
    return cllama::guarded(
        [&] {
            context->model->servers.check();
            require(!context->is_broken, CL_DECODE_FAILED, "llama.cpp failed in an earlier call, load the model again");
            check(*context, entries, count);
            require(!context->abort.is_requested(), CL_CANCELLED, "decoding was stopped");
            context->has_logits.clear();
            context->batch.fill(entries, count);
            context->model->servers.computing({wants_abort, context}, context->abandonment(), [&] { run(*context); });
            if (context->predictor && context->predictor->is_following) {
                follow(*context, entries, count);
            }
            context->has_logits.resize(count);
            for (size_t index = 0; index < count; ++index) {
                context->has_logits[index] = entries[index].wants_logits;
            }
        },
        CL_DECODE_FAILED);
}
