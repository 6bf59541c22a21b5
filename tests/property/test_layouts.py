"""The algebra of layouts against brute force over all (register, lane, wave), and placements against a count
of banks.

The brute force knows nothing of vectors: it splits the numbers of holders into bits by `>>` and adds
coordinates by `^`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product as every

import pytest

from asmgen.blockwise.layout import f2
from asmgen.blockwise.layout.algebra import (
    divide,
    holder_of,
    holders,
    invert,
    product,
    project,
    transpose,
)
from asmgen.blockwise.layout.layout import Holder, Layout, Sizes, fault, join, layout, split
from asmgen.blockwise.layout.queries import copying, register_offsets, vector_bits
from asmgen.blockwise.layout.relayout import MoveKind, relayout
from asmgen.blockwise.layout.text import print_layout
from tests.layouts import random_layout, random_parts, random_sizes, read

THIN, WHOLE = 100, 10_000
COUNTS = [THIN, pytest.param(WHOLE, marks=pytest.mark.slow)]


def by_hand(of: Layout) -> dict[Holder, Sizes]:
    """The element of every holder, bit by bit and axis by axis."""
    elements: dict[Holder, Sizes] = {}
    registers, lanes, waves = ([split(basis, of.sizes) for basis in part] for part in (of.registers, of.lanes, of.waves))
    for wave, lane, register in every(range(1 << len(waves)), range(1 << len(lanes)), range(of.register_count)):
        at = [0] * of.rank
        for number, bases in ((register, registers), (lane, lanes), (wave, waves)):
            for bit, basis in enumerate(bases):
                if number >> bit & 1:
                    at = [have ^ step for have, step in zip(at, basis, strict=True)]
        turn = register >> len(registers)
        for axis in reversed(range(of.rank)):
            at[axis] += turn % of.counts[axis] * of.sizes[axis]
            turn //= of.counts[axis]
        elements[Holder(register, lane, wave)] = tuple(at)
    return elements


def drawn(count: int, seed: int) -> Iterator[tuple[random.Random, Layout]]:
    draw = random.Random(seed)
    for _ in range(count):
        yield draw, random_layout(draw)


@pytest.mark.parametrize("count", COUNTS)
def test_a_layout_reaches_every_element_and_is_inverted(count: int) -> None:
    for _, of in drawn(count, 1):
        elements = by_hand(of)
        assert list(holders(of)) == list(elements)
        assert all(of.element(holder) == element for holder, element in elements.items())
        assert set(elements.values()) == set(every(*map(range, of.shape)))
        copies = copying(of)
        for element in set(elements.values()):
            holder = holder_of(of, element)
            assert elements[holder] == element
            assert not any(holder.lane >> bit & 1 for bit in copies.lanes)
        assert f2.compose(of.columns, invert(of)) == tuple([1 << bit for bit in range(of.bits)])


@pytest.mark.parametrize("count", COUNTS)
def test_text_reads_back(count: int) -> None:
    for _, of in drawn(count, 2):
        assert read(print_layout(of)) == of


@pytest.mark.parametrize("count", COUNTS)
def test_a_product_places_tiles_and_is_divided(count: int) -> None:
    for draw, outer in drawn(count // 2, 4):
        sizes = tuple([1 << draw.randint(0, 1) for _ in range(outer.rank)])
        inner = layout(sizes, *random_parts(draw, sizes, 1))
        whole = product(inner, outer)
        small, large = by_hand(inner), by_hand(outer)
        for holder, element in by_hand(whole).items():
            low = Holder(*(at % count for at, count in zip(holder, _counts(inner), strict=True)))
            high = Holder(*(at // count for at, count in zip(holder, _counts(inner), strict=True)))
            assert element == tuple([at + size * tile for at, tile, size in zip(small[low], large[high], sizes, strict=True)])
        division = divide(whole, inner)
        if 0 not in inner.registers:
            assert division is not None
            _check_division(whole, inner)


def _counts(of: Layout) -> tuple[int, int, int]:
    return of.register_count, of.lane_count, of.wave_count


@pytest.mark.parametrize("count", COUNTS)
def test_what_divides_is_made_of_tiles(count: int) -> None:
    divided = 0
    for draw, whole in drawn(count, 5):
        sizes = tuple([1 << draw.randint(0, 1) for _ in range(whole.rank)])
        inner = layout(sizes, *random_parts(draw, sizes, 1))
        divided += divide(whole, inner) is not None
        if divide(whole, inner) is not None:
            _check_division(whole, inner)
        else:
            _check_no_division(whole, inner)
    assert divided > count // 20, divided


def _check_division(whole: Layout, inner: Layout) -> None:
    """Tile by tile: the holders that a quotient's holder gives have the elements of that tile."""
    division = divide(whole, inner)
    assert division is not None
    assert sorted((*division.bits, *division.rest)) == list(range(len(whole.registers)))
    large, elements = by_hand(division.quotient), by_hand(whole)
    for (place, tile), (holder, element) in every(large.items(), by_hand(inner).items()):
        register = sum(1 << bit for at, bit in enumerate(division.bits) if holder.register >> at & 1)
        register |= sum(1 << bit for at, bit in enumerate(division.rest) if place.register >> at & 1)
        register |= place.register >> len(division.rest) << len(whole.registers)
        lane = holder.lane | place.lane << len(inner.lanes)
        wave = holder.wave | place.wave << len(inner.waves)
        want = tuple([at + size * number for at, size, number in zip(element, inner.sizes, tile, strict=True)])
        assert elements[Holder(register, lane, wave)] == want


