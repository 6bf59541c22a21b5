"""Random graphs of pointwise ops and reductions: gen text and the arrays to run it on, the same for a seed everywhere.

Values are tame, for a NaN or an infinity in a row leaves nothing to see of it; one graph in five has a few wild numbers.
Reductions are of whole tensors and of reduced tensors, over any axes, often over the same axes twice, so that
kernels have several reductions and programs several kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from asmgen.ir.shapes import format_list
from tests.property.graphs import RandomGraph

Array = NDArray[Any]
Dims = tuple[int, ...]

_ROWS = (1, 2, 3, 5, 7, 8, 13, 17, 31, 33, 60, 64, 65, 100, 127, 129, 200, 255, 257, 300, 513, 1000, 1025, 2050)
_OUTER = (1, 1, 2, 3, 4, 5, 7, 9, 16, 17, 33, 65)
_MOST_ELEMENTS = 4500
_DTYPES: dict[str, Any] = {"f32": np.float32, "f16": np.float16, "i32": np.int32}
_NUMBERS = ("f32", "f16", "i32")
_FLOATS = ("f32", "f16")
_REDUCTIONS = ("reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod")
_UNARY = {
    "abs": _NUMBERS, "neg": _NUMBERS, "relu": _NUMBERS, "tanh": _FLOATS, "sigmoid": _FLOATS, "exp": _FLOATS, "floor": _FLOATS, "sqrt": _FLOATS,
    "rsqrt": _FLOATS, "identity": _NUMBERS,
}  # fmt: skip
_BINARY = ("add", "sub", "mul", "max", "min", "add", "sub", "mul", "div")


class _Value(Struct, frozen=True):
    name: str
    type: str
    dims: Dims
    is_reduced: bool  # a reduction is among its operands


class _Writer(Struct):
    random: Random
    dims: Dims  # of the widest values
    lines: list[str] = field(default_factory=list)
    values: list[_Value] = field(default_factory=list)
    inputs: list[Array] = field(default_factory=list)
    axes: list[Dims] = field(default_factory=list)  # that were reduced before

    def define(self, text: str, type_: str, dims: Dims, operands: Sequence[_Value], reduces: bool = False) -> _Value:
        value = _Value(f"v{len(self.values)}", type_, dims, reduces or any(operand.is_reduced for operand in operands))
        shown = f" -> {type_}, {format_list(dims)}" if not operands or self.random.random() < 0.3 else ""
        self.lines.append(f"{value.name} = {text}{shown}")
        self.values.append(value)
        return value

    def pick(self, types: Sequence[str]) -> _Value | None:
        """A value of one of the types, rather late than early."""
        found = [value for value in self.values if value.type in types]
        return found[-1 - min(int(self.random.expovariate(0.4)), len(found) - 1)] if found else None


def random_reduction_graph(seed: int) -> RandomGraph:
    """A graph of 1 to 4 parameters, 1 to 4 reductions, softmax and norms among them, and 1 to 3 outputs."""
    random = Random(seed)
    writer = _Writer(random, _random_dims(random))
    for _ in range(random.randint(1, 4)):
        _parameter(writer)
    for _ in range(random.randint(1, 4)):
        for _ in range(random.randint(0, 3)):
            random.choices((_unary, _binary, _where, _convert), (4, 6, 1, 1))[0](writer)
        random.choices((_reduction, _norm), (6, 1))[0](writer)
    for _ in range(random.randint(0, 3)):
        random.choices((_unary, _binary, _where, _convert), (3, 8, 1, 1))[0](writer)
    reduced = [value for value in writer.values if value.is_reduced] or writer.values
    outputs = [reduced[-1], *random.choices(reduced, k=random.choice((0, 0, 1, 2)))]
    writer.lines.append(f"@return({', '.join(value.name for value in outputs)})")
    return RandomGraph(seed, "\n".join(writer.lines) + "\n", writer.inputs)


def _random_dims(random: Random) -> Dims:
    """Rank 1 to 5; one dim is long."""
    rank = random.choices(range(1, 6), (4, 8, 5, 2, 1))[0]
    long = random.choice(_ROWS)
    dims = [long]
    while len(dims) < rank:
        fitting = [size for size in _OUTER if size * int(np.prod(dims)) <= _MOST_ELEMENTS]
        dims.insert(random.choices((0, len(dims)), (3, 1))[0], random.choice(fitting or [1]))
    if random.random() < 0.04:
        dims[random.randrange(rank)] = 0
    return tuple(dims)


def _parameter(writer: _Writer) -> None:
    random = writer.random
    type_ = random.choices(_NUMBERS, (6, 3, 2))[0]
    dims = writer.dims
    if writer.inputs and random.random() < 0.4:
        kept = dims[random.randint(0, len(dims)) :]
        dims = tuple(1 if random.random() < 0.4 else size for size in kept)
    strides = _random_strides(random, dims) if dims and random.random() < 0.3 else None
    array = random_values(random, type_, dims)
    if strides is not None:
        kept_dims = tuple(slice(0, 1 if stride == 0 and size else size) for size, stride in zip(dims, strides, strict=True))
        array = np.broadcast_to(array[kept_dims], dims)
    writer.inputs.append(array)
    _ = writer.define(f"@param:arg{len(writer.inputs)}", type_, dims, ())
    if strides is not None:
        writer.lines[-1] += f", {format_list(strides)}"


def _random_strides(random: Random, dims: Dims) -> Dims:
    """Axes in any order, gaps, and strides of 0."""
    strides, step = [0] * len(dims), 1
    for axis in random.sample(range(len(dims)), len(dims)):
        if random.random() < 0.1:
            continue
        step *= random.choice((1, 1, 1, 2, 3))
        strides[axis] = step
        step *= max(dims[axis], 1)
    return tuple(strides)


def random_values(random: Random, type_: str, dims: Dims) -> Array:
    """Numbers near 1 more often than not; wild numbers, a few in the tensor, now and then."""
    generator = np.random.default_rng(random.getrandbits(32))
    wild = random.random() < 0.2
    few = generator.random(dims) < 2 / max(1, int(np.prod(dims)))
    if type_ == "i32":
        numbers = generator.integers(-9, 10, dims)
        return np.where(few & wild, generator.integers(-(2**31), 2**31, dims), numbers).astype(np.int32)
    scale, centre = random.choice((0.3, 1.0, 1.0, 5.0)), random.choice((0.0, 0.0, 1.0, -20.0))
    numbers = generator.standard_normal(dims) * scale + centre
    if wild:
        limits = np.finfo(_DTYPES[type_])
        corners = np.array([np.inf, -np.inf, np.nan, limits.max, -limits.max, limits.tiny, limits.smallest_subnormal, -0.0])
        numbers = np.where(few, generator.choice(corners, dims), numbers)
    return np.asarray(numbers).astype(_DTYPES[type_])


def _unary(writer: _Writer) -> None:
    name, types = writer.random.choice(list(_UNARY.items()))
    operand = writer.pick(types)
    if operand is not None:
        _ = writer.define(f"{name}({operand.name})", operand.type, operand.dims, (operand,))


def _binary(writer: _Writer) -> None:
    first = writer.pick(_NUMBERS)
    assert first is not None, "there are parameters"
    second = writer.pick((first.type,))
    assert second is not None, "the first one is of its type"
    operands = [first, second]
    writer.random.shuffle(operands)
    _elementwise(writer, writer.random.choice(_BINARY), operands, first.type)


def _where(writer: _Writer) -> None:
    first = writer.pick(_NUMBERS)
    assert first is not None, "there are parameters"
    second, third = writer.pick((first.type,)), writer.pick((first.type,))
    assert second is not None and third is not None, "the first one is of its type"
    condition = _elementwise(writer, writer.random.choice(("less", "greater", "equal")), [first, second], "bool")
    _elementwise(writer, "where", [condition, third, first], first.type)


def _convert(writer: _Writer) -> None:
    operand = writer.pick(_NUMBERS)
    assert operand is not None, "there are parameters"
    type_ = writer.random.choice(_NUMBERS)
    _ = writer.define(f"convert[target_type={type_}]({operand.name})", type_, operand.dims, (operand,))


def _elementwise(writer: _Writer, name: str, operands: list[_Value], type_: str) -> _Value:
    dims = np.broadcast_shapes(*(operand.dims for operand in operands))
    return writer.define(f"{name}({', '.join(operand.name for operand in operands)})", type_, dims, operands)


def _reduction(writer: _Writer) -> None:
    random = writer.random
    operand = _of_rank(writer, _NUMBERS)
    if operand is None:
        return
    axes = _random_axes(writer, operand)
    result = tuple(1 if axis in axes else size for axis, size in enumerate(operand.dims))
    has_value = 0 not in operand.dims or 0 in result
    name = random.choices(_REDUCTIONS if has_value else ("reduce_sum", "reduce_mean", "reduce_prod"), (4, 3, 3, 2, 1) if has_value else (1, 1, 1))[0]
    shown = [axis - len(operand.dims) if random.random() < 0.3 else axis for axis in axes]
    text = format_list(tuple(shown)) if len(shown) > 1 else str(shown[0])
    attributes = "" if len(axes) == len(operand.dims) and random.random() < 0.5 else f"[axes={text}]"
    _ = writer.define(f"{name}{attributes}({operand.name})", operand.type, result, (operand,), reduces=True)


def _random_axes(writer: _Writer, operand: _Value) -> Dims:
    """The last axes more often than not, others, all; often those that were reduced before."""
    random, rank = writer.random, len(operand.dims)
    before = [axes for axes in writer.axes if max(axes) < rank]
    if before and random.random() < 0.5:
        return random.choice(before)
    choice = random.random()
    if choice < 0.55:
        axes = tuple(range(rank - random.randint(1, rank), rank))
    elif choice < 0.65:
        axes = tuple(range(rank))
    else:
        axes = tuple(sorted(random.sample(range(rank), random.randint(1, rank))))
    writer.axes.append(axes)
    return axes


def _of_rank(writer: _Writer, types: Sequence[str]) -> _Value | None:
    """A value with dims to reduce, rather wide than reduced."""
    found = [value for value in writer.values if value.type in types and value.dims]
    wide = [value for value in found if value.dims == writer.dims]
    if wide and writer.random.random() < 0.8:
        found = wide[-3:]
    return writer.random.choice(found) if found else None


def _norm(writer: _Writer) -> None:
    random = writer.random
    operand = _of_rank(writer, _FLOATS)
    if operand is None:
        return
    axis = random.choices((len(operand.dims) - 1, random.randrange(len(operand.dims))), (3, 1))[0]
    name = random.choice(("softmax", "layernorm", "rmsnorm"))
    attributes = f"axis={axis}"
    operands = [operand]
    if name != "softmax":
        attributes += random.choice(("", ", epsilon=0.01"))
        others = [value for value in writer.values if value.type == operand.type and _broadcasts(value.dims, operand.dims)]
        operands += random.choices(others, k=random.randint(0, 2 if name == "layernorm" else 1))
    _ = writer.define(f"{name}[{attributes}]({', '.join(value.name for value in operands)})", operand.type, operand.dims, operands, reduces=True)


def _broadcasts(dims: Dims, to: Dims) -> bool:
    return len(dims) <= len(to) and all(size in (1, want) for size, want in zip(dims[::-1], to[::-1], strict=False))
