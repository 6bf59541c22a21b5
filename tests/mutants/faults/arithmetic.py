"""Faults of the expansions: functions, divisions, reductions over a lane's elements."""

from __future__ import annotations

from tests.mutants.planting import fault

FAULTS = (
    fault(
        "asmgen.lanewise.math.rewrite._fused", "fma(statement, a, b, negated.result)", "fma(statement, a, b, other)",
        "a product less a number of f16 is their sum", "sign changes f16",
    ),
    fault(
        "reduce_waves.expand", "lanes.bit_length() - 1", "lanes.bit_length()",
        "two waves write to one place of LDS", "row_sum(rows=5,cols=300)",
    ),
    fault(
        "reduce_waves.expand", "lanes - 1", "0",
        "the first lane of a wave writes the sum, but it has a part only", "row_sum(rows=5,cols=300)",
    ),
    fault(
        "_tree", "builder.extract(vector, lanes, lanes)", "builder.extract(vector, 0, lanes)",
        "the first half of a lane's elements counts twice", "row_max(rows=20,cols=64,dtype=f16)",
    ),
    fault(
        "_NAN_BITS", "{'max': 2143289344, 'min': 4290772992 - (1 << 32)}", "{'min': 2143289344, 'max': 4290772992 - (1 << 32)}",
        "a NaN is below every number in a max that should keep it",
        "max f32 {3,4,2,2} over {1}+nan=propagate",
    ),
    fault(
        "div_u32", "builder.where(builder.equal(denominator, zero), zero, quotient)", "quotient",
        "a division by 0 is not 0", "div i32 {64}",
    ),
    fault(
        "div_i32", "builder.bitwise_xor(numerator, denominator)", "denominator",
        "a quotient has the divisor's sign", "div i32 {64}",
    ),
    fault(
        "_div_by_power",
        "builder.shift_right(raised, builder.like(shift, numerator))",
        "builder.shift_right(numerator, builder.like(shift, numerator))",
        "a negative number divided by a power of two rounds down", "mean i32 {3,4,2,2} over {1}",
    ),
    fault(
        "_div_by_magic", "builder.sub(high, _sign(builder, numerator))", "high",
        "a negative number divided by a constant is one too small", "quotients by constants",
    ),
    fault(
        "div_i32_by_constant", "quotient if divisor > 0 else neg_i32(builder, quotient)", "quotient",
        "a negative constant divides as its magnitude", "quotients by constants",
    ),
    fault(
        "_div_by_magic", "1 << 31", "1 << 32",
        "a multiplier beyond 31 bits is taken as negative", "quotients by constants",
    ),
    fault(
        "cleanup._key", "tuple([(name, repr(value)) for name, value in statement.attributes.items()])", "()",
        "statements that differ in their attributes count as equal", "vecadd(n=261)",
    ),
    fault(
        "cleanup._key", "statement.op.commutes", "len(operands) > 1",
        "a - b and b - a count as equal", "differences",
    ),
    fault(
        "_gate", "constant != 0.5 or len(factors) != 2", "len(factors) != 2",
        "a product with another factor than one half becomes gelu", "three quarters of gelu",
    ),
    fault(
        "_one_plus", "definitions.literal(term) == 1.0 and other in definitions.of", "other in definitions.of",
        "a sum with another number than 1 becomes gelu", "gelu beside two",
    ),
    fault(
        "asmgen.lanewise.math.rewrite._fused",
        "negated = negation(statement, a)\nreturn (negated, fma(statement, negated.result, b, other))",
        "return (fma(statement, a, b, other),)",
        "c - a b becomes c + a b", "differences of products",
    ),
    fault(
        "asmgen.lanewise.math.rewrite._fused",
        "negated = negation(statement, other)\nreturn (negated, fma(statement, a, b, negated.result))",
        "return (fma(statement, a, b, other),)",
        "a b - c becomes a b + c", "differences of products",
    ),
    fault(
        "simple.clip", "builder.min(builder.max(x, low), high)", "builder.max(builder.min(x, low), high)",
        "clip exchanges its bounds", "clip f16 {3}",
    ),
    fault(
        "max_nan", "builder.unordered(a, b)", "builder.unordered(b, b)",
        "a NaN in the first operand of max is lost", "max f32 {128}+nan=propagate",
    ),
    fault(
        "from_bool",
        "builder.where(condition, builder.constant(1, to), builder.constant(0, to))",
        "builder.where(condition, builder.constant(0, to), builder.constant(1, to))",
        "true becomes 0", "convert bool to f32",
    ),
    fault(
        "where_bool", "builder.logical_not(condition)", "condition",
        "where of bools takes either operand if the condition is true", "where of bools",
    ),
    fault(
        "div", "builder.div_fixup(builder.ldexp(quotient, exponent), denominator, numerator)", "builder.ldexp(quotient, exponent)",
        "a division by 0 or infinity is not corrected", "div f32 {64}",
    ),
    fault(
        "div",
        "builder.sub(builder.frexp_exponent(numerator), builder.frexp_exponent(denominator))",
        "builder.sub(builder.frexp_exponent(denominator), builder.frexp_exponent(numerator))",
        "the exponents of a division are exchanged", "div f32 {64}",
    ),
    fault(
        "div_by_constant", "reciprocal == 1.0", "reciprocal <= 1.0",
        "a division by a constant above 1 is left out", "quotients by constants",
    ),
    fault(
        "exponential.exp", "builder.where(builder.less(builder.abs(f), builder.like(_NEAR_ONE, x)), line, builder.hw_exp2(f))", "line",
        "exp is a line between powers of two", "exp f32 {6}",
    ),
    fault(
        "exponential.sigmoid", "builder.where(builder.less(x, like(0.0, x)), e, like(1.0, x))", "like(1.0, x)",
        "sigmoid is symmetric", "sigmoid f32 {4,3,3,3}",
    ),
    fault("sqrt", "builder.neg(root)", "root", "sqrt is refined away from the root", "sqrt f32 {2,3,4,6}"),
    fault(
        "sqrt", "builder.where(builder.is_class(x, _ZEROS_AND_INFINITY), x, root)", "root",
        "sqrt of 0 is NaN", "sqrt f32 {2,3,4,6}",
    ),
    fault(
        "f32.division.rsqrt", "builder.neg(builder.mul(scaled, r))", "builder.mul(scaled, r)",
        "rsqrt is refined away from the root", "rsqrt f32 {500}",
    ),
    fault(
        "exponential.tanh",
        "builder.copysign(builder.where(builder.less(builder.abs(x), like(_NEAR_TANH, x)), near, far), x)",
        "builder.where(builder.less(builder.abs(x), like(_NEAR_TANH, x)), near, far)",
        "tanh of a large negative number is positive", "tanh f32 {4,3,3,3}",
    ),
    fault(
        "exponential._NEAR_TANH", "0.55", "1.55",
        "tanh's polynomial is used beyond its range", "tanh f32 {4,3,3,3}",
    ),
    fault(
        "rounded.tanh", "builder.where(is_near, x, tanh_fast(builder, x))", "tanh_fast(builder, x)",
        "tanh of a small f16 has the absolute error of 1", "tanh of small halves",
    ),
    fault("rounded._NEAR_ZERO", "1.2 * 2.0**-7", "0.5", "tanh of f16 is x too far from 0", "tanh of small halves"),
    fault(
        "exp_for_bf16", "builder.mul(root, root)", "builder.max(builder.mul(root, root), builder.like(2.0**-126, x))",
        "exp of bf16 has no denormal results", "functions of bf16",
    ),
    fault(
        "sigmoid_for_bf16", "like(-32.0, x)", "like(-0.0, x)",
        "sigmoid of bf16 is scaled after a reciprocal that was not", "functions of bf16",
    ),
    fault(
        "rounded._SMALLEST_NORMAL", "2.0**-126", "0.0",
        "log and roots of bf16 take denormals as 0", "functions of bf16",
    ),
    fault(
        "recip_for_bf16", "builder.where(is_large, like(1 / _SCALE, x), like(_SCALE, x))", "like(1.0, x)",
        "recip of bf16 flushes denormals", "functions of bf16",
    ),
    fault(
        "exponential._NEAR_ERF", "0.8", "1.2",
        "erf's polynomial is used beyond its range", "erf f32 {2,3,4,6}",
    ),
    fault("tanh_gate", "-2 * LOG2_E", "-LOG2_E", "gelu takes half of its argument", "gelu(n=1000)"),
    fault("erf_gate", "2 * scale * _SQRT_2", "2 * scale", "gelu scales the argument of erf wrongly", "gelu_erf(n=1000)"),
    fault("logarithm._SCALE", "2.0**32", "2.0**31", "log of a denormal is off", "log f32 {500}"),
    fault(
        "horner", "coefficients[:-1]", "coefficients[1:]",
        "a polynomial begins with its second coefficient", "erf f32 {2,3,4,6}",
    ),
)  # fmt: skip
