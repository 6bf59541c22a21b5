"""Matrix rows (CDNA3 ISA, chapter 7): D := A B + C over a whole wave, whatever EXEC says.

Names and operations are CDNA3's, `v_mfma_f32_16x16x16_f16`: rows, columns and inner length of a block, and
the number of blocks if there are several (`_16b`). gfx90a spells most of them without the underscores.
Passes are those of the manuals' tables and of llvm-mca; four cycles each.
"""

from __future__ import annotations

from isa.instruction import Encoding, ExecMode, Kind, ModifierSpec, OperandSpec, Row, Trait, Unit
from isa.registers import EXEC
from isa.table.declare import CDNA, VA, VSRC, V, d, in_file_of, list_modifier, make, signature, tied, u, words
from isa.table.declared import Declared, instruction, single

XDL = Trait.XDL
GFX90A, GFX942, GFX950 = frozenset({"gfx90a"}), frozenset({"gfx942"}), frozenset({"gfx950"})
SINCE_GFX942 = GFX942 | GFX950
LANE_GROUPS = ModifierSpec("blgp", "number", 0, 0, 7)
NEGATED = list_modifier("neg", 3)
SPARSE_INDEX = (ModifierSpec("cbsz", "number", 0, 0, 3), ModifierSpec("abid", "number", 0, 0, 3))
# which half of a register of scales each factor takes its 8-bit scale from, low bit and high bit of the
# byte's number
SCALE_BYTES = (
    ModifierSpec("op_sel", "list", (0, 0), tail=(0,)),
    ModifierSpec("op_sel_hi", "list", (0, 0), tail=(0,), spelt=True),
)


def broadcasts(blocks: int) -> tuple[ModifierSpec, ...]:
    """A's block `abid` goes to 2^cbsz blocks; B's lane groups go by `blgp`."""
    if blocks == 1:
        return (LANE_GROUPS,)
    return (
        ModifierSpec("cbsz", "number", 0, 0, blocks.bit_length() - 1),
        ModifierSpec("abid", "number", 0, 0, blocks - 1),
        LANE_GROUPS,
    )


def row_of(
    name: str, text: str, passes: int, *traits: Trait, modifiers: tuple[ModifierSpec, ...] = (),
    targets: frozenset[str] = CDNA, operation: str = "", semantics: str = "", form: str = "",
    scales: tuple[OperandSpec, ...] = (),
) -> Row:  # fmt: skip
    """D and C are both VGPRs or both AGPRs. A D of more than four registers is written while the sources are
    still read: it is C's register or apart from it, and apart from A and B. gfx90a flushes the denormals of
    f16 and bf16 (MIOpen's documentation, MI200 MFMA behavior specifics)."""
    results, types = signature(text)
    flushed = (Trait.FLUSHES,) if targets == GFX90A and types[0].startswith(("f16", "bf16")) else ()
    result = d("vdst", VA, results[0], early_clobber=words(results[0]) > 4)
    operands = (
        result, u("src0", VA, types[0]), u("src1", VA, types[1]),
        in_file_of("src2", VA | Kind.INLINE, types[2], "vdst"), *scales,
    )  # fmt: skip
    return make(
        name, Encoding.E64, Unit.MATRIX, operands, modifiers, mnemonic=name, exec_mode=ExecMode.IGNORED,
        traits=(*traits, *flushed), passes=passes, targets=targets, operation=operation, semantics=semantics,
        form=form,
    )  # fmt: skip


matrix = single(row_of)


def blocked(
    name: str, older: str, text: str, passes: int, *traits: Trait, blocks: int = 1
) -> tuple[Declared, ...]:
    """An instruction of many small blocks, or of f32, which kept its passes and modifiers; gfx90a spells it
    `older`, and runs all but f64 in a single pipe."""
    kept = broadcasts(blocks)
    return (
        matrix(name, text, passes, *traits, modifiers=kept, targets=SINCE_GFX942),
        matrix(older, text, passes, XDL, modifiers=kept, targets=GFX90A, operation=name),
    )


