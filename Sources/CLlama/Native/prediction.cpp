#include "cl_context.h"

#include "context.hpp"
#include "guard.hpp"

#include <algorithm>
#include <vector>

size_t cl_context_predict(cl_context * context, int32_t sequence, int32_t token, int32_t position,
                          int32_t * out_tokens, size_t count) noexcept {
    return cllama::guarded_value(size_t(0), [&] {
        if (!context->predictor || context->is_broken || !context->holds(sequence) ||
            !context->model->vocab.contains(token) || position != context->last_position(sequence) + 1) {
            return size_t(0);
        }
        const std::vector<int32_t> draft =
            context->predictor->draft(sequence, token, position, static_cast<int32_t>(count));
        std::copy(draft.begin(), draft.end(), out_tokens);
        return draft.size();
    });
}

void cl_context_set_predicting(cl_context * context, bool is_predicting) noexcept {
    if (context->predictor) {
        context->predictor->is_following = is_predicting;
    }
}

void cl_context_accept(cl_context * context, int32_t sequence, size_t count) noexcept {
    cllama::guarded([&] {
        if (context->predictor && context->holds(sequence)) {
            context->predictor->accept(sequence, static_cast<int32_t>(count));
        }
    });
}
