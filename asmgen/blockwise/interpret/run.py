"""Runs a kernel, workgroup by workgroup, statement by statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from enum import Enum
from itertools import product
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from asmgen.blockwise import actions as ops
from asmgen.blockwise.interpret.combine import neutral
from asmgen.blockwise.interpret.holders import HolderTiles
from asmgen.blockwise.interpret.whole import WholeTiles
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.program import Kernel, TileStatement, TileValue
from asmgen.blockwise.types import LdsType, TileType
from asmgen.graph import ops as graph
from asmgen.index import Index, Symbol
from asmgen.index.size import at, numbers
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.program import Attribute
from asmgen.ir.types import NumberKind, TensorType, computed
from asmgen.lanewise.interpret.functions import LANE_FUNCTIONS
from isa.diagnostics import InternalError
from isa.semantics.mode import Mode

Array = NDArray[Any]
NO_SIZES: Mapping[str, int] = {}
K = TypeVar("K", TensorType, TileType, LdsType)


_ANY = 77  # the elements of a loose tile that no reader uses


class Tiles(Enum):
    """How a tile is kept."""

    WHOLE = "whole"
    HOLDERS = "holders"


def interpret(
    kernel: Kernel,
    buffers: Mapping[str, Array],
    tiles: Tiles = Tiles.WHOLE,
    sizes: Mapping[str, int] = NO_SIZES,
) -> None:
    """Run every workgroup. `buffers` has the memory of each parameter by its name, in one dim, and is written
    in place. `sizes` are the sizes of the kernel's named dims.

    Raises `InternalError` if an element outside a buffer is read or written.
    """
    with np.errstate(all="ignore"):
        known = {dim: sizes[dim.name] for dim in kernel.dims}
        counts = numbers(at(kernel.workgroups, sizes))
        passed: dict[tuple[object, ...], Array] = {}
        for ids in product(*(range(count) for count in reversed(counts))):
            symbols = known | dict(zip(reversed(kernel.grid), ids, strict=True))
            with suppress(_Ended):
                _Workgroup(kernel, buffers, tiles, symbols, passed).run(kernel.statements)


class _Ended(Exception):
    """The workgroup has nothing left to do."""


class _Workgroup:
    """The values of a workgroup so far; `_symbols` are its ids and the counters of its loops. `passed` has
    the values that the workgroups before it pass on, by the scan and their row of workgroups.
    """

    def __init__(
        self,
        kernel: Kernel,
        buffers: Mapping[str, Array],
        tiles: Tiles,
        ids: dict[Symbol, int],
        passed: dict[tuple[object, ...], Array],
    ) -> None:
        self._kernel = kernel
        self._buffers = buffers
        self._tiles = WholeTiles() if tiles is Tiles.WHOLE else HolderTiles()
        self._symbols, self._passed = ids, passed
        self._values: dict[TileValue, Array] = {}
        self._mode = Mode(ieee=False)

    def run(self, statements: Sequence[TileStatement]) -> tuple[Array, ...]:
        """Run the statements of a region, and return the values that it yields."""
        for statement in statements:
            if isinstance(statement.op, ops.Yield):
                return self._operands(statement)
            results = self._step(statement)
            for value, array in zip(statement.results, results, strict=True):
                self._values[value] = array
        return ()

    def _step(self, statement: TileStatement) -> tuple[Array, ...]:
        """The values of the results of a statement."""
        action, arrays = statement.op, self._operands(statement)
        match action:
            case ops.For():
                return self._loop(statement, action, arrays)
            case ops.Waves():
                return self.run(statement.regions[0].statements)
            case ops.Barrier() | ops.AsyncWait() | ops.Priority() | ops.Order() | ops.Stage():
                return ()
            case ops.TileStore():
                self._store(statement, action, arrays)
                return ()
            case ops.LdsStore():
                layout = _type(statement.operands[0], TileType).layout
                self._lds_store(action, statement.operands[1], layout, arrays[0])
                return ()
            case ops.AsyncCopy():
                buffer = _type(statement.operands[0], TensorType)
                moved = self._load(statement, action, buffer, action.layout, arrays[:1])
                self._lds_store(action, statement.operands[1], action.layout, moved)
                return ()
            case ops.SumParts():
                return self._sum_parts(statement, action, arrays[:-2])
            case ops.Iterate():
                from asmgen.blockwise.interpret.iterations import iterated

                return iterated(action, arrays, self._mode)
            case ops.Pointwise() | ops.Convert() | ops.BitCast():
                return self._lanes(statement, action, arrays)
            case ops.Reduce() | ops.Scan() | ops.Sort() | ops.Contract():
                return self._combined(statement, action, arrays)
            case _:
                return (self._value(statement, action, arrays),)

    def _value(self, statement: TileStatement, action: ops.Action, arrays: tuple[Array, ...]) -> Array:
        """The result of a statement that reads or makes a tile, a buffer or LDS, or moves elements of a
        tile."""
        tiles, type_ = self._tiles, statement.result.type
        match action:
            case ops.Parameter():
                return self._buffers[action.name]
            case ops.Literal():
                return np.array(action.values, numpy_dtype(_type(statement.result, TensorType).element))
            case ops.LdsAllocate():
                lds = _type(statement.result, LdsType)
                return tiles.lds(lds, numpy_dtype(lds.element))
            case ops.BinSum():
                return tiles.bin_sum(arrays, self._layouts(statement))
            case ops.Broadcast():
                return tiles.broadcast(arrays[0], *self._layouts(statement))
            case ops.Relayout():
                return tiles.relayout(arrays[0], *self._layouts(statement))
            case _:
                assert isinstance(type_, TileType), statement
        layout = type_.layout
        match action:
            case ops.Fill():
                shape = tiles.coordinates(layout)[0].shape
                return np.full(shape, action.value).astype(numpy_dtype(type_.element))
            case ops.Positions():
                (at,) = self._evaluated(action.at, layout, ())
                return at.astype(numpy_dtype(type_.element))
            case ops.Reshape():
                return tiles.reshape(arrays[0], layout)
            case ops.Mask():
                inside = self._where(action.where, layout, arrays[1:])
                return np.where(inside, arrays[0], arrays[0].dtype.type(action.otherwise))
            case ops.Unpack():
                (place,) = self._evaluated(action.at, layout, arrays[1:])
                return _unpacked(arrays[0], place, action)
            case ops.TileLoad():
                buffer = _type(statement.operands[0], TensorType)
                return self._load(statement, action, buffer, layout, arrays)
            case ops.LdsLoad():
                # a copy: a later store to LDS does not change the tile
                return arrays[0][self._lds_index(action, statement.operands[0], layout)].copy()
            case _:
                raise InternalError("interpret", self._kernel.name, f"no rule for {type(action).__name__}")

    def _combined(
        self,
        statement: TileStatement,
        action: ops.Reduce | ops.Scan | ops.Sort | ops.Contract,
        arrays: tuple[Array, ...],
    ) -> tuple[Array, ...]:
        """The results of a statement that combines elements of different places."""
        tiles, layouts = self._tiles, self._layouts(statement)
        match action:
            case ops.Reduce():
                whole = _computed(arrays[0], statement)
                if action.diagonal:
                    along, other = [tiles.coordinates(layouts[0])[axis] for axis in action.axes]
                    whole = np.where(along == other, whole, neutral(action.op, whole.dtype))
                made = tiles.reduce(whole, action, *layouts)
                return _rounded((made,), statement)
            case ops.Scan(over=over) if over:
                return self._scan_over(statement, action, arrays)
            case ops.Scan():
                is_kept = _is_kept(action, arrays[0])
                wide = arrays if is_kept else [_computed(array, statement) for array in arrays]
                return _rounded(tiles.scan(wide, action, layouts), statement)
            case ops.Sort():
                return tiles.sort(arrays, action, layouts)
            case ops.Contract():
                a, b, c, *_ = layouts
                total = arrays[2] if action.by else _computed(arrays[2], statement)
                factors = tiles.scaled(arrays, list(layouts)) if arrays[3:] else arrays[:2]
                made = tiles.contract(action, (factors[0], factors[1], total), (a, b, c))
                return _rounded((made,), statement)

    def _scan_over(
        self, statement: TileStatement, action: ops.Scan, arrays: tuple[Array, ...]
    ) -> tuple[Array, ...]:
        """A scan that goes on in other workgroups: they run in the order of their ids."""
        kernel = self._kernel
        row = tuple([self._symbols[each] for each in kernel.grid if each.name != action.over])
        key = (statement, *row)
        tile, first = (
            array if _is_kept(action, array) else _computed(array, statement) for array in arrays[:2]
        )
        layouts = self._layouts(statement)
        made, self._passed[key] = self._tiles.scan(
            (tile, self._passed.get(key, first)), action, (*layouts[:2], layouts[0], layouts[1])
        )
        return _rounded((made,), statement)

    def _sum_parts(
        self, statement: TileStatement, action: ops.SumParts, arrays: tuple[Array, ...]
    ) -> tuple[Array, ...]:
        """The sums of the tiles of workgroups along an id. They run in the order of the id, so that the last
        has them all. Raises `_Ended` in the others."""
        over = next(each for each in self._kernel.grid if each.name == action.over)
        others = [self._symbols[each] for each in self._kernel.grid if each is not over]
        for number, array in enumerate(arrays):
            key = (statement, number, *others)
            self._passed[key] = self._passed[key] + array if key in self._passed else array
        if self._symbols[over] < over.high:
            raise _Ended
        return tuple([self._passed[statement, number, *others] for number in range(len(arrays))])

    def _operands(self, statement: TileStatement) -> tuple[Array, ...]:
        return tuple([self._values[operand] for operand in statement.operands])

    def _layouts(self, statement: TileStatement) -> tuple[Layout, ...]:
        """The types of the operands that are tiles, then of the results."""
        values = (*statement.operands, *statement.results)
        return tuple([value.type.layout for value in values if isinstance(value.type, TileType)])

    def _lanes(
        self,
        statement: TileStatement,
        action: ops.Pointwise | ops.Convert | ops.BitCast,
        arrays: tuple[Array, ...],
    ) -> tuple[Array, ...]:
        """The results of an operation of each lane on its own."""
        attributes: dict[str, Attribute] = {}
        if isinstance(action, ops.Pointwise):
            op = action.op
        else:
            op = graph.CONVERT if isinstance(action, ops.Convert) else graph.BIT_CAST
            attributes["target_type"] = action.to.name
        (array,) = LANE_FUNCTIONS[op](self._mode, attributes, arrays)
        return (np.asarray(array).astype(numpy_dtype(statement.result.type.element), copy=False),)

    def _loop(
        self, statement: TileStatement, action: ops.For, carried: tuple[Array, ...]
    ) -> tuple[Array, ...]:
        (region,) = statement.regions
        start, stop = (bound.evaluate(self._symbols, 0) for bound in (action.start, action.stop))
        for count in range(start, stop, action.step):
            self._symbols[action.counter] = count
            self._values.update(zip(region.parameters, carried, strict=True))
            carried = self.run(region.statements)
        return carried

    # Memory

    def _evaluated(
        self, indices: Sequence[Index], layout: Layout, data: Sequence[Array]
    ) -> list[NDArray[np.int64]]:
        """The indices for every element, as arrays."""
        places = self._tiles.coordinates(layout)
        known: dict[str, NDArray[np.int64]] = {f"c{axis}": place for axis, place in enumerate(places)}
        known["wave"] = self._tiles.waves(layout)
        known |= {f"v{number}": array.astype(np.int64) for number, array in enumerate(data)}
        zero = np.zeros_like(places[0])
        evaluated: list[NDArray[np.int64]] = []
        for index in indices:
            values = {
                symbol: known[symbol.name] if symbol.name in known else zero + self._symbols[symbol]
                for symbol in index.symbols
            }
            evaluated.append(zero + index.evaluate(values, zero))
        return evaluated

    def _where(
        self, conditions: Sequence[ops.Below], layout: Layout, data: Sequence[Array]
    ) -> NDArray[np.bool_]:
        inside = np.ones_like(self._tiles.coordinates(layout)[0], np.bool_)
        for left, right in conditions:
            below, limit = self._evaluated((left, right), layout, data)
            inside &= below < limit
        return inside

    def _addresses(
        self,
        statement: TileStatement,
        action: ops.TileLoad | ops.TileStore | ops.AsyncCopy,
        buffer: TensorType,
        layout: Layout,
        data: Sequence[Array],
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """The address of each element, in elements, and whether it is accessed. Those that are not have the
        address 0.
        """
        inside = self._where(action.where, layout, data)
        address = np.zeros_like(inside, np.int64)
        for index, place, size, stride in zip(
            action.at, self._evaluated(action.at, layout, data), *self._sizes(buffer), strict=True
        ):
            outside = inside & ((place < 0) | (place >= size))
            if outside.any():
                where = f"{statement.place or self._kernel.name}"
                raise InternalError(
                    "interpret",
                    where,
                    f"{index.text} is {int(place[outside][0])}, and the buffer has {size} there",
                )
            address += place * stride
        return np.where(inside, address, 0), inside

    def _sizes(self, buffer: TensorType) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The dims and strides of a buffer, with the sizes of this launch."""
        values = {
            symbol.name: value for symbol, value in self._symbols.items() if symbol in self._kernel.dims
        }
        return numbers(at(buffer.dims, values)), numbers(at(buffer.strides, values))

    def _load(
        self,
        statement: TileStatement,
        action: ops.TileLoad | ops.AsyncCopy,
        buffer: TensorType,
        layout: Layout,
        arrays: Sequence[Array],
    ) -> Array:
        memory, *data = arrays
        address, inside = self._addresses(statement, action, buffer, layout, data)
        otherwise = 0
        if isinstance(action, ops.TileLoad):
            otherwise = _ANY if action.loose else action.otherwise
        return np.where(inside, memory[address], memory.dtype.type(otherwise))

    def _store(self, statement: TileStatement, action: ops.TileStore, arrays: Sequence[Array]) -> None:
        tile, memory, *data = arrays
        layout = _type(statement.operands[0], TileType).layout
        address, inside = self._addresses(
            statement, action, _type(statement.operands[1], TensorType), layout, data
        )
        inside &= self._tiles.writers(layout)
        if action.adds:
            np.add.at(memory, address[inside], tile[inside])
        else:
            memory[address[inside]] = tile[inside]

    def _lds_index(
        self, action: ops.LdsStore | ops.LdsLoad | ops.AsyncCopy, lds: TileValue, layout: Layout
    ) -> tuple[Any, ...]:
        origin = tuple([index.evaluate(self._symbols, 0) for index in action.origin]) or (0,) * layout.rank
        return self._tiles.lds_index(
            _type(lds, LdsType), layout, origin, action.slot.evaluate(self._symbols, 0)
        )

    def _lds_store(
        self, action: ops.LdsStore | ops.AsyncCopy, lds: TileValue, layout: Layout, array: Array
    ) -> None:
        self._values[lds][self._lds_index(action, lds, layout)] = array


