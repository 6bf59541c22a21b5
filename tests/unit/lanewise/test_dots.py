"""Sums of products of f16 and bf16 by dot products of pairs."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import asmgen
from asmgen.graph import ops as graph
from asmgen.ir.program import Statement, Value
from asmgen.ir.types import BF16, F16, F32, U32, LaneType, tensor
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.interpret import interpret
from asmgen.lanewise.math.dots import with_dots
from asmgen.lanewise.reduction_ops import DOT_PAIRS, LANE_REDUCE
from isa.diagnostics import InputError
from isa.targets import parse_target

TYPES: dict[str, Any] = {"f16": np.float16, "bf16": ml_dtypes.bfloat16}
SUMS = """\
x = @param:x -> {element}, {{{rows},{columns}}}
y = @param:y -> {element}, {{{rows},{columns}}}
u = convert[target_type=f32](x)
v = convert[target_type=f32](y)
p = mul(u, v)
q = mul(u, u)
a = reduce_sum[axes={{1}}](p)
b = reduce_sum[axes={{1}}](q)
c = reduce_sum[axes={{1}}](v)
@return(a, b, c)
"""
TARGETS = {"f16": ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"), "bf16": ("gfx950", "gfx1100", "gfx1201")}


def compiled(element: str, target: str, rows: int = 4096, columns: int = 1024, fast: bool = True) -> asmgen.CompiledProgram:
    return asmgen.compile(SUMS.format(element=element, rows=rows, columns=columns), target=target, fast_math=fast)


@pytest.mark.parametrize(("element", "target"), [(element, target) for element, targets in TARGETS.items() for target in targets])
def test_two_products_an_instruction_and_no_conversion(element: str, target: str) -> None:
    text = compiled(element, target).kernels[0].assembly
    lanes = 32 if target.startswith("gfx1") else 16
    assert text.count("dot2_f32_") + text.count("dot2c_f32_") + text.count("dot2acc_f32_") >= 3 * lanes // 2
    assert "\tv_cvt_f32_f16" not in text
    assert "0xffff0000" not in text


@pytest.mark.parametrize(("target", "is_taken"), [("gfx90a", False), ("gfx942", True), ("gfx950", True), ("gfx1201", True)])
def test_f16_needs_no_fast_math_since_no_sum_of_it_is_a_denormal_f32(target: str, is_taken: bool) -> None:
    """gfx90a's instruction would take the denormals of f16, which all of these are, for zeros."""
    program = compiled("f16", target, 6, 328, fast=False)
    assert ("dot2" in program.kernels[0].assembly) is is_taken
    x, y = (np.random.default_rng(seed).integers(-9, 10, (6, 328)).astype(np.float16) * np.float16(2.0**-24) for seed in (1, 2))
    results = program(x, y, device="emulator")
    for got, (a, b) in zip(results[:2], ((x, y), (x, x)), strict=True):
        np.testing.assert_array_equal(got, (a.astype(np.float64) * b.astype(np.float64)).sum(1, keepdims=True))


@pytest.mark.parametrize(("element", "target", "fast"), [("bf16", "gfx950", False), ("bf16", "gfx1100", False), ("bf16", "gfx942", True)])
def test_sums_without_fast_math_or_such_an_instruction(element: str, target: str, fast: bool) -> None:
    assert "v_dot2" not in compiled(element, target, fast=fast).kernels[0].assembly


@pytest.mark.parametrize(("element", "target"), [("f16", "gfx90a"), ("f16", "gfx942"), ("bf16", "gfx950"), ("f16", "gfx1100"), ("bf16", "gfx1201")])
@pytest.mark.parametrize("columns", [8, 100, 328, 2048])
def test_sums_of_whole_numbers_are_exact(element: str, target: str, columns: int) -> None:
    """In any order; also of rows that do not fill their lanes."""
    rng = np.random.default_rng(columns)
    x, y = (rng.integers(-9, 10, (6, columns)).astype(TYPES[element]) for _ in range(2))
    results = compiled(element, target, 6, columns)(x, y, device="emulator")
    wide, other = x.astype(np.float64), y.astype(np.float64)
    for got, wanted in zip(results, (wide * other, wide * wide, other), strict=True):
        np.testing.assert_array_equal(got, wanted.sum(1, keepdims=True))


def _dots(kinds: tuple[LaneType, ...]) -> int:
    """How many dot products a sum has, on a target with both types' products."""
    return len(_dots_of(kinds, "gfx950"))


