#pragma once

// Weights of several rows, unpacked so that each row has a lane of its own, and their products with columns.

#define GGML_COMMON_DECL_CPP
#define GGML_COMMON_IMPL_CPP
#include "ggml-common.h"

#include "rows-in-lanes.h"

namespace panels {

// Numbers of a column that are rounded together, and codes that are multiplied with them.
constexpr int part_length = 32;

// Part of a column: whole numbers, what one stands for, and what comes to their products with codes, for each half.
struct ColumnPart {
    int8_t numbers[part_length];
    float scale;
    union {
        // For least values: the sum of what the numbers stand for.
        float sum;
        // For codes that are above what they stand for: what the products have too much, negative.
        int32_t start;
    } halves[2];
};

// The codes of a part, four in a lane of each vector.
using Codes = Words[part_length / 4];

// What the codes of a type are: `offset` above what they stand for, or above a least value, or with signs. A part has
// `groups` scales.
enum class Kind { offset, least_value, sign };
template <Kind codes_kind, int groups_of_part, int excess = 0> struct Format {
    static constexpr Kind kind = codes_kind;
    static constexpr int groups = groups_of_part, offset = excess;
    // Parts of a block, and those of them that are unpacked together.
    static constexpr int parts = 1, together = 1;
    static int part(int, int) { return 0; }
};

// How a type's blocks are unpacked.
template <typename Block> struct Layout;

// Parts of a block of each row.
template <typename Block> class Panel {
public:
    using Type = Layout<Block>;

    // Panels of a block.
    static constexpr int count = Type::parts / Type::together;

#ifdef HAS_BYTE_PRODUCTS
    // Instructions for products of bytes want one of them without sign.
    static constexpr int offset = Type::kind == Kind::sign ? 128 : Type::offset;
#else
    static constexpr int offset = Type::offset;
#endif

    [[gnu::always_inline]] Panel(const Place &place, int index) {
        Type::unpack(place, index, *this);
        if constexpr (offset != Type::offset) {
            for (Codes &part : codes) {
                for (Words &some : part) {
                    some = different(some, splat_byte(128));
                }
            }
        }
    }

    // Adds the products of a part with numbers of a column to sums of products.
    [[gnu::always_inline]] Numbers add_products(Numbers sums, int part, const ColumnPart &column) const {
        Words halves[2];
        for (int half = 0; half < 2; half++) {
            const bool has_start = offset != 0 && half < Type::groups;
            halves[half] = splat(has_start ? column.halves[half].start : 0);
        }
#pragma GCC unroll 8
        for (int index = 0; index < 8; index += step) {
            Words &half = halves[Type::groups == 2 ? index / 4 : index / step % 2];
            half = add(half, codes[part] + index, column.numbers + 4 * index);
        }
        Numbers products;
        if constexpr (Type::groups == 2) {
            products = multiply_add(whole_numbers(halves[1]), scales[part][1],
                                    multiply(whole_numbers(halves[0]), scales[part][0]));
        } else {
            products = multiply(whole_numbers(panels::add(halves[0], halves[1])), scales[part][0]);
        }
        sums = multiply_add(products, splat(column.scale), sums);
        if constexpr (Type::kind == Kind::least_value) {
            for (int group = 0; group < Type::groups; group++) {
                sums = multiply_add(minima[part][group], splat(column.halves[group].sum), sums);
            }
        }
        return sums;
    }

    Codes codes[Type::together];
    Numbers scales[Type::together][Type::groups], minima[Type::together][Type::groups];

private:
    static Words four_numbers(const int8_t *numbers) {
        int32_t word;
        memcpy(&word, numbers, sizeof word);
        return splat(word);
    }

    // Adds the products of `step` vectors of codes.
#ifdef HAS_BYTE_PRODUCTS
    static constexpr int step = 1;

    [[gnu::always_inline]] static Words add(Words sums, const Words *codes, const int8_t *numbers) {
        return add_byte_products(sums, *codes, four_numbers(numbers));
    }
#else
    // As many as have sums of 16 bits: of two codes up to 31 or 63 times 128 each.
    static constexpr int step = Type::kind == Kind::sign ? 1 : Type::offset > 16 ? 2 : 4;

    [[gnu::always_inline]] static Words add(Words sums, const Words *codes, const int8_t *numbers) {
        Words pairs = _mm256_setzero_si256();
        for (int index = 0; index < step; index++) {
            Words some = codes[index], factors = four_numbers(numbers + 4 * index);
            if constexpr (Type::kind == Kind::sign) {
                factors = _mm256_sign_epi8(factors, some);
                some = _mm256_abs_epi8(some);
            }
            pairs = _mm256_add_epi16(pairs, _mm256_maddubs_epi16(some, factors));
        }
        return panels::add(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
    }
#endif
};

[[gnu::always_inline]] inline void unpack_nibbles(const Place &place, size_t offset, Codes &codes) {
    load_turned(place, offset, codes);
    for (int index = 0; index < 4; index++) {
        codes[index + 4] = both(shifted_right(codes[index], 4), splat_byte(15));
        codes[index] = both(codes[index], splat_byte(15));
    }
}

[[gnu::always_inline]] inline void look_up_values(Codes &codes) {
    const Words values = repeat(_mm_loadu_si128(reinterpret_cast<const __m128i *>(kvalues_iq4nl)));
    for (Words &some : codes) {
        some = look_up(values, some);
    }
}

// Of types whose blocks begin with a scale, and with a least value after it if they have one.
template <typename Block> [[gnu::always_inline]] inline void unpack_scale(const Place &place, Panel<Block> &panel) {
    const Words words = load_words(place, 0);
    panel.scales[0][0] = from_lower_halves(words);
    if constexpr (Layout<Block>::kind == Kind::least_value) {
        panel.minima[0][0] = from_lower_halves(shifted_right(words, 16));
    }
}

template <> struct Layout<block_q4_0> : Format<Kind::offset, 1, 8> {
    [[gnu::always_inline]] static void unpack(const Place &place, int, Panel<block_q4_0> &panel) {
        unpack_nibbles(place, offsetof(block_q4_0, qs), panel.codes[0]);
        unpack_scale(place, panel);
    }
};

template <> struct Layout<block_q4_1> : Format<Kind::least_value, 1> {
    [[gnu::always_inline]] static void unpack(const Place &place, int, Panel<block_q4_1> &panel) {
        unpack_nibbles(place, offsetof(block_q4_1, qs), panel.codes[0]);
        unpack_scale(place, panel);
    }
};

template <typename Block> [[gnu::always_inline]] inline void unpack_five_bits(const Place &place, Panel<Block> &panel) {
    unpack_nibbles(place, offsetof(Block, qs), panel.codes[0]);
    const Words bits = load_words(place, offsetof(Block, qh));
    const __m128i first_bytes = _mm_setr_epi32(0x00000000, 0x04040404, 0x08080808, 0x0c0c0c0c);
    for (int index = 0; index < 8; index++) {
        const Words byte = look_up(bits, repeat(_mm_add_epi8(first_bytes, _mm_set1_epi8(char(index / 2)))));
        const Words places = splat(index % 2 ? int32_t(0x80402010) : 0x08040201);
        panel.codes[0][index] = add_where(panel.codes[0][index], byte, places, splat_byte(16));
    }
    unpack_scale(place, panel);
}

template <> struct Layout<block_q5_0> : Format<Kind::offset, 1, 16> {
    [[gnu::always_inline]] static void unpack(const Place &place, int, Panel<block_q5_0> &panel) {
        unpack_five_bits(place, panel);
    }
};

template <> struct Layout<block_q5_1> : Format<Kind::least_value, 1> {
    [[gnu::always_inline]] static void unpack(const Place &place, int, Panel<block_q5_1> &panel) {
        unpack_five_bits(place, panel);
    }
};

template <> struct Layout<block_q8_0> : Format<Kind::sign, 1> {
    [[gnu::always_inline]] static void unpack(const Place &place, int, Panel<block_q8_0> &panel) {
        load_turned(place, offsetof(block_q8_0, qs), panel.codes[0]);
        load_turned(place, offsetof(block_q8_0, qs) + 16, panel.codes[0] + 4);
        unpack_scale(place, panel);
    }
};

template <> struct Layout<block_iq4_nl> : Format<Kind::sign, 1> {
    [[gnu::always_inline]] static void unpack(const Place &place, int, Panel<block_iq4_nl> &panel) {
        unpack_nibbles(place, offsetof(block_iq4_nl, qs), panel.codes[0]);
        look_up_values(panel.codes[0]);
        unpack_scale(place, panel);
    }
};

} // namespace panels
