// Products of weights in blocks of 256 with few columns, added up as ggml's kernel for many columns does: for types that
// look codes up in large tables, and for experts.
//
// ggml's own kernel for few columns adds in another order. The one for many sums whole numbers within a block, which is
// exact in any order, and then adds up block by block. So is it done here, and results do not depend on the number of
// columns. See Documentation/decisions/one-order-of-products.md.

// ggml's kernel for many columns, whose functions that ggml calls are those at the end of this file instead.
#define ggml_compute_forward_mul_mat_tiled multiply_many_columns
#define ggml_compute_forward_mul_mat_id_tiled multiply_many_columns_of_expert
#define ggml_tiled_wdata_size workspace_of_many_columns
#include "tiled/tiled.cpp"
#undef ggml_compute_forward_mul_mat_tiled
#undef ggml_compute_forward_mul_mat_id_tiled
#undef ggml_tiled_wdata_size

#include "products.h"

#include <algorithm>

#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)
#define HAS_FEW_COLUMNS

#include "looked-up-codes.h"

using namespace block_codes;

namespace {

// With so many columns the kernel for many columns takes as long for sixteen.
constexpr int64_t most_columns = 12;

constexpr int block_length = TILED_TILE_K;

// What the codes of a type stand for: numbers above a least value of their group, numbers that are `offset` less, or,
// with an offset of 0 and without least values, themselves with their sign.
template <typename Stored, bool has_least_values, int code_offset> struct Format {
    using Block = Stored;
    static constexpr bool has_minima = has_least_values;
    static constexpr int offset = code_offset;
    static constexpr bool has_signs = !has_minima && offset == 0;
};

// The sum of each of four vectors.
inline __m128 sum_each(const __m256i (&vectors)[4]) {
    const __m256i parts = _mm256_hadd_epi32(_mm256_hadd_epi32(vectors[0], vectors[1]),
                                            _mm256_hadd_epi32(vectors[2], vectors[3]));
    return _mm_cvtepi32_ps(_mm_add_epi32(_mm256_castsi256_si128(parts), _mm256_extracti128_si256(parts, 1)));
}

// Multiplies blocks of weights with blocks of columns; sums are in parts, still to be added.
template <typename Format> class Multiplier {
public:
    [[gnu::always_inline]] explicit Multiplier(const Scales &scales)
        : scales(scales), halves{_mm256_permute2x128_si256(scales.factors, scales.factors, 0x00),
                                 _mm256_permute2x128_si256(scales.factors, scales.factors, 0x11)} {}

    // The products of 32 codes of a place times their factors are added.
    [[gnu::always_inline]] __m256i add(__m256i sums, int place, __m256i codes, const block_q8_K &column) const {
        __m256i numbers = load(column.qs + 32 * place);
        if constexpr (Format::has_signs) {
            numbers = _mm256_sign_epi8(numbers, codes);
            codes = _mm256_abs_epi8(codes);
        }
        const __m256i products = _mm256_maddubs_epi16(codes, numbers);
#if defined(__AVX512VNNI__) && defined(__AVX512VL__)
        return _mm256_dpwssd_epi32(sums, factors(place), products);
#else
        return _mm256_add_epi32(sums, _mm256_madd_epi16(factors(place), products));
#endif
    }

    // What the products have too much, because codes are not negative.
    __m256i excess(const block_q8_K &column) const {
        const __m256i groups = _mm256_madd_epi16(scales.factors, load(column.bsums));
        return _mm256_mullo_epi32(groups, _mm256_set1_epi32(Format::offset));
    }

    // The products of the least values.
    __m256i minima(const block_q8_K &column) const { return _mm256_madd_epi16(scales.minima, load(column.bsums)); }

    const Scales scales;

private:
    // The factor of each of 32 codes, for pairs of them.
    __m256i factors(int place) const {
        const char first = char(place % 4 * 4), second = char(first + 2);
        const __m256i bytes = _mm256_set_m128i(_mm_set1_epi8(second), _mm_set1_epi8(first));
        return _mm256_shuffle_epi8(halves[place / 4], _mm256_add_epi8(bytes, _mm256_set1_epi16(0x0100)));
    }

    const __m256i halves[2];
};

// Products of blocks with blocks of columns, four at a time.
template <typename Format> class FourProducts {
public:
    // Takes a block of weights as it is stored.
    [[gnu::always_inline]] void take(int index, const typename Format::Block &stored, const block_q8_K &column) {
        const Multiplier<Format> multiplier(block_codes::scales(stored));
        __m256i sums = _mm256_setzero_si256();
        unpack(stored, [&](int place, __m256i codes) __attribute__((always_inline)) {
            sums = multiplier.add(sums, place, codes, column);
        });
        take(index, multiplier, sums, column);
    }

    // Takes a block of weights whose codes were unpacked.
    [[gnu::always_inline]] void take(int index, const Multiplier<Format> &multiplier, const __m256i (&codes)[vectors],
                                     const block_q8_K &column) {
        __m256i sums = _mm256_setzero_si256();
#pragma GCC unroll 8
        for (int place = 0; place < vectors; place++) {
            sums = multiplier.add(sums, place, codes[place], column);
        }
        take(index, multiplier, sums, column);
    }

    // Adds each to a sum of its own.
    [[gnu::always_inline]] __m128 added_to(__m128 sums) const {
        return add(sums, values(), vector(column_scales));
    }

    // Adds so many of them to one sum, one after another.
    [[gnu::always_inline]] float added_to(float sum, int64_t count) const {
        float numbers[4];
        _mm_storeu_ps(numbers, values());
        for (int index = 0; index < 4 && index < count; index++) {
            sum = _mm_cvtss_f32(add(_mm_set_ss(sum), _mm_set_ss(numbers[index]), _mm_set_ss(column_scales[index])));
        }
        return sum;
    }

private:
    [[gnu::always_inline]] void take(int index, const Multiplier<Format> &multiplier, __m256i sums,
                                     const block_q8_K &column) {
        if constexpr (Format::offset != 0) {
            sums = _mm256_sub_epi32(sums, multiplier.excess(column));
        }
        products[index] = sums;
        scales[index] = multiplier.scales.scale;
        column_scales[index] = column.d;
        if constexpr (Format::has_minima) {
            minima[index] = multiplier.minima(column);
            least_scales[index] = multiplier.scales.least_scale;
        }
    }

    [[gnu::always_inline]] __m128 values() const {
        const __m128 values = _mm_mul_ps(vector(scales), sum_each(products));
        if constexpr (Format::has_minima) {
            return _mm_fnmadd_ps(vector(least_scales), sum_each(minima), values);
        }
        return values;
    }

    // Rounded as ggml's kernel does with the same instruction sets.
    static __m128 add(__m128 sums, __m128 values, __m128 column_scales) {
#if defined(__AVX512VNNI__) && defined(__AVX512VL__) && defined(__AVX512DQ__)
        return _mm_add_ps(sums, _mm_mul_ps(values, column_scales));
#else
        return _mm_fmadd_ps(values, column_scales, sums);
#endif
    }

    static __m128 vector(const float (&numbers)[4]) {
        return _mm_setr_ps(numbers[0], numbers[1], numbers[2], numbers[3]);
    }

    __m256i products[4] = {}, minima[4] = {};
    float scales[4] = {}, least_scales[4] = {}, column_scales[4] = {};
};

// A column in blocks, and where its products with the rows of the weights go.
struct Column {
    const block_q8_K *blocks;
    float *products;
};

// A matrix of weights and the few columns that it is multiplied with.
struct Product {
    const char *weights;
    int64_t blocks;
    size_t row_size;
    Column columns[most_columns];
    int count;

