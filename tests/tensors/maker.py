"""The random modules of tensors so far: their values, with the arrays that numpy computes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import numpy as np

from tests.tensors.case import Array, t

LARGEST = 2**20
MOST_ELEMENTS = 400


class Value(NamedTuple):
    """A tensor of the module: no element is larger than `bound`."""

    name: str
    array: Array
    bound: int


class Maker:
    """The module so far."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.inputs: dict[str, Array] = {}
        self.lines: list[str] = []
        self.values: list[Value] = []

    def input(self, dims: tuple[int, ...], dtype: Any = np.float32, least: int = -6, most: int = 6) -> Value:
        name = f"a{len(self.inputs)}"
        array = self.inputs[name] = self.numbers.integers(least, most, dims, endpoint=True).astype(dtype)
        value = Value(name, array, max(abs(least), most))
        self.values.append(value)
        return value

    def add(self, text: str, array: Array, bound: int) -> None:
        """Append `%name = text`, with the name in place of NAME in longer texts."""
        name = f"v{len(self.values)}"
        self.lines.append(text.replace("NAME", name) if "NAME" in text else f"%{name} = {text}")
        self.values.append(Value(name, array, bound))

    def pick(self, wanted: Callable[[Array], bool] = lambda array: array.ndim >= 0) -> Value | None:
        """A value, rather one of the last."""
        fitting = [value for value in self.values if value.array.dtype != np.bool_ and wanted(value.array)]
        return self.random.choice(fitting[-4:]) if fitting else None

    def like(self, value: Value) -> Value:
        """Another value of its type, or a new input."""
        fitting = [other for other in self.values if t(other.array) == t(value.array)]
        if len(fitting) > 1 and self.random.random() < 0.7:
            return self.random.choice(fitting)
        return self.input(value.array.shape, value.array.dtype)
