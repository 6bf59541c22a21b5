"""gfx950's conversions of 8-, 6- and 4-bit floats with a scale (CDNA4 ISA, section 12.11).

The scale is the exponent of an f32. `op_sel` chooses the byte or half that is read or written. Each place
that can be written has a row of its own, since the rest of the destination stays: `high`, or `byte1` to
`byte3`.
"""

from __future__ import annotations

from isa.instruction import Encoding, ModifierSpec, OperandSpec, Role, Row, Trait, Unit
from isa.table.declare import VSRC, V, d, on, operand, signature, source_modifiers, tied, u, vector, words
from isa.table.declared import Declaration, Declared, instruction

HALVES = (("", (0,)), ("high", (1,)))
BYTES = (("", (0, 0)), ("byte1", (1, 0)), ("byte2", (0, 1)), ("byte3", (1, 1)))
SCALE = operand("scale", Role.USE, VSRC, "b32")
SEED = operand("seed", Role.USE, VSRC, "b32")


@instruction
def convert(
    name: str, text: str, reads: int = 0, fixed: int = 0,
    places: tuple[tuple[str, tuple[int, ...]], ...] = (), seed: bool = False,
) -> tuple[Row, ...]:  # fmt: skip
    """A conversion. In `op_sel`, `reads` elements choose the part that is read, `fixed` elements are 0, and
    the others choose the place of `places` that is written. Values wider than a register have no op_sel, and
    their result is written while they are read."""
    results, types = signature(text)
    wide = max(map(words, (*results, *types))) > 2
    result = d("vdst", V, results[0], early_clobber=wide)
    sources = tuple(
        u(f"src{i}", V if words(type_name) > 1 else VSRC, type_name) for i, type_name in enumerate(types)
    )
    operands = (result, *sources, *((SEED,) if seed else ()), SCALE)
    inputs = () if wide else source_modifiers(types)
    return tuple(
        row_of(name, operands, inputs, reads, fixed, place, tail) for place, tail in places or (("", ()),)
    )


def row_of(
    name: str, operands: tuple[OperandSpec, ...], inputs: tuple[ModifierSpec, ...], reads: int, fixed: int,
    place: str, tail: tuple[int, ...],
) -> Row:  # fmt: skip
    chooses = (
        (ModifierSpec("op_sel", "list", (0,) * reads, tail=(0,) * fixed + tail),)
        if reads + fixed + len(tail)
        else ()
    )
    kept = (tied("old", operands[0]),) if tail else ()
    traits = (Trait.HALF_WRITE,) if tail else ()
    return vector(
        name, Encoding.E64, Unit.VALU, (*operands, *kept), (*inputs, *chooses), traits, mnemonic=name,
        form=place,
    )  # fmt: skip


def from_bytes() -> tuple[Declaration, ...]:
    declared: list[Declaration] = []
    for byte in ("fp8", "bf8"):
        declared += convert(f"v_cvt_scalef32_f32_{byte}", "f32 = b32", reads=2, fixed=1)
        declared += convert(f"v_cvt_scalef32_f16_{byte}", "f16 = b32", reads=2, places=HALVES)
        for element, result in (("f32", "f32x2"), ("f16", "f16x2"), ("bf16", "bf16x2")):
            declared += convert(f"v_cvt_scalef32_pk_{element}_{byte}", f"{result} = b32", reads=1, fixed=2)
    return tuple(declared)


def to_bytes() -> tuple[Declaration, ...]:
    declared: list[Declaration] = []
    for byte in ("fp8", "bf8"):
        declared += convert(f"v_cvt_scalef32_pk_{byte}_f32", "b32 = f32 f32", fixed=3, places=HALVES)
        declared += convert(f"v_cvt_scalef32_sr_{byte}_f32", "b32 = f32", fixed=2, places=BYTES, seed=True)
        for element in ("f16", "bf16"):
            declared += convert(
                f"v_cvt_scalef32_pk_{byte}_{element}", f"b32 = {element}x2", fixed=2, places=HALVES
            )
            declared += convert(
                f"v_cvt_scalef32_sr_{byte}_{element}", f"b32 = {element}", reads=1, fixed=1, places=BYTES,
                seed=True,
            )  # fmt: skip
    return tuple(declared)


def nibbles() -> tuple[Declaration, ...]:
    declared: list[Declaration] = []
    for element, pair in (("f32", "f32x2"), ("f16", "f16x2"), ("bf16", "bf16x2")):
        sources = "f32 f32" if element == "f32" else pair
        declared += convert(f"v_cvt_scalef32_pk_{element}_fp4", f"{pair} = b32", reads=2, fixed=1)
        declared += convert(f"v_cvt_scalef32_pk_fp4_{element}", f"b32 = {sources}", fixed=2, places=BYTES)
        declared += convert(
            f"v_cvt_scalef32_sr_pk_fp4_{element}", f"b32 = {pair}", fixed=2, places=BYTES, seed=True
        )
    return tuple(declared)


def six_bits() -> tuple[Declaration, ...]:
    declared: list[Declaration] = []
    for six in ("fp6", "bf6"):
        declared += convert(f"v_cvt_scalef32_2xpk16_{six}_f32", "f6x32 = f32x16 f32x16")
        for element in ("f32", "f16", "bf16"):
            declared += convert(f"v_cvt_scalef32_pk32_{element}_{six}", f"{element}x32 = f6x32")
            declared += convert(f"v_cvt_scalef32_sr_pk32_{six}_{element}", f"f6x32 = {element}x32", seed=True)
            if element != "f32":
                declared += convert(f"v_cvt_scalef32_pk32_{six}_{element}", f"f6x32 = {element}x32")
    return tuple(declared)


ROWS: tuple[Declared, ...] = on("gfx950", *from_bytes(), *to_bytes(), *nibbles(), *six_bits())
