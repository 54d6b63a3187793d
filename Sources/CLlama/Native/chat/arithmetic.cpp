#include "arithmetic.hpp"

#include "checks.hpp"

#include <cmath>
#include <stdexcept>

namespace cllama::chat {

namespace {

bool is_number(const jinja::value & value) {
    return is_real(value) || is_whole(value);
}

[[noreturn]] void refuse_size(const std::string & name) {
    throw std::runtime_error("the result of " + name + " is too large");
}

[[noreturn]] void refuse_zero(const std::string & name) {
    throw std::runtime_error(name + " by zero");
}

[[noreturn]] void refuse_negative_power_of_zero() {
    throw std::runtime_error("0 has no negative power");
}

/// Rounded down, not towards zero.
int64_t floored_quotient(int64_t left, int64_t right) {
    const bool is_inexact_and_negative = left % right != 0 && (left < 0) != (right < 0);
    return left / right - (is_inexact_and_negative ? 1 : 0);
}

/// The remainder that belongs to it, which has the sign of the divisor.
int64_t floored_remainder(int64_t left, int64_t right) {
    const int64_t remainder = left % right;
    return remainder != 0 && (remainder < 0) != (right < 0) ? remainder + right : remainder;
}

double floored_remainder(double left, double right) {
    const double remainder = std::fmod(left, right);
    if (remainder == 0) {
        return std::copysign(0.0, right);
    }
    return (remainder < 0) != (right < 0) ? remainder + right : remainder;
}

/// In the steps of Python, so that it rounds alike.
double floored_quotient(double left, double right) {
    const double remainder = std::fmod(left, right);
    double quotient = (left - remainder) / right;
    if (remainder != 0 && (remainder < 0) != (right < 0)) {
        quotient -= 1;
    }
    if (quotient == 0) {
        return std::copysign(0.0, left / right);
    }
    const double floor = std::floor(quotient);
    return quotient - floor > 0.5 ? floor + 1 : floor;
}

/// By squaring; `exponent` is not negative.
int64_t power(int64_t base, int64_t exponent) {
    int64_t result = 1;
    bool is_base_too_large = false;
    for (; exponent > 0; exponent /= 2) {
        const bool is_used = exponent % 2 != 0;
        if (is_used && (is_base_too_large || __builtin_mul_overflow(result, base, &result))) {
            refuse_size("**");
        }
        is_base_too_large = is_base_too_large || __builtin_mul_overflow(base, base, &base);
    }
    return result;
}

double power(double base, double exponent) {
    if (base == 0 && exponent < 0) {
        refuse_negative_power_of_zero();
    }
    const bool are_finite = std::isfinite(base) && std::isfinite(exponent);
    if (are_finite && base < 0 && std::floor(exponent) != exponent) {
        throw std::runtime_error("** of a negative number needs a whole exponent");
    }
    const double result = std::pow(base, exponent);
    if (are_finite && std::isinf(result)) {
        refuse_size("**");
    }
    return result;
}

jinja::value whole_value(int64_t number) {
    return jinja::mk_val<jinja::value_int>(number);
}

jinja::value real_value(double number) {
    return jinja::mk_val<jinja::value_float>(number);
}

jinja::value calculated(const std::string & name, int64_t left, int64_t right) {
    int64_t result = 0;
    bool overflows = false;
    if (name == "+") {
        overflows = __builtin_add_overflow(left, right, &result);
    } else if (name == "-") {
        overflows = __builtin_sub_overflow(left, right, &result);
    } else if (name == "*") {
        overflows = __builtin_mul_overflow(left, right, &result);
    } else if (name == "//" && right == -1) {
        overflows = __builtin_sub_overflow(0, left, &result);
    } else if (name == "//") {
        result = floored_quotient(left, right);
    } else {
        result = right == -1 ? 0 : floored_remainder(left, right);
    }
    if (overflows) {
        refuse_size(name);
    }
    return whole_value(result);
}

jinja::value calculated(const std::string & name, double left, double right) {
    const double result = name == "+"    ? left + right
                          : name == "-"  ? left - right
                          : name == "*"  ? left * right
                          : name == "/"  ? left / right
                          : name == "//" ? floored_quotient(left, right)
                                         : floored_remainder(left, right);
    return real_value(result);
}

jinja::value raised(const jinja::value & left, const jinja::value & right) {
    if (is_whole(left) && is_whole(right) && whole(right) >= 0) {
        return whole_value(power(whole(left), whole(right)));
    }
    return real_value(power(real(left), real(right)));
}

}  // namespace

bool is_real(const jinja::value & value) {
    return jinja::is_val<jinja::value_float>(value);
}

bool is_whole(const jinja::value & value) {
    return checks::is_integer(value) || jinja::is_val<jinja::value_bool>(value);
}

int64_t whole(const jinja::value & value) {
    return checks::is_integer(value) ? value->val_int : static_cast<int64_t>(value->as_bool());
}

double real(const jinja::value & value) {
    return is_real(value) ? value->as_float() : static_cast<double>(whole(value));
}

jinja::value calculated(const std::string & name, const jinja::value & left, const jinja::value & right) {
    const bool divides = name == "/" || name == "//" || name == "%";
    const bool is_arithmetic = divides || name == "+" || name == "-" || name == "*" || name == "**";
    if (!is_arithmetic || !is_number(left) || !is_number(right)) {
        return nullptr;
    }
    if (divides && real(right) == 0) {
        refuse_zero(name == "%" ? "modulo" : "division");
    }
    if (name == "**") {
        return raised(left, right);
    }
    const bool are_whole = is_whole(left) && is_whole(right) && name != "/";
    return are_whole ? calculated(name, whole(left), whole(right)) : calculated(name, real(left), real(right));
}

}  // namespace cllama::chat
