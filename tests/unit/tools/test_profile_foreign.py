"""Profiles of random kernels that clang compiles: each has its clocks, or a refusal by a code."""

from __future__ import annotations

import pytest

from tools.profile_foreign import foreign, profile_all

pytestmark = [pytest.mark.needs_llvm("clang-22"), pytest.mark.broad]


def test_kernels_of_clang_are_profiled() -> None:
    figures = profile_all([foreign(7, number) for number in range(12)])
    assert not figures.failures, figures.failures[0]
    assert figures.profiled + sum(figures.refused.values()) == 12


@pytest.mark.needs_llvm("clang-22", "llc-22", "ld.lld-22")
def test_kernels_of_llc_are_profiled() -> None:
    figures = profile_all([foreign(7, number, by_llc=True) for number in range(8)])
    assert not figures.failures, figures.failures[0]
    assert figures.profiled + sum(figures.refused.values()) == 8


def test_a_number_names_a_kernel() -> None:
    assert foreign(7, 3) == foreign(7, 3)
    assert foreign(7, 3).text != foreign(7, 4).text
