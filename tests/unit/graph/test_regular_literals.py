"""Literals of regular numbers are computed, and others stay."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.graph.builder import GraphBuilder
from asmgen.graph.ops import DOT, LITERAL
from asmgen.graph.rewritings.regular_literals import with_regular_literals
from asmgen.ir.constants import Constants
from asmgen.ir.program import Module, tensor_type
from asmgen.ir.types import ELEMENT_TYPES, tensor

NAMES = {"float32": "f32", "float16": "f16", "int64": "i64", "int32": "i32", "uint8": "u8", "bool": "bool"}
index = np.arange(20)
place = index[None, :] - index[:, None]  # the diagonal of each element
REGULAR = {
    "arange": np.arange(300),
    "down": np.arange(300, dtype=np.int32)[::-1] * 7 - 900,
    "bytes": np.arange(256, dtype=np.uint8),
    "grid": (np.arange(15)[:, None] * 40 + np.arange(20)).astype(np.float32),
    "eye": np.eye(20, dtype=np.float32),
    "wide eye": np.eye(10, 30, 4, dtype=np.float16),
    "not eye": ~np.eye(20, dtype=bool),
    "tri": np.tri(20, 15, -3, dtype=np.int64),
    "causal": np.where(place <= 0, 0, -np.inf).astype(np.float32),
    "window": (place <= 0) & (place > -8),
    "negative zero": np.where(place < 2, np.float32(-0.0), np.float32(3)),
}
ends = np.arange(2)[:, None, None, None] + np.arange(2)[:, None, None] - np.arange(2)[:, None] + np.zeros(64, np.int64)
wrong = np.arange(300)
wrong[170] = 3
hole = np.tri(20, dtype=np.float32)
hole[15, 7] = 0
zeros = np.eye(20, dtype=np.float32)
zeros[3, 9] = -0.0
IRREGULAR = {
    "few": np.arange(255),
    "a wrong number": wrong,
    "a hole": hole,
    "signs of zeros": zeros,
    "two bands": (np.abs(place) == 3).astype(np.float32),
    "fractions": np.arange(300, dtype=np.float32) / 2,
    "more than 24 bits": np.arange(1 << 24, (1 << 24) + 300).astype(np.float32),
    "more than i32": np.arange(300) + (1 << 40),
    "more than i32 between corners of i32": ends * 1_500_000_000,
    "not a number": np.full((20, 20), np.nan, np.float32),
}


def module_of(numbers: np.ndarray, is_factor: bool = False) -> Module:
    builder = GraphBuilder([])
    type_ = tensor(ELEMENT_TYPES[NAMES[numbers.dtype.name]], numbers.shape)
    value = builder.literal("k", Constants(numbers), type_)
    result = builder.apply(DOT, (value, value), {"target_type": ""}, "d") if is_factor else value
    return builder.finish("m", (result,))


def has_many(module: Module) -> bool:
    return any(each.op is LITERAL and tensor_type(each.result).elements != 1 for each in module.statements)


@pytest.mark.parametrize("numbers", REGULAR.values(), ids=REGULAR)
def test_regular_numbers_are_not_in_memory(numbers: np.ndarray):
    module = module_of(numbers)
    computed = with_regular_literals(module)
    assert not has_many(computed)
    assert computed.statements[-1].operands == module.statements[-1].operands


@pytest.mark.parametrize("numbers", IRREGULAR.values(), ids=IRREGULAR)
def test_other_numbers_stay(numbers: np.ndarray):
    assert has_many(with_regular_literals(module_of(numbers)))


def test_a_factor_of_a_product_stays():
    assert has_many(with_regular_literals(module_of(np.eye(20, dtype=np.float32), is_factor=True)))


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_the_computed_numbers_are_those_of_numpy(target: str):
    def tables(x: np.ndarray) -> list[np.ndarray]:
        return [np.where(x[0] > 0, table, table) for table in REGULAR.values()]

    inputs = [asmgen.spec(np.float32, 1)]
    program = asmgen.compile(tables, target=target, inputs=inputs, assembler="builtin")
    for got, table in zip(program(np.ones(1, np.float32), device="emulator"), REGULAR.values(), strict=True):
        assert got.dtype == table.dtype
        np.testing.assert_array_equal(got, table)
        if table.dtype.kind == "f":
            np.testing.assert_array_equal(np.signbit(got), np.signbit(table))
