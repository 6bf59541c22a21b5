"""Shapes and types that compilers of tensor programs are tested on, on the emulator."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from tests.conformance.case import Case
from tests.conformance.holding import hold
from tests.conformance.moves import CONCAT, EDGES, FUSED, GATHER, PAD, REVERSE
from tests.conformance.pointwise import BINARY, LAYOUT, UNARY
from tests.conformance.rows import COLUMNS, REDUCTIONS, SOFTMAX_AND_NORMS
from tests.device import chosen_device

TARGETS = ("gfx942", "gfx1201", "gfx90a", "gfx1100", "gfx950")
FAMILIES = (UNARY, BINARY, LAYOUT, REDUCTIONS, SOFTMAX_AND_NORMS, PAD, GATHER, REVERSE, CONCAT, FUSED, EDGES)
CASES = [case for family in FAMILIES for case in family]
CELLS = [(case, type_, target) for case in CASES for type_ in case.types for target in TARGETS]
THIN = [
    (case, case.types[number // 3 % len(case.types)], TARGETS[number // 3 % len(TARGETS)]) for number, case in enumerate(CASES) if number % 3 == 0
]


def name_of(part: object) -> str:
    return str(part)


@pytest.mark.broad
@pytest.mark.parametrize(("case", "type_", "target"), THIN, ids=name_of)
def test_a_case_on_one_type(case: Case, type_: str, target: str) -> None:
    hold(case, type_, target, is_reduced=True)


@pytest.mark.slow
@pytest.mark.parametrize(("case", "type_", "target"), CELLS, ids=name_of)
def test_a_case_on_every_type(case: Case, type_: str, target: str) -> None:
    hold(case, type_, target, is_reduced=True)


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in CASES if case.reduced and case is not COLUMNS], ids=name_of)
def test_a_large_case_at_full_size(case: Case) -> None:
    for number, type_ in enumerate(case.types):
        hold(case, type_, TARGETS[number % len(TARGETS)])


@pytest.mark.slow
@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_the_sums_of_columns_at_full_size(target: str) -> None:
    """Of whole numbers, which have exact sums; the reference would need 40 GB for it."""
    generator = np.random.default_rng(9)
    x = generator.integers(-7, 8, (8192, 50257), np.int8).astype(np.float16)
    program = asmgen.compile(COLUMNS.graph("f32"), target=target)
    (result,) = program(x, device=chosen_device())
    assert np.array_equal(np.asarray(result), x.sum(0, np.float64, keepdims=True))
