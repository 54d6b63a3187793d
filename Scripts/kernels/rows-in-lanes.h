#pragma once

// Vectors in which each of several rows has a lane of its own, as many as the processor computes with at a time.
//
// Needs AVX2, FMA and F16C.

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
inline Words subtract(Words left, Words right) { return _mm512_sub_epi32(left, right); }
inline Words either(Words left, Words right) { return _mm512_or_si512(left, right); }
inline Words different(Words left, Words right) { return _mm512_xor_si512(left, right); }
inline Words look_up(Words bytes, Words places) { return _mm512_shuffle_epi8(bytes, places); }
inline Words shifted_left(Words words, int bits) { return _mm512_sll_epi32(words, _mm_cvtsi32_si128(bits)); }
inline Words shifted_right(Words words, int bits) { return _mm512_srl_epi32(words, _mm_cvtsi32_si128(bits)); }
// The uppermost byte as a number with its sign.
inline Words with_sign(Words words) { return _mm512_srai_epi32(words, 24); }
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

// Adds four products of bytes, of which the first have no sign, to each word.
inline Words add_byte_products(Words sums, Words left, Words right) {
    return _mm512_dpbusd_epi32(sums, left, right);
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
inline Words subtract(Words left, Words right) { return _mm256_sub_epi32(left, right); }
inline Words either(Words left, Words right) { return _mm256_or_si256(left, right); }
inline Words different(Words left, Words right) { return _mm256_xor_si256(left, right); }
inline Words look_up(Words bytes, Words places) { return _mm256_shuffle_epi8(bytes, places); }
inline Words shifted_left(Words words, int bits) { return _mm256_sll_epi32(words, _mm_cvtsi32_si128(bits)); }
inline Words shifted_right(Words words, int bits) { return _mm256_srl_epi32(words, _mm_cvtsi32_si128(bits)); }
// The uppermost byte as a number with its sign.
inline Words with_sign(Words words) { return _mm256_srai_epi32(words, 24); }
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

#ifdef HAS_BYTE_PRODUCTS
// Adds four products of bytes, of which the first have no sign, to each word.
inline Words add_byte_products(Words sums, Words left, Words right) {
    return _mm256_dpbusd_avx_epi32(sums, left, right);
}
#endif

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

} // namespace panels
