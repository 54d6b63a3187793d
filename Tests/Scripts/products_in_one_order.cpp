// Multiplies matrices of every type of weights with the built ggml, as layers and experts of models do, and compares
// each column with what the same column gives alone: the bits must be equal for any number of columns and threads.
// Results are compared with a plain computation in double precision, too.
//
// Prints a line for each case that fails, and ends with 0 when none does.

#include "ggml-backend.h"
#include "ggml-cpu.h"
#include "ggml.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int rows = 48;
constexpr int most_columns = 40;
// Of the matrices of a mixture, and of those that a column is multiplied with.
constexpr int experts = 3;
constexpr int chosen = 2;

struct ContextDeleter {
    void operator()(ggml_context *context) const { ggml_free(context); }
};
struct BackendDeleter {
    void operator()(ggml_backend *backend) const { ggml_backend_free(backend); }
};
struct BufferDeleter {
    void operator()(ggml_backend_buffer *buffer) const { ggml_backend_buffer_free(buffer); }
};
using Context = std::unique_ptr<ggml_context, ContextDeleter>;
using Buffer = std::unique_ptr<ggml_backend_buffer, BufferDeleter>;

ggml_init_params without_data() { return {ggml_tensor_overhead() * 8 + ggml_graph_overhead(), nullptr, true}; }

// Where weights may lie: plain memory, and the layouts that ggml copies them into.
std::vector<ggml_backend_buffer_type_t> places() {
    std::vector<ggml_backend_buffer_type_t> found{ggml_backend_cpu_buffer_type()};
    auto *device = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
    auto *extra = reinterpret_cast<ggml_backend_dev_get_extra_bufts_t>(
        ggml_backend_reg_get_proc_address(ggml_backend_dev_backend_reg(device), "ggml_backend_dev_get_extra_bufts"));
    for (auto *type = extra ? extra(device) : nullptr; type && *type; type++) {
        found.push_back(*type);
    }
    return found;
}

class Weights;

// The operation that multiplies columns with a matrix, or with some of several matrices.
struct Product {
    Product(ggml_context *context, const Weights &weights, int count);

    ggml_tensor *columns, *choices = nullptr, *result;
};

// Weights of one type in the place that is tested.
class Weights {
public:
    Weights(ggml_type type, int length, int count, ggml_backend_buffer_type_t place, std::mt19937 &random)
        : length(length), count(count), values(size_t(length) * rows * count), context(ggml_init(without_data())) {
        std::normal_distribution<float> number;
        for (float &value : values) {
            value = number(random);
        }
        tensor = count == 1 ? ggml_new_tensor_2d(context.get(), type, length, rows)
                            : ggml_new_tensor_3d(context.get(), type, length, rows, count);
        std::vector<float> importance(length, 1);
        std::vector<uint8_t> bytes(ggml_nbytes(tensor));
        ggml_quantize_chunk(type, values.data(), bytes.data(), 0, rows * count, length, importance.data());
        if (const auto decode = ggml_get_type_traits(type)->to_float; decode && type != GGML_TYPE_F32) {
            decode(bytes.data(), values.data(), int64_t(values.size()));
        }
        buffer.reset(ggml_backend_alloc_ctx_tensors_from_buft(context.get(), place));
        ggml_backend_buffer_set_usage(buffer.get(), GGML_BACKEND_BUFFER_USAGE_WEIGHTS);
        if (takes_them(place)) {
            ggml_backend_tensor_set(tensor, bytes.data(), 0, bytes.size());
            is_taken = true;
        }
    }

    const int length, count;
    std::vector<float> values;
    ggml_tensor *tensor;
    bool is_taken = false;

private:
    // Whether the kernels of a place compute with this type.
    bool takes_them(ggml_backend_buffer_type_t place) {
        Context made(ggml_init(without_data()));
        const auto product = Product(made.get(), *this, 1);
        const bool is_plain = place == ggml_backend_cpu_buffer_type();
        return is_plain ||
               (tensor->extra && ggml_backend_dev_supports_op(
                                     ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU), product.result));
    }

    Context context;
    Buffer buffer;
};

Product::Product(ggml_context *context, const Weights &weights, int count) {
    if (weights.count == 1) {
        columns = ggml_new_tensor_2d(context, GGML_TYPE_F32, weights.length, count);
        result = ggml_mul_mat(context, weights.tensor, columns);
    } else {
        columns = ggml_new_tensor_3d(context, GGML_TYPE_F32, weights.length, 1, count);
        choices = ggml_new_tensor_2d(context, GGML_TYPE_I32, chosen, count);
        result = ggml_mul_mat_id(context, weights.tensor, columns, choices);
    }
}

// The matrices that a column is multiplied with.
std::vector<int32_t> choices_of(int column) {
    return {column % experts, (column + 1 + column / experts % 2) % experts};
}

