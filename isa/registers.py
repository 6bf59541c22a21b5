"""Registers as dense integers.

Every 32-bit register of a wave has a *unit* number. Physical units are CDNA3's source-operand encodings
(CDNA3 ISA, section 3.1: SGPRs from 0, VCC 106-107, M0 124, EXEC 126-127, SCC 253, VGPRs 256-511) wherever a
number means the same register on every target. FLAT_SCRATCH and XNACK_MASK, which have RDNA's numbers of s102
to s105, are at 128, among numbers of constants; NULL is at 125. AGPRs follow at 512. Units from
`FIRST_VIRTUAL` on are the lanes of virtual registers, numbered by the kernel that owns them. A `Register` is
`count` consecutive units, so a sub-register is a `Register` too.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import cache, lru_cache

from isa.named_tuple import NamedTuple

DWORD = 4
"""Bytes of a register: of an SGPR, and of a lane of a VGPR or an AGPR."""

FIRST_VGPR = 256
FIRST_AGPR = 512
FIRST_VIRTUAL = 1024


class RegisterClass(Enum):
    """The register file that has a register. The value is the letter of the file in assembly text.

    AV is the class of virtual registers that may be in either vector file. Each operand that names such a
    register takes VGPRs and AGPRs. `regalloc.files` chooses the file before allocation.
    """

    SGPR = "s"
    VGPR = "v"
    AGPR = "a"
    AV = "av"
    SPECIAL = "special"

    __hash__ = object.__hash__  # members compare by identity; Enum's own hash is a call of Python each time


class Register(NamedTuple):
    """`count` consecutive 32-bit units from `first`: physical, virtual, or a part of either."""

    first: int
    # it shadows tuple.count, which no register needs
    count: int = 1  # pyright: ignore[reportIncompatibleMethodOverride]

    @property
    def is_virtual(self) -> bool:
        return self.first >= FIRST_VIRTUAL

    @property
    def units(self) -> range:
        return range(self.first, self.first + self.count)

    def part(self, first: int, count: int = 1) -> Register:
        """Units `first` to `first + count - 1` of this register."""
        if first < 0 or count < 1 or first + count > self.count:
            raise ValueError(f"units {first}..{first + count - 1} are not part of a register of {self.count}")
        return unit_register(self.first + first) if count == 1 else tuple_register(self.first + first, count)

    def overlaps(self, other: Register) -> bool:
        return self.first < other.first + other.count and other.first < self.first + self.count

    def __str__(self) -> str:
        return register_name(self)


@lru_cache(1 << 14)
def unit_register(unit: int) -> Register:
    """The register of a unit, made once and then cached."""
    return Register(unit)


@lru_cache(1 << 12)
def tuple_register(first: int, count: int) -> Register:
    """The register of several units, made once and then cached."""
    return Register(first, count)


def units_of(registers: Iterable[Register]) -> set[int]:
    """The units of several registers."""
    units: set[int] = set()
    for first, count in registers:
        if count == 1:
            units.add(first)
        else:
            units.update(range(first, first + count))
    return units


FLAT_SCRATCH = Register(128, 2)
XNACK_MASK = Register(130, 2)
VCC = Register(106, 2)
VCC_LO = Register(106)
M0 = Register(124)
NULL = Register(125)
EXEC = Register(126, 2)
MODE = Register(240)
TRAPSTS = Register(241)
SCC = Register(253)

Units = tuple[int, ...]
UNTRACKED = frozenset(range(VCC.first + VCC.count, FIRST_VGPR)) - {M0.first, SCC.first}
"""Physical units that no analysis tracks: EXEC, MODE and other state that is always live."""


def units_among(operands: Iterable[object]) -> Units:
    """The units of the registers among some operands or edge arguments, in order."""
    units: list[int] = []
    for operand in operands:
        if isinstance(operand, Register):
            first, count = operand
            if count == 1:
                units.append(first)
            else:
                units += range(first, first + count)
    return tuple(units)


def tracked(units: Units) -> Units:
    """Those of some units that are tracked."""
    return units if UNTRACKED.isdisjoint(units) else tuple([unit for unit in units if unit not in UNTRACKED])


def tracked_units(operands: Iterable[object]) -> Units:
    """The tracked units of the registers among some operands or edge arguments."""
    return tracked(units_among(operands))


_NAMED: dict[Register, str] = {
    FLAT_SCRATCH: "flat_scratch",
    Register(128): "flat_scratch_lo",
    Register(129): "flat_scratch_hi",
    XNACK_MASK: "xnack_mask",
    Register(130): "xnack_mask_lo",
    Register(131): "xnack_mask_hi",
    VCC: "vcc",
    Register(106): "vcc_lo",
    Register(107): "vcc_hi",
    M0: "m0",
    NULL: "null",
    EXEC: "exec",
    Register(126): "exec_lo",
    Register(127): "exec_hi",
    MODE: "mode",
    TRAPSTS: "trapsts",
    SCC: "scc",
    Register(235): "src_shared_base",
    Register(236): "src_shared_limit",
    Register(237): "src_private_base",
    Register(238): "src_private_limit",
    Register(251): "src_vccz",
    Register(252): "src_execz",
}
NAMED_REGISTERS: dict[str, Register] = {name: register for register, name in _NAMED.items()}


@cache
def sgpr(index: int, count: int = 1) -> Register:
    return Register(index, count)


@cache
def vgpr(index: int, count: int = 1) -> Register:
    return Register(FIRST_VGPR + index, count)


@cache
def agpr(index: int, count: int = 1) -> Register:
    return Register(FIRST_AGPR + index, count)


def physical_class(register: Register) -> RegisterClass:
    """The class of a physical register. VCC, FLAT_SCRATCH and XNACK_MASK are SGPRs, as the encoding has
    it."""
    if FIRST_VGPR <= register.first < FIRST_AGPR:
        return RegisterClass.VGPR
    if FIRST_AGPR <= register.first < FIRST_VIRTUAL:
        return RegisterClass.AGPR
    if register.first < M0.first or FLAT_SCRATCH.first <= register.first < XNACK_MASK.first + 2:
        return RegisterClass.SGPR
    return RegisterClass.SPECIAL


@cache
def register_name(register: Register) -> str:
    """The assembly spelling of a physical register (`v[0:3]`, `s5`, `vcc`); `%unit` for a virtual
    register."""
    named = _NAMED.get(register)
    if named is not None:
        return named
    if register.is_virtual:
        base, prefix = register.first, "%"
    elif register.first >= FIRST_AGPR:
        base, prefix = register.first - FIRST_AGPR, "a"
    elif register.first >= FIRST_VGPR:
        base, prefix = register.first - FIRST_VGPR, "v"
    elif 108 <= register.first < 124:
        base, prefix = register.first - 108, "ttmp"
    else:
        base, prefix = register.first, "s"
    if register.count == 1:
        return f"{prefix}{base}"
    return f"{prefix}[{base}:{base + register.count - 1}]"
