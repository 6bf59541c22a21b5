"""How a kernel's outputs are shared out over lanes: sections, their spaces, and the vector width.

Outputs of the same dims form a *section*: one index, one set of loads. A kernel has one section per distinct
output shape; a lane takes part in each section that has elements left for it.
"""

from __future__ import annotations

from typing import NamedTuple

from asmgen.gen.indexing import DimMap, Space, Strides, access_strides, merge_dims, vector_width
from asmgen.gen.layout import leaves
from asmgen.ir.program import Module, Statement, Value
from asmgen.ir.types import LaneType, TensorType

WORKGROUP = 256
LONGEST_VECTOR = 8  # lanes; also what f16 needs for a dwordx4
LONGEST_BOOL_VECTOR = 4  # a bool lane is a mask in two SGPRs


class Section(NamedTuple):
    """The copies into outputs of one shape, their merged space, and the elements a lane takes."""

    dims: tuple[int, ...]
    copies: tuple[Statement, ...]
    space: Space
    vector: int

    @property
    def lanes(self) -> int:
        """How many lanes have work."""
        return -(-self.space.elements // self.vector)


def tensor_type(value: Value) -> TensorType:
    if isinstance(value.type, LaneType):
        raise ValueError(f"{value.name} is a lane value")
    return value.type


def definitions(module: Module) -> dict[Value, Statement]:
    return {result: statement for statement in module.statements for result in statement.results}


def identity_map(rank: int) -> DimMap:
    return tuple(range(rank))


def sections(
    defined: dict[Value, Statement], copies: list[Statement], longest: int = LONGEST_VECTOR
) -> list[Section]:
    """The sections of a kernel, in the order of their first output; empty outputs have none.

    `defined` gives the statement of every value, `copies` are the statements that write the outputs, and
    `longest` bounds the vectors.
    """
    groups: dict[tuple[int, ...], list[Statement]] = {}
    for copy in copies:
        dims = tensor_type(copy.operands[1]).dims
        if 0 not in dims:
            groups.setdefault(dims, []).append(copy)
    return [_section(defined, dims, group, longest) for dims, group in groups.items()]


def _section(
    defined: dict[Value, Statement], dims: tuple[int, ...], group: list[Statement], longest: int
) -> Section:
    types: list[TensorType] = []
    accesses: list[Strides] = []
    for copy in group:
        value, buffer = copy.operands
        types += [tensor_type(v) for v in (buffer, *_values(defined, value))]
        accesses.append(tensor_type(buffer).strides)
        for leaf, dim_map in leaves(defined, value, identity_map(len(dims)), set()):
            type_ = tensor_type(leaf)
            accesses.append(access_strides(len(dims), type_.dims, type_.strides, dim_map))
    space = merge_dims(dims, accesses)
    cap = LONGEST_BOOL_VECTOR if any(type_.element.name == "bool" for type_ in types) else longest
    width = vector_width(space, max(type_.element.bytes for type_ in types))
    return Section(dims, tuple(group), space, min(width, cap, longest))


def _values(defined: dict[Value, Statement], root: Value) -> list[Value]:
    seen: dict[Value, None] = {}
    stack = [root]
    while stack:
        value = stack.pop()
        if value not in seen:
            seen[value] = None
            stack.extend(defined[value].operands)
    return list(seen)
