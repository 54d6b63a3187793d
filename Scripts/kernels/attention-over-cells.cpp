// The operation of ggml that one-order-of-attention.md is about.

#include "attention-over-cells.h"

#include "attention-kernel.h"
#include "common.h"
#include "ggml-cpu-impl.h"
#include "ggml.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#ifdef HAS_LANES

using namespace cell_attention;

namespace {

// Sums over spans of a row's visible cells are made apart and put together in order, by one thread or by several.
constexpr int least_span = 256;
constexpr int most_spans = 16;

// From so many tokens on, neighbours share a reading of keys and values. Fewer are better divided over the threads.
constexpr int64_t fewest_neighbours = 16;

// Heads of some tokens that read the same keys and values. Its queries are the heads of one token after another.
struct Share {
    int64_t token, sequence, key_head, first_head;
    int tokens, heads;

    int queries() const { return tokens * heads; }
};

// What a token has still to attend to, in spans of some length.
struct Row {
    VisibleCells cells;
    int count, span;

    void skip(int spans) {
        const int skipped = std::min(count, spans * span);
        cells.skip(skipped);
        count -= skipped;
    }
};

// The operation that ggml asks for, divided into shares.
class Attention {
public:
    explicit Attention(ggml_tensor *result);

    bool suits() const;

    int64_t share_count() const { return token_parts * sequences * key_heads * parts; }
    int most_spans_of_row() const { return int(std::min<int64_t>(most_spans, (cells + least_span - 1) / least_span)); }
    int64_t sums_length() const { return neighbours * together * sums(nullptr).stride(); }

    // Attends to all that a share sees.
    void attend_all(int64_t index) const;

    // Attends to one span of what each token of a share sees, and finishes a share whose spans follow one another.
    void attend_span(int64_t index, int span, float *numbers) const;
    void finish(int64_t index, const float *spans) const;

private:
    ggml_tensor *result;
    const ggml_tensor *queries, *keys, *values, *mask, *sinks;
    float scale, most_bias, softcap;
    int64_t tokens, heads, sequences, cells, key_heads;
    // Heads that share keys, how many of them are computed together, and the shares that this makes.
    int64_t group, together, parts;
    // The same of tokens.
    int64_t neighbours, token_parts;

