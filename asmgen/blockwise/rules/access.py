"""The rules of accesses: the legal indices of a buffer's elements, and the legal origins of tiles in LDS."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from asmgen.blockwise.actions import ZERO, Below
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.rules.codes import NotWithin, broken
from asmgen.blockwise.types import LdsType, coordinates, wave_of
from asmgen.index import Index, Symbol
from asmgen.index import symbol as new_symbol
from asmgen.index.expression import as_symbol
from asmgen.index.reach import is_within, reach
from asmgen.index.size import Dim, Size
from asmgen.ir.shapes import format_list
from asmgen.ir.types import TensorType

_WAVE = "wave"


def data_symbols(count: int) -> tuple[Index, ...]:
    """`v0`, `v1`, ...: the values of the further operands of an access, at the coordinates of an element."""
    return tuple([new_symbol(f"v{number}") for number in range(count)])


def own_symbols(layout: Layout, data: int) -> frozenset[Symbol]:
    """The symbols that only the attributes of an access have: coordinates of its tile, the wave that has an
    element, and its data."""
    own = (*coordinates(layout.shape), wave_of(layout), *data_symbols(data))
    return frozenset([symbol for index in own for symbol in index.symbols])


def check_memory(
    at: Sequence[Index], where: Sequence[Below], layout: Layout, buffer: TensorType, data: int
) -> None:
    """`at` has an index for each dim of the buffer, and the bounds of the index show that it is within the
    dim.

    Indices that name data, or a symbol with a stated condition, have no such bounds and are not checked.
    """
    if len(at) != buffer.rank:
        broken(f"`at` has {len(at)} indices, wanted {buffer.rank} for a buffer of {format_list(buffer.dims)}")
    check_names((*at, *(side for condition in where for side in condition)), layout, data)
    guarded = frozenset([used for condition in where for side in condition for used in side.symbols])
    of_data = frozenset([as_symbol(index) for index in data_symbols(data)])
    for dim, (index, size) in enumerate(zip(at, buffer.dims, strict=True)):
        if index.symbols & (guarded | of_data) or is_within(index, size) or _is_stated(index, size, where):
            continue
        if index is ZERO and isinstance(size, Size) and _is_counted(size, at):
            continue
        low, high = reach(index)
        reached = f"goes from {low} to {high}"
        help = f"give a condition: where={{{index.text} < {size}}}"
        raise NotWithin(f"index {dim}, {index.text}, {reached}, and the buffer has {size} there; {help}")


def _is_stated(index: Index, size: Dim, where: Sequence[Below]) -> bool:
    """Whether a condition says that an index without symbols is below the size: `where={2 < n}`."""
    return index.low >= 0 and any(left is index and right is size + ZERO for left, right in where)


def _is_counted(size: Size, at: Sequence[Index]) -> bool:
    """Whether a size is at least 1 because an index has one of a multiple of it: the id of a workgroup does,
    if there are 4*n workgroups."""
    whole, symbols = size.expression, {used for index in at for used in index.symbols if used.low >= 0}
    counts = [used.most + 1 for used in symbols if used.most is not None]
    return any(count.divided(whole).times(whole) is count for count in counts)


def check_where(where: Sequence[Below], layout: Layout, data: int) -> None:
    check_names([side for condition in where for side in condition], layout, data)


def check_names(indices: Iterable[Index], layout: Layout, data: int) -> None:
    """A symbol that has the name of a coordinate, of data or of the wave is one of this tile. An index may
    name the wave if each element has a single wave."""
    own = {symbol.name: symbol for symbol in own_symbols(layout, data)}
    for index in indices:
        for used in index.symbols:
            if is_reserved(used.name) and own.get(used.name) is not used:
                has = f"has {', '.join(sorted(own))}" if own else "has none"
                broken(
                    f"{used.name} from {used.low} to {used.high} is not of this tile of "
                    f"{format_list(layout.shape)}, which {has}"
                )
            if used.name == _WAVE and 0 in layout.waves:
                broken(
                    f"wave is the wave that has an element, and wave bit {layout.waves.index(0)} has a zero "
                    f"basis, so that two waves have it; give the tile an axis for this bit"
                )


def is_reserved(name: str) -> bool:
    """Whether a name is that of a coordinate or a datum, `c0`, `v12`, or of the wave."""
    return name == _WAVE or is_data(name) or (name[:1] == "c" and name[1:].isdigit())


def is_data(name: str) -> bool:
    """Whether a name is that of a datum of an index."""
    return name[:1] == "v" and name[1:].isdigit()


def check_lds(origin: Sequence[Index], slot: Index, layout: Layout, lds: LdsType) -> None:
    """The tile lies within a slot, and begins at a multiple of its sizes."""
    shape = layout.shape
    own = next(
        (symbol for index in (*origin, slot) for symbol in index.symbols if is_reserved(symbol.name)), None
    )
    if own is not None:
        broken(f"the slot or the origin names {own.name}, wanted ids, counters and dims: all lanes share it")
    if len(shape) != len(lds.shape):
        broken(f"the tile is {format_list(shape)} and the LDS {format_list(lds.shape)}, wanted the same rank")
    if origin and len(origin) != len(shape):
        broken(f"`origin` has {len(origin)} indices, wanted {len(shape)}")
    if slot.low < 0 or slot.high >= lds.slots:
        broken(f"the slot {slot.text} goes from {slot.low} to {slot.high}, and the LDS has {lds.slots}")
    for axis, (size, whole) in enumerate(zip(shape, lds.shape, strict=True)):
        first = origin[axis] if origin else None
        low, high = first.bounds if first is not None else (0, 0)
        if low < 0 or high + size > whole:
            broken(f"the tile has {low} to {high + size - 1} of axis {axis}, and the LDS {whole}")
        if first is not None and size != whole and first.multiple % size:
            broken(f"the tile begins at {first.text} of axis {axis}, wanted a multiple of its size {size}")
        if size != whole and (lds.placement.repeat or layout.repeat):
            broken("a tile that repeats, or one of LDS that does, is the whole of it; its shape is another")
