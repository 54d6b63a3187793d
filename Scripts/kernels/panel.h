#pragma once

// Blocks of 32 weights of several rows, unpacked so that each row has a lane of its own.
//
// There are as many lanes as the processor computes with at a time. Needs AVX2, FMA and F16C.

#define GGML_COMMON_DECL_CPP
#define GGML_COMMON_IMPL_CPP
#include "ggml-common.h"

#include <cstring>
#include <immintrin.h>

#if defined(__AVX512BW__) && defined(__AVX512VNNI__)
#define HAS_SIXTEEN_LANES
#define HAS_BYTE_PRODUCTS
#elif defined(__AVXVNNI__)
#define HAS_BYTE_PRODUCTS
#endif

namespace panels {

#ifdef HAS_SIXTEEN_LANES
constexpr int lanes = 16;
using Numbers = __m512;
using Words = __m512i;
#else
constexpr int lanes = 8;
using Numbers = __m256;
using Words = __m256i;
#endif

// Where a block of each row lies: every fourth row from the first on, and what is between rows.
struct Place {
    const char *rows[lanes / 4];
    size_t row_size;

    [[gnu::always_inline]] Place(const char *first, size_t row_size) : row_size(row_size) {
        for (auto &row : rows) {
            row = first;
            first += 4 * row_size;
        }
    }

    template <typename Value> [[gnu::always_inline]] Value load(int row, size_t offset) const {
        Value value;
        memcpy(&value, rows[row / 4] + row % 4 * row_size + offset, sizeof value);
        return value;
    }
};

#ifdef HAS_SIXTEEN_LANES

inline Numbers splat(float number) { return _mm512_set1_ps(number); }
inline Words splat(int32_t word) { return _mm512_set1_epi32(word); }
inline Words splat_byte(int byte) { return _mm512_set1_epi8(char(byte)); }
inline Words repeat(__m128i bytes) { return _mm512_broadcast_i32x4(bytes); }

inline Numbers multiply(Numbers left, Numbers right) { return _mm512_mul_ps(left, right); }
inline Numbers multiply_add(Numbers left, Numbers right, Numbers sum) { return _mm512_fmadd_ps(left, right, sum); }
inline Numbers whole_numbers(Words words) { return _mm512_cvtepi32_ps(words); }

inline Words add(Words left, Words right) { return _mm512_add_epi32(left, right); }
inline Words both(Words left, Words right) { return _mm512_and_si512(left, right); }
inline Words either(Words left, Words right) { return _mm512_xor_si512(left, right); }
inline Words look_up(Words bytes, Words places) { return _mm512_shuffle_epi8(bytes, places); }
template <int bits> Words shifted_right(Words words) { return _mm512_srli_epi32(words, bits); }
inline Words low_words(Words left, Words right) { return _mm512_unpacklo_epi32(left, right); }
inline Words high_words(Words left, Words right) { return _mm512_unpackhi_epi32(left, right); }
inline Words low_pairs(Words left, Words right) { return _mm512_unpacklo_epi64(left, right); }
inline Words high_pairs(Words left, Words right) { return _mm512_unpackhi_epi64(left, right); }

// Adds `byte` to those bytes that share a bit with the same of `bits`.
inline Words add_where(Words bytes, Words places, Words bits, Words byte) {
    return _mm512_mask_add_epi8(bytes, _mm512_test_epi8_mask(places, bits), bytes, byte);
}

// 16 bytes of every fourth row from `row` on.
[[gnu::always_inline]] inline Words load_rows(const Place &place, int row, size_t offset) {
    const auto bytes = [&](int row) { return place.load<__m128i>(row, offset); };
    Words words = _mm512_castsi128_si512(bytes(row));
    words = _mm512_inserti32x4(words, bytes(row + 4), 1);
    words = _mm512_inserti32x4(words, bytes(row + 8), 2);
    return _mm512_inserti32x4(words, bytes(row + 12), 3);
}

[[gnu::always_inline]] inline Words load_words(const Place &place, size_t offset) {
    const auto word = [&](int row) { return place.load<int32_t>(row, offset); };
    return _mm512_setr_epi32(word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7), word(8), word(9),
                             word(10), word(11), word(12), word(13), word(14), word(15));
}

// What the lower halves of words are in half precision.
inline Numbers from_lower_halves(Words words) { return _mm512_cvtph_ps(_mm512_cvtepi32_epi16(words)); }

#else

