"""A trial: an instruction of a row with random modifiers, and its registers before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from msgspec import Struct, field

from isa.build import build
from isa.constants import BITS
from isa.dpp import quad_perm
from isa.instruction import Encoding, ExecMode, Immediate, Instr, Kind, ModifierSpec, ModifierValue, Operand, Role, Row, Trait
from isa.lane_masks import MASK_TYPES
from isa.registers import FIRST_VGPR, VCC, VCC_LO, Register, sgpr, vgpr
from tests.pseudocode.machine import Words
from tests.pseudocode.modifiers import DWORD
from tests.pseudocode.operands import values
from tests.pseudocode.subjects import WAVE_WIDE, Subject, clamped

PAIRS = frozenset({"f16x2", "bf16x2", "f32x2"})
LANE_CONTROLLED = (Encoding.DPP, Encoding.E64_DPP)
_CONTROLS: dict[str, tuple[int, int]] = {  # the encodings that a spelling stands for
    "quad_perm": (0, 0xFF), "row_shl": (0x101, 0x10F), "row_shr": (0x111, 0x11F), "row_ror": (0x121, 0x12F), "wave_shl": (0x130, 0x130),
    "wave_rol": (0x134, 0x134), "wave_shr": (0x138, 0x138), "wave_ror": (0x13C, 0x13C), "row_mirror": (0x140, 0x140),
    "row_half_mirror": (0x141, 0x141), "row_bcast": (0x142, 0x143), "row_newbcast": (0x150, 0x15F), "row_share": (0x150, 0x15F),
    "row_xmask": (0x160, 0x16F),
}  # fmt: skip


class Outcome(Struct, frozen=True):
    """One result of one lane: the wanted and the real result, and the sources as the instruction saw them."""

    result: str
    type: str
    wanted: tuple[int, ...]  # patterns that are right, the exact pattern first
    got: int
    sources: tuple[int, ...]
    name: str = ""  # of the instruction, if the row has several


class Trial(Struct):
    """An instruction with the contents of its registers before it; `lanes` are those that are judged."""

    subject: Subject
    instr: Instr
    contents: dict[int, Words]  # by operand index: uint64[wave, lane], or [wave] of a scalar; of more than two registers, one each
    exec_masks: Words
    scc: Words
    vcc: Words
    lanes: tuple[int, ...]
    ieee: bool  # MODE's bit, in which signalling NaNs win in max and min: off in our kernels
    outcomes: list[Outcome] = field(default_factory=list["Outcome"])


def registers(row: Row, uniform: int = -1) -> list[Operand | None]:
    """A register for each operand, of a tied operand that of its define; None for a constant of the encoding.
    Operand `uniform` is an SGPR although it may be a VGPR.

    The components of a dual instruction have VGPRs of different banks.
    """
    result: list[Operand | None] = []
    scalar = 16
    for bank, part in enumerate(row.components or (row,)):
        first, vector = len(result), bank
        for spec in part.operands:
            if spec.tied:
                result.append(result[first + next(i for i, other in enumerate(part.operands) if other.name == spec.tied)])
            elif spec.fixed is not None:
                result.append(spec.fixed)
            elif spec.kinds & Kind.VGPR and len(result) != uniform:
                result.append(vgpr(vector, spec.count))
                vector += max(4, spec.count + spec.count % 2)
            elif spec.kinds & Kind.SGPR:
                result.append(sgpr(scalar, spec.count))
                scalar += 4
            else:
                result.append(None)
    return result


def _source_modifier(spec: ModifierSpec, subject: Subject, rng: np.random.Generator) -> ModifierValue:
    if any(subject.row.operands[i].type in PAIRS for i in subject.row.uses):  # with signs that are not spelt for one part
        return 0
    return int(rng.integers(0, 8)) & spec.maximum


def _clamp(spec: ModifierSpec, subject: Subject, rng: np.random.Generator) -> ModifierValue:
    text = subject.manual.texts[subject.row.name]
    return int(subject.row.name in clamped(subject.target) and "D1." not in text and rng.integers(0, 2))


def _lane_control(spec: ModifierSpec, subject: Subject, rng: np.random.Generator) -> ModifierValue:
    words = [word for word in spec.words if _CONTROLS[word][0] >= spec.minimum and _CONTROLS[word][1] <= spec.maximum]
    if rng.integers(0, 4) == 0 and spec.minimum == 0:
        return quad_perm(*(int(lane) for lane in rng.integers(0, 4, 4)))
    low, high = _CONTROLS[words[rng.integers(0, len(words))]]
    return int(rng.integers(low, high + 1))


def _first_byte(spec: ModifierSpec, subject: Subject, rng: np.random.Generator) -> ModifierValue:
    text = subject.manual.texts[subject.row.name]
    if "SDWA_SRC0_SEL" in text:  # the text knows bytes, or words
        return int(rng.choice([4, 5, DWORD] if "WORD1" in text else [0, 1, 2, 3, DWORD]))
    return int(rng.integers(spec.minimum, spec.maximum + 1))


def _mask(spec: ModifierSpec, subject: Subject, rng: np.random.Generator) -> ModifierValue:
    return int(rng.choice([15, 15, int(rng.integers(0, 16))]))


_PICK: dict[str, Callable[[ModifierSpec, Subject, np.random.Generator], ModifierValue]] = {
    "clamp": _clamp, "src0_sel": _first_byte, "row_mask": _mask, "bank_mask": _mask, "dpp_ctrl": _lane_control,
    "neg": _source_modifier, "abs": _source_modifier, "sext": _source_modifier,
    "half": lambda spec, subject, rng: int(rng.integers(0, spec.maximum + 1)) & spec.maximum,
}  # fmt: skip


def pick(spec: ModifierSpec, subject: Subject, rng: np.random.Generator) -> ModifierValue:
    """A random value of a modifier."""
    if spec.name in _PICK:
        return _PICK[spec.name](spec, subject, rng)
    if isinstance(spec.default, tuple):
        return tuple(int(x) for x in rng.integers(0, 2, len(spec.default)))
    return int(rng.integers(spec.minimum, spec.maximum + 1))


def trial(subject: Subject, waves: int, modified: bool, judged: int, rng: np.random.Generator) -> Trial:
    """A random trial of a row, of which `judged` lanes are looked at; without `modified`, its modifiers stand at their defaults."""
    row, lanes = subject.row, subject.lanes
    scalar = row.exec_mode is ExecMode.SCALAR
    operands: list[Any] = list(registers(row, _uniform(row, rng) if modified else -1))
    contents: dict[int, Words] = {}
    literal: Immediate | None = None
    if Trait.LANE_WRITE in row.traits:  # its value is the only scalar that it may read
        operands[next(i for i, spec in enumerate(row.operands) if spec.name == "lane_select")] = Immediate(int(rng.integers(0, lanes)))
    for i, spec in enumerate(row.operands):
        if operands[i] is None:
            drawn = Immediate(int(values(spec.type, 1, rng)[0]) & ((1 << BITS[spec.type]) - 1))
            literal = literal or drawn
            operands[i] = literal if row.components else drawn
        elif spec.role is Role.USE and isinstance(operands[i], Register) and not (spec.tied and scalar and spec.type in MASK_TYPES):
            vector = operands[i].first >= FIRST_VGPR
            count = waves * lanes if vector else waves
            contents[i] = _drawn(spec.type, spec.count, count, contents.get(i - 1), rng)
            if vector:
                contents[i] = contents[i].reshape(*contents[i].shape[:-1], waves, lanes)
    chosen = {spec.name: pick(spec, subject, rng) for spec in row.modifiers} if modified else {}
    plain = build(row, *operands)
    kept = tuple((spec.name, chosen[spec.name]) for spec in row.modifiers if chosen.get(spec.name, spec.default) != spec.default)
    instr = Instr(row, plain.operands, kept)
    looked = tuple(sorted(int(lane) for lane in rng.choice(lanes, judged, replace=False))) if judged < lanes else tuple(range(lanes))
    partly = modified and (Trait.PERMLANE not in row.traits or _reads_inactive(instr))
    masks = _exec_masks(subject, waves, partly, rng)
    scc, vcc = rng.integers(0, 2, waves).astype(np.uint64), _masks(subject, waves, rng)
    return Trial(subject, instr, contents, masks, scc, vcc, looked, ieee=bool(int(vcc[0]) & 1))


def _uniform(row: Row, rng: np.random.Generator) -> int:
    """Now and then one source that may be a scalar; -1 for none."""
    others = sum(not row.operands[i].kinds & Kind.VGPR for i in row.uses) + bool({VCC, VCC_LO} & set(row.reads))
    if others >= row.constant_bus_limit:
        return -1
    either = [i for i in row.uses if Kind.VGPR | Kind.SGPR in row.operands[i].kinds and not (row.operands[i].half or row.operands[i].tied)]
    return either[rng.integers(0, len(either))] if either and not row.traits & WAVE_WIDE and rng.integers(0, 4) == 0 else -1


def _reads_inactive(instr: Instr) -> bool:
    """Whether an exchange of lanes reads those that are off: the text says nothing of its effect if they are
    not read."""
    chosen = dict(instr.modifiers).get("op_sel", ())
    return isinstance(chosen, tuple) and any(chosen)


def _drawn(type_name: str, units: int, count: int, before: Words | None, rng: np.random.Generator) -> Words:
    """`count` patterns; some equal the other source's."""
    drawn = values(type_name, count, rng)
    if units > 2 or before is None or before.size != count:
        return drawn
    return np.where(rng.integers(0, 10, count) == 0, before.reshape(-1), drawn)


def _masks(subject: Subject, waves: int, rng: np.random.Generator) -> Words:
    return values("mask", waves, rng) & np.uint64((1 << subject.lanes) - 1)


def _exec_masks(subject: Subject, waves: int, modified: bool, rng: np.random.Generator) -> Words:
    """EXEC of each wave: full, or three lanes of four; for a scalar instruction any pattern, 0 among them."""
    if subject.row.exec_mode is ExecMode.SCALAR:
        return np.where(rng.integers(0, 4, waves) > 0, _masks(subject, waves, rng), np.uint64(0))
    if not modified:
        return np.full(waves, (1 << subject.lanes) - 1, np.uint64)
    return _masks(subject, waves, rng) | _masks(subject, waves, rng)
