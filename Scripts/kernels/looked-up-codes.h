#pragma once

// The codes and scales of the types whose weights are places in ggml's tables: IQ1, IQ2 and IQ3.
//
// Places and signs are prepared in vectors for a whole block. Places have just the bits that their table has entries
// for, so that none leads out of it, whatever the weights are.

#include "block-codes.h"

namespace block_codes {

// What is added to codes so that none is negative: to those of up to 62 with signs, and to -9 to 9. The sum of two
// products with numbers of 8 bits still fits into 16 bits.
constexpr int signed_offset = 64;
constexpr int ternary_offset = 9;

inline void store(void *target, __m256i numbers) { _mm256_store_si256(static_cast<__m256i *>(target), numbers); }

// Bytes that are each for eight codes.
class BytesForEight {
public:
    explicit BytesForEight(__m256i bytes)
        : halves{_mm256_permute2x128_si256(bytes, bytes, 0x00), _mm256_permute2x128_si256(bytes, bytes, 0x11)} {}

    // The bytes of 32 codes.
    __m256i operator[](int vector) const {
        const __m256i first = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
        return _mm256_shuffle_epi8(halves[vector / 4], _mm256_add_epi8(first, _mm256_set1_epi8(char(vector % 4 * 4))));
    }

private:
    const __m256i halves[2];
};

// Four words, each four times.
inline __m256i for_4(__m128i words) {
    return _mm256_shuffle_epi8(_mm256_broadcastq_epi64(words),
                               _mm256_setr_epi64x(0x0100010001000100, 0x0302030203020302, 0x0504050405040504,
                                                  0x0706070607060706));
}

// Three bits each of sixteen words, from bit 9 on, from four words that hold four times three.
inline __m256i three_bits(const void *words) {
    return _mm256_mullo_epi16(for_4(_mm_loadl_epi64((const __m128i *) words)), _mm256_set1_epi64x(0x0001000800400200));
}

// Of factors that are stored as half of what they exceed 1 by: in 16 bits, or in 32 bits for groups of 32.
inline Scales odd_scales(__m256i halves, float scale) {
    return {_mm256_add_epi16(_mm256_add_epi16(halves, halves), _mm256_set1_epi16(1)), _mm256_setzero_si256(), scale, 0};
}
inline Scales odd_scales_for_32(__m256i halves, float scale) {
    return odd_scales(join(halves, _mm256_slli_epi32(halves, 16)), scale);
}

// Two of them in a byte.
inline Scales odd_scales(const uint8_t (&packed)[8], float scale) {
    const __m256i bytes = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *) packed));
    const __m256i halves = join(bytes, _mm256_slli_epi32(bytes, 12));
    return odd_scales(_mm256_and_si256(halves, _mm256_set1_epi16(15)), scale);
}

// The words for groups of 32 codes that have 28 bits for signs, then 4 bits of a factor.
inline __m256i signs_and_factors(const block_iq2_xxs &stored) {
    const __m256 first = _mm256_castsi256_ps(load(stored.qs)), second = _mm256_castsi256_ps(load(stored.qs + 16));
    const __m256i words = _mm256_castps_si256(_mm256_shuffle_ps(first, second, 0xdd));
    return _mm256_permute4x64_epi64(words, _MM_SHUFFLE(3, 1, 2, 0));
}
inline __m256i signs_and_factors(const block_iq3_xxs &stored) { return load(stored.qs + 64); }

[[gnu::always_inline]] inline Scales scales(const block_iq2_xxs &stored) {
    return odd_scales_for_32(_mm256_srli_epi32(signs_and_factors(stored), 28), single_precision(stored.d) * 0.125f);
}
[[gnu::always_inline]] inline Scales scales(const block_iq2_xs &stored) {
    return odd_scales(stored.scales, single_precision(stored.d) * 0.125f);
}
[[gnu::always_inline]] inline Scales scales(const block_iq2_s &stored) {
    return odd_scales(stored.scales, single_precision(stored.d) * 0.125f);
}
[[gnu::always_inline]] inline Scales scales(const block_iq3_xxs &stored) {
    return odd_scales_for_32(_mm256_srli_epi32(signs_and_factors(stored), 28), single_precision(stored.d) * 0.25f);
}

[[gnu::always_inline]] inline Scales scales(const block_iq3_s &stored) {
    int32_t packed;
    memcpy(&packed, stored.scales, sizeof packed);
    const __m256i moved = _mm256_srlv_epi32(_mm256_set1_epi32(packed), _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28));
    return odd_scales_for_32(_mm256_and_si256(moved, _mm256_set1_epi32(15)), single_precision(stored.d));
}

[[gnu::always_inline]] inline Scales scales(const block_iq1_s &stored) {
    const __m256i words = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *) stored.qh));
    return odd_scales_for_32(_mm256_and_si256(_mm256_srli_epi32(words, 12), _mm256_set1_epi32(7)),
                             single_precision(stored.d) * 0.125f);
}