inline Numbers splat(float number) { return _mm256_set1_ps(number); }
inline Words splat(int32_t word) { return _mm256_set1_epi32(word); }
inline Words splat_byte(int byte) { return _mm256_set1_epi8(char(byte)); }
inline Words repeat(__m128i bytes) { return _mm256_broadcastsi128_si256(bytes); }

inline Numbers multiply(Numbers left, Numbers right) { return _mm256_mul_ps(left, right); }
inline Numbers multiply_add(Numbers left, Numbers right, Numbers sum) { return _mm256_fmadd_ps(left, right, sum); }
inline Numbers whole_numbers(Words words) { return _mm256_cvtepi32_ps(words); }

inline Words add(Words left, Words right) { return _mm256_add_epi32(left, right); }
inline Words both(Words left, Words right) { return _mm256_and_si256(left, right); }
inline Words either(Words left, Words right) { return _mm256_xor_si256(left, right); }
inline Words look_up(Words bytes, Words places) { return _mm256_shuffle_epi8(bytes, places); }
template <int bits> Words shifted_right(Words words) { return _mm256_srli_epi32(words, bits); }
inline Words low_words(Words left, Words right) { return _mm256_unpacklo_epi32(left, right); }
inline Words high_words(Words left, Words right) { return _mm256_unpackhi_epi32(left, right); }
inline Words low_pairs(Words left, Words right) { return _mm256_unpacklo_epi64(left, right); }
inline Words high_pairs(Words left, Words right) { return _mm256_unpackhi_epi64(left, right); }

// Adds `byte` to those bytes that share a bit with the same of `bits`, which has one bit in each.
inline Words add_where(Words bytes, Words places, Words bits, Words byte) {
    return _mm256_add_epi8(bytes, both(_mm256_cmpeq_epi8(both(places, bits), bits), byte));
}

// 16 bytes of every fourth row from `row` on.
[[gnu::always_inline]] inline Words load_rows(const Place &place, int row, size_t offset) {
    return _mm256_setr_m128i(place.load<__m128i>(row, offset), place.load<__m128i>(row + 4, offset));
}

[[gnu::always_inline]] inline Words load_words(const Place &place, size_t offset) {
    const auto word = [&](int row) { return place.load<int32_t>(row, offset); };
    return _mm256_setr_epi32(word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7));
}

// What the lower halves of words are in half precision.
inline Numbers from_lower_halves(Words words) {
    const Words halves = both(words, splat(0xffff));
    return _mm256_cvtph_ps(_mm_packus_epi32(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1)));
}

#endif

// Gives each lane the words of 16 bytes of its row.
[[gnu::always_inline]] inline void load_turned(const Place &place, size_t offset, Words *words) {
    const Words first = load_rows(place, 0, offset), second = load_rows(place, 1, offset);
    const Words third = load_rows(place, 2, offset), fourth = load_rows(place, 3, offset);
    words[0] = low_pairs(low_words(first, second), low_words(third, fourth));
    words[1] = high_pairs(low_words(first, second), low_words(third, fourth));
    words[2] = low_pairs(high_words(first, second), high_words(third, fourth));
    words[3] = high_pairs(high_words(first, second), high_words(third, fourth));
}

// Codes of a block of each row, four in a lane of each vector.
using Codes = Words[8];

[[gnu::always_inline]] inline void unpack_nibbles(const Place &place, size_t offset, Codes &codes) {
    load_turned(place, offset, codes);
    for (int index = 0; index < 4; index++) {
        codes[index + 4] = both(shifted_right<4>(codes[index]), splat_byte(15));
        codes[index] = both(codes[index], splat_byte(15));
    }
}

[[gnu::always_inline]] inline void add_fifth_bits(const Place &place, size_t offset, Codes &codes) {
    const Words bits = load_words(place, offset);
    const __m128i first_bytes = _mm_setr_epi32(0x00000000, 0x04040404, 0x08080808, 0x0c0c0c0c);
    for (int index = 0; index < 8; index++) {
        const Words byte = look_up(bits, repeat(_mm_add_epi8(first_bytes, _mm_set1_epi8(char(index / 2)))));
        const Words places = splat(index % 2 ? int32_t(0x80402010) : 0x08040201);
        codes[index] = add_where(codes[index], byte, places, splat_byte(16));
    }
}

// Codes that are `excess` above what they stand for, or above a least value.
template <bool has_least_values, int excess> struct PositiveCodes {
    static constexpr bool has_minima = has_least_values, has_signs = false;
    static constexpr int offset = excess;
};

