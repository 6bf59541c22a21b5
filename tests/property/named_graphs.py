"""Random graphs with sizes that the launch knows: pointwise ops, reductions, scans, and ops that move elements along named dims.

    graph = random_named_graph(seed)
    program = asmgen.compile(graph.text)
    program(*inputs_at(graph, {"n": 65, "m": 3}))

A dim is a name, a number, or a sum of both. Ops that change a dim are followed by an op that changes it back,
more often than not, so that values meet in pointwise ops.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from msgspec import Struct, field
from numpy.typing import NDArray

from asmgen.gentext.parser import parse
from asmgen.graph.at_sizes import parameter_at
from asmgen.graph.ops import PARAM
from asmgen.ir.program import Statement, tensor_type
from asmgen.ir.shapes import format_list
from asmgen.verification.inputs import ordinary_inputs, sample_inputs
from tests.property.graphs import RandomGraph
from tests.property.reduction_graphs import random_values

_TYPES = ("f32", "f32", "f16", "i32")
_FLOATS = ("f32", "f16")
_NUMBERS = (2, 3, 4, 7, 16, 33)
_UNARY = ("neg", "abs", "relu", "tanh", "exp")
_BINARY = ("add", "sub", "mul", "max", "min")
_COLUMNS = (1, 2, 3, 5, 7, 11, 15, 31)
_FLOAT_TYPES = ("f16", "bf16", "f32", "f64", "fp8e4m3fn", "fp8e5m2", "fp8e4m3fnuz", "fp8e5m2fnuz")
_OTHER_TYPES = ("i8", "u8", "i16", "i32", "i64", "u64")
_NORMS = ("softmax", "logsoftmax", "layernorm")
_REDUCTIONS = ("reduce_sum", "reduce_max", "reduce_min", "argmax", "argmin")
Dims = tuple[str, ...]


class _Value(Struct, frozen=True):
    name: str
    type: str
    dims: Dims


class _Writer(Struct):
    random: Random
    lines: list[str] = field(default_factory=list)
    values: list[_Value] = field(default_factory=list)

    def define(self, text: str, type_: str, dims: Dims) -> _Value:
        value = _Value(f"v{len(self.values)}", type_, dims)
        self.lines.append(f"{value.name} = {text}")
        self.values.append(value)
        return value

    def param(self, type_: str, dims: Dims) -> _Value:
        number = sum("@param" in line for line in self.lines)
        return self.define(f"@param:arg{number} -> {type_}, {format_list(dims)}", type_, dims)

    def pick(self) -> _Value:
        """A value of some rank, rather late than early."""
        found = [value for value in self.values if value.dims]
        return found[-1 - min(int(self.random.expovariate(0.5)), len(found) - 1)]

    def apply(self, op: str, value: _Value, to: Dims | None = None, **attributes: object) -> _Value:
        shown = ", ".join(f"{name}={given}" for name, given in attributes.items())
        return self.define(f"{op}{f'[{shown}]' if shown else ''}({value.name})", value.type, value.dims if to is None else to)


def random_named_graph(seed: int, is_clamped: bool = False) -> RandomGraph:
    """A graph of 1 to 3 parameters and 1 to 6 steps, of which at least one has to do with a named dim; no
    inputs, since their sizes are open. If `is_clamped`, it has slices beyond the ends of a named dim.
    """
    random = Random(seed)
    steps, weights = ((*STEPS, _part), (*WEIGHTS, 4)) if is_clamped else (STEPS, WEIGHTS)
    writer = _Writer(random)
    rank = random.choices((1, 2, 3), (3, 5, 2))[0]
    names = random.sample(("n", "m"), random.choices((1, 2), (3, 1))[0]) if rank > 1 else ["n"]
    dims = [random.choice(_NUMBERS) for _ in range(rank - len(names))] if rank > len(names) else []
    whole = [*map(str, dims), *names[:rank]]
    random.shuffle(whole)
    first = writer.param(random.choice(_TYPES), tuple(whole))
    for _ in range(random.choice((0, 0, 1, 2))):
        kept = tuple("1" if random.random() < 0.3 else dim for dim in first.dims[random.randrange(rank) :])
        _ = writer.param(random.choice((first.type, "f32")), kept)
    for _ in range(random.randint(1, 6)):
        random.choices(steps, weights)[0](writer)
    if is_clamped:
        _part(writer)
    outputs = [writer.values[-1], *random.sample(writer.values, random.choice((0, 0, 1)))]
    text = "\n".join([*writer.lines, f"@return({', '.join(value.name for value in outputs)})", ""])
    return RandomGraph(seed, text, [])


def random_narrow_graph(seed: int) -> RandomGraph:
    """One reduction, norm or place over an outer axis of few columns, of any type, with pointwise ops around
    it."""
    random = Random(seed)
    columns, type_ = str(random.choice(_COLUMNS)), random.choice(_FLOAT_TYPES if random.random() < 0.7 else _OTHER_TYPES)
    dims = random.choice((("n", columns), ("n", "37", columns), ("3", "n", columns), ("4099", columns), (columns, "n")))
    axis = random.randrange(len(dims) - 1)
    op = random.choice((*_NORMS, *_REDUCTIONS) if type_ in _FLOAT_TYPES else _REDUCTIONS)
    writer = _Writer(random)
    value = writer.param(type_, dims)
    if type_ in _FLOAT_TYPES and random.random() < 0.5:
        value = writer.apply(random.choice(_UNARY), value)
    made = writer.apply(f"{op}[{'axes' if op.startswith('reduce') else 'axis'}={axis}]", value)
    if op in _NORMS and random.random() < 0.5:
        made = writer.apply(random.choice(_UNARY), made)
    return RandomGraph(seed, "\n".join([*writer.lines, f"@return({made.name})", ""]), [])


def random_joined_graph(seed: int, type_: str = "f32") -> RandomGraph:
    """Up to nine concats in each other, each of a value and a slice of it that may be clamped."""
    random = Random(seed)
    writer = _Writer(random)
    value = writer.param(type_, random.choice((("n",), ("n",), ("1000",), ("n", "5"), ("3", "n"))))
    axis = next((axis for axis, dim in enumerate(value.dims) if dim == "n"), 0)
    for _ in range(random.randint(1, 9)):
        start, end = random.choice((0, 0, 1, -9, -70)), random.choice((1, 5, 8, 17, 130, 2147483647))
        part = writer.apply("slice", value, (), axes=axis, starts=start, ends=end)
        pair = (part, value) if random.random() < 0.7 else (value, part)
        value = writer.define(f"concat[axis={axis}]({pair[0].name}, {pair[1].name})", value.type, value.dims)
    return RandomGraph(seed, "\n".join([*writer.lines, f"@return({value.name})", ""]), [])


def inputs_at(graph: RandomGraph, sizes: Mapping[str, int]) -> list[NDArray[Any]]:
    """An array for each parameter, at the values of the named dims."""
    random = Random(graph.seed)
    parameters = [each for each in parse(graph.text, "graph.gen").modules[0].statements if each.op is PARAM]
    return [_values(random, parameter_at(each, sizes)) for each in parameters]


def _values(random: Random, parameter: Statement) -> NDArray[Any]:
    type_ = tensor_type(parameter.result)
    if type_.element.name in _TYPES:
        return random_values(random, type_.element.name, type_.shape)
    draw = sample_inputs if random.random() < 0.2 else ordinary_inputs
    return draw([parameter], random.getrandbits(31))[0]


def _axis(writer: _Writer, value: _Value) -> int:
    """An axis, rather named than not."""
    named = [axis for axis, dim in enumerate(value.dims) if not dim.isdigit()]
    return writer.random.choice(named if named and writer.random.random() < 0.8 else range(len(value.dims)))


def _changed(value: _Value, axis: int, dim: str) -> Dims:
    return (*value.dims[:axis], dim, *value.dims[axis + 1 :])


def _unary(writer: _Writer) -> None:
    value = writer.pick()
    op = writer.random.choice(_UNARY)
    _ = writer.apply(op if value.type in _FLOATS or op in _UNARY[:3] else "neg", value)


def _binary(writer: _Writer) -> None:
    value = writer.pick()
    fitting = [
        one for one in writer.values
        if one.type == value.type and 0 < len(one.dims) <= len(value.dims)
        and all(dim in ("1", want) for dim, want in zip(one.dims[::-1], value.dims[::-1], strict=False))
    ]  # fmt: skip
    _ = writer.define(f"{writer.random.choice(_BINARY)}({value.name}, {writer.random.choice(fitting).name})", value.type, value.dims)


def _reverse(writer: _Writer) -> None:
    value = writer.pick()
    _ = writer.apply("reverse", value, axes=_axis(writer, value))


def _roll(writer: _Writer) -> None:
    value = writer.pick()
    axis, count = _axis(writer, value), writer.random.randint(1, 3)
    if value.dims[axis].isdigit() and int(value.dims[axis]) < count:
        return
    last = writer.apply("slice", value, (), axes=axis, starts=count, ends=2147483647)
    start = writer.apply("slice", value, (), axes=axis, starts=0, ends=count)
    _ = writer.define(f"concat[axis={axis}]({last.name}, {start.name})", value.type, value.dims)


def _shift(writer: _Writer) -> None:
    value = writer.pick()
    axis, rank = _axis(writer, value), len(value.dims)
    pads = [0] * (2 * rank)
    is_first, mode = writer.random.random() < 0.5, writer.random.choice(("constant", "edge", "reflect"))
    pads[axis + rank * is_first] = 1
    if value.dims[axis].isdigit() and int(value.dims[axis]) < 3:
        return
    kept = writer.apply("slice", value, (), axes=axis, starts=int(is_first), ends=2147483647 if is_first else -1)
    _ = writer.apply("pad", kept, value.dims, pads=format_list(tuple(pads)), mode=mode)


def _flatten(writer: _Writer) -> None:
    """All elements in one row, moved, and back."""
    value = writer.pick()
    flat = writer.apply("reshape", value, (), dims=f"{{{'*'.join(map(_factor, value.dims))}}}")
    moved = writer.apply("reverse", flat, (), axes=0) if writer.random.random() < 0.5 else writer.apply("neg", flat, ())
    _ = writer.apply("reshape", moved, value.dims, dims=format_list(value.dims))


def _factor(dim: str) -> str:
    """A dim as a factor: a quotient or a sum is in brackets."""
    return f"({dim})" if " " in dim else dim


def _scramble(writer: _Writer) -> None:
    """The same elements in other dims, and their axes in another order."""
    value = writer.pick()
    order = writer.random.sample(range(len(value.dims)), len(value.dims))
    dims = tuple([value.dims[order.index(axis)] for axis in range(len(order))])
    shaped = writer.apply("reshape", value, (), dims=format_list(dims))
    _ = writer.apply("transpose", shaped, value.dims, permutation=format_list(tuple(order)))


def _every_other(writer: _Writer) -> None:
    value = writer.pick()
    axis = _axis(writer, value)
    twice = writer.define(f"concat[axis={axis}]({value.name}, {value.name})", value.type, ())
    _ = writer.apply("step", twice, value.dims, axes=axis, steps=2)


def _step(writer: _Writer) -> None:
    value, steps = writer.pick(), writer.random.choice((2, 3))
    axis = _axis(writer, value)
    dim = value.dims[axis]
    left = str(-(-int(dim) // steps)) if dim.isdigit() else f"({dim} + {steps - 1}) floordiv {steps}"
    _ = writer.apply("step", value, _changed(value, axis, left), axes=axis, steps=steps)


def _take(writer: _Writer) -> None:
    value = writer.pick()
    axis = _axis(writer, value)
    indices = writer.define("@literal{0, -1, 2, -2} -> i32, {4}", "i32", ())
    taken = writer.define(f"gather[axis={axis}]({value.name}, {indices.name})", value.type, ())
    if writer.random.random() < 0.5:
        writer.values[-1] = _Value(taken.name, value.type, _changed(value, axis, "4"))
        return
    if value.dims[axis].isdigit() and int(value.dims[axis]) < 4:
        return
    rest = writer.apply("slice", value, (), axes=axis, starts=4, ends=2147483647)
    _ = writer.define(f"concat[axis={axis}]({taken.name}, {rest.name})", value.type, value.dims)


def _reduce(writer: _Writer) -> None:
    value = writer.pick()
    axes = {_axis(writer, value), *writer.random.choices(range(len(value.dims)), k=writer.random.choice((0, 0, 1, 2)))}
    dims = tuple(["1" if axis in axes else dim for axis, dim in enumerate(value.dims)])
    op = writer.random.choice(("reduce_sum", "reduce_mean", "reduce_max", "reduce_min"))
    reduced = writer.apply(op, value, dims, axes=format_list(tuple(sorted(axes))))
    if writer.random.random() < 0.5:
        _ = writer.define(f"sub({value.name}, {reduced.name})", value.type, value.dims)


def _place(writer: _Writer) -> None:
    value = writer.pick()
    axis = _axis(writer, value)
    is_last = str(writer.random.random() < 0.5).lower()
    op = writer.random.choice(("argmax", "argmin"))
    found = writer.define(f"{op}[axis={axis}, select_last_index={is_last}]({value.name})", "i64", ())
    _ = writer.define(f"convert[target_type=f32]({found.name})", "f32", _changed(value, axis, "1"))


def _part(writer: _Writer) -> None:
    """A slice as numpy clamps it, alone or next to its operand."""
    value = writer.pick()
    axis, ends = _axis(writer, value), (-70, -9, -4, -1, 1, 2, 5, 17, 130)
    start, end = writer.random.choice((0, *ends)), writer.random.choice((*ends, 2147483647, 2147483647))
    part = writer.apply("slice", value, (), axes=axis, starts=start, ends=end)
    dims = _dims_of_last(writer)
    if "0" in dims:
        return
    writer.values[-1] = _Value(part.name, part.type, dims)
    if writer.random.random() < 0.4:
        both = writer.define(f"concat[axis={axis}]({part.name}, {value.name})", value.type, ())
        writer.values[-1] = _Value(both.name, value.type, _dims_of_last(writer))


def _dims_of_last(writer: _Writer) -> Dims:
    text = "\n".join([*writer.lines, f"@return({writer.values[-1].name})", ""])
    return tuple(map(str, tensor_type(parse(text, "graph.gen").modules[0].statements[-2].result).dims))


def _scan(writer: _Writer) -> None:
    value = writer.pick()
    exclusive, reverse = (str(writer.random.random() < 0.4).lower() for _ in range(2))
    op = writer.random.choice(("cumsum", "cumsum", "cummax", "cummin"))
    _ = writer.apply(op, value, axis=_axis(writer, value), exclusive=exclusive, reverse=reverse)


def _softmax(writer: _Writer) -> None:
    value = writer.pick()
    if value.type in _FLOATS:
        _ = writer.apply("softmax", value, axis=_axis(writer, value))


STEPS: tuple[Callable[[_Writer], None], ...] = (
    _unary, _binary, _reverse, _roll, _shift, _flatten, _scramble, _every_other, _step, _take, _reduce, _place, _scan, _softmax,
)  # fmt: skip
WEIGHTS = (2, 5, 1, 1, 2, 1, 1, 1, 1, 2, 4, 1, 2, 1)
