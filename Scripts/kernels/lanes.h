#pragma once

// As many single-precision numbers as the processor computes with at a time, for the kernels that are added to ggml.
// `HAS_LANES` is not defined for processors without fused multiply-add or without conversion of half precision.

#include <cstdint>
#include <initializer_list>

#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__) && defined(__F16C__))
#include <immintrin.h>
#define HAS_LANES
#elif defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>
#define HAS_LANES
#endif

#ifdef HAS_LANES

#if defined(__AVX512F__)

using Lanes = __m512;

// Vector registers of the processor.
constexpr int register_count = 32;

inline Lanes splat(float value) { return _mm512_set1_ps(value); }
inline Lanes load(const float *numbers) { return _mm512_loadu_ps(numbers); }
inline void store(float *numbers, Lanes lanes) { _mm512_storeu_ps(numbers, lanes); }
inline Lanes load_halves(const uint16_t *numbers) {
    return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(numbers)));
}
inline Lanes multiply_add(Lanes left, Lanes right, Lanes sum) { return _mm512_fmadd_ps(left, right, sum); }
inline Lanes larger(Lanes left, Lanes right) { return _mm512_max_ps(left, right); }
inline float largest(Lanes lanes) { return _mm512_reduce_max_ps(lanes); }

// The sum of each of 16 vectors. Each step adds halves of two vectors: as they are, and exchanged.
inline Lanes sum_each(Lanes (&parts)[16]) {
    for (int index = 0; index < 8; index++) {
        const Lanes left = parts[index], right = parts[index + 8];
        parts[index] = _mm512_mask_blend_ps(0xFF00, left, right) + _mm512_shuffle_f32x4(left, right, 0x4E);
    }
    const __m512i exchanged_quarters =
        _mm512_setr_epi32(4, 5, 6, 7, 16, 17, 18, 19, 12, 13, 14, 15, 24, 25, 26, 27);
    for (int index = 0; index < 4; index++) {
        const Lanes left = parts[index], right = parts[index + 4];
        parts[index] =
            _mm512_mask_blend_ps(0xF0F0, left, right) + _mm512_permutex2var_ps(left, exchanged_quarters, right);
    }
    for (int index = 0; index < 2; index++) {
        const __m512d left = _mm512_castps_pd(parts[index]), right = _mm512_castps_pd(parts[index + 2]);
        parts[index] = _mm512_castpd_ps(_mm512_mask_blend_pd(0xAA, left, right)) +
                       _mm512_castpd_ps(_mm512_shuffle_pd(left, right, 0x55));
    }
    const __m512i exchanged_lanes = _mm512_setr_epi32(1, 16, 3, 18, 5, 20, 7, 22, 9, 24, 11, 26, 13, 28, 15, 30);
    return _mm512_mask_blend_ps(0xAAAA, parts[0], parts[1]) +
           _mm512_permutex2var_ps(parts[0], exchanged_lanes, parts[1]);
}

#elif defined(__AVX2__)

using Lanes = __m256;

constexpr int register_count = 16;

inline Lanes splat(float value) { return _mm256_set1_ps(value); }
inline Lanes load(const float *numbers) { return _mm256_loadu_ps(numbers); }
inline void store(float *numbers, Lanes lanes) { _mm256_storeu_ps(numbers, lanes); }
inline Lanes load_halves(const uint16_t *numbers) {
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i *>(numbers)));
}
inline Lanes multiply_add(Lanes left, Lanes right, Lanes sum) { return _mm256_fmadd_ps(left, right, sum); }
inline Lanes larger(Lanes left, Lanes right) { return _mm256_max_ps(left, right); }
inline float largest(Lanes lanes) {
    __m128 quarter = _mm_max_ps(_mm256_castps256_ps128(lanes), _mm256_extractf128_ps(lanes, 1));
    quarter = _mm_max_ps(quarter, _mm_movehl_ps(quarter, quarter));
    return _mm_cvtss_f32(_mm_max_ss(quarter, _mm_movehdup_ps(quarter)));
}

// The sum of each of 8 vectors.
inline Lanes sum_each(Lanes (&parts)[8]) {
    for (int index = 0; index < 4; index++) {
        const Lanes left = parts[index], right = parts[index + 4];
        parts[index] = _mm256_blend_ps(left, right, 0xF0) + _mm256_permute2f128_ps(left, right, 0x21);
    }
    return _mm256_hadd_ps(_mm256_hadd_ps(parts[0], parts[1]), _mm256_hadd_ps(parts[2], parts[3]));
}

#else

using Lanes = float32x4_t;

constexpr int register_count = 32;

inline Lanes splat(float value) { return vdupq_n_f32(value); }
inline Lanes load(const float *numbers) { return vld1q_f32(numbers); }
inline void store(float *numbers, Lanes lanes) { vst1q_f32(numbers, lanes); }
inline Lanes load_halves(const uint16_t *numbers) {
    return vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(numbers)));
}
inline Lanes multiply_add(Lanes left, Lanes right, Lanes sum) { return vfmaq_f32(sum, left, right); }
inline Lanes larger(Lanes left, Lanes right) { return vmaxq_f32(left, right); }
inline float largest(Lanes lanes) { return vmaxvq_f32(lanes); }

// The sum of each of 4 vectors.
inline Lanes sum_each(Lanes (&parts)[4]) {
    return vpaddq_f32(vpaddq_f32(parts[0], parts[1]), vpaddq_f32(parts[2], parts[3]));
}

#endif

constexpr int lane_count = sizeof(Lanes) / sizeof(float);

using LaneBits = uint32_t __attribute__((vector_size(sizeof(Lanes))));

// The exponential function of numbers that are not above 0, to about one unit in the last place; 0 below -87.
inline Lanes exponential(Lanes numbers) {
    const Lanes least = splat(-87.0f);
    // The order of the two keeps what is no number.
    const Lanes power = larger(least, numbers);
    // Adding it rounds to a whole number, which is then in the lowest bits.
    const Lanes rounding = splat(0x1.8p23f);
    const Lanes shifted = multiply_add(power, splat(0x1.715476p+0f), rounding);
    const Lanes whole = shifted - rounding;
    // The logarithm of 2 in two parts.
    Lanes rest = multiply_add(whole, splat(-0x1.62e4p-1f), power);
    rest = multiply_add(whole, splat(-0x1.7f7d1cp-20f), rest);
    Lanes series = splat(1.0f / 720);
    for (const float factor : {1.0f / 120, 1.0f / 24, 1.0f / 6, 1.0f / 2, 1.0f, 1.0f}) {
        series = multiply_add(series, rest, splat(factor));
    }
    const LaneBits scaled = (LaneBits)series + ((LaneBits)shifted << 23);
    // What is no number stays none.
    return (Lanes)(scaled & ~(LaneBits)(numbers < least));
}

#endif
