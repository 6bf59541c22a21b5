"""Helpers for RDNA's vector ALU rows: one call gives the rows of every encoding, form, target and wave size of an instruction.

What RDNA has beside CDNA: two scalar values a read, literals in the three-operand encoding, NULL, DPP8, DPP in the
three-operand encoding, lane masks of 32 bits in waves of 32. Tuples of VGPRs are not aligned.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from isa.constants import BITS, FLOAT_TYPES
from isa.dpp import DPP8_IDENTITY, IDENTITY, RDNA_CONTROLS
from isa.instruction import Encoding, ExecMode, Kind, ModifierSpec, OperandSpec, Role, Row, Trait, Unit
from isa.registers import EXEC, VCC, VCC_LO, Register
from isa.table.declare import CLAMP, EVERY_WAVE, OMOD, RDNA, alignment, flag, float_mask, signature, source_modifier, words

E32, E64, DPP, E64_DPP = Encoding.E32, Encoding.E64, Encoding.DPP, Encoding.E64_DPP
ALL = (E32, E64, DPP, E64_DPP)
PAIR = (E32, E64)
LONG = (E64, E64_DPP)
GFX11, GFX12 = frozenset({"gfx1100"}), frozenset({"gfx1201"})

V = Kind.VGPR
SCALAR = Kind.SGPR | Kind.M0 | Kind.EXEC | Kind.SCALAR_STATUS | Kind.NULL
ANY = SCALAR | V | Kind.INLINE | Kind.LITERAL
LANES_ANY = SCALAR | V | Kind.INLINE  # beside a lane control there is no room for a literal
MASK_KINDS = {"mask": Kind.SGPR | Kind.EXEC | Kind.NULL, "mask32": Kind.SGPR | Kind.EXEC | Kind.NULL | Kind.M0}
MASK_SOURCES = MASK_KINDS
MASK_REGISTERS = {"mask": VCC, "mask32": VCC_LO}
WAVES = {64: frozenset({64}), 32: frozenset({32})}

FETCH_INACTIVE = ModifierSpec("fi", "number", 0)
DPP16_CONTROLS = (
    ModifierSpec("dpp_ctrl", "dpp", IDENTITY, 0, 0x16F, RDNA_CONTROLS, spelt=True, required=True),
    ModifierSpec("row_mask", "hex", 15, 0, 15, spelt=True), ModifierSpec("bank_mask", "hex", 15, 0, 15, spelt=True),
    flag("bound_ctrl"), FETCH_INACTIVE,
)  # fmt: skip
DPP8_CONTROLS = (ModifierSpec("dpp8", "dpp8", DPP8_IDENTITY, 0, (1 << 24) - 1, spelt=True, required=True), FETCH_INACTIVE)


@cache
def operand(
    name: str, role: Role, kinds: Kind, type_name: str, tied: str = "", hidden: bool = False, fixed: Register | None = None,
    early_clobber: bool = False,
) -> OperandSpec:  # fmt: skip
    """An operand; a tuple of SGPRs is aligned, one of VGPRs is not."""
    count = words(type_name)
    scalar = alignment(Kind.SGPR, count)
    vector = bool(kinds & V)
    return OperandSpec(
        name, role, kinds, type_name, count, 1 if vector else scalar, tied, hidden, early_clobber, fixed, scalar_align=scalar if vector else 0
    )


def d(name: str, kinds: Kind, type_name: str) -> OperandSpec:
    """A destination."""
    return operand(name, Role.DEFINE, kinds, type_name)


def u(name: str, kinds: Kind, type_name: str) -> OperandSpec:
    """A source."""
    return operand(name, Role.USE, kinds, type_name)


def tied(name: str, to: OperandSpec) -> OperandSpec:
    """The unspelt source that holds what a destination keeps or accumulates on."""
    return operand(name, Role.USE, to.kinds, to.type, to.name, True)


def row(
    name: str, encoding: Encoding, unit: Unit, operands: tuple[OperandSpec, ...], modifiers: tuple[ModifierSpec, ...], traits: frozenset[Trait],
    *, mnemonic: str = "", form: str = "", reads: tuple[Register, ...] = (EXEC,), writes: tuple[Register, ...] = (),
    exec_mode: ExecMode = ExecMode.MASKED, passes: int = 0, targets: frozenset[str] = RDNA, waves: frozenset[int] = EVERY_WAVE,
    operation: str = "", semantics: str = "", bus: int = 2,
) -> Row:  # fmt: skip
    """A vector row: reads EXEC, and at most two scalar values."""
    operation = operation or name
    return Row(
        name, mnemonic or name + encoding.value, encoding, unit, operands, modifiers, reads, writes, exec_mode, (), traits, bus, passes, 0,
        targets, waves, operation, semantics or operation, form,
    )  # fmt: skip


def of_waves(text: str) -> Iterable[tuple[str, frozenset[int]]]:
    """A signature at each wave size: where it has a lane mask, one for each width of masks."""
    if "mask" not in text:
        return ((text, EVERY_WAVE),)
    return ((text, WAVES[64]), (text.replace("mask", "mask32"), WAVES[32]))


@cache
def destinations(types: tuple[str, ...], short: bool) -> tuple[OperandSpec, ...]:
    """`vdst`, and `sdst` for a lane mask, which is VCC in the short encodings."""
    return tuple(
        operand("sdst", Role.DEFINE, MASK_KINDS[t], t, fixed=MASK_REGISTERS[t] if short else None) if t in MASK_KINDS else d("vdst", V, t)
        for t in types
    )


@cache
def sources(types: tuple[str, ...], short: bool, *kinds: Kind) -> tuple[OperandSpec, ...]:
    """`src0`, `src1`, ... of the kinds; a lane mask is VCC in the short encodings."""
    return tuple(
        operand(f"src{i}", Role.USE, MASK_SOURCES[t], t, fixed=MASK_REGISTERS[t] if short else None) if t in MASK_KINDS
        else u(f"src{i}", kinds[min(i, len(kinds) - 1)], t)
        for i, t in enumerate(types)
    )  # fmt: skip


@cache
def source_modifiers(types: tuple[str, ...], others: int = 0) -> tuple[ModifierSpec, ...]:
    """`neg` and `abs` on the float sources, and on those of the mask `others`."""
    mask = float_mask(types) | others
    return (source_modifier("neg", mask), source_modifier("abs", mask)) if mask else ()


@cache
def result_modifiers(results: tuple[str, ...], clamp: bool) -> tuple[ModifierSpec, ...]:
    """`clamp` and `omod` on a float result; `clamp` where an integer result has it."""
    if results and results[0] in FLOAT_TYPES:
        return (CLAMP, OMOD)
    return (CLAMP,) if clamp else ()


def vop(
    name: str, text: str, *traits: Trait, encodings: tuple[Encoding, ...] = ALL, unit: Unit = Unit.VALU, clamp: bool = False,
    accumulates: bool = False, negatable: int = 0, targets: frozenset[str] = RDNA, operation: str = "", semantics: str = "", omod: bool = True,
    reads: tuple[Register, ...] = (EXEC,), suffixed: bool = True,
) -> tuple[Row, ...]:  # fmt: skip
    """VOP1, VOP2 and VOP3 instructions in their encodings.

    `accumulates`: the destination is an unspelt third source (v_fmac). `negatable`: the mask of the sources that take
    `neg` and `abs` although their type is no float. `suffixed`: the three-operand encoding is told apart by its suffix.
    """
    found: list[Row] = []
    facts = frozenset(traits)
    lanes = facts | {Trait.CROSS_LANE}
    for spelt, waves in of_waves(text):
        results, types = signature(spelt)
        short, long = destinations(results, True), destinations(results, False)
        accumulator = (tied("src2", long[0]),) if accumulates else ()
        kept = accumulator or (tied("old", long[0]),)
        inputs = source_modifiers(types, negatable)
        output = result_modifiers(results, clamp) if omod else ()

        def add(
            encoding: Encoding, operands: tuple[OperandSpec, ...], modifiers: tuple[ModifierSpec, ...], facts: frozenset[Trait], form: str = "",
            on: frozenset[str] = targets, mnemonic: str = "", waves: frozenset[int] = waves,
        ) -> None:  # fmt: skip
            if on:
                found.append(row(
                    name, encoding, unit, operands, modifiers, facts, mnemonic=mnemonic, form=form, reads=reads, targets=on, waves=waves,
                    operation=operation, semantics=semantics,
                ))  # fmt: skip

        if E32 in encodings:
            add(E32, short + sources(types, True, ANY, V) + accumulator, (), facts)
        if E64 in encodings:
            add(E64, long + sources(types, False, ANY) + accumulator, inputs + output, facts, mnemonic="" if suffixed else name)
        if DPP in encodings:
            operands = short + sources(types, True, V) + kept
            add(DPP, operands, inputs + DPP16_CONTROLS, lanes)
            add(DPP, operands, DPP8_CONTROLS, lanes, "dpp8")
        if E64_DPP in encodings:
            for operands, on in long_lane_operands(types, targets):
                add(E64_DPP, long + operands + kept, inputs + output + DPP16_CONTROLS, lanes, on=on)
                add(E64_DPP, long + operands + kept, inputs + output + DPP8_CONTROLS, lanes, "dpp8", on=on)
    return tuple(found)


def long_lane_operands(types: tuple[str, ...], targets: frozenset[str]) -> tuple[tuple[tuple[OperandSpec, ...], frozenset[str]], ...]:
    """The sources beside a lane control in the three-operand encoding: from gfx12 on the second may be a scalar too."""
    if len(types) < 2 or types[1] in MASK_KINDS:
        return ((sources(types, False, V, LANES_ANY, LANES_ANY), targets),)
    return (
        (sources(types, False, V, V, LANES_ANY), targets & GFX11),
        (sources(types, False, V, LANES_ANY, LANES_ANY), targets & GFX12),
    )


def vop3(
    name: str, text: str, *traits: Trait, unit: Unit = Unit.VALU, clamp: bool = False, omod: bool = True, lanes: bool = True,
    targets: frozenset[str] = RDNA, operation: str = "", semantics: str = "", reads: tuple[Register, ...] = (EXEC,),
) -> tuple[Row, ...]:  # fmt: skip
    """Instructions that have the three-operand encoding alone; `lanes`: with lane controls."""
    return vop(
        name, text, *traits, encodings=LONG if lanes else (E64,), unit=unit, clamp=clamp, omod=omod, targets=targets, operation=operation,
        semantics=semantics, reads=reads, suffixed=False,
    )  # fmt: skip


def vopc(
    name: str, type_name: str, *traits: Trait, second: str = "", targets: frozenset[str] = RDNA, operation: str = "", semantics: str = "",
) -> tuple[Row, ...]:  # fmt: skip
    """Compares: the result is a lane mask, VCC in the short encoding."""
    rows: list[Row] = []
    for mask, waves in (("mask", WAVES[64]), ("mask32", WAVES[32])):
        rows += compare(name, type_name, second or type_name, (mask,), (EXEC,), (), frozenset(traits), waves, targets, operation, semantics)
    return tuple(rows)


def vopcx(
    name: str, type_name: str, *traits: Trait, second: str = "", targets: frozenset[str] = RDNA, operation: str = "", semantics: str = "",
) -> tuple[Row, ...]:  # fmt: skip
    """Compares whose result is EXEC, and nothing else."""
    facts = frozenset(traits)
    return compare(name, type_name, second or type_name, (), (EXEC,), (EXEC,), facts, EVERY_WAVE, targets, operation, semantics)


def compare(
    name: str, first: str, second: str, results: tuple[str, ...], reads: tuple[Register, ...], writes: tuple[Register, ...],
    facts: frozenset[Trait], waves: frozenset[int], targets: frozenset[str], operation: str, semantics: str,
) -> tuple[Row, ...]:  # fmt: skip
    types = (first, second)
    lanes = facts | {Trait.CROSS_LANE}
    inputs = source_modifiers(types)
    output = (CLAMP,) if float_mask(types) and first == second else ()
    short, long = destinations(results, True), destinations(results, False)
    found: list[Row] = []

    def add(
        encoding: Encoding, operands: tuple[OperandSpec, ...], modifiers: tuple[ModifierSpec, ...], facts: frozenset[Trait], form: str = "",
        on: frozenset[str] = targets, mnemonic: str = "",
    ) -> None:  # fmt: skip
        if on:
            found.append(row(
                name, encoding, Unit.VALU, operands, modifiers, facts, mnemonic=mnemonic, form=form, reads=reads, writes=writes, targets=on,
                waves=waves, operation=operation, semantics=semantics,
            ))  # fmt: skip

    add(E32, short + sources(types, True, ANY, V), (), facts)
    add(E64, long + sources(types, False, ANY), inputs + output, facts)
    if BITS[first] == 64:
        return tuple(found)
    add(DPP, short + sources(types, True, V), inputs + DPP16_CONTROLS, lanes, mnemonic=name)
    add(DPP, short + sources(types, True, V), DPP8_CONTROLS, lanes, "dpp8", mnemonic=name)
    for operands, on in long_lane_operands(types, targets):
        add(E64_DPP, long + operands, inputs + output + DPP16_CONTROLS, lanes, on=on)
        add(E64_DPP, long + operands, inputs + output + DPP8_CONTROLS, lanes, "dpp8", on=on)
    return tuple(found)
