"""The type that a lane computes in."""

from __future__ import annotations

from asmgen.ir.types import F16, F32, ElementType


def computed(element: ElementType) -> ElementType:
    """f32 for f16, which is widened where it is read; else the type itself."""
    return F32 if element is F16 else element
