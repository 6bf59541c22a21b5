"""The random module of linalg so far, as text: nothing here computes an array, since LLVM does (on_cpu.py).

Floats are integers of at most 8 in magnitude: each step ends with a clamp, and so does each product within a body. A sum of 400 such
elements, and what five additions make of it, is exact in f32, so results are equal in any order of adding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from random import Random
from typing import NamedTuple

import numpy as np

from tests.tensors.case import Array

MOST_ELEMENTS = 400
_DTYPES = {"f32": np.float32, "i32": np.int32, "i64": np.int64, "i8": np.int8}
_ELEMENTS = ("f32", "f32", "f32", "i32", "i32", "i64", "i8")


class Value(NamedTuple):
    """A tensor of the module."""

    name: str
    dims: tuple[int, ...]
    element: str

    @property
    def type(self) -> str:
        return "tensor<" + "".join(f"{dim}x" for dim in self.dims) + self.element + ">"

    @property
    def is_float(self) -> bool:
        return self.element == "f32"

    @property
    def suffix(self) -> str:
        return "f" if self.is_float else "i"

    @property
    def of(self) -> str:
        """The value with its type, as `ins` and `outs` want it."""
        return f"%{self.name} : {self.type}"


class CpuModule(NamedTuple):
    """`@main` of `text` takes `inputs` and returns arrays of the dims and types in `results`."""

    text: str
    inputs: tuple[Array, ...]
    results: tuple[tuple[tuple[int, ...], type[np.generic]], ...]


class CpuMaker:
    """The names, lines, inputs and values of a module. `pick` chooses a value for the next step to read."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.inputs: list[tuple[Value, Array]] = []
        self.lines: list[str] = []
        self.values: list[Value] = []
        self._names = 0
        for _ in range(self.random.randint(1, 3)):
            dims = tuple(self.random.choice([1, 2, 3, 4, 5, 7, 8]) for _ in range(self.random.choice([1, 2, 2, 3, 3, 4])))
            _ = self.input(dims if prod(dims) <= MOST_ELEMENTS else dims[:2], self.random.choice(_ELEMENTS))

    def name(self, letter: str = "v") -> str:
        self._names += 1
        return f"{letter}{self._names}"

    def input(self, dims: tuple[int, ...], element: str) -> Value:
        value = Value(self.name("a"), dims, element)
        numbers = [self.random.randint(-4, 4) for _ in range(prod(dims))]
        self.inputs.append((value, np.array(numbers).reshape(dims).astype(_DTYPES[element])))
        self.values.append(value)
        return value

    def pick(self, fits: Callable[[Value], bool], otherwise: tuple[int, ...]) -> Value:
        """A value, rather one of the last four; a new input of these dims if none fits."""
        fitting = [value for value in self.values if fits(value)]
        return self.random.choice(fitting[-4:]) if fitting else self.input(otherwise, self.random.choice(_ELEMENTS))

    def of_type(self, dims: tuple[int, ...], element: str) -> Value:
        """A value of a type, or a new input."""
        fitting = [value for value in self.values if value.dims == dims and value.element == element]
        return self.random.choice(fitting) if fitting and self.random.random() < 0.7 else self.input(dims, element)

    def constant(self, element: str, number: int | None = None) -> str:
        chosen = self.random.randint(-3, 3) if number is None else number
        name = self.name("k")
        self.lines.append(f"%{name} = arith.constant {f'{chosen}.0' if element == 'f32' else chosen} : {element}")
        return name

    def empty(self, dims: Sequence[int], element: str) -> Value:
        value = Value(self.name("e"), tuple(dims), element)
        self.lines.append(f"%{value.name} = tensor.empty() : {value.type}")
        return value

    def filled(self, dims: Sequence[int], element: str, number: int | None = None) -> Value:
        constant, out = self.constant(element, number), self.empty(dims, element)
        value = Value(self.name("f"), out.dims, element)
        self.lines.append(f"%{value.name} = linalg.fill ins(%{constant} : {element}) outs({out.of}) -> {value.type}")
        return value

    def add(self, text: str, dims: Sequence[int], element: str) -> Value:
        """Append `%name = text`; the value that later steps read is clamped if it is of floats."""
        value = Value(self.name(), tuple(dims), element)
        self.lines.append(f"%{value.name} = {text}")
        if value.is_float:
            value = self._clamped(value)
        self.values.append(value)
        return value

    def _clamped(self, value: Value) -> Value:
        for op, limit in (("minimumf", 8), ("maximumf", -8)):
            splat, bounded = self.name("k"), self.name()
            self.lines.append(f"%{splat} = arith.constant dense<{limit}.0> : {value.type}")
            self.lines.append(f"%{bounded} = arith.{op} %{value.name}, %{splat} : {value.type}")
            value = value._replace(name=bounded)
        return value

    def module(self) -> CpuModule:
        """The last two values are the results; an argument is none of them."""
        inputs = [value for value, _ in self.inputs]
        results = [value for value in self.values if value not in inputs][-2:]
        types = ", ".join(value.type for value in results)
        arguments = ", ".join(f"%{value.name}: {value.type}" for value in inputs)
        names = ", ".join(f"%{value.name}" for value in results)
        lines = [f"func.func @main({arguments}) -> ({types}) {{", *self.lines, f"return {names} : {types}", "}"]
        described = tuple((value.dims, _DTYPES[value.element]) for value in results)
        return CpuModule("\n".join(lines) + "\n", tuple(array for _, array in self.inputs), described)


