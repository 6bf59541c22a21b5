"""The type that a lane computes in."""

from __future__ import annotations

from asmgen.ir.types import F32, I32, U32, ElementType, NumberKind

_WORDS = {NumberKind.FLOAT: F32, NumberKind.SIGNED: I32, NumberKind.UNSIGNED: U32}


def computed(element: ElementType) -> ElementType:
    """The type of 32 bits that a narrower one is widened to where it is read; else the type itself.

    f32 has every f16, bf16 and float of 8 bits. i32 and u32 have the integers of 8 and 16 bits, whose results
    are their lower bits: a result that may have left the type's range is cut to it before an op looks at more
    than these (`Op.modular`).
    """
    return _WORDS.get(element.kind, element) if element.bits < F32.bits else element


def is_cut(element: ElementType) -> bool:
    """Whether results of the type are the lower bits of what is computed: integers of 8 and 16 bits."""
    return computed(element) is not element and not element.is_float
