"""Sizes that only the launch knows as numbers of a program."""

from __future__ import annotations

import pytest

from asmgen.frontends.tensors.size_numbers import number_of
from asmgen.frontends.traced import numpy_calls
from asmgen.frontends.traced.array import Tracer
from asmgen.graph.builder import GraphBuilder
from asmgen.index.size import Dim, named_dim
from asmgen.ir.types import F32

N = named_dim("n", 1, 1000)


@pytest.mark.parametrize(("size", "ops"), [(N, []), (2 * N, ["mul"]), (N + 1, ["add"]), (2 * N + 3, ["add", "mul"])])
def test_a_size_is_computed_from_its_dims(size: Dim, ops: list[str]) -> None:
    builder = GraphBuilder()
    number = number_of(size, F32, Tracer(builder, numpy_calls))
    assert number.type.dims == ()
    made = {statement.op.name for statement in builder.statements}
    assert made.issuperset(ops)
    assert ops or made.isdisjoint({"mul", "add"})
