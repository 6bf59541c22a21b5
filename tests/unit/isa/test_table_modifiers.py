"""No row lacks a modifier that LLVM takes for its instruction, apart from those listed here with the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

import pytest

from isa.constants import FLOAT_TYPES
from isa.instruction import Encoding, Immediate, Row, Trait, Unit
from isa.table import table_named
from isa.text.printing import format_instr
from tests.rows import MACHINES, rows_in_turn
from tests.unit.isa.assembler import assemble_lines
from tests.unit.isa.samples import base

pytestmark = [pytest.mark.broad, pytest.mark.needs_llvm("llvm-mc-22")]

WORDS = {"clamp": "clamp", "omod": "mul:2"}
MEMORY_WORDS = {"sc0": "sc0", "sc1": "sc1", "nt": "nt", "offset": "offset:4", "offset0": "offset0:4", "gds": "gds", "glc": "glc"}
WRAPPED = {"neg": "-{}", "abs": "|{}|", "sext": "sext({})"}
LISTS = ("op_sel", "op_sel_hi", "neg_lo", "neg_hi")


class Candidate(NamedTuple):
    """A modifier that a row does not have, and ways to write the row's plain sample with it."""

    row: Row
    modifier: str
    source: int
    texts: tuple[str, ...]


def candidates(row: Row) -> Iterator[Candidate]:
    """What might be missing: words, wrapped sources, lists; a dual instruction has no modifiers at all."""
    if row.components:
        return
    first = base(row)
    spelt = [i for i in range(len(row.operands)) if not row.operands[i].hidden]
    names = {i: format_instr(first).split(" ", 1)[-1].split(", ")[n] for n, i in enumerate(spelt)} if spelt else {}
    if not names:
        return
    *leading, last = names.values()
    final, _, tail = last.partition(" ")
    known = {spec.name: spec for spec in row.modifiers}

    def written(operands: list[str], *words: str) -> tuple[str, ...]:
        body = f"{row.mnemonic} {', '.join(operands)}"
        return (" ".join([body, *words, tail]).strip(), " ".join([body, tail, *words]).strip())

    operands = [*leading, final]
    for name, word in (WORDS if row.unit in (Unit.VALU, Unit.TRANS) else MEMORY_WORDS).items():
        if name not in known and (row.memory_bytes or name in WORDS):
            yield Candidate(row, name, -1, written(operands, word))
    if row.unit not in (Unit.VALU, Unit.TRANS):
        return
    sources = [n for n, i in enumerate(spelt) if i in row.uses]
    for bit, n in enumerate(sources):
        for name, form in WRAPPED.items():
            if name not in known or not known[name].maximum >> bit & 1:
                changed = [form.format(text) if n == m else text for m, text in enumerate(operands)]
                yield Candidate(row, name, bit, written(changed))
    for name in LISTS:
        if name not in known and row.encoding is Encoding.E64:
            yield Candidate(row, name, -1, written(operands, f"{name}:[{','.join('1' for _ in sources)}]"))


def is_integer_result(row: Row) -> bool:
    return row.operands[0].type not in FLOAT_TYPES


def source_name(candidate: Candidate) -> str:
    """The name of the source that the modifier is on; empty if it is on none."""
    sources = [candidate.row.operands[i] for i in candidate.row.uses if not candidate.row.operands[i].hidden]
    return sources[candidate.source].name if candidate.source >= 0 else ""


NEVER_CLAMPED = frozenset({
    "v_cvt_pk_i16_f32", "v_cvt_pk_norm_i16_f16", "v_cvt_pk_norm_i16_f32", "v_cvt_pk_norm_u16_f16", "v_cvt_pk_norm_u16_f32", "v_cvt_pk_u16_f32",
    "v_cvt_pkaccum_u8_f32", "v_cvt_pknorm_i16_f16", "v_cvt_pknorm_u16_f16",
    "v_alignbit_b32", "v_alignbyte_b32", "v_cvt_pk_u8_f32", "v_cvt_pknorm_i16_f32", "v_cvt_pknorm_u16_f32", "v_frexp_exp_i16_f16",
    "v_frexp_exp_i32_f32", "v_frexp_exp_i32_f64", "v_max3_i16", "v_max3_u16", "v_med3_i16", "v_med3_u16", "v_min3_i16", "v_min3_u16",
    "v_pack_b32_f16", "v_pk_ashrrev_i16", "v_pk_lshlrev_b16", "v_pk_lshrrev_b16", "v_pk_max_i16", "v_pk_max_u16", "v_pk_min_i16",
    "v_pk_min_u16", "v_pk_mov_b32", "v_pk_mul_lo_u16",
})  # fmt: skip