class Body:
    """The lines of a region for single elements: `names` are its values so far, all of an element type."""

    def __init__(self, maker: CpuMaker, element: str, names: Sequence[str]) -> None:
        self._maker, self.element, self._random = maker, element, maker.random
        self.names, self.lines = list(names), list[str]()

    def line(self, text: str) -> str:
        name = self._maker.name("b")
        self.lines.append(f"  %{name} = {text}")
        return name

    def grow(self) -> str:
        """One to four ops; the name of the last."""
        for _ in range(self._random.randint(1, 4)):
            made = self._comparison() if self._random.random() < 0.15 else self._float() if self.element == "f32" else self._integer()
            self.names.append(made)
        return self.names[-1]

    def index(self, loops: int) -> None:
        """Take the place in one of the loops as a value."""
        place = self.line(f"linalg.index {self._random.randrange(loops)} : index")
        if self.element != "f32":
            self.names.append(self.line(f"arith.index_cast %{place} : index to {self.element}"))
            return
        whole = self.line(f"arith.index_cast %{place} : index to i32")
        self.names.append(self.line(f"arith.sitofp %{whole} : i32 to f32"))

    def accumulate(self, accumulator: str, term: str) -> str:
        """Combine a term with the accumulator by an op of which the order doesn't matter."""
        ops = ("addf", "maximumf", "minimumf") if self.element == "f32" else ("addi", "maxsi", "minsi", "xori", "ori", "muli")
        return self.line(f"arith.{self._random.choice(ops)} %{accumulator}, %{term} : {self.element}")

    def text(self, result: str) -> str:
        return "\n".join([*self.lines, f"  linalg.yield %{result} : {self.element}"])

    def _constant(self, number: int) -> str:
        return self.line(f"arith.constant {f'{number}.0' if self.element == 'f32' else number} : {self.element}")

    def _two(self) -> tuple[str, str]:
        return self._random.choice(self.names), self._random.choice(self.names)

    def _comparison(self) -> str:
        left, right = self._two()
        suffix, orders = ("f", ("olt", "oge", "oeq", "une")) if self.element == "f32" else ("i", ("slt", "sge", "eq", "ult"))
        holds = self.line(f"arith.cmp{suffix} {self._random.choice(orders)}, %{left}, %{right} : {self.element}")
        return self.line(f"arith.select %{holds}, %{self._random.choice(self.names)}, %{left} : {self.element}")

    def _float(self) -> str:
        left, right = self._two()
        op = self._random.choice(["addf", "subf", "mulf", "maximumf", "minimumf", "maxnumf", "negf", "absf", "floor", "ceil", "fptosi"])
        if op == "negf":
            return self.line(f"arith.negf %{left} : f32")
        if op in ("absf", "floor", "ceil"):
            return self.line(f"math.{op} %{left} : f32")
        if op == "fptosi":
            whole = self.line(f"arith.fptosi %{left} : f32 to i32")
            return self.line(f"arith.sitofp %{whole} : i32 to f32")
        made = self.line(f"arith.{op} %{left}, %{right} : f32")
        if op != "mulf":
            return made
        below = self.line(f"arith.minimumf %{made}, %{self._constant(8)} : f32")
        return self.line(f"arith.maximumf %{below}, %{self._constant(-8)} : f32")

    def _integer(self) -> str:
        left, right = self._two()
        two = ("addi", "subi", "muli", "maxsi", "minsi", "minui", "maxui", "andi", "ori", "xori")
        op = self._random.choice([*two, "shrsi", "shli", "divsi", "remui", "floordivsi", "absi", "ctpop", "extsi", "extui"])
        if op in two:
            return self.line(f"arith.{op} %{left}, %{right} : {self.element}")
        if op in ("absi", "ctpop"):
            return self.line(f"math.{op} %{left} : {self.element}")
        if op in ("extsi", "extui") and self.element == "i8":
            wide = self.line(f"arith.{op} %{left} : i8 to i32")
            shifted = self.line(f"arith.shrui %{wide}, %{self.line('arith.constant 3 : i32')} : i32")
            return self.line(f"arith.trunci %{shifted} : i32 to i8")
        if op in ("extsi", "extui"):
            return self.line(f"arith.{op} %{self.line(f'arith.trunci %{left} : {self.element} to i8')} : i8 to {self.element}")
        numbers = {"shrsi": (0, 1, 2, 3), "shli": (0, 1, 2, 3), "remui": (3, 5, 8)}.get(op, (2, 3, 5, -3))
        return self.line(f"arith.{op} %{left}, %{self._constant(self._random.choice(numbers))} : {self.element}")
