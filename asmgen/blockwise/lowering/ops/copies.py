"""`async_copy` and `async_wait`: loads that go straight to LDS, and how many of them a wait leaves under way.

An async_copy is a few `load_to_lds`: an instruction for each access of a lane, regardless of its conditions.
`async_wait` counts copies of tiles, and lanewise counts loads: the last `pending` copies have at least so
many loads on every path to the wait, around loops to the fixed point.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.blockwise import actions as ops
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.layout.placement import offset_columns
from asmgen.blockwise.layout.queries import copying
from asmgen.blockwise.lowering.addresses.access import Accesses, Reach, Registers
from asmgen.blockwise.lowering.context import Context
from asmgen.blockwise.lowering.ops.lds import TilePlaces, origin_of
from asmgen.blockwise.lowering.tile import Bits, groups
from asmgen.blockwise.program import Kernel, TileStatement
from asmgen.blockwise.rules.copies import INSTEAD, REACH, access_elements
from asmgen.blockwise.types import LdsType
from asmgen.index.size import at_most
from asmgen.ir.program import Value
from asmgen.ir.types import BOOL, TensorType
from isa.diagnostics import InputError, Place

ALIGNMENT = 4  # bytes, of the addresses of a copy in memory


def copy(
    context: Context, action: ops.AsyncCopy, buffer: Value, lds: Value, placed: LdsType, place: Place | str
) -> None:
    """Copy a tile of a buffer to a slot. Elements that the conditions leave out are zeros."""
    layout, memory = action.layout, buffer.type
    assert isinstance(memory, TensorType)
    if not at_most(memory.span * memory.element.bytes, REACH).is_shown:
        raise _refused(place, f"{buffer.name} may have more than {REACH} bytes, which copies do not reach")
    found = context.accesses(Reach(layout, action.at, action.where, memory))
    places = TilePlaces(context, layout, placed, origin_of(context, layout, placed, action))
    for registers in _groups(layout, placed):
        _check_access(found, registers, memory, place)
        address, where = found.places[registers[0]]
        condition = context.holds(where)
        if condition is False:
            condition = context.builder.constant(False, BOOL)
        at = context.indices.value(places.of_wave(registers[0]))
        masked = None if isinstance(condition, bool) else condition
        touched = places.touched(registers)
        index = context.indices.value(address)
        context.builder.load_to_lds(buffer, index, lds, at, len(registers), masked, touched)


def prepare(context: Context, kernel: Kernel) -> None:
    """Make the numbers of waves that copies need, outside of loops."""
    for statement in kernel.walk():
        if isinstance(statement.op, ops.AsyncCopy):
            layout, placed = statement.op.layout, _placed(statement)
            columns = offset_columns(placed.placement, layout)
            _ = context.of_wave(columns[len(layout.registers) + len(layout.lanes) :])


def _check_access(found: Accesses, registers: Registers, memory: TensorType, place: Place | str) -> None:
    size = memory.element.bytes
    first = found.places[registers[0]].address
    if any(found.places[register].address is not first + step for step, register in enumerate(registers)):
        wanted = f"{len(registers)} elements that are in a row in memory too"
        raise _refused(place, f"a lane copies {len(registers)} elements in a row in LDS, wanted {wanted}")
    if not found.is_whole(registers):
        count = len(registers)
        wanted = f"a condition that is true of all or of none: bounds in multiples of {count} elements"
        message = f"a condition parts the {count} elements that a lane copies at a time, wanted {wanted}"
        raise _refused(place, message)
    if first.multiple * size % ALIGNMENT:
        multiple = first.multiple * size
        wanted = f"a multiple of {ALIGNMENT}"
        raise _refused(place, f"an address in memory is a multiple of {multiple} bytes, wanted {wanted}")


def _refused(place: Place | str, rule: str) -> InputError:
    return InputError(place, "BLK012", f"async_copy: {rule}", help=f"or {INSTEAD}")


def _groups(layout: Layout, placed: LdsType) -> list[Registers]:
    """The registers of each access; those of copies are left out."""
    columns = offset_columns(placed.placement, layout)
    width = access_elements(layout, placed.placement)
    bits: Bits = tuple([columns.index(1 << step) for step in range(width.bit_length() - 1)])
    skipped = sum(1 << bit for bit in copying(layout).registers)
    return [group for group in groups(layout, bits) if not group[0] & skipped]


def _placed(statement: TileStatement) -> LdsType:
    placed = statement.operands[1].type
    assert isinstance(placed, LdsType), statement
    return placed


# How many loads a wait leaves under way

_Least = tuple[int | None, ...]  # for 1, 2, ... of the last copies, their loads on the path with the fewest


def pending_loads(kernel: Kernel) -> dict[TileStatement, int | None]:
    """For each `async_wait`, how many loads may be under way after it; None if no path has
    more copies than it leaves under way."""
    waits = [one.op.pending for one in kernel.walk() if isinstance(one.op, ops.AsyncWait)]
    found: dict[TileStatement, int | None] = {}
    if waits:
        _ = _followed(kernel.statements, (None,) * max(waits), found)
    return found


def _followed(
    statements: Sequence[TileStatement], least: _Least, found: dict[TileStatement, int | None]
) -> _Least:
    for statement in statements:
        action = statement.op
        if isinstance(action, ops.AsyncWait):
            found[statement] = least[action.pending - 1] if action.pending else 0
        elif isinstance(action, ops.AsyncCopy):
            loads = len(_groups(action.layout, _placed(statement)))
            before = (0, *least[:-1]) if least else ()
            least = tuple([None if count is None else count + loads for count in before])
        for region in statement.regions:
            entered = least
            while (after := _fewest(entered, _followed(region.statements, entered, found))) != entered:
                entered = after
            least = entered
    return least


def _fewest(one: _Least, other: _Least) -> _Least:
    """Of two paths: a path with fewer copies has nothing to wait for."""
    pairs = zip(one, other, strict=True)
    return tuple([b if a is None else a if b is None else min(a, b) for a, b in pairs])