    template <typename Format> const typename Format::Block *row(int64_t index) const {
        return reinterpret_cast<const typename Format::Block *>(weights + index * row_size);
    }

    // Four blocks of a row at a time with the only column.
    template <typename Format> void compute_one(int64_t first, int64_t end) const {
        for (; first < end; first++) {
            float sum = 0;
            for (int64_t block = 0; block < blocks; block += 4) {
                FourProducts<Format> products;
#pragma GCC unroll 4
                for (int index = 0; index < 4; index++) {
                    if (block + index < blocks) {
                        const auto &stored = row<Format>(first)[block + index];
                        fetch_ahead(stored);
                        products.take(index, stored, columns[0].blocks[block + index]);
                    }
                }
                sum = products.added_to(sum, blocks - block);
            }
            columns[0].products[first] = sum;
        }
    }

    // A row at a time with four columns.
    template <typename Format> void compute_some(int64_t first, int64_t end) const {
        for (; first < end; first++) {
            __m128 sums[most_columns / 4] = {};
            for (int64_t block = 0; block < blocks; block++) {
                const auto &stored = row<Format>(first)[block];
                fetch_ahead(stored);
                const Multiplier<Format> multiplier(scales(stored));
                __m256i codes[vectors];
                unpack(stored, [&](int place, __m256i some) __attribute__((always_inline)) { codes[place] = some; });
                for (int group = 0; 4 * group < count; group++) {
                    FourProducts<Format> products;
#pragma GCC unroll 4
                    for (int index = 0; index < 4; index++) {
                        if (4 * group + index < count) {
                            products.take(index, multiplier, codes, columns[4 * group + index].blocks[block]);
                        }
                    }
                    sums[group] = products.added_to(sums[group]);
                }
            }
            float results[most_columns];
            for (int group = 0; 4 * group < count; group++) {
                _mm_storeu_ps(results + 4 * group, sums[group]);
            }
            for (int column = 0; column < count; column++) {
                columns[column].products[first] = results[column];
            }
        }
    }

