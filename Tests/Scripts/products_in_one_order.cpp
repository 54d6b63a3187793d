// Multiplies matrices of weights with the built ggml, as layers, experts and attention heads of models do, and compares
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
#include <vector>

namespace {

// What is multiplied with what.
enum class Use {
    // A column with a matrix.
    layer,
    // A column with some of several matrices.
    experts,
    // Several columns, each with a matrix of its own that is one of several.
    second_experts,
    // Several columns, two with each of several matrices. Those of a token follow one another in memory.
    heads,
};

struct Shape {
    Use use;
    int length, rows;
    int most_tokens = 40;
    // Of the numbers of columns.
    float size = 1;

    // Matrices, columns of a token, and products of a token.
    int matrices() const { return use == Use::layer ? 1 : 3; }
    int columns() const { return use == Use::heads ? 6 : use == Use::second_experts ? 2 : 1; }
    int products() const { return use == Use::experts ? 2 : columns(); }

    // The matrix of a product, and its column.
    int matrix(int token, int product) const {
        switch (use) {
        case Use::layer: return 0;
        case Use::heads: return product / 2;
        default: return (token + product * (1 + token / matrices() % 2)) % matrices();
        }
    }
    int column(int product) const { return product % columns(); }

    const char *name() const {
        const char *names[] = {"layer", "experts", "second experts", "heads"};
        return names[int(use)];
    }
};

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

// The operation that multiplies columns of so many tokens.
struct Product {
    Product(ggml_context *context, ggml_tensor *weights, const Shape &shape, int tokens) {
        columns = ggml_new_tensor_3d(context, GGML_TYPE_F32, shape.length, shape.columns(), tokens);
        if (shape.use == Use::layer) {
            result = ggml_mul_mat(context, weights, ggml_reshape_2d(context, columns, shape.length, tokens));
        } else if (shape.use == Use::heads) {
            result = ggml_mul_mat(context, weights, ggml_permute(context, columns, 0, 2, 1, 3));
        } else {
            choices = ggml_new_tensor_2d(context, GGML_TYPE_I32, shape.products(), tokens);
            result = ggml_mul_mat_id(context, weights, columns, choices);
        }
    }

    ggml_tensor *columns, *choices = nullptr, *result;
};

// Weights of one type in the place that is tested.
class Weights {
public:
    Weights(ggml_type type, const Shape &shape, ggml_backend_buffer_type_t place, std::mt19937 &random)
        : shape(shape), values(size_t(shape.length) * shape.rows * shape.matrices()),
          context(ggml_init(without_data())) {
        std::normal_distribution<float> number;
        for (float &value : values) {
            value = number(random);
        }
        tensor = shape.matrices() == 1
                     ? ggml_new_tensor_2d(context.get(), type, shape.length, shape.rows)
                     : ggml_new_tensor_3d(context.get(), type, shape.length, shape.rows, shape.matrices());
        std::vector<float> importance(shape.length, 1);
        std::vector<uint8_t> bytes(ggml_nbytes(tensor));
        ggml_quantize_chunk(type, values.data(), bytes.data(), 0, shape.rows * shape.matrices(), shape.length,
                            importance.data());
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

    const Shape shape;
    std::vector<float> values;
    ggml_tensor *tensor;
    bool is_taken = false;

private:
    // Whether the kernels of a place compute with this type.
    bool takes_them(ggml_backend_buffer_type_t place) {
        Context made(ggml_init(without_data()));
        const auto product = Product(made.get(), tensor, shape, 1);
        const bool is_plain = place == ggml_backend_cpu_buffer_type();
        return is_plain ||
               (tensor->extra && ggml_backend_dev_supports_op(
                                     ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU), product.result));
    }

