"""Runs a case on the emulator and compares its results with the float64 reference."""

from __future__ import annotations

import numpy as np

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.ops import PARAM
from asmgen.graph.reference import compare, evaluate
from asmgen.verification.inputs import ordinary_inputs, sample_inputs
from tests.conformance.case import Case
from tests.device import chosen_device

_SMALL = 100_000  # elements of the inputs up to which inputs of every magnitude are tried too


def hold(case: Case, type_: str, target: str, is_reduced: bool = False) -> None:
    """Raise AssertionError if a result is not within its bound, or if there are more kernels than due."""
    text = case.graph(type_, is_reduced)
    graph = parse(text, "case.gen")
    parameters = [statement for statement in graph.modules[0].statements if statement.op is PARAM]
    compiled = asmgen.compile(text, target=target)
    if case.kernels:
        assert len(compiled.kernels) == case.kernels, (text, target)
    inputs = [ordinary_inputs(parameters, 1)]
    if sum(array.size for array in inputs[0]) < _SMALL:
        inputs.append(sample_inputs(parameters, 2))
    for arrays in inputs:
        given = [np.abs(array) for array in arrays] if case.is_positive else arrays
        outputs = compiled(*given, device=chosen_device())
        for expected, output in zip(evaluate(graph, given), outputs, strict=True):
            found = compare(expected, np.asarray(output))
            assert not found.is_broken, (text, target, str(found))
