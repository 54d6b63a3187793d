#pragma once

// The codes and scales of weights in blocks of 256, of the types that hold their codes as they are. Those of the others
// are in looked-up-codes.h.
//
// Comes after ggml's kernel for many columns, which brings the types and tables.

#include <immintrin.h>

namespace block_codes {

// Numbers of a block in vectors of 32.
constexpr int vectors = 256 / 32;

// What a block of weights has beside its codes of 8 bits: for each group of 16 a factor and a least value in 16 bits.
struct Scales {
    __m256i factors = _mm256_setzero_si256(), minima = _mm256_setzero_si256();
    float scale = 0, least_scale = 0;
};

inline __m256i load(const void *bytes) { return _mm256_loadu_si256(static_cast<const __m256i *>(bytes)); }

// Twice each of eight numbers.
inline __m256i doubled(__m128i numbers) {
    return _mm256_set_m128i(_mm_unpackhi_epi16(numbers, numbers), _mm_unpacklo_epi16(numbers, numbers));
}

// The bits of each byte from `place` on that a mask keeps, moved to `target`.
template <int place, int target> __m256i bits(__m256i bytes, int mask) {
    const __m256i kept = _mm256_and_si256(bytes, _mm256_set1_epi8(char(mask << place)));
    return place < target ? _mm256_slli_epi16(kept, target > place ? target - place : 0)
                          : _mm256_srli_epi16(kept, place > target ? place - target : 0);
}

inline __m256i join(__m256i left, __m256i right) { return _mm256_or_si256(left, right); }

inline float single_precision(ggml_half number) { return _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(number))); }

// Of the types that share 6-bit factors and least values among 32 numbers.
template <typename Block> [[gnu::always_inline]] inline Scales scales_for_32(const Block &stored) {
    // Four factors, four least values, the lower bits of four more of each; the upper ones are those of the first.
    const __m128i packed = _mm_loadu_si128((const __m128i *) stored.scales);
    const __m128i lower = _mm_shuffle_epi8(packed, _mm_setr_epi8(0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 8, 9, 10, 11));
    const __m128i upper =
        _mm_shuffle_epi8(packed, _mm_setr_epi8(-1, -1, -1, -1, 0, 1, 2, 3, -1, -1, -1, -1, 4, 5, 6, 7));
    const __m128i kept = _mm_and_si128(_mm_srlv_epi32(lower, _mm_setr_epi32(0, 0, 0, 4)),
                                       _mm_setr_epi32(0x3f3f3f3f, 0x0f0f0f0f, 0x3f3f3f3f, 0x0f0f0f0f));
    const __m128i bytes = _mm_or_si128(kept, _mm_and_si128(_mm_srli_epi16(upper, 2), _mm_set1_epi8(0x30)));
    const __m256i numbers = _mm256_cvtepu8_epi16(bytes);
    return {doubled(_mm256_castsi256_si128(numbers)), doubled(_mm256_extracti128_si256(numbers, 1)),
            single_precision(stored.data.data.d), single_precision(stored.data.data.dmin)};
}

[[gnu::always_inline]] inline Scales scales(const block_q4_K &stored) { return scales_for_32(stored); }
[[gnu::always_inline]] inline Scales scales(const block_q5_K &stored) { return scales_for_32(stored); }

[[gnu::always_inline]] inline Scales scales(const block_q2_K &stored) {
    const __m256i packed = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *) stored.scales));
    return {_mm256_and_si256(packed, _mm256_set1_epi16(15)), _mm256_srli_epi16(packed, 4),
            single_precision(stored.data.data.d), single_precision(stored.data.data.dmin)};
}

[[gnu::always_inline]] inline Scales scales(const block_q3_K &stored) {
    uint32_t words[3];
    memcpy(words, stored.scales, sizeof words);
    const uint32_t low = 0x0f0f0f0f, two = 0x03030303;
    const __m128i factors = _mm_set_epi32(
        int((words[1] >> 4 & low) | (words[2] >> 6 & two) << 4),
        int((words[0] >> 4 & low) | (words[2] >> 4 & two) << 4),
        int((words[1] & low) | (words[2] >> 2 & two) << 4), int((words[0] & low) | (words[2] & two) << 4));
    return {_mm256_sub_epi16(_mm256_cvtepu8_epi16(factors), _mm256_set1_epi16(32)), _mm256_setzero_si256(),
            single_precision(stored.d), 0};
}

[[gnu::always_inline]] inline Scales scales(const block_q6_K &stored) {
    return {_mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *) stored.scales)), _mm256_setzero_si256(),
            single_precision(stored.d), 0};
}

