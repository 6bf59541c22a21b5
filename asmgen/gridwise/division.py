"""The division of a reduction's elements into parts: the axes, the number of parts, and their length.

    {2,1048576} over axis 1, 128 parts wanted     {2,128,8192} over axis 2, then {2,128} over axis 1
    {32,64,3136} over axes 0 and 2, 32 wanted     {32,1,64,3136} over axes 1 and 3, then {32,64,1} over axis 0

A run that is not a whole number of parts is padded by `missing` elements at the end. The last elements, if
they are fewer than an access, are a `tail` outside of the parts: otherwise an access would be partly padding.
They are combined with the results of the parts.

For a run of a named dim, the number of parts and their length are fixed, and the parts take as many turns as
the run needs:

    {n} of f32, 1,216 parts wanted                {turns,1216,4096} over axes 0 and 2, then {1216} and a tail

If the parts have to stay in registers, their length is fixed, and the launch has as many as the run needs,
of which the last may be empty:

    {n} of f32, of 8,192 each                     {parts,8192} over axis 1, then {parts} and a tail
"""

from __future__ import annotations

from math import prod

from asmgen.index.size import Dim, Size, Sizes, divides, most, number
from isa.named_tuple import NamedTuple
from isa.target import WIDEST_ACCESS

BYTES_OF_TURN = 16384  # that a part has of each turn: four accesses of 256 lanes
# Elements that no part has, with those of the other reduced axes. With none, accesses at the end of a part
# are partly padding: sums of {3,7,100003} of f16 over axes 0 and 2, times a number for each index of axis 1,
# take 1.17 times the clocks on gfx1100 and gfx1201.
MOST_LEFT = 256
MOST_ELEMENTS = 1 << 32  # that an index of 32 bits reaches

Dims = Sizes


class Run(NamedTuple):
    """Axes next to each other that are reduced, from `first` to `last`, and how many elements they have."""

    first: int
    last: int
    size: Dim


class Division(NamedTuple):
    """The `run` of a reduction of `dims` to `kept`, taken in `parts` of `length` elements each. The last
    `tail` elements of the run are in no part. With `turns`, which only the launch knows, a part has `length`
    elements of each turn. If only the launch knows the run, `tail` is the largest possible tail: the elements
    after the last multiple of `tail + 1`.
    """

    dims: Dims
    kept: Dims
    run: Run
    parts: Dim
    length: int
    others: tuple[Run, ...]
    tail: int
    turns: Size | None = None

    @property
    def around(self) -> Dims:
        """The turns as a dim, if there are any."""
        return () if self.turns is None else (self.turns,)

    @property
    def is_open(self) -> bool:
        """Whether only the launch knows how many elements there are."""
        return isinstance(self.run.size, Size)

    @property
    def size(self) -> Dim:
        """Elements that parts have."""
        if not self.is_open:
            return self.run.size - self.tail
        return self.run.size // (self.tail + 1) * (self.tail + 1)

    @property
    def missing(self) -> int:
        """The number of elements that the parts have more than the run; the largest possible if only the
        launch knows it."""
        if self.turns is not None:
            return number(self.parts) * self.length - 1 - self.tail
        return self.length if self.is_open else number(self.parts * self.length - self.size)

    @property
    def filled(self) -> Dim:
        """The elements of all parts, with those that are missing."""
        return self.parts * self.length * (1 if self.turns is None else self.turns)

    @property
    def left(self) -> Dim:
        """How many elements each result has that are in no part: the tail, of each of the others."""
        return self.tail * prod([other.size for other in self.others])

    @property
    def with_run(self) -> tuple[int, ...]:
        """The axes of `whole` in an order that puts the other reduced axes right before the run."""
        merged = self.run.last - self.run.first
        reduced = [
            axis - merged * (axis > self.run.last)
            for other in self.others
            for axis in range(other.first, other.last + 1)
        ]
        kept = [axis for axis in range(len(self.whole)) if axis not in reduced and axis != self.run.first]
        before = [axis for axis in kept if axis < self.run.first]
        return (*before, *reduced, self.run.first, *[axis for axis in kept if axis > self.run.first])

    @property
    def whole(self) -> Dims:
        """The dims with the run as a single dim."""
        return (*self.dims[: self.run.first], self.run.size, *self.dims[self.run.last + 1 :])

    @property
    def apart(self) -> Dims:
        """The dims with the run as parts and their elements."""
        inner = (self.parts, self.length, *self.dims[self.run.last + 1 :])
        return (*self.dims[: self.run.first], *self.around, *inner)

    @property
    def axes(self) -> tuple[int, ...]:
        """Those of `apart` over which a part is reduced."""
        own = range(self.run.first, self.run.first + len(self.around))
        of_part = own.stop + 1
        shift = of_part - self.run.last
        others = [
            axis + shift * (axis > self.run.last)
            for other in self.others
            for axis in range(other.first, other.last + 1)
        ]
        return tuple(sorted([*own, of_part, *others]))

    @property
    def partial(self) -> Dims:
        """The dims of the parts' results, as their reduction has them."""
        return tuple([1 if axis in self.axes else dim for axis, dim in enumerate(self.apart)])

    @property
    def flat(self) -> Dims:
        """The dims of the parts' results, which are reduced along `self.run.first`."""
        return tuple([self.parts if axis == self.run.first else dim for axis, dim in enumerate(self.kept)])


