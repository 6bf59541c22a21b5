"""Declarations of rows for the table files: operand kinds, modifier sets, and a helper for each encoding.

A signature such as `"f32 = f32 f32"` names the types of the destination and of the sources. The helpers
expand an instruction into a row for each of its encodings, and for each form if forms differ in operands or
ties.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from msgspec.structs import replace

from isa.constants import BITS, FLOAT_TYPES
from isa.dpp import CDNA_CONTROLS, IDENTITY
from isa.instruction import Encoding, Event, ExecMode, Kind, ModifierSpec, OperandSpec, Role, Row, Trait, Unit
from isa.registers import EXEC, SCC, Register
from isa.table.declared import Declaration, Declared, changed, single
from isa.targets import targets_of

S = Kind.SGPR
V = Kind.VGPR
VA = Kind.VGPR | Kind.AGPR
SDST = Kind.SGPR | Kind.M0 | Kind.EXEC
SDST64 = Kind.SGPR | Kind.EXEC
SREG = Kind.SGPR | Kind.M0 | Kind.EXEC | Kind.SCALAR_STATUS | Kind.ZERO_FLAGS
SSRC = SREG | Kind.INLINE | Kind.LITERAL
VSRC = SREG | Kind.VGPR | Kind.INLINE
VSRC9 = VSRC | Kind.LITERAL
MASK = Kind.SGPR | Kind.EXEC
SIMM = Kind.SIMM

CDNA = frozenset(targets_of("cdna2", "cdna3", "cdna4"))
RDNA3, RDNA4 = frozenset(targets_of("rdna3")), frozenset(targets_of("rdna4"))
RDNA = RDNA3 | RDNA4
EVERY_WAVE = frozenset({32, 64})
NO_TRAITS: frozenset[Trait] = frozenset()


def words(type_name: str) -> int:
    """How many 32-bit units a value of this type takes."""
    return max(1, BITS[type_name] // 32)


def alignment(kinds: Kind, count: int) -> int:
    """SGPR pairs are even, larger tuples multiples of four; VGPR and AGPR tuples are even on gfx90a and
    later."""
    if count == 1:
        return 1
    return 4 if count > 2 and not kinds & VA else 2


@cache
def operand(
    name: str, role: Role, kinds: Kind, type_name: str, tied: str = "", hidden: bool = False,
    fixed: Register | None = None, early_clobber: bool = False, count: int = 0, same_file: str = "",
) -> OperandSpec:  # fmt: skip
    width = count or words(type_name)
    return OperandSpec(
        name, role, kinds, type_name, width, alignment(kinds, width), tied, hidden, early_clobber, fixed,
        same_file,
    )  # fmt: skip


def d(name: str, kinds: Kind, type_name: str, early_clobber: bool = False) -> OperandSpec:
    """A destination."""
    return operand(name, Role.DEFINE, kinds, type_name, early_clobber=early_clobber)


def u(name: str, kinds: Kind, type_name: str) -> OperandSpec:
    """A source."""
    return operand(name, Role.USE, kinds, type_name)


def in_file_of(name: str, kinds: Kind, type_name: str, other: str) -> OperandSpec:
    """A source in the same file, VGPRs or AGPRs, as the operand `other`."""
    return operand(name, Role.USE, kinds, type_name, same_file=other)


def tied(name: str, to: OperandSpec) -> OperandSpec:
    """The unspelt source that a destination preserves or accumulates on."""
    return operand(name, Role.USE, to.kinds, to.type, to.name, True, count=to.count)


def flag(name: str) -> ModifierSpec:
    return ModifierSpec(name, "flag", 0)


def required_flag(name: str) -> ModifierSpec:
    return ModifierSpec(name, "flag", 1, 1, 1, required=True)


CLAMP = flag("clamp")
OMOD = ModifierSpec("omod", "phrase", 0, 0, 3, ("", "mul:2", "mul:4", "div:2"))
SELECTS = ("BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD")
UNUSED = ("UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE")
DST_SEL = ModifierSpec("dst_sel", "word", 6, 0, 6, SELECTS, spelt=True)
DST_PAD = ModifierSpec("dst_unused", "word", 0, 0, 1, UNUSED, spelt=True, required=True)
DST_PRESERVE = ModifierSpec("dst_unused", "word", 2, 2, 2, UNUSED, spelt=True)
SRC0_SEL = ModifierSpec("src0_sel", "word", 6, 0, 6, SELECTS, spelt=True)
SRC1_SEL = ModifierSpec("src1_sel", "word", 6, 0, 6, SELECTS, spelt=True)
_DPP_MASKS = (
    ModifierSpec("row_mask", "hex", 15, 0, 15, spelt=True),
    ModifierSpec("bank_mask", "hex", 15, 0, 15, spelt=True),
    flag("bound_ctrl"),
)
DPP_CONTROL = (
    ModifierSpec("dpp_ctrl", "dpp", IDENTITY, 0, 0x15F, CDNA_CONTROLS, spelt=True, required=True),
    *_DPP_MASKS,
)
DPP_WHOLE_MASKS = (
    ModifierSpec("row_mask", "hex", 15, 15, 15, spelt=True),
    ModifierSpec("bank_mask", "hex", 15, 15, 15, spelt=True),
)
# Of every lane. A lane without a source reads 0, so that nothing of the destination stays.
DPP_WHOLE = (*DPP_WHOLE_MASKS, required_flag("bound_ctrl"))
# 64-bit operands have row_newbcast alone
DPP_CONTROL_64 = (
    ModifierSpec("dpp_ctrl", "dpp", 0x150, 0x150, 0x15F, CDNA_CONTROLS, spelt=True, required=True),
    *_DPP_MASKS,
)


@cache
def source_modifier(name: str, mask: int) -> ModifierSpec:
    """`neg`, `abs` or `sext` on the sources of the mask."""
    return ModifierSpec(name, "source", 0, 0, mask)


@cache
def list_modifier(name: str, length: int, default: int = 0, tail: tuple[int, ...] = ()) -> ModifierSpec:
    return ModifierSpec(name, "list", (default,) * length, tail=tail)


def float_mask(types: Iterable[str]) -> int:
    return sum(1 << i for i, type_name in enumerate(types) if type_name in FLOAT_TYPES)


@cache
def source_modifiers(types: tuple[str, ...], others: int = 0) -> tuple[ModifierSpec, ...]:
    """`neg` and `abs` on the float sources, and on those of the mask `others`."""
    mask = float_mask(types) | others
    return (source_modifier("neg", mask), source_modifier("abs", mask)) if mask else ()


@cache
def result_modifiers(results: tuple[str, ...], clamp: bool) -> tuple[ModifierSpec, ...]:
    """`clamp` and `omod` on a float result; `clamp` on an integer result that has it."""
    if results and results[0] in FLOAT_TYPES:
        return (CLAMP, OMOD)
    return (CLAMP,) if clamp else ()


@cache
def signature(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Destination types and source types of `"f32 = f32 f32"`."""
    left, _, right = text.partition("=")
    return tuple(left.split()), tuple(right.split())


