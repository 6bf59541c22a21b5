"""Programs with special constants: every op, on every type, with every special constant in every operand place.

    program = special_program(7)      the op, type, place and constant are those of the seventh of `CELLS`
    asmgen.compile(program.text)(*program.inputs)

The constant is the whole operand, or an outer `where` chooses it for some elements; a signalling NaN is
written as the `bit_cast` of an integer. What follows the op is random: nothing, a reduction, a scan or
another op with a constant.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from asmgen.gentext.parser import parse
from asmgen.graph.ops import FLOATS, GRAPH_OPS, NUMBERS
from asmgen.ir.numbers import FLOAT_FORMATS, integer_range
from asmgen.ir.program import Statement, tensor_type
from asmgen.ir.shapes import format_list
from asmgen.ir.types import ELEMENT_TYPES
from tests.op_cases import CASES, Case, Dims
from tests.property.graphs import RandomGraph

Array = NDArray[Any]

TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")
_SIGNALLING = "signalling"
_X = (4, 70)
ALL_CASES = (
    *CASES,
    *[Case(f"reduce_{kind}", (_X,), f"[axes={{{axis}}}]") for kind in ("sum", "mean", "max", "min", "prod") for axis in (0, 1)],
    *[Case("softmax", (_X,), f"[axis={axis}]") for axis in (0, 1)],
    Case("layernorm", (_X, (70,), (70,)), "[axis=1]"),
    Case("rmsnorm", (_X, (70,)), "[axis=1]"),
)


class Cell(NamedTuple):
    """A special constant in one place of an op on one type."""

    case: Case
    type: str
    place: int
    constant: str

    def __str__(self) -> str:
        return f"{self.case.name} of {self.type} with {self.constant} as operand {self.place}"


def constants_of(type_: str) -> tuple[str, ...]:
    """The texts of a type's special numbers."""
    element = ELEMENT_TYPES[type_]
    if element.is_code:  # there are no literals of them
        return ()
    if type_ == "bool":
        return ("false", "true")
    if not element.is_float:
        least, most = integer_range(element)
        return tuple(map(str, dict.fromkeys((least, most, 0, 1, least + 1, most - 1))))
    form = FLOAT_FORMATS[type_]
    normal = 2.0**form.minimum_exponent
    denormal = normal * 2.0 ** (1 - form.precision)
    numbers = [form.largest, -form.largest, normal, denormal, -denormal, 1.0, 0.0, *([-0.0] if form.negative_zero else [])]
    signalling = (_SIGNALLING,) if form.infinities else ()
    return (*(("inf", "-inf") if form.infinities else ()), "nan", *signalling, *map(repr, numbers))


def _operand_types(case: Case, type_: str) -> tuple[str, ...]:
    return tuple([one.replace("?", type_) for one in case.types]) or (type_,) * len(case.operands)


def _cells() -> list[Cell]:
    found = [
        Cell(case, type_, place, constant)
        for case in ALL_CASES
        for type_ in case.cases
        for place, of in enumerate(_operand_types(case, type_))
        if not (case.op == "gather" and place == 1)  # indices beyond the ends have no result
        for constant in constants_of(of)
    ]
    Random(24).shuffle(found)
    return found


CELLS = _cells()


