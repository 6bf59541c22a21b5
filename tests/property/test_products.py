"""Matrix products of every type, shape and layout, with ops before and after, against the float64 reference.

A cell is a type, the dims of a product, batch dims, which factors are transposed, and the ops around the product. The reference
(`asmgen.graph.reference.matrix`) imports no pass of the compiler.
"""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np
import pytest

import asmgen
from asmgen.graph.infer.products import results_of
from asmgen.graph.ops import NUMBERS
from asmgen.ir.types import ELEMENT_TYPES
from asmgen.verification import hold
from tests.device import chosen_device
from tests.rows import MACHINES

_TYPES = tuple(sorted(NUMBERS))
_OFTEN = ("f16", "bf16", "f32", "f64", "i8")  # most users multiply these
_SOURCES = {  # of conversions, by the type of the factors
    "f16": ("f32", "i8", "u8", "fp8e4m3fn", "bf16"), "bf16": ("f32", "i8", "fp8e5m2", "f16"), "f32": ("f16", "bf16", "i8", "u8", "i32"),
    "f64": ("f32", "i32", "f16"), "i8": ("i16", "u8", "i32"), "i32": ("i8", "u8", "i16"), "u32": ("u8", "i8"), "fp8e4m3fn": ("f16", "f32"),
}  # fmt: skip
_SIZES = (1, 2, 3, 5, 16, 17, 33, 64, 70, 100)
_DEPTHS = (*_SIZES, 0, 130)
_BATCHES = (((), ()), ((2,), (2,)), ((3,), ()), ((), (3,)), ((2, 1), (3,)), ((2,), (1,)), ((0,), ()))
_MOST = 60_000  # products of a cell


class Cell(NamedTuple):
    element: str
    result: str  # of the product; empty for the type of the factors
    dims: tuple[int, int, int]
    batch: tuple[tuple[int, ...], tuple[int, ...]]
    transposed: tuple[bool, bool]
    before: str
    after: str
    named: bool
    sources: tuple[str, str] = ("", "")  # the types from which the factors are converted

    def __str__(self) -> str:
        turned = "".join("tn"[not each] for each in self.transposed)
        around = [f"from-{each}" for each in self.sources if each]
        around += [each for each in (self.before, self.after, "named" if self.named else "") if each]
        return "-".join([f"{self.element}{self.result}", "x".join(map(str, self.dims)), f"{self.batch}", turned, *around]).replace(" ", "")

    def text(self) -> str:
        m, k, n = self.dims
        (first, second), (is_first, is_second) = self.batch, self.transposed
        dims = {"a": (*first, *((k, m) if is_first else (m, k))), "b": (*second, *((n, k) if is_second else (k, n)))}
        listed = {name: ",".join(map(str, each)) for name, each in dims.items()}
        if self.named and not is_first and not first:
            depth = k if is_second or second else "depth"
            listed |= {"a": f"rows,{depth}"} | ({"b": f"{depth},{n}"} if depth == "depth" else {})
        types = {name: source or self.element for name, source in zip("ab", self.sources, strict=True)}
        lines = [f"{name} = @param:{name} -> {types[name]}, {{{each}}}" for name, each in listed.items()]
        value = {"a": "a", "b": "b"}
        for name, source in zip("ab", self.sources, strict=True):
            if source:
                lines.append(f"{name}_converted = convert[target_type={self.element}]({name})")
                value[name] = f"{name}_converted"
        if self.before:
            lines.append(f"a_before = {self.before}({value['a']})")
            value["a"] = "a_before"
        for name, is_turned in zip("ab", self.transposed, strict=True):
            if is_turned:
                rank = len(dims[name])
                order = ",".join(map(str, (*range(rank - 2), rank - 1, rank - 2)))
                lines.append(f"{name}_turned = transpose[permutation={{{order}}}]({value[name]})")
                value[name] = f"{name}_turned"
        attribute = f"[target_type={self.result}]" if self.result else ""
        lines.append(f"z = dot{attribute}({value['a']}, {value['b']})")
        if self.after == "add":
            lines.insert(0, f"c = @param:c -> {self.result or self.element}, {{{n}}}")
            lines.append("y = add(z, c)")
        elif self.after:
            lines.append(f"y = {self.after}(z)")
        return "\n".join([*lines, f"@return({'y, z' if self.after == 'exp' else 'y' if self.after else 'z'})", ""])


def cells(seed: int, count: int) -> list[Cell]:
    generator = random.Random(seed)
    return [_cell(generator, number) for number in range(count)]


def _cell(generator: random.Random, number: int) -> Cell:
    element = _OFTEN[number // 2 % len(_OFTEN)] if number % 2 else _TYPES[number // 2 % len(_TYPES)]
    of = ELEMENT_TYPES[element]
    batch = generator.choice(_BATCHES) if generator.random() < 0.5 else ((), ())
    dims = generator.choice(_SIZES), generator.choice(_DEPTHS), generator.choice(_SIZES)
    while np.prod(dims) * max(1, np.prod([*batch[0], *batch[1]])) > _MOST:
        dims = generator.choice(_SIZES), generator.choice(_DEPTHS), generator.choice(_SIZES)
    result = generator.choice([each.name for each in results_of(of)])
    transposed = generator.random() < 0.4, generator.random() < 0.4
    before = generator.choice(["", "", "relu"]) if of.is_float and of.bits > 8 else ""
    after = generator.choice(["", "relu", "add", "exp"]) if of.is_float and of.bits > 8 else generator.choice(["", "add"])
    named = generator.random() < 0.1
    sources = ("", "")
    if generator.random() < 0.3:
        first, second = [generator.choice(_SOURCES.get(element, ("",))) for _ in range(2)]
        sources = (first, second) if generator.random() < 0.7 else ("", second)
    return Cell(element, "" if result == element else result, dims, batch, transposed, before, after, named, sources)


def check(cell: Cell, machine: str) -> None:
    report = hold(asmgen.compile(cell.text(), target=machine, verify_passes=True), chosen_device())
    assert not report.is_broken, "\n".join([cell.text(), *[str(check) for check in report.checks]])


_ORDINARY = [(cell, MACHINES[number % len(MACHINES)]) for number, cell in enumerate(cells(1, 50))]
_MANY = [(cell, MACHINES[number % len(MACHINES)]) for number, cell in enumerate(cells(2, 2100))]


@pytest.mark.parametrize(("cell", "machine"), _ORDINARY, ids=str)
def test_a_product_agrees_with_the_reference(cell: Cell, machine: str) -> None:
    check(cell, machine)


@pytest.mark.slow
@pytest.mark.parametrize(("cell", "machine"), _MANY, ids=str)
def test_many_products_agree_with_the_reference(cell: Cell, machine: str) -> None:
    check(cell, machine)
