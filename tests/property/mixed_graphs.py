"""Random graphs of narrow types and odd sizes: chains of f16, conversions of bytes, selects, concats, reductions, windows, scans.

A statement that the graph's rules refuse is left out, so that the steps choose attributes freely.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from msgspec import Struct, field

from asmgen.gentext.parser import parse
from asmgen.graph.ops import PARAM
from asmgen.ir.program import tensor_type
from asmgen.ir.shapes import format_list
from asmgen.verification.inputs import ordinary_inputs, sample_inputs
from asmgen.verification.patterns import exact_inputs
from isa.diagnostics import InputError
from tests.property.graphs import RandomGraph

Dims = tuple[int, ...]
_SIZES = (1, 2, 3, 5, 7, 8, 13, 31, 33, 64)
_LONG = (1, 127, 257, 1000, 1025, 2051, 4096, 5000, 20003, 65537)
_TYPES = ("f16", "bf16", "i8", "u8", "i16", "fp8e4m3fn", "f32", "fp8e5m2", "fp8e4m3fnuz", "u16", "bool")
_WEIGHTS = (8, 2, 3, 3, 2, 1, 4, 1, 1, 1, 1)
_FLOATS = ("f16", "bf16", "f32")
_NUMBERS = ("1.0", "0.5", "2.0", "-4.0", "4.0", "3.0", "-1.0", "0.1", "0.0")
_WHOLE = ("0", "1", "2", "3", "64", "100")
_UNARY = ("neg", "abs", "relu", "tanh", "exp", "floor", "sqrt", "sigmoid", "recip", "identity", "not")
_BINARY = ("add", "sub", "mul", "max", "min", "add", "mul", "div")
_KINDS = ("sum", "mean", "max", "min", "prod")


class _Value(Struct, frozen=True):
    name: str
    type: str
    dims: Dims


class _Writer(Struct):
    random: Random
    most_elements: int
    lines: list[str] = field(default_factory=list)
    values: list[_Value] = field(default_factory=list)

    def define(self, text: str) -> _Value | None:
        """The statement's value; none if the rules refuse it or it is large."""
        line = f"v{len(self.lines)} = {text}"
        try:
            statement = parse("\n".join([*self.lines, line, f"@return(v{len(self.lines)})"]), "graph.gen").modules[0].statements[-2]
        except InputError:
            return None
        type_ = tensor_type(statement.result)
        if type_.size > 2 * self.most_elements:
            return None
        self.lines.append(line)
        self.values.append(_Value(f"v{len(self.lines) - 1}", type_.element.name, type_.shape))
        return self.values[-1]

    def pick(self) -> _Value:
        """A value, rather late than early."""
        return self.values[-1 - min(int(self.random.expovariate(0.5)), len(self.values) - 1)]

    def fellow(self, value: _Value) -> _Value:
        """A value of the same type, or a literal of it."""
        found = [each for each in self.values if each.type == value.type]
        if self.random.random() < 0.7:
            return self.random.choice(found)
        number = self.random.choice(_NUMBERS if value.type in _FLOATS else _WHOLE)
        return self.define(f"@literal{{{number}}} -> {value.type}, {{}}") or self.random.choice(found)

    def axis(self, value: _Value) -> int:
        return self.random.randrange(-len(value.dims), len(value.dims)) if value.dims else 0

    def some(self, value: _Value) -> list[int]:
        """Axes, sorted, at least one of them."""
        rank = len(value.dims)
        return sorted(self.random.sample(range(rank), self.random.randint(1, rank))) if rank else [0]


