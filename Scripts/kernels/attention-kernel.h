#pragma once

// Attention of some queries, heads of one token or of several, to cells of a cache, a block of cells after another. What
// is added up in which order depends only on the cells that a query sees.

#include "lanes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef HAS_LANES

namespace cell_attention {

// Cells whose scores are turned into weights at once.
constexpr int block_cells = 64;
// Queries that share one reading of keys and values, and their longest rows.
constexpr int most_queries = 8;
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

    bool operator==(const Block &other) const {
        return count == other.count && std::memcmp(cells, other.cells, count * sizeof *cells) == 0 &&
               std::memcmp(bias, other.bias, count * sizeof *bias) == 0;
    }
};

// Walks the cells that a token sees.
class VisibleCells {
public:
    VisibleCells() = default;
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

    const uint16_t *mask = nullptr;
    int count = 0;
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

// Weighted sums over cells, for each query one after another: the values, then the weights by lane, then the largest
// score.
struct Sums {
    float *numbers;
    int value_length;

    int stride() const { return value_length + 2 * lane_count; }
    int scaled_length() const { return value_length + lane_count; }
    float *query(int index) const { return numbers + index * stride(); }
    float &largest(int index) const { return query(index)[value_length + lane_count]; }
    Sums from(int index) const { return {query(index), value_length}; }