def _is_kept(action: ops.Scan, array: Array) -> bool:
    """Whether a scan is in the type of its tile, also if that is narrow: the maximum and minimum of integers,
    which begin with the least or the greatest number of the type."""
    return action.op in (ops.Combine.MAX, ops.Combine.MIN) and array.dtype.kind in "iu"


def _computed(array: Array, statement: TileStatement) -> Array:
    """An operand in the type in which lanes compute the elements of the result."""
    return array.astype(numpy_dtype(computed(statement.results[0].type.element)), copy=False)


def _rounded(arrays: tuple[Array, ...], statement: TileStatement) -> tuple[Array, ...]:
    """Results in their own types, rounded as `convert` does."""
    rounded: list[Array] = []
    for array, value in zip(arrays, statement.results, strict=True):
        element = value.type.element
        if array.dtype != numpy_dtype(element):
            convert = LANE_FUNCTIONS[graph.CONVERT]
            (array,) = convert(Mode(ieee=False), {"target_type": element.name}, (array,))
        rounded.append(array)
    return tuple(rounded)


def _type(value: TileValue, kind: type[K]) -> K:
    assert isinstance(value.type, kind), value
    return value.type


def _unpacked(packed: Array, place: NDArray[np.int64], action: ops.Unpack) -> Array:
    fields = packed.astype(np.int64) >> action.bits * place & (1 << action.bits) - 1
    if action.to.kind is NumberKind.SIGNED:
        fields -= 2 * (fields & 1 << action.bits - 1)
    return fields.astype(numpy_dtype(action.to))