def make(
    name: str, encoding: Encoding, unit: Unit, operands: tuple[OperandSpec, ...],
    modifiers: tuple[ModifierSpec, ...] = (), *, mnemonic: str = "", reads: tuple[Register, ...] = (),
    writes: tuple[Register, ...] = (), exec_mode: ExecMode = ExecMode.SCALAR, events: tuple[Event, ...] = (),
    traits: Iterable[Trait] = NO_TRAITS, bus: int = 0, passes: int = 0, memory_bytes: int = 0, form: str = "",
    opposite: str = "", targets: frozenset[str] = CDNA, waves: frozenset[int] = EVERY_WAVE,
    operation: str = "", semantics: str = "",
) -> Row:  # fmt: skip
    """A row. The printed mnemonic defaults to the name with its encoding's suffix, `operation` to the name,
    and `semantics` to the operation."""
    return Row(
        name, mnemonic or name + encoding.value, encoding, unit, operands, modifiers, reads, writes,
        exec_mode, events, frozenset(traits), bus, passes, memory_bytes, targets, waves, operation or name,
        semantics or operation or name, form, opposite,
    )  # fmt: skip


def on(targets: str, *declared: Declared) -> tuple[Declared, ...]:
    """The instructions as the targets of the list alone have them: `on("gfx942 gfx950", *vop(...))`."""
    names = frozenset(targets.split())
    return changed(declared, lambda row: replace(row, targets=names), names)


@single
def scalar(
    name: str, text: str, *traits: Trait, dst: str = "sdst", reads: tuple[Register, ...] = (),
    writes: tuple[Register, ...] = (), tie: bool = False,
) -> Row:  # fmt: skip
    """A SOP1, SOP2 or SOPC row: at most one destination, sources `ssrc0`, `ssrc1`; `tie` if it preserves part
    of its destination."""
    results, sources = signature(text)
    operands = tuple(d(dst, SDST if words(t) == 1 else SDST64, t) for t in results)
    operands += tuple(u(f"ssrc{i}", SSRC, t) for i, t in enumerate(sources))
    if tie:
        operands += (tied("old", operands[0]),)
    return make(name, Encoding.PLAIN, Unit.SALU, operands, reads=reads, writes=writes, traits=traits)


def scalar_scc(name: str, text: str, *traits: Trait, reads: tuple[Register, ...] = ()) -> Declaration:
    """A scalar row that writes SCC."""
    return scalar(name, text, *traits, reads=reads, writes=(SCC,))


def vector(
    name: str, encoding: Encoding, unit: Unit, operands: tuple[OperandSpec, ...],
    modifiers: tuple[ModifierSpec, ...], traits: Iterable[Trait], *, reads: tuple[Register, ...] = (),
    writes: tuple[Register, ...] = (), form: str = "", mnemonic: str = "",
    exec_mode: ExecMode = ExecMode.MASKED,
) -> Row:  # fmt: skip
    """A VALU row: reads EXEC, with a single constant-bus read."""
    return make(
        name, encoding, unit, operands, modifiers, mnemonic=mnemonic, reads=(EXEC, *reads), writes=writes,
        exec_mode=exec_mode, traits=traits, bus=1, form=form,
    )  # fmt: skip
