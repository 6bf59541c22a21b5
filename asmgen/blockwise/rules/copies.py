"""The rules of `async_copy`: the widths that the target has, and the order of lanes in LDS.

The copies of a wave go to LDS in the order of the lanes: of an instruction that moves 16 bytes a lane, lane i
writes the bytes from 16 * i on, from a place that is the same for the wave. So the layout and the placement
must agree:

    layout = reg(0:1 0:2 0:4) lane(0:8 0:16 0:32 1:0 2:0 4:0) wave(8:0 16:0)       f16, 16 bytes a lane
    placed   offset(0:1 0:2 0:4 0:8 0:16 0:32 1:0 2:0 4:0 8:0 16:0)

The bits of the lane are the bits of the offset above those of an access, and no other bit of register, wave or
origin changes any of these. A swizzle is a swizzle of both: lanes then read memory in another order.
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


def check_target(target: Target) -> None:
    if not target.lds_copy_bytes:
        no_copy(f"{target.name} has no copies from memory to LDS; {INSTEAD}, which need no async_wait")


def check_copy(action: AsyncCopy, lds: LdsType, target: Target) -> None:
    """The layout of a copy is one that instructions of the target can write."""
    check_target(target)
    layout, placement = action.layout, lds.placement
    columns = offset_columns(placement, layout)
    count = len(layout.registers)
    registers, lanes, waves = columns[:count], columns[count:][: len(layout.lanes)], columns[-len(layout.waves) :]
    waves = waves if layout.waves else ()
    width = _check_lanes(layout, lds, target, registers, lanes)
    if 0 in waves:
        no_copy(
            f"wave bit {waves.index(0)} has a zero basis, so that waves would write the same elements; give each "
            f"wave elements of its own, or {INSTEAD}"
        )
    written = width * layout.lane_count  # elements of an instruction, one after the other
    others = [*(c for c in registers if c >= width), *(c for c in registers if 0 < c < width and c & c - 1), *waves]
    for axis in range(layout.rank if action.origin else 0):
        others += origin_columns(placement, layout.sizes, axis)
    for column in others:
        if column & written - 1:
            no_copy(
                f"an instruction writes {written} elements of LDS in a row, and a bit of the registers, the waves or "
                f"the origin adds {column} to the offset by XOR, wanted a multiple of {written}; {_wanted(lds, width)}"
            )
    _check_steps(lds, width, written)


def access_elements(layout: Layout, placement: Placement) -> int:
    """How many elements a lane copies with an instruction, of a copy that keeps the rules."""
    return offset_columns(placement, layout)[len(layout.registers)]


def _check_lanes(
    layout: Layout, lds: LdsType, target: Target, registers: Sequence[int], lanes: Sequence[int]
) -> int:
    """The elements of a lane's access: the offset of lane 1."""
    size, width = lds.element.bytes, lanes[0]
    widths = target.lds_copy_bytes
    if size > max(widths):
        no_copy(f"{target.name} copies {_listed(widths)} bytes a lane, and {lds.element} has {size}; {INSTEAD}")
    if width * size not in widths:
        no_copy(
            f"lane 1 writes {width * size} bytes after lane 0, and {target.name} copies {_listed(widths)} bytes a "
            f"lane, in the order of the lanes; {_wanted(lds, _widest(lds, target, layout))}"
        )
    for bit, column in enumerate(lanes):
        if column != width << bit:
            no_copy(
                f"lane bit {bit} has {basis_text(layout.lanes[bit], layout.sizes)}, which is {column * size} bytes "
                f"into the LDS, wanted {width * size << bit}: lane i writes at {width * size} * i; {_wanted(lds, width)}"
            )
    for step in range(width.bit_length() - 1):
        if 1 << step not in registers:
            no_copy(
                f"no register bit is {size << step} bytes into the LDS, and lane 1 is {width * size}: the registers "
                f"of an access follow each other; {_wanted(lds, width)}"
            )
    return width


def _check_steps(lds: LdsType, width: int, written: int) -> None:
    every, extra = lds.placement.padding
    if every % written or extra % width:
        no_copy(
            f"an instruction writes {written} elements of LDS in a row, and {extra} are left free after every "
            f"{every}; wanted multiples of {written} and {width}, or a swizzle in place of padding"
        )
    if lds.slots > 1 and lds.placement.elements % width:
        no_copy(f"a slot has {lds.placement.elements} elements, wanted a multiple of {width}, of an access")


def _widest(lds: LdsType, target: Target, layout: Layout) -> int:
    """The widest access that the target has, of elements and lanes that the placement has."""
    most = (1 << len(lds.placement.offsets)) // layout.lane_count
    fitting = [
        width // lds.element.bytes
        for width in target.lds_copy_bytes
        if width & width - 1 == 0 and lds.element.bytes <= width <= most * lds.element.bytes
    ]
    return max(fitting, default=0)


def _wanted(lds: LdsType, width: int) -> str:
    """The bases of registers and lanes that this placement wants."""
    placement, bits = lds.placement, max(width, 1).bit_length() - 1
    lanes = placement.offsets[bits:][:6]
    if not width or len(lanes) < 6:
        return f"the LDS is too small for an instruction of the whole wave: {INSTEAD}"
    texts = [
        f"{name}({' '.join([basis_text(basis, placement.sizes) for basis in bases])})"
        for name, bases in (("reg", placement.offsets[:bits]), ("lane", lanes))
        if bases
    ]
    return f"wanted {' '.join(texts)}"


def _listed(widths: Sequence[int]) -> str:
    return " or ".join(map(str, widths))
