"""The places of a matrix's elements by AMD's matrix instruction calculator (matrix_layouts.json: its
formulas).

A formula gives a register, a range of bits in it, and one or several lanes, from row i, column j, inner index
k and block.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]
_FILE = Path(__file__).with_name("matrix_layouts.json")
_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b, ast.Mult: lambda a, b: a * b, ast.Mod: lambda a, b: a % b,
    ast.Div: lambda a, b: a // b,  # the formulas divide inside floor() alone
}  # fmt: skip


class Spots(NamedTuple):
    """The places of elements, by their indexes: the lane, and the lowest bit of the field from the operand's first register on."""

    lane: Array
    bit: Array


class Published(NamedTuple):
    """One instruction: rows and columns, inner length, blocks, and the formulas by their results."""

    size: int
    inner: int
    blocks: int
    places: dict[str, str]

    def spots(self, matrix: str, width: int, **index: Array) -> list[Spots]:
        """The places of elements of `width` bits of a matrix (`A[i][k]`, `D[i][j]`, ...): a place for each
        copy."""
        name = matrix if f"{matrix} GPR" in self.places else f"C or {matrix}"
        register, _, bits = self.places[f"{name} GPR"].partition(".[")
        if bits:
            low = 32 * value(register, index) + value(bits.partition(":")[0].rstrip("]"), index) - width + 1
        elif ":" in register:  # a pair of registers for one 64-bit element
            low = 32 * value(register.split(":")[-1].rstrip("]"), index)
        else:
            low = 32 * value(register, index)
        shape = np.broadcast_shapes(*(array.shape for array in index.values()))
        lanes = re.split(r",(?: and)?| and ", self.places[f"{name} Lane"])
        return [Spots(np.broadcast_to(value(lane, index), shape), np.broadcast_to(low, shape)) for lane in lanes]


class Consecutive(NamedTuple):
    """gfx950's doubled forms: the lines of a matrix side by side in groups of lanes, each with consecutive k; in the 8-bit formats that
    cbsz and blgp choose, each group has 16 k in turn, twice (measured by AMD: Composable Kernel, test/mx_mfma_op)."""

    size: int
    inner: int
    blocks: int
    is_sparse: bool
    is_chosen: bool
    result: Published

    def spots(self, matrix: str, width: int, **index: Array) -> list[Spots]:
        if matrix.startswith("D"):
            return self.result.spots(matrix, width, **index)
        each = self.inner * self.size // 64
        k, line = index["k"], index["i" if matrix != "B[k][j]" else "j"]
        step = 4 if self.is_sparse and matrix != "B[k][j]" else 1  # a sparse A has one field for each four k
        if self.is_chosen and width == 8:
            half, within = k // (self.inner // 2), k % (self.inner // 2)
            k = each * (within // 16) + 16 * half + within % 16
        shape = np.broadcast_shapes(k.shape, line.shape)
        return [Spots(np.broadcast_to(self.size * (k // each) + line, shape), np.broadcast_to(k % each // step * width, shape))]


@cache
def published() -> dict[str, dict[str, Published]]:
    """By target and instruction, with the wave size behind its name if the layout depends on it."""
    raw = json.loads(_FILE.read_text(encoding="utf-8"))
    return {
        target: {name: Published(entry["M"], entry["K"], entry["blocks"], entry["places"]) for name, entry in entries.items()}
        for target, entries in raw.items()
    }


@cache
def _parsed(text: str) -> ast.expr:
    return ast.parse(text.strip(), mode="eval").body


def value(text: str, values: dict[str, Array]) -> Any:
    """The value of a formula of + - * / % and floor()."""
    return _evaluate(_parsed(text), values)


def _evaluate(node: ast.expr, values: dict[str, Array]) -> Any:
    match node:
        case ast.Constant(value=int(number)):
            return number
        case ast.Name(id=name):
            return values[name]
        case ast.BinOp(left=left, op=op, right=right):
            return _BINARY[type(op)](_evaluate(left, values), _evaluate(right, values))
        case ast.Call(func=ast.Name(id="floor"), args=[inner]):
            return _evaluate(inner, values)
        case _:
            raise ValueError(ast.dump(node))
