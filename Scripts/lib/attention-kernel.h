#pragma once

// Attention of some heads of one token to cells of a cache, a block of cells after another. What is added up in which
// order depends only on the visible cells.

#include "lanes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#ifdef HAS_LANES

namespace cell_attention {

// Cells whose scores are turned into weights at once.
constexpr int block_cells = 64;
// Heads that share one reading of keys and values, and their longest rows.
constexpr int most_heads = 4;
constexpr int longest_head = 576;
// Cells of the mask that are looked at together.
constexpr int mask_step = 16;
// Minus infinity in half precision.
constexpr uint16_t hidden = 0xFC00;

static_assert(mask_step % lane_count == 0 && block_cells % mask_step == 0, "blocks end with a vector");

// Visible cells and what the mask adds to their scores, filled up to whole vectors with cells that have no weight.
struct Block {
    int count;
    int32_t cells[block_cells];
    uint16_t bias[block_cells];
};

// Walks the cells that a token sees.
class VisibleCells {
public:
    VisibleCells(const uint16_t *mask, int count) : mask(mask), count(count) {}

    void fill(Block &block, int most) {
        block.count = 0;
        while (block.count < most && next < count) {
            const int step = std::min({mask_step, count - next, most - block.count});
            const int seen = visible(next, step);
            if (seen == step) {
                append_all(block, step);
            } else if (seen > 0) {
                append_visible(block, step);
            }
            next += step;
        }
        for (int index = block.count; index % mask_step != 0; index++) {
            block.cells[index] = block.cells[block.count - 1];
            block.bias[index] = hidden;
        }
    }

    // Visible cells from here on.
    int remaining() const {
        int seen = 0;
        for (int cell = next; cell < count; cell += longest_count) {
            seen += visible(cell, std::min(longest_count, count - cell));
        }
        return seen;
    }

    // Goes on behind so many visible cells.
    void skip(int seen) {
        while (seen > 0 && next < count) {
            const int step = std::min({longest_count, count - next, seen});
            seen -= visible(next, step);
            next += step;
        }
    }

private:
    // Fits a sum of 16 bits, which takes the fewest vectors.
    static constexpr int longest_count = 4096;

    const uint16_t *mask;
    int count;
    int next = 0;

    int visible(int cell, int step) const {
        if (!mask) {
            return step;
        }
        const uint16_t *first = mask + cell;
        uint16_t seen = 0;
        if (step == mask_step) {
            for (int index = 0; index < mask_step; index++) {
                seen += first[index] != hidden;
            }
        } else {
            for (int index = 0; index < step; index++) {
                seen += first[index] != hidden;
            }
        }
        return seen;
    }

    void append_all(Block &block, int step) {
        for (int index = 0; index < step; index++) {
            block.cells[block.count + index] = next + index;
            block.bias[block.count + index] = mask ? mask[next + index] : 0;
        }
        block.count += step;
    }

    // Writes every cell; the next one takes the place of one that is hidden. The block has room for all.
    void append_visible(Block &block, int step) {
        for (int index = 0; index < step; index++) {
            block.cells[block.count] = next + index;
            block.bias[block.count] = mask[next + index];
            block.count += mask[next + index] != hidden;
        }
    }
};

// Keys or values of one head, a row for each cell.
struct Rows {
    const char *first;
    size_t stride;
    int length;

    const uint16_t *row(int cell) const { return reinterpret_cast<const uint16_t *>(first + cell * stride); }

    void prefetch(int cell) const {
        for (int byte = 0; byte < length * 2; byte += 64) {
            __builtin_prefetch(first + cell * stride + byte);
        }
    }
};

// Weighted sums over cells, for each head one after another: the values, then the weights by lane, then the largest
// score.
struct Sums {
    float *numbers;
    int value_length;

    int stride() const { return value_length + 2 * lane_count; }
    int scaled_length() const { return value_length + lane_count; }
    float *head(int index) const { return numbers + index * stride(); }
    float &largest(int index) const { return head(index)[value_length + lane_count]; }

