"""An operation with the values of its operands."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from asmgen.frontends.tensors.interpret.values import Array, Value, dims_of, element_of
from asmgen.ir.types import ElementType
from asmgen.mlir.source import Block, Operation


class Call(Struct, frozen=True, eq=False):
    """`block` runs a block with values for its arguments; the values at its end."""

    operation: Operation
    values: tuple[Value, ...]
    block: Callable[[Block, Sequence[Value]], tuple[Value, ...]]

    @property
    def arrays(self) -> list[Array]:
        return [value for value in self.values if not isinstance(value, tuple)]

    @property
    def element(self) -> ElementType:
        return element_of(self.operation.results[0].type)

    @property
    def dims(self) -> tuple[int, ...]:
        """The dims of the first result. Raises `Unknown` for a dynamic dim."""
        return self.filled([None] * self.stated.count(None))

    @property
    def stated(self) -> tuple[int | None, ...]:
        """The dims of the first result, None for a dynamic dim."""
        return dims_of(self.operation.results[0].type)

    def filled(self, given: Sequence[Any]) -> tuple[int, ...]:
        """The dims of the first result with numbers for its dynamic dims, in order."""
        numbers = iter(given)
        dims = [next(numbers) if dim is None else dim for dim in self.stated]
        if None in dims:
            raise Unknown(self.operation)
        return tuple([int(dim) for dim in dims])

    def body(self, values: Sequence[Value], region: int = 0) -> list[Array]:
        """The results of a region's block for values, element by element."""
        made = self.block(self.operation.regions[region].blocks[0], values)
        return [value for value in made if not isinstance(value, tuple)]

    def axes(self, attribute: str, name: str) -> list[int]:
        """A list of a printed attribute: `name = [0, 1]`."""
        found = re.search(rf"\b{name} = \[([^\]]*)\]", self.operation.text(attribute))
        return [int(word) for word in found[1].split(",") if word.strip()] if found else []

    def axis(self, attribute: str, name: str) -> int:
        found = re.search(rf"\b{name} = (\d+)", self.operation.text(attribute))
        return int(found[1]) if found else 0


class Unknown(Exception):
    """An op that has no semantics here."""

    def __init__(self, operation: Operation) -> None:
        super().__init__(f"{operation.name} at {operation.place}")


class OpenOrder(Exception):
    """A result that depends on an order which the language leaves open, such as an extreme next to a NaN."""


Semantics = Callable[[Call], Sequence[Value]]


def of_call(function: Callable[[Call], Array]) -> Semantics:
    """The semantics of an op with a single result, from the function of its array."""

    def semantics(call: Call) -> list[Value]:
        return [function(call)]

    return semantics
