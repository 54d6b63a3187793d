// Products of weights in blocks of 32 with any number of columns, added up in one order.
//
// ggml's kernels for these types take one column after another. Here some rows are multiplied at a time, each in a lane
// of its own, and their blocks are unpacked once for many columns. A product is the sum of whole numbers within a
// block, which is exact, and of the blocks one after another, so it does not depend on the number of columns. See
// Documentation/decisions/one-order-of-products.md.

#include "products.h"

#include "ggml-cpu-impl.h"
#include "ggml-cpu.h"
#include "ggml-impl.h"

#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)

#include "panel.h"

#include <algorithm>

using namespace panels;

namespace {

// Columns whose sums stay in registers.
constexpr int columns_together = lanes;

// Columns for which rows are unpacked once.
constexpr int64_t columns_of_part = 128;

// A block of a column: 32 whole numbers, what one stands for, and what comes to their products with codes.
struct ColumnBlock {
    int8_t numbers[32];
    float scale;
    union {
        // For least values: the sum of what the numbers stand for.
        float sum;
        // For codes that are above what they stand for: what the products have too much, negative.
        int32_t start;
    };
};

// A column in blocks, and where its products go.
struct Column {
    const ColumnBlock *blocks;
    float *products;
};

// Rows that are multiplied at a time: as many as there are lanes.
template <typename Block> struct Strip {
    const char *first;
    size_t row_size;

    [[gnu::always_inline]] Panel<Block> unpacked(int64_t block) const {
        return Panel<Block>(Place(first + block * sizeof(Block), row_size));
    }

    // Asks for the next strip, a part for each block: processors do not look further than to the end of a page. Without
    // the attribute GCC takes this for a function without effects.
    [[gnu::always_inline]] void fetch_next(int64_t block) const {
        constexpr size_t line = 64, size = lanes * sizeof(Block);
        const char *next = first + lanes * row_size + block * size;
        for (size_t offset = 0; offset < size; offset += line) {
            _mm_prefetch(next + offset, _MM_HINT_T0);
        }
    }
};

// Multiplies a strip, whose blocks `panel` gives, with so many columns.
template <int count, typename Panels>
[[gnu::noinline]] void multiply_strip(int64_t blocks, Panels panel, const Column *columns) {
    Numbers sums[count];
    for (Numbers &sum : sums) {
        sum = splat(0.0f);
    }
    for (int64_t index = 0; index < blocks; index++) {
        const auto &unpacked = panel(index);
#pragma GCC unroll 16
        for (int column = 0; column < count; column++) {
            const ColumnBlock &block = columns[column].blocks[index];
            const auto products = unpacked.products(block.numbers, unpacked.offset == 0 ? 0 : block.start);
            sums[column] = multiply_add(products, multiply(unpacked.scales, splat(block.scale)), sums[column]);
            if constexpr (std::decay_t<decltype(unpacked)>::has_minima) {
                sums[column] = multiply_add(unpacked.minima, splat(block.sum), sums[column]);
            }
        }
    }
    for (int column = 0; column < count; column++) {
        memcpy(columns[column].products, &sums[column], sizeof sums[column]);
    }
}

// Takes the least of some numbers of columns that is enough; what is there too much is the last column again.
template <int count = 1, typename Panels>
void multiply_strip(int64_t blocks, Panels panel, Column (&columns)[columns_together], int needed) {
    constexpr int next = count < 4 ? count + 1 : count < 8 ? count + 2 : count + 4;
    if constexpr (next <= columns_together) {
        if (needed > count) {
            return multiply_strip<next>(blocks, panel, columns, needed);
        }
    }
    std::fill(columns + needed, columns + count, columns[needed - 1]);
    multiply_strip<count>(blocks, panel, columns);
}

// Where an operation's working memory has what it needs.
struct Workspace {
    explicit Workspace(const ggml_tensor *result) {
        const int64_t blocks = result->src[0]->ne[0] / QK8_0;
        column = blocks * sizeof(ColumnBlock);
        columns = aligned(ggml_nrows(result->src[1]) * column);
        panels = aligned(blocks * sizeof(Panel<block_q4_1>));
        rows = aligned(lanes * ggml_row_size(result->src[0]->type, result->src[0]->ne[0]));
    }

