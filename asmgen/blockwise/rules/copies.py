"""The rules of `async_copy`: the widths that the target has, and the order of lanes in LDS.

A wave's copies go to LDS in the order of its lanes: in an instruction that moves 16 bytes a lane, lane i
writes the bytes from 16 * i on, after a place that is the same for the wave. So the layout and the placement
must agree:

    layout   reg(0:1 0:2 0:4) lane(0:8 0:16 0:32 1:0 2:0 4:0) wave(8:0 16:0)       f16, 16 bytes a lane
    placed   offset(0:1 0:2 0:4 0:8 0:16 0:32 1:0 2:0 4:0 8:0 16:0)

The bits of the lane are the bits of the offset above those of an access. No other bit of the register, the
wave or the origin changes any of these. A swizzle is a swizzle of both: lanes then read memory in another
order.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.blockwise.actions import AsyncCopy
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.layout.placement import Placement, offset_columns, origin_columns
from asmgen.blockwise.layout.text import basis_text
from asmgen.blockwise.rules.codes import no_copy
from asmgen.blockwise.types import LdsType
from isa.target import Target

INSTEAD = "write tile_load and lds_store"
REACH = 1 << 31  # bytes that an offset of a copy reaches


def check_target(target: Target) -> None:
    if not target.lds_copy_bytes:
        no_copy(f"{target.name} has no copies from memory to LDS; {INSTEAD}, which need no async_wait")


def check_copy(action: AsyncCopy, lds: LdsType, target: Target) -> None:
    """The instructions of the target can copy a tile of this layout."""
    check_target(target)
    layout = action.layout
    columns = offset_columns(lds.placement, layout)
    first = len(layout.registers)
    last = first + len(layout.lanes)
    registers, lanes, waves = columns[:first], columns[first:last], columns[last:]
    width = _check_lanes(layout, lds, target, registers, lanes)
    if 0 in waves:
        no_copy(
            f"wave bit {waves.index(0)} has a zero basis, so that waves would write the same elements; give "
            f"each wave elements of its own, or {INSTEAD}"
        )
    inside = [1 << step for step in range(width.bit_length() - 1)]
    others = [column for column in registers if column not in inside] + list(waves)
    for axis in range(layout.rank if action.origin else 0):
        others += origin_columns(lds.placement, layout.sizes, axis)
    written = width * layout.lane_count  # successive elements of an instruction
    mixed = next((column for column in others if column & written - 1), None)
    if mixed is not None:
        no_copy(
            f"an instruction writes {written} elements of LDS in a row, and a bit of registers, waves "
            f"or origin adds {mixed} to the offset by XOR, wanted multiples of {written}; "
            f"{_wanted(lds, width)}"
        )
    _check_steps(lds, width, written)


def access_elements(layout: Layout, placement: Placement) -> int:
    """The elements that a lane copies with an instruction, in a layout that keeps the rules."""
    return offset_columns(placement, layout)[len(layout.registers)]


def _check_lanes(
    layout: Layout, lds: LdsType, target: Target, registers: Sequence[int], lanes: Sequence[int]
) -> int:
    """The elements of a lane's access: the offset of lane 1."""
    size, width, widths = lds.element.bytes, lanes[0], target.lds_copy_bytes
    listed = " or ".join(map(str, widths))
    if size > max(widths):
        no_copy(f"{target.name} copies {listed} bytes a lane, and {lds.element} has {size}; {INSTEAD}")
    if width * size not in widths:
        no_copy(
            f"lane 1 writes {width * size} bytes after lane 0, and {target.name} copies {listed} bytes a "
            f"lane, in the order of the lanes; {_wanted(lds, _widest(lds, target, layout))}"
        )
    for bit, column in enumerate(lanes):
        if column != width << bit:
            basis = basis_text(layout.lanes[bit], layout.sizes)
            no_copy(
                f"lane bit {bit} has {basis}, which is {column * size} bytes into the LDS, wanted "
                f"{width * size << bit}: lane i writes at {width * size} * i; {_wanted(lds, width)}"
            )
    for step in range(width.bit_length() - 1):
        if 1 << step not in registers:
            no_copy(
                f"no register bit is {size << step} bytes into the LDS, and lane 1 is {width * size}: the "
                f"registers of an access follow each other; {_wanted(lds, width)}"
            )
    return width


def _check_steps(lds: LdsType, width: int, written: int) -> None:
    """Padding and slots keep the bytes that an instruction writes in a row."""
    every, extra = lds.placement.padding
    if every % written or extra % width:
        no_copy(
            f"an instruction writes {written} elements of LDS in a row, and {extra} are left free after "
            f"every {every}; wanted multiples of {written} and {width}, or a swizzle in place of padding"
        )
    elements = lds.placement.elements
    if lds.slots > 1 and elements % width:
        no_copy(f"a slot has {elements} elements, wanted a multiple of the {width} of an access")


def _widest(lds: LdsType, target: Target, layout: Layout) -> int:
    """The widest access that the target has, for which the LDS has room in every lane."""
    most = (1 << len(lds.placement.offsets)) // layout.lane_count
    fitting = [
        width // lds.element.bytes
        for width in target.lds_copy_bytes
        if width & width - 1 == 0 and lds.element.bytes <= width <= most * lds.element.bytes
    ]
    return max(fitting, default=0)


def _wanted(lds: LdsType, width: int) -> str:
    """The bases of registers and lanes that the placement wants; `width` is 0 if no access has room."""
    if not width:
        return f"the LDS is too small for an instruction of the whole wave: {INSTEAD}"
    placement, bits = lds.placement, width.bit_length() - 1
    parts = (("reg", placement.offsets[:bits]), ("lane", placement.offsets[bits:][:6]))
    texts = [
        f"{name}({' '.join([basis_text(basis, placement.sizes) for basis in bases])})"
        for name, bases in parts
        if bases
    ]
    return f"wanted {' '.join(texts)}"
