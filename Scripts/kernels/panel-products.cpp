// Products of quantised weights with any number of columns, added up in one order.
//
// Some rows are multiplied at a time, each in a lane of its own, and are unpacked once for many columns. A product is
// the sum of whole numbers within a part of a row, which is exact, and of the parts in an order that does not depend on
// the number of columns. See Documentation/decisions/one-order-of-products.md.

#include "products.h"

#include "ggml-cpu-impl.h"
#include "ggml-cpu.h"
#include "ggml-impl.h"

#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)

#include "panel.h"
#include "panels-of-256.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

using namespace panels;

namespace {

// Columns whose sums stay in registers.
constexpr int columns_together = lanes;

// Columns for which rows are unpacked once.
constexpr int64_t columns_of_pass = 128;

// A column in parts, and where its products go.
struct Column {
    const ColumnPart *parts;
    float *products;
};

// Rounds a part of a column to whole numbers up to 127.
void round_part(const float *numbers, ColumnPart &part) {
    __m256 some[4], largest = _mm256_setzero_ps();
    for (int index = 0; index < 4; index++) {
        some[index] = _mm256_loadu_ps(numbers + 8 * index);
        largest = _mm256_max_ps(largest, _mm256_andnot_ps(_mm256_set1_ps(-0.0f), some[index]));
    }
    const __m128 four = _mm_max_ps(_mm256_castps256_ps128(largest), _mm256_extractf128_ps(largest, 1));
    const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    const float most = _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
    part.scale = most / 127;
    // None for numbers that are all zero, or so small that they are as good as that.
    const float factor = 127 / most <= std::numeric_limits<float>::max() ? 127 / most : 0;
    __m256i whole[4];
    for (int index = 0; index < 4; index++) {
        whole[index] = _mm256_cvtps_epi32(_mm256_mul_ps(some[index], _mm256_set1_ps(factor)));
    }
    const __m256i packed = _mm256_packs_epi16(_mm256_packs_epi32(whole[0], whole[1]),
                                              _mm256_packs_epi32(whole[2], whole[3]));
    const __m256i sorted = _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    memcpy(part.numbers, &sorted, sizeof part.numbers);
}

// Rows that are multiplied at a time: as many as there are lanes.
template <typename Block> struct Strip {
    const char *first;
    size_t row_size;

    [[gnu::always_inline]] Panel<Block> panel(int64_t index) const {
        const int64_t block = index / Panel<Block>::count;
        return Panel<Block>(Place(first + block * sizeof(Block), row_size), int(index % Panel<Block>::count));
    }

    // Asks for the next strip, a piece for each panel: processors do not look further than to the end of a page.
    // Without the attribute GCC takes this for a function without effects.
    [[gnu::always_inline]] void fetch_next(int64_t index) const {
        constexpr size_t line = 64, size = lanes * sizeof(Block) / Panel<Block>::count;
        const char *next = first + lanes * row_size + index * size;
        for (size_t offset = 0; offset < size; offset += line) {
            _mm_prefetch(next + offset, _MM_HINT_T0);
        }
    }
};

// Multiplies a strip, of which `panel` gives so many panels, with columns.
template <typename Block, int count, typename Panels>
[[gnu::noinline]] void multiply_strip(int64_t panels, Panels panel, const Column *columns) {
    using Type = Layout<Block>;
    Numbers sums[count];
    for (Numbers &sum : sums) {
        sum = splat(0.0f);
    }
    for (int64_t index = 0; index < panels; index++) {
        const Panel<Block> &unpacked = panel(index);
        const int64_t first = index / Panel<Block>::count * Type::parts;
#pragma GCC unroll 4
        for (int member = 0; member < Type::together; member++) {
            const int64_t part = first + Type::part(int(index % Panel<Block>::count), member);
#pragma GCC unroll 16
            for (int column = 0; column < count; column++) {
                sums[column] = unpacked.add_products(sums[column], member, columns[column].parts[part]);
            }
        }
    }
    for (int column = 0; column < count; column++) {
        memcpy(columns[column].products, &sums[column], sizeof sums[column]);
    }
}

// Takes the least of some numbers of columns that is enough; what is there too much is the last column again.
template <typename Block, int count = 1, typename Panels>
void multiply_strip(int64_t panels, Panels panel, Column (&columns)[columns_together], int needed) {
    constexpr int next = count < 4 ? count + 1 : count < 8 ? count + 2 : count + 4;
    if constexpr (next <= columns_together) {
        if (needed > count) {
            return multiply_strip<Block, next>(panels, panel, columns, needed);
        }
    } else {
        static_assert(count == columns_together);
    }
    std::fill(columns + needed, columns + count, columns[needed - 1]);
    multiply_strip<Block, count>(panels, panel, columns);
}

// Where an operation's working memory has what it needs.
template <typename Block> struct Workspace {
    explicit Workspace(const ggml_tensor *result) {
        const int64_t parts = result->src[0]->ne[0] / part_length;
        column = parts * sizeof(ColumnPart);
        columns = aligned(ggml_nrows(result->src[1]) * column);
        panels = aligned(parts / Layout<Block>::together * sizeof(Panel<Block>));
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
          parts(weights->ne[0] / part_length),
          columns(reinterpret_cast<char *>(Workspace<Block>::aligned(reinterpret_cast<size_t>(params->wdata)))),
          panels(columns + sizes.columns + params->ith * (sizes.panels + sizes.rows)), rows(panels + sizes.panels) {}

    // Rounds this thread's share of the columns to whole numbers.
    void round_columns() const {
        const int64_t first = parts * params->ith / params->nth, end = parts * (params->ith + 1) / params->nth;
        for (int64_t index = 0; index < ggml_nrows(inputs); index++) {
            const Plane plane(result, index / inputs->ne[1]);
            const auto *numbers =
                reinterpret_cast<const float *>(plane.inputs + index % inputs->ne[1] * inputs->nb[1]);
            auto *rounded = reinterpret_cast<ColumnPart *>(columns + index * sizes.column);
            for (int64_t part = first; part < end; part++) {
                round(numbers + part * part_length, rounded[part]);
            }
        }
    }

    // Some strips with some columns at a time, for whichever thread is free.
    void multiply() const {
        const int64_t strips = (weights->ne[1] + lanes - 1) / lanes;
        const int64_t length = std::max<int64_t>(1, strips / (4 * params->nth));
        const int64_t chunks = (strips + length - 1) / length;
        const int64_t passes = (inputs->ne[1] + columns_of_pass - 1) / columns_of_pass;
        for (int64_t chunk = params->ith; chunk < chunks * passes;
             chunk = ggml_threadpool_chunk_add(params->threadpool, 1)) {
            const int64_t first = chunk % chunks * length, end = std::min(strips, first + length);
            for (int64_t plane = 0; plane < Plane::count(result); plane++) {
                for (int64_t strip = first; strip < end; strip++) {
                    multiply(plane, strip * lanes, chunk / chunks * columns_of_pass);
                }
            }
        }
    }

private:
    static void round(const float *numbers, ColumnPart &part) {
        round_part(numbers, part);
        constexpr int groups = Layout<Block>::groups, length = part_length / groups;
        for (int group = 0; group < groups; group++) {
            int32_t sum = 0;
            for (int index = 0; index < length; index++) {
                sum += part.numbers[group * length + index];
            }
            if (Layout<Block>::kind == Kind::least_value) {
                part.halves[group].sum = part.scale * float(sum);
            } else {
                part.halves[group].start = -Panel<Block>::offset * sum;
            }
        }
    }

    // The strip that begins with a row; at the end of a matrix a copy of it, with some rows more than once.
    Strip<Block> strip(int64_t plane, int64_t row) const {
        const char *first = Plane(result, plane).weights + row * weights->nb[1];
        const int64_t count = weights->ne[1] - row;
        if (count >= lanes) {
            return {first, weights->nb[1]};
        }
        const size_t size = ggml_row_size(weights->type, weights->ne[0]);
        for (int64_t index = 0; index < lanes; index++) {
            memcpy(rows + index * size, first + std::min(index, count - 1) * weights->nb[1], size);
        }
        return {rows, size};
    }

    // Multiplies a strip with columns from `first` on.
    void multiply(int64_t plane, int64_t row, int64_t first) const {
        const auto strip = this->strip(plane, row);
        const int64_t end = std::min(inputs->ne[1], first + columns_of_pass);
        const auto unpack = [&](int64_t index) __attribute__((always_inline)) {
            strip.fetch_next(index);
            return strip.panel(index);
        };
        if (end - first <= columns_together) {
            return multiply(unpack, plane, row, first, end);
        }
        auto *const unpacked = reinterpret_cast<Panel<Block> *>(panels);
        for (int64_t index = 0; index < panel_count(); index++) {
            new (unpacked + index) Panel<Block>(unpack(index));
        }
        const auto panel = [&](int64_t index) -> const Panel<Block> & { return unpacked[index]; };
        for (; first < end; first += columns_together) {
            multiply(panel, plane, row, first, std::min(end, first + columns_together));
        }
    }

    int64_t panel_count() const { return parts / Layout<Block>::together; }

    template <typename Panels>
    void multiply(Panels panel, int64_t plane, int64_t row, int64_t first, int64_t end) const {
        Column some[columns_together];
        float last_products[columns_together][lanes];
        const int64_t count = std::min<int64_t>(lanes, weights->ne[1] - row);
        for (int64_t column = first; column < end; column++) {
            some[column - first] = {
                reinterpret_cast<const ColumnPart *>(columns + (plane * inputs->ne[1] + column) * sizes.column),
                count < lanes ? last_products[column - first] : products_at(plane, column) + row};
        }
        multiply_strip<Block>(panel_count(), panel, some, int(end - first));
        for (int64_t column = first; count < lanes && column < end; column++) {
            memcpy(products_at(plane, column) + row, last_products[column - first], count * sizeof(float));
        }
    }

    float *products_at(int64_t plane, int64_t column) const {
        return reinterpret_cast<float *>(Plane(result, plane).products + column * result->nb[1]);
    }

    const ggml_compute_params *params;
    ggml_tensor *result;
    const ggml_tensor *weights, *inputs;
    const Workspace<Block> sizes;
    const int64_t parts;
    char *columns, *panels, *rows;
};

// What is done for weights of a type.
struct Kernel {
    void (*compute)(const ggml_compute_params *, ggml_tensor *);
    size_t (*workspace)(int threads, const ggml_tensor *result);
};

template <typename Block> void compute(const ggml_compute_params *params, ggml_tensor *result) {
    check_product(result);
    static_assert(alignof(Panel<Block>) <= Workspace<Block>::alignment);
    const Operation<Block> operation(params, result);
    operation.round_columns();
    if (params->ith == 0) {
        ggml_threadpool_chunk_set(params->threadpool, params->nth);
    }
    ggml_barrier(params->threadpool);
    operation.multiply();
}

template <typename Block> size_t workspace(int threads, const ggml_tensor *result) {
    return Workspace<Block>(result).size(threads);
}

template <typename Block> constexpr Kernel kernel{compute<Block>, workspace<Block>};

const Kernel *kernel_for(ggml_type type) {
    switch (type) {
    case GGML_TYPE_Q4_0: return &kernel<block_q4_0>;
    case GGML_TYPE_Q4_1: return &kernel<block_q4_1>;
    case GGML_TYPE_Q5_0: return &kernel<block_q5_0>;
    case GGML_TYPE_Q5_1: return &kernel<block_q5_1>;
    case GGML_TYPE_Q8_0: return &kernel<block_q8_0>;
    case GGML_TYPE_Q2_K: return &kernel<block_q2_K>;
    case GGML_TYPE_Q3_K: return &kernel<block_q3_K>;
    case GGML_TYPE_Q4_K: return &kernel<block_q4_K>;
    case GGML_TYPE_Q5_K: return &kernel<block_q5_K>;
    case GGML_TYPE_Q6_K: return &kernel<block_q6_K>;
    case GGML_TYPE_IQ4_NL: return &kernel<block_iq4_nl>;
    case GGML_TYPE_IQ4_XS: return &kernel<block_iq4_xs>;
    default: return nullptr;
    }
}

// The kernel for an operation, if there is one.
const Kernel *kernel_for(const ggml_tensor *result) {
    const auto *weights = result->src[0], *inputs = result->src[1];
    // Weights in a layout of their own have `extra`.
    const bool suits = result->op == GGML_OP_MUL_MAT && !weights->extra && inputs->type == GGML_TYPE_F32 &&
                       inputs->nb[0] == sizeof(float);
    return suits ? kernel_for(weights->type) : nullptr;
}

} // namespace

bool multiply_panels(const ggml_compute_params *params, ggml_tensor *result) {
    const Kernel *const kernel = params->use_ref ? nullptr : kernel_for(result);
    if (kernel) {
        kernel->compute(params, result);
    }
    return kernel;
}

size_t workspace_of_panels(int threads, const ggml_tensor *result) {
    const Kernel *const kernel = kernel_for(result);
    return kernel ? kernel->workspace(threads, result) : 0;
}

#else

bool multiply_panels(const ggml_compute_params *, ggml_tensor *) { return false; }

size_t workspace_of_panels(int, const ggml_tensor *) { return 0; }

#endif
