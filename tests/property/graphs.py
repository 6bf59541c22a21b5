"""Random pointwise graphs: gen text and the arrays to run it on, made from a seed and the same for it everywhere.

    graph = random_graph(seed)
    program = asmgen.compile(graph.text)
    outputs = program(*graph.inputs)

A failing test prints `graph`, which shows the seed and the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from asmgen.ir.shapes import format_list

Array = NDArray[Any]
Dims = tuple[int, ...]

_SIZES = (1, 1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 31, 64, 65, 100, 127, 255, 256, 257, 511, 1000)
_MOST_ELEMENTS = 3000
_DTYPES: dict[str, Any] = {"f32": np.float32, "f16": np.float16, "i32": np.int32, "bool": np.bool_}
_NUMBERS = ("f32", "f16", "i32")
_FLOATS = ("f32", "f16")

# op: the types it takes; operands are all of one type and the result has it
_SAME_TYPE = {
    1: {
        "abs": _NUMBERS, "neg": _NUMBERS, "relu": _NUMBERS, "sqrt": _FLOATS, "rsqrt": _FLOATS, "recip": _FLOATS, "exp": _FLOATS,
        "log": _FLOATS, "tanh": _FLOATS, "erf": _FLOATS, "sigmoid": _FLOATS, "floor": _FLOATS, "ceil": _FLOATS, "not": ("bool",),
        "identity": (*_NUMBERS, "bool"), "contiguous": (*_NUMBERS, "bool"),
    },
    2: {
        "add": _NUMBERS, "sub": _NUMBERS, "mul": _NUMBERS, "div": _NUMBERS, "max": _NUMBERS, "min": _NUMBERS,
        "logical_and": ("bool",), "logical_or": ("bool",), "logical_xor": ("bool",),
    },
    3: {"clip": _NUMBERS},
}  # fmt: skip
_COMPARISONS = ("equal", "less", "greater")


class RandomGraph(Struct, frozen=True):
    """Gen text and one array per `@param`, in order."""

    seed: int
    text: str
    inputs: list[Array]

    def __str__(self) -> str:
        return f"random_graph({self.seed}):\n{self.text}"


class _Value(Struct, frozen=True):
    name: str
    type: str
    dims: Dims


class _Writer(Struct):
    random: Random
    dims: Dims  # that everything broadcasts to
    lines: list[str] = field(default_factory=list)
    values: list[_Value] = field(default_factory=list)
    inputs: list[Array] = field(default_factory=list)

    def define(self, text: str, type_: str, dims: Dims, *, written: bool) -> _Value:
        value = _Value(f"{self.random.choice('abcxyz')}{len(self.values)}", type_, dims)
        shown = f"{type_}, {format_list(dims)}"
        if written and type_ == "f32" and self.random.random() < 0.3:
            shown = format_list(dims)
        comment = self.random.choice(("", "", "", "", "  # a comment", "  // another"))
        self.lines.append(f"{value.name} = {text}{f' -> {shown}' if written else ''}{comment}")
        self.values.append(value)
        return value

    def of_type(self, types: Sequence[str]) -> _Value | None:
        """A value of one of the types, rather late than early."""
        found = [value for value in self.values if value.type in types]
        return found[-1 - min(int(self.random.expovariate(0.35)), len(found) - 1)] if found else None


def random_graph(seed: int, most_ops: int = 14) -> RandomGraph:
    """A graph of 1 to `most_ops` ops with 1 to 4 parameters and 1 to 3 outputs."""
    random = Random(seed)
    writer = _Writer(random, _random_dims(random))
    for _ in range(random.randint(1, 4)):
        _parameter(writer)
    for _ in range(random.randint(1, most_ops)):
        random.choices((_operation, _comparison, _where, _convert, _literal), (12, 2, 2, 2, 2))[0](writer)
    outputs = random.choices(writer.values[-4:], k=random.choice((1, 1, 1, 2, 3)))
    writer.lines.append(f"@return({', '.join(value.name for value in outputs)})")
    body = "\n".join(writer.lines) + "\n"
    text = f"module @graph_{seed} {{\n{body}}}\n" if random.random() < 0.3 else body
    return RandomGraph(seed, text, writer.inputs)


def _random_dims(random: Random) -> Dims:
    rank = random.choices(range(6), (1, 6, 6, 4, 2, 1))[0]
    dims: list[int] = []
    for _ in range(rank):
        most = _MOST_ELEMENTS // max(1, int(np.prod(dims)))
        dims.append(random.choice([size for size in _SIZES if size <= most]))
    if rank and random.random() < 0.04:
        dims[random.randrange(rank)] = 0
    return tuple(dims)


def _part_of(random: Random, dims: Dims) -> Dims:
    """A shape that broadcasts to `dims`, more often than not `dims` itself."""
    if random.random() < 0.6:
        return dims
    kept = dims[random.randint(0, len(dims)) :]
    return tuple(1 if random.random() < 0.3 else dim for dim in kept)


def _parameter(writer: _Writer) -> None:
    random = writer.random
    type_ = random.choices(tuple(_DTYPES), (6, 3, 3, 1))[0]
    dims = _part_of(random, writer.dims) if writer.inputs else writer.dims
    strides = _random_strides(random, dims) if dims and random.random() < 0.3 else None
    array = random_array(random, type_, dims)
    if strides is not None:
        repeated = tuple(1 if stride == 0 and dim else dim for dim, stride in zip(dims, strides, strict=True))
        array = np.broadcast_to(array[tuple(slice(0, dim) for dim in repeated)], dims)
    writer.inputs.append(array)
    layout = f", {format_list(strides)}" if strides is not None else ""
    value = writer.define(f"@param:arg{len(writer.inputs)}", type_, dims, written=False)
    writer.lines[-1] = f"{value.name} = @param:arg{len(writer.inputs)} -> {type_}, {format_list(dims)}{layout}"


def _random_strides(random: Random, dims: Dims) -> Dims:
    """Axes in any order, gaps, and strides of 0; elements that differ never share a place."""
    strides = [0] * len(dims)
    step = 1
    for axis in random.sample(range(len(dims)), len(dims)):
        if random.random() < 0.15:
            continue
        step *= random.choice((1, 1, 1, 2, 3))
        strides[axis] = step
        step *= max(dims[axis], 1)
    return tuple(strides)


def _operation(writer: _Writer) -> None:
    random = writer.random
    count = random.choices((1, 2, 3), (5, 8, 1))[0]
    name, types = random.choice(list(_SAME_TYPE[count].items()))
    first = writer.of_type(types)
    if first is None:
        return
    operands = [first]
    while len(operands) < count:
        other = writer.of_type((first.type,))
        if other is not None and (other not in operands or random.random() < 0.2):
            operands.append(other)
    random.shuffle(operands)
    _apply(writer, name, operands, first.type)


def _comparison(writer: _Writer) -> None:
    first = writer.of_type(tuple(_DTYPES))
    assert first is not None
    second = writer.of_type((first.type,))
    assert second is not None
    _apply(writer, writer.random.choice(_COMPARISONS), [second, first], "bool")


def _where(writer: _Writer) -> None:
    condition, first = writer.of_type(("bool",)), writer.of_type(tuple(_DTYPES))
    if condition is None or first is None:
        return
    second = writer.of_type((first.type,))
    assert second is not None
    _apply(writer, "where", [condition, first, second], first.type)


def _convert(writer: _Writer) -> None:
    operand = writer.of_type(tuple(_DTYPES))
    assert operand is not None
    type_ = writer.random.choice(tuple(_DTYPES))
    _apply(writer, "convert", [operand], type_, f"[target_type={type_}]")


def _apply(writer: _Writer, name: str, operands: list[_Value], type_: str, attributes: str = "") -> None:
    dims = np.broadcast_shapes(*(operand.dims for operand in operands))
    prefix = writer.random.choice(("", "", "", "gpu::gen::"))
    text = f"{prefix}{name}{attributes}({', '.join(operand.name for operand in operands)})"
    _ = writer.define(text, type_, dims, written=writer.random.random() < 0.5)


def _literal(writer: _Writer) -> None:
    random = writer.random
    type_ = random.choices(tuple(_DTYPES), (5, 3, 3, 1))[0]
    dims: Dims = ()
    if writer.dims and 0 < writer.dims[-1] <= 17 and random.random() < 0.2:
        dims = writer.dims[-1:]
    numbers = random_array(random, type_, dims).reshape(-1).tolist()
    shown = ", ".join(str(number).lower() for number in numbers)
    value = writer.define(f"@literal{{{shown}}}", type_, dims, written=False)
    writer.lines[-1] = f"{value.name} = @literal{{{shown}}} -> {type_}, {format_list(dims)}"


def random_array(random: Random, type_: str, dims: Dims) -> Array:
    """Numbers of every size; of floats, zeros of both signs, infinities, NaN and denormals among them."""
    generator = np.random.default_rng(random.getrandbits(32))
    dtype = _DTYPES[type_]
    if type_ == "bool":
        return generator.random(dims) < 0.5
    if type_ == "i32":
        small = generator.integers(-20, 21, dims)
        return np.where(generator.random(dims) < 0.8, small, generator.integers(-(2**31), 2**31, dims)).astype(dtype)
    numbers = np.asarray(generator.standard_normal(dims) * random.choice((0.1, 1.0, 1.0, 4.0, 30.0)))
    if random.random() < 0.4:
        limits = np.finfo(dtype)
        special = np.array(
            [0.0, -0.0, np.inf, -np.inf, np.nan, limits.max, -limits.max, limits.tiny, limits.smallest_subnormal, -3 * limits.smallest_subnormal,
             1.0, -1.0, 0.5, 2.0, 87.5, -88.0, 1e-3, 1e4]
        )  # fmt: skip
        numbers = np.where(generator.random(dims) < 0.3, generator.choice(special, dims), numbers)
    with np.errstate(over="ignore"):
        return numbers.astype(dtype)
