"""Loops with a count as ops on all trips at once.

    h = 0; for i in range(n): h = 0.9 h + x[i]; y[i] = tanh(h)      y = tanh(linear_recurrence(0.9, x))

A body reads slices of arrays at its counter and writes others there, as `lax.scan`, `lax.map` and `fori_loop`
print them. A carried value becomes a scan along the trips if a trip adds to it, multiplies it, or takes an
extreme; a carried value that no trip reads before it is written becomes the values of the trips. Carried
values may depend on each other in an order: those that are known are arrays for the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from asmgen.frontends.tensors.extents import Extents
from asmgen.frontends.tensors.op_call import Item, OpCall
from asmgen.frontends.tensors.size_numbers import number_of
from asmgen.frontends.tensors.stablehlo import elementwise
from asmgen.frontends.tensors.stablehlo.carried import OF_CARRIED, in_rank
from asmgen.frontends.tensors.stablehlo.counted import Counted, counted_trips, stays
from asmgen.frontends.tensors.stablehlo.shapes import sliced, stepped
from asmgen.frontends.tensors.stablehlo.trip_sums import product_of_trips, reduce_of_trips
from asmgen.frontends.tensors.trip_values import (
    OPEN,
    Counter,
    Each,
    Extreme,
    Latest,
    Linear,
    Open,
    Same,
    TripValue,
    Written,
    array_of,
)
from asmgen.frontends.tensors.types import element_of
from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import iota, like
from asmgen.frontends.traced.shaping import moveaxis
from asmgen.index.size import Dim, Size, at_least
from asmgen.ir.types import BOOL, F32, ElementType
from asmgen.mlir.source import Block, Operation, Ssa
from asmgen.mlir.types import TensorType
from isa.named_tuple import NamedTuple

_FEW = 16  # trips that are unrolled
_CALL = "func.call"


def all_trips(call: OpCall) -> list[Item] | None:
    """The results of a `while` by ops on all trips at once; None for a loop that they do not say."""
    counted = counted_trips(call)
    if counted is None or (not isinstance(counted.trips, Size) and counted.trips < _FEW):
        return None
    return _Loop(call, counted).results()


class _Known(NamedTuple):
    """A carried value before each trip, after the last, and after each if that is an array."""

    before: TripValue
    last: Item
    after: Array | None = None


class _Loop:
    """Computes the body again until each carried value is known."""

    def __init__(self, call: OpCall, counted: Counted) -> None:
        self._call, self._counted, self._trips = call, counted, counted.trips
        self._body = call.operation.regions[1].blocks[0]
        self.first = [call.item(each) for each in call.operation.operands]
        self._values: dict[Ssa, TripValue] = {}
        self._after: dict[Ssa, Each] = {}  # carried values after each trip
        self._moves = False  # whether a trip reads or writes a part of an array

    def results(self) -> list[Item] | None:
        carried: list[TripValue] = [Linear(number) for number in range(len(self.first))]
        last: dict[int, Item] = {}
        for number, item in enumerate(self.first):
            if number == self._counted.counter:
                carried[number] = Counter(self._counted.first, 1)
                end = self._counted.first + self._trips
                last[number] = Extents((end,))
            elif stays(self._call, number):
                carried[number], last[number] = Same(item), item
        while len(last) < len(carried):
            made = self._block(self._body, carried)
            known = {
                number: found
                for number, value in enumerate(made)
                if number not in last and (found := self._known(number, value)) is not None
            }
            if not known:
                return None
            for number, found in known.items():
                carried[number], last[number] = found.before, found.last
                if found.after is not None:
                    self._after |= dict.fromkeys(self._equal_to(made[number]), Each(found.after))
        if not self._moves and not isinstance(self._trips, Size):
            return None  # an array for each trip takes more memory than the loop
        return [last[number] for number in range(len(carried))]

    # Carried values

    def _equal_to(self, value: TripValue) -> list[Ssa]:
        """The results of the body that are a value."""
        results = [each for operation in self._body.operations for each in operation.results]
        return [each for each in results if self._values.get(each) is value]

    def _known(self, number: int, value: TripValue) -> _Known | None:
        if isinstance(value, Written) and value.carried == number:
            return _Known(Linear(number), value.whole)
        first = self.first[number]
        counter = self._counter(first, value, number)
        if counter is not None:
            return _Known(counter, Extents((counter.first + self._trips * counter.step,)))
        if not isinstance(first, Array):
            return None
        if isinstance(value, Latest) and value.carried == number:
            return self._latest(first, value)
        if first.type.element is BOOL:
            return None
        if isinstance(value, Same) and isinstance(value.item, Array):
            value = self._of_trips(value)
        if isinstance(value, Each):
            return self._ends(first, value.array)
        if not isinstance(value, Linear | Extreme) or value.carried != number:
            return None
        if isinstance(value, Linear) and value.is_itself:
            return _Known(Same(first), first)
        return self._scan(first, value)

    def _counter(self, first: Item, value: TripValue, number: int) -> Counter | None:
        """The counter that a carried integer is if each trip adds 1 or -1."""
        if not isinstance(value, Linear) or value.carried != number or value.factor is not None:
            return None
        step = value.summand
        known = self._number(step) if isinstance(step, Same) else None
        begins = self._number(Same(first))
        is_integer = not self._element(self._body.arguments[number]).is_float
        if begins is None or not is_integer or isinstance(known, Size) or known not in (1, -1):
            return None
        return Counter(begins, known)

    def _scan(self, first: Array, value: Linear | Extreme) -> _Known:
        """The first value is part of the first element."""
        other = value.other if isinstance(value, Extreme) else value.summand
        plain = self._of_trips(Same(like(0, first)) if other is None else other, first).array
        if isinstance(value, Extreme):
            combined = apply(value.word, plain, first)
            return self._ends(first, apply(f"cum{value.word}", self._begun(combined, plain), axis=0))
        if value.factor is None:
            begun = self._begun(apply("add", plain, first), plain)
            total = apply("squeeze", apply("reduce_sum", plain, axes=(0,)), axes=(0,))
            known = self._ends(first, apply("cumsum", begun, axis=0))
            return known._replace(last=apply("add", first, total))
        factor = self._of_trips(value.factor, first).array
        if value.summand is None:
            begun = self._begun(apply("mul", factor, first), factor)
            return self._ends(first, apply("cumprod", begun, axis=0))
        begun = self._begun(apply("add", apply("mul", factor, first), plain), plain)
        return self._ends(first, apply("linear_recurrence", factor, begun, axis=0))

    def _latest(self, first: Array, value: Latest) -> _Known:
        """The number of the last trip with a new value tells the value after each trip."""
        mask, other = [self._of_trips(each, first).array for each in (value.is_new, value.other)]
        places = iota(first.tracer, 0, (self._trips, *[1] * first.type.rank))
        latest = apply("cummax", apply("where", mask, places, like(-1, places)), axis=0)
        is_first = apply("less", latest, like(0, latest))
        place = apply("where", is_first, like(0, latest), latest)
        taken = apply("take_along_axis", other, place, axis=0)
        return self._ends(first, apply("where", is_first, first, taken))

    def _begun(self, first: Array, others: Array) -> Array:
        """The first element of one array, and the others of another."""
        places = iota(first.tracer, 0, (self._trips, *[1] * (first.type.rank - 1)))
        return apply("where", apply("equal", places, like(0, places)), first, others)

    def _ends(self, first: Array, after: Array) -> _Known:
        """A carried value by its values after each trip; after no trip it is the first value."""
        whole = apply("concat", apply("unsqueeze", first, axes=(0,)), after, axis=0)
        before = apply("slice", whole, axes=(0,), starts=(0,), ends=(self._trips,))
        last = apply("slice", whole, axes=(0,), starts=(self._trips,), ends=(self._trips + 1,))
        return _Known(Each(before), apply("squeeze", last, axes=(0,)), after)

    def _of_trips(self, value: Same | Each, like_: Array | None = None) -> Each:
        """A value as an array of all trips, in the dims of another."""
        array = array_of(value)
        if like_ is None and isinstance(value, Each):
            return value
        dims = array.type.dims if like_ is None else like_.type.dims
        if array.type.dims == (self._trips, *dims):
            return Each(array)
        return Each(apply("multibroadcast", array, out_lens=(self._trips, *dims)))

    # The body

    def _block(self, block: Block, given: Sequence[TripValue]) -> list[TripValue]:
        self._values.update(zip(block.arguments, given, strict=True))
        for operation in block.operations[:-1]:
            results = [
                self._after.get(ssa, value)
                for ssa, value in zip(operation.results, self._results(operation), strict=True)
            ]
            self._values.update(zip(operation.results, results, strict=True))
        return [self._value(each) for each in block.terminator.operands]

    def _value(self, ssa: Ssa) -> TripValue:
        found = self._values.get(ssa)
        return Same(self._call.item(ssa)) if found is None else found

    def _same(self) -> dict[Ssa, Item]:
        return {ssa: value.item for ssa, value in self._values.items() if isinstance(value, Same)}

    def _results(self, operation: Operation) -> list[TripValue]:
        given = [self._value(each) for each in operation.operands]
        if operation.name == _CALL:
            return self._block(self._call.function(operation.symbol("callee").path[-1]), given)
        inner = [each for region in operation.regions for block in region.blocks for each in block.operations]
        reads = [self._values.get(ssa) for each in inner for ssa in each.operands]
        if all(value is None or isinstance(value, Same) for value in (*given, *reads)):
            return [Same(item) for item in self._call.compute(operation, self._same())]
        if any(isinstance(value, Open) for value in given):
            return [OPEN] * len(operation.results)
        if operation.name in _CHOICES:
            return self._chosen_branches(operation, given[0])
        if operation.name in _SUMS and len(operation.results) == 1:
            return [_SUMS[operation.name](self._call, operation, given)]
        if inner:
            return [OPEN] * len(operation.results)
        if operation.name in _MOVES:
            return [_MOVES[operation.name](self, operation, given)]
        if operation.name in elementwise.RULES:
            return [self._elementwise(operation, given)]
        return [OPEN] * len(operation.results)

    def _chosen_branches(self, operation: Operation, index: TripValue) -> list[TripValue]:
        """The results of an `if` or a `case`: all branches are computed."""
        branches = [self._block(region.blocks[0], ()) for region in operation.regions]
        if not isinstance(index, Same | Each | Counter) or (
            isinstance(index, Same) and not isinstance(index.item, Array)
        ):
            return [OPEN] * len(operation.results)
        if operation.name == _CASE:
            *others, results = branches
        else:
            others, results = [branches[0]], branches[1]
        place = self._array(index, operation.operands[0])
        for number, values in enumerate(others):
            is_chosen = apply("equal", place, like(number, place)) if operation.name == _CASE else place
            mask = Same(is_chosen) if isinstance(index, Same) else Each(is_chosen)
            rows = zip(operation.results, values, results, strict=True)
            results = [self._choice(ssa, mask, a, b) for ssa, a, b in rows]
        return results

    def _choice(self, ssa: Ssa, mask: Same | Each, a: TripValue, b: TripValue) -> TripValue:
        """One of two values of a result."""
        if any(isinstance(value, Linear) for value in (a, b)):
            return OF_CARRIED["select"](self.first, [mask, a, b])
        dims = _dims_of(ssa)
        plain = [value for value in (a, b) if isinstance(value, Same | Each | Counter)]
        if dims is None or len(plain) < 2:
            return OPEN
        if any(isinstance(value, Same) and not isinstance(value.item, Array) for value in plain):
            return OPEN
        arrays = [self._spread(self._array(value, ssa), value, dims) for value in plain]
        chosen = in_rank(mask, len(dims))
        whole = apply("where", array_of(chosen), *arrays)
        return Same(whole) if whole.type.rank == len(dims) else Each(whole)

    def _elementwise(self, operation: Operation, given: list[TripValue]) -> TripValue:
        name = operation.name.partition(".")[2]
        if name == "convert" and self._element(operation.operands[0]) is self._element(operation.result):
            return given[0]  # JAX prints it for products with numbers of Python
        if name == "select" and isinstance(given[0], Same):
            known = self._number(given[0])
            if known is not None:
                return given[2] if known == 0 else given[1]
        if any(isinstance(value, Linear | Extreme | Latest | Written) for value in given):
            return OF_CARRIED[name](self.first, given) if name in OF_CARRIED else OPEN
        counted = self._of_counter(operation, name, given)
        if counted is not None:
            return counted
        arrays = [self._array(value, ssa) for value, ssa in zip(given, operation.operands, strict=True)]
        dims = _dims_of(operation.result)
        if dims is None:
            return OPEN
        spread = {
            ssa: self._spread(each, value, dims)
            for ssa, each, value in zip(operation.operands, arrays, given, strict=True)
        }
        (made,) = self._call.compute(operation, spread, is_element=True)
        return Each(made) if isinstance(made, Array) else OPEN

    def _array(self, value: TripValue, ssa: Ssa) -> Array:
        """A value as an array, the trips before its own axes if they differ."""
        if isinstance(value, Counter):
            tracer = self._call.tracer
            type_ = self._element(ssa)
            places = apply("convert", iota(tracer, 0, (self._trips,)), target_type=type_.name)
            moved = apply("neg", places) if value.step < 0 else places
            return apply("add", moved, number_of(value.first, type_, tracer))
        if isinstance(value, Each):
            return value.array
        assert isinstance(value, Same)
        if isinstance(value.item, Extents):
            return number_of(value.item.sizes[0], self._element(ssa), self._call.tracer)
        assert isinstance(value.item, Array)
        return value.item

    def _element(self, ssa: Ssa) -> ElementType:
        return element_of(ssa.type, self._call.operation.place)

    def _spread(self, array: Array, value: TripValue, dims: Sequence[int]) -> Array:
        """The trips before `dims`: a number that differs between trips is the same along the other axes."""
        if not array.type.rank or array.type.dims == (self._trips, *dims):
            return array
        if not isinstance(value, Same) and array.type.rank == 1:
            array = apply("unsqueeze", array, axes=tuple(range(1, 1 + len(dims))))
        return apply("multibroadcast", array, out_lens=(self._trips, *dims))

    def _number(self, value: Same) -> Dim | None:
        """The integer that a value is."""
        if isinstance(value.item, Extents):
            return value.item.sizes[0] if len(value.item.sizes) == 1 else None
        if not isinstance(value.item, Array):
            return None
        known = self._call.number(value.item)
        return None if known is None or int(known) != known else int(known)

    # Counters

    def _of_counter(self, operation: Operation, name: str, given: list[TripValue]) -> TripValue | None:
        """A counter plus a number, or whether it is below a number that it never reaches; None for others."""
        counters = [value for value in given if isinstance(value, Counter)]
        numbers = [self._number(value) for value in given if isinstance(value, Same)]
        if len(counters) != 1:
            return None
        (counter,) = counters
        if name == "convert":
            type_ = self._element(operation.result)
            return counter if type_.bits >= F32.bits and not type_.is_float else None
        if len(numbers) != 1 or (number := numbers[0]) is None:
            return None
        if name == "add":
            return Counter(counter.first + number, counter.step)
        if name == "subtract":
            if given[0] is counter:
                return Counter(counter.first - number, counter.step)
            return Counter(number - counter.first, -counter.step)
        is_below = name == "compare" and operation.text("comparison_direction").lower() == "lt"
        least = counter.first if counter.step > 0 else counter.first - self._trips + 1
        if is_below and given[0] is counter and at_least(least, number).is_shown:
            return Same(Array(self._call.tracer.number(False, BOOL, operation.place), self._call.tracer))
        return None

    # Moves

    def broadcast(self, operation: Operation, given: list[TripValue]) -> TripValue:
        (value,), dims = given, _dims_of(operation.result)
        axes = operation.integers("broadcast_dimensions")
        if isinstance(value, Linear) and value.is_itself and _dims_of(operation.operands[0]) == dims:
            return value
        if not isinstance(value, Each | Counter) or dims is None or list(axes) != sorted(axes):
            return OPEN
        array = self._array(value, operation.operands[0])
        places = dict(zip(axes, array.type.dims[1:], strict=True))
        apart = (self._trips, *[places.get(axis, 1) for axis in range(len(dims))])
        shaped = apply("reshape", array, dims=apart)
        return Each(apply("multibroadcast", shaped, out_lens=(self._trips, *dims)))

    def reshape(self, operation: Operation, given: list[TripValue]) -> TripValue:
        (value,), dims = given, _dims_of(operation.result)
        if isinstance(value, Counter) and dims == ():
            return value
        if isinstance(value, Linear) and value.is_itself and _dims_of(operation.operands[0]) == dims:
            return value
        if not isinstance(value, Each | Counter) or dims is None:
            return OPEN
        return Each(apply("reshape", self._array(value, operation.operands[0]), dims=(self._trips, *dims)))

    def transpose(self, operation: Operation, given: list[TripValue]) -> TripValue:
        (value,) = given
        if not isinstance(value, Each):
            return OPEN
        order = [axis + 1 for axis in operation.integers("permutation")]
        return Each(apply("transpose", value.array, permutation=(0, *order)))

    def part(self, operation: Operation, given: list[TripValue]) -> TripValue:
        """A slice at constant places."""
        (value,) = given
        if not isinstance(value, Each):
            return OPEN
        starts, ends, steps = [
            operation.integers(name) for name in ("start_indices", "limit_indices", "strides")
        ]
        taken = sliced(value.array, (0, *starts), (self._trips, *ends))
        return Each(stepped(taken, (1, *steps)))

    def joined(self, operation: Operation, given: list[TripValue]) -> TripValue:
        """A concatenation."""
        axis, parts = operation.integer("dimension"), list[Array]()
        for value, ssa in zip(given, operation.operands, strict=True):
            dims = _dims_of(ssa)
            is_known = isinstance(value, Each) or (isinstance(value, Same) and isinstance(value.item, Array))
            if dims is None or not is_known:
                return OPEN
            parts.append(self._spread(self._array(value, ssa), value, dims))
        return Each(apply("concat", *parts, axis=axis + 1))

    def slice_(self, operation: Operation, given: list[TripValue]) -> TripValue:
        """The slices of an array at the counter, along the trips."""
        x, *starts = given
        if not isinstance(x, Same) or not isinstance(x.item, Array):
            return OPEN
        sizes = operation.integers("slice_sizes")
        axis = self._moved_axis(starts, sizes, x.item.type.dims)
        if axis is None or not isinstance(counter := starts[axis], Counter):
            return OPEN
        least = counter.first if counter.step > 0 else counter.first - self._trips + 1
        room = x.item.type.dims[axis] - least - self._trips
        if not at_least(least, 0).is_shown or not at_least(room, 0).is_shown:
            return OPEN
        self._moves = True
        taken = x.item
        if least != 0 or room != 0:
            taken = apply("slice", taken, axes=(axis,), starts=(least,), ends=(least + self._trips,))
        in_order = apply("reverse", taken, axes=(axis,)) if counter.step < 0 else taken
        return Each(apply("unsqueeze", moveaxis(in_order, axis, 0), axes=(axis + 1,)))

    def update(self, operation: Operation, given: list[TripValue]) -> TripValue:
        """A carried array, every slice of which a trip writes."""
        x, part, *starts = given
        if not isinstance(x, Linear) or not x.is_itself or not isinstance(part, Same | Each | Counter):
            return OPEN
        item, sizes = self.first[x.carried], _dims_of(operation.operands[1])
        if not isinstance(item, Array) or sizes is None:
            return OPEN
        axis = self._moved_axis(starts, sizes, item.type.dims)
        if axis is None or not isinstance(counter := starts[axis], Counter):
            return OPEN
        least = counter.first if counter.step > 0 else counter.first - self._trips + 1
        if least != 0 or item.type.dims[axis] != self._trips:
            return OPEN
        self._moves = True
        parts = self._array(part, operation.operands[1])
        if isinstance(part, Same):
            parts = apply("multibroadcast", parts, out_lens=(self._trips, *parts.type.dims))
        whole = moveaxis(apply("squeeze", parts, axes=(axis + 1,)), 0, axis)
        return Written(x.carried, apply("reverse", whole, axes=(axis,)) if counter.step < 0 else whole)

    def _moved_axis(
        self, starts: Sequence[TripValue], sizes: Sequence[int], dims: Sequence[Dim]
    ) -> int | None:
        """The axis along which slices of a single element begin at a counter, if they are whole otherwise."""
        moved = [axis for axis, start in enumerate(starts) if isinstance(start, Counter)]
        if len(moved) != 1 or sizes[moved[0]] != 1:
            return None
        for axis, start in enumerate(starts):
            is_first = isinstance(start, Same) and self._number(start) == 0
            if axis != moved[0] and not (is_first and sizes[axis] == dims[axis]):
                return None
        return moved[0]


def _dims_of(value: Ssa) -> tuple[int, ...] | None:
    """The dims of a value, if all are numbers."""
    dims = value.type.dims if isinstance(value.type, TensorType) else (None,)
    known = [dim for dim in dims if dim is not None]
    return tuple(known) if len(known) == len(dims) else None


_CASE = "stablehlo.case"
_CHOICES = (_CASE, "stablehlo.if")
_SUMS = {"stablehlo.dot_general": product_of_trips, "stablehlo.reduce": reduce_of_trips}
_MOVES: Mapping[str, Callable[[_Loop, Operation, list[TripValue]], TripValue]] = {
    "stablehlo.broadcast_in_dim": _Loop.broadcast, "stablehlo.reshape": _Loop.reshape,
    "stablehlo.transpose": _Loop.transpose, "stablehlo.dynamic_slice": _Loop.slice_,
    "stablehlo.dynamic_update_slice": _Loop.update, "stablehlo.slice": _Loop.part,
    "stablehlo.concatenate": _Loop.joined,
}  # fmt: skip
