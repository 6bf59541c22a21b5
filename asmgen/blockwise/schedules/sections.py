"""The outputs of a kernel without reductions, grouped by their dims: outputs of the same dims are written
together.

z = add(x, b), x {2,3,4,4} and b {4,4}      one section of 96 elements, whose dims are 6 and 16
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import NamedTuple

from asmgen.blockwise.actions import Below
from asmgen.blockwise.schedules.buffers import splat_of
from asmgen.blockwise.schedules.indices import Indices, total, unflattened
from asmgen.blockwise.schedules.leaves import leaves
from asmgen.blockwise.schedules.maps import tensor_of
from asmgen.blockwise.schedules.merge import Dims, apart, coordinate_symbols, merged
from asmgen.graph.ops import IOTA, LITERAL
from asmgen.index import Index
from asmgen.ir.program import Statement, Value
from asmgen.ir.types import row_major


class Section(NamedTuple):
    """`outputs` are positions among the outputs; `groups` the dims that every buffer walks alike."""

    outputs: tuple[int, ...]
    dims: Dims
    groups: tuple[Dims, ...]
    is_contiguous: bool = False  # whether a buffer that is read lies as the outputs do, and all exist
    conditions: int = 0  # under which there are elements of buffers, and of what is put around them

    @property
    def elements(self) -> int:
        return prod(self.dims)

    @property
    def merged(self) -> Dims:
        return tuple([prod([self.dims[axis] for axis in group]) for group in self.groups])

    def vector(self, most: int) -> int:
        """How many elements next to each other a lane takes, a power of two up to `most`.

        There is room for any vector that is no longer than the elements: the last one begins where it ends
        with the last element. Of several dims a vector may go on in the next row, once: what is contiguous
        over all of the dims is one access there, and what is not is gathered.
        """
        width = most
        while width > self.elements or (len(self.groups) > 1 and self._is_cut(width)):
            width //= 2
        return width

    def _is_cut(self, width: int) -> bool:
        """Whether rows end within vectors, and that is not worth their width."""
        inner = self.merged[-1]
        return bool(inner % width) and (inner < width or not self.is_contiguous)

    def at(self, number: Index) -> Indices:
        """The element with a row-major number."""
        return apart(self.dims, self.groups, unflattened(number, self.merged))


def sections(defined: Mapping[Value, Statement], outputs: Sequence[Value]) -> tuple[Section, ...]:
    """In the order of their first output; those without elements have none."""
    together: dict[Dims, list[int]] = {}
    for position, value in enumerate(outputs):
        if tensor_of(value).elements:
            together.setdefault(tensor_of(value).dims, []).append(position)
    return tuple([_section(defined, dims, outputs, tuple(group)) for dims, group in together.items()])


def _section(
    defined: Mapping[Value, Statement], dims: Dims, outputs: Sequence[Value], group: tuple[int, ...]
) -> Section:
    symbols = coordinate_symbols(dims)
    addresses = [total(symbols, row_major(dims))]
    conditions: set[Below] = set()
    for position in group:
        for leaf in leaves(defined, outputs[position], symbols, conditions):
            statement = defined[leaf.value]
            if statement.op is not IOTA and (statement.op is not LITERAL or splat_of(statement) is None):
                addresses.append(total(leaf.indices, tensor_of(leaf.value).strides))
    groups = merged(dims, (), symbols, list(dict.fromkeys(addresses)))
    own, *read = addresses
    return Section(group, dims, groups, own in read and not conditions, len(conditions))