def random_mixed_graph(
    seed: int, most_steps: int = 7, most_elements: int = 6000, long_share: float = 0.2, weights: tuple[int, ...] | None = None
) -> RandomGraph:
    """A graph of 1 to 3 parameters and 1 to `most_steps` steps, with the values that no statement reads as its results.

    `weights` are those of `STEPS`, by default none of them for products, sorts and what follows these.
    """
    random = Random(seed)
    writer = _Writer(random, most_elements)
    dims = _random_dims(random, most_elements, long_share)
    type_ = random.choices(_TYPES, _WEIGHTS)[0]
    for number in range(random.randint(1, 3)):
        own = dims if not number or random.random() < 0.6 else _part_of(random, dims)
        _ = writer.define(f"@param:arg{number} -> {type_}, {format_list(own)}")
        type_ = type_ if random.random() < 0.6 else random.choices(_TYPES, _WEIGHTS)[0]
    for _ in range(random.randint(1, most_steps)):
        random.choices(STEPS, weights or STEP_WEIGHTS)[0](writer)
    unread = [value for value in writer.values if not any(f"{value.name}{end}" in "\n".join(writer.lines) for end in (",", ")"))]
    outputs = [*unread[-3:], *random.choices(writer.values, k=random.choice((0, 0, 0, 1)))]
    text = "\n".join([*writer.lines, f"@return({', '.join(value.name for value in outputs)})", ""])
    parameters = [each for each in parse(text, "graph.gen").modules[0].statements if each.op is PARAM]
    seed_of_inputs, kind = random.getrandbits(31), random.random()
    if kind < 0.2:
        return RandomGraph(seed, text, sample_inputs(parameters, seed_of_inputs))
    if kind < 0.5:
        return RandomGraph(seed, text, ordinary_inputs(parameters, seed_of_inputs))
    return RandomGraph(seed, text, exact_inputs(parameters, seed_of_inputs, 0))


def _random_dims(random: Random, most_elements: int, long_share: float) -> Dims:
    dims: list[int] = []
    elements = 1
    for _ in range(random.choices(range(5), (1, 4, 8, 6, 3))[0]):
        size = random.choice([size for size in _SIZES if size * elements <= most_elements])
        elements *= size
        dims.insert(random.randint(0, len(dims)), size)
    if dims and random.random() < long_share:
        axis = random.randrange(len(dims))
        most = most_elements // max(1, elements // dims[axis])
        dims[axis] = random.choice([size for size in _LONG if size <= most])
    if dims and random.random() < 0.03:
        dims[random.randrange(len(dims))] = 0
    return tuple(dims)


def _part_of(random: Random, dims: Dims) -> Dims:
    """A shape that broadcasts to `dims`."""
    return tuple([1 if random.random() < 0.4 else dim for dim in dims[random.randint(0, len(dims)) :]])


def _unary(writer: _Writer) -> None:
    _ = writer.define(f"{writer.random.choice(_UNARY)}({writer.pick().name})")


def _binary(writer: _Writer) -> None:
    value = writer.pick()
    operands = [value, writer.fellow(value)]
    writer.random.shuffle(operands)
    _ = writer.define(f"{writer.random.choice(_BINARY)}({operands[0].name}, {operands[1].name})")


def _multiply_add(writer: _Writer) -> None:
    """A product, and a sum of it, often of wider operands."""
    value = writer.pick()
    product = writer.define(f"mul({value.name}, {writer.fellow(value).name})")
    if product is None:
        return
    if writer.random.random() < 0.4:
        product = writer.define(f"convert[target_type={writer.random.choice(_FLOATS)}]({product.name})") or product
    made = writer.define(f"{writer.random.choice(('add', 'sub'))}({product.name}, {writer.fellow(product).name})")
    if made is not None and writer.random.random() < 0.4:
        _ = writer.define(f"convert[target_type={writer.random.choice(_FLOATS)}]({made.name})")


def _convert(writer: _Writer) -> None:
    _ = writer.define(f"convert[target_type={writer.random.choices(_TYPES, _WEIGHTS)[0]}]({writer.pick().name})")


def _select(writer: _Writer) -> None:
    value = writer.pick()
    other = writer.fellow(value)
    condition = writer.define(f"{writer.random.choice(('less', 'greater', 'equal'))}({value.name}, {other.name})")
    if condition is not None:
        chosen = writer.pick() if writer.random.random() < 0.4 else value
        _ = writer.define(f"where({condition.name}, {chosen.name}, {writer.fellow(chosen).name})")


def _concat(writer: _Writer) -> None:
    value = writer.pick()
    axis = writer.axis(value)
    found = [each for each in writer.values if each.type == value.type and len(each.dims) == len(value.dims)]
    parts = [value, *writer.random.choices(found, k=writer.random.choice((1, 1, 2)))]
    writer.random.shuffle(parts)
    _ = writer.define(f"concat[axis={axis}]({', '.join(part.name for part in parts)})")


