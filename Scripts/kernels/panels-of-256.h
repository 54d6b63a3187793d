#pragma once

// How types with blocks of 256 are unpacked into panels. A block has eight parts of 32.

#include "panel.h"

namespace panels {

template <int parts_together, Kind kind, int groups, int excess = 0>
struct FormatOf256 : Format<kind, groups, excess> {
    static constexpr int parts = 8, together = parts_together;
    static int part(int panel, int member) { return together * panel + member; }
};

// 32 bytes of each row.
[[gnu::always_inline]] inline void load_bytes(const Place &place, size_t offset, Codes &bytes) {
    load_turned(place, offset, bytes);
    load_turned(place, offset + 16, bytes + 4);
}

// The bits of a mask in bytes, from one place on.
[[gnu::always_inline]] inline Words bits(Words bytes, int place, int mask) {
    return both(shifted_right(bytes, place), splat_byte(mask));
}

// Adds `value` to those codes whose bit at a place is set.
[[gnu::always_inline]] inline void add_bits(Codes &codes, const Codes &bytes, int place, int value) {
    for (int index = 0; index < 8; index++) {
        codes[index] = add_where(codes[index], bytes[index], splat_byte(1 << place), splat_byte(value));
    }
}

// Of the types that share 6-bit factors and least values of parts: after the two scales of a block four bytes with
// factors, four with least values, and four with the lower bits of four more of each; the upper ones are those of the
// first.
template <typename Block>
[[gnu::always_inline]] inline void unpack_factors(const Place &place, int index, Panel<Block> &panel) {
    Words words[4];
    load_turned(place, 0, words);
    const Numbers scale = from_lower_halves(words[0]);
    const Numbers least = multiply(splat(-1.0f), from_lower_halves(shifted_right(words[0], 16)));
    for (int member = 0; member < 2; member++) {
        const int part = 2 * index + member, bit = part % 4 * 8;
        Words factor, minimum;
        if (part < 4) {
            factor = both(shifted_right(words[1], bit), splat(63));
            minimum = both(shifted_right(words[2], bit), splat(63));
        } else {
            const Words lower = shifted_right(words[3], bit);
            factor = either(both(lower, splat(15)), both(shifted_right(shifted_right(words[1], bit), 2), splat(48)));
            minimum = either(both(shifted_right(lower, 4), splat(15)),
                             both(shifted_right(shifted_right(words[2], bit), 2), splat(48)));
        }
        panel.scales[member][0] = multiply(scale, whole_numbers(factor));
        panel.minima[member][0] = multiply(least, whole_numbers(minimum));
    }
}

// 32 bytes of each row have the codes of a part in their lower halves, and of another in the upper ones.
[[gnu::always_inline]] inline void unpack_both_nibbles(const Place &place, size_t offset, Codes &lower, Codes &upper) {
    load_bytes(place, offset, lower);
    for (int number = 0; number < 8; number++) {
        upper[number] = bits(lower[number], 4, 15);
        lower[number] = bits(lower[number], 0, 15);
    }
}

template <> struct Layout<block_q4_K> : FormatOf256<2, Kind::least_value, 1> {
    [[gnu::always_inline]] static void unpack(const Place &place, int index, Panel<block_q4_K> &panel) {
        unpack_both_nibbles(place, offsetof(block_q4_K, qs) + 32 * index, panel.codes[0], panel.codes[1]);
        unpack_factors(place, index, panel);
    }
};

template <> struct Layout<block_q5_K> : FormatOf256<2, Kind::least_value, 1> {
    [[gnu::always_inline]] static void unpack(const Place &place, int index, Panel<block_q5_K> &panel) {
        unpack_both_nibbles(place, offsetof(block_q5_K, qs) + 32 * index, panel.codes[0], panel.codes[1]);
        Codes bytes;
        load_bytes(place, offsetof(block_q5_K, qh), bytes);
        add_bits(panel.codes[0], bytes, 2 * index, 16);
        add_bits(panel.codes[1], bytes, 2 * index + 1, 16);
        unpack_factors(place, index, panel);
    }
};

// Half a block has two times 32 bytes with lower bits of two parts each, and 32 with upper bits of the four.
template <> struct Layout<block_q6_K> : FormatOf256<4, Kind::offset, 2, 32> {
    [[gnu::always_inline]] static void unpack(const Place &place, int half, Panel<block_q6_K> &panel) {
        const size_t lower = offsetof(block_q6_K, ql) + 64 * half;
        unpack_both_nibbles(place, lower, panel.codes[0], panel.codes[2]);
        unpack_both_nibbles(place, lower + 32, panel.codes[1], panel.codes[3]);
        Codes upper;
        load_bytes(place, offsetof(block_q6_K, qh) + 32 * half, upper);
        Words factors[4];
        load_turned(place, offsetof(block_q6_K, scales), factors);
        // The scale is the last of a block.
        const Numbers scale = from_lower_halves(shifted_right(load_words(place, sizeof(block_q6_K) - 4), 16));
#pragma GCC unroll 4
        for (int part = 0; part < 4; part++) {
            for (int number = 0; number < 8; number++) {
                const Words two = bits(upper[number], 2 * part, 3);
                panel.codes[part][number] = either(panel.codes[part][number], shifted_left(two, 4));
            }
            for (int group = 0; group < 2; group++) {
                const Words word = factors[2 * half + part / 2];
                const Words factor = with_sign(shifted_left(word, 24 - 8 * (part % 2 * 2 + group)));
                panel.scales[part][group] = multiply(scale, whole_numbers(factor));
            }
        }
    }
};

// Half a block has 32 bytes with two bits of four parts.
[[gnu::always_inline]] inline void unpack_two_bits(const Place &place, size_t offset, Codes (&codes)[4]) {
    Codes bytes;
    load_bytes(place, offset, bytes);
#pragma GCC unroll 4
    for (int part = 0; part < 4; part++) {
        for (int number = 0; number < 8; number++) {
            codes[part][number] = bits(bytes[number], 2 * part, 3);
        }
    }
}

template <> struct Layout<block_q2_K> : FormatOf256<4, Kind::least_value, 2> {
    [[gnu::always_inline]] static void unpack(const Place &place, int half, Panel<block_q2_K> &panel) {
        unpack_two_bits(place, offsetof(block_q2_K, qs) + 32 * half, panel.codes);
        const Words words = load_words(place, sizeof(block_q2_K) - 4);
        const Numbers scale = from_lower_halves(words);
        const Numbers least = multiply(splat(-1.0f), from_lower_halves(shifted_right(words, 16)));
        Words factors[4];
        load_turned(place, offsetof(block_q2_K, scales), factors);
#pragma GCC unroll 8
        for (int group = 0; group < 8; group++) {
            const Words word = shifted_right(factors[2 * half + group / 4], 8 * (group % 4));
            panel.scales[group / 2][group % 2] = multiply(scale, whole_numbers(both(word, splat(15))));
            const Words minimum = both(shifted_right(word, 4), splat(15));
            panel.minima[group / 2][group % 2] = multiply(least, whole_numbers(minimum));
        }
    }
};

template <> struct Layout<block_q3_K> : FormatOf256<4, Kind::offset, 2, 4> {
    [[gnu::always_inline]] static void unpack(const Place &place, int half, Panel<block_q3_K> &panel) {
        unpack_two_bits(place, offsetof(block_q3_K, qs) + 32 * half, panel.codes);
        Codes bytes;
        load_bytes(place, offsetof(block_q3_K, hmask), bytes);
        // Four bits of eight factors, of eight more, and two more bits of four times four. The scale is the last.
        const Words upper = load_words(place, offsetof(block_q3_K, scales) + 8);
        const Words lower[] = {load_words(place, offsetof(block_q3_K, scales)),
                               load_words(place, offsetof(block_q3_K, scales) + 4)};
        const Numbers scale = from_lower_halves(shifted_right(load_words(place, sizeof(block_q3_K) - 4), 16));
#pragma GCC unroll 4
        for (int part = 0; part < 4; part++) {
            add_bits(panel.codes[part], bytes, 4 * half + part, 4);
            for (int group = 0; group < 2; group++) {
                const int place = 8 * (part % 2 * 2 + group);
                const Words four = both(shifted_right(lower[part / 2], place + 4 * half), splat(15));
                const Words two = both(shifted_right(upper, place + 4 * half + part / 2 * 2), splat(3));
                const Words factor = subtract(either(four, shifted_left(two, 4)), splat(32));
                panel.scales[part][group] = multiply(scale, whole_numbers(factor));
            }
        }
    }
};

template <> struct Layout<block_iq4_xs> : FormatOf256<2, Kind::sign, 1> {
    [[gnu::always_inline]] static void unpack(const Place &place, int index, Panel<block_iq4_xs> &panel) {
        // The scale, two bits of eight factors, and four of each.
        const Words words = load_words(place, 0);
        const Words lower = load_words(place, offsetof(block_iq4_xs, scales_l));
        const Numbers scale = from_lower_halves(words);
        for (int member = 0; member < 2; member++) {
            const int part = 2 * index + member;
            unpack_nibbles(place, offsetof(block_iq4_xs, qs) + 16 * part, panel.codes[member]);
            look_up_values(panel.codes[member]);
            const Words four = both(shifted_right(lower, 4 * part), splat(15));
            const Words two = both(shifted_right(words, 16 + 2 * part), splat(3));
            const Words factor = subtract(either(four, shifted_left(two, 4)), splat(32));
            panel.scales[member][0] = multiply(scale, whole_numbers(factor));
        }
    }
};

} // namespace panels
