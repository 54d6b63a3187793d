// Compares flash attention of the built ggml with a plain computation in double precision, over many shapes. Every
// token must also get the same bits with any number of threads, and alone with its cells in other places.
//
// Prints a line for each case that fails, and ends with 0 when none does.

#include "ggml-cpu.h"
#include "ggml.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <vector>

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr uint16_t hidden = 0xFC00;
constexpr double tolerance = 2e-5;

enum class Mask { none, causal, scattered, with_holes_and_blind_token, interleaved };

struct Shape {
    int key_length, value_length, heads, key_heads, tokens, cells;
    Mask mask;
    float bias, softcap;
    bool sinks;
    int sequences;
};

struct ContextDeleter {
    void operator()(ggml_context *context) const { ggml_free(context); }
};

// One flash attention operation and its tensors, laid out as llama.cpp does.
class Attention {
public:
    explicit Attention(const Shape &shape) : shape(shape) {
        const size_t cells = size_t(shape.cells) * shape.sequences;
        const size_t tokens = size_t(shape.tokens) * shape.sequences;
        const size_t lengths = size_t(shape.key_length) + shape.value_length;
        const size_t bytes = cells * shape.key_heads * lengths * 2 + cells * shape.tokens * 2 +
                             tokens * shape.heads * lengths * 4 + (1 << 20);
        context.reset(ggml_init({bytes, nullptr, false}));
        auto *made = context.get();
        const auto tensor = [&](ggml_type type, int length, int heads, int rows) {
            return ggml_new_tensor_4d(made, type, length, heads, rows, shape.sequences);
        };
        queries = tensor(GGML_TYPE_F32, shape.key_length, shape.heads, shape.tokens);
        keys = tensor(GGML_TYPE_F16, shape.key_length, shape.key_heads, shape.cells);
        values = tensor(GGML_TYPE_F16, shape.value_length, shape.key_heads, shape.cells);
        if (shape.mask != Mask::none) {
            mask = ggml_new_tensor_4d(made, GGML_TYPE_F16, shape.cells, shape.tokens, 1, shape.sequences);
        }
        const auto by_head = [&](ggml_tensor *rows) { return ggml_permute(made, rows, 0, 2, 1, 3); };
        output = ggml_flash_attn_ext(made, by_head(queries), by_head(keys), by_head(values), mask, scale(), shape.bias,
                                     shape.softcap);
        if (shape.sinks) {
            sinks = ggml_new_tensor_1d(made, GGML_TYPE_F32, shape.heads);
            ggml_flash_attn_ext_add_sinks(output, sinks);
        }
        graph = ggml_new_graph(made);
        ggml_build_forward_expand(graph, output);
    }

    std::vector<float> compute(int threads) {
        auto plan = ggml_graph_plan(graph, threads, nullptr);
        std::vector<uint8_t> work(plan.work_size);
        plan.work_data = work.data();
        ggml_graph_compute(graph, &plan);
        const auto *first = static_cast<const float *>(output->data);
        return {first, first + ggml_nelements(output)};
    }

    float scale() const { return 1 / std::sqrt(float(shape.key_length)); }

    // A row of a tensor that lies as [length, heads, rows, sequences].
    template <typename Number>
    static Number *row(const ggml_tensor *tensor, int head, int row, int sequence) {
        return reinterpret_cast<Number *>(static_cast<char *>(tensor->data) + head * tensor->nb[1] +
                                          row * tensor->nb[2] + sequence * tensor->nb[3]);
    }
    uint16_t *mask_row(int token, int sequence) const {
        return reinterpret_cast<uint16_t *>(static_cast<char *>(mask->data) + token * mask->nb[1] +
                                            sequence * mask->nb[3]);
    }

    const Shape shape;
    ggml_tensor *queries, *keys, *values, *mask = nullptr, *sinks = nullptr, *output;

private:
    std::unique_ptr<ggml_context, ContextDeleter> context;
    ggml_cgraph *graph;
};

bool sees(Mask mask, const Shape &shape, int token, int cell, std::mt19937 &random) {
    switch (mask) {
    case Mask::none: return true;
    case Mask::causal: return cell <= shape.cells - shape.tokens + token;
    case Mask::scattered: return random() % 3 == 0;
    case Mask::with_holes_and_blind_token: return cell / 37 % 3 != 1 && token != shape.tokens - 1;
    case Mask::interleaved: return cell % 8 == token % 8;
    }
    return true;
}