    Share share(int64_t index) const;
    Sums sums(float *numbers) const { return {numbers, int(values->ne[0])}; }
    Row row(const Share &share, int token) const;
    int open(const Share &share, Row *rows) const;
    float slope(int64_t head) const;
    void attend_next(const Share &share, Row *rows, const Sums &sums) const;
    void write(const Share &share, const Sums &sums) const;
};

// Cells in a span of a row that sees so many.
int span_length(int visible) {
    const int length = (visible + most_spans - 1) / most_spans;
    return std::max(least_span, (length + block_cells - 1) / block_cells * block_cells);
}

float parameter(const ggml_tensor *operation, int index) {
    float value;
    std::memcpy(&value, operation->op_params + index, sizeof value);
    return value;
}

const char *at(const ggml_tensor *tensor, int64_t second, int64_t third, int64_t fourth) {
    return static_cast<const char *>(tensor->data) + second * tensor->nb[1] + third * tensor->nb[2] +
           fourth * tensor->nb[3];
}

Attention::Attention(ggml_tensor *result)
    : result(result), queries(result->src[0]), keys(result->src[1]), values(result->src[2]), mask(result->src[3]),
      sinks(result->src[4]), scale(parameter(result, 0)), most_bias(parameter(result, 1)),
      softcap(parameter(result, 2)), tokens(queries->ne[1]), heads(queries->ne[2]), sequences(queries->ne[3]),
      cells(keys->ne[1]), key_heads(keys->ne[2]), group(heads / key_heads) {
    // Heads with masks of their own see different cells.
    const bool few = tokens < fewest_neighbours;
    together = mask && mask->ne[2] > 1 ? 1 : std::min<int64_t>(group, few ? most_queries / 2 : most_queries);
    parts = (group + together - 1) / together;
    neighbours = few ? 1 : most_queries / together;
    token_parts = (tokens + neighbours - 1) / neighbours;
    if (softcap != 0) {
        scale /= softcap;
    }
}

bool has_rows(const ggml_tensor *tensor, ggml_type type) {
    return tensor->type == type && tensor->nb[0] == ggml_type_size(type);
}

bool Attention::suits() const {
    const auto are_half_rows = [](const ggml_tensor *tensor) {
        return has_rows(tensor, GGML_TYPE_F16) && tensor->ne[0] % mask_step == 0 && tensor->ne[0] <= longest_head;
    };
    return has_rows(queries, GGML_TYPE_F32) && are_half_rows(keys) && are_half_rows(values) &&
           (!mask || has_rows(mask, GGML_TYPE_F16)) && values->ne[2] == key_heads &&
           values->ne[3] == keys->ne[3] && heads % key_heads == 0 && sequences % keys->ne[3] == 0 &&
           cells <= INT32_MAX / 2;
}

Share Attention::share(int64_t index) const {
    // Tokens come first, so that keys and values of one head are read from a near cache by one after another.
    const int64_t token = index % token_parts * neighbours;
    const int64_t part = index / token_parts % parts;
    const int64_t key_head = index / token_parts / parts % key_heads;
    const int64_t sequence = index / token_parts / parts / key_heads;
    const int64_t first = part * together;
    return {token, sequence, key_head, key_head * group + first, int(std::min(neighbours, tokens - token)),
            int(std::min(together, group - first))};
}

Row Attention::row(const Share &share, int token) const {
    const char *hides = mask ? at(mask, share.token + token, share.first_head % mask->ne[2],
                                  share.sequence % mask->ne[3])
                             : nullptr;
    const VisibleCells visible(reinterpret_cast<const uint16_t *>(hides), int(cells));
    const int count = visible.remaining();
    return {visible, count, span_length(count)};
}

// Gives a row for each token of a share, and the number of spans of the longest.
int Attention::open(const Share &share, Row *rows) const {
    int spans = 0;
    for (int token = 0; token < share.tokens; token++) {
        rows[token] = row(share, token);
        spans = std::max(spans, (rows[token].count + rows[token].span - 1) / rows[token].span);
    }
    return spans;
}

// The share of a bias by distance that a head takes, see "Train Short, Test Long" (ALiBi).
float Attention::slope(int64_t head) const {
    if (most_bias <= 0) {
        return 1;
    }
    const int64_t whole = int64_t(1) << int(std::floor(std::log2(heads)));
    return head < whole ? std::pow(std::pow(2.0f, -most_bias / whole), float(head + 1))
                        : std::pow(std::pow(2.0f, -most_bias / 2 / whole), float(2 * (head - whole) + 1));
}

// Attends to the next span of each row.
void Attention::attend_next(const Share &share, Row *rows, const Sums &sums) const {
    const int key_length = int(keys->ne[0]);
    float scaled[most_queries * longest_head];
    Scoring scoring{softcap, {}};
    int left[most_queries];
    for (int index = 0; index < share.queries(); index++) {
        const int token = index / share.heads, head = index % share.heads;
        const auto *query = reinterpret_cast<const float *>(
            at(queries, share.token + token, share.first_head + head, share.sequence));
        for (int position = 0; position < key_length; position++) {
            scaled[index * key_length + position] = query[position] * scale;
        }
        scoring.slopes[index] = slope(share.first_head + head);
    }
    for (int token = 0; token < share.tokens; token++) {
        left[token] = std::min(rows[token].count, rows[token].span);
        rows[token].count -= left[token];
    }
    const int64_t kept = share.sequence / (sequences / keys->ne[3]);
    const Rows key_rows{at(keys, 0, share.key_head, kept), keys->nb[1], key_length};
    const Rows value_rows{at(values, 0, share.key_head, kept), values->nb[1], int(values->ne[0])};
    const auto attend_together = [&](int first, int count, const Block &block) {
        attend_functions[count - 1](scaled + first * key_length, key_rows, value_rows, scoring, block,
                                    sums.from(first));
    };
    sums.clear(share.queries());
    Block blocks[most_queries];
    while (true) {
        bool alike = true;
        int most = 0;
        for (int token = 0; token < share.tokens; token++) {
            rows[token].cells.fill(blocks[token], std::min(left[token], block_cells));
            left[token] -= blocks[token].count;
            alike = alike && blocks[token] == blocks[0];
            most = std::max(most, blocks[token].count);
        }
        if (most == 0) {
            return;
        }
        if (alike) {
            attend_together(0, share.queries(), blocks[0]);
            continue;
        }
        for (int token = 0; token < share.tokens; token++) {
            if (blocks[token].count > 0) {
                attend_together(token * share.heads, share.heads, blocks[token]);
            }
        }
    }
}

void Attention::attend_all(int64_t index) const {
    alignas(64) float numbers[2][most_queries * (longest_head + 2 * lane_count)];
    const Share share = this->share(index);
    const Sums whole = sums(numbers[0]), part = sums(numbers[1]);
    Row rows[most_queries];
    whole.clear(share.queries());
    for (int spans = open(share, rows); spans > 0; spans--) {
        attend_next(share, rows, part);
        add(whole, part, share.queries());
    }
    write(share, whole);
}

void Attention::attend_span(int64_t index, int span, float *numbers) const {
    const Share share = this->share(index);
    Row rows[most_queries];
    if (span >= open(share, rows)) {
        return;
    }
    for (int token = 0; token < share.tokens; token++) {
        rows[token].skip(span);
    }
    attend_next(share, rows, sums(numbers));
}

void Attention::finish(int64_t index, const float *spans) const {
    alignas(64) float numbers[most_queries * (longest_head + 2 * lane_count)];
    const Share share = this->share(index);
    const Sums whole = sums(numbers);
    Row rows[most_queries];
    whole.clear(share.queries());
    for (int left = open(share, rows); left > 0; left--, spans += sums_length()) {
        add(whole, sums(const_cast<float *>(spans)), share.queries());
    }
    write(share, whole);
}

void Attention::write(const Share &share, const Sums &sums) const {
    for (int index = 0; index < share.queries(); index++) {
        const int64_t token = share.token + index / share.heads, head = share.first_head + index % share.heads;
        const float *values = sums.query(index);
        float total = 0, factor = 1;
        for (int lane = 0; lane < lane_count; lane++) {
            total += values[sums.value_length + lane];
        }
        if (sinks) {
            // A score without a value.
            const float sink = static_cast<const float *>(sinks->data)[head];
            const float most = std::max(sums.largest(index), sink);
            factor = correction(sums.largest(index), most);
            total = std::fma(total, factor, correction(sink, most));
        }
        const float inverse = total == 0 ? 0 : factor / total;
        auto *row = reinterpret_cast<float *>(static_cast<char *>(result->data) +
                                              ((share.sequence * tokens + token) * heads + head) * result->nb[1]);
        for (int position = 0; position < sums.value_length; position++) {
            row[position] = values[position] * inverse;
        }
    }
}

// Calls a function with each of so many numbers, by whichever thread is free.
template <typename Function> void for_each(const ggml_compute_params *params, int64_t count, Function function) {
    if (params->ith == 0) {
        ggml_threadpool_chunk_set(params->threadpool, params->nth);
    }
    ggml_barrier(params->threadpool);
    for (int64_t index = params->ith; index < count; index = ggml_threadpool_chunk_add(params->threadpool, 1)) {
        function(index);
    }
}

} // namespace

bool attend_over_cells(const ggml_compute_params *params, ggml_tensor *result) {
    const Attention attention(result);
    if (params->use_ref || !attention.suits()) {
        return false;
    }
    const int64_t shares = attention.share_count(), spans = attention.most_spans_of_row();
    const int64_t length = attention.sums_length();
    auto *sums = static_cast<float *>(params->wdata);
    // Few shares are divided further, so that no thread waits long for another.
    if (params->nth > 1 && spans > 1 && shares < 8 * params->nth &&
        size_t(shares * spans * length) * sizeof(float) <= params->wsize) {
        // Shares come first, so that the rows of all heads, which lie side by side, are read together.
        for_each(params, shares * spans, [&](int64_t index) {
            const int64_t share = index % shares, span = index / shares;
            attention.attend_span(share, int(span), sums + (share * spans + span) * length);
        });
        ggml_barrier(params->threadpool);
        for (int64_t index = params->ith; index < shares; index += params->nth) {
            attention.finish(index, sums + index * spans * length);
        }
    } else {
        for_each(params, shares, [&](int64_t index) { attention.attend_all(index); });
    }
    return true;
}

#else

bool attend_over_cells(const ggml_compute_params *, ggml_tensor *) { return false; }

#endif