REASONS: dict[str, Callable[[Candidate], bool]] = {
    "an output multiplier means nothing on an integer result": lambda c: c.modifier == "omod" and is_integer_result(c.row),
    "clamping means nothing where the result is a choice of bits or always in range, and compilers never ask for it": (
        lambda c: c.modifier == "clamp" and c.row.name in NEVER_CLAMPED
    ),
    "negating halves of integers is not defined": lambda c: c.modifier in ("neg_lo", "neg_hi") and is_integer_result(c.row),
    "the carry-out encoding of v_div_scale has no field for abs, and llvm-mc drops it": (
        lambda c: c.modifier == "abs" and len(c.row.defines) == 2 and c.row.operands[0].type in FLOAT_TYPES
    ),
    "op_sel of v_alignbit and v_alignbyte chooses half of a shift that has five bits": (
        lambda c: c.modifier == "op_sel" and [spec.type for spec in c.row.operands] == ["b32", "b32", "b32", "u32"]
    ),
    "a sign extension belongs to SDWA; llvm-mc takes it for v_ldexp_f16 elsewhere by a slip": (
        lambda c: c.modifier == "sext" and c.row.encoding is not Encoding.SDWA
    ),
    "the text names no encoding, and LLVM takes the one that has the modifier": (
        lambda c: c.row.encoding is Encoding.DPP and c.row.mnemonic == c.row.name
    ),
    "the mask of a class compare has no sign": (
        lambda c: (
            c.modifier in ("neg", "abs")
            and source_name(c) == "src1"
            and c.row.encoding in (Encoding.E64, Encoding.E64_DPP)
            and all(c.row.operands[i].type in ("mask", "mask32") for i in c.row.defines)
            and c.row.operands[-1].type not in FLOAT_TYPES
        )
    ),
    "which half an operand is stands in the modifier `half`, which has op_sel's spelling where registers have no .l and .h": (
        lambda c: c.modifier == "op_sel" and any(spec.name == "half" for spec in c.row.modifiers)
    ),
    "the sample's operand is a literal, and a minus makes another one": (
        lambda c: c.modifier == "neg" and any(isinstance(operand, Immediate) for operand in base(c.row).operands)
    ),
    "sc0, or gfx90a's glc, asks for the value before: that is the form `return`": (
        lambda c: c.modifier in ("sc0", "glc") and Trait.ATOMIC in c.row.traits
    ),
    "the memory that all workgroups share is none that compute kernels are given": lambda c: c.modifier == "gds",
    "a scale is the exponent of its operand, whose sign says nothing": lambda c: source_name(c) == "scale",
}


@cache
def accepted(machine: str, rows: tuple[Row, ...]) -> list[Candidate]:
    every = [candidate for row in rows for candidate in candidates(row)]
    texts = list(dict.fromkeys(text for candidate in every for text in candidate.texts))
    taken = {text for text, seen in zip(texts, assemble_lines(texts, machine), strict=True) if not seen.error}
    return [candidate for candidate in every if taken.intersection(candidate.texts)]


@pytest.mark.parametrize("machine", MACHINES)
def test_no_modifier_is_missing_without_a_reason(machine: str) -> None:
    """Each row on one of the machines that have it."""
    hold(machine, rows_in_turn(machine))


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
def test_no_modifier_is_missing_on_any_machine_without_a_reason(machine: str) -> None:
    hold(machine, table_named(machine).rows)


def hold(machine: str, rows: tuple[Row, ...]) -> None:
    found = accepted(machine, rows)
    missing = [(c.row, c.row.form, c.modifier, c.source) for c in found if not any(explains(c) for explains in REASONS.values())]
    assert missing == []


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_still_explains_something(reason: str) -> None:
    assert any(REASONS[reason](c) for machine in MACHINES for c in accepted(machine, rows_in_turn(machine)))
