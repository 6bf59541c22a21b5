"""The syntax tree of the pseudocode."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Node:
    """An expression or a statement."""


class Number(Struct, Node, frozen=True):
    value: Any  # a `tests.pseudocode.values.Value`
    spelt_in_hex: bool = False


class Name(Struct, Node, frozen=True):
    name: str


class Member(Struct, Node, frozen=True):
    """`base.u32`: the low bits of `base`, read as a type; or a field of a machine register (`WAVE_MODE.IEEE`)."""

    base: Node
    name: str


class Index(Struct, Node, frozen=True):
    base: Node
    index: Node


class Slice(Struct, Node, frozen=True):
    """`base[high : low]`, or, if there is a `width`, `base[low +: width]`."""

    base: Node
    low: Node
    high: Node | None = None
    width: Node | None = None


class Unary(Struct, Node, frozen=True):
    operator: str
    operand: Node


class Binary(Struct, Node, frozen=True):
    operator: str
    left: Node
    right: Node


class Choice(Struct, Node, frozen=True):
    condition: Node
    chosen: Node
    other: Node


class Call(Struct, Node, frozen=True):
    name: str
    arguments: tuple[Node, ...]


class Convert(Struct, Node, frozen=True):
    """`64'U(operand)`."""

    width: int
    kind: str
    operand: Node


class Concat(Struct, Node, frozen=True):
    """`{ high, low }`."""

    parts: tuple[Node, ...]


class Lambda(Struct, Node, frozen=True):
    parameters: tuple[str, ...]
    body: tuple[Node, ...]


class Assign(Struct, Node, frozen=True):
    """`target = ... = value`, or `target += value`, `target -= value` with `operator`."""

    targets: tuple[Node, ...]
    value: Node
    operator: str = ""


class If(Struct, Node, frozen=True):
    branches: tuple[tuple[Node, tuple[Node, ...]], ...]
    otherwise: tuple[Node, ...]


class For(Struct, Node, frozen=True):
    variable: str
    first: Node
    last: Node
    body: tuple[Node, ...]


class Break(Struct, Node, frozen=True):
    pass


class Return(Struct, Node, frozen=True):
    value: Node


class Declare(Struct, Node, frozen=True):
    name: str
    kind: str
    width: int
    count: int  # of an array's elements, 0 if it is no array
