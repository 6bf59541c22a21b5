"""A module of MLIR tensors with inputs and expected results, and helpers that write its text.

A case has a single function `@main`. Its arguments and results have the types of the arrays, so a case states each type once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

Array = np.ndarray[Any, Any]
BF16 = np.dtype(ml_dtypes.bfloat16)
_SPELT = {
    "bool": "i1", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
    "uint8": "ui8", "uint16": "ui16", "uint32": "ui32", "uint64": "ui64",
    "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64",
    "float8_e4m3fn": "f8E4M3FN", "float8_e5m2": "f8E5M2", "float8_e4m3fnuz": "f8E4M3FNUZ", "float8_e5m2fnuz": "f8E5M2FNUZ",
}  # fmt: skip


class Case(NamedTuple):
    """`text` applied to `inputs` gives `wanted`, within `ulps` of the results' types; 0 wants equal numbers.

    An ULP is counted at the result's own magnitude, or at `scale` if it is larger: for sums the sum of the absolute terms.
    """

    op: str
    about: str
    text: str
    inputs: tuple[Array, ...]
    wanted: tuple[Array, ...]
    ulps: float = 0
    scale: float = 0

    @property
    def name(self) -> str:
        return f"{self.op}: {self.about}"


class Refusal(NamedTuple):
    """`text` is refused at `place`, the line and the column of the op, with `word` in the message."""

    op: str
    about: str
    text: str
    place: tuple[int, int]
    word: str

    @property
    def name(self) -> str:
        return f"{self.op}: {self.about}"


def t(array: Array) -> str:
    """The tensor type of an array: `tensor<2x3xf32>`."""
    return type_of(array.shape, array.dtype)


def type_of(dims: tuple[int, ...], dtype: Any) -> str:
    return "tensor<" + "".join(f"{dim}x" for dim in dims) + _SPELT[np.dtype(dtype).name] + ">"


def element(dtype: Any) -> str:
    """MLIR's name of an element type."""
    return _SPELT[np.dtype(dtype).name]


def case(
    op: str, about: str, body: str, inputs: dict[str, Array], *wanted: Array, ulps: float = 0, scale: float = 0, extra: str = "", dialect: str = ""
) -> Case:
    """A case of the lines of `@main` up to its return; its values %r0, %r1, ... are the results (%r if there
    is a single result).

    `extra` are other functions of the module. `dialect` is the prefix of the op's name, `stablehlo.` by
    default.
    """
    return Case((dialect or "stablehlo.") + op, about, main(body, inputs, *wanted, extra=extra), tuple(inputs.values()), wanted, ulps, scale)


def main(body: str, inputs: dict[str, Array], *wanted: Array, extra: str = "") -> str:
    arguments = ", ".join(f"%{name}: {t(array)}" for name, array in inputs.items())
    types = ", ".join(map(t, wanted))
    names = "%r" if len(wanted) == 1 else ", ".join(f"%r{i}" for i in range(len(wanted)))
    lines = [f"func.func @main({arguments}) -> ({types}) {{"]
    lines += [f"  {line}" for line in body.strip().splitlines()]
    lines += [f"  return {names} : {types}", "}", extra.strip()]
    return "\n".join(lines).strip() + "\n"


def dense(array: Array) -> str:
    """A `dense<...>` attribute of the elements, with its type."""
    return f"dense<{_elements(array)}> : {t(array)}"


def constant(name: str, array: Array) -> str:
    return f"%{name} = stablehlo.constant {dense(array)}"


def _elements(array: Array) -> str:
    if array.ndim:
        return "[" + ", ".join(_elements(array[i]) for i in range(len(array))) + "]"
    if array.dtype == np.bool_:
        return str(bool(array)).lower()
    if np.issubdtype(array.dtype, np.integer):
        return str(int(array))
    number = float(array)
    if not np.isfinite(number):
        return f"0x{array.tobytes()[::-1].hex().upper()}"
    return repr(number) if "e" in repr(number) and "." in repr(number) else f"{number:.17e}"


def reducer(op: str, dtype: Any, dialect: str = "stablehlo") -> str:
    """A region that combines two numbers by an op."""
    scalar = type_of((), dtype)
    return (
        f"{{\n^bb0(%p: {scalar}, %q: {scalar}):\n"
        f"  %s = {dialect}.{op} %p, %q : {scalar}\n"
        f"  {dialect}.return %s : {scalar}\n}}"
    )  # fmt: skip


def array(values: object, dtype: Any = np.float32) -> Array:
    return np.array(values, np.dtype(dtype))


def numbers(seed: int, dims: tuple[int, ...], dtype: Any = np.float32, least: int = -8, most: int = 8, per: int = 1) -> Array:
    """Small numbers of any type: integers of a range, divided by `per`. Sums and products of a few of them are exact."""
    drawn = np.random.default_rng(seed).integers(least, most, dims, endpoint=True)
    return np.asarray(drawn / per if per != 1 else drawn).astype(dtype)
