"""The records of elementwise ops: which rows an op is, on which element type, in the vector and in the scalar
unit."""

from __future__ import annotations

from asmgen.graph.ops import graph_op
from asmgen.ir.program import Op
from asmgen.lanewise import ops
from isa.lane_masks import MaskOperation
from isa.named_tuple import NamedTuple


class Rule(NamedTuple):
    """An op as a single instruction per element.

    `vector` is the VALU mnemonic without its encoding; `packed` does two elements at once (f32 in a register
    pair, f16 in a register); `scalar` is the SALU mnemonic for values in SGPRs. `order` gives the op's
    operand for each VALU source; numbers from the op's count of operands on are left out. `negated` is the
    mask of the sources that the packed form negates. `reversed` is the VALU form with the first two sources
    exchanged. `last` are the numbers that the VALU form takes after the op's operands.
    """

    vector: str
    packed: str = ""
    scalar: str = ""
    order: tuple[int, ...] = (0, 1, 2)
    negated: int = 0
    reversed: str = ""
    last: tuple[int, ...] = ()


RuleTable = dict[Op, dict[str, Rule]]


def _g(name: str) -> Op:
    return graph_op(name)


def _integers(
    vector: str, scalar: str, order: tuple[int, ...] = (0, 1, 2), reversed: str = ""
) -> dict[str, Rule]:
    """The same row for both signs."""
    rule = Rule(vector, "", scalar, order, 0, reversed)
    return {"i32": rule, "u32": rule}


def _signs(vector: str, scalar: str) -> dict[str, Rule]:
    """A row per sign, `{}` means the type."""
    return {t: Rule(vector.format(t), "", scalar.format(t)) for t in ("i32", "u32")}


ARITHMETIC: RuleTable = {
    _g("add"): {
        "f32": Rule("v_add_f32", "v_pk_add_f32"),
        "f16": Rule("v_add_f16", "v_pk_add_f16"),
        **_integers("v_add_u32", "s_add_u32"),
    },
    _g("sub"): {
        "f32": Rule("v_sub_f32", "v_pk_add_f32", negated=2, reversed="v_subrev_f32"),
        "f16": Rule("v_sub_f16", "v_pk_add_f16", negated=2, reversed="v_subrev_f16"),
        **_integers("v_sub_u32", "s_sub_u32", reversed="v_subrev_u32"),
    },
    _g("mul"): {
        "f32": Rule("v_mul_f32", "v_pk_mul_f32"),
        "f16": Rule("v_mul_f16", "v_pk_mul_f16"),
        **_integers("v_mul_lo_u32", "s_mul_i32"),
    },
    _g("max"): {
        "f32": Rule("v_max_f32"),
        "f16": Rule("v_max_f16", "v_pk_max_f16"),
        **_signs("v_max_{}", "s_max_{}"),
    },
    _g("min"): {
        "f32": Rule("v_min_f32"),
        "f16": Rule("v_min_f16", "v_pk_min_f16"),
        **_signs("v_min_{}", "s_min_{}"),
    },
    ops.FMA: {"f32": Rule("v_fma_f32", "v_pk_fma_f32"), "f16": Rule("v_fma_f16", "v_pk_fma_f16")},
    _g("floor"): {"f32": Rule("v_floor_f32"), "f16": Rule("v_floor_f16")},
    _g("ceil"): {"f32": Rule("v_ceil_f32"), "f16": Rule("v_ceil_f16")},
    _g("nearbyint"): {"f32": Rule("v_rndne_f32"), "f16": Rule("v_rndne_f16")},
    ops.TRUNC: {"f32": Rule("v_trunc_f32")},
    ops.FRACT: {"f32": Rule("v_fract_f32")},
    ops.MED3: {"f32": Rule("v_med3_f32"), "i32": Rule("v_med3_i32"), "u32": Rule("v_med3_u32")},
    ops.MAXIMUM: {"f32": Rule("v_maximum3_f32", order=(0, 1, 1))},  # gfx950 only has that of three numbers
    ops.MINIMUM: {"f32": Rule("v_minimum3_f32", order=(0, 1, 1))},
    ops.HW_EXP2: {"f32": Rule("v_exp_f32")},
    ops.HW_LOG2: {"f32": Rule("v_log_f32")},
    ops.HW_RCP: {"f32": Rule("v_rcp_f32")},
    ops.HW_RSQ: {"f32": Rule("v_rsq_f32")},
    ops.HW_SQRT: {"f32": Rule("v_sqrt_f32")},
    ops.LDEXP: {"f32": Rule("v_ldexp_f32")},
    ops.FREXP_MANTISSA: {"f32": Rule("v_frexp_mant_f32")},
    ops.FREXP_EXPONENT: {"f32": Rule("v_frexp_exp_i32_f32")},
    ops.DIV_FIXUP: {"f32": Rule("v_div_fixup_f32")},
    _g("bitwise_and"): _integers("v_and_b32", "s_and_b32"),
    _g("bitwise_or"): _integers("v_or_b32", "s_or_b32"),
    _g("bitwise_xor"): _integers("v_xor_b32", "s_xor_b32"),
    _g("bitwise_not"): _integers("v_not_b32", "s_not_b32"),
    _g("popcount"): dict.fromkeys(("i32", "u32"), Rule("v_bcnt_u32_b32", "", "s_bcnt1_i32_b32", last=(0,))),
    ops.FIRST_ONE: _integers("v_ffbh_u32", "s_flbit_i32_b32"),
    ops.ALIGN_BITS: {"u32": Rule("v_alignbit_b32")},
    ops.SIGNED_BITS: {"u32": Rule("v_bfe_i32")},
    ops.CHOOSE_BITS: {"u32": Rule("v_bfi_b32")},
    ops.SHIFT_LEFT: _integers("v_lshlrev_b32", "s_lshl_b32", (1, 0)),
    ops.SHIFT_RIGHT: {
        "i32": Rule("v_ashrrev_i32", "", "s_ashr_i32", (1, 0)),
        "u32": Rule("v_lshrrev_b32", "", "s_lshr_b32", (1, 0)),
    },
    ops.MULTIPLY_HIGH: _signs("v_mul_hi_{}", "s_mul_hi_{}"),
}