void fill(const Attention &attention, std::mt19937 &random) {
    std::normal_distribution<float> number;
    for (auto *tensor : {attention.queries, attention.keys, attention.values, attention.sinks}) {
        for (int64_t index = 0; tensor && index < ggml_nelements(tensor); index++) {
            if (tensor->type == GGML_TYPE_F16) {
                static_cast<ggml_fp16_t *>(tensor->data)[index] = ggml_fp32_to_fp16(number(random));
            } else {
                static_cast<float *>(tensor->data)[index] = 2 * number(random);
            }
        }
    }
    const Shape &shape = attention.shape;
    for (int sequence = 0; attention.mask && sequence < shape.sequences; sequence++) {
        for (int token = 0; token < shape.tokens; token++) {
            for (int cell = 0; cell < shape.cells; cell++) {
                const float bias = shape.bias > 0 ? -std::abs(cell - token) / 8.0f : 0;
                const bool seen = sees(shape.mask, shape, token, cell, random);
                attention.mask_row(token, sequence)[cell] = ggml_fp32_to_fp16(seen ? bias : -infinity);
            }
        }
    }
}

double slope(const Shape &shape, int head) {
    if (shape.bias == 0) {
        return 1;
    }
    const int whole = 1 << int(std::floor(std::log2(shape.heads)));
    return head < whole ? std::pow(2, -shape.bias / whole * (head + 1))
                        : std::pow(2, -shape.bias / 2 / whole * (2 * (head - whole) + 1));
}

std::vector<double> expected_row(const Attention &attention, int head, int token, int sequence) {
    const Shape &shape = attention.shape;
    const int key_head = head / (shape.heads / shape.key_heads);
    const auto *query = Attention::row<float>(attention.queries, head, token, sequence);
    std::vector<double> scores(shape.cells);
    double most = attention.sinks ? static_cast<float *>(attention.sinks->data)[head] : -infinity;
    for (int cell = 0; cell < shape.cells; cell++) {
        const auto *key = Attention::row<ggml_fp16_t>(attention.keys, key_head, cell, sequence);
        double score = 0;
        for (int position = 0; position < shape.key_length; position++) {
            score += double(query[position]) * ggml_fp16_to_fp32(key[position]);
        }
        score *= attention.scale();
        score = shape.softcap != 0 ? shape.softcap * std::tanh(score / shape.softcap) : score;
        score += attention.mask
                     ? slope(shape, head) * ggml_fp16_to_fp32(attention.mask_row(token, sequence)[cell])
                     : 0;
        scores[cell] = score;
        most = std::max(most, score);
    }
    std::vector<double> sums(shape.value_length);
    if (most == -infinity) {
        return sums;
    }
    double total = attention.sinks ? std::exp(static_cast<float *>(attention.sinks->data)[head] - most) : 0;
    for (int cell = 0; cell < shape.cells; cell++) {
        const double weight = std::exp(scores[cell] - most);
        const auto *value = Attention::row<ggml_fp16_t>(attention.values, key_head, cell, sequence);
        total += weight;
        for (int position = 0; position < shape.value_length; position++) {
            sums[position] += weight * ggml_fp16_to_fp32(value[position]);
        }
    }
    for (double &sum : sums) {
        sum /= total;
    }
    return sums;
}

double largest_difference(const Attention &attention, const std::vector<float> &output) {
    const Shape &shape = attention.shape;
    double largest = 0;
    const float *given = output.data();
    for (int sequence = 0; sequence < shape.sequences; sequence++) {
        for (int token = 0; token < shape.tokens; token++) {
            for (int head = 0; head < shape.heads; head++) {
                for (const double expected : expected_row(attention, head, token, sequence)) {
                    const double difference = std::fabs(expected - *given++);
                    largest = difference <= largest ? largest : difference;
                }
            }
        }
    }
    return largest;
}

