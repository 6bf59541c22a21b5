"""The values of options: sizes, ages, settings and tolerances, and the texts that are none."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable

import pytest

from asmgen.cli.grammar.values import age_of, argument_size, launch_sizes, setting, size_of, tolerance
from isa.diagnostics import InputError


def test_units() -> None:
    assert [size_of(text, "", "") for text in ("7", "2K", "500M", "3G")] == [7, 2048, 500 << 20, 3 << 30]
    assert [age_of(text, "", "") for text in ("5s", "5m", "12h", "30d")] == [5, 300, 43_200, 2_592_000]


def test_pairs_and_missing_sizes() -> None:
    assert (setting("a=b=c"), argument_size("n=4,0"), launch_sizes("3,2")) == (("a", "b=c"), ("n", (4, 0)), (3, 2, 1))


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (setting, "=5"), (setting, "n"),
        (argument_size, "=5"), (argument_size, "n="), (argument_size, "n=04"), (argument_size, "n=1,"),
        (tolerance, "inf"), (tolerance, "nan"), (tolerance, "-1"), (tolerance, "x"),
        (launch_sizes, "1,2,3,4"), (launch_sizes, ""),
    ],
)  # fmt: skip
def test_other_texts_are_refused(read: Callable[[str], object], text: str) -> None:
    with pytest.raises(ArgumentTypeError, match=f"got {text!r}, wanted"):
        _ = read(text)


SIZES = ("0", "05M", "5T", "2k", "-1", "1234567890123")
AGES = ("30", "d", "1w", "1.5d")


@pytest.mark.parametrize(("read", "text"), [*[(size_of, text) for text in SIZES], *[(age_of, text) for text in AGES]])
def test_other_sizes_and_ages_are_refused(read: Callable[[str, str, str], object], text: str) -> None:
    with pytest.raises(InputError, match=f"got {text!r}, wanted"):
        _ = read(text, "--max-memory", "CLI000")