class _Writer:
    """Writes the statements of one program."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.lines: list[str] = []
        self.inputs: list[Array] = []
        self._count = 0

    def define(self, text: str) -> str:
        self._count += 1
        self.lines.append(f"v{self._count} = {text}")
        return f"v{self._count}"

    def parameter(self, type_: str, dims: Dims) -> str:
        self.inputs.append(_values(self.random, type_, dims))
        return self.define(f"@param:arg{len(self.inputs)} -> {type_}, {format_list(dims)}")

    def literal(self, type_: str, constant: str, rank: int) -> str:
        dims = format_list((1,) * max(rank, 1))
        if constant != _SIGNALLING:
            return self.define(f"@literal{{{constant}}} -> {type_}, {dims}")
        bits = ELEMENT_TYPES[type_].bits
        infinity = int(_patterns(type_, np.array([np.inf]))[0])
        number = self.define(f"@literal{{{infinity + self.random.choice((1, 2))}}} -> u{bits}, {dims}")
        return self.define(f"bit_cast[target_type={type_}]({number})")

    def constant(self, type_: str, constant: str, dims: Dims, is_broadcast: bool) -> str:
        """The constant as an operand of these dims: all of it, or for some of its elements."""
        number = self.literal(type_, constant, len(dims))
        way = self.random.choice(("whole", "chosen", "other")) if dims else "whole"
        if way == "whole":
            whole = is_broadcast and self.random.random() < 0.5
            if not dims:
                return self.define(f"squeeze[axes={{0}}]({number})")
            return number if whole else self.define(f"multibroadcast[out_lens={format_list(dims)}]({number})")
        x = self.parameter(type_, dims)
        is_less = self.define(f"{self.random.choice(('less', 'greater'))}({x}, {self.parameter(type_, dims)})")
        first, second = (number, x) if way == "chosen" else (x, number)
        return self.define(f"where({is_less}, {first}, {second})")


def special_program(number: int) -> RandomGraph:
    """The program of one cell; the same for a number everywhere."""
    cell, random = CELLS[number], Random(number)
    writer = _Writer(random)
    op = GRAPH_OPS[cell.case.op]
    operands = [
        writer.constant(type_, cell.constant, dims, op.pointwise) if place == cell.place else writer.parameter(type_, dims)
        for place, (type_, dims) in enumerate(zip(_operand_types(cell.case, cell.type), cell.case.operands, strict=True))
    ]
    if cell.case.op == "gather":
        writer.inputs[-1] = np.zeros(cell.case.operands[1], np.int32)
    result = writer.define(f"{cell.case.op}{cell.case.attributes.replace('?', cell.type)}({', '.join(operands)})")
    statement = parse("\n".join([*writer.lines, f"@return({result})"]), "special.gen").modules[0].statements[-2]
    type_ = _kept_type(cell, statement)
    if type_ is not None:
        if not tensor_type(statement.result).dims:  # some of the ops have an axis
            result = writer.define(f"unsqueeze[axes={{0}}]({result})")
        result = _followed(writer, result, type_)
    writer.lines.append(f"@return({result})")
    return RandomGraph(number, f"# {cell}\n" + "\n".join(writer.lines) + "\n", writer.inputs)


def _kept_type(cell: Cell, statement: Statement) -> str | None:
    """The type of the result of an op that keeps that of its operands; None of the others, and of a result
    without elements, which has no greatest."""
    type_ = tensor_type(statement.result)
    own = type_.element.name
    return own if own == cell.type and own in NUMBERS and 0 not in type_.dims else None


_OF_NUMBERS = (
    "reduce_max[axes={-1}]", "reduce_min", "reduce_sum[axes={-1}]", "reduce_prod[axes={0}]", "reduce_mean", "cummax[axis=-1, exclusive=true]",
    "cummin[axis=0, reverse=true]", "cumsum[axis=-1]", "neg", "abs", "relu", "sign",
)  # fmt: skip
_OF_FLOATS = ("exp", "sqrt", "recip", "tanh", "floor", "log", "softmax[axis=-1]", "nearbyint", "sigmoid", "rsqrt")
_OF_TWO = ("add", "sub", "mul", "div", "max", "min", "pow", "fmod", "sqdiff")
_LAST = ("argmax[axis=-1]", "argmin[axis=-1, select_last_index=true]", "reduce_any", "reduce_all[axes={-1}]", "convert[target_type=?]")


def _followed(writer: _Writer, value: str, type_: str) -> str:
    """Some more ops on a value, with constants of their own."""
    random = writer.random
    for _ in range(random.choice((0, 0, 1, 1, 2, 3))):
        value = _another(writer, value, type_)
    if random.random() < 0.15:
        to = random.choice(sorted(NUMBERS))
        value = writer.define(f"{random.choice(_LAST).replace('?', to)}({value})")
    return value


def _another(writer: _Writer, value: str, type_: str) -> str:
    random = writer.random
    alone = (*_OF_NUMBERS, *(_OF_FLOATS if type_ in FLOATS else ()))
    name = random.choice((*alone, *_OF_TWO, *_OF_TWO, "where", "clip", "where", "clip"))
    if name in alone:
        return writer.define(f"{name}({value})")
    number = writer.literal(type_, random.choice(constants_of(type_)), 1)
    if name == "where":
        condition = writer.define(f"{random.choice(('less', 'equal'))}({value}, {number})")
        operands = [number, value]
        random.shuffle(operands)
        return writer.define(f"where({condition}, {', '.join(operands)})")
    operands = [value, number, *([writer.literal(type_, random.choice(constants_of(type_)), 1)] if name == "clip" else [])]
    random.shuffle(operands)
    return writer.define(f"{name}({', '.join(operands)})")


def _dtype(type_: str) -> np.dtype[Any]:
    name = ELEMENT_TYPES[type_].numpy
    return np.dtype(getattr(ml_dtypes, name, name))


def _patterns(type_: str, values: Array) -> Array:
    held = values.astype(_dtype(type_))
    return held.view(f"u{held.dtype.itemsize}")


def _values(random: Random, type_: str, dims: Dims) -> Array:
    """Numbers near 1; in half of the arrays some are special."""
    generator = np.random.default_rng(random.getrandbits(32))
    if type_ == "bool":
        return generator.random(dims) < 0.5
    element = ELEMENT_TYPES[type_]
    if not element.is_float:
        least = integer_range(element)[0]
        array = generator.integers(max(least, -9), 10, dims).astype(_dtype(type_))
    else:
        array = np.asarray(generator.standard_normal(dims)).astype(_dtype(type_))
    constants = [one for one in constants_of(type_) if one != _SIGNALLING]
    if random.random() < 0.5 and constants:
        numbers = np.array([float(one) if element.is_float else int(one) for one in constants], object)
        chosen = generator.choice(numbers, dims)
        with np.errstate(all="ignore"):
            special = np.asarray(chosen).astype(np.float64 if element.is_float else _dtype(type_)).astype(_dtype(type_))
        array = np.where(generator.random(dims) < 0.1, special, array)
    return np.asarray(array)