struct SignedCodes {
    static constexpr bool has_minima = false, has_signs = true;
    static constexpr int offset = 0;
};

// How the blocks of a type are unpacked.
template <typename Block> struct Layout;

template <> struct Layout<block_q4_0> : PositiveCodes<false, 8> {
    [[gnu::always_inline]] static void unpack(const Place &place, Codes &codes) {
        unpack_nibbles(place, offsetof(block_q4_0, qs), codes);
    }
};

template <> struct Layout<block_q4_1> : PositiveCodes<true, 0> {
    [[gnu::always_inline]] static void unpack(const Place &place, Codes &codes) {
        unpack_nibbles(place, offsetof(block_q4_1, qs), codes);
    }
};

template <> struct Layout<block_q5_0> : PositiveCodes<false, 16> {
    [[gnu::always_inline]] static void unpack(const Place &place, Codes &codes) {
        unpack_nibbles(place, offsetof(block_q5_0, qs), codes);
        add_fifth_bits(place, offsetof(block_q5_0, qh), codes);
    }
};

template <> struct Layout<block_q5_1> : PositiveCodes<true, 0> {
    [[gnu::always_inline]] static void unpack(const Place &place, Codes &codes) {
        unpack_nibbles(place, offsetof(block_q5_1, qs), codes);
        add_fifth_bits(place, offsetof(block_q5_1, qh), codes);
    }
};

template <> struct Layout<block_q8_0> : SignedCodes {
    [[gnu::always_inline]] static void unpack(const Place &place, Codes &codes) {
        load_turned(place, offsetof(block_q8_0, qs), codes);
        load_turned(place, offsetof(block_q8_0, qs) + 16, codes + 4);
    }
};

template <> struct Layout<block_iq4_nl> : SignedCodes {
    [[gnu::always_inline]] static void unpack(const Place &place, Codes &codes) {
        unpack_nibbles(place, offsetof(block_iq4_nl, qs), codes);
        const Words values = repeat(_mm_loadu_si128(reinterpret_cast<const __m128i *>(kvalues_iq4nl)));
        for (Words &some : codes) {
            some = look_up(values, some);
        }
    }
};

// A block of each row.
template <typename Block> class Panel {
    using Format = Layout<Block>;

public:
    static constexpr bool has_minima = Format::has_minima;

#ifdef HAS_BYTE_PRODUCTS
    // Instructions for products of bytes want one of them without sign.
    static constexpr int offset = Format::has_signs ? 128 : Format::offset;
#else
    static constexpr int offset = Format::offset;
#endif

    [[gnu::always_inline]] explicit Panel(const Place &place) {
        Format::unpack(place, codes);
        if constexpr (offset != Format::offset) {
            for (Words &some : codes) {
                some = either(some, splat_byte(128));
            }
        }
        // A block begins with its scale, and its least value if it has one.
        const Words words = load_words(place, 0);
        scales = from_lower_halves(words);
        if constexpr (has_minima) {
            minima = from_lower_halves(shifted_right<16>(words));
        }
    }

    // The products of the codes with 32 numbers are added to `start`.
    [[gnu::always_inline]] Numbers products(const int8_t *numbers, int32_t start) const {
        Words sums[] = {splat(start), splat(0)};
#pragma GCC unroll 8
        for (int index = 0; index < 8; index++) {
            add_products(sums[index % 2], index, splat(word(numbers, index)));
        }
        return whole_numbers(add(sums[0], sums[1]));
    }

    Numbers scales, minima;

private:
    static int32_t word(const int8_t *numbers, int index) {
        int32_t word;
        memcpy(&word, numbers + 4 * index, sizeof word);
        return word;
    }

    [[gnu::always_inline]] void add_products(Words &sums, int index, Words numbers) const {
#if defined(HAS_SIXTEEN_LANES)
        sums = _mm512_dpbusd_epi32(sums, codes[index], numbers);
#elif defined(HAS_BYTE_PRODUCTS)
        sums = _mm256_dpbusd_avx_epi32(sums, codes[index], numbers);
#else
        Words positive = codes[index];
        if constexpr (Format::has_signs) {
            numbers = _mm256_sign_epi8(numbers, positive);
            positive = _mm256_abs_epi8(positive);
        }
        sums = add(sums, _mm256_madd_epi16(_mm256_maddubs_epi16(positive, numbers), _mm256_set1_epi16(1)));
#endif
    }

    Codes codes;
};

} // namespace panels
