"""A failure is reported on the smallest size that has it."""

from __future__ import annotations

import pytest

from tests.property.shrinking import check_shrinking


def fails_from(least: int) -> list[int]:
    tried: list[int] = []

    def check(size: int) -> None:
        tried.append(size)
        assert size < least, f"size {size} fails"

    with pytest.raises(AssertionError, match=f"size {least} fails"):
        check_shrinking(check, 9)
    return tried


def test_the_smallest_failing_size_is_reported() -> None:
    assert fails_from(4) == [9, 1, 2, 3, 4]


def test_a_failure_of_the_whole_size_alone_is_reported_itself() -> None:
    assert fails_from(9) == [9, *range(1, 9)]


def test_nothing_happens_where_nothing_fails() -> None:
    check_shrinking(lambda size: None, 9)
