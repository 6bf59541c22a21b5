"""The syntax tree of the pseudocode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


class Node:
    """An expression or a statement."""


@dataclass(frozen=True, slots=True)
class Number(Node):
    value: Any  # a `tests.pseudocode.values.Value`
    spelt_in_hex: bool = False


@dataclass(frozen=True, slots=True)
class Name(Node):
    name: str


@dataclass(frozen=True, slots=True)
class Member(Node):
    """`base.u32`: the low bits of `base`, read as a type; or a field of a machine register (`WAVE_MODE.IEEE`)."""

    base: Node
    name: str


@dataclass(frozen=True, slots=True)
class Index(Node):
    base: Node
    index: Node


@dataclass(frozen=True, slots=True)
class Slice(Node):
    """`base[high : low]`, or, where `width` stands, `base[low +: width]`."""

    base: Node
    low: Node
    high: Node | None = None
    width: Node | None = None


@dataclass(frozen=True, slots=True)
class Unary(Node):
    operator: str
    operand: Node


@dataclass(frozen=True, slots=True)
class Binary(Node):
    operator: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Choice(Node):
    condition: Node
    chosen: Node
    other: Node


@dataclass(frozen=True, slots=True)
class Call(Node):
    name: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Convert(Node):
    """`64'U(operand)`."""

    width: int
    kind: str
    operand: Node


@dataclass(frozen=True, slots=True)
class Concat(Node):
    """`{ high, low }`."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Lambda(Node):
    parameters: tuple[str, ...]
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Assign(Node):
    """`target = ... = value`, or `target += value`, `target -= value` with `operator`."""

    targets: tuple[Node, ...]
    value: Node
    operator: str = ""


@dataclass(frozen=True, slots=True)
class If(Node):
    branches: tuple[tuple[Node, tuple[Node, ...]], ...]
    otherwise: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class For(Node):
    variable: str
    first: Node
    last: Node
    body: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Break(Node):
    pass


@dataclass(frozen=True, slots=True)
class Return(Node):
    value: Node


@dataclass(frozen=True, slots=True)
class Declare(Node):
    name: str
    kind: str
    width: int
    count: int  # of an array's elements, 0 where it is none
