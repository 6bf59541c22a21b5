"""Sizes that the launch knows: their arithmetic, and the three answers to a question about them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from asmgen.index.expression import constant
from asmgen.index.nodes import NotAnIndex
from asmgen.index.size import (
    Dim,
    Size,
    Truth,
    at,
    at_least,
    at_most,
    divides,
    equals,
    factor,
    floors_of,
    least,
    most,
    named_dim,
    number,
    numbers,
    size_of,
)
from isa.diagnostics import InternalError

YES, NO, UNKNOWN = Truth.YES, Truth.NO, Truth.UNKNOWN
N, M = named_dim("n", 1, 1000), named_dim("m", 3, 40)


def smaller(a: Dim, b: Dim) -> Dim:
    return size_of(constant(a).smaller(constant(b)))


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        (divides(4, 12), YES), (divides(4, 13), NO), (divides(4, N * 12), YES), (divides(4, N * 6), UNKNOWN), (divides(2, N * 4 + 1), NO),
        (divides(4, smaller(N, 8) * 4), YES),
        (at_least(5, 5), YES), (at_least(4, 5), NO), (at_least(N, 1), YES), (at_least(N, 2), UNKNOWN), (at_least(N, 1001), NO),
        (at_least(N + M, 4), YES), (at_least(N * 2, N), YES), (at_least(N - 1, N), NO), (at_least(N, smaller(N, 8)), YES),
        (at_most(N, 1000), YES), (at_most(smaller(N, 8), 8), YES), (at_most(M, 2), NO), (at_most(N, M), UNKNOWN),
        (equals(3, 3), YES), (equals(N, 0), NO), (equals(N, 7), UNKNOWN), (equals(N * 2 - N, N), YES), (equals(N, M), UNKNOWN),
    ],
)  # fmt: skip
def test_a_question_has_three_answers(answer: Truth, wanted: Truth) -> None:
    assert answer is wanted
    assert answer.is_shown == (wanted is YES)
    assert answer.is_possible == (wanted is not NO)


def test_answers_hold_at_every_size() -> None:
    """Proven predicates are true, and excluded predicates are false, for each value of the dims."""
    n, m = named_dim("n", 0, 9), named_dim("m", 1, 7)
    sizes = [n, m * 2, n + m, n - 3, n * m, -(-n // 4), n // 4 * 4, n % 4, smaller(n, 5), n - smaller(n, 5), smaller(n * 2, m * 3), n * 4 + 2]
    asked: list[Callable[[Dim, Dim], Truth]] = [at_least, at_most, equals]
    meant: list[Callable[[int, int], bool]] = [int.__ge__, int.__le__, int.__eq__]
    values = [{"n": a, "m": b} for a in range(10) for b in range(1, 8)]
    for left, right in product(sizes, [*sizes, 0, 4, 9]):
        pairs = [numbers(at((left, right), value)) for value in values]
        for ask, mean in zip(asked, meant, strict=True):
            _check(ask(left, right), [mean(a, b) for a, b in pairs])
    for size, by in product(sizes, (1, 2, 3, 4)):
        _check(divides(by, size), [at((size,), value)[0] % by == 0 for value in values])


def _check(answer: Truth, truths: list[bool]) -> None:
    assert answer is not YES or all(truths)
    assert answer is not NO or not any(truths)


def test_the_ends_of_a_range_and_what_divides_it() -> None:
    assert (least(M * 2), most(M * 2), factor(M * 2)) == (6, 80, 2)
    assert (least(7), most(7), factor(7)) == (7, 7, 7)


@pytest.mark.parametrize("use", [bool, int, float, range, lambda size: size < 3, lambda size: max(size, 3), lambda size: [1, 2][size]])  # pyright: ignore[reportUnknownLambdaType]
def test_a_size_is_no_number(use: Callable[[object], object]) -> None:
    with pytest.raises((TypeError, InternalError)):
        _ = use(N)


def test_an_answer_is_no_truth() -> None:
    with pytest.raises(InternalError, match="one of three answers"):
        _ = bool(at_least(5, 3))


def test_a_size_is_refused_where_a_number_is_wanted() -> None:
    assert numbers((3, 4)) == (3, 4)
    with pytest.raises(InternalError, match="at n: is known to the launch alone"):
        _ = number(N)


def test_a_quotient_of_two_sizes_is_a_whole_number_or_none() -> None:
    assert N * 1024 // N == 1024
    for use in (lambda: N // M, lambda: 8 // N, lambda: 8 % N, lambda: N % M):
        with pytest.raises(NotAnIndex):
            _ = use()


def test_a_size_equals_its_expression_alone() -> None:
    assert named_dim("n", 1, 1000) == N
    assert N != 1000
    assert isinstance(N, Size)
    sizes: dict[object, int] = {N: 1}
    assert sizes[N + 1 - 1] == 1


@pytest.mark.parametrize(("smallest", "of"), [(4, lambda n: n * n - 15), (3, lambda n: n * (n + 2) - 8), (0, lambda n: n * n + 1)])
def test_a_product_of_a_dim_is_positive_from_a_number_on(smallest: int, of: Callable[[Size], Size]) -> None:
    n = named_dim("n", 32768, 65535)
    assert isinstance(n, Size)
    assert list(floors_of(of(n).expression).values()) == [smallest]


def test_a_product_that_may_fall_has_no_floor() -> None:
    """(n - 5) (n - 3) is positive for n = 0 too."""
    n = named_dim("n", 32768, 65535)
    assert isinstance(n, Size)
    falling = (n - 5) * (n - 3)
    assert isinstance(falling, Size)
    assert not floors_of(falling.expression)