def division(
    dims: Dims, kept: Dims, wanted: int, element: int, length: int = 0, axes: tuple[int, ...] = ()
) -> Division | None:
    """`wanted` parts of a reduction of elements of so many bytes, or somewhat more; None if it has none. Of a
    run of a named dim a part has `length` elements, if that is given. With `axes`, these axes are divided.
    """
    candidates = runs(dims, kept)
    if axes:
        candidates = [each for run in candidates for each in _cut(run, axes, dims)]
        reduction = _Reduction(dims, kept, element, candidates)
        return reduction.of_numbers(_at(candidates, axes), wanted, is_named=True)
    reduction = _Reduction(dims, kept, element, candidates)
    named = next((run for run in candidates if isinstance(run.size, Size)), None)
    if named is not None and length:
        return reduction.of_length(named, length)
    if named is not None:
        return reduction.of_turns(named, wanted)
    counts = {run: number(run.size) for run in candidates}
    run = next(
        (run for run in candidates if counts[run] >= wanted), max(candidates, key=lambda run: counts[run])
    )
    return reduction.of_numbers(run, wanted, is_named=False)


class _Reduction(NamedTuple):
    """A reduction from `dims` to `kept` of elements of so many bytes, and the runs that may be divided. Each
    method divides a run."""

    dims: Dims
    kept: Dims
    element: int
    candidates: list[Run]

    def of_numbers(self, run: Run, wanted: int, *, is_named: bool) -> Division | None:
        """About `wanted` parts of a run of known size; `is_named` if the schedule names its axes."""
        size, step, others = number(run.size), self._step(run), self._others(run)
        left = step * prod([number(other.size) for other in others])
        is_short = not others or (is_named and left <= MOST_LEFT)
        tail = size % step if is_short and size > wanted * step else 0
        parts, length = parts_of(size - tail, wanted, step)
        if parts == 1 or (length == 1 and len(self.candidates) == 1):
            return None
        return Division(self.dims, self.kept, run, parts, length, others, tail)

    def of_turns(self, run: Run, wanted: int) -> Division | None:
        """The division of a run of a named dim; None if it never needs more than a single turn, or always as
        many turns.
        """
        step = self._step(run)
        inner = most(prod(self.dims[run.last + 1 :]))
        length = 1 << max(0, (BYTES_OF_TURN // (self.element * inner)).bit_length() - 1)
        tail = _largest_tail(run, step)
        if most(run.size) <= wanted * length:
            return None
        if most(run.size) + wanted * length > MOST_ELEMENTS:
            wanted = 1 << (wanted - 1).bit_length()  # a run rounded up to a power of two is within it
        turns = (run.size // step + wanted * length // step - 1) // (wanted * length // step)
        if not isinstance(turns, Size):
            return None
        return Division(self.dims, self.kept, run, wanted, length, self._others(run), tail, turns)

    def of_length(self, run: Run, length: int) -> Division | None:
        """The division of a run of a named dim in parts of a length; None if it is never longer than a
        part."""
        if len(self.candidates) > 1 or most(run.size) <= length:
            return None
        tail = _largest_tail(run, self._step(run))
        return Division(self.dims, self.kept, run, run.size // length + 1, length, (), tail)

    def _others(self, run: Run) -> tuple[Run, ...]:
        return tuple([other for other in self.candidates if other != run])

    def _step(self, run: Run) -> int:
        """The elements of an access of a run: 1 if they are not adjacent in memory."""
        return max(1, WIDEST_ACCESS // self.element) if prod(self.dims[run.last + 1 :]) == 1 else 1


def _cut(run: Run, axes: tuple[int, ...], dims: Dims) -> list[Run]:
    """A run in up to three: the axes before `axes`, these, and the axes after them. A run without these axes
    stays as it is."""
    first, last = axes[0], axes[-1]
    if not run.first <= first <= last <= run.last:
        return [run]
    ends = [(run.first, first - 1), (first, last), (last + 1, run.last)]
    made = [Run(one, end, prod(dims[one : end + 1])) for one, end in ends if one <= end]
    return [each for each in made if each.size != 1]


def _at(candidates: list[Run], axes: tuple[int, ...]) -> Run:
    return next(run for run in candidates if run.first == axes[0])


def _largest_tail(run: Run, step: int) -> int:
    """The most elements after whole accesses that a run of a named dim may have."""
    return 0 if divides(step, run.size).is_shown else step - 1


def runs(dims: Dims, kept: Dims) -> list[Run]:
    """The runs of reduced axes: neighbouring axes make a run, and axes of size 1 between them join it."""
    made: list[Run] = []
    joins = False
    for axis, dim in enumerate(dims):
        if dim == 1:
            continue
        if dim != kept[axis] and joins:
            first, _, size = made.pop()
            made.append(Run(first, axis, size * dim))
        elif dim != kept[axis]:
            made.append(Run(axis, axis, dim))
        joins = dim != kept[axis]
    return made


def parts_of(size: int, wanted: int, step: int) -> tuple[int, int]:
    """The number of parts, and their length: at least `wanted` if the size has so many, of whole steps.

    Up to twice as many parts are taken if they leave no remainder.
    """
    for parts in range(wanted, min(2 * wanted, size) + 1):
        if size % parts == 0 and size // parts % step == 0:
            return parts, size // parts
    length = max(step, size // wanted // step * step)
    return -(-size // length), length
