"""Every op on every type that its row says, on the emulator, compared with the float64 reference."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.ops import GRAPH_OPS, PARAM
from asmgen.graph.reference import compare, evaluate
from asmgen.verification.inputs import ordinary_inputs, sample_inputs
from tests.op_cases import CASES, Case

TARGETS = ("gfx942", "gfx1201")
# tested apart, at many sizes: tests/property/test_reductions.py
REDUCING = {
    "reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod", "softmax", "layernorm", "rmsnorm",
}  # fmt: skip
CELLS = [(case, type_, target) for case, target in product(CASES, TARGETS) for type_ in case.cases]
THIN = [
    (case, case.cases[number % len(case.cases)], TARGETS[number // 2 % 2]) for number, case in enumerate(CASES) if number % 2
]  # the ordinary suite has most ops in tests/conformance too


def test_every_op_has_a_case() -> None:
    assert {case.op for case in CASES} >= GRAPH_OPS.keys() - REDUCING


def hold(case: Case, type_: str, target: str) -> None:
    text = case.text(type_)
    graph = parse(text, "case.gen")
    parameters = [statement for statement in graph.modules[0].statements if statement.op is PARAM]
    compiled = asmgen.compile(text, target=target)
    for arrays in (ordinary_inputs(parameters, 1), sample_inputs(parameters, 2)):
        outputs = compiled(*arrays, device="emulator")
        for expected, output in zip(evaluate(graph, arrays), outputs, strict=True):
            found = compare(expected, np.asarray(output))
            assert not found.is_broken, (text, target, found)


def name_of(cell: object) -> str:
    return cell.name if isinstance(cell, Case) else str(cell)


@pytest.mark.parametrize(("case", "type_", "target"), THIN, ids=name_of)
def test_an_op_on_one_of_its_types(case: Case, type_: str, target: str) -> None:
    hold(case, type_, target)


@pytest.mark.slow
@pytest.mark.parametrize(("case", "type_", "target"), CELLS, ids=name_of)
def test_an_op_on_every_type(case: Case, type_: str, target: str) -> None:
    hold(case, type_, target)
