"""Faults of the selection of arithmetic, conversions and reductions over lanes."""

from __future__ import annotations

from tests.mutants.planting import fault

FAULTS = (
    fault(
        "selection.source_of", "neg != (not abs_)", "not neg",
        "the sign within an absolute value changes it", "sign changes",
    ),
    fault(
        "_put_pair", "source.neg != bool(rule.negated >> position & 1)", "source.neg",
        "a packed subtraction adds", "softmax(rows=2,cols=40000)",
    ),
    fault("alu._constants", "int(low != high)", "1", "the second lane of a packed constant reads 0", "tanh f32 {4,3,3,3}"),
    fault(
        "alu._constants", "_Pair(low, 0, 0)", "_Pair(low, 0, 1)",
        "an inline constant of a packed instruction is read in its upper half", "muladd(n=777)",
    ),
    fault(
        "select_sign", "statement.op is NEG", "statement.op is not NEG",
        "neg and abs of floats are exchanged", "neg f32 {2,3,4,6}",
    ),
    fault(
        "convert._ELEMENTS", '{("i32", "f32"): "v_cvt_f32_i32"}', '{("i32", "f32"): "v_cvt_f32_u32"}',
        "negative integers become large floats", "convert i32 to f32",
    ),
    fault(
        "convert._ELEMENTS", '{("f32", "i32"): "v_cvt_i32_f32"}', '{("f32", "i32"): "v_cvt_u32_f32"}',
        "negative floats become 0", "convert f32 to i32",
    ),
    fault(
        "narrow.place_of", "lane // per_unit", "0",
        "of more than two halves only the first two are widened", "convert f16 to f32",
    ),
    fault("convert._DWORD", "5, 6", "4, 6", "the upper half is widened as the lower", "convert f16 to f32"),
    fault(
        "_UPPER_SOURCE", "1 << 1", "0",
        "the upper half is widened as the lower on gfx11", "convert f16 to f32@gfx1100",
    ),
    fault(
        "small_integers._LESS_1152", "0xE400E400, 0xE480E480", "0xE400E400, 0xE400E400",
        "signed bytes become 128 larger", "bytes as f16",
    ),
    fault(
        "raised_bytes", "place_of(s, value, lane)", "place_of(s, value, 0)",
        "every f16 is the first byte", "bytes as f16",
    ),
    fault(
        "put_rounded",
        "_put(s, high, unit, [source.renamed(old, first) for source in sources], lane + 1, first)",
        "_put(s, high, unit, [source.renamed(old, first) for source in sources], lane, first)",
        "the first of two results fills both halves", "rounded product",
    ),
    fault(
        "select_copysign", "(Immediate(0x7FFFFFFF), magnitude[lane], sign[lane])", "(Immediate(0x7FFFFFFF), sign[lane], magnitude[lane])",
        "copysign exchanges its operands", "tanh f32 {4,3,3,3}",
    ),
    fault(
        "select_where",
        "put_choice(s, register.part(unit), (condition, lane), s.parts(a)[unit], s.parts(b)[unit])",
        "put_choice(s, register.part(unit), (condition, lane), s.parts(b)[unit], s.parts(a)[unit])",
        "where takes the other operand", "where {1,3,4,5}",
    ),
    fault(
        "put_comparison",
        "if signed is None:\n    neg |= source.neg << position\n    abs_ |= source.abs << position",
        "if signed is None:\n    neg |= source.neg\n    abs_ |= source.abs",
        "a comparison negates the wrong operand", "comparison of signs",
    ),
    fault(
        "select_mask_op", "[s.masks(statement.operands[i]) for i in rule.order]", "[s.masks(operand) for operand in statement.operands]",
        "less and greater of bools are exchanged", "less of bools",
    ),
    fault(
        "reductions.STEPS", '{(ADD, "f32"): "v_add_f32"}', '{(ADD, "f32"): "v_max_f32"}',
        "lanes are summed by max", "row_sum(rows=5,cols=300)",
    ),
    fault(
        "select_dpp_reduce", "s.emitter.target.steps_for(reduction.over)", "s.emitter.target.steps_for(reduction.over)[:-1]",
        "the last step of a reduction over lanes is left out", "row_sum(rows=5,cols=300)",
    ),
    fault(
        "select_dpp_reduce", "s.emitter.target.steps_for(reduction.over)", "s.emitter.target.steps_for(reduction.over)[1:]",
        "the first step of a reduction over lanes is left out", "row_sum(rows=5,cols=300)",
    ),
    fault(
        "put_step", "(value, other)", "(value, value)",
        "a lane combines its value with itself", "row_sum(rows=5,cols=300)@gfx1100",
    ),
    fault(
        "reductions.STEPS", '{(MAX, "i32"): "v_max_i32"}', '{(MAX, "i32"): "v_max_u32"}',
        "max over lanes compares as unsigned", "max i32 {3,4,2,2} over {1}",
    ),
    fault(
        "reductions.STEPS", '{(MIN, "f32"): "v_min_f32"}', '{(MIN, "f32"): "v_max_f32"}',
        "min over lanes is max", "min f32 {3,1026,4,3} over {1}",
    ),
    fault(
        "ARITHMETIC",
        '{"f32": Rule("v_sub_f32", "v_pk_add_f32", negated=2, reversed="v_subrev_f32")}',
        '{"f32": Rule("v_sub_f32", "v_pk_add_f32", negated=1, reversed="v_subrev_f32")}',
        "a packed subtraction negates its first operand", "softmax(rows=33,cols=50)",
    ),
    fault(
        "ARITHMETIC",
        '_integers("v_sub_u32", "s_sub_u32", reversed="v_subrev_u32")',
        '_integers("v_sub_u32", "s_sub_u32", order=(1, 0), reversed="v_subrev_u32")',
        "a - b of integers is b - a", "sub i32 {2,3,4,5} by {4,5}",
    ),
    fault(
        "ARITHMETIC", '_signs("v_min_{}", "s_min_{}")', '_signs("v_min_u32", "s_min_u32")',
        "min of i32 compares as unsigned", "lower of two integers",
    ),
    fault(
        "ARITHMETIC", '"v_ashrrev_i32"', '"v_lshrrev_b32"',
        "a shift of a negative number fills with zeros", "quotients by constants",
    ),
    fault(
        "rules.COMPARISONS",
        '{_g("less"): _comparison("lt", "lt", "lt", _g("greater"))}',
        '{_g("less"): _comparison("le", "lt", "lt", _g("greater"))}',
        "less of floats is true for equal numbers", "less f32 {2,3,4,6}",
    ),
    fault(
        "rules.COMPARISONS",
        '{_g("less"): _comparison("lt", "lt", "lt", _g("greater"))}',
        '{_g("less"): _comparison("lt", "lt", "lt", _g("less"))}',
        "an exchanged comparison keeps its relation", "comparison with a constant",
    ),
    fault(
        "rules.COMPARISONS",
        '{ops.NOT_EQUAL: _comparison("neq", "ne", "lg", ops.NOT_EQUAL)}',
        '{ops.NOT_EQUAL: _comparison("lg", "ne", "lg", ops.NOT_EQUAL)}',
        "a NaN is equal to itself", "argmax()",
    ),
    fault("ARITHMETIC", '"v_ceil_f32"', '"v_rndne_f32"', "ceil rounds to nearest", "ceil f32 {2,3,4,6}"),
    fault(
        "MASKS",
        '{_g("logical_xor"): MaskRule(MaskOperation.XOR, "s_xor_b32")}',
        '{_g("logical_xor"): MaskRule(MaskOperation.OR, "s_xor_b32")}',
        "xor of bools is or", "logical_xor bool {300}",
    ),
    fault(
        "select_extract", "s.parts(vector)[step * first : step * (first + count)]", "s.parts(vector)[: step * count]",
        "every extracted element is the first element", "row_sum(rows=5,cols=300)",
    ),
    fault(
        "operands.put_vector", "sources[1]", "sources[0]",
        "an exchanged instruction reads one operand twice", "vecadd(n=261)",
    ),
    fault(
        "operands._exchanged", "Trait.COMMUTES not in row.traits", "False",
        "operands that do not commute are exchanged", "differences",
    ),
)  # fmt: skip
