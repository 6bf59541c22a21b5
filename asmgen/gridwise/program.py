"""The records of a gridwise program. Nothing in it is changed in place.

A name belongs to a single buffer. A size is an index expression over the program's dims, so sizes that only
the launch knows are written in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from asmgen.blockwise.schedules.choices import Choice
from asmgen.index import Index, Symbol, constant
from asmgen.index.expression import as_symbol, dim_symbol, symbol
from asmgen.index.size import Dim as Extent
from asmgen.index.size import Sizes as Extents
from asmgen.index.size import size_of
from asmgen.ir.program import Module
from asmgen.ir.types import ElementType, TensorType, tensor
from isa.diagnostics import Place
from isa.named_tuple import NamedTuple
from isa.targets import TargetId

Sizes = tuple[Index, ...]
Values = Mapping[Symbol, int]


class Dim(NamedTuple):
    """A size with a name, and its value for this program; a size that only the launch knows is from `least`
    to `value`.
    """

    name: str
    value: int
    place: Place | None = None
    least: int | None = None

    @property
    def is_known(self) -> bool:
        return self.least is None

    @property
    def size(self) -> Index:
        return symbol(self.name) if self.least is None else dim_symbol(self.name, self.least, self.value)


class Shape(NamedTuple):
    """The contents of a buffer: the element type, the sizes in elements, and strides unless row-major."""

    element: ElementType
    sizes: Sizes
    strides: Sizes | None = None

    def at(self, values: Values) -> TensorType:
        """The type for values of the dims; what these leave open are sizes that the launch knows."""
        strides = None if self.strides is None else _evaluated(self.strides, values)
        return tensor(self.element, _evaluated(self.sizes, values), strides)


class Buffer(Struct, frozen=True):
    """A named buffer that launches read and write: the base of `asmgen.gridwise.buffer_kinds`."""

    name: str
    shape: Shape
    place: Place | None = None


class Parameter(Buffer, frozen=True):
    """An argument of the program: launches read it."""


class Scalar(Buffer, frozen=True):
    """A number that the program takes by value; a body has it as a tensor of rank 0."""


class Result(Buffer, frozen=True, kw_only=True):
    """A result of the program, in the order of the declarations; later launches may read it. It is in the
    memory of the parameter `over`, if that is not empty."""

    over: str = ""


class Temporary(Buffer, frozen=True, kw_only=True):
    """A buffer between launches. It is kept from the launch `first` to `last`, both included."""

    first: str
    last: str


class Launch(Struct, frozen=True, eq=False):
    """A kernel of the program.

    `reads` are the buffers that the body's `@param` lines name, `writes` the buffers of its results, in
    order. `grid` are the workgroups along x, y and z, 1 to 3 numbers.

    `runs` names an earlier launch if this launch runs its kernel, and is empty for a kernel of its own.
    The bodies of both are equal, except for the names of buffers (`asmgen.gridwise.sharing`).

    `when` is the condition of a launch that does not always run (`asmgen.gridwise.few`). It is 1 or 0, and
    the grid has no workgroups if it is 0.
    """

    name: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    grid: Sizes
    choice: Choice
    body: Module
    place: Place | None = None
    runs: str = ""
    when: Index | None = None


class LaunchProgram(Struct, frozen=True, eq=False):
    """`buffers` in the order of their declarations, `launches` in the order in which they run."""

    name: str
    dims: tuple[Dim, ...]
    buffers: tuple[Buffer, ...]
    launches: tuple[Launch, ...]
    place: Place | None = None

    @property
    def values(self) -> dict[Symbol, int]:
        """Those of the dims that are known."""
        return {as_symbol(dim.size): dim.value for dim in self.dims if dim.is_known}

    @property
    def named(self) -> tuple[Dim, ...]:
        """The dims that only the launch knows."""
        return tuple([dim for dim in self.dims if not dim.is_known])

    @property
    def inputs(self) -> tuple[Buffer, ...]:
        """The arguments of the program, in order."""
        return tuple([buffer for buffer in self.buffers if isinstance(buffer, Parameter | Scalar)])

    @property
    def results(self) -> tuple[Result, ...]:
        return tuple([buffer for buffer in self.buffers if isinstance(buffer, Result)])

    @property
    def temporaries(self) -> tuple[Temporary, ...]:
        return tuple([buffer for buffer in self.buffers if isinstance(buffer, Temporary)])

    @property
    def types(self) -> dict[str, TensorType]:
        """The type of each buffer, by its name."""
        values = self.values
        return {buffer.name: buffer.shape.at(values) for buffer in self.buffers}

    @property
    def kernels(self) -> tuple[Launch, ...]:
        """The launches that have a kernel of their own, in order."""
        return tuple([launch for launch in self.launches if not launch.runs])

    def position(self, launch: str) -> int:
        """The number of a launch, from 0 on; `ValueError` if there is none of that name."""
        return [each.name for each in self.launches].index(launch)

    def grid_of(self, launch: Launch) -> tuple[Extent, Extent, Extent]:
        """The workgroups along x, y and z."""
        x, y, z = (*_evaluated(launch.grid, self.values), 1, 1)[:3]
        return x, y, z

    def when_of(self, launch: Launch) -> Index | None:
        """The condition of a launch, with the numbers of the dims that are known."""
        known = {symbol: constant(value) for symbol, value in self.values.items()}
        return None if launch.when is None else launch.when.substitute(known)


class GridFile(NamedTuple):
    """A file of stage gridwise."""

    target: TargetId
    programs: tuple[LaunchProgram, ...]


def _evaluated(sizes: Sizes, values: Values) -> Extents:
    return tuple([_value(size, values) for size in sizes])


def _value(size: Index, values: Values) -> Extent:
    if all(symbol in values for symbol in size.symbols):
        return size.evaluate(values, 0)
    return size_of(size.substitute({symbol: constant(value) for symbol, value in values.items()}))