class FloatRule(NamedTuple):
    """An instruction of f64, which reads pairs of registers; `negated` is the mask of the negated sources."""

    name: str
    negated: int = 0


WIDE_FLOATS: dict[Op, FloatRule] = {
    _g("add"): FloatRule("v_add_f64"), _g("sub"): FloatRule("v_add_f64", negated=2),
    _g("mul"): FloatRule("v_mul_f64"), ops.FMA: FloatRule("v_fma_f64"),
    _g("max"): FloatRule("v_max_f64"), _g("min"): FloatRule("v_min_f64"),
    _g("floor"): FloatRule("v_floor_f64"), _g("ceil"): FloatRule("v_ceil_f64"),
    _g("nearbyint"): FloatRule("v_rndne_f64"), ops.TRUNC: FloatRule("v_trunc_f64"),
    ops.FRACT: FloatRule("v_fract_f64"), ops.HW_RCP: FloatRule("v_rcp_f64"),
    ops.HW_RSQ: FloatRule("v_rsq_f64"), ops.HW_SQRT: FloatRule("v_sqrt_f64"),
    ops.HW_TWO_OVER_PI: FloatRule("v_trig_preop_f64"), ops.LDEXP: FloatRule("v_ldexp_f64"),
    ops.DIV_FIXUP: FloatRule("v_div_fixup_f64"),
    ops.FREXP_MANTISSA: FloatRule("v_frexp_mant_f64"), ops.FREXP_EXPONENT: FloatRule("v_frexp_exp_i32_f64"),
}  # fmt: skip


class CompareRule(NamedTuple):
    """A relation: VALU and SALU mnemonics up to the type; the scalar unit has integers alone. `swapped` is
    the relation of the exchanged operands."""

    vector: dict[str, str]
    scalar: dict[str, str]
    swapped: Op


def _comparison(floating: str, integer: str, scalar: str, swapped: Op) -> CompareRule:
    vector = {t: f"v_cmp_{floating}_{t}" for t in ("f32", "f16")} | {
        t: f"v_cmp_{integer}_{t}" for t in ("i32", "u32")
    }
    return CompareRule(vector, {t: f"s_cmp_{scalar}_{t}" for t in ("i32", "u32")}, swapped)


COMPARISONS: dict[Op, CompareRule] = {
    _g("equal"): _comparison("eq", "eq", "eq", _g("equal")),
    ops.NOT_EQUAL: _comparison("neq", "ne", "lg", ops.NOT_EQUAL),
    _g("less"): _comparison("lt", "lt", "lt", _g("greater")),
    _g("greater"): _comparison("gt", "gt", "gt", _g("less")),
    ops.LESS_EQUAL: _comparison("le", "le", "le", ops.GREATER_EQUAL),
    ops.GREATER_EQUAL: _comparison("ge", "ge", "ge", ops.LESS_EQUAL),
    ops.UNORDERED: CompareRule({"f32": "v_cmp_u_f32"}, {}, ops.UNORDERED),
}


class MaskRule(NamedTuple):
    """An op on bool as an operation on lane masks; `order` as in `Rule`. `scalar` is its form on 0 and 1 in
    an SGPR; a relation has none, since a relation on 0 and 1 is a compare of u32."""

    mask: MaskOperation
    scalar: str = ""
    order: tuple[int, ...] = (0, 1)


MASKS: dict[Op, MaskRule] = {
    _g("logical_and"): MaskRule(MaskOperation.AND, "s_and_b32"),
    _g("bitwise_and"): MaskRule(MaskOperation.AND, "s_and_b32"),
    _g("logical_or"): MaskRule(MaskOperation.OR, "s_or_b32"),
    _g("bitwise_or"): MaskRule(MaskOperation.OR, "s_or_b32"),
    _g("logical_xor"): MaskRule(MaskOperation.XOR, "s_xor_b32"),
    _g("bitwise_xor"): MaskRule(MaskOperation.XOR, "s_xor_b32"),
    _g("equal"): MaskRule(MaskOperation.XNOR),
    ops.NOT_EQUAL: MaskRule(MaskOperation.XOR),
    _g("less"): MaskRule(MaskOperation.AND_NOT, order=(1, 0)),  # false before true: b and not a
    _g("greater"): MaskRule(MaskOperation.AND_NOT),
}
