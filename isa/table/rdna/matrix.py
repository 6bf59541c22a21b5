"""RDNA's matrix rows: D := A B + C over a whole wave, whatever EXEC says (RDNA3 ISA, section 7.9; RDNA4 ISA,
section 7.12).

The number of registers of a 16 by 16 matrix depends on the lanes of a wave, so each instruction has a row for
each wave size. On gfx1100 both halves of a wave have A and B, and 16-bit results fill half of each register;
on gfx1201 every element occurs once, and A may be sparse. Sizes and cycles are those of AMD's matrix
instruction calculator 1.3.2. `neg_lo` marks the iu8 and iu4 factors as signed, and `neg_hi` of C takes its
magnitude.
"""

from __future__ import annotations

from isa.instruction import Encoding, ExecMode, Kind, ModifierSpec, OperandSpec, Role, Row, Trait, Unit
from isa.named_tuple import NamedTuple
from isa.table.declare import CLAMP, RDNA3, RDNA4, list_modifier
from isa.table.rdna.vector import WAVES, V, operand, row, tied, u

NEGATED = (list_modifier("neg_lo", 3), list_modifier("neg_hi", 3))
FACTORS_NEGATED = (
    ModifierSpec("neg_lo", "list", (0, 0), tail=(0,)),
    ModifierSpec("neg_hi", "list", (0, 0), tail=(0,)),
)
SIGNED = (ModifierSpec("neg_lo", "list", (0, 0), tail=(0,)), CLAMP)
# bits of an element
WIDTHS = {"f32": 32, "i32": 32, "f16": 16, "bf16": 16, "i8": 8, "fp8": 8, "bf8": 8, "i4": 4}
HALF = list_modifier("op_sel", 3)  # of C and D: the third element
XDL, SPARSE, HALF_WRITE = Trait.XDL, Trait.SPARSE, Trait.HALF_WRITE


class Product(NamedTuple):
    """What D := A B + C is made of: the name's ending, the elements of D, A and B, and which modifiers there
    are."""

    name: str
    result: str
    first: str
    second: str
    modifiers: tuple[ModifierSpec, ...]


def tuple_type(element: str, count: int) -> str:
    """The type of `count` elements in a lane's registers, at least a register."""
    least = max(count, 32 // WIDTHS[element])
    return element if least == 1 else f"{element}x{least}"


def dense(what: Product, depth: int, lanes: int, *, passes: int, targets: frozenset[str]) -> Row:
    """A 16 x 16 x depth product of a wave size; gfx1100 has A and B in both halves of the wave, and D and C
    in 32-bit elements."""
    twice = targets <= RDNA3
    spread = 16 if twice else lanes
    factor = 16 * depth // spread
    halves = twice and WIDTHS[what.result] == 16
    outcome = tuple_type(what.result, (512 if halves else 256) // lanes)
    result = operand("vdst", Role.DEFINE, V, outcome, early_clobber=True)
    addend = u("src2", V | Kind.INLINE, outcome)
    operands = (
        result, u("src0", V, tuple_type(what.first, factor)), u("src1", V, tuple_type(what.second, factor)),
        addend,
    )  # fmt: skip
    name = f"v_wmma_{what.result}_16x16x{depth}_{what.name}"
    modifiers = (HALF, *what.modifiers) if halves else what.modifiers
    kept = (tied("old", result),) if halves else ()
    traits = frozenset({XDL, HALF_WRITE}) if halves else frozenset({XDL})
    return matrix_row(
        name, operands + kept, modifiers, traits, passes, targets, lanes, f"{name}_twice" if twice else ""
    )


def sparse(what: Product, depth: int, lanes: int, *, passes: int, keys: int) -> Row:
    """A 16 x 16 x depth product with half of A's elements, placed by any of the `keys` parts of an index
    register."""
    factor = 16 * depth // lanes
    outcome = tuple_type(what.result, 256 // lanes)
    result = operand("vdst", Role.DEFINE, V, outcome, early_clobber=True)
    operands: tuple[OperandSpec, ...] = (
        result, u("src0", V, tuple_type(what.first, factor // 2)),
        u("src1", V, tuple_type(what.second, factor)), u("index", V, "b32"), tied("src2", result),
    )  # fmt: skip
    key = (ModifierSpec("index_key", "number", 0, 0, keys - 1),) if keys > 1 else ()
    name = f"v_swmmac_{what.result}_16x16x{depth}_{what.name}"
    return matrix_row(
        name, operands, key + what.modifiers, frozenset({XDL, SPARSE}), passes, RDNA4, lanes, ""
    )


def matrix_row(
    name: str, operands: tuple[OperandSpec, ...], modifiers: tuple[ModifierSpec, ...],
    traits: frozenset[Trait], passes: int, targets: frozenset[str], lanes: int, semantics: str,
) -> Row:  # fmt: skip
    return row(
        name, Encoding.E64, Unit.MATRIX, operands, modifiers, traits, mnemonic=name, reads=(),
        exec_mode=ExecMode.IGNORED, passes=passes, targets=targets, waves=WAVES[lanes], semantics=semantics,
        bus=0,
    )  # fmt: skip


def floats(result: str, element: str, modifiers: tuple[ModifierSpec, ...]) -> Product:
    return Product(element, result, element, element, modifiers)


def integers(bits: int) -> Product:
    return Product(f"iu{bits}", "i32", f"i{bits}", f"i{bits}", SIGNED)


HALF_PRODUCTS = (("f32", "f16"), ("f32", "bf16"), ("f16", "f16"), ("bf16", "bf16"))
BYTE_PRODUCTS = tuple(Product(f"{a}_{b}", "f32", a, b, ()) for a in ("fp8", "bf8") for b in ("fp8", "bf8"))


def rows_of(lanes: int) -> tuple[Row, ...]:
    """Every matrix row of a wave size."""
    # an index register is spread over twice as many lanes, so each has twice as many keys
    wide = lanes // 32
    return (
        *(dense(floats(*types, NEGATED), 16, lanes, passes=8, targets=RDNA3) for types in HALF_PRODUCTS),
        dense(integers(8), 16, lanes, passes=8, targets=RDNA3),
        dense(integers(4), 16, lanes, passes=4, targets=RDNA3),
        *(dense(floats(*types, NEGATED), 16, lanes, passes=4, targets=RDNA4) for types in HALF_PRODUCTS),
        dense(integers(8), 16, lanes, passes=2, targets=RDNA4),
        dense(integers(4), 16, lanes, passes=2, targets=RDNA4),
        dense(integers(4), 32, lanes, passes=2, targets=RDNA4),
        *(dense(product, 16, lanes, passes=2, targets=RDNA4) for product in BYTE_PRODUCTS),
        *(
            sparse(floats(*types, FACTORS_NEGATED), 32, lanes, passes=4, keys=2 * wide)
            for types in HALF_PRODUCTS
        ),
        sparse(integers(8), 32, lanes, passes=2, keys=2 * wide),
        sparse(integers(4), 32, lanes, passes=2, keys=2),
        sparse(integers(4), 64, lanes, passes=2, keys=wide),
        *(sparse(product, 32, lanes, passes=2, keys=2 * wide) for product in BYTE_PRODUCTS),
    )


ROWS: tuple[Row, ...] = (*rows_of(64), *rows_of(32))
