"""Shapes and types that compilers of tensor programs are tested on, on the emulator."""

from __future__ import annotations

import pytest

from tests.conformance.case import Case
from tests.conformance.holding import hold
from tests.conformance.moves import CONCAT, EDGES, FUSED, GATHER, PAD, REVERSE
from tests.conformance.pointwise import BINARY, LAYOUT, UNARY
from tests.conformance.rows import REDUCTIONS, SOFTMAX_AND_NORMS

TARGETS = ("gfx942", "gfx1201", "gfx90a", "gfx1100", "gfx950")
FAMILIES = (UNARY, BINARY, LAYOUT, REDUCTIONS, SOFTMAX_AND_NORMS, PAD, GATHER, REVERSE, CONCAT, FUSED, EDGES)
CASES = [case for family in FAMILIES for case in family]
CELLS = [(case, type_, target) for case in CASES for type_ in case.types for target in TARGETS]
THIN = [
    (case, case.types[number // 3 % len(case.types)], TARGETS[number // 3 % len(TARGETS)]) for number, case in enumerate(CASES) if number % 3 == 0
]


def name_of(part: object) -> str:
    return str(part)


@pytest.mark.parametrize(("case", "type_", "target"), THIN, ids=name_of)
def test_a_case_on_one_type(case: Case, type_: str, target: str) -> None:
    hold(case, type_, target, is_reduced=True)


@pytest.mark.slow
@pytest.mark.parametrize(("case", "type_", "target"), CELLS, ids=name_of)
def test_a_case_on_every_type(case: Case, type_: str, target: str) -> None:
    hold(case, type_, target, is_reduced=True)


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in CASES if case.reduced], ids=name_of)
def test_a_large_case_at_full_size(case: Case) -> None:
    for number, type_ in enumerate(case.types):
        hold(case, type_, TARGETS[number % len(TARGETS)])