    void clear(int heads) const {
        std::fill_n(numbers, heads * stride(), 0.0f);
        for (int index = 0; index < heads; index++) {
            largest(index) = -INFINITY;
        }
    }
};

// The factor for sums that were made with a largest score, when another one takes its place.
inline float correction(float before, float after) { return before == after ? 1.0f : std::exp(before - after); }

// Adds the sums over cells that come later.
inline void add(const Sums &sums, const Sums &later, int heads) {
    for (int head = 0; head < heads; head++) {
        const float most = std::max(sums.largest(head), later.largest(head));
        const Lanes before = splat(correction(sums.largest(head), most));
        const Lanes after = splat(correction(later.largest(head), most));
        for (int index = 0; index < sums.scaled_length(); index += lane_count) {
            const Lanes sum = load(sums.head(head) + index) * before;
            store(sums.head(head) + index, multiply_add(load(later.head(head) + index), after, sum));
        }
        sums.largest(head) = most;
    }
}

// How scores are changed before they are compared.
struct Scoring {
    float softcap;
    float slopes[most_heads];
};

using Scores = float[most_heads][block_cells];

// Products of queries and the keys of some cells, each still spread over lanes. The order of additions is the same for
// any number of heads and cells.
template <int heads, int cells>
void multiply(const float *queries, int length, const uint16_t *const (&rows)[cells], int first,
              Lanes (&parts)[heads][lane_count]) {
    Lanes products[heads][cells];
    for (int head = 0; head < heads; head++) {
        for (int cell = 0; cell < cells; cell++) {
            products[head][cell] = splat(0.0f);
        }
    }
    for (int position = 0; position < length; position += lane_count) {
        Lanes key[cells];
        for (int cell = 0; cell < cells; cell++) {
            key[cell] = load_halves(rows[cell] + position);
        }
        for (int head = 0; head < heads; head++) {
            const Lanes query = load(queries + head * length + position);
            for (int cell = 0; cell < cells; cell++) {
                products[head][cell] = multiply_add(key[cell], query, products[head][cell]);
            }
        }
    }
    for (int head = 0; head < heads; head++) {
        for (int cell = 0; cell < cells; cell++) {
            parts[head][first + cell] = products[head][cell];
        }
    }
}

template <int heads>
void score(const float *queries, const Rows &keys, const Rows &values, const Block &block, Scores &scores) {
    constexpr int cells = register_count / 8;
    for (int first = 0; first < block.count; first += lane_count) {
        Lanes parts[heads][lane_count];
        for (int index = 0; index < lane_count; index += cells) {
            const uint16_t *rows[cells];
            for (int cell = 0; cell < cells; cell++) {
                const int32_t number = block.cells[first + index + cell];
                rows[cell] = keys.row(number);
                // What is most likely needed next.
                values.prefetch(number);
                keys.prefetch(number + block_cells);
            }
            multiply(queries, keys.length, rows, index, parts);
        }
        for (int head = 0; head < heads; head++) {
            store(scores[head] + first, sum_each(parts[head]));
        }
    }
}

inline Lanes hyperbolic_tangent(Lanes numbers) {
    const LaneBits sign = (LaneBits)numbers & (LaneBits)splat(-0.0f);
    const Lanes magnitude = (Lanes)((LaneBits)numbers ^ sign);
    const Lanes power = exponential(magnitude * splat(-2.0f));
    return (Lanes)((LaneBits)((splat(1.0f) - power) / (splat(1.0f) + power)) | sign);
}

// Turns the scores of a head into weights, adds these up, and gives the factor for the values that are summed already.
inline float weigh(const Scoring &scoring, int head, const Block &block, float *scores, const Sums &sums) {
    Lanes most = splat(sums.largest(head));
    for (int index = 0; index < block.count; index += lane_count) {
        Lanes values = load(scores + index);
        if (scoring.softcap != 0) {
            values = hyperbolic_tangent(values) * splat(scoring.softcap);
        }
        values = multiply_add(load_halves(block.bias + index), splat(scoring.slopes[head]), values);
        store(scores + index, values);
        most = larger(most, values);
    }
    const float largest_score = largest(most);
    const float factor = correction(sums.largest(head), largest_score);
    float *total = sums.head(head) + sums.value_length;
    Lanes weights = splat(0.0f);
    for (int index = 0; index < block.count; index += lane_count) {
        const Lanes weight = exponential(load(scores + index) - splat(largest_score));
        store(scores + index, weight);
        weights = weights + weight;
    }
    store(total, multiply_add(load(total), splat(factor), weights));
    sums.largest(head) = largest_score;
    return factor;
}

// Adds the weighted values of some positions.
template <int heads, int vectors>
void add_values(const Rows &values, int position, const Block &block, const Scores &weights,
                const float (&factors)[most_heads], const Sums &sums) {
    Lanes sum[heads][vectors];
    for (int head = 0; head < heads; head++) {
        for (int vector = 0; vector < vectors; vector++) {
            sum[head][vector] = load(sums.head(head) + position + vector * lane_count) * splat(factors[head]);
        }
    }
    for (int index = 0; index < block.count; index++) {
        const uint16_t *row = values.row(block.cells[index]) + position;
        Lanes value[vectors];
        for (int vector = 0; vector < vectors; vector++) {
            value[vector] = load_halves(row + vector * lane_count);
        }
        for (int head = 0; head < heads; head++) {
            const Lanes weight = splat(weights[head][index]);
            for (int vector = 0; vector < vectors; vector++) {
                sum[head][vector] = multiply_add(weight, value[vector], sum[head][vector]);
            }
        }
    }
    for (int head = 0; head < heads; head++) {
        for (int vector = 0; vector < vectors; vector++) {
            store(sums.head(head) + position + vector * lane_count, sum[head][vector]);
        }
    }
}

// Attends to the next visible cells, at most so many.
template <int heads>
void attend(const float *queries, const Rows &keys, const Rows &values, const Scoring &scoring, VisibleCells &cells,
            int most, const Sums &sums) {
    constexpr int vectors = register_count / 8;
    sums.clear(heads);
    Block block;
    Scores scores;
    float factors[most_heads];
    for (; most > 0; most -= block.count) {
        cells.fill(block, std::min(most, block_cells));
        if (block.count == 0) {
            return;
        }
        score<heads>(queries, keys, values, block, scores);
        for (int head = 0; head < heads; head++) {
            factors[head] = weigh(scoring, head, block, scores[head], sums);
        }
        int position = 0;
        for (; position + vectors * lane_count <= values.length; position += vectors * lane_count) {
            add_values<heads, vectors>(values, position, block, scores, factors, sums);
        }
        for (; position < values.length; position += lane_count) {
            add_values<heads, 1>(values, position, block, scores, factors, sums);
        }
    }
}

} // namespace cell_attention

#endif