    size_t size(int threads) const { return alignment + columns + threads * (panels + rows); }

    // Bytes of a column, of all columns, and for each thread of the unpacked rows and of rows at a matrix's end.
    size_t column, columns, panels, rows;

    static constexpr size_t alignment = 64;
    static size_t aligned(size_t size) { return (size + alignment - 1) / alignment * alignment; }
};

// An operation of ggml that is computed here.
template <typename Block> class Operation {
public:
    Operation(const ggml_compute_params *params, ggml_tensor *result)
        : params(params), result(result), weights(result->src[0]), inputs(result->src[1]), sizes(result),
          blocks(weights->ne[0] / QK8_0),
          columns(reinterpret_cast<char *>(Workspace::aligned(reinterpret_cast<size_t>(params->wdata)))),
          panels(columns + sizes.columns + params->ith * (sizes.panels + sizes.rows)), rows(panels + sizes.panels) {}

    // Rounds this thread's share of the columns to whole numbers.
    void round_columns() const {
        const int64_t first = blocks * params->ith / params->nth, end = blocks * (params->ith + 1) / params->nth;
        for (int64_t index = 0; index < ggml_nrows(inputs); index++) {
            const int64_t column = index % inputs->ne[1], plane = index / inputs->ne[1];
            const auto *numbers = reinterpret_cast<const float *>(
                static_cast<const char *>(inputs->data) + column * inputs->nb[1] +
                plane % inputs->ne[2] * inputs->nb[2] + plane / inputs->ne[2] * inputs->nb[3]);
            auto *rounded = reinterpret_cast<ColumnBlock *>(columns + index * sizes.column);
            for (int64_t block = first; block < end; block++) {
                round(numbers + block * QK8_0, rounded[block]);
            }
        }
    }

    // Some strips with some columns at a time, for whichever thread is free.
    void multiply() const {
        const int64_t strips = (weights->ne[1] + lanes - 1) / lanes;
        const int64_t length = std::max<int64_t>(1, strips / (4 * params->nth));
        const int64_t chunks = (strips + length - 1) / length;
        const int64_t parts = (inputs->ne[1] + columns_of_part - 1) / columns_of_part;
        for (int64_t chunk = params->ith; chunk < chunks * parts;
             chunk = ggml_threadpool_chunk_add(params->threadpool, 1)) {
            const int64_t first = chunk % chunks * length, end = std::min(strips, first + length);
            for (int64_t plane = 0; plane < inputs->ne[2] * inputs->ne[3]; plane++) {
                for (int64_t strip = first; strip < end; strip++) {
                    multiply(plane, strip * lanes, chunk / chunks * columns_of_part);
                }
            }
        }
    }

private:
    static void round(const float *numbers, ColumnBlock &block) {
        block_q8_0 rounded;
        ggml_get_type_traits_cpu(GGML_TYPE_Q8_0)->from_float(numbers, &rounded, QK8_0);
        memcpy(block.numbers, rounded.qs, sizeof block.numbers);
        int32_t sum = 0;
        for (const int8_t number : block.numbers) {
            sum += number;
        }
        block.scale = _cvtsh_ss(rounded.d);
        if (Panel<Block>::has_minima) {
            block.sum = block.scale * float(sum);
        } else {
            block.start = -Panel<Block>::offset * sum;
        }
    }

    // The strip that begins with a row; at the end of a matrix a copy of it, with some rows more than once.
    Strip<Block> strip(int64_t plane, int64_t row) const {
        // Planes of weights are shared by several of the columns.
        const char *first = static_cast<const char *>(weights->data) +
                            plane % inputs->ne[2] * weights->ne[2] / inputs->ne[2] * weights->nb[2] +
                            plane / inputs->ne[2] * weights->ne[3] / inputs->ne[3] * weights->nb[3] +
                            row * weights->nb[1];
        const int64_t count = weights->ne[1] - row;
        if (count >= lanes) {
            return {first, weights->nb[1]};
        }
        const size_t size = sizes.rows / lanes;
        for (int64_t index = 0; index < lanes; index++) {
            memcpy(rows + index * size, first + std::min(index, count - 1) * weights->nb[1], blocks * sizeof(Block));
        }
        return {rows, size};
    }

    // Multiplies a strip with columns from `first` on.
    void multiply(int64_t plane, int64_t row, int64_t first) const {
        const auto strip = this->strip(plane, row);
        const int64_t end = std::min(inputs->ne[1], first + columns_of_part);
        const auto unpack = [&](int64_t block) __attribute__((always_inline)) {
            strip.fetch_next(block);
            return strip.unpacked(block);
        };
        if (end - first <= columns_together) {
            return multiply(unpack, plane, row, first, end);
        }
        auto *const unpacked = reinterpret_cast<Panel<Block> *>(panels);
        for (int64_t block = 0; block < blocks; block++) {
            new (unpacked + block) Panel<Block>(unpack(block));
        }
        const auto panel = [&](int64_t block) -> const Panel<Block> & { return unpacked[block]; };
        for (; first < end; first += columns_together) {
            multiply(panel, plane, row, first, std::min(end, first + columns_together));
        }
    }

    template <typename Panels>
    void multiply(Panels panel, int64_t plane, int64_t row, int64_t first, int64_t end) const {
        Column some[columns_together];
        float last_products[columns_together][lanes];
        const int64_t count = std::min<int64_t>(lanes, weights->ne[1] - row);
        for (int64_t column = first; column < end; column++) {
            some[column - first] = {
                reinterpret_cast<const ColumnBlock *>(columns + (plane * inputs->ne[1] + column) * sizes.column),
                count < lanes ? last_products[column - first] : products_at(plane, column) + row};
        }
        multiply_strip(blocks, panel, some, int(end - first));
        for (int64_t column = first; count < lanes && column < end; column++) {
            memcpy(products_at(plane, column) + row, last_products[column - first], count * sizeof(float));
        }
    }

    float *products_at(int64_t plane, int64_t column) const {
        return reinterpret_cast<float *>(static_cast<char *>(result->data) + column * result->nb[1] +
                                         plane % result->ne[2] * result->nb[2] +
                                         plane / result->ne[2] * result->nb[3]);
    }

    const ggml_compute_params *params;
    ggml_tensor *result;
    const ggml_tensor *weights, *inputs;
    const Workspace sizes;
    const int64_t blocks;
    char *columns, *panels, *rows;
};

template <typename Block> bool compute(const ggml_compute_params *params, ggml_tensor *result) {
    const Operation<Block> operation(params, result);
    operation.round_columns();
    if (params->ith == 0) {
        ggml_threadpool_chunk_set(params->threadpool, params->nth);
    }
    ggml_barrier(params->threadpool);
    operation.multiply();
    return true;
}

using Compute = bool (*)(const ggml_compute_params *, ggml_tensor *);

// The function for an operation; none when the kernel is not for it.
Compute function_for(const ggml_tensor *result) {
    const auto *weights = result->src[0], *inputs = result->src[1];
    // Weights in a layout of their own have `extra`.
    if (result->op != GGML_OP_MUL_MAT || weights->extra || inputs->type != GGML_TYPE_F32 ||
        inputs->nb[0] != sizeof(float)) {
        return nullptr;
    }
    switch (weights->type) {
    case GGML_TYPE_Q4_0: return compute<block_q4_0>;
    case GGML_TYPE_Q4_1: return compute<block_q4_1>;
    case GGML_TYPE_Q5_0: return compute<block_q5_0>;
    case GGML_TYPE_Q5_1: return compute<block_q5_1>;
    case GGML_TYPE_Q8_0: return compute<block_q8_0>;
    case GGML_TYPE_IQ4_NL: return compute<block_iq4_nl>;
    default: return nullptr;
    }
}

} // namespace

bool multiply_blocks_of_32(const ggml_compute_params *params, ggml_tensor *result) {
    const Compute compute = params->use_ref ? nullptr : function_for(result);
    return compute && compute(params, result);
}

size_t workspace_of_blocks_of_32(int threads, const ggml_tensor *result) {
    return function_for(result) ? Workspace(result).size(threads) : 0;
}

#else

bool multiply_blocks_of_32(const ggml_compute_params *, ggml_tensor *) { return false; }

size_t workspace_of_blocks_of_32(int, const ggml_tensor *) { return 0; }

#endif