// Attends for one token alone, with its cells spread between others that hold no numbers.
std::vector<float> compute_alone(const Attention &together, int token, std::mt19937 &random) {
    Shape shape = together.shape;
    shape.tokens = 1;
    shape.cells = 2 * shape.cells + 5;
    Attention alone(shape);
    std::memset(alone.keys->data, 0x7E, ggml_nbytes(alone.keys));
    std::memset(alone.values->data, 0x7E, ggml_nbytes(alone.values));
    std::fill_n(alone.mask_row(0, 0), shape.cells, hidden);
    for (int cell = 0, place = 3; cell < together.shape.cells; cell++, place++) {
        place += random() % 5 == 0 && place + together.shape.cells - cell < shape.cells - 1;
        alone.mask_row(0, 0)[place] = together.mask_row(token, 0)[cell];
        std::memcpy(Attention::row<char>(alone.keys, 0, place, 0), Attention::row<char>(together.keys, 0, cell, 0),
                    alone.keys->nb[2]);
        std::memcpy(Attention::row<char>(alone.values, 0, place, 0), Attention::row<char>(together.values, 0, cell, 0),
                    alone.values->nb[2]);
    }
    std::memcpy(alone.queries->data, Attention::row<char>(together.queries, 0, token, 0), together.queries->nb[2]);
    if (alone.sinks) {
        std::memcpy(alone.sinks->data, together.sinks->data, ggml_nbytes(alone.sinks));
    }
    return alone.compute(1 + token % 2);
}

bool are_equal_alone(const Attention &together, const std::vector<float> &output, std::mt19937 &random) {
    const size_t length = size_t(together.shape.heads) * together.shape.value_length;
    for (int token = 0; token < together.shape.tokens; token++) {
        const auto alone = compute_alone(together, token, random);
        if (std::memcmp(alone.data(), output.data() + token * length, length * sizeof(float)) != 0) {
            return false;
        }
    }
    return true;
}

bool passes(const Shape &shape, std::mt19937 &random) {
    Attention attention(shape);
    fill(attention, random);
    const auto output = attention.compute(1);
    const double difference = largest_difference(attention, output);
    const auto other = attention.compute(2);
    const bool is_same = std::memcmp(other.data(), output.data(), output.size() * sizeof(float)) == 0;
    const bool has_one_row_of_cells = shape.sequences == 1 && attention.mask;
    const bool is_same_alone = !has_one_row_of_cells || are_equal_alone(attention, output, random);
    if (difference <= tolerance && is_same && is_same_alone) {
        return true;
    }
    std::printf("heads %d/%d of %d, %d tokens, %d cells, mask %d, bias %g, softcap %g, sinks %d, sequences %d: "
                "difference %g%s%s\n",
                shape.heads, shape.key_heads, shape.key_length, shape.tokens, shape.cells, int(shape.mask), shape.bias,
                shape.softcap, shape.sinks, shape.sequences, difference, is_same ? "" : ", depends on threads",
                is_same_alone ? "" : ", depends on company");
    return false;
}

} // namespace

int main() {
    ggml_cpu_init();
    std::mt19937 random(7);
    int index = 0, failed = 0;
    for (const int length : {64, 80, 96, 128, 256, 576}) {
        for (const int cells : {1, 2, 15, 16, 17, 63, 64, 65, 255, 256, 257, 300, 700}) {
            const int tokens[] = {1, 2, 13, 20, 16, 67}, groups[] = {1, 3, 4, 7, 8};
            Shape shape{length, length == 576 ? 512 : length, 2 * groups[index % 5], 2, tokens[index % 6], cells,
                        Mask(random() % 5), 0, 0, random() % 4 == 0, random() % 4 == 0 ? 2 : 1};
            if (shape.mask == Mask::causal && cells < shape.tokens) {
                shape.mask = Mask::scattered;
            }
            shape.bias = shape.mask != Mask::none && random() % 3 == 0 ? 8 : 0;
            shape.softcap = shape.bias == 0 && random() % 4 == 0 ? 20 : 0;
            failed += !passes(shape, random);
            index++;
        }
    }
    // Neighbours that see one cell more each, behind few cells and where spans become longer.
    for (const int heads : {1, 2, 3, 8}) {
        for (const int cells : {130, 4100}) {
            failed += !passes({64, 64, heads, 1, 70, cells, Mask::causal, 0, 0, false, 1}, random);
            index++;
        }
    }
    std::printf("%d of %d cases failed\n", failed, index);
    return failed == 0 ? 0 : 1;
}