    Context context;
    Buffer buffer;
};

// The products of the tokens from `first` on, one token after another.
std::vector<float> multiply(ggml_backend *backend, const Weights &weights, const std::vector<float> &inputs, int first,
                            int tokens, int threads) {
    const auto &shape = weights.shape;
    Context context(ggml_init(without_data()));
    const Product product(context.get(), weights.tensor, shape, tokens);
    auto *graph = ggml_new_graph(context.get());
    ggml_build_forward_expand(graph, product.result);
    const Buffer buffer(ggml_backend_alloc_ctx_tensors(context.get(), backend));
    ggml_backend_tensor_set(product.columns, inputs.data() + size_t(first) * shape.columns() * shape.length, 0,
                            ggml_nbytes(product.columns));
    for (int index = 0; product.choices && index < tokens * shape.products(); index++) {
        const int32_t choice = shape.matrix(first + index / shape.products(), index % shape.products());
        ggml_backend_tensor_set(product.choices, &choice, index * sizeof choice, sizeof choice);
    }
    ggml_backend_cpu_set_n_threads(backend, threads);
    ggml_backend_graph_compute(backend, graph);
    std::vector<float> result(ggml_nelements(product.result)), sorted;
    ggml_backend_tensor_get(product.result, result.data(), 0, ggml_nbytes(product.result));
    for (int index = 0; index < tokens * shape.products(); index++) {
        const int token = index / shape.products(), part = index % shape.products();
        const auto place = result.begin() + shape.rows * (shape.use == Use::heads ? part * tokens + token : index);
        sorted.insert(sorted.end(), place, place + shape.rows);
    }
    return sorted;
}

// How far from the products in double precision, relative to their size; columns are rounded to 8 bits on the way.
double error(const Weights &weights, const std::vector<float> &inputs, const std::vector<float> &products) {
    const auto &shape = weights.shape;
    double squares = 0, errors = 0;
    const auto *found = products.data();
    for (int index = 0; index < shape.most_tokens * shape.products(); index++) {
        const int token = index / shape.products(), product = index % shape.products();
        const auto *column = inputs.data() + size_t(token * shape.columns() + shape.column(product)) * shape.length;
        const auto *row = weights.values.data() + size_t(shape.matrix(token, product)) * shape.rows * shape.length;
        for (int number = 0; number < shape.rows; number++, row += shape.length) {
            double sum = 0;
            for (int place = 0; place < shape.length; place++) {
                sum += double(row[place]) * column[place];
            }
            squares += sum * sum;
            errors += std::pow(sum - *found++, 2);
        }
    }
    return std::sqrt(errors / squares);
}

// What is wrong with the products of these weights; empty when nothing is.
std::string fault(ggml_backend *backend, const Weights &weights, std::mt19937 &random) {
    std::normal_distribution<float> number;
    const auto &shape = weights.shape;
    std::vector<float> inputs(size_t(shape.length) * shape.columns() * shape.most_tokens), alone;
    for (float &input : inputs) {
        input = number(random) * shape.size;
    }
    for (int column = 0; column < shape.most_tokens; column++) {
        const auto one = multiply(backend, weights, inputs, column, 1, 1 + column % 2);
        alone.insert(alone.end(), one.begin(), one.end());
    }
    if (const double found = error(weights, inputs, alone); !(found < 0.02)) {
        return "error " + std::to_string(found);
    }
    std::string different;
    for (const int count : {2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 40, 129, 257}) {
        for (const int threads : count < 100 ? std::vector<int>{1, 2} : std::vector<int>{3}) {
            if (count > shape.most_tokens) {
                break;
            }
            const auto together = multiply(backend, weights, inputs, 0, count, threads);
            if (std::memcmp(together.data(), alone.data(), together.size() * sizeof(float)) != 0) {
                different += " " + std::to_string(count);
                break;
            }
        }
    }
    return different.empty() ? "" : "another result for columns:" + different;
}

// Among them lengths and numbers of rows that are no multiple of what kernels take at a time, more columns than they
// take at a time, and, for types whose columns are rounded with a scale in single precision, small and large numbers.
std::vector<Shape> shapes(ggml_type type) {
    std::vector<Shape> found{{Use::layer, 512, 48},   {Use::layer, 1536, 50},          {Use::layer, 256, 6},
                             {Use::experts, 512, 48}, {Use::second_experts, 512, 48}, {Use::heads, 512, 20},
                             {Use::layer, 256, 300, 257}};
    if (ggml_blck_size(type) <= 32) {
        found.push_back({Use::layer, 544, 48});
    } else {
        found.push_back({Use::layer, 512, 48, 9, 1e-6f});
        found.push_back({Use::layer, 512, 48, 9, 1e8f});
    }
    return found;
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
            for (const Shape &shape : shapes(type)) {
                const Weights weights(type, shape, place, random);
                if (!weights.is_taken) {
                    continue;
                }
                cases++;
                const auto found = fault(backend.get(), weights, random);
                if (!found.empty()) {
                    failed++;
                    std::printf("%s in %s, %d by %d for %s: %s\n", ggml_type_name(type),
                                ggml_backend_buft_name(place), shape.length, shape.rows, shape.name(), found.c_str());
                }
            }
        }
    }
    std::printf("%d of %d cases failed\n", failed, cases);
    return failed == 0 ? 0 : 1;
}
