"""Whether a statement stores the same value each time that it stores to an element.

    t = tile_load[at={min(4*(c0 floordiv 4), 997) + c0 mod 4}](x)      the last two accesses of four elements
    tile_store[at={min(4*(c0 floordiv 4), 997) + c0 mod 4}](t, z)      have three in common, with equal values

A value is computed from elements of buffers that the kernel only reads. It is the same if the indices of
these elements follow from the index of the stored element.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from asmgen.blockwise import actions as ops
from asmgen.blockwise.program import Kernel, TileStatement, TileValue
from asmgen.blockwise.rules.access import is_data
from asmgen.blockwise.rules.races.buffers import BufferQuestions, in_any_trip, same_elements, twins
from asmgen.blockwise.rules.races.common import Question, answer
from asmgen.blockwise.rules.races.forms import form_of
from asmgen.blockwise.rules.races.limited import is_at_most
from asmgen.blockwise.rules.races.path import Access, InBuffer
from asmgen.blockwise.types import TileType, coordinates
from asmgen.index import Index, Symbol, constant, symbol
from asmgen.index.expression import as_symbol, only
from asmgen.index.nodes import Atom, Minimum, Quotient, Remainder
from asmgen.index.search import TooManyParts

Place = tuple[Index, ...]  # of an element of a tile
Earlier = tuple[Index, ...]  # the numbers of earlier trips, of the loops that are looked at


def stores_the_same(kernel: Kernel, store: Access, questions: BufferQuestions) -> bool:
    """Whether every workgroup and trip that stores to an element stores the same value."""
    sources = _Sources(kernel, store)
    try:
        sources.find()
    except _Unknown:
        return False
    follows = _Follows(kernel, store)
    indices, conditions = [
        [index for index in some if not follows(index)] for some in (sources.indices, sources.conditions)
    ]
    decided_by = (*indices, *conditions)
    form = form_of(store)
    first = in_any_trip(store, form, {}, "", decided_by)
    second = in_any_trip(store, form, questions.primed, "'", decided_by)
    if first is None or second is None:
        return True
    pairs = twins(first, second, questions.primed)
    zeros = (
        *same_elements(first, second),
        *[own - others for own, others in zip(first.at, second.at, strict=True)],
    )
    limits = questions.limits(first, second)
    for number, (own, others) in enumerate(zip(first.more, second.more, strict=True)):
        differs = (own - others - 1,) if number < len(indices) else (own, -others - 1)
        try:
            if own is not others and answer(Question(zeros, (*limits, *differs), pairs)) is not None:
                return False
        except TooManyParts:
            return False
    return True


class _Follows:
    """Whether an index follows from the element that a store stores to: from its form alone.

    stored to {n floordiv 51, n mod 51}          n mod 51 is the second index
    stored to {batch, c0 + min(64*row, 936)}     c0 is e1 - min(64*row, 936), with e1 for the second index
    a_1[c0 + min(64*row, 936), k]                is a_1[e1, k], which has neither c0 nor row
    stored to {c0 + c0 mod 2}                    c0 would follow from c0 mod 2, and that from c0: it does not
    stored to {c0 mod 8} if c0 < 8               c0 is the index
    stored to {c0, 2} if c1 < 1                  c1 is 0
    stored to {c0 + k}, k in steps of 16         c0 is e0 mod 16, and k is e0 - e0 mod 16
    """

    def __init__(self, kernel: Kernel, store: Access) -> None:
        place, tile = store.place, store.statement.operands[0].type
        assert isinstance(place, InBuffer) and isinstance(tile, TileType)
        own = frozenset([as_symbol(index) for index in coordinates(tile.shape) if not index.is_constant])
        self._varying = own | frozenset(kernel.grid) | frozenset(store.counters)
        self._known: list[dict[Symbol, Index]] = []
        form = form_of(store)
        self._limits = form.limits
        plain = [_without_remainders(index, form.limits) for index in form.at]
        self._stored = (*place.at, *form.at, *plain)
        for axis, forms in enumerate(zip(place.at, form.at, plain, strict=True)):
            _ = any(self._learns(symbol(f"e{axis}", index.low, index.high), index) for index in forms)

    def __call__(self, index: Index, asked: frozenset[Index] = frozenset()) -> bool:
        """Indices in `asked` would follow from this index, so this index does not follow from them."""
        if self._varying.isdisjoint(self._by_place(index).symbols):
            return True
        if is_at_most(index, constant(index.low), self._limits):
            return True
        if index in asked:
            return False
        rest = _without_multiples(index, self._stored)
        return all(self._atom_follows(atom, asked | {index}) for atom, _ in rest.terms)

    def _atom_follows(self, atom: Atom, asked: frozenset[Index]) -> bool:
        if any(_is_digit(atom, stored) for stored in self._stored):
            return True
        if isinstance(atom, Quotient | Remainder | Minimum):
            return self(atom.inner, asked)
        return self._varying.isdisjoint(atom.symbols)

    def _learns(self, stored: Index, index: Index) -> bool:
        """Find the symbols of an index by its value `stored`. False if the index has none."""
        rest = self._by_place(index)
        while digit := self._last_digit(rest):
            one, others = digit
            last = stored % others.multiple
            self._known.append({one: last})
            rest, stored = others, stored - last
        for one, times in self._varying_terms(rest)[:1]:
            self._known.append({one: (stored - (rest - only(one) * times)) // times})
            return True
        return False

    def _last_digit(self, index: Index) -> tuple[Symbol, Index] | None:
        """A symbol that is the remainder of an index by a factor of the other terms; and those terms."""
        for one, times in self._varying_terms(index):
            others = index - only(one)
            if times == 1 and others.terms and one.low >= 0 and one.high < others.multiple:
                return one, others
        return None

    def _varying_terms(self, index: Index) -> list[tuple[Symbol, int]]:
        """The symbols that are terms of an index, the least multiple first."""
        terms = [(atom, times) for atom, times in index.terms if isinstance(atom, Symbol) and times > 0]
        return sorted([each for each in terms if each[0] in self._varying], key=lambda each: each[1])

    def _by_place(self, index: Index) -> Index:
        for values in self._known:
            index = index.substitute(values)
        return index


def _without_remainders(index: Index, limits: Sequence[Index]) -> Index:
    """The index without remainders of numbers that the limits, which are not negative, show to be small."""
    for atom, number in index.terms:
        if not isinstance(atom, Remainder) or atom.inner.low < 0:
            continue
        if is_at_most(atom.inner // atom.by, constant(0), limits):
            return _without_remainders(index + (atom.inner - only(atom)) * number, limits)
    return index


def _without_multiples(index: Index, stored: Sequence[Index]) -> Index:
    """An index without multiples of stored indices: of 20 - c1 - min(c0, 9), c1 + min(c0, 9) leaves 20."""
    for whole in stored:
        if whole.terms:
            atom, number = whole.terms[0]
            index = index - whole * (dict(index.terms).get(atom, 0) // number)
    return index


def _is_digit(atom: Atom, stored: Index) -> bool:
    """Whether an atom is a quotient of a stored index, or a remainder of it or of such a quotient.

    n floordiv 972 mod 17 is a third of n floordiv 324 mod 51
    """
    times = _divisor(atom) // max([_divisor(own) for own, _ in stored.terms], default=1)
    if not times or not isinstance(atom, Quotient | Remainder):
        return False
    part = stored // times
    return only(atom) is (part if isinstance(atom, Quotient) else part % atom.by)


def _divisor(atom: Atom) -> int:
    """The divisor of a quotient or of a remainder; 1 if there is none."""
    match atom:
        case Quotient(by=by):
            return by
        case Remainder(inner=Index(terms=((Quotient(by=by), 1),), constant=0)):
            return by
        case _:
            return 1


class _Unknown(Exception):
    """It is not known from which elements a value is computed."""


class _Sources:
    """What decides a stored value, by the coordinates of the stored tile and the counters around the store:
    the values of `indices`, and which of `conditions` are not negative. The coordinates and counters that a
    value is summed over are symbols of their own."""

    def __init__(self, kernel: Kernel, store: Access) -> None:
        self._kernel, self._store = kernel, store
        self._around = frozenset(store.counters)
        self._made = {value: statement for statement in kernel.walk() for value in statement.results}
        self._loops = {
            p: statement
            for statement in kernel.walk()
            for region in statement.regions
            for p in region.parameters
        }
        self._written = {
            statement.operands[1] for statement in kernel.walk() if isinstance(statement.op, ops.TileStore)
        }
        self.indices: dict[Index, None] = {}
        self.conditions: dict[Index, None] = {}
        self._seen: set[tuple[TileValue, Place, Earlier]] = set()
        # the counters of loops around the store of which an earlier trip is looked at, by any of its numbers
        self._earlier: dict[Symbol, Index] = {}

    def find(self) -> None:
        """Raises `_Unknown` if something else decides the value."""
        tile = self._store.statement.operands[0]
        self._value(tile, coordinates(tile.type.shape) if isinstance(tile.type, TileType) else ())

    def _value(self, value: TileValue, at: Place) -> None:
        key = value, at, tuple(self._earlier.values())
        if key in self._seen:
            return
        self._seen.add(key)
        if value in self._loops:
            self._carried(self._loops[value], self._loops[value].regions[0].parameters.index(value), at)
            return
        statement = self._made[value]
        match statement.op:
            case ops.Fill():
                pass
            case ops.Positions() | ops.Mask() | ops.Unpack():
                self._attributes(statement, at)
                self._operands(statement, at)
            case ops.TileLoad():
                self._read(statement, at)
                self._operands(statement, at)
            case ops.Pointwise() | ops.Convert() | ops.BitCast() | ops.Relayout() | ops.Broadcast():
                self._operands(statement, at)
            case ops.Iterate():
                self._operands(statement, at)
            case ops.Reshape():
                (operand,) = statement.operands
                self._value(operand, _reshaped(at, value, operand))
            case ops.Reduce(axes=axes):  # within a lane or a wave, an axis may keep a size
                self.indices |= dict.fromkeys([at[axis] for axis in axes])
                self._operands(statement, self._summed(statement.operands[0], at, axes))
            case ops.Scan(axis=axis) | ops.Sort(axis=axis):
                self.indices[at[axis]] = None
                self._operands(statement, self._summed(statement.operands[0], at, (axis,)))
            case ops.Contract():
                a, b, c, *scales = statement.operands
                inner = self._summed(a, at, (len(at) - 1,))[-1]
                of_a, of_b = (*at[:-1], inner), (*at[:-2], inner, at[-1])
                for operand, place in ((a, of_a), (b, of_b), (c, at)):
                    self._value(operand, place)
                if scales:
                    block = self._summed(scales[0], at, (len(at) - 1,))[-1]
                    self._value(scales[0], (*at[:-1], block))
                    self._value(scales[1], (*at[:-2], block, at[-1]))
            case ops.LdsLoad():
                self._stored(statement, at)
            case ops.For():
                self._carried(statement, statement.results.index(value), at)
            case _:
                raise _Unknown

    def _carried(self, statement: TileStatement, number: int, at: Place) -> None:
        """A value that a loop carries: from its initial value, and what each trip yields. A loop around the
        store carries a result of an earlier trip."""
        action, (region,) = statement.op, statement.regions
        if not isinstance(action, ops.For):
            raise _Unknown
        counter, yielded = action.counter, region.yielded[number]
        self._value(statement.operands[number], at)
        if counter not in self._around:
            self._decided((action.start, action.stop))
            self._value(yielded, at)
            return
        self._decided((action.start, only(counter)))
        if counter not in self._earlier:
            self._earlier[counter] = symbol(
                f"{counter.name}:earlier", counter.low, counter.high, counter.multiple
            )
            self._value(yielded, at)
            del self._earlier[counter]

    def _decided(self, indices: Iterable[Index]) -> None:
        """The indices of a loop, in the trips of the loops around it that are looked at."""
        self.indices |= dict.fromkeys([index.substitute(self._earlier) for index in indices])

    def _stored(self, load: TileStatement, at: Place) -> None:
        """A value from LDS, of any statement that writes it there. Indices and loops decide which element."""
        assert isinstance(load.op, ops.LdsLoad)
        if self._earlier:
            raise _Unknown
        for loop in self._kernel.walk():
            if isinstance(loop.op, ops.For):
                self.indices |= dict.fromkeys((loop.op.start, loop.op.stop))
        whole = _moved(at, load.op.origin, 1)
        self.indices |= dict.fromkeys((load.op.slot, *load.op.origin))
        for statement in self._kernel.walk():
            if load.operands[0] not in statement.operands:
                continue
            match statement.op:
                case ops.LdsStore(origin=origin, slot=slot):
                    self._value(statement.operands[0], _moved(whole, origin, -1))
                case ops.AsyncCopy(origin=origin, slot=slot):
                    self._read(statement, _moved(whole, origin, -1))
                case _:
                    continue
            self.indices |= dict.fromkeys((slot, *origin))

    def _read(self, statement: TileStatement, at: Place) -> None:
        """An element of a buffer. Raises `_Unknown` if the kernel writes the buffer."""
        if statement.operands[0] in self._written:
            raise _Unknown
        self._attributes(statement, at)

    def _operands(self, statement: TileStatement, at: Place) -> None:
        """The elements that a result's element is computed from: at 0 along an axis of one element."""
        for operand in statement.operands:
            if isinstance(operand.type, TileType):
                own = zip(at, operand.type.shape, strict=True)
                self._value(operand, tuple([constant(0) if size == 1 else index for index, size in own]))

    def _attributes(self, statement: TileStatement, at: Place) -> None:
        """The indices of a statement at an element, but those that are data, which are operands."""
        names = zip(_coordinates(statement), at, strict=True)
        values = self._earlier | {as_symbol(name): index for name, index in names if not name.is_constant}
        if any(symbol.name == "wave" for index in ops.indices_of(statement.op) for symbol in index.symbols):
            raise _Unknown
        for _, value, _ in ops.settings(statement.op):
            for part in value if isinstance(value, tuple) else ():
                if isinstance(part, Index):
                    own = part.part([symbol for symbol in part.symbols if is_data(symbol.name)])
                    self.indices[(part - own).substitute(values)] = None
                elif isinstance(part, ops.Below):
                    condition = part.right - part.left - 1
                    own = condition.part([symbol for symbol in condition.symbols if is_data(symbol.name)])
                    kind = self.indices if own.terms else self.conditions
                    kind[(condition - own).substitute(values)] = None

    def _summed(self, tile: TileValue, at: Place, axes: Sequence[int]) -> Place:
        """The place of the elements that a tile's axes are summed over."""
        assert isinstance(tile.type, TileType)
        return tuple(
            [
                symbol(f"{tile.name}:{axis}", 0, size - 1) if axis in axes else index
                for axis, (index, size) in enumerate(zip(at, tile.type.shape, strict=True))
            ]
        )


def _reshaped(at: Place, value: TileValue, operand: TileValue) -> Place:
    """The element of a reshape's operand that is an element of its result."""
    assert isinstance(value.type, TileType) and isinstance(operand.type, TileType)
    number = constant(0)
    for index, size in zip(at, value.type.shape, strict=True):
        number = number * size + index
    found: list[Index] = []
    for size in reversed(operand.type.shape):
        found.append(number % size)
        number = number // size
    return tuple(reversed(found))


def _coordinates(statement: TileStatement) -> Place:
    """Those of the tile that a statement makes, or copies."""
    if isinstance(statement.op, ops.AsyncCopy):
        return coordinates(statement.op.layout.shape)
    tile = statement.result.type
    assert isinstance(tile, TileType)
    return coordinates(tile.shape)


def _moved(at: Place, origin: Place, times: int) -> Place:
    """A place moved by an origin, which is none at all or an index of each axis."""
    if not origin:
        return at
    return tuple([index + start * times for index, start in zip(at, origin, strict=True)])
