"""The differences of two layouts in words, for messages.

reg(0:1) lane(0:2 0:4) and reg(0:1) lane(0:4 0:2)    "lane bit 0: 0:2 and 0:4"
"""

from __future__ import annotations

from asmgen.blockwise.layout.layout import Layout, basis_text, join, split
from asmgen.ir.shapes import format_list


def layout_difference(left: Layout, right: Layout) -> str:
    """`wave bit 0: 0:256 and 1:0`, the first difference; empty if they are equal."""
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


def division_fault(whole: Layout, tile: Layout) -> str:
    """Why a layout does not consist of tiles of another of its rank: the first difference."""
    if any(one > other for one, other in zip(tile.sizes, whole.sizes, strict=True)):
        return f"it is {format_list(whole.shape)} itself"
    lanes, registers = (
        [join(split(basis, tile.sizes), whole.sizes) for basis in part]
        for part in (tile.lanes, tile.registers)
    )
    for bit, (have, want) in enumerate(zip(whole.lanes, lanes, strict=False)):
        if have != want:
            sizes = whole.sizes
            return f"lane bit {bit} has {basis_text(have, sizes)}, wanted {basis_text(want, sizes)}"
    for want in registers:
        if want not in whole.registers:
            return f"no register bit has {basis_text(want, whole.sizes)}"
    return "its tiles are not next to each other"
