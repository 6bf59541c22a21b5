"""A trial: an instruction of a row with random modifiers, and what its registers hold before it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from isa.build import build
from isa.constants import BITS
from isa.dpp import quad_perm
from isa.instruction import Encoding, ExecMode, Immediate, Instr, Kind, ModifierSpec, ModifierValue, Operand, Role, Row
from isa.registers import sgpr, vgpr
from tests.pseudocode.machine import Words
from tests.pseudocode.modifiers import DWORD
from tests.pseudocode.operands import values
from tests.pseudocode.source import texts

LANES = 64
QUAD = (2, 0, 3, 1)
EVERY_LANE = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """One result of one lane: what was wanted, what came, and the sources as the instruction saw them."""

    result: str
    type: str
    wanted: tuple[int, ...]  # patterns that are right, the exact one first
    got: int
    sources: tuple[int, ...]


@dataclass(slots=True)
class Trial:
    """An instruction with the contents of its registers before it."""

    instr: Instr
    contents: dict[int, Words]  # by operand index: uint64[wave, lane], or [wave] of a scalar
    exec_masks: Words
    scc: Words
    vcc: Words
    lanes: int = LANES
    outcomes: list[Outcome] = field(default_factory=list["Outcome"])


def registers(row: Row) -> list[Operand | None]:
    """A register for each operand, tied ones on their define's; None for what is a constant of the encoding."""
    result: list[Operand | None] = []
    vector, scalar = 0, 16
    for spec in row.operands:
        if spec.tied:
            result.append(result[next(i for i, other in enumerate(row.operands) if other.name == spec.tied)])
        elif spec.fixed is not None:
            result.append(spec.fixed)
        elif spec.kinds & Kind.VGPR:
            result.append(vgpr(vector, spec.count))
            vector += 4
        elif spec.kinds & Kind.SGPR:
            result.append(sgpr(scalar, spec.count))
            scalar += 4
        else:
            result.append(None)
    return result


def pick(spec: ModifierSpec, row: Row, clampable: bool, rng: np.random.Generator) -> ModifierValue:
    """A random value of a modifier."""
    if isinstance(spec.default, tuple):
        return tuple(int(x) for x in rng.integers(0, 2, len(spec.default)))
    if spec.syntax == "source":
        if any(row.operands[i].type == "f16x2" for i in row.uses):  # whose signs are not spelt for one half
            return 0
        return int(rng.integers(0, 8)) & spec.maximum
    if spec.name == "clamp":
        return int(clampable and "D1." not in texts()[row.name] and rng.integers(0, 2))
    if spec.syntax == "dpp":
        return quad_perm(*QUAD) if spec.minimum == 0 else spec.default
    if spec.syntax in ("hex", "flag"):
        return spec.default
    if spec.name == "src0_sel" and "SDWA_SRC0_SEL" in texts()[row.name]:  # the text knows bytes, or words
        return int(rng.choice([4, 5, DWORD] if "WORD1" in texts()[row.name] else [0, 1, 2, 3, DWORD]))
    return int(rng.integers(spec.minimum, spec.maximum + 1))


def trial(row: Row, waves: int, modified: bool, clampable: bool, rng: np.random.Generator) -> Trial:
    """A random trial of a row; without `modified`, its modifiers stand at their defaults."""
    scalar = row.exec_mode is ExecMode.SCALAR
    operands: list[Any] = list(registers(row))
    contents: dict[int, Words] = {}
    for i, spec in enumerate(row.operands):
        if operands[i] is None:
            operands[i] = Immediate(int(values(spec.type, 1, rng)[0]) & ((1 << BITS[spec.type]) - 1))
        elif spec.role is Role.USE and not (spec.tied and spec.name == "old" and scalar and spec.type == "mask"):
            count = waves if scalar or spec.type == "mask" else waves * LANES
            drawn = values(spec.type, count, rng)
            if i - 1 in contents and len(contents[i - 1].reshape(-1)) == count:  # some sources are equal
                drawn = np.where(rng.integers(0, 10, count) == 0, contents[i - 1].reshape(-1), drawn)
            contents[i] = drawn if count == waves else drawn.reshape(waves, LANES)
    chosen = {spec.name: pick(spec, row, clampable, rng) for spec in row.modifiers} if modified else {}
    plain = build(row, *operands)
    kept = tuple((spec.name, chosen[spec.name]) for spec in row.modifiers if chosen.get(spec.name, spec.default) != spec.default)
    instr = Instr(row, plain.operands, kept)
    return Trial(instr, contents, _exec_masks(row, waves, modified, rng), rng.integers(0, 2, waves).astype(np.uint64), values("mask", waves, rng))


def _exec_masks(row: Row, waves: int, modified: bool, rng: np.random.Generator) -> Words:
    """EXEC of each wave: full, or three lanes of four; for a scalar instruction any pattern, 0 among them."""
    if row.exec_mode is ExecMode.SCALAR:
        return np.where(rng.integers(0, 4, waves) > 0, values("mask", waves, rng), np.uint64(0))
    if row.encoding is Encoding.DPP or not modified:
        return np.full(waves, EVERY_LANE, np.uint64)
    return values("mask", waves, rng) | values("mask", waves, rng)
