"""Faults in what functions, divisions and reductions over a lane's elements are made of."""

from __future__ import annotations

from tests.mutants.planting import faults_in

FAULTS = (
    *faults_in(
        "asmgen/lanewise/math/reductions.py",
        (
            "bit_length() - 1, U32", "bit_length(), U32",
            "two waves write to one place of LDS", "row_sum(rows=5,cols=300)",
        ),
        (
            "lane=lanes - 1)", "lane=0)",
            "a wave's first lane, which has a part of the sum, writes it", "row_sum(rows=5,cols=300)",
        ),
        (
            "builder.extract(vector, lanes, lanes)", "builder.extract(vector, 0, lanes)",
            "of a lane's elements the first half counts twice", "row_sum(rows=7,cols=2000,dtype=f16)",
        ),
        (
            'max": 0x7FC00000,\n    "min', 'min": 0x7FC00000,\n    "max',
            "a NaN is below every number in a max that should keep it",
            "row_max(rows=5,cols=300)+nan=propagate",
        ),
    ),
    *faults_in(
        "asmgen/lanewise/math/integer.py",
        (
            "builder.where(builder.equal(denominator, zero), zero, quotient)", "quotient",
            "a division by 0 is not 0", "div i32 {64}",
        ),
        (
            "builder.bitwise_xor(numerator, denominator)", "denominator",
            "a quotient has the divisor's sign", "div i32 {64}",
        ),
        (
            "builder.shift_right(raised, builder.like(shift", "builder.shift_right(numerator, builder.like(shift",
            "a negative number divided by a power of two rounds down", "mean i32 {3,4,2,2} over {1}",
        ),
        (
            "builder.sub(high, _sign(builder, numerator))", "high",
            "a negative number divided by a constant is one too small", "quotients by constants",
        ),
        (
            "quotient if divisor > 0 else neg_i32(builder, quotient)", "quotient",
            "a negative constant divides as its magnitude", "quotients by constants",
        ),
        (
            "if magic >= 1 << 31", "if magic >= 1 << 32",
            "a multiplier beyond 31 bits is taken as negative", "quotients by constants",
        ),
    ),
    *faults_in(
        "asmgen/lanewise/math/cleanup.py",
        (
            "tuple([(name, repr(value)) for name, value in statement.attributes.items()]", "(",
            "statements that differ in their attributes count as equal", "vecadd(n=261)",
        ),
        ("statement.op.commutes", "len(operands) > 1", "a - b and b - a count as equal", "differences"),
    ),
    *faults_in(
        "asmgen/lanewise/math/rewrite.py",
        (
            "constant != 0.5 or len", "len",
            "gelu is made of what has another factor than one half", "three quarters of gelu",
        ),
        (
            "definitions.literal(one) == 1.0 and other", "other",
            "gelu is made of a sum with another number than 1", "gelu beside two",
        ),
        (
            "negated = _negated(statement, a)\n    return (negated, _fma(statement, negated.result, b, other)",
            "return (_fma(statement, a, b, other),",
            "c - a b becomes c + a b", "differences of products",
        ),
        (
            "negated = _negated(statement, other)\n        return (negated, _fma(statement, a, b, negated.result)",
            "return (_fma(statement, a, b, other),",
            "a b - c becomes a b + c", "differences of products",
        ),
    ),
    *faults_in(
        "asmgen/lanewise/math/simple.py",
        ("min(builder.max", "max(builder.min", "clip takes its bounds for one another", "clip f16 {3}"),
        (
            "a, _unless_nan(builder, b, builder.max(a, b)", "b, builder.max(a, b",
            "a NaN in the first operand of max is lost", "max f32 {128}+nan=propagate",
        ),
        ("1, to), builder.constant(0", "0, to), builder.constant(1", "true becomes 0", "convert bool to f32"),
        (
            "builder.logical_not(condition)", "condition",
            "where of bools takes either where the condition holds", "where of bools",
        ),
    ),
    *faults_in(
        "asmgen/lanewise/math/division.py",
        (
            "div_fixup(builder.ldexp(quotient, exponent), denominator, numerator", "ldexp(quotient, exponent",
            "a division by 0 or infinity is not mended", "div f32 {64}",
        ),
        (
            "numerator), builder.frexp_exponent(denominator",
            "denominator), builder.frexp_exponent(numerator",
            "the exponents of a division are exchanged", "div f32 {64}",
        ),
        (
            "if reciprocal == 1", "if reciprocal <= 1",
            "a division by a constant above 1 is left out", "quotients by constants",
        ),
    ),
    *faults_in(
        "asmgen/lanewise/math/exponential.py",
        (
            "builder.where(builder.less(builder.abs(f), builder.like(_NEAR_ONE, x)), line, builder.hw_exp2(f))",
            "line",
            "exp is a line between powers of two", "exp f32 {6}",
        ),
        (
            "builder.where(builder.less(x, like(0.0, x)), e, like(1.0, x)", "like(1.0, x",
            "sigmoid is symmetric", "sigmoid f32 {4,3,3,3}",
        ),
    ),
    *faults_in(
        "asmgen/lanewise/math/roots.py",
        (
            "builder.fma(builder.neg(root), root, scaled)", "builder.fma(root, root, scaled)",
            "sqrt is refined away from the root", "sqrt f32 {2,3,4,6}",
        ),
        (
            "builder.where(builder.is_class(x, _ZEROS_AND_INFINITY), x, root)", "root",
            "sqrt of 0 is NaN", "sqrt f32 {2,3,4,6}",
        ),
        (
            "neg(builder.mul(scaled, r)", "mul(scaled, r",
            "rsqrt is refined away from the root", "rsqrt f32 {500}",
        ),
    ),
    *faults_in(
        "asmgen/lanewise/math/hyperbolic.py",
        (
            "copysign(builder.where(builder.less(builder.abs(x), like(_THRESHOLD, x)), near, far), x",
            "where(builder.less(builder.abs(x), like(_THRESHOLD, x)), near, far",
            "tanh of a large negative number is positive", "tanh f32 {4,3,3,3}",
        ),
        (
            "_THRESHOLD = 0.55", "_THRESHOLD = 1.55",
            "tanh's polynomial is used beyond its range", "tanh f32 {4,3,3,3}",
        ),
    ),
    *faults_in(
        "asmgen/lanewise/math/error_function.py",
        (
            "_THRESHOLD = 0.8", "_THRESHOLD = 1.2",
            "erf's polynomial is used beyond its range", "erf f32 {2,3,4,6}",
        ),
    ),
    *faults_in(
        "asmgen/lanewise/math/gates.py",
        ("= [-2 * LOG2_E *", "= [-LOG2_E *", "gelu takes half of its argument", "gelu(n=1000)"),
        ("scale * _SQRT_2", "scale", "gelu's erf is of another scale", "gelu_erf(n=1000)"),
    ),
    *faults_in(
        "asmgen/lanewise/math/logarithm.py",
        ("_SCALE = 2.0**32", "_SCALE = 2.0**31", "log of a denormal is off", "log f32 {500}"),
    ),
    *faults_in(
        "asmgen/lanewise/math/polynomial.py",
        (
            "coefficients[:-1]", "coefficients[1:]",
            "a polynomial begins with its second coefficient", "erf f32 {2,3,4,6}",
        ),
    ),
)  # fmt: skip