def doubled(name: str, older: str, text: str, passes: int) -> tuple[Declared, ...]:
    """An instruction of a single block, twice as fast since gfx942, and without gfx90a's choice of lane
    groups."""
    return (
        matrix(name, text, passes, XDL, targets=SINCE_GFX942),
        matrix(older, text, 2 * passes, XDL, modifiers=broadcasts(1), targets=GFX90A, operation=name),
    )


def bytes_mixed(shape: str, text: str, passes: int) -> tuple[Declared, ...]:
    """The four mixes of the 8-bit floats; gfx942 has AMD's own formats (FNUZ), gfx950 those of OCP."""
    return tuple(
        row
        for first in ("bf8", "fp8")
        for second in ("bf8", "fp8")
        for row in both_formats(f"v_mfma_f32_{shape}_{first}_{second}", text.format(first, second), passes)
    )


def both_formats(name: str, text: str, passes: int) -> tuple[Declared, ...]:
    return (
        matrix(name, text, passes, XDL, targets=GFX942),
        matrix(name, text, passes, XDL, targets=GFX950, semantics=f"{name}_ocp"),
    )


@single
def sparse(
    name: str, text: str, passes: int, *, targets: frozenset[str] = SINCE_GFX942, semantics: str = ""
) -> Row:
    """D := A B + D. A has two of each four elements, and `index` selects them; cbsz and abid choose the part
    of the index."""
    results, types = signature(text)
    result = d("vdst", VA, results[0], early_clobber=words(results[0]) > 4)
    operands = (
        result, u("src0", VA, types[0]), u("src1", VA, types[1]), u("index", V, "b32"), tied("src2", result),
    )  # fmt: skip
    return make(
        name, Encoding.E64, Unit.MATRIX, operands, SPARSE_INDEX, mnemonic=name, exec_mode=ExecMode.IGNORED,
        traits=(XDL, Trait.SPARSE), passes=passes, targets=targets, semantics=semantics,
    )  # fmt: skip


def sparse_bytes(shape: str, text: str, passes: int, targets: frozenset[str]) -> tuple[Declared, ...]:
    """The four mixes of the 8-bit floats with a sparse A."""
    rows: list[Declared] = []
    for first in ("bf8", "fp8"):
        for second in ("bf8", "fp8"):
            name, types = f"v_smfmac_f32_{shape}_{first}_{second}", text.format(first, second)
            if "gfx942" in targets:
                rows.append(sparse(name, types, passes, targets=GFX942))
            rows.append(sparse(name, types, passes, targets=GFX950, semantics=f"{name}_ocp"))
    return tuple(rows)


# form of a factor: its type, and the numbers of its formats, smallest and largest: fp8 bf8, fp6 bf6, fp4
_FACTORS = {"f8": ("f8x32", 0, 1), "f6": ("f6x32", 2, 3), "f4": ("f4x32", 4, 4)}


@instruction
def chosen(name: str, result: str, fast: int, scaled: bool = False) -> tuple[Row, ...]:
    """Factors of 8, 6 or 4 bits in any mix, A's format by cbsz and B's by blgp; a row for each mix of widths,
    since an 8-bit factor takes twice the passes. With `scaled`, each 32 elements have a scale of their
    own."""
    scales = (u("scale0", V, "b32"), u("scale1", V, "b32")) if scaled else ()
    traits = (XDL, Trait.DOUBLE_LENGTH) if scaled else (XDL,)
    rows: list[Row] = []
    for first, (left, *left_formats) in _FACTORS.items():
        for second, (right, *right_formats) in _FACTORS.items():
            formats = (format_choice("cbsz", *left_formats), format_choice("blgp", *right_formats))
            eight = "f8" in (first, second)
            rows.append(
                row_of(
                    name, f"{result} = {left} {right} {result}", 2 * fast if eight else fast, *traits,
                    modifiers=(*(SCALE_BYTES if scaled else ()), *formats), targets=GFX950, scales=scales,
                    form="" if first == second == "f8" else f"{first} {second}",
                )
            )  # fmt: skip
    return tuple(rows)


