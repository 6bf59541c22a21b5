"""Random tensor programs as users write them: a step of a kind, with a pointwise step or two around it.

    program = random_program(17)
    asmgen.compile(program.text)

The extents are those at which choices of schedules change: tiny, odd, prime and huge, in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import prod
from random import Random

from msgspec import Struct, field

from asmgen.gentext.parser import parse
from asmgen.index.size import at, numbers
from asmgen.ir.program import tensor_type
from asmgen.ir.types import ELEMENT_TYPES
from isa.diagnostics import InputError

MOST_BYTES = 1 << 26  # of a parameter or a result
_MOST_WORK = 1 << 34  # multiplications of a product
_HUGE = (4096, 8191, 16384, 65537, 100003, 262144, 1000003)
_SOME = (64, 100, 127, 128, 255, 256, 512, 1000, 1024)
_TINY = (1, 1, 2, 2, 3, 4, 5, 7, 8, 16, 17, 31, 33)
_TYPES = ("f32", "f32", "f32", "f16", "bf16", "f64", "i32", "i64", "u8")
_FLOATS = ("f32", "f32", "f16", "bf16", "f64")
_UNARY = ("abs", "relu", "tanh", "exp", "sqrt", "sigmoid", "floor")
_OF_NUMBERS = ("abs", "relu", "sign")
_BINARY = ("add", "sub", "mul", "max", "min")
_REDUCTIONS = ("sum", "sum", "mean", "max", "min", "prod", "any")
_SORTED = 4096


class RandomProgram(Struct, frozen=True):
    """A program as gen text, with the sizes of its named dims; `kind` names its main step."""

    seed: int
    kind: str
    text: str
    dims: Mapping[str, int]


class Value(Struct, frozen=True):
    """A value of a program. `shown` are the dims as text, `shape` their numbers."""

    name: str
    type: str
    shown: tuple[str, ...]
    shape: tuple[int, ...]

    @property
    def is_float(self) -> bool:
        return ELEMENT_TYPES[self.type].is_float


class Refused(Exception):
    """A step that a value does not take."""


class Writer(Struct):
    """Writes statements, and asks the parser for the type of each."""

    random: Random
    sizes: dict[str, int]
    lines: list[str] = field(default_factory=list)

    def param(self, type_: str, shown: Sequence[object]) -> Value:
        """A new argument."""
        number = sum("@param" in line for line in self.lines)
        return self.define(f"@param:a{number} -> {type_}, {braces(shown)}")

    def define(self, text: str) -> Value:
        """A statement. Raises `Refused` if the language or the limit of bytes refuses it."""
        name = f"v{len(self.lines)}"
        line = f"{name} = {text}"
        source = "\n".join([*self.lines, line, f"@return({name})", ""])
        try:
            result = parse(source, "random.gen").modules[-1].statements[-1].operands[0]
        except InputError as error:
            raise Refused(str(error)) from error
        type_ = tensor_type(result)
        shape = numbers(at(type_.dims, self.sizes))
        if min(shape, default=1) < 1 or prod(shape) * type_.element.bytes > MOST_BYTES:
            raise Refused(f"{shape} of {type_.element.name}")
        self.lines.append(line)
        return Value(name, type_.element.name, tuple(map(str, type_.dims)), shape)

    def apply(self, op: str, *values: Value, **attributes: object) -> Value:
        shown = ", ".join([f"{name}={given}" for name, given in attributes.items()])
        return self.define(f"{op}{f'[{shown}]' if shown else ''}({', '.join(each.name for each in values)})")

    def axis(self, value: Value) -> int:
        if not value.shape:
            raise Refused("a number has no axes")
        return self.random.randrange(len(value.shape))


Step = Callable[[Writer, Value], Value]


def braces(items: Sequence[object]) -> str:
    return "{" + ",".join(map(str, items)) + "}"


def random_shape(random: Random) -> tuple[int, ...]:
    """1 to 4 extents, with at most an eighth of `MOST_BYTES` elements."""
    while True:
        rank = random.choices((1, 2, 3, 4), (2, 6, 4, 1))[0]
        huge = random.choices((0, 1, 2), (2, 6, 1))[0]
        extents = [random.choice(_HUGE) for _ in range(min(huge, rank))]
        extents += [random.choice(random.choice((_SOME, _TINY, _TINY))) for _ in range(rank - len(extents))]
        random.shuffle(extents)
        if prod(extents) <= MOST_BYTES // 8:
            return tuple(extents)


def random_program(seed: int, kind: str | None = None) -> RandomProgram:
    """The program of a seed; of any kind, or of one of `KINDS`."""
    random = Random(seed)
    while True:
        chosen = kind or random.choice(list(KINDS))
        try:
            return _program(random, seed, chosen)
        except Refused:
            continue


def _program(random: Random, seed: int, kind: str) -> RandomProgram:
    shape = random_shape(random)
    names = random.choices((0, 1, 2), (7, 2, 1))[0]
    if kind == "sort":  # a sort of a named dim takes the compares of its most elements, as documented
        names, shape = 0, tuple([min(dim, _SORTED) for dim in shape])
    shown: list[object] = list(shape)
    sizes: dict[str, int] = {}
    for name in ("n", "m")[:names]:
        axis = random.randrange(len(shape))
        if shown[axis] == shape[axis]:
            shown[axis], sizes[name] = name, shape[axis]
    writer = Writer(random, sizes)
    value = writer.param(random.choice(_TYPES), shown)
    for _ in range(random.choice((0, 0, 1))):
        value = _pointwise(writer, value)
    value = KINDS[kind](writer, value)
    for _ in range(random.choice((0, 0, 1, 1, 2))):
        value = random.choice((_pointwise, _pointwise, *KINDS.values()))(writer, value)
    text = "\n".join([*writer.lines, f"@return({value.name})", ""])
    return RandomProgram(seed, kind, text, sizes)


def _pointwise(writer: Writer, value: Value) -> Value:
    random = writer.random
    if value.type == "bool":
        return writer.apply("not", value)
    if random.random() < 0.4:
        return writer.apply(random.choice(_UNARY if value.is_float else _OF_NUMBERS), value)
    shown = [dim if random.random() < 0.6 else "1" for dim in value.shown]
    other = writer.param(value.type, shown[random.randrange(len(shown) + 1) :])
    return writer.apply(random.choice(_BINARY), value, other)


def _chain(writer: Writer, value: Value) -> Value:
    for _ in range(writer.random.randint(2, 5)):
        value = _pointwise(writer, value)
    return value


def _reduction(writer: Writer, value: Value) -> Value:
    axes = [axis for axis in range(len(value.shape)) if writer.random.random() < 0.6]
    op = writer.random.choice(_REDUCTIONS if value.type != "bool" else ("any", "all"))
    return writer.apply(f"reduce_{op}", value, axes=braces(axes or [writer.axis(value)]))


def _along(ops: Sequence[str], writer: Writer, value: Value) -> Value:
    return writer.apply(writer.random.choice(ops), value, axis=writer.axis(value))


def _convert(writer: Writer, value: Value) -> Value:
    return writer.apply("convert", value, target_type=writer.random.choice(_TYPES))


def _transpose(writer: Writer, value: Value) -> Value:
    axes = list(range(len(value.shape)))
    writer.random.shuffle(axes)
    return writer.apply("transpose", value, permutation=braces(axes))


def _gather(writer: Writer, value: Value) -> Value:
    count = writer.random.choice((1, 2, 3, 64, 1000, 65537))
    indices = writer.param(writer.random.choice(("i32", "i64")), [count])
    return writer.apply("gather", value, indices, axis=writer.axis(value))


def _take(writer: Writer, value: Value) -> Value:
    axis = writer.axis(value)
    shown = [*value.shown[:axis], str(writer.random.choice((1, 3, 64))), *value.shown[axis + 1 :]]
    return writer.apply("take_along_axis", value, writer.param("i32", shown), axis=axis)


def _scatter(writer: Writer, value: Value) -> Value:
    axis, count = writer.axis(value), writer.random.choice((1, 3, 100, 4099))
    indices = writer.param("i32", [count])
    updates = writer.param(value.type, [*value.shown[:axis], str(count), *value.shown[axis + 1 :]])
    return writer.apply("scatter_add", value, indices, updates, axis=axis)


def _concat(writer: Writer, value: Value) -> Value:
    axis = writer.axis(value)
    parts = [value]
    for _ in range(writer.random.randint(1, 3)):
        extent = writer.random.choice((value.shown[axis], "1", "3", "64"))
        shown = [*value.shown[:axis], extent, *value.shown[axis + 1 :]]
        parts.append(writer.param(value.type, shown))
    writer.random.shuffle(parts)
    return writer.apply("concat", *parts, axis=axis)


def _slice(writer: Writer, value: Value) -> Value:
    axis = writer.axis(value)
    size = value.shape[axis]
    if value.shown[axis] == str(size) and size > 1:
        start = writer.random.choice((0, 1, 2, size // 3))
        end = writer.random.choice((size, size - 1, size // 2 + 1))
        value = writer.apply("slice", value, axes=axis, starts=start, ends=max(start + 1, end))
    return writer.apply("step", value, axes=axis, steps=writer.random.choice((1, 2, 3, 5, 17)))


def _pad(writer: Writer, value: Value) -> Value:
    pads = [writer.random.choice((0, 0, 1, 3, 64)) for _ in range(2 * len(value.shape))]
    return writer.apply(
        "pad", value, pads=braces(pads), mode=writer.random.choice(("constant", "edge", "reflect"))
    )


def _roll(writer: Writer, value: Value) -> Value:
    return writer.apply("roll", value, axes=writer.axis(value), shifts=writer.random.choice((1, -1, 3, 100)))


def _reverse(writer: Writer, value: Value) -> Value:
    return writer.apply("reverse", value, axes=writer.axis(value))


def _window(writer: Writer, value: Value) -> Value:
    attributes: dict[str, object] = {
        "axes": writer.axis(value),
        "sizes": writer.random.choice((2, 3, 5, 7, 31)),
    }
    if writer.random.random() < 0.6:
        attributes["strides"] = writer.random.choice((1, 2, 3))
    if writer.random.random() < 0.3:
        return writer.apply("windows", value, **attributes)
    return writer.apply("reduce_window", value, combine=writer.random.choice(("sum", "max")), **attributes)


def _sort(writer: Writer, value: Value) -> Value:
    axis = writer.axis(value)
    op = writer.random.choice(("sort", "argsort", "top_k"))
    attributes: dict[str, object] = {"axis": axis}
    if op == "top_k":
        attributes["k"] = min(value.shape[axis], writer.random.choice((1, 2, 8, 50)))
    return writer.apply(op, value, **attributes)


def _one_hot(writer: Writer, value: Value) -> Value:
    if value.type not in ("i32", "i64"):
        value = writer.apply("convert", value, target_type="i32")
    attributes = {
        "depth": writer.random.choice((2, 3, 10, 1000)),
        "target_type": writer.random.choice(_FLOATS),
    }
    return writer.apply("one_hot", value, axis=writer.random.choice((-1, 0)), **attributes)


def _histogram(writer: Writer, value: Value) -> Value:
    return writer.apply("histogram", value, bins=writer.random.choice((2, 10, 256, 1000)))


def _product(writer: Writer, value: Value) -> Value:
    if not value.shape:
        raise Refused("a number is no matrix")
    columns = writer.random.choice((1, 2, 3, 5, 16, 64, 127, 256, 1000))
    if writer.random.random() < 0.5:
        if prod(value.shape) * columns > _MOST_WORK:
            raise Refused("too much work")
        return writer.apply("dot", value, writer.param(value.type, [value.shown[-1], columns]))
    if len(value.shape) < 2 or prod(value.shape) * columns > _MOST_WORK:
        raise Refused("too much work")
    return writer.apply("dot", writer.param(value.type, [columns, value.shown[-2]]), value)


def _reshape(writer: Writer, value: Value) -> Value:
    shape = [str(dim) for dim in value.shape]
    if shape != list(value.shown) or len(shape) < 2:
        raise Refused("nothing to join")
    axis = writer.random.randrange(len(shape) - 1)
    joined = value.shape[axis] * value.shape[axis + 1]
    value = writer.apply("reshape", value, dims=braces([*shape[:axis], joined, *shape[axis + 2 :]]))
    factor = writer.random.choice((2, 3, 4, 7, 64))
    if joined % factor:
        return value
    return writer.apply(
        "reshape", value, dims=braces([*shape[:axis], joined // factor, factor, *shape[axis + 2 :]])
    )


KINDS: dict[str, Step] = {
    "chain": _chain,
    "reduction": _reduction,
    "argmax": partial(_along, ("argmax", "argmin")),
    "scan": partial(_along, ("cumsum", "cumsum", "cummax", "cumprod")),
    "norm": partial(_along, ("softmax", "softmax", "logsoftmax", "layernorm", "rmsnorm")),
    "convert": _convert,
    "transpose": _transpose,
    "gather": _gather,
    "take": _take,
    "scatter": _scatter,
    "concat": _concat,
    "slice": _slice,
    "pad": _pad,
    "roll": _roll,
    "reverse": _reverse,
    "window": _window,
    "sort": _sort,
    "one_hot": _one_hot,
    "histogram": _histogram,
    "product": _product,
    "reshape": _reshape,
}
