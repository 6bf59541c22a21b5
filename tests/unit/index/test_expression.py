"""Index expressions against Python's integers: every rule keeps the value, and bounds contain every value."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from asmgen.index import Index, Symbol, constant, symbol
from asmgen.index.expression import as_symbol, dim_symbol
from asmgen.index.minimums import minimums_of
from asmgen.index.reach import reach
from asmgen.index.size import Size
from asmgen.index.text import read_index
from asmgen.text.cursor import Cursor
from asmgen.text.lexer import TILE_TOKENS, SourceText, tokenize
from isa.diagnostics import InputError

ROW, COLUMN, STEP, AROUND = (
    symbol("row", 0, 5),
    symbol("c1", 0, 63),
    symbol("k", 0, 48, 16),
    symbol("near", -7, 9),
)
NAMES = {"row": ROW, "c1": COLUMN, "k": STEP, "near": AROUND}
ROWS, COLUMNS = symbol("n", 1, 37), symbol("m", 1, 11)  # sizes that the launch knows
SIZES = {"n": ROWS, "m": COLUMNS}


def read(text: str) -> Index:
    source = SourceText(text, "index")
    cursor = Cursor(source, tokenize(source, 0, TILE_TOKENS))
    found = read_index(cursor, NAMES | SIZES)
    assert cursor.at_end(), text
    return found


def test_the_rules() -> None:
    flat = 64 * ROW + COLUMN
    assert flat // 64 is ROW
    assert flat % 64 is COLUMN
    assert (flat // 3) * 3 + flat % 3 is flat
    assert (flat + 128) // 64 is ROW + 2
    assert (flat // 4) // 16 is ROW
    assert (2 * ROW + 1) // 4 is ROW // 2
    assert flat % 128 % 64 is COLUMN
    assert (STEP + 3) // 16 is STEP // 16
    assert (STEP + COLUMN) % 16 is COLUMN % 16
    assert (ROW - ROW).is_constant
    assert ROW - 1 + 1 is ROW
    assert (flat // 3).bounds == (0, 383 // 3)
    assert (16 * ROW + 4).multiple == 4
    assert flat // 192 is ROW // 3
    assert flat % 192 is 64 * (ROW % 3) + COLUMN
    assert (64 * STEP + COLUMN) // 1536 is STEP // 24
    assert (flat + 9) // 192 is not ROW // 3  # the sum may reach the next row
    assert (128 * ROW + COLUMN + 64) // 384 is ROW // 3
    assert (flat // 192) * 192 + flat % 192 is flat
    assert (STEP % 24).bounds == (0, 16)
    assert (STEP // 4).multiple == 4
    assert flat.coefficient(as_symbol(ROW)) == 64
    assert flat.part([as_symbol(ROW)]) is 64 * ROW
    assert flat.symbols == {as_symbol(ROW), as_symbol(COLUMN)}
    assert flat.substitute({as_symbol(ROW): constant(2)}) is COLUMN + 128
    assert 16 * ((STEP + 16 * ROW) // 16) is STEP + 16 * ROW
    assert 4 * ((4 * ROW).at_most(18) // 2) is 2 * (4 * ROW).at_most(18)
    assert flat % 24 // 6 is flat // 6 % 4
    assert 6 * (flat % 24 // 6) + flat % 6 is flat % 24
    assert (4 * ROW + 3).at_most(19) is (4 * ROW).at_most(16) + 3
    assert ROW.at_most(5) is ROW
    assert AROUND.at_most(-7) is constant(-7)
    assert COLUMN.at_most(9).bounds == (0, 9)
    assert STEP.at_most(40).multiple == 8
    assert flat.at_most(99).substitute({as_symbol(ROW): constant(2)}) is constant(99)


def test_the_rules_of_sizes() -> None:
    flat = ROWS.times(ROW) + COLUMN
    assert flat.divided(ROWS) is ROW + COLUMN.divided(ROWS)
    assert flat.remaining(ROWS) is COLUMN.remaining(ROWS)
    assert flat.divided(ROWS).times(ROWS) + flat.remaining(ROWS) is flat
    assert COLUMN.divided(ROWS + 63) is constant(0)
    assert COLUMN.remaining(ROWS + 63) is COLUMN
    assert COLUMN.divided(ROWS).divided(COLUMNS) is COLUMN.divided(ROWS.times(COLUMNS))
    assert (COLUMN // 4).divided(ROWS) is COLUMN.divided(ROWS * 4)
    outer, inner = COLUMN.divided(COLUMNS), COLUMN.remaining(COLUMNS)
    whole = outer.divided(ROWS).times(ROWS.times(COLUMNS)) + outer.remaining(ROWS).times(COLUMNS) + inner
    assert whole is COLUMN
    plus = ROWS + 4
    assert (plus.times(ROW) + COLUMN).divided(plus) is ROW + COLUMN.divided(plus)
    assert flat.divided(ROWS).substitute({as_symbol(ROWS): constant(64)}) is ROW
    assert COLUMN.divided(ROWS).evaluate({as_symbol(COLUMN): 7, as_symbol(ROWS): 0}, 0) == 7


Meaning = Callable[[dict[str, int]], int]


def build(draw: random.Random, depth: int) -> tuple[Index, Meaning]:
    """An expression, and the same in Python's integers."""
    kind = draw.randrange(10) if depth else draw.randrange(2)
    if kind == 0:
        number = draw.randint(-40, 40)
        return constant(number), lambda _: number
    if kind == 1:
        name = draw.choice(list(NAMES))
        return NAMES[name], lambda values: values[name]
    left, first = build(draw, depth - 1)
    number = draw.choice((1, 2, 3, 4, 6, 8, 16, 48, 64, 192))
    if kind == 2:
        return left * -number, lambda values: first(values) * -number
    if kind == 3:
        return left // number, lambda values: first(values) // number
    if kind == 4:
        return left % number, lambda values: first(values) % number
    if kind == 5:
        limit = draw.randint(-40, 300)
        return left.at_most(limit), lambda values: min(first(values), limit)
    if kind in (6, 7, 8):
        return _by_size(draw, kind, left, first)
    right, second = build(draw, depth - 1)
    return left + right, lambda values: first(values) + second(values)