// The products of the columns from `first` on.
std::vector<float> multiply(ggml_backend *backend, const Weights &weights, const std::vector<float> &inputs, int first,
                            int count, int threads) {
    Context context(ggml_init(without_data()));
    const Product product(context.get(), weights, count);
    auto *graph = ggml_new_graph(context.get());
    ggml_build_forward_expand(graph, product.result);
    const Buffer buffer(ggml_backend_alloc_ctx_tensors(context.get(), backend));
    ggml_backend_tensor_set(product.columns, inputs.data() + size_t(first) * weights.length, 0,
                            ggml_nbytes(product.columns));
    for (int column = 0; product.choices && column < count; column++) {
        const auto choices = choices_of(first + column);
        ggml_backend_tensor_set(product.choices, choices.data(), column * product.choices->nb[1],
                                choices.size() * sizeof(int32_t));
    }
    ggml_backend_cpu_set_n_threads(backend, threads);
    ggml_backend_graph_compute(backend, graph);
    std::vector<float> result(ggml_nelements(product.result));
    ggml_backend_tensor_get(product.result, result.data(), 0, ggml_nbytes(product.result));
    return result;
}

// How far from the products in double precision, relative to their size; columns are rounded to 8 bits on the way.
double error(const Weights &weights, const std::vector<float> &inputs, const std::vector<float> &products) {
    double squares = 0, errors = 0;
    const auto *product = products.data();
    for (int column = 0; column < most_columns; column++) {
        for (const int32_t matrix : weights.count == 1 ? std::vector<int32_t>{0} : choices_of(column)) {
            for (int row = matrix * rows; row < (matrix + 1) * rows; row++) {
                double sum = 0;
                for (int place = 0; place < weights.length; place++) {
                    sum += double(weights.values[size_t(row) * weights.length + place]) *
                           inputs[size_t(column) * weights.length + place];
                }
                squares += sum * sum;
                errors += std::pow(sum - *product++, 2);
            }
        }
    }
    return std::sqrt(errors / squares);
}

// What is wrong with the products of these weights; empty when nothing is.
std::string fault(ggml_backend *backend, const Weights &weights, std::mt19937 &random) {
    std::normal_distribution<float> number;
    std::vector<float> inputs(size_t(weights.length) * most_columns), alone;
    for (float &input : inputs) {
        input = number(random);
    }
    for (int column = 0; column < most_columns; column++) {
        const auto one = multiply(backend, weights, inputs, column, 1, 1 + column % 2);
        alone.insert(alone.end(), one.begin(), one.end());
    }
    if (const double found = error(weights, inputs, alone); !(found < 0.02)) {
        return "error " + std::to_string(found);
    }
    std::string different;
    for (const int count : {2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 40}) {
        for (const int threads : {1, 2}) {
            const auto together = multiply(backend, weights, inputs, 0, count, threads);
            if (std::memcmp(together.data(), alone.data(), together.size() * sizeof(float)) != 0) {
                different += " " + std::to_string(count);
                break;
            }
        }
    }
    return different.empty() ? "" : "another result for columns:" + different;
}

} // namespace

int main() {
    const std::unique_ptr<ggml_backend, BackendDeleter> backend(ggml_backend_cpu_init());
    std::mt19937 random(11);
    int cases = 0, failed = 0;
    for (const ggml_type type :
         {GGML_TYPE_F32, GGML_TYPE_F16, GGML_TYPE_BF16, GGML_TYPE_Q4_0, GGML_TYPE_Q4_1, GGML_TYPE_Q5_0, GGML_TYPE_Q5_1,
          GGML_TYPE_Q8_0, GGML_TYPE_Q2_K, GGML_TYPE_Q3_K, GGML_TYPE_Q4_K, GGML_TYPE_Q5_K, GGML_TYPE_Q6_K,
          GGML_TYPE_IQ4_NL, GGML_TYPE_IQ4_XS, GGML_TYPE_IQ3_XXS, GGML_TYPE_IQ3_S, GGML_TYPE_IQ2_XXS,
          GGML_TYPE_IQ2_XS, GGML_TYPE_IQ2_S, GGML_TYPE_IQ1_S, GGML_TYPE_IQ1_M, GGML_TYPE_MXFP4}) {
        for (auto *place : places()) {
            for (const auto &[length, count] : {std::pair(512, 1), std::pair(1536, 1), std::pair(512, experts)}) {
                const Weights weights(type, length, count, place, random);
                if (!weights.is_taken) {
                    continue;
                }
                cases++;
                const auto found = fault(backend.get(), weights, random);
                if (!found.empty()) {
                    failed++;
                    std::printf("%s in %s, %d long, %d: %s\n", ggml_type_name(type), ggml_backend_buft_name(place),
                                length, count, found.c_str());
                }
            }
        }
    }
    std::printf("%d of %d cases failed\n", failed, cases);
    return failed == 0 ? 0 : 1;
}