[[gnu::always_inline]] inline Scales scales(const block_iq4_xs &stored) {
    // Four bits of each factor, and two more.
    uint64_t low = 0, high = stored.scales_h;
    memcpy(&low, stored.scales_l, sizeof stored.scales_l);
    low = (low | low << 16) & 0x0000ffff0000ffff;
    low = (low | low << 8) & 0x00ff00ff00ff00ff;
    low = (low | low << 4) & 0x0f0f0f0f0f0f0f0f;
    high = (high | high << 24) & 0x000000ff000000ff;
    high = (high | high << 12) & 0x000f000f000f000f;
    high = (high | high << 6) & 0x0303030303030303;
    const __m128i factors = _mm_cvtepu8_epi16(_mm_cvtsi64_si128(int64_t(low | high << 4)));
    return {doubled(_mm_sub_epi16(factors, _mm_set1_epi16(32))), _mm256_setzero_si256(), single_precision(stored.d), 0};
}

// Asks for what comes next in memory: processors do not look further than to the end of a page by themselves.
template <typename Block> [[gnu::always_inline]] inline void fetch_ahead(const Block &stored) {
    constexpr size_t distance = 6144, line = 64;
    for (size_t offset = 0; offset < sizeof stored; offset += line) {
        _mm_prefetch(reinterpret_cast<const char *>(&stored) + distance + offset, _MM_HINT_T0);
    }
}

// Gives `body` the codes of a block, 32 at a time with their place.
template <typename Body> [[gnu::always_inline]] inline void unpack(const block_q2_K &stored, Body body) {
#pragma GCC unroll 2
    for (int half = 0; half < 2; half++) {
        const __m256i bytes = load(stored.qs + 32 * half);
        body(4 * half, bits<0, 0>(bytes, 3));
        body(4 * half + 1, bits<2, 0>(bytes, 3));
        body(4 * half + 2, bits<4, 0>(bytes, 3));
        body(4 * half + 3, bits<6, 0>(bytes, 3));
    }
}

template <typename Body> [[gnu::always_inline]] inline void unpack(const block_q3_K &stored, Body body) {
    const __m256i first = load(stored.qs), second = load(stored.qs + 32), upper = load(stored.hmask);
    body(0, join(bits<0, 0>(first, 3), bits<0, 2>(upper, 1)));
    body(1, join(bits<2, 0>(first, 3), bits<1, 2>(upper, 1)));
    body(2, join(bits<4, 0>(first, 3), bits<2, 2>(upper, 1)));
    body(3, join(bits<6, 0>(first, 3), bits<3, 2>(upper, 1)));
    body(4, join(bits<0, 0>(second, 3), bits<4, 2>(upper, 1)));
    body(5, join(bits<2, 0>(second, 3), bits<5, 2>(upper, 1)));
    body(6, join(bits<4, 0>(second, 3), bits<6, 2>(upper, 1)));
    body(7, join(bits<6, 0>(second, 3), bits<7, 2>(upper, 1)));
}

template <typename Body> [[gnu::always_inline]] inline void unpack(const block_q4_K &stored, Body body) {
#pragma GCC unroll 4
    for (int pair = 0; pair < 4; pair++) {
        const __m256i bytes = load(stored.qs + 32 * pair);
        body(2 * pair, bits<0, 0>(bytes, 15));
        body(2 * pair + 1, bits<4, 0>(bytes, 15));
    }
}

template <typename Body> [[gnu::always_inline]] inline void unpack(const block_q5_K &stored, Body body) {
    __m256i upper = load(stored.qh);
#pragma GCC unroll 4
    for (int pair = 0; pair < 4; pair++) {
        const __m256i bytes = load(stored.qs + 32 * pair);
        body(2 * pair, join(bits<0, 0>(bytes, 15), bits<0, 4>(upper, 1)));
        body(2 * pair + 1, join(bits<4, 0>(bytes, 15), bits<1, 4>(upper, 1)));
        upper = _mm256_srli_epi16(upper, 2);
    }
}

template <typename Body> [[gnu::always_inline]] inline void unpack(const block_q6_K &stored, Body body) {
#pragma GCC unroll 2
    for (int half = 0; half < 2; half++) {
        const __m256i first = load(stored.ql + 64 * half), second = load(stored.ql + 64 * half + 32);
        const __m256i upper = load(stored.qh + 32 * half);
        body(4 * half, join(bits<0, 0>(first, 15), bits<0, 4>(upper, 3)));
        body(4 * half + 1, join(bits<0, 0>(second, 15), bits<2, 4>(upper, 3)));
        body(4 * half + 2, join(bits<4, 0>(first, 15), bits<4, 4>(upper, 3)));
        body(4 * half + 3, join(bits<4, 0>(second, 15), bits<6, 4>(upper, 3)));
    }
}

template <typename Body> [[gnu::always_inline]] inline void unpack(const block_iq4_xs &stored, Body body) {
    const __m256i values = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *) kvalues_iq4nl));
#pragma GCC unroll 4
    for (int pair = 0; pair < 4; pair++) {
        const __m256i bytes = load(stored.qs + 32 * pair);
        const __m256i first = _mm256_shuffle_epi8(values, bits<0, 0>(bytes, 15));
        const __m256i second = _mm256_shuffle_epi8(values, bits<4, 0>(bytes, 15));
        body(2 * pair, _mm256_permute2x128_si256(first, second, 0x20));
        body(2 * pair + 1, _mm256_permute2x128_si256(first, second, 0x31));
    }
}

} // namespace block_codes