    void clear(int queries) const {
        std::fill_n(numbers, queries * stride(), 0.0f);
        for (int index = 0; index < queries; index++) {
            largest(index) = -INFINITY;
        }
    }
};

// The factor for sums that were made with a largest score, when another one takes its place.
inline float correction(float before, float after) { return before == after ? 1.0f : std::exp(before - after); }

// Adds the sums over cells that come later.
inline void add(const Sums &sums, const Sums &later, int queries) {
    for (int query = 0; query < queries; query++) {
        const float most = std::max(sums.largest(query), later.largest(query));
        const Lanes before = splat(correction(sums.largest(query), most));
        const Lanes after = splat(correction(later.largest(query), most));
        for (int index = 0; index < sums.scaled_length(); index += lane_count) {
            const Lanes sum = load(sums.query(query) + index) * before;
            store(sums.query(query) + index, multiply_add(load(later.query(query) + index), after, sum));
        }
        sums.largest(query) = most;
    }
}

// How scores are changed before they are compared.
struct Scoring {
    float softcap;
    float slopes[most_queries];
};

using Scores = float[most_queries][block_cells];

// Products of queries and the keys of some cells, each still spread over lanes. The order of additions is the same for
// any number of queries and cells.
template <int count, int cells>
void multiply(const float *queries, int length, const uint16_t *const (&rows)[cells], int first,
              Lanes (&parts)[count][lane_count]) {
    Lanes products[count][cells];
    for (int query = 0; query < count; query++) {
        for (int cell = 0; cell < cells; cell++) {
            products[query][cell] = splat(0.0f);
        }
    }
    for (int position = 0; position < length; position += lane_count) {
        Lanes key[cells];
        for (int cell = 0; cell < cells; cell++) {
            key[cell] = load_halves(rows[cell] + position);
        }
        for (int query = 0; query < count; query++) {
            const Lanes numbers = load(queries + query * length + position);
            for (int cell = 0; cell < cells; cell++) {
                products[query][cell] = multiply_add(key[cell], numbers, products[query][cell]);
            }
        }
    }
    for (int query = 0; query < count; query++) {
        for (int cell = 0; cell < cells; cell++) {
            parts[query][first + cell] = products[query][cell];
        }
    }
}

template <int count>
void score(const float *queries, const Rows &keys, const Rows &values, const Block &block, Scores &scores) {
    // Products and what is multiplied stay in registers.
    constexpr int cells = register_count / (count > most_queries / 2 ? 16 : 8);
    for (int first = 0; first < block.count; first += lane_count) {
        Lanes parts[count][lane_count];
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
        for (int query = 0; query < count; query++) {
            store(scores[query] + first, sum_each(parts[query]));
        }
    }
}

inline Lanes hyperbolic_tangent(Lanes numbers) {
    const LaneBits sign = (LaneBits)numbers & (LaneBits)splat(-0.0f);
    const Lanes magnitude = (Lanes)((LaneBits)numbers ^ sign);
    const Lanes power = exponential(magnitude * splat(-2.0f));
    return (Lanes)((LaneBits)((splat(1.0f) - power) / (splat(1.0f) + power)) | sign);
}

// Turns the scores of a query into weights, adds these up, and gives the factor for the values that are summed already.
inline float weigh(const Scoring &scoring, int query, const Block &block, float *scores, const Sums &sums) {
    Lanes most = splat(sums.largest(query));
    for (int index = 0; index < block.count; index += lane_count) {
        Lanes values = load(scores + index);
        if (scoring.softcap != 0) {
            values = hyperbolic_tangent(values) * splat(scoring.softcap);
        }
        values = multiply_add(load_halves(block.bias + index), splat(scoring.slopes[query]), values);
        store(scores + index, values);
        most = larger(most, values);
    }
    const float largest_score = largest(most);
    const float factor = correction(sums.largest(query), largest_score);
    float *total = sums.query(query) + sums.value_length;
    Lanes weights = splat(0.0f);
    for (int index = 0; index < block.count; index += lane_count) {
        const Lanes weight = exponential(load(scores + index) - splat(largest_score));
        store(scores + index, weight);
        weights = weights + weight;
    }
    store(total, multiply_add(load(total), splat(factor), weights));
    sums.largest(query) = largest_score;
    return factor;
}

// Adds the weighted values of some positions.
template <int count, int vectors>
void add_values(const Rows &values, int position, const Block &block, const Scores &weights,
                const float (&factors)[count], const Sums &sums) {
    Lanes sum[count][vectors];
    for (int query = 0; query < count; query++) {
        for (int vector = 0; vector < vectors; vector++) {
            sum[query][vector] = load(sums.query(query) + position + vector * lane_count) * splat(factors[query]);
        }
    }
    for (int index = 0; index < block.count; index++) {
        const uint16_t *row = values.row(block.cells[index]) + position;
        Lanes value[vectors];
        for (int vector = 0; vector < vectors; vector++) {
            value[vector] = load_halves(row + vector * lane_count);
        }
        for (int query = 0; query < count; query++) {
            const Lanes weight = splat(weights[query][index]);
            for (int vector = 0; vector < vectors; vector++) {
                sum[query][vector] = multiply_add(weight, value[vector], sum[query][vector]);
            }
        }
    }
    for (int query = 0; query < count; query++) {
        for (int vector = 0; vector < vectors; vector++) {
            store(sums.query(query) + position + vector * lane_count, sum[query][vector]);
        }
    }
}

// Attends to the cells of a block, which all of the queries see alike.
template <int count>
void attend(const float *queries, const Rows &keys, const Rows &values, const Scoring &scoring, const Block &block,
            const Sums &sums) {
    constexpr int vectors = register_count / (count > most_queries / 2 ? 16 : 8);
    Scores scores;
    float factors[count];
    score<count>(queries, keys, values, block, scores);
    for (int query = 0; query < count; query++) {
        factors[query] = weigh(scoring, query, block, scores[query], sums);
    }
    int position = 0;
    for (; position + vectors * lane_count <= values.length; position += vectors * lane_count) {
        add_values<count, vectors>(values, position, block, scores, factors, sums);
    }
    for (; position < values.length; position += lane_count) {
        add_values<count, 1>(values, position, block, scores, factors, sums);
    }
}

using Attend = void (*)(const float *, const Rows &, const Rows &, const Scoring &, const Block &, const Sums &);

// By the number of queries, from one on.
constexpr Attend attend_functions[most_queries] = {attend<1>, attend<2>, attend<3>, attend<4>,
                                                   attend<5>, attend<6>, attend<7>, attend<8>};

} // namespace cell_attention

#endif
