"""The subjects of the judge: a row as one machine has it, by the manual of that machine's family."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from isa.instruction import Encoding, Row, Trait, Unit
from isa.table import table_of
from isa.target import Target
from isa.targets import TARGETS, TargetId, with_wave_size
from tests.pseudocode.small_floats import FNUZ, OCP
from tests.pseudocode.source import Manual, manual

UNITS = (Unit.SALU, Unit.VALU, Unit.TRANS)
MANUALS = {name: "cdna" if target.family == "cdna" else target.generation for name, target in TARGETS.items()}
WAVE_WIDE = frozenset({Trait.LANE_READ, Trait.LANE_WRITE, Trait.PERMLANE})
BYTES = {"gfx942": FNUZ}  # the 8-bit floats; OCP's elsewhere


class Subject(NamedTuple):
    row: Row
    target: Target

    @property
    def manual(self) -> Manual:
        return manual(MANUALS[self.target.name])

    @property
    def lanes(self) -> int:
        return self.target.wave_size

    @property
    def bytes(self) -> str:
        return BYTES.get(self.target.name, OCP)

    @property
    def named(self) -> tuple[str, ...]:
        """The instructions that the row carries out: itself, or its components."""
        return tuple(part.name for part in self.row.components) or (self.row.name,)

    @property
    def has_text(self) -> bool:
        return all(name in self.manual.texts for name in self.named)

    def __str__(self) -> str:
        return f"{TargetId(self.target)} {self.row.mnemonic} {self.row.form}".rstrip()


@cache
def machines() -> tuple[Target, ...]:
    """The targets at each wave size, the usual size first."""
    sized = (with_wave_size(target, lanes) for target in TARGETS.values() for lanes in (target.wave_size, *target.wave_sizes))
    return tuple(dict.fromkeys(sized))


@cache
def subjects() -> tuple[Subject, ...]:
    """Every SALU and VALU row of every machine, each once if machines of one manual share it; rows about a
    whole wave at each wave size."""
    found: dict[tuple[Row, str, int], Subject] = {}
    for target in machines():
        for row in table_of(target).rows:
            if row.unit in UNITS:
                lanes = target.wave_size if row.traits & WAVE_WIDE else 0
                found.setdefault((row, MANUALS[target.name], lanes), Subject(row, target))
    return tuple(found.values())


@cache
def clamped(target: Target) -> frozenset[str]:
    """The instructions with the clamp in their three-operand encoding."""
    return frozenset(
        row.name for row in table_of(target).rows if row.encoding is Encoding.E64 and any(spec.name == "clamp" for spec in row.modifiers)
    )
