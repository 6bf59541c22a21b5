"""The one program form of the front half: the graph and every gen stage are `Module`s of `Statement`s.

A name is defined once, before use. Values are compared by identity; statements are never changed in place, a pass
builds a new module. What an op means stands in its row (`asmgen.tensor.ops` for the graph, `asmgen.gen.ops` for the
stages), never in a test of its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from asmgen.tensor.types import ValueType
from isa.diagnostics import Place

if TYPE_CHECKING:
    from asmgen.tensor.oprow import Op

Attribute = int | float | bool | str | tuple["Attribute", ...]


class Stage(Enum):
    """The stages that print as gen text, in order; the value is the name that `--emit` takes."""

    GRAPH = "graph"
    GRIDWISE = "gridwise"
    BLOCKWISE = "blockwise"
    LANEWISE = "lanewise"
    FINAL = "final"


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """A named value; its definition is a statement's result or a region's parameter."""

    name: str
    type: ValueType

    def __repr__(self) -> str:
        return f"Value({self.name})"


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """`results = op[attributes](operands) regions`. `attributes` holds every attribute of the op, defaults included."""

    op: Op
    operands: tuple[Value, ...] = ()
    results: tuple[Value, ...] = ()
    attributes: dict[str, Attribute] = field(default_factory=dict)
    regions: tuple[Region, ...] = ()
    place: Place | None = None

    @property
    def result(self) -> Value:
        if len(self.results) != 1:
            raise ValueError(f"{self.op.name} has {len(self.results)} results")
        return self.results[0]


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """A body of `for` or `if`: its parameters and statements; the last statement is a `yield`."""

    parameters: tuple[Value, ...] = ()
    statements: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """One kernel, or one graph.

    `@param` and `@literal` are statements too, and `@return` is the last one. From gridwise on a `launch` statement
    stands first and says the grid (in workgroups) and the workgroup (in work-items).
    """

    name: str
    statements: tuple[Statement, ...]

    def walk(self) -> Iterator[Statement]:
        """Every statement, those of regions after the one that holds them."""
        stack = list(reversed(self.statements))
        while stack:
            statement = stack.pop()
            yield statement
            for region in reversed(statement.regions):
                stack.extend(reversed(region.statements))


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A file: its stage, its target from `gridwise` on, and its modules in launch order."""

    stage: Stage
    modules: tuple[Module, ...]
    target: str = ""