def format_choice(name: str, smallest: int, largest: int) -> ModifierSpec:
    """The format of a factor; a choice other than 0 is always spelt."""
    return ModifierSpec(name, "number", smallest, smallest, largest, required=smallest > 0)


def accumulator_move(name: str, result: Kind, source: Kind, *traits: Trait, bus: int = 0) -> Row:
    return make(
        name, Encoding.PLAIN, Unit.VALU, (d("vdst", result, "b32"), u("src0", source, "b32")), reads=(EXEC,),
        exec_mode=ExecMode.MASKED, traits=(Trait.MOVE, *traits), bus=bus,
    )  # fmt: skip


SINGLE: tuple[Declared, ...] = (
    *blocked("v_mfma_f32_32x32x1_2b_f32", "v_mfma_f32_32x32x1f32", "f32x32 = f32 f32 f32x32", 16, blocks=2),
    *blocked("v_mfma_f32_16x16x1_4b_f32", "v_mfma_f32_16x16x1f32", "f32x16 = f32 f32 f32x16", 8, blocks=4),
    *blocked("v_mfma_f32_4x4x1_16b_f32", "v_mfma_f32_4x4x1f32", "f32x4 = f32 f32 f32x4", 2, blocks=16),
    *blocked("v_mfma_f32_32x32x2_f32", "v_mfma_f32_32x32x2f32", "f32x16 = f32 f32 f32x16", 16),
    *blocked("v_mfma_f32_16x16x4_f32", "v_mfma_f32_16x16x4f32", "f32x4 = f32 f32 f32x4", 8),
    matrix("v_mfma_f32_16x16x8_xf32", "f32x4 = f32x2 f32x2 f32x4", 4, XDL, Trait.ROUNDS, targets=GFX942),
    matrix("v_mfma_f32_32x32x4_xf32", "f32x16 = f32x2 f32x2 f32x16", 8, XDL, Trait.ROUNDS, targets=GFX942),
)

DOUBLE: tuple[Declared, ...] = (
    matrix(
        "v_mfma_f64_16x16x4f64", "f64x4 = f64 f64 f64x4", 8, targets=GFX90A,
        operation="v_mfma_f64_16x16x4_f64",
    ),
    matrix("v_mfma_f64_16x16x4_f64", "f64x4 = f64 f64 f64x4", 8, modifiers=(NEGATED,), targets=GFX942),
    matrix("v_mfma_f64_16x16x4_f64", "f64x4 = f64 f64 f64x4", 16, modifiers=(NEGATED,), targets=GFX950),
    matrix(
        "v_mfma_f64_4x4x4f64", "f64 = f64 f64 f64", 4, targets=GFX90A, operation="v_mfma_f64_4x4x4_4b_f64"
    ),
    matrix("v_mfma_f64_4x4x4_4b_f64", "f64 = f64 f64 f64", 4, modifiers=(NEGATED,), targets=SINCE_GFX942),
)  # fmt: skip

HALF: tuple[Declared, ...] = (
    *blocked(
        "v_mfma_f32_32x32x4_2b_f16", "v_mfma_f32_32x32x4f16", "f32x32 = f16x4 f16x4 f32x32", 16, XDL, blocks=2
    ),
    *blocked(
        "v_mfma_f32_16x16x4_4b_f16", "v_mfma_f32_16x16x4f16", "f32x16 = f16x4 f16x4 f32x16", 8, XDL, blocks=4
    ),
    *blocked(
        "v_mfma_f32_4x4x4_16b_f16", "v_mfma_f32_4x4x4f16", "f32x4 = f16x4 f16x4 f32x4", 2, XDL, blocks=16
    ),
    *doubled("v_mfma_f32_32x32x8_f16", "v_mfma_f32_32x32x8f16", "f32x16 = f16x4 f16x4 f32x16", 8),
    *doubled("v_mfma_f32_16x16x16_f16", "v_mfma_f32_16x16x16f16", "f32x4 = f16x4 f16x4 f32x4", 4),
    matrix("v_mfma_f32_16x16x32_f16", "f32x4 = f16x8 f16x8 f32x4", 4, XDL, targets=GFX950),
    matrix("v_mfma_f32_32x32x16_f16", "f32x16 = f16x8 f16x8 f32x16", 8, XDL, targets=GFX950),
)