    template <typename Format> bool compute(int64_t first, int64_t end) const {
        count == 1 ? compute_one<Format>(first, end) : compute_some<Format>(first, end);
        return true;
    }

    // Computes some rows; false for types that are not known here.
    bool compute(ggml_type type, int64_t first, int64_t end) const {
        switch (type) {
        case GGML_TYPE_Q2_K: return compute<Format<block_q2_K, true, 0>>(first, end);
        case GGML_TYPE_Q3_K: return compute<Format<block_q3_K, false, 4>>(first, end);
        case GGML_TYPE_Q4_K: return compute<Format<block_q4_K, true, 0>>(first, end);
        case GGML_TYPE_Q5_K: return compute<Format<block_q5_K, true, 0>>(first, end);
        case GGML_TYPE_Q6_K: return compute<Format<block_q6_K, false, 32>>(first, end);
        case GGML_TYPE_IQ4_XS: return compute<Format<block_iq4_xs, false, 0>>(first, end);
        case GGML_TYPE_IQ3_XXS: return compute<Format<block_iq3_xxs, false, signed_offset>>(first, end);
        case GGML_TYPE_IQ3_S: return compute<Format<block_iq3_s, false, signed_offset>>(first, end);
        case GGML_TYPE_IQ2_XXS: return compute<Format<block_iq2_xxs, false, signed_offset>>(first, end);
        case GGML_TYPE_IQ2_XS: return compute<Format<block_iq2_xs, false, signed_offset>>(first, end);
        case GGML_TYPE_IQ2_S: return compute<Format<block_iq2_s, false, signed_offset>>(first, end);
        case GGML_TYPE_IQ1_S: return compute<Format<block_iq1_s, false, ternary_offset>>(first, end);
        case GGML_TYPE_IQ1_M: return compute<Format<block_iq1_m, false, ternary_offset>>(first, end);
        default: return false;
        }
    }
};

// An operation of ggml that is computed here: its tensors, and the columns in blocks as ggml's kernels want them.
class Operation {
public:
    Operation(const ggml_compute_params *params, ggml_tensor *result)
        : params(params), result(result), weights(result->src[0]), inputs(result->src[1]),
          are_blocks(inputs->type == GGML_TYPE_Q8_K),
          column_size(are_blocks ? inputs->nb[1] : ggml_row_size(GGML_TYPE_Q8_K, inputs->ne[0])),
          plane_size(are_blocks ? inputs->nb[2] : column_size * inputs->ne[1]),
          group_size(are_blocks ? inputs->nb[3] : plane_size * inputs->ne[2]),
          blocks(static_cast<const char *>(are_blocks ? inputs->data : params->wdata)) {}

    // Rounds this thread's share of the columns to whole numbers.
    void round_columns() const {
        if (are_blocks) {
            return;
        }
        const auto round = ggml_get_type_traits_cpu(GGML_TYPE_Q8_K)->from_float;
        const int64_t parts = inputs->ne[0] / block_length;
        const int64_t first = parts * params->ith / params->nth, end = parts * (params->ith + 1) / params->nth;
        for (int64_t index = 0; index < ggml_nrows(inputs); index++) {
            const int64_t column = index % inputs->ne[1], planes = index / inputs->ne[1];
            const int64_t plane = planes % inputs->ne[2], group = planes / inputs->ne[2];
            const auto *numbers = reinterpret_cast<const float *>(
                static_cast<const char *>(inputs->data) + column * inputs->nb[1] + plane * inputs->nb[2] +
                group * inputs->nb[3]);
            auto *rounded = const_cast<block_q8_K *>(column_at(column, plane, group));
            round(numbers + first * block_length, rounded + first, (end - first) * block_length);
        }
    }

    const block_q8_K *column_at(int64_t column, int64_t plane, int64_t group) const {
        return reinterpret_cast<const block_q8_K *>(
            blocks + column * column_size + plane * plane_size + group * group_size);
    }

