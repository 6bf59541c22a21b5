"""LaneBuilder: names, places, literals, regions, and the checks of the op rows."""

from __future__ import annotations

import pytest

from asmgen.graph import ops as graph
from asmgen.ir.numbers import round_to
from asmgen.ir.program import Statement, Value
from asmgen.ir.types import BOOL, F16, F32, I32, U32, LaneType
from asmgen.lanewise.builder import LaneBuilder
from isa.diagnostics import InputError, Place


def test_statements_keep_the_origins_place_and_name() -> None:
    builder = LaneBuilder(["gate"])
    origin = Statement(graph.TANH, (), (Value("gate", LaneType(F32)),), place=Place("k.gen", 7, 3))
    with builder.at(origin):
        x = builder.constant(2.0, F32)
        y = builder.hw_exp2(x)
    z = builder.hw_exp2(y)
    assert [statement.place for statement in builder.statements] == [origin.place, origin.place, None]
    assert (y.name, z.name) == ("gate_1", "hw_exp2")


def test_names_are_unique() -> None:
    builder = LaneBuilder(["add", "add_2"])
    x = builder.constant(1, U32)
    assert [builder.add(x, x).name for _ in range(3)] == ["add_1", "add_3", "add_4"]


def test_literals_are_shared_where_they_are_visible() -> None:
    builder = LaneBuilder()
    one = builder.constant(1.0, F32)
    assert builder.constant(1, F32) is one
    assert builder.constant(1, U32) is not one
    assert builder.constant(0.0, F32) is not builder.constant(-0.0, F32)
    inner: list[Value] = []

    def body() -> tuple[Value, ...]:
        inner.extend([builder.constant(1.0, F32), builder.constant(3.0, F32)])
        return ()

    _ = builder.if_(builder.constant(True, BOOL), body)
    assert inner[0] is one
    assert builder.constant(3.0, F32) is not inner[1]
    assert builder.literal_of(inner[1]) == 3.0


def test_numbers_round_to_their_type() -> None:
    assert round_to(0.1, F32) == 0.10000000149011612
    assert round_to(70000.0, F16) == float("inf")
    assert round_to(1 << 31, I32) == -(1 << 31)
    assert round_to(-1, U32) == 0xFFFFFFFF


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda b: b.fma(b.constant(1, U32), b.constant(1, U32), b.constant(1, U32)), "operand 1 is u32, wanted elements of f16 or f32"),
        (lambda b: b.shift_left(b.constant(1.0, F32), b.constant(1, U32)), "operand 1 is f32"),
        (lambda b: b.multiply_high(b.constant(1, U32), b.constant(1, I32)), "operands are u32, i32, wanted types that agree"),
        (lambda b: b.fma(*[b.constant(1.0, LaneType(F32, n)) for n in (4, 4, 2)]), "wanted types that agree"),
        (lambda b: b.extract(b.constant(1.0, LaneType(F32, 4)), 4), "index is 4, wanted 0 to 3"),
        (lambda b: b.pack(*[b.constant(1.0, LaneType(F32, 8))] * 5), "would have 40 lanes"),
        (lambda b: b.load(b.constant(1.0, F32), b.constant(0, U32)), "operand 1 is f32, wanted a buffer"),
        (
            lambda b: b.for_(b.constant(0, U32), b.constant(1, I32), b.constant(1, U32), [], lambda i, c: ()),
            "start, stop and step are u32, i32 and u32",
        ),
        (lambda b: b.if_(b.constant(1, U32), lambda: ()), "wanted elements of bool"),
    ],
)
def test_rows_refuse_types_that_do_not_fit(build: object, message: str) -> None:
    assert callable(build)
    with pytest.raises(InputError, match=message):
        _ = build(LaneBuilder())