def _check_no_division(whole: Layout, inner: Layout) -> None:
    """No choice of register bits makes the low bits of each part `inner`."""
    if any(low > high for low, high in zip(inner.sizes, whole.sizes, strict=True)) or 0 in inner.registers:
        return
    elements, wanted = by_hand(whole), by_hand(inner)
    if len(inner.lanes) > len(whole.lanes) or len(inner.waves) > len(whole.waves):
        return
    units = [whole.registers.index(basis) if basis in whole.registers else -1 for basis in _moved(inner, whole)]
    if -1 in units:
        return
    same = all(
        elements[
            Holder(
                sum(1 << bit for at, bit in enumerate(units) if holder.register >> at & 1),
                holder.lane,
                holder.wave,
            )
        ]
        == element
        for holder, element in wanted.items()
    )
    starts = {tuple([at % size for at, size in zip(elements[holder], inner.sizes, strict=True)]) for holder in _others(whole, inner, units)}
    assert not same or starts != {(0,) * whole.rank}


def _moved(inner: Layout, whole: Layout) -> list[int]:
    return [join(split(basis, inner.sizes), whole.sizes) for basis in inner.registers]


def _others(whole: Layout, inner: Layout, units: list[int]) -> Iterator[Holder]:
    for holder in holders(whole):
        is_first = not (holder.lane & inner.lane_count - 1 or holder.wave & inner.wave_count - 1)
        if is_first and not any(holder.register >> bit & 1 for bit in units):
            yield holder


@pytest.mark.parametrize("count", COUNTS)
def test_axes_are_transposed_and_projected(count: int) -> None:
    for draw, of in drawn(count, 6):
        axes = tuple(draw.sample(range(of.rank), of.rank))
        elements = by_hand(of)
        if not of.repeat:
            turned = transpose(of, axes)
            for holder, element in elements.items():
                assert turned.element(holder) == tuple([element[axis] for axis in axes])
        gone = tuple(sorted(axes[: draw.randint(1, of.rank)]))
        kept = project(of, gone)
        if kept is not None:
            expected = {(holder.lane, holder.wave, _without(element, gone)) for holder, element in elements.items()}
            assert {(holder.lane, holder.wave, element) for holder, element in by_hand(kept).items()} == expected
            assert 0 not in kept.registers


def _without(element: Sizes, axes: tuple[int, ...]) -> Sizes:
    return tuple([0 if axis in axes else at for axis, at in enumerate(element)])