    float *products_at(int64_t column, int64_t plane, int64_t group) const {
        return reinterpret_cast<float *>(static_cast<char *>(result->data) + column * result->nb[1] +
                                         plane * result->nb[2] + group * result->nb[3]);
    }

    // The product with the weights of a plane, still without columns.
    Product product(int64_t plane, int64_t group) const {
        Product product{};
        product.weights = static_cast<const char *>(weights->data) + plane * weights->nb[2] + group * weights->nb[3];
        product.blocks = weights->ne[0] / block_length;
        product.row_size = weights->nb[1];
        return product;
    }

    // The rows of all planes, in chunks for whichever thread is free.
    void multiply() const {
        const int64_t rows = weights->ne[1];
        const int64_t length = std::max<int64_t>(16, rows / (8 * params->nth));
        const int64_t chunks = (rows + length - 1) / length;
        for (int64_t chunk = params->ith; chunk < chunks; chunk = ggml_threadpool_chunk_add(params->threadpool, 1)) {
            const int64_t first = chunk * length;
            for (int64_t plane = 0; plane < inputs->ne[2] * inputs->ne[3]; plane++) {
                multiply(plane % inputs->ne[2], plane / inputs->ne[2], first, std::min(rows, first + length));
            }
        }
    }

private:
    void multiply(int64_t plane, int64_t group, int64_t first, int64_t end) const {
        // Planes of weights are shared by several of the columns.
        auto product = this->product(plane * weights->ne[2] / inputs->ne[2], group * weights->ne[3] / inputs->ne[3]);
        for (int64_t column = 0; column < inputs->ne[1]; column++) {
            product.columns[product.count++] = {column_at(column, plane, group), products_at(column, plane, group)};
        }
        product.compute(weights->type, first, end);
    }

    const ggml_compute_params *params;
    ggml_tensor *result;
    const ggml_tensor *weights, *inputs;
    const bool are_blocks;
    const size_t column_size, plane_size, group_size;
    const char *blocks;
};

bool suits(const ggml_compute_params *params, const ggml_tensor *result, int64_t columns) {
    return !params->use_ref && columns <= most_columns && !ggml_tiled_matmul_forced() &&
           ggml_tiled_supported(result->src[0], result->src[1]) && Product{}.compute(result->src[0]->type, 0, 0);
}

} // namespace

#endif

extern "C" {

size_t ggml_tiled_wdata_size(int threads, ggml_tensor *result);
bool ggml_compute_forward_mul_mat_tiled(const ggml_compute_params *params, ggml_tensor *result);
bool ggml_compute_forward_mul_mat_id_tiled(const ggml_compute_params *params, ggml_tensor *result, int64_t expert,
                                           int64_t count, const int32_t *columns, char *workspaces);

// Bytes of working memory for a product.
size_t ggml_tiled_wdata_size(int threads, ggml_tensor *result) {
    return std::max(workspace_of_panels(threads, result), workspace_of_many_columns(threads, result));
}

// Whether a product was computed.
bool ggml_compute_forward_mul_mat_tiled(const ggml_compute_params *params, ggml_tensor *result) {
    if (multiply_panels(params, result) || multiply_spread_columns(params, result)) {
        return true;
    }
#ifdef HAS_FEW_COLUMNS
    if (suits(params, result, result->src[1]->ne[1])) {
        const Operation operation(params, result);
        operation.round_columns();
        if (params->ith == 0) {
            ggml_threadpool_chunk_set(params->threadpool, params->nth);
        }
        ggml_barrier(params->threadpool);
        operation.multiply();
        return true;
    }
#endif
    return multiply_many_columns(params, result);
}

// The same for the columns that go to one expert; they are in blocks already. Each has two numbers: its place among the
// experts of a token, and the token.
bool ggml_compute_forward_mul_mat_id_tiled(const ggml_compute_params *params, ggml_tensor *result, int64_t expert,
                                           int64_t count, const int32_t *columns, char *workspaces) {
#ifdef HAS_FEW_COLUMNS
    if (suits(params, result, count)) {
        const Operation operation(params, result);
        auto product = operation.product(expert, 0);
        for (; product.count < count; product.count++) {
            const int32_t place = columns[2 * product.count], token = columns[2 * product.count + 1];
            product.columns[product.count] = {operation.column_at(place % result->src[1]->ne[1], token, 0),
                                              operation.products_at(place, token, 0)};
        }
        const int64_t rows = result->src[0]->ne[1];
        product.compute(result->src[0]->type, rows * params->ith / params->nth, rows * (params->ith + 1) / params->nth);
        return true;
    }
#endif
    return multiply_many_columns_of_expert(params, result, expert, count, columns, workspaces);
}

} // extern "C"