def _reduce(writer: _Writer) -> None:
    value = writer.pick()
    reduced = writer.define(f"reduce_{writer.random.choice(_KINDS)}[axes={format_list(writer.some(value))}]({value.name})")
    if reduced is None:
        return
    choice = writer.random.random()
    if choice < 0.3:
        _ = writer.define(f"{writer.random.choice(('sub', 'mul', 'max'))}({value.name}, {reduced.name})")
    elif choice < 0.7:
        ones = [axis for axis, dim in enumerate(reduced.dims) if dim == 1]
        squeezed = writer.define(f"squeeze[axes={format_list(ones)}]({reduced.name})") or reduced
        _ = writer.define(f"{writer.random.choice(_BINARY)}({squeezed.name}, {writer.fellow(squeezed).name})")


def _window(writer: _Writer) -> None:
    random, value = writer.random, writer.pick()
    axes = writer.some(value)[-2:]
    count = len(axes)
    given = [f"sizes={format_list([random.randint(1, 5) for _ in axes])}"]
    if random.random() < 0.6 or axes[-1] != len(value.dims) - 1:
        given.append(f"axes={format_list(axes)}")
    if random.random() < 0.7:
        given.append(f"strides={format_list([random.randint(1, 4) for _ in axes])}")
    if random.random() < 0.4:
        given.append(f"dilations={format_list([random.randint(1, 3) for _ in axes])}")
    op = random.choice(("reduce_window", "max_pool", "avg_pool", "windows"))
    if op != "windows" and random.random() < 0.6:
        given.append(f"pads={format_list([random.randint(0, 3) for _ in range(2 * count)])}")
    if op == "avg_pool" and random.random() < 0.5:
        given.append("count_pads=true")
    if op == "reduce_window":
        given.append(f"combine={random.choice(_KINDS)}")
    _ = writer.define(f"{op}[{', '.join(given)}]({value.name})")


def _scan(writer: _Writer) -> None:
    value = writer.pick()
    exclusive, reverse = (str(writer.random.random() < 0.4).lower() for _ in range(2))
    op = writer.random.choice(("cumsum", "cumsum", "cummax", "cummin", "cumprod"))
    _ = writer.define(f"{op}[axis={writer.axis(value)}, exclusive={exclusive}, reverse={reverse}]({value.name})")


def _place(writer: _Writer) -> None:
    value, last = writer.pick(), str(writer.random.random() < 0.4).lower()
    _ = writer.define(f"{writer.random.choice(('argmax', 'argmin'))}[axis={writer.axis(value)}, select_last_index={last}]({value.name})")


def _norm(writer: _Writer) -> None:
    value = writer.pick()
    _ = writer.define(f"{writer.random.choice(('softmax', 'layernorm', 'rmsnorm'))}[axis={writer.axis(value)}]({value.name})")


def _move(writer: _Writer) -> None:
    """The elements in another order, or some of them, or some more."""
    random, value = writer.random, writer.pick()
    rank = len(value.dims)
    axis = writer.axis(value) % max(rank, 1)
    order = random.sample(range(rank), rank)
    start = random.randint(0, 3)
    made = (
        f"transpose[permutation={format_list(order)}]",
        f"reshape[dims={format_list([value.dims[at] for at in order])}]",
        "reshape[dims={-1}]",
        f"reverse[axes={format_list(writer.some(value))}]",
        f"slice[axes={{{axis}}}, starts={{{start}}}, ends={{{start + random.choice((1, 2, 3, 5, 7, 31))}}}]",
        f"step[axes={{{axis}}}, steps={{{random.randint(2, 3)}}}]",
        f"pad[pads={format_list([random.choice((0, 0, 1, 2)) for _ in range(2 * rank)])}, value={random.choice(('0', '1'))}]",
        f"unsqueeze[axes={{{random.randint(0, rank)}}}]",
    )
    _ = writer.define(f"{random.choice(made)}({value.name})")