def _by_size(draw: random.Random, kind: int, left: Index, first: Meaning) -> tuple[Index, Meaning]:
    """A product with a size, a quotient or a remainder by it."""
    name = draw.choice(list(SIZES))
    if kind == 6:
        return left.times(SIZES[name]), lambda values: first(values) * values[name]
    if kind == 7:
        return left.divided(SIZES[name]), lambda values: first(values) // values[name]
    return left.remaining(SIZES[name]), lambda values: first(values) % values[name]


@pytest.mark.parametrize("count", [150, pytest.param(5000, marks=pytest.mark.slow)])
def test_random_expressions(count: int) -> None:
    draw = random.Random(1)
    for _ in range(count):
        made, wanted = build(draw, 5)
        assert read(made.text) is made
        for _ in range(12):
            values = {as_symbol(index): _value(draw, as_symbol(index)) for index in (NAMES | SIZES).values()}
            want = wanted({one.name: value for one, value in values.items()})
            assert made.evaluate(values, 0) == want, made
            assert made.low <= want <= made.high, made
            assert want % made.multiple == 0 if made.multiple else want == 0, made


def _value(draw: random.Random, of: Symbol) -> int:
    return draw.randrange(of.low, of.high + 1, of.multiple)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("row floordiv 0", "got 0 after floordiv, wanted a positive number"),
        ("row mod near", "got near after mod, wanted a positive number"),
        ("column", "column is not an index here, wanted one of n, m, c1, row or 2 others"),
        ("row + ", "got the end of the file, wanted a name"),
        ("(" * 40 + "row" + ")" * 40, "nested more than 32 deep"),
        ("9223372036854775807*row", "wanted at most 2^62"),
    ],
)
def test_what_is_no_index_is_refused(text: str, rule: str) -> None:
    with pytest.raises(InputError) as raised:
        _ = read(text)
    assert rule in raised.value.message