@pytest.mark.parametrize("count", COUNTS)
def test_vectors_are_consecutive_and_as_wide_as_can_be(count: int) -> None:
    for _, of in drawn(count, 7):
        elements = by_hand(of)
        assert register_offsets(of) == tuple([elements[Holder(register, 0, 0)] for register in range(of.register_count)])
        for axis in range(of.rank):
            bits = vector_bits(of, axis)
            for holder, element in elements.items():
                if any(holder.register >> bit & 1 for bit in bits):
                    continue
                assert element[axis] % (1 << len(bits)) == 0
                for step in range(1 << len(bits)):
                    register = holder.register | sum(1 << bit for at, bit in enumerate(bits) if step >> at & 1)
                    want = tuple([at + step if place == axis else at for place, at in enumerate(element)])
                    assert elements[holder._replace(register=register)] == want
        if all(basis & basis - 1 == 0 for basis in of.columns):
            for holder, element in elements.items():
                parts = (
                    elements[Holder(holder.register, 0, 0)],
                    elements[Holder(0, holder.lane, 0)],
                    elements[Holder(0, 0, holder.wave)],
                )
                assert element == tuple(map(sum, zip(*parts, strict=True)))


@pytest.mark.parametrize("count", COUNTS)
def test_a_relayout_finds_each_element_and_the_least_kind(count: int) -> None:
    kinds: set[MoveKind] = set()
    draw = random.Random(8)
    for _ in range(count):
        source, result = _pair(draw)
        way = relayout(source, result)
        kinds.add(way.kind)
        have, want = by_hand(source), by_hand(result)
        in_lane = {(holder.lane, holder.wave, element) for holder, element in have.items()}
        in_wave = {(holder.wave, element) for holder, element in have.items()}
        assert way.columns is not None
        for holder, element in want.items():
            assert have[way.source_of(holder)] == element
        if all((holder.lane, holder.wave, element) in in_lane for holder, element in want.items()):
            assert way.kind in (MoveKind.NOTHING, MoveKind.REGISTERS)
        elif all((holder.wave, element) in in_wave for holder, element in want.items()):
            assert way.kind is MoveKind.LANES
        else:
            assert way.kind is MoveKind.LDS
        assert (way.kind is MoveKind.NOTHING) == (source == result)
    assert kinds == set(MoveKind)


def _pair(draw: random.Random) -> tuple[Layout, Layout]:
    """Two layouts of one tile on the same lanes and waves; the second is often a change of the first."""
    sizes = random_sizes(draw, 5)
    repeat = (3,) * len(sizes) if draw.random() < 0.2 else ()
    source = layout(sizes, *random_parts(draw, sizes, 2), repeat)
    bases = list(source.columns)
    registers, lanes = len(source.registers), len(source.lanes)
    last = draw.choice((registers, registers, registers + lanes, len(bases)))
    moved = bases[:last]
    draw.shuffle(moved)
    bases[:last] = moved
    return source, layout(
        sizes,
        tuple(bases[:registers]),
        tuple(bases[registers : registers + lanes]),
        tuple(bases[registers + lanes :]),
        repeat,
    )


@pytest.mark.parametrize("count", [100, pytest.param(3000, marks=pytest.mark.slow)])
def test_linear_algebra(count: int) -> None:
    draw = random.Random(9)
    for _ in range(count):
        bits = draw.randint(1, 7)
        left, right = ([draw.randrange(1 << bits) for _ in range(draw.randint(0, bits))] for _ in range(2))
        of_left, of_right = set(f2.image(left)), set(f2.image(right))
        assert set(f2.image(f2.intersection(left, right))) == of_left & of_right
        assert set(f2.image(f2.independent(left))) == of_left
        assert len(f2.image(f2.independent(left))) == len(of_left)
        for vector in range(1 << bits):
            solved = f2.solve(tuple(left), vector)
            assert (solved is not None) == (vector in of_left)
            assert solved is None or f2.apply(left, solved) == vector
        size = draw.randint(0, bits)
        one, other = ([*(basis := f2.independent(space)), *f2.completed(basis, bits)][:size] for space in (left, right))
        rows = f2.common_complement(one, other, bits)
        for space in (one, other):
            assert len(set(f2.image([*space, *rows]))) == 1 << bits == 1 << len(space) + len(rows)


def test_faults_are_named() -> None:
    """Random parts that break a rule are refused, and nothing else is."""
    draw = random.Random(10)
    for _ in range(300):
        bits = draw.randint(1, 4)
        bases = tuple([draw.randrange(1 << bits) for _ in range(draw.randint(bits, bits + 2))])
        made = Layout((1 << bits,), bases[:2], bases[2:])
        nonzero = [basis for basis in bases if basis]
        is_legal = len(nonzero) == bits and len(set(f2.image(nonzero))) == 1 << bits
        assert (fault(made) == "") == is_legal, (made, fault(made))