BRAIN: tuple[Declared, ...] = (
    *blocked(
        "v_mfma_f32_32x32x4_2b_bf16", "v_mfma_f32_32x32x4bf16_1k", "f32x32 = bf16x4 bf16x4 f32x32", 16, XDL,
        blocks=2,
    ),
    *blocked(
        "v_mfma_f32_16x16x4_4b_bf16", "v_mfma_f32_16x16x4bf16_1k", "f32x16 = bf16x4 bf16x4 f32x16", 8, XDL,
        blocks=4,
    ),
    *blocked(
        "v_mfma_f32_4x4x4_16b_bf16", "v_mfma_f32_4x4x4bf16_1k", "f32x4 = bf16x4 bf16x4 f32x4", 2, XDL,
        blocks=16,
    ),
    *doubled("v_mfma_f32_32x32x8_bf16", "v_mfma_f32_32x32x8bf16_1k", "f32x16 = bf16x4 bf16x4 f32x16", 8),
    *doubled("v_mfma_f32_16x16x16_bf16", "v_mfma_f32_16x16x16bf16_1k", "f32x4 = bf16x4 bf16x4 f32x4", 4),
    matrix(
        "v_mfma_f32_32x32x2bf16", "f32x32 = bf16x2 bf16x2 f32x32", 16, XDL, modifiers=broadcasts(2),
        targets=GFX90A,
    ),
    matrix(
        "v_mfma_f32_16x16x2bf16", "f32x16 = bf16x2 bf16x2 f32x16", 8, XDL, modifiers=broadcasts(4),
        targets=GFX90A,
    ),
    matrix(
        "v_mfma_f32_4x4x2bf16", "f32x4 = bf16x2 bf16x2 f32x4", 2, XDL, modifiers=broadcasts(16),
        targets=GFX90A,
    ),
    matrix(
        "v_mfma_f32_32x32x4bf16", "f32x16 = bf16x2 bf16x2 f32x16", 16, XDL, modifiers=broadcasts(1),
        targets=GFX90A,
    ),
    matrix(
        "v_mfma_f32_16x16x8bf16", "f32x4 = bf16x2 bf16x2 f32x4", 8, XDL, modifiers=broadcasts(1),
        targets=GFX90A,
    ),
    matrix("v_mfma_f32_16x16x32_bf16", "f32x4 = bf16x8 bf16x8 f32x4", 4, XDL, targets=GFX950),
    matrix("v_mfma_f32_32x32x16_bf16", "f32x16 = bf16x8 bf16x8 f32x16", 8, XDL, targets=GFX950),
)  # fmt: skip

INTEGER: tuple[Declared, ...] = (
    *blocked(
        "v_mfma_i32_32x32x4_2b_i8", "v_mfma_i32_32x32x4i8", "i32x32 = i8x4 i8x4 i32x32", 16, XDL, blocks=2
    ),
    *blocked(
        "v_mfma_i32_16x16x4_4b_i8", "v_mfma_i32_16x16x4i8", "i32x16 = i8x4 i8x4 i32x16", 8, XDL, blocks=4
    ),
    *blocked("v_mfma_i32_4x4x4_16b_i8", "v_mfma_i32_4x4x4i8", "i32x4 = i8x4 i8x4 i32x4", 2, XDL, blocks=16),
    matrix(
        "v_mfma_i32_32x32x8i8", "i32x16 = i8x4 i8x4 i32x16", 16, XDL, modifiers=broadcasts(1), targets=GFX90A
    ),
    matrix(
        "v_mfma_i32_16x16x16i8", "i32x4 = i8x4 i8x4 i32x4", 8, XDL, modifiers=broadcasts(1), targets=GFX90A
    ),
    matrix("v_mfma_i32_32x32x16_i8", "i32x16 = i8x8 i8x8 i32x16", 8, XDL, targets=SINCE_GFX942),
    matrix("v_mfma_i32_16x16x32_i8", "i32x4 = i8x8 i8x8 i32x4", 4, XDL, targets=SINCE_GFX942),
    matrix("v_mfma_i32_32x32x32_i8", "i32x16 = i8x16 i8x16 i32x16", 8, XDL, targets=GFX950),
    matrix("v_mfma_i32_16x16x64_i8", "i32x4 = i8x16 i8x16 i32x4", 4, XDL, targets=GFX950),
)