def test_a_minimum_is_at_most_either_of_its_sides() -> None:
    least = COLUMN.smaller(ROWS + 30)
    assert (ROWS + 31 - least).bounds[0] < 0
    assert reach(ROWS + 31 - least) == (1, 68)
    assert reach(least) == least.bounds == (0, 63)
    assert reach(least - ROWS)[1] == 30


def test_a_sum_less_a_minimum_of_it_is_at_least_zero() -> None:
    """However many minimums the sum has, and with a size as a factor too."""
    n, m = dim_symbol("n", 0, 1 << 20), dim_symbol("m", 1, 1 << 10)
    part = n - n.at_most(9)
    much = part.at_most(1) + part.at_most(130) - part
    assert minimums_of(much - much.at_most(0)) > 5
    assert (much - much.at_most(0)).low == 0
    assert (much - much.at_most(0)).times(m).low == 0
    assert (much - much.at_most(1)).low == 0
    assert (much - (much + 1).at_most(1)).low == -1
    assert (much.at_most(0) * 2 - much).low < -1000


def test_a_quotient_with_a_larger_divisor_loses_more() -> None:
    size = dim_symbol("n", 0, 1 << 20)
    coarse, fine = size // 1024 * 1024, size // 4 * 4
    assert (coarse - fine).high > 0
    assert reach(coarse - fine)[1] == 0
    assert reach(fine - coarse)[0] == 0
    assert reach((size + 7) // 8 * 8 - (size + 3) // 4 * 4)[1] == 4


def test_what_a_symbol_is_at_most_is_known_of_differences() -> None:
    rows = Size(ROWS)
    row, turn = symbol("row", 0, rows - 1), symbol("k", 0, (rows // 4 - 1) * 4, 4)
    assert (ROWS - 1 - row).low < 0
    assert reach(ROWS - 1 - row) == (0, 36)
    assert reach(ROWS - 1 - turn - symbol("c0", 0, 3))[0] == 0
    assert reach(turn - ROWS)[1] == -4


def test_a_position_in_a_row_divided_by_its_length_is_zero() -> None:
    length = dim_symbol("n", 1, 1 << 20)
    turn = symbol("k", 0, (Size(length) // 64 - 1) * 64, 64)
    position = turn + symbol("c0", 0, 63)
    assert position.divided(length) is constant(0)
    assert position.remaining(length) is position
    assert (position + 1).divided(length).terms


def test_a_position_in_several_rows_divided_by_their_length_is_below_their_count() -> None:
    length = dim_symbol("n", 1, 1 << 20)
    turn = symbol("k", 0, (Size(length) * 7 // 64 - 1) * 64, 64)
    row = (turn + symbol("c0", 0, 63)).divided(length)
    assert row.bounds == (0, 6)
    assert row // 7 is constant(0)
    turn = symbol("k", 0, (Size(length) * 8 // 64 - 1) * 64, 64)
    assert ((turn + symbol("c0", 0, 63)) // 8).divided(length) is constant(0)


def test_a_product_of_two_sizes_is_at_least_zero() -> None:
    rows, columns = dim_symbol("m", 1, 1 << 20), dim_symbol("n", 9, 1 << 20)
    shorter = rows.times(columns - 9)
    assert shorter.low < 0
    assert reach(shorter)[0] == 0
    assert reach(rows.times(columns - 10))[0] < 0


@pytest.mark.parametrize("divisor", [0, -4])
def test_a_divisor_is_positive(divisor: int) -> None:
    with pytest.raises(ValueError, match=f"modulo {divisor}, wanted a positive number"):
        _ = ROW % divisor
    with pytest.raises(ValueError, match="wanted a positive"):
        _ = ROW // divisor
