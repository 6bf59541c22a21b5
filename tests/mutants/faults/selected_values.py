"""Faults in the selection of arithmetic, conversions and reductions over lanes."""

from __future__ import annotations

from tests.mutants.planting import faults_in

FAULTS = (
    *faults_in(
        "asmgen/select/alu.py",
        ("neg != (not abs_)", "not neg", "the sign within an absolute value changes it", "sign changes"),
        (
            "neg != bool(rule.negated >> position & 1)\n        low", "neg\n        low",
            "a packed subtraction adds", "softmax(rows=2,cols=40000)",
        ),
        ("int(low != high)", "1", "the second lane of a packed constant reads 0", "gelu(n=1000)"),
        (
            "_Pair(low, 0, 0))", "_Pair(low, 0, 1))",
            "an inline constant of a packed instruction is read in its upper half", "muladd(n=777)",
        ),
        ("op is NEG else", "op is not NEG else", "neg and abs of floats are exchanged", "neg f32 {2,3,4,6}"),
    ),
    *faults_in(
        "asmgen/select/convert.py",
        ('"v_cvt_f32_i32', '"v_cvt_f32_u32', "negative integers become large floats", "convert i32 to f32"),
        ('"v_cvt_i32_f32', '"v_cvt_u32_f32', "negative floats become 0", "convert f32 to i32"),
        (
            "0])[lane // 2]", "0])[0]",
            "of more than two halves the first two are widened", "convert f16 to f32",
        ),
        (
            ", _DWORD = 5, 6", ", _DWORD = 4, 6",
            "the upper half is widened as the lower", "convert f16 to f32",
        ),
        (
            "_UPPER_SOURCE = 1 << 1", "_UPPER_SOURCE = 0",
            "the upper half is widened as the lower on gfx11", "convert f16 to f32@gfx1100",
        ),
        (
            "], halves[2 * unit + 1", " + 1], halves[2 * unit",
            "narrowed halves are exchanged", "convert f32 to f16",
        ),
    ),
    *faults_in(
        "asmgen/select/lanes.py",
        (
            "magnitude[lane], sign", "sign[lane], magnitude",
            "copysign takes its operands for one another", "tanh f32 {4,3,3,3}",
        ),
    ),
    *faults_in(
        "asmgen/select/masks.py",
        (
            "(condition, lane), s.parts(a)[unit], s.parts(b)[unit]", "(condition, lane), s.parts(b)[unit], s.parts(a)[unit]",
            "where takes the other operand", "where {1,3,4,5}",
        ),
        (
            "neg << position\n            abs_ |= source.abs << position",
            "neg\n            abs_ |= source.abs",
            "a comparison turns the sign of the wrong operand", "comparison of signs",
        ),
        (
            "statement.operands[i]) for i in rule.order", "operand) for operand in statement.operands",
            "less and greater of bools are exchanged", "less of bools",
        ),
    ),
    *faults_in(
        "asmgen/select/reductions.py",
        ('): "v_add_f32"', '): "v_max_f32"', "lanes are summed by max", "row_sum(rows=5,cols=300)"),
        (
            "steps_for(reduction.over)", "steps_for(reduction.over)[:-1]",
            "the last step of a reduction over lanes is left out", "row_sum(rows=5,cols=300)",
        ),
        (
            "steps_for(reduction.over)", "steps_for(reduction.over)[1:]",
            "the first step of a reduction over lanes is left out", "row_sum(rows=5,cols=300)",
        ),
        (
            "value, other))", "value, value))",
            "a lane combines its value with itself", "row_sum(rows=5,cols=300)@gfx1100",
        ),
        (
            '): "v_max_i32"', '): "v_max_u32"',
            "max over lanes is of unsigned numbers", "max i32 {3,4,2,2} over {1}",
        ),
        ('): "v_min_f32"', '): "v_max_f32"', "min over lanes is max", "min f32 {3,1026,4,3} over {1}"),
    ),
    *faults_in(
        "asmgen/select/rules.py",
        (
            'v_pk_add_f32", negated=2', 'v_pk_add_f32", negated=1',
            "a packed subtraction turns its first operand", "softmax(rows=33,cols=50)",
        ),
        (
            's_sub_u32", reversed="', 's_sub_u32", order=(1, 0), reversed="',
            "a - b of integers is b - a", "sub i32 {2,3,4,5} by {4,5}",
        ),
        (
            'v_min_{}", "s_min_{}', 'v_min_u32", "s_min_u32',
            "min of i32 is of unsigned numbers", "clips of integers",
        ),
        (
            '"v_ashrrev_i32', '"v_lshrrev_b32',
            "a shift of a negative number fills with zeros", "quotients by constants",
        ),
        (
            '_comparison("lt",', '_comparison("le",',
            "less of floats is true of equal ones", "less f32 {2,3,4,6}",
        ),
        (
            '_g("greater"))', '_g("less"))',
            "an exchanged comparison keeps its relation", "comparison with a constant",
        ),
        (
            '_comparison("neq",', '_comparison("lg",',
            "a NaN is equal to itself", "max f32 {128}+nan=propagate",
        ),
        ('("v_ceil_f32")', '("v_rndne_f32")', "ceil rounds to nearest", "ceil f32 {2,3,4,6}"),
        ("MaskOperation.XOR,", "MaskOperation.OR,", "xor of bools is or", "logical_xor bool {300}"),
    ),
    *faults_in(
        "asmgen/select/vectors.py",
        (
            "step * first : step * (first + count)", ": step * count",
            "every element taken out of a vector is the first", "row_sum(rows=5,cols=300)",
        ),
    ),
    *faults_in(
        "asmgen/select/operands.py",
        (
            "(sources[1], sources[0]", "(sources[0], sources[0]",
            "an exchanged instruction reads one operand twice", "vecadd(n=261)",
        ),
        ("Trait.COMMUTES not in row.traits", "False", "what does not commute is exchanged", "differences"),
    ),
)  # fmt: skip