def _dots_of(kinds: tuple[LaneType, ...], target: str) -> list[Statement]:
    """The dot products of a sum of squares of values of such types."""
    builder = LaneBuilder()
    values = [Value(f"v{number}", kind) for number, kind in enumerate(kinds)]
    for value in values:
        builder.append(Statement(graph.LITERAL, (), (value,), {"values": (1.0,) * value.type.lanes}))
    wide = [builder.convert(value, F32) for value in values]
    total = builder.mul(wide[0], wide[0])
    for each in wide[1:]:
        total = builder.add(total, builder.mul(each, each))
    builder.append(Statement(LANE_REDUCE, (total,), (Value("sum", LaneType(F32)),), {"op": "sum"}))
    module = with_dots(builder.module("m"), parse_target(target).target, is_fast=True)
    return [statement for statement in module.walk() if statement.op is DOT_PAIRS]


def test_pairs_of_a_single_type() -> None:
    assert _dots((LaneType(F16, 4), LaneType(F16, 4))) == 2
    assert _dots((LaneType(F16, 4), LaneType(BF16, 4))) == 0
    assert _dots((LaneType(F16, 3), LaneType(F16, 3))) == 0


def test_the_interpreter_adds_the_first_product_first() -> None:
    """2**24 is left by a sum with 1: the next f32 is 2 above."""
    builder = LaneBuilder()
    builder.launch((1, 1, 1), (1, 1, 1))
    buffers = [Value(name, tensor(type_, (size,))) for name, type_, size in (("a", F16, 4), ("out", F32, 2))]
    for buffer in buffers:
        builder.append(Statement(graph.PARAM, (), (buffer,), {"name": buffer.name}))
    zero, (a, out) = builder.constant(0, U32), buffers
    elements = builder.load(a, zero, 4)
    sums = builder.value(DOT_PAIRS, elements, elements, builder.constant(0.0, LaneType(F32, 2)))
    builder.store(out, zero, builder.value(DOT_PAIRS, elements, builder.constant(1.0, LaneType(F16, 4)), sums))
    memory = [np.array([4096, 1, -3, 0.5], np.float16), np.zeros(2, np.float32)]
    interpret(builder.module("m"), memory)
    assert memory[1].tolist() == [2.0**24 + 4096, 9.25 - 3 + 0.5]


def test_a_single_sum_gets_the_pairs_in_turn() -> None:
    """2**24 and 1 are 2**24, three times in turn. 2**24 and 3 are 2**24 + 4."""
    builder = LaneBuilder()
    builder.launch((1, 1, 1), (1, 1, 1))
    buffers = [Value(name, tensor(type_, (size,))) for name, type_, size in (("a", F16, 4), ("out", F32, 1))]
    for buffer in buffers:
        builder.append(Statement(graph.PARAM, (), (buffer,), {"name": buffer.name}))
    zero, (a, out) = builder.constant(0, U32), buffers
    elements = builder.load(a, zero, 4)
    builder.store(out, zero, builder.value(DOT_PAIRS, elements, elements, builder.constant(0.0, LaneType(F32))))
    memory = [np.array([4096, 1, 1, 1], np.float16), np.zeros(1, np.float32)]
    interpret(builder.module("m"), memory)
    assert memory[1].tolist() == [2.0**24]


@pytest.mark.parametrize(("target", "sums"), [("gfx90a", 1), ("gfx942", 1), ("gfx950", 1), ("gfx1100", 2), ("gfx1201", 2)])
def test_pairs_share_a_sum_if_an_instruction_may_read_that_of_the_previous_one(target: str, sums: int) -> None:
    (*others, last) = _dots_of((LaneType(F16, 4),) * 4, target)
    assert {dot.result.type for dot in others} == {LaneType(F32, sums)} == {last.result.type}
    assert {dot.result.type for dot in _dots_of((LaneType(F16, 4),) * 3, target)} == {LaneType(F32, 2)}


@pytest.mark.parametrize(
    "types",
    [
        (LaneType(F16, 3), LaneType(F16, 3), LaneType(F32)),
        (LaneType(F16, 4), LaneType(BF16, 4), LaneType(F32, 2)),
        (LaneType(F32, 4), LaneType(F32, 4), LaneType(F32, 2)),
        (LaneType(F16, 4), LaneType(F16, 4), LaneType(F32, 4)),
    ],
)
def test_other_types_are_refused(types: tuple[LaneType, ...]) -> None:
    with pytest.raises(InputError, match="GEN102"):
        _ = DOT_PAIRS.infer(DOT_PAIRS, types, {}, None)