def _product(writer: _Writer) -> None:
    """A value as a matrix, by a parameter or another value of its type; often transposed, and with an op behind it."""
    random, value = writer.random, writer.pick()
    fits = [each for each in writer.values if each.type == value.type and each.dims and value.dims and each.dims[0] == value.dims[-1]]
    other = random.choice(fits) if fits and random.random() < 0.5 else None
    if other is None and value.dims:
        dims = (value.dims[-1], random.choice((1, 2, 3, 16, 17, 33)))
        if random.random() < 0.4:
            turned = writer.define(f"@param:arg{len(writer.lines)} -> {value.type}, {format_list(dims[::-1])}")
            other = writer.define(f"transpose[permutation={{1,0}}]({turned.name})") if turned else None
        else:
            other = writer.define(f"@param:arg{len(writer.lines)} -> {value.type}, {format_list(dims)}")
    if other is None:
        return
    rank = len(other.dims)
    given = "" if rank == 2 and random.random() < 0.7 else f"_general[lhs_contract={{{len(value.dims) - 1}}}, rhs_contract={{0}}]"
    made = writer.define(f"dot{given}({value.name}, {other.name})")
    if made is not None and random.random() < 0.5:
        _ = writer.define(f"{random.choice(_BINARY)}({made.name}, {writer.fellow(made).name})")


def _sort(writer: _Writer) -> None:
    """A row in order, a part of it, or its indices, by which another value may be taken."""
    random, value = writer.random, writer.pick()
    axis, is_up = writer.axis(value), str(random.random() < 0.5).lower()
    part = f"[k={random.randint(1, 5)}, axis={axis}, largest={is_up}]"
    made = (f"sort[axis={axis}, descending={is_up}]", f"top_k{part}", f"top_k_indices{part}", f"argsort[axis={axis}, descending={is_up}]")
    op = random.choice(made)
    indices = writer.define(f"{op}({value.name})")
    if indices is not None and op is made[-1] and random.random() < 0.5:
        _ = writer.define(f"take_along_axis[axis={axis}]({value.name}, {indices.name})")


def _rows(writer: _Writer) -> None:
    """Rows that indices choose, or that are added to at indices; some lie outside."""
    random, value = writer.random, writer.pick()
    if not value.dims:
        return
    count = random.choice((1, 3, value.dims[0], 17))
    numbers = ",".join(str(random.randint(-value.dims[0] - 1, value.dims[0])) for _ in range(count))
    indices = writer.define(f"@literal{{{numbers}}} -> i32, {{{count}}}")
    if indices is None:
        return
    if random.random() < 0.5:
        _ = writer.define(f"gather[axis=0]({value.name}, {indices.name})")
        return
    updates = writer.define(f"@param:arg{len(writer.lines)} -> {value.type}, {format_list((count, *value.dims[1:]))}")
    if updates is not None:
        _ = writer.define(f"scatter_add[axis=0]({value.name}, {indices.name}, {updates.name})")


def _truths(writer: _Writer) -> None:
    """Whether any or all elements are true; often of a comparison, with another reader of it."""
    random, value = writer.random, writer.pick()
    value = (writer.define(f"less({value.name}, {writer.fellow(value).name})") or value) if random.random() < 0.5 else value
    ones = [axis for axis, dim in enumerate(value.dims) if dim == 1]
    axes = ones if ones and random.random() < 0.5 else writer.some(value)
    _ = writer.define(f"reduce_{random.choice(('any', 'all'))}[axes={format_list(axes)}]({value.name})")
    if random.random() < 0.5:
        _ = writer.define(f"not({value.name})")


def _pairs(writer: _Writer) -> None:
    """All pairs of rows, often reduced."""
    random, value = writer.random, writer.pick()
    columns, rows = [writer.define(f"unsqueeze[axes={{{axis}}}]({value.name})") for axis in (0, 1)]
    if columns is None or rows is None:
        return
    pairs = writer.define(f"{random.choice(('sub', 'mul', 'max'))}({columns.name}, {rows.name})")
    if pairs is not None and random.random() < 0.7:
        _ = writer.define(f"reduce_{random.choice(_KINDS)}[axes={len(pairs.dims) - 1}]({pairs.name})")


STEPS: tuple[Callable[[_Writer], None], ...] = (
    _unary, _binary, _multiply_add, _convert, _select, _concat, _reduce, _window, _scan, _place, _norm, _move, _product,
    _sort, _rows, _truths, _pairs,
)  # fmt: skip
_ORDINARY = (3, 5, 4, 3, 3, 3, 4, 3, 2, 1, 1, 4)
STEP_WEIGHTS = (*_ORDINARY, 0, 0, 0, 0, 0)
WITH_PRODUCTS = (*_ORDINARY, 12, 0, 0, 0, 0)
WITH_SORTS = (*_ORDINARY, 1, 4, 4, 4, 4)
