"""Tables of traced functions stay arrays from the trace to the kernel."""

from __future__ import annotations

import time
import tracemalloc
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import asmgen
from asmgen.ir.constants import Constants, of_array, repeated, splat_of
from tests.device import chosen_device

SIZE = 1024


def test_few_numbers_are_a_tuple_and_many_an_array() -> None:
    assert of_array(np.array([[1, 2], [3, 4]])) == (1, 2, 3, 4)
    many = of_array(np.arange(100, dtype=np.float32).T)
    assert isinstance(many, Constants)
    assert (len(many), many[3], many[1:3], sum(many)) == (100, 3.0, (1.0, 2.0), 4950.0)
    assert repeated(many, 101)[100] == 0.0


@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.bool_, ml_dtypes.bfloat16, ml_dtypes.float8_e5m2])
def test_equality_is_that_of_type_and_bits(dtype: Any) -> None:
    zeros = np.zeros(64, dtype)
    one = zeros.copy()
    one[63] = 1
    assert Constants(zeros) == Constants(zeros) and hash(Constants(zeros)) == hash(Constants(zeros))
    assert Constants(zeros) != Constants(one) and repr(Constants(zeros)) != repr(Constants(one))
    assert splat_of(Constants(zeros)) == 0 and splat_of(Constants(one)) is None


def test_negative_zeros_differ_from_zeros() -> None:
    assert Constants(np.zeros(64)) != Constants(-np.zeros(64))


def test_a_changed_array_does_not_change_the_constants() -> None:
    array = np.zeros(64)
    constants = Constants(array)
    array[:] = 1
    assert splat_of(constants) == 0


def test_a_table_costs_less_than_five_times_its_bytes() -> None:
    table = np.random.default_rng(5).normal(size=(SIZE, SIZE)).astype(np.float32)
    inputs = [asmgen.spec("f32", (SIZE, SIZE))]
    _ = asmgen.compile(lambda x: x + table[:40], inputs=[asmgen.spec("f32", (40, SIZE))])
    tracemalloc.start()
    begin = time.process_time()
    _ = asmgen.compile(lambda x: x + table, inputs=inputs)
    seconds, (_, peak) = time.process_time() - begin, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5 * table.nbytes
    assert seconds < 2  # ten times as long with a Python number for each element


def test_a_table_arrives() -> None:
    table = np.random.default_rng(6).normal(size=(40, 50))
    program = asmgen.compile(lambda x: x * table, inputs=[asmgen.spec("f64", 50)])
    x = np.arange(50, dtype=np.float64)
    (result,) = program(x, device=chosen_device())
    assert (result == x * table).all()
