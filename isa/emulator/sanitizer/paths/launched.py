"""The paths of a program that is run several times, as `--verify` does it: they are worked out once."""

from __future__ import annotations

from functools import lru_cache

from isa.emulator.launching.entry_state import entry_registers
from isa.emulator.program.image import Image
from isa.emulator.sanitizer.faults import Check
from isa.emulator.sanitizer.paths.paths import Paths
from isa.hazards import rules_of_path
from isa.instruction import Instr
from isa.targets import parse_target

_PROGRAMS = 16  # with cached paths


class Launched:
    """A loaded program and its entry. Compared by identity."""

    __slots__ = ("image", "preload")

    def __init__(self, image: Image, preload: bool) -> None:
        self.image = image
        self.preload = preload

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Launched) and other.image is self.image and other.preload == self.preload

    def __hash__(self) -> int:
        return hash((id(self.image), self.preload))


@lru_cache(maxsize=_PROGRAMS)
def paths_of(launched: Launched, checks: frozenset[Check]) -> Paths:
    """The paths as they are before a run, which takes them by `Paths.again`."""
    image = launched.image
    target = parse_target(image.target, image.place)
    # LLVM judges each function by its own registers. With several, the weakest requirement counts for all
    judged = () if image.code.functions else image.code.instructions
    operations = image.code.operations
    code = [operation for operation in operations if isinstance(operation, Instr)]
    return Paths(
        operations, target.target.counters, rules_of_path(target, code, judged),
        entry_registers(image, launched.preload), checks,
    )  # fmt: skip
