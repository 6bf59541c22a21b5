"""Running a syntax tree on a lane's (or a wave's) state: a dictionary of names to values, changed in place.

In an `Evaluator` with `exact` integers, arithmetic does not wrap, and reading or storing its result as a type
saturates: the effect of the clamp modifier on integer instructions.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from typing import Any

import mpmath

from tests.pseudocode.functions import FUNCTIONS, PATTERNS, arithmetic, compare, convert
from tests.pseudocode.syntax import (
    Assign,
    Binary,
    Break,
    Call,
    Choice,
    Concat,
    Convert,
    Declare,
    For,
    If,
    Index,
    Lambda,
    Member,
    Name,
    Node,
    Number,
    Return,
    Slice,
    Unary,
)  # fmt: skip
from tests.pseudocode.values import Value, bits, boolean, brain, float_value, nan, saturated, wrap

TWO_OVER_PI_BITS = 1201
State = dict[str, Any]
Program = Callable[[str], tuple[Node, ...]]


def _two_over_pi() -> Value:
    """The 1201 fraction bits of 2/π, then 2000 zeros."""
    with mpmath.workprec(1400):
        return Value("u", 4096, int(mpmath.floor(mpmath.ldexp(2 / mpmath.pi, TWO_OVER_PI_BITS))) << 2000)


CONSTANTS: State = {
    "PI": Value("t", 64, Fraction(1)),
    "INF": float_value(64, float("inf")),
    **{f"BYTE{i}": Value("u", 3, i) for i in range(4)},
    "WORD1": Value("u", 3, 5),
    "ROUND_NEAREST_EVEN": Value("u", 2, 0),
    "ROUND_TOWARD_ZERO": Value("u", 2, 3),
    "DENORM": Value("d", 64, 0),
    "NAN": nan(64),
    "MAX_FLOAT_F32": Value("f", 32, 0x7F7FFFFF),
    "UNDERFLOW_F32": float_value(32, 0.0),
    "UNDERFLOW_F64": float_value(64, 0.0),
    "OVERFLOW_F32": float_value(32, float("inf")),
    "OVERFLOW_F64": float_value(64, float("inf")),
    "TWO_OVER_PI": _two_over_pi(),
    "CVT_OFF_TABLE": [float_value(32, (i if i < 8 else i - 16) / 16) for i in range(16)],
}
_MEMBERS: dict[str, tuple[str, int]] = {
    **{f"{kind}{width}": (kind, width) for kind in "uib" for width in (1, 2, 3, 4, 8, 16, 24, 32, 64)},
    **{f"f{width}": ("f", width) for width in (16, 32, 64)},
    **{f"{kind}{width}": (kind, width) for kind in "ub" for width in (5, 6, 7, 128, 192, 512, 1024)},
    "fp8": ("b", 8), "bf8": ("b", 8), "fp6": ("b", 6), "bf6": ("b", 6), "fp4": ("b", 4), "bf16": ("e", 16),
}  # fmt: skip


class _Broken(Exception):
    pass


class _Returned(Exception):
    def __init__(self, value: Value) -> None:
        super().__init__()
        self.value = value


def _content(cell: Any, key: Any) -> Any:
    """The contents of a state or an array; None for a name without a value."""
    return cell.get(key) if hasattr(cell, "get") else cell[key]


def _result_type(body: tuple[Node, ...]) -> tuple[str, int]:
    """The type that an instruction assigns to D0; KeyError if it does not."""
    for node in body:
        if isinstance(node, Assign) and node.targets and isinstance(node.targets[0], Member) and node.targets[0].base == Name("D0"):
            return _MEMBERS[node.targets[0].name]
        if isinstance(node, If):
            with suppress(KeyError):
                return _result_type(node.branches[0][1])
    raise KeyError("D0")


class Evaluator:
    """`program` gives the statements of another instruction by its name, for those that call another."""

    def __init__(self, program: Program, exact: bool = False) -> None:
        self.program = program
        self.exact = exact
        self.expressions: dict[type[Node], Callable[[Any, State], Any]] = {
            Number: lambda node, state: node.value,
            Name: self.name,
            Member: self.member,
            Index: self.index,
            Slice: self.slice,
            Unary: self.unary,
            Binary: self.binary,
            Choice: lambda node, state: self.value(node.chosen if self.value(node.condition, state).value else node.other, state),
            Call: self.call,
            Convert: self.conversion,
            Concat: self.concat,
            Lambda: lambda node, state: node,
        }
        self.statements: dict[type[Node], Callable[[Any, State], None]] = {
            Assign: self.assign,
            If: self.conditional,
            For: self.loop,
            Break: self.broken,
            Return: self.returned,
            Declare: self.declare,
        }

    def run(self, body: tuple[Node, ...], state: State) -> None:
        for node in body:
            self.statements[type(node)](node, state)

    def value(self, node: Node, state: State) -> Any:
        return self.expressions[type(node)](node, state)

    # expressions

    def name(self, node: Name, state: State) -> Any:
        if node.name in state:
            return state[node.name]
        return CONSTANTS[node.name]

    def member(self, node: Member, state: State) -> Any:
        base = self.value(node.base, state)
        if not isinstance(base, Value):  # a machine register's fields
            return base[node.name]
        kind, width = _MEMBERS[node.name]
        if base.kind == "d":
            return base
        if kind == "e":
            return base if base.kind == "e" else Value("e", 16, bits(base) & 0xFFFF)
        if base.kind == "f" and kind == "f" and base.width != width:
            return convert(base, "f", width)
        if kind == "f":
            return Value("f", width, bits(base) & ((1 << width) - 1))
        if self.exact and not base.width:
            return saturated(kind, width, base.value)
        return wrap(kind, width, base.value)

    def index(self, node: Index, state: State) -> Any:
        base = self.value(node.base, state)
        position = self.value(node.index, state).value
        if not isinstance(base, Value):  # an array
            return base[position]
        return Value("u", 1, base.value >> position & 1)

    def slice(self, node: Slice, state: State) -> Value:
        base = self.value(node.base, state)
        low = self.value(node.low, state).value
        if node.width is not None:
            high = low + self.value(node.width, state).value - 1
        else:
            assert node.high is not None
            high = self.value(node.high, state).value
        if high < low:  # bits in reverse order
            width = low - high + 1
            picked = base.value >> high & ((1 << width) - 1)
            return Value("u", width, int(f"{picked:0{width}b}"[::-1], 2))
        width = high - low + 1
        return Value("b" if base.kind == "b" else "u", width, base.value >> low & ((1 << width) - 1))

    def unary(self, node: Unary, state: State) -> Value:
        operand = self.value(node.operand, state)
        if node.operator == "!":
            return boolean(not operand.value)
        if node.operator == "+":
            return operand
        if node.operator == "-" and operand.kind == "f":
            return Value("f", operand.width, operand.value ^ 1 << (operand.width - 1))
        result = ~operand.value if node.operator == "~" else -operand.value
        if self.exact and not operand.width:
            return Value("i", 0, result)
        return wrap("i" if node.operator == "-" else operand.kind, max(operand.width, 32) if operand.width > 1 else 1, result)

    def binary(self, node: Binary, state: State) -> Value:
        left = self.value(node.left, state)
        operator = node.operator
        if operator == "&&" and not left.value:
            return left
        if operator == "||" and left.value:
            return left
        right = self.value(node.right, state)
        if operator in ("&&", "||"):
            return boolean(bool(right.value))
        if operator == "==" and isinstance(node.right, Unary) and isinstance(node.right.operand, Number):
            return boolean(left.value == right.value)  # `x == -0.0`, next to `x == +0.0`: of that sign
        if operator in ("==", "!=", "<>", "<", ">", "<=", ">="):
            return boolean(compare(operator, left, right))
        return arithmetic(operator, left, right, self.exact)

    def conversion(self, node: Convert, state: State) -> Value:
        value = self.value(node.operand, state)
        if node.kind == "f" and isinstance(node.operand, Number) and node.operand.spelt_in_hex:
            return Value("f", node.width, value.value)
        if self.exact and node.kind != "f" and not value.width:
            return value
        return convert(value, node.kind, node.width)

    def concat(self, node: Concat, state: State) -> Value:
        result = width = 0
        for part in node.parts:
            value = self.value(part, state)
            result = result << value.width | bits(value)
            width += value.width
        return Value("b", width, result)

    def call(self, node: Call, state: State) -> Value:
        arguments = [self.value(argument, state) for argument in node.arguments]
        function = state.get(node.name)
        if isinstance(function, Lambda):
            inner = state | dict(zip(function.parameters, arguments, strict=True))
            try:
                self.run(function.body, inner)
            except _Returned as returned:
                return returned.value
            raise ValueError(f"{node.name} returns nothing")
        if node.name in FUNCTIONS:
            return FUNCTIONS[node.name](*arguments)
        for pattern, make in PATTERNS:
            match = pattern.fullmatch(node.name)
            if match:
                return make(match, arguments, state)
        return self.instruction(node.name, arguments, state)

    def instruction(self, name: str, arguments: list[Value], state: State) -> Value:
        """Another instruction's result."""
        inner: State = {key: state[key] for key in ("WAVE_MODE", "TRAPSTS", "BYTES", "laneId") if key in state}
        inner |= {f"S{i}": argument for i, argument in enumerate(arguments)} | {"D0": Value("b", 64, 0)}
        self.run(self.program(name), inner)
        kind, width = _result_type(self.program(name))
        return Value(kind, width, inner["D0"].value & ((1 << width) - 1)) if kind == "f" else wrap(kind, width, inner["D0"].value)

    # statements

    def conditional(self, node: If, state: State) -> None:
        for condition, body in node.branches:
            if self.value(condition, state).value:
                self.run(body, state)
                return
        self.run(node.otherwise, state)

    def loop(self, node: For, state: State) -> None:
        first, last = self.value(node.first, state).value, self.value(node.last, state).value
        try:
            for i in range(first, last + 1):
                state[node.variable] = Value("i", 32, i)
                self.run(node.body, state)
        except _Broken:
            pass

    def broken(self, node: Break, state: State) -> None:
        raise _Broken

    def returned(self, node: Return, state: State) -> None:
        raise _Returned(self.value(node.value, state))

    def declare(self, node: Declare, state: State) -> None:
        if node.name in CONSTANTS or isinstance(state.get(node.name), list):  # declared to state its type
            return
        zero = Value(node.kind, node.width, 0)
        state[node.name] = [zero] * node.count if node.count else zero

    def assign(self, node: Assign, state: State) -> None:
        value = self.value(node.value, state)
        if node.operator:
            value = arithmetic(node.operator, self.value(node.targets[0], state), value, self.exact)
        for target in node.targets:
            self.store(target, value, state)

    def store(self, target: Node, value: Any, state: State) -> None:
        if isinstance(target, Concat):
            for part in reversed(target.parts):
                assert isinstance(part, Member)
                width = _MEMBERS[part.name][1]
                self.store(part, Value("b", width, value.value & ((1 << width) - 1)), state)
                value = Value(value.kind, value.width - width, value.value >> width) if value.width else value
            return
        if isinstance(target, Member) and isinstance(target.base, Name) and isinstance(state.get(target.base.name), dict):
            state[target.base.name][target.name] = value
            return
        cell, key, low, kind, width = self.place(target, state)
        old: Any = _content(cell, key)
        if kind == "f":
            value = convert(value, "f", width) if value.kind in "fr" else Value("f", width, bits(value))
        elif kind == "e":
            value = brain(value) if value.kind in "fr" else Value("b", 16, bits(value))
        if (not width and not isinstance(old, Value)) or not isinstance(value, Value):
            cell[key] = value
            return
        if self.exact and value.kind != "f" and not value.width:
            if not width:
                cell[key] = value
                return
            value = saturated(kind, width, value.value)
        if not width:
            machine = isinstance(old, Value) and old.kind == "b"  # a register keeps its width
            cell[key] = wrap("b", old.width, bits(value)) if machine else value
            return
        if old is None:
            if kind and isinstance(target, Member) and isinstance(target.base, Name):
                cell[key] = value if kind == "f" else wrap(kind, width, value.value)
                return
            old = Value("b", 64, 0)
        mask = ((1 << width) - 1) << low
        merged = bits(old) & ~mask | (bits(value) << low & mask) if old.width else bits(value) << low & mask
        container = max(old.width, low + width)
        cell[key] = wrap(old.kind, container, merged) if old.kind in "ui" else Value(old.kind, container, merged)

    def place(self, target: Node, state: State) -> tuple[Any, Any, int, str, int]:
        """The target of an assignment: the container, its key, the lowest bit, and a type or width if it is
        spelt."""
        if isinstance(target, Name):
            return state, target.name, 0, "", 0
        assert isinstance(target, Member | Index | Slice)
        cell, key, low, _, _ = self.place(target.base, state)
        if isinstance(target, Member):
            return cell, key, low, *_MEMBERS[target.name]
        if isinstance(target, Index):
            position = self.value(target.index, state).value
            inner: Any = _content(cell, key)
            if inner is not None and not isinstance(inner, Value):
                return inner, position, 0, "", 0
            return cell, key, low + position, "", 1
        first = low + self.value(target.low, state).value
        assert target.high is not None
        return cell, key, first, "", low + self.value(target.high, state).value - first + 1
