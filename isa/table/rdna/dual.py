"""RDNA's dual instructions (VOPD): two operations at once, X and Y, in waves of 32 (RDNA3 ISA, section 7.6;
LLVM's VOPD rules).

All reads come before all writes. The destinations differ in parity. Sources of the same place lie in
different banks: four banks for src0 and src1, two for src2. On gfx1201 two sources of the same place may also
be the same VGPR (llvm-project PRs 196198 and 198034). The two operations share two scalar values and a
literal.
"""

from __future__ import annotations

from functools import cache, partial

from msgspec.structs import replace

from isa.instruction import Encoding, ExecMode, Kind, OperandSpec, Row, Trait, Unit
from isa.named_tuple import NamedTuple
from isa.registers import EXEC, VCC_LO, Register
from isa.table.declare import RDNA, RDNA3, RDNA4, signature
from isa.table.declared import Declaration
from isa.table.rdna.vector import ANY, WAVES, V, d, row, tied, u

BANKS = {"vdst": 1, "src0": 3, "src1": 3, "src2": 1}  # the bits of a register's number that tell its bank


class Component(NamedTuple):
    """An operation of a pair, and the targets that have it."""

    row: Row
    targets: frozenset[str]


def component(
    name: str, text: str, *traits: Trait, accumulates: bool = False, literal: int = -1,
    reads: tuple[Register, ...] = (), targets: frozenset[str] = RDNA, operation: str = "",
    semantics: str = "",
) -> Component:  # fmt: skip
    """`v_dual_NAME`: src0 may be anything, other sources are VGPRs, and source `literal` is the literal of
    the instruction."""
    results, types = signature(text)
    result = d("vdst", V, results[0])
    given = tuple(
        u(f"src{i}", ANY if i == 0 else Kind.LITERAL if i == literal else V, t) for i, t in enumerate(types)
    )
    operands = (result, *given, *((tied("src2", result),) if accumulates else ()))
    return Component(
        row(
            f"v_dual_{name}", Encoding.DUAL, Unit.VALU, operands, (), frozenset(traits),
            mnemonic=f"v_dual_{name}", reads=(EXEC, *reads), targets=targets, waves=WAVES[32],
            operation=operation or f"v_{name}", semantics=semantics,
        ),
        targets,
    )  # fmt: skip


EITHER = (
    component("fmac_f32", "f32 = f32 f32", accumulates=True),
    component("fmaak_f32", "f32 = f32 f32 f32", literal=2),
    component("fmamk_f32", "f32 = f32 f32 f32", literal=1),
    component("mul_f32", "f32 = f32 f32"),
    component("add_f32", "f32 = f32 f32"),
    component("sub_f32", "f32 = f32 f32"),
    component("subrev_f32", "f32 = f32 f32"),
    component("mul_dx9_zero_f32", "f32 = f32 f32", operation="v_mul_legacy_f32"),
    component("mov_b32", "b32 = b32"),
    component("cndmask_b32", "b32 = b32 b32", reads=(VCC_LO,)),
    component("max_f32", "f32 = f32 f32", targets=RDNA3),
    component("min_f32", "f32 = f32 f32", targets=RDNA3),
    component(
        "max_num_f32", "f32 = f32 f32", targets=RDNA4, operation="v_max_f32", semantics="v_max_num_f32"
    ),
    component(
        "min_num_f32", "f32 = f32 f32", targets=RDNA4, operation="v_min_f32", semantics="v_min_num_f32"
    ),
    component(
        "dot2acc_f32_f16", "f32 = f16x2 f16x2", Trait.DOT, accumulates=True, operation="v_dot2c_f32_f16"
    ),
    component(
        "dot2acc_f32_bf16", "f32 = bf16x2 bf16x2", Trait.DOT, accumulates=True, operation="v_dot2c_f32_bf16"
    ),
)
SECOND = (
    *EITHER,
    component("add_nc_u32", "u32 = u32 u32", operation="v_add_u32"),
    component("lshlrev_b32", "b32 = u32 b32"),
    component("and_b32", "b32 = b32 b32"),
)


@cache
def named_apart(part: Row, letter: str) -> tuple[OperandSpec, ...]:
    """The operands of a component as those of the pair."""
    return tuple(
        replace(spec, name=spec.name + letter, tied=spec.tied and spec.tied + letter)
        for spec in part.operands
    )


def pair(first: Component, second: Component) -> tuple[Declaration, ...]:
    """X and Y together; no rows if no target has both."""
    targets = first.targets & second.targets
    name = f"{first.row.mnemonic} :: {second.row.mnemonic}"
    return (
        (
            Declaration(
                name, partial(rows_of, first.row, second.row, targets), targets, first=first.row.mnemonic
            ),
        )
        if targets
        else ()
    )


def rows_of(first: Row, second: Row, targets: frozenset[str]) -> tuple[Row, ...]:
    """gfx1201 lets two moves read the same bank, and any two components the same VGPR."""
    moves = first.operation == second.operation == "v_mov_b32"
    apart = {RDNA3: frozenset(BANKS), RDNA4: frozenset({"vdst"}) if moves else frozenset(BANKS)}
    return tuple(joined(first, second, on, places) for on, places in apart.items() if on <= targets)


def joined(first: Row, second: Row, targets: frozenset[str], apart: frozenset[str]) -> Row:
    """A row of two components, with the operands in the places `apart` in different banks."""
    places = {spec.name: len(first.operands) + i for i, spec in enumerate(second.operands)}
    banks = tuple(
        (i, places[spec.name], BANKS[spec.name])
        for i, spec in enumerate(first.operands)
        if spec.name in apart & places.keys()
    )
    name = f"{first.mnemonic} :: {second.mnemonic}"
    operands = named_apart(first, "X") + named_apart(second, "Y")
    return Row(
        name, name, Encoding.DUAL, Unit.VALU, operands,
        reads=tuple(dict.fromkeys(first.reads + second.reads)), exec_mode=ExecMode.MASKED,
        traits=first.traits | second.traits, constant_bus_limit=2, targets=targets, waves=WAVES[32],
        operation=name, semantics="dual", components=(first, second), banks=banks,
        reads_one_twice=targets <= RDNA4,
    )  # fmt: skip


ROWS: tuple[Declaration, ...] = tuple(
    declared for first in EITHER for second in SECOND for declared in pair(first, second)
)
