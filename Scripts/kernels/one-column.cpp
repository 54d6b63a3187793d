// Products of floating-point weights with one column, added up as ggml's kernel for several columns does.
//
// That one leaves single columns to another kernel with another order. What is done with each number is done here by
// its own functions. See Documentation/decisions/one-order-of-products.md.

// ggml's kernel for several columns, whose function that ggml calls is the one at the end of this file instead.
#define llamafile_sgemm multiply_several_columns
#include "llamafile/sgemm.cpp"
#undef llamafile_sgemm

#include "products.h"

namespace {

// Weights in rows, the column, and where the products go.
struct ColumnProduct {
    const ggml_compute_params *params;
    int64_t rows, length;
    const void *weights;
    int64_t stride;
    const void *column;
    float *products;

    // With so many numbers at a time; false where ggml's kernel does not compute either.
    template <int count, typename Vector, typename Sum, typename Number> bool compute() const {
        if (length % count != 0 || rows % together != 0) {
            return false;
        }
        const int64_t groups = rows / together;
        const int64_t end = groups * (params->ith + 1) / params->nth;
        for (int64_t group = groups * params->ith / params->nth; group < end; group++) {
            compute_rows<count, Vector, Sum, Number>(group * together);
        }
        return true;
    }

private:
    // Rows whose sums do not wait for each other.
    static constexpr int together = 4;

    template <int count, typename Vector, typename Sum, typename Number> void compute_rows(int64_t first) const {
        const auto *numbers = static_cast<const Number *>(column);
        const auto *row = static_cast<const Number *>(weights) + first * stride;
        Sum sums[together] = {};
        for (int64_t place = 0; place < length; place += count) {
            const auto factors = load<Vector>(numbers + place);
            for (int index = 0; index < together; index++) {
                const auto *next = row + index * stride + place;
                // The rows after these: processors do not look further than to the end of a page by themselves.
                _mm_prefetch(reinterpret_cast<const char *>(next + 2 * together * stride), _MM_HINT_T0);
                sums[index] = madd(load<Vector>(next), factors, sums[index]);
            }
        }
        for (int index = 0; index < together; index++) {
            products[first + index] = hsum(sums[index]);
        }
    }
};

// The vectors that ggml's kernel uses for a type with the same instruction sets.
bool multiply_one_column([[maybe_unused]] const ColumnProduct &product, int type) {
    switch (type) {
#if defined(__AVX512F__)
    case GGML_TYPE_F32: return product.compute<16, __m512, __m512, float>();
    case GGML_TYPE_F16: return product.compute<16, __m512, __m512, ggml_fp16_t>();
#if defined(__AVX512BF16__)
    case GGML_TYPE_BF16: return product.compute<32, __m512bh, __m512, ggml_bf16_t>();
#else
    case GGML_TYPE_BF16: return product.compute<16, __m512, __m512, ggml_bf16_t>();
#endif
#elif defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)
    case GGML_TYPE_F32: return product.compute<8, __m256, __m256, float>();
    case GGML_TYPE_F16: return product.compute<8, __m256, __m256, ggml_fp16_t>();
    case GGML_TYPE_BF16: return product.compute<8, __m256, __m256, ggml_bf16_t>();
#endif
    default: return false;
    }
}

} // namespace

extern "C" {

bool llamafile_sgemm(const ggml_compute_params *params, int64_t rows, int64_t columns, int64_t length,
                     const void *weights, int64_t stride, const void *inputs, int64_t input_stride, void *products,
                     int64_t product_stride, int type, int input_type, int product_type);

// Whether a product was computed.
bool llamafile_sgemm(const ggml_compute_params *params, int64_t rows, int64_t columns, int64_t length,
                     const void *weights, int64_t stride, const void *inputs, int64_t input_stride, void *products,
                     int64_t product_stride, int type, int input_type, int product_type) {
    if (columns == 1 && input_type == type && product_type == GGML_TYPE_F32) {
        const ColumnProduct product{params, rows, length, weights, stride, inputs, static_cast<float *>(products)};
        return multiply_one_column(product, type);
    }
    return multiply_several_columns(params, rows, columns, length, weights, stride, inputs, input_stride, products,
                                    product_stride, type, input_type, product_type);
}

} // extern "C"

// ggml leaves them to a kernel with another order, but takes a single column for one that follows another.
bool multiply_spread_columns([[maybe_unused]] const ggml_compute_params *params, [[maybe_unused]] ggml_tensor *result) {
#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__) && defined(__F16C__))
    const auto *weights = result->src[0], *inputs = result->src[1];
    const bool is_known = weights->type == GGML_TYPE_F32 || weights->type == GGML_TYPE_F16 ||
                          weights->type == GGML_TYPE_BF16;
    const auto size = ggml_type_size(weights->type);
    if (!is_known || params->use_ref || inputs->type != weights->type || inputs->nb[0] != size ||
        weights->extra || ggml_is_contiguous(inputs)) {
        return false;
    }
    check_product(result);
    for (int64_t index = 0; index < Plane::count(result); index++) {
        const Plane plane(result, index);
        if (!llamafile_sgemm(params, weights->ne[1], inputs->ne[1], weights->ne[0], plane.weights,
                             weights->nb[1] / size, plane.inputs, inputs->nb[1] / size, plane.products,
                             result->nb[1] / sizeof(float), weights->type, inputs->type, result->type)) {
            return false;
        }
    }
    return true;
#else
    return false;
#endif
}
