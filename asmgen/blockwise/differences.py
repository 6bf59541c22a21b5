"""In which way two layouts are not the same, in words."""

from __future__ import annotations

from asmgen.blockwise.layout.layout import Layout, basis_text
from asmgen.ir.shapes import format_list


def layout_difference(left: Layout, right: Layout) -> str:
    """`wave bit 0: 0:256 and 1:0`, the first place where they differ; empty where they are equal."""
    if left == right:
        return ""
    if left.shape != right.shape:
        return f"shape: {format_list(left.shape)} and {format_list(right.shape)}"
    if left.counts != right.counts:
        return f"repetition: {format_list(left.counts)} and {format_list(right.counts)}"
    parts = (
        ("wave", left.waves, right.waves),
        ("lane", left.lanes, right.lanes),
        ("register", left.registers, right.registers),
    )
    for part, ours, theirs in parts:
        for bit, (one, other) in enumerate(zip(ours, theirs, strict=False)):
            if one != other:
                return f"{part} bit {bit}: {basis_text(one, left.sizes)} and {basis_text(other, right.sizes)}"
        if len(ours) != len(theirs):
            return f"number of {part} bits: {len(ours)} and {len(theirs)}"
    return "sizes"
