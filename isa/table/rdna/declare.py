"""How RDNA's tables declare rows: operand kinds with NULL, VGPR tuples of any alignment, and rows by target.

RDNA3 renamed instructions of GCN and CDNA. If CDNA3 has the same operation, the row's `operation` is CDNA3's
name, so the compiler asks for the same name on every target.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from msgspec.structs import replace

from isa.instruction import Encoding, Event, ExecMode, Kind, ModifierSpec, OperandSpec, Role, Row, Trait, Unit
from isa.registers import SCC, Register
from isa.table import declare
from isa.table.declare import EVERY_WAVE, NO_TRAITS, RDNA, signature

NULL = Kind.NULL
S = Kind.SGPR
V = Kind.VGPR
SGPR_OR_NULL = Kind.SGPR | Kind.NULL
SDST = declare.SDST | NULL
SDST64 = declare.SDST64 | NULL
SREG = declare.SREG & ~Kind.ZERO_FLAGS | NULL
SSRC = SREG | Kind.INLINE | Kind.LITERAL
GLC, SLC, DLC = declare.flag("glc"), declare.flag("slc"), declare.flag("dlc")


@cache
def operand(
    name: str, role: Role, kinds: Kind, type_name: str, tied: str = "", hidden: bool = False,
    fixed: Register | None = None,
) -> OperandSpec:  # fmt: skip
    """An operand; tuples of VGPRs start anywhere."""
    spec = declare.operand(name, role, kinds, type_name, tied, hidden, fixed)
    return replace(spec, align=1) if Kind.VGPR in kinds else spec


def d(name: str, kinds: Kind, type_name: str) -> OperandSpec:
    """A destination."""
    return operand(name, Role.DEFINE, kinds, type_name)


def u(name: str, kinds: Kind, type_name: str) -> OperandSpec:
    """A source."""
    return operand(name, Role.USE, kinds, type_name)


def tied(name: str, to: OperandSpec) -> OperandSpec:
    """The unspelt source with the old value of a destination, which keeps part of it or accumulates on it."""
    return operand(name, Role.USE, to.kinds, to.type, to.name, True)


def make(
    name: str, unit: Unit, operands: tuple[OperandSpec, ...], modifiers: tuple[ModifierSpec, ...] = (), *,
    reads: tuple[Register, ...] = (), writes: tuple[Register, ...] = (),
    exec_mode: ExecMode = ExecMode.SCALAR, events: tuple[Event, ...] = (),
    traits: Iterable[Trait] = NO_TRAITS, memory_bytes: int = 0, form: str = "", opposite: str = "",
    targets: frozenset[str] = RDNA, operation: str = "", semantics: str = "",
    waves: frozenset[int] = EVERY_WAVE,
) -> Row:  # fmt: skip
    """A row of the plain encoding, by default on both RDNA targets."""
    return declare.make(
        name, Encoding.PLAIN, unit, operands, modifiers, reads=reads, writes=writes, exec_mode=exec_mode,
        events=events, traits=traits, memory_bytes=memory_bytes, form=form, opposite=opposite,
        targets=targets, operation=operation, semantics=semantics, waves=waves,
    )  # fmt: skip


def scalar(
    name: str, text: str, *traits: Trait, reads: tuple[Register, ...] = (), writes: tuple[Register, ...] = (),
    tie: bool = False, targets: frozenset[str] = RDNA, operation: str = "", semantics: str = "",
) -> Row:  # fmt: skip
    """A SOP1, SOP2 or SOPC row: at most one destination, sources `ssrc0`, `ssrc1`; `tie` if it keeps part of
    its destination."""
    results, sources = signature(text)
    operands = tuple(d("sdst", SDST if declare.words(t) == 1 else SDST64, t) for t in results)
    operands += tuple(u(f"ssrc{i}", SSRC, t) for i, t in enumerate(sources))
    if tie:
        operands += (tied("old", operands[0]),)
    return make(
        name, Unit.SALU, operands, reads=reads, writes=writes, traits=traits, targets=targets,
        operation=operation, semantics=semantics,
    )  # fmt: skip


def scalar_scc(
    name: str, text: str, *traits: Trait, reads: tuple[Register, ...] = (), targets: frozenset[str] = RDNA,
    operation: str = "", semantics: str = "",
) -> Row:  # fmt: skip
    """A scalar row that writes SCC."""
    return scalar(
        name, text, *traits, reads=reads, writes=(SCC,), targets=targets, operation=operation,
        semantics=semantics,
    )  # fmt: skip