[[gnu::always_inline]] inline Scales scales(const block_iq1_m &stored) {
    // The last four bits of each word are a part of the scale.
    uint64_t words;
    memcpy(&words, stored.scales, sizeof words);
    const auto scale = ggml_half((words >> 12 & 0xf) | (words >> 24 & 0xf0) | (words >> 36 & 0xf00) |
                                 (words >> 48 & 0xf000));
    const __m256i halves = _mm256_and_si256(_mm256_srli_epi16(three_bits(stored.scales), 9), _mm256_set1_epi16(7));
    return odd_scales(halves, single_precision(scale) * 0.125f);
}

// Places in a table. They are taken out of vectors four at a time, which is faster than one by one or from memory.
template <int count> class Places {
public:
    void set(int first, __m256i sixteen) { store(words + first / 4, sixteen); }

    // Of the lower 8 bits, which are stored together, and the upper ones, which were moved to where they belong.
    void set(int first, const uint8_t *lower, __m256i upper) {
        set(first, join(_mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *) (lower + first))), upper));
    }

    [[gnu::always_inline]] uint16_t operator[](int index) const { return uint16_t(words[index / 4] >> index % 4 * 16); }

private:
    alignas(32) uint64_t words[count / 4];
};

// Four or eight entries of a table, which are 32 codes.
template <typename Places>
[[gnu::always_inline]] inline __m256i entries(const uint64_t *table, const Places &places, int vector) {
    const auto entry = [&](int index) { return int64_t(table[places[4 * vector + index]]); };
    return _mm256_setr_epi64x(entry(0), entry(1), entry(2), entry(3));
}
template <typename Places>
[[gnu::always_inline]] inline __m256i entries(const uint32_t *table, const Places &places, int vector) {
    const auto entry = [&](int index) { return int32_t(table[places[8 * vector + index]]); };
    return _mm256_setr_epi32(entry(0), entry(1), entry(2), entry(3), entry(4), entry(5), entry(6), entry(7));
}

// The offset and codes added, or taken from it where a sign is set. Each byte has the signs of the eight codes it is
// among.
[[gnu::always_inline]] inline __m256i with_signs(__m256i codes, __m256i signs) {
    const __m256i offset = _mm256_set1_epi8(signed_offset), bits = _mm256_set1_epi64x(int64_t(0x8040201008040201));
#if defined(__AVX512BW__) && defined(__AVX512VL__)
    return _mm256_mask_sub_epi8(_mm256_add_epi8(offset, codes), _mm256_test_epi8_mask(signs, bits), offset, codes);
#else
    const __m256i negative = _mm256_cmpeq_epi8(_mm256_and_si256(signs, bits), bits);
    return _mm256_sub_epi8(_mm256_xor_si256(codes, negative), _mm256_sub_epi8(negative, offset));
#endif
}

// The signs of eight codes in each byte, of which seven are given: an even number of them is set.
inline __m256i even_signs(__m256i seven) {
    const __m256i odd = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, -128, -128, 0, -128, 0, 0, -128, -128, 0, 0, -128, 0, -128, -128, 0));
    const __m256i folded = _mm256_and_si256(_mm256_xor_si256(seven, _mm256_srli_epi16(seven, 4)), _mm256_set1_epi8(15));
    return join(seven, _mm256_shuffle_epi8(odd, folded));
}

// The same for words with four times seven bits.
inline __m256i even_signs_in_words(__m256i words) {
    const __m256i fourteen = join(_mm256_and_si256(words, _mm256_set1_epi32(0x3fff)),
                                  _mm256_and_si256(_mm256_slli_epi32(words, 2), _mm256_set1_epi32(0x3fff0000)));
    return even_signs(join(_mm256_and_si256(fourteen, _mm256_set1_epi16(0x007f)),
                           _mm256_and_si256(_mm256_slli_epi16(fourteen, 1), _mm256_set1_epi16(0x7f00))));
}

// Gives `body` all codes, with signs of which each byte has those of eight.
template <typename Entry, typename Places, typename Body>
[[gnu::always_inline]] inline void look_up(const Entry *table, const Places &places, __m256i signs, Body body) {
    const BytesForEight bytes(signs);
#pragma GCC unroll 8
    for (int vector = 0; vector < vectors; vector++) {
        body(vector, with_signs(entries(table, places, vector), bytes[vector]));
    }
}

template <typename Body> [[gnu::always_inline]] inline void unpack(const block_iq2_xxs &stored, Body body) {
    // Four bytes are places, the next four are signs and a factor.
    struct {
        const uint8_t *bytes;
        [[gnu::always_inline]] uint8_t operator[](int index) const { return bytes[index / 4 * 8 + index % 4]; }
    } const places{reinterpret_cast<const uint8_t *>(stored.qs)};
    look_up(iq2xxs_grid, places, even_signs_in_words(signs_and_factors(stored)), body);
}