BYTES: tuple[Declared, ...] = (
    *bytes_mixed("16x16x32", "f32x4 = {}x8 {}x8 f32x4", 4),
    *bytes_mixed("32x32x16", "f32x16 = {}x8 {}x8 f32x16", 8),
    *chosen("v_mfma_f32_16x16x128_f8f6f4", "f32x4", 4),
    *chosen("v_mfma_f32_32x32x64_f8f6f4", "f32x16", 8),
    *chosen("v_mfma_scale_f32_16x16x128_f8f6f4", "f32x4", 4, scaled=True),
    *chosen("v_mfma_scale_f32_32x32x64_f8f6f4", "f32x16", 8, scaled=True),
)

SPARSE: tuple[Declared, ...] = (
    sparse("v_smfmac_f32_16x16x32_f16", "f32x4 = f16x4 f16x8", 4),
    sparse("v_smfmac_f32_32x32x16_f16", "f32x16 = f16x4 f16x8", 8),
    sparse("v_smfmac_f32_16x16x32_bf16", "f32x4 = bf16x4 bf16x8", 4),
    sparse("v_smfmac_f32_32x32x16_bf16", "f32x16 = bf16x4 bf16x8", 8),
    sparse("v_smfmac_i32_16x16x64_i8", "i32x4 = i8x8 i8x16", 4),
    sparse("v_smfmac_i32_32x32x32_i8", "i32x16 = i8x8 i8x16", 8),
    *sparse_bytes("16x16x64", "f32x4 = {}x8 {}x16", 4, SINCE_GFX942),
    *sparse_bytes("32x32x32", "f32x16 = {}x8 {}x16", 8, SINCE_GFX942),
    sparse("v_smfmac_f32_16x16x64_f16", "f32x4 = f16x8 f16x16", 4, targets=GFX950),
    sparse("v_smfmac_f32_32x32x32_f16", "f32x16 = f16x8 f16x16", 8, targets=GFX950),
    sparse("v_smfmac_f32_16x16x64_bf16", "f32x4 = bf16x8 bf16x16", 4, targets=GFX950),
    sparse("v_smfmac_f32_32x32x32_bf16", "f32x16 = bf16x8 bf16x16", 8, targets=GFX950),
    sparse("v_smfmac_i32_16x16x128_i8", "i32x4 = i8x16 i8x32", 4, targets=GFX950),
    sparse("v_smfmac_i32_32x32x64_i8", "i32x16 = i8x16 i8x32", 8, targets=GFX950),
    *sparse_bytes("16x16x128", "f32x4 = {}x16 {}x32", 4, GFX950),
    *sparse_bytes("32x32x64", "f32x16 = {}x16 {}x32", 8, GFX950),
)

ACCUMULATORS: tuple[Declared, ...] = (
    accumulator_move("v_accvgpr_read_b32", V, Kind.AGPR, Trait.DOUBLE_LENGTH),
    accumulator_move("v_accvgpr_mov_b32", Kind.AGPR, Kind.AGPR),
    accumulator_move("v_accvgpr_write_b32", Kind.AGPR, VSRC, Trait.DOUBLE_LENGTH, bus=1),
)

ROWS: tuple[Declared, ...] = (*SINGLE, *DOUBLE, *HALF, *BRAIN, *INTEGER, *BYTES, *SPARSE, *ACCUMULATORS)
