"""Helpers for RDNA's vector ALU rows: a call makes the rows of every encoding, form, target and wave size of
an instruction.

RDNA has, and CDNA lacks: two scalar values in an instruction, literals in the three-operand encoding, NULL,
DPP8, DPP in the three-operand encoding, lane masks of 32 bits in waves of 32. Tuples of VGPRs are not
aligned.

16-bit operands are halves of registers (`OperandSpec.half`); the short encodings name only halves of v0 to
v127. On gfx1100 every encoding chooses the half and text spells it (`v0.h`); on gfx1201 only some
instructions of the three-operand encoding do, by `op_sel`, and all others use the low half.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import product

from msgspec.structs import replace

from isa.constants import BITS
from isa.dpp import DPP8_IDENTITY, IDENTITY, RDNA_CONTROLS
from isa.instruction import Encoding, ExecMode, Kind, ModifierSpec, OperandSpec, Role, Row, Trait, Unit
from isa.named_tuple import NamedTuple
from isa.registers import EXEC, VCC, VCC_LO, Register
from isa.table.declare import (
    CLAMP,
    DPP_WHOLE_MASKS,
    EVERY_WAVE,
    RDNA,
    RDNA3,
    RDNA4,
    alignment,
    float_mask,
    list_modifier,
    result_modifiers,
    signature,
    source_modifiers,
    words,
)
from isa.table.declared import Declaration, instruction

E32, E64, DPP, E64_DPP = Encoding.E32, Encoding.E64, Encoding.DPP, Encoding.E64_DPP
ALL = (E32, E64, DPP, E64_DPP)
PAIR = (E32, E64)
LONG = (E64, E64_DPP)

V = Kind.VGPR
SCALAR = Kind.SGPR | Kind.M0 | Kind.EXEC | Kind.SCALAR_STATUS | Kind.NULL
ANY = SCALAR | V | Kind.INLINE | Kind.LITERAL
LANES_ANY = SCALAR | V | Kind.INLINE  # with a lane control there is no room for a literal
MASK_KINDS = {
    "mask": Kind.SGPR | Kind.EXEC | Kind.NULL,
    "mask32": Kind.SGPR | Kind.EXEC | Kind.NULL | Kind.M0,
}
MASK_SOURCES = MASK_KINDS
MASK_REGISTERS = {"mask": VCC, "mask32": VCC_LO}
HALVES = frozenset({"f16", "bf16", "i16", "u16", "b16"})
REACH = 128  # VGPRs with halves that the short encodings can name
WAVES = {64: frozenset({64}), 32: frozenset({32})}

FETCH_INACTIVE = ModifierSpec("fi", "number", 0)
# `bound_ctrl:0` sets the bit on CDNA alone
BOUND_CTRL = ModifierSpec("bound_ctrl", "number", 0)
BOUND_CTRL_SET = ModifierSpec("bound_ctrl", "number", 1, 1, 1, required=True)
DPP16_CONTROLS = (
    ModifierSpec("dpp_ctrl", "dpp", IDENTITY, 0, 0x16F, RDNA_CONTROLS, spelt=True, required=True),
    ModifierSpec("row_mask", "hex", 15, 0, 15, spelt=True),
    ModifierSpec("bank_mask", "hex", 15, 0, 15, spelt=True), BOUND_CTRL, FETCH_INACTIVE,
)  # fmt: skip
DPP8_CONTROLS = (
    ModifierSpec("dpp8", "dpp8", DPP8_IDENTITY, 0, (1 << 24) - 1, spelt=True, required=True),
    FETCH_INACTIVE,
)


@cache
def operand(
    name: str, role: Role, kinds: Kind, type_name: str, tied: str = "", hidden: bool = False,
    fixed: Register | None = None, early_clobber: bool = False, short: bool = False,
) -> OperandSpec:  # fmt: skip
    """An operand, of a `short` encoding or another; a tuple of SGPRs is aligned, a tuple of VGPRs is not."""
    count = words(type_name)
    scalar = alignment(Kind.SGPR, count)
    vector = bool(kinds & V)
    half = vector and type_name in HALVES
    return OperandSpec(
        name, role, kinds, type_name, count, 1 if vector else scalar, tied, hidden, early_clobber, fixed,
        half=half, scalar_align=scalar if vector else 0, reach=REACH if half and short else 0,
    )  # fmt: skip


def d(name: str, kinds: Kind, type_name: str, short: bool = False) -> OperandSpec:
    """A destination."""
    return operand(name, Role.DEFINE, kinds, type_name, short=short)


def u(name: str, kinds: Kind, type_name: str, short: bool = False) -> OperandSpec:
    """A source."""
    return operand(name, Role.USE, kinds, type_name, short=short)


def tied(name: str, to: OperandSpec) -> OperandSpec:
    """The unspelt source that a destination preserves or accumulates on."""
    return operand(name, Role.USE, to.kinds, to.type, to.name, True, short=bool(to.reach))


def half_modifier(
    operands: tuple[OperandSpec, ...], spelt: bool, listed: tuple[int, ...]
) -> tuple[ModifierSpec, ...]:
    """The choice of halves: bit i belongs to operand i. `spelt` choices are suffixes; `listed` are the
    operands in the order of `op_sel`, -1 if its element is always 0."""
    mask = sum(1 << i for i, spec in enumerate(operands) if spec.half and not spec.hidden)
    return choice_of_halves(mask, spelt, listed) if mask and (spelt or listed) else ()


@cache
def choice_of_halves(mask: int, spelt: bool, listed: tuple[int, ...]) -> tuple[ModifierSpec, ...]:
    return (
        ModifierSpec(
            "half", "half", 0, 0, mask, tail=tuple(i if mask >> max(i, 0) & 1 else -1 for i in listed),
            spelt=spelt,
        ),
    )  # fmt: skip


def by_halves(text: str, targets: frozenset[str]) -> tuple[frozenset[str], ...]:
    """The targets, separated if they choose halves in different ways."""
    if HALVES.isdisjoint(text.replace("=", " ").split()):
        return (targets,)
    return tuple(part for part in (targets & RDNA3, targets & RDNA4) if part)


def row(
    name: str, encoding: Encoding, unit: Unit, operands: tuple[OperandSpec, ...],
    modifiers: tuple[ModifierSpec, ...], traits: frozenset[Trait], *, mnemonic: str = "", form: str = "",
    reads: tuple[Register, ...] = (EXEC,), writes: tuple[Register, ...] = (),
    exec_mode: ExecMode = ExecMode.MASKED, passes: int = 0, targets: frozenset[str] = RDNA,
    waves: frozenset[int] = EVERY_WAVE, operation: str = "", semantics: str = "", bus: int = 2,
) -> Row:  # fmt: skip
    """A vector row: reads EXEC, and at most two scalar values."""
    operation = operation or name
    return Row(
        name, mnemonic or name + encoding.value, encoding, unit, operands, modifiers, reads, writes,
        exec_mode, (), traits, bus, passes, 0, targets, waves, operation, semantics or operation, form,
    )  # fmt: skip


def of_waves(text: str) -> Iterable[tuple[str, frozenset[int]]]:
    """A signature at each wave size; with a lane mask, a signature for each width of masks."""
    if "mask" not in text:
        return ((text, EVERY_WAVE),)
    return ((text, WAVES[64]), (text.replace("mask", "mask32"), WAVES[32]))


@cache
def destinations(types: tuple[str, ...], short: bool) -> tuple[OperandSpec, ...]:
    """`vdst`, and `sdst` for a lane mask, which is VCC in the short encodings."""
    return tuple(
        operand("sdst", Role.DEFINE, MASK_KINDS[t], t, fixed=MASK_REGISTERS[t] if short else None)
        if t in MASK_KINDS
        else d("vdst", V, t, short)
        for t in types
    )


@cache
def sources(types: tuple[str, ...], short: bool, *kinds: Kind) -> tuple[OperandSpec, ...]:
    """`src0`, `src1`, ... of the kinds; a lane mask is VCC in the short encodings."""
    return tuple(
        operand(f"src{i}", Role.USE, MASK_SOURCES[t], t, fixed=MASK_REGISTERS[t] if short else None)
        if t in MASK_KINDS
        else u(f"src{i}", kinds[min(i, len(kinds) - 1)], t, short)
        for i, t in enumerate(types)
    )


@instruction
def vop(
    name: str, text: str, *traits: Trait, encodings: tuple[Encoding, ...] = ALL, unit: Unit = Unit.VALU,
    clamp: bool = False, accumulates: bool = False, negatable: int = 0, targets: frozenset[str] = RDNA,
    operation: str = "", semantics: str = "", omod: bool = True, suffixed: bool = True, op_sel: bool = False,
    chooses: tuple[ModifierSpec, ...] = (), bus: int = 2, keeps: bool = False,
) -> tuple[Row, ...]:  # fmt: skip
    """VOP1, VOP2 and VOP3 instructions in their encodings.

    `accumulates`: the destination is an unspelt third source (v_fmac). `negatable`: the mask of the sources
    that take `neg` and `abs` although their type is not a float. `suffixed`: the suffix identifies the
    three-operand encoding. `keeps`: the destination is an unspelt source, for the half that stays. `op_sel`:
    gfx1201 chooses halves in the three-operand encoding. `chooses`: modifiers of that encoding alone.
    """
    rows: list[Row] = []
    facts = frozenset(traits)
    lanes = facts | {Trait.CROSS_LANE}
    for part, (spelt, waves) in product(by_halves(text, targets), of_waves(text)):
        suffixes = part <= RDNA3
        results, types = signature(spelt)
        accumulator = (tied("src2", d("vdst", V, results[0])),) if accumulates else ()
        inputs = source_modifiers(types, negatable)
        output = result_modifiers(results, clamp) if omod else ()

        def add(
            encoding: Encoding, operands: tuple[OperandSpec, ...], modifiers: tuple[ModifierSpec, ...],
            facts: frozenset[Trait], form: str = "", on: frozenset[str] = part, mnemonic: str = "",
            waves: frozenset[int] = waves,
        ) -> None:  # fmt: skip
            rows.append(
                row(
                    name, encoding, unit, operands, modifiers, facts, mnemonic=mnemonic, form=form,
                    targets=on, waves=waves, operation=operation, semantics=semantics, bus=bus,
                )
            )  # fmt: skip

        short, long = destinations(results, True), destinations(results, False)
        listed = op_sel_order(results, types, accumulates) if suffixes or op_sel else ()
        if E32 in encodings:
            operands = short + sources(types, True, ANY, V) + accumulator
            add(E32, operands, half_modifier(operands, suffixes, ()), facts)
        if E64 in encodings:
            operands = (
                long
                + sources(types, False, ANY)
                + (accumulator or ((tied("old", long[0]),) if keeps else ()))
            )
            modifiers = inputs + half_modifier(operands, suffixes, listed) + chooses + output
            add(E64, operands, modifiers, facts, mnemonic="" if suffixed else name)
        if DPP in encodings:
            operands = short + sources(types, True, V) + (accumulator or (tied("old", short[0]),))
            choice = half_modifier(operands, suffixes, ())
            add(DPP, operands, inputs + choice + DPP16_CONTROLS, lanes)
            add(DPP, operands, choice + DPP8_CONTROLS, lanes, "dpp8")
        if E64_DPP in encodings:
            for given, on in long_lane_operands(types, part):
                operands = long + given + (accumulator or (tied("old", long[0]),))
                modifiers = inputs + half_modifier(operands, suffixes, listed) + chooses + output
                add(E64_DPP, operands, modifiers + DPP16_CONTROLS, lanes, on=on)
                add(E64_DPP, operands, modifiers + DPP8_CONTROLS, lanes, "dpp8", on=on)
    return tuple(rows)


@instruction
def of_whole_rows(name: str, text: str) -> tuple[Row, ...]:
    """The row of DPP in which every lane has a source or a 0: nothing is kept of the destination."""
    (result,), types = signature(text)
    operands = (d("vdst", V, result), *[u(f"src{i}", V, type_name) for i, type_name in enumerate(types)])
    control = (*DPP16_CONTROLS[:1], *DPP_WHOLE_MASKS, BOUND_CTRL_SET, *DPP16_CONTROLS[-1:])
    return (row(name, DPP, Unit.VALU, operands, control, frozenset({Trait.CROSS_LANE}), form="bound"),)


def op_sel_order(results: tuple[str, ...], types: tuple[str, ...], accumulates: bool) -> tuple[int, ...]:
    """The operands in the order of `op_sel`: sources, accumulator, destination; empty if a lane mask takes
    its bits."""
    if types and types[-1] in MASK_KINDS:
        return ()
    order = tuple(range(len(results), len(results) + len(types)))
    return (*order, 0, 0) if accumulates else (*order, 0)


def with_lane_controls(
    name: str, operands: tuple[OperandSpec, ...], modifiers: tuple[ModifierSpec, ...],
    traits: frozenset[Trait], targets: frozenset[str], operation: str = "", semantics: str = "",
) -> tuple[Row, ...]:  # fmt: skip
    """The rows of the three-operand encoding with DPP16 and with DPP8, if they need only the given
    operands."""
    facts = traits | {Trait.CROSS_LANE}
    return tuple(
        row(
            name, E64_DPP, Unit.VALU, operands, modifiers + controls, facts, form=form, targets=targets,
            operation=operation, semantics=semantics,
        )
        for form, controls in (("", DPP16_CONTROLS), ("dpp8", DPP8_CONTROLS))
    )  # fmt: skip


@instruction
def packed(
    name: str, text: str, *traits: Trait, neg: bool = True, signs: bool = False, clamp: bool = True,
    halves: bool = True, lanes: tuple[Kind, Kind] | None = None, targets: frozenset[str] = RDNA,
    operation: str = "", semantics: str = "",
) -> tuple[Row, ...]:  # fmt: skip
    """VOP3P instructions. With `halves`, `op_sel` and `op_sel_hi` choose the halves of each source for the
    low and the high result; with `signs`, `neg_lo` marks signed integer sources; `lanes` are the kinds of the
    second and third source with a lane control."""
    results, types = signature(text)
    length = len(types)
    modifiers = [list_modifier("op_sel", length), list_modifier("op_sel_hi", length, 1)] if halves else []
    modifiers += [list_modifier("neg_lo", length)] if neg or signs else []
    modifiers += [list_modifier("neg_hi", length)] if neg else []
    modifiers += [CLAMP] if clamp else []
    facts = frozenset(traits)
    result = destinations(results, False)
    rows = [
        row(
            name, E64, Unit.VALU, result + sources(types, False, ANY), tuple(modifiers), facts, mnemonic=name,
            targets=targets, operation=operation, semantics=semantics,
        )
    ]  # fmt: skip
    if lanes is not None:
        for given, on in long_lane_operands(types, targets, *lanes):
            operands = result + given + (tied("old", result[0]),)
            rows += with_lane_controls(name, operands, tuple(modifiers), facts, on, operation, semantics)
    return tuple(rows)


@instruction
def mixed(name: str, type_name: str, *traits: Trait) -> tuple[Row, ...]:
    """v_fma_mix: each source is f32, or by op_sel_hi the half of an f16 pair that op_sel names; mixlo and
    mixhi keep the other half, and text names the whole register."""
    result = replace(d("vdst", V, type_name), half=False)
    old = tied("old", result)
    kept = (replace(old, half=False),)
    types = ("f32", "f32", "f32")
    modifiers = (*source_modifiers(types), list_modifier("op_sel", 3), list_modifier("op_sel_hi", 3), CLAMP)
    facts = frozenset(traits)
    operands = (result, *sources(types, False, LANES_ANY))
    plain = row(name, E64, Unit.VALU, operands + (kept if traits else ()), modifiers, facts, mnemonic=name)
    return plain, *with_lane_controls(
        name, (result, *sources(types, False, V, V, LANES_ANY), *kept), modifiers, facts, RDNA
    )


def long_lane_operands(
    types: tuple[str, ...], targets: frozenset[str], second: Kind = LANES_ANY, third: Kind = LANES_ANY,
) -> tuple[tuple[tuple[OperandSpec, ...], frozenset[str]], ...]:  # fmt: skip
    """The sources next to a lane control in the three-operand encoding: on gfx1201 the second may be
    `second`, a scalar too."""
    if len(types) < 2 or types[1] in MASK_KINDS or second == V:
        return ((sources(types, False, V, second, third), targets),)
    by_target = (
        (sources(types, False, V, V, third), RDNA3),
        (sources(types, False, V, second, third), RDNA4),
    )
    return tuple((operands, targets & on) for operands, on in by_target if targets & on)


def vop3(
    name: str, text: str, *traits: Trait, unit: Unit = Unit.VALU, clamp: bool = False, omod: bool = True,
    lanes: bool = True, targets: frozenset[str] = RDNA, operation: str = "", semantics: str = "",
    op_sel: bool = False, negatable: int = 0, chooses: tuple[ModifierSpec, ...] = (), bus: int = 2,
    keeps: bool = False,
) -> tuple[Declaration]:  # fmt: skip
    """Instructions that have the three-operand encoding alone; `lanes`: with lane controls."""
    return vop(
        name, text, *traits, encodings=LONG if lanes else (E64,), unit=unit, clamp=clamp, omod=omod,
        targets=targets, operation=operation, semantics=semantics, suffixed=False, op_sel=op_sel,
        negatable=negatable, chooses=chooses, bus=bus, keeps=keeps,
    )  # fmt: skip


@instruction
def vopc(
    name: str, type_name: str, *traits: Trait, second: str = "", targets: frozenset[str] = RDNA,
    operation: str = "", semantics: str = "",
) -> tuple[Row, ...]:  # fmt: skip
    """Compares: the result is a lane mask, VCC in the short encoding."""
    rows: list[Row] = []
    for part in by_halves(type_name, targets):
        for mask, waves in (("mask", WAVES[64]), ("mask32", WAVES[32])):
            what = CompareRow(
                name, (type_name, second or type_name), (mask,), (), frozenset(traits), waves, part,
                operation, semantics,
            )  # fmt: skip
            rows += compare(what)
    return tuple(rows)


@instruction
def vopcx(
    name: str, type_name: str, *traits: Trait, second: str = "", targets: frozenset[str] = RDNA,
    operation: str = "", semantics: str = "",
) -> tuple[Row, ...]:  # fmt: skip
    """Compares with EXEC as their only result."""
    rows: list[Row] = []
    for part in by_halves(type_name, targets):
        what = CompareRow(
            name, (type_name, second or type_name), (), (EXEC,), frozenset(traits), EVERY_WAVE, part,
            operation, semantics,
        )  # fmt: skip
        rows += compare(what)
    return tuple(rows)


class CompareRow(NamedTuple):
    """A compare of a target and wave size."""

    name: str
    types: tuple[str, str]
    results: tuple[str, ...]
    writes: tuple[Register, ...]
    traits: frozenset[Trait]
    waves: frozenset[int]
    targets: frozenset[str]
    operation: str
    semantics: str


def compare(what: CompareRow) -> tuple[Row, ...]:
    """The rows of a compare: with a lane control, `op_sel` has no element for the result."""
    types, results = what.types, what.results
    suffixes = what.targets <= RDNA3
    inputs = source_modifiers(types)
    output = (CLAMP,) if float_mask(types) and types[0] == types[1] else ()
    short, long = destinations(results, True), destinations(results, False)
    first = len(results)
    spread = (first, first + 1, -1)[: first + 2] if suffixes else ()
    rows = [compare_row(what, E32, short + sources(types, True, ANY, V), (), suffixes, ())]
    rows.append(compare_row(what, E64, long + sources(types, False, ANY), inputs, suffixes, spread, output))
    if BITS[types[0]] == 64:
        return tuple(rows)
    operands = short + sources(types, True, V)
    rows.append(compare_row(what, DPP, operands, inputs, suffixes, (), DPP16_CONTROLS))
    rows.append(compare_row(what, DPP, operands, (), suffixes, (), DPP8_CONTROLS, "dpp8"))
    for given, on in long_lane_operands(types, what.targets):
        part = what._replace(targets=on)
        rows.append(
            compare_row(part, E64_DPP, long + given, inputs, suffixes, spread[:2], output + DPP16_CONTROLS)
        )
        rows.append(
            compare_row(
                part, E64_DPP, long + given, inputs, suffixes, spread[:2], output + DPP8_CONTROLS, "dpp8"
            )
        )
    return tuple(rows)


def compare_row(
    what: CompareRow, encoding: Encoding, operands: tuple[OperandSpec, ...], inputs: tuple[ModifierSpec, ...],
    suffixes: bool, listed: tuple[int, ...], others: tuple[ModifierSpec, ...] = (), form: str = "",
) -> Row:  # fmt: skip
    """A row of a compare; with a lane control the short encoding is spelt without its suffix."""
    traits = what.traits | {Trait.CROSS_LANE} if encoding in (DPP, E64_DPP) else what.traits
    return row(
        what.name, encoding, Unit.VALU, operands, inputs + half_modifier(operands, suffixes, listed) + others,
        traits, mnemonic=what.name if encoding is DPP else "", form=form, writes=what.writes,
        targets=what.targets, waves=what.waves, operation=what.operation, semantics=what.semantics,
    )  # fmt: skip
