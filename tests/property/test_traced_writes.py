"""Random writes and views of a traced function give what numpy gives: slices, masks, arrays of integers, augmented
assignments, and views of views."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import asmgen
from isa.diagnostics import InputError
from tests.device import chosen_device

FEW, MANY = 8, 150
STEPS = 6


def random_key(random: Random, shape: tuple[int, ...]) -> Any:
    """Slices, integers, None and `...` for an array of a shape."""
    keys: list[Any] = []
    for size in shape[: random.randint(0, len(shape))]:
        ends = random.randint(-size - 1, size + 1), random.randint(-size - 1, size + 1)
        start, stop = (random.choice([None, end]) for end in ends)
        whole = slice(start, stop, random.choice([None, 1, 2, 3, -1, -2]))
        keys.append(random.randrange(-size, size) if size and random.random() < 0.3 else whole)
    if random.random() < 0.2:
        keys.insert(random.randint(0, len(keys)), None)
    if random.random() < 0.2:
        keys.append(...)
    return tuple(keys)


def run(seed: int, x: Any, y: Any) -> list[Any]:
    """The arrays that some random steps leave; the same steps for numpy's arrays and for traced arrays."""
    random = Random(seed)
    arrays: list[Any] = [x.copy(), y.copy()]
    for _ in range(STEPS):
        array = random.choice([array for array in arrays if array.ndim])  # numpy's scalars are not written to
        match random.randrange(10):
            case 0:
                arrays.append(array[random_key(random, array.shape)])
            case 1:
                arrays.append(array.T)
            case 2:
                array[random_key(random, array.shape)] = random.randint(-3, 3)
            case 3:
                key = random_key(random, array.shape)
                array[key] = array[key] * 2 + 1
            case 4:
                array[random_key(random, array.shape)] += random.randint(1, 3)
            case 5:
                array[array > random.randint(-2, 2)] -= 3
            case 6:
                array *= 2
            case 7:
                arrays.append(arrays[0].reshape(-1, 2))
            case 8:
                if array.shape[0]:
                    places = [random.randrange(-array.shape[0], array.shape[0]) for _ in range(3)]
                    array[np.array(places)] = random.randint(4, 9)
            case _:
                if array.shape[0]:
                    arrays.append(array[np.array([0, -1])] + 1)
    return arrays


@pytest.mark.parametrize("seed", [*range(FEW), *[pytest.param(seed, marks=pytest.mark.slow) for seed in range(FEW, MANY)]])
def test_writes_are_numpys(seed: int) -> None:
    x = np.arange(20, dtype=np.int32).reshape(4, 5) - 9
    y = np.arange(12, dtype=np.int32).reshape(3, 2, 2) - 5
    expected = run(seed, x, y)
    try:
        program = asmgen.compile(lambda x, y: run(seed, x, y), inputs=[x, y])
    except InputError as error:
        assert "only the launch knows" not in str(error)
        raise
    results = program(x, y, device=chosen_device())
    assert len(results) == len(expected)
    for result, wanted in zip(results, expected, strict=True):
        assert (result.dtype, result.shape) == (wanted.dtype, wanted.shape)
        assert (result == wanted).all()