template <typename Body> [[gnu::always_inline]] inline void unpack(const block_iq2_xs &stored, Body body) {
    const __m256i first = load(stored.qs), second = load(stored.qs + 16), kept = _mm256_set1_epi16(511);
    Places<32> places;
    places.set(0, _mm256_and_si256(first, kept));
    places.set(16, _mm256_and_si256(second, kept));
    const __m256i seven = _mm256_packus_epi16(_mm256_srli_epi16(first, 9), _mm256_srli_epi16(second, 9));
    look_up(iq2xs_grid, places, even_signs(_mm256_permute4x64_epi64(seven, _MM_SHUFFLE(3, 1, 2, 0))), body);
}

template <typename Body> [[gnu::always_inline]] inline void unpack(const block_iq2_s &stored, Body body) {
    // Two more bits for each of four places are in a byte.
    const __m128i bytes = _mm_cvtepu8_epi16(_mm_loadl_epi64((const __m128i *) stored.qh));
    Places<32> places;
    for (int first = 0; first < 32; first += 16) {
        const __m256i words = for_4(first == 0 ? bytes : _mm_unpackhi_epi64(bytes, bytes));
        const __m256i moved = _mm256_mullo_epi16(words, _mm256_set1_epi64x(0x0004001000400100));
        places.set(first, stored.qs, _mm256_and_si256(moved, _mm256_set1_epi16(0x300)));
    }
    look_up(iq2s_grid, places, load(stored.qs + 32), body);
}

template <typename Body> [[gnu::always_inline]] inline void unpack(const block_iq3_xxs &stored, Body body) {
    look_up(iq3xxs_grid, stored.qs, even_signs_in_words(signs_and_factors(stored)), body);
}

template <typename Body> [[gnu::always_inline]] inline void unpack(const block_iq3_s &stored, Body body) {
    const __m256i each = _mm256_setr_epi16(0x1, 0x2, 0x4, 0x8, 0x10, 0x20, 0x40, 0x80, 0x100, 0x200, 0x400, 0x800,
                                           0x1000, 0x2000, 0x4000, -0x8000);
    Places<64> places;
    for (int first = 0; first < 64; first += 16) {
        // A bit more for each place.
        int16_t bits;
        memcpy(&bits, stored.qh + first / 8, sizeof bits);
        const __m256i is_set = _mm256_cmpeq_epi16(_mm256_and_si256(_mm256_set1_epi16(bits), each), each);
        places.set(first, stored.qs, _mm256_and_si256(is_set, _mm256_set1_epi16(0x100)));
    }
    look_up(iq3s_grid, places, load(stored.signs), body);
}

// Gives `body` all codes of -8, 0 and 8 that are less or more by 1. Those of eight codes are more whose byte is 2.
template <typename Body>
[[gnu::always_inline]] inline void look_up_ternary(const Places<32> &places, __m256i more, Body body) {
    // The entries are -1, for which this gives 0, and 0 and 1.
    const __m256i codes = _mm256_set1_epi16(0x1008);
    const BytesForEight bytes(more);
#pragma GCC unroll 8
    for (int vector = 0; vector < vectors; vector++) {
        body(vector, _mm256_add_epi8(_mm256_shuffle_epi8(codes, entries(iq1s_grid, places, vector)), bytes[vector]));
    }
}

template <typename Body> [[gnu::always_inline]] inline void unpack(const block_iq1_s &stored, Body body) {
    // Words for 32 codes: three more bits for each of four places, a factor, and whether codes are less.
    Places<32> places;
    for (int first = 0; first < 32; first += 16) {
        const __m256i upper = _mm256_srli_epi16(three_bits(stored.qh + first / 4), 1);
        places.set(first, stored.qs, _mm256_and_si256(upper, _mm256_set1_epi16(0x700)));
    }
    const __m256i words = _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *) stored.qh));
    look_up_ternary(places, _mm256_andnot_si256(_mm256_srai_epi32(words, 31), _mm256_set1_epi8(2)), body);
}

template <typename Body> [[gnu::always_inline]] inline void unpack(const block_iq1_m &stored, Body body) {
    // Bytes for two places: three more bits of each and whether its codes are less.
    const __m256i words = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *) stored.qh));
    Places<32> places;
    for (int first = 0; first < 32; first += 16) {
        const __m128i half = first == 0 ? _mm256_castsi256_si128(words) : _mm256_extracti128_si256(words, 1);
        const __m256i moved = _mm256_mullo_epi16(doubled(half), _mm256_set1_epi32(0x00100100));
        places.set(first, stored.qs, _mm256_and_si256(moved, _mm256_set1_epi16(0x700)));
    }
    const __m256i less = join(_mm256_and_si256(_mm256_srli_epi16(words, 2), _mm256_set1_epi16(0x0002)),
                              _mm256_and_si256(_mm256_slli_epi16(words, 2), _mm256_set1_epi16(0x0200)));
    look_up_ternary(places, _mm256_xor_si256(less, _mm256_set1_epi8(2)), body);
}

} // namespace block_codes
