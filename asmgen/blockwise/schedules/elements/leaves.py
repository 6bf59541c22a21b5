"""The leaves of a value: the elements of buffers, literals and results of reductions from which an element of
the value is computed.

    y = relu(transpose[permutation={1,0}](x))      the element {i, j} of y has one leaf, {j, i} of x
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from asmgen.blockwise.actions import Below
from asmgen.blockwise.schedules.elements.data import Data
from asmgen.blockwise.schedules.elements.indices import Indices
from asmgen.blockwise.schedules.elements.maps import is_walked, operand_elements
from asmgen.ir.program import Module, Statement, Value


def definitions(module: Module) -> dict[Value, Statement]:
    """The statement of which each value is a result."""
    return {result: statement for statement in module.statements for result in statement.results}


class Leaf(NamedTuple):
    """A buffer, or a literal, and which of its elements is read."""

    value: Value
    indices: Indices


def leaves(
    defined: Mapping[Value, Statement], root: Value, at: Indices, conditions: set[Below] | None = None
) -> Iterator[Leaf]:
    """What an element of `root` is made of, up to results of reductions, which are leaves too; each once.
    `conditions` gets those under which there are such elements.
    """
    seen: set[Leaf] = set()
    stack, data = [Leaf(root, at)], Data()
    while stack:
        leaf = stack.pop()
        if leaf in seen:
            continue
        seen.add(leaf)
        statement = defined[leaf.value]
        if not statement.operands or not is_walked(statement):
            yield leaf
            continue
        found = operand_elements(statement, leaf.indices, data)
        if conditions is not None:
            conditions.update([one for element in found for one in element.where])
        stack += [
            Leaf(one, element.indices)
            for one, element in zip(reversed(statement.operands), reversed(found), strict=True)
        ]
