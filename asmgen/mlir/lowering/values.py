"""What a value of the file is in lanewise: a lane value, an index with bounds, or a place in memory."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from msgspec import Struct

from asmgen.index.interval import Interval
from asmgen.ir.program import Value
from asmgen.ir.types import ElementType
from asmgen.mlir.source import Operation, Ssa
from isa.diagnostics import Place


class Index(NamedTuple):
    """A number of type `index` and its bounds.

    If the bounds fit into 32 bits, signed or unsigned, `value` is a u32 with the lower 32 bits of the number;
    otherwise it is an i64. A number from 0 to 100 is a u32, and so is a number from -1 to 7.
    """

    value: Value
    low: int
    high: int

    @property
    def is_constant(self) -> bool:
        return self.low == self.high

    @property
    def bounds(self) -> Interval:
        return Interval(self.low, self.high)

    @property
    def is_u32(self) -> bool:
        return self.bounds.is_u32

    @property
    def is_i32(self) -> bool:
        return self.bounds.is_i32


Root = Ssa | Operation  # what begins a memory: a value, or the declaration of a global


class Kind(Enum):
    """The memory that a buffer is in."""

    GLOBAL = "global"
    LDS = "workgroup"
    PRIVATE = "private"  # in registers
    SCRATCH = "scratch"  # private, too


class Memory(Struct, eq=False):
    """A buffer: a parameter of the kernel, one in LDS, or private memory, which is in scratch or is a cell
    for each element.

    `elements` is None where only the launch knows it; `argument` is that of the kernel that the buffer is,
    and `root` the value that begins the memory. Where it `is_undecided`, what its elements are follows from
    the accesses.
    """

    kind: Kind
    element: ElementType
    elements: int | None
    place: Place
    buffer: Value | None = None
    cells: int = 0
    argument: Ssa | None = None
    root: Root | None = None
    is_undecided: bool = False


class View(NamedTuple):
    """A memref: elements of a memory from `offset` on, in dims of some sizes and strides, all in elements of
    the memory; `lanes` of them are one element of the memref (a vector's). `unknown` says of each size
    whether it is not there, since the argument is passed as a pointer. `narrow` is the type of the memref's
    elements where the memory's are wider, and offset and strides count those."""

    memory: Memory
    offset: Index
    sizes: tuple[Index, ...]
    strides: tuple[Index, ...]
    lanes: int = 1
    unknown: tuple[bool, ...] = ()
    narrow: ElementType | None = None


class Pointer(NamedTuple):
    """A pointer of the LLVM dialect: so many elements of a memory from its beginning, and so many bytes."""

    memory: Memory
    offset: Index
    bytes: Index


class Aggregate(NamedTuple):
    """A struct or an array of the LLVM dialect: what its fields are, None of one that nobody has set."""

    fields: tuple[Lowered | None, ...]


Lowered = Value | Index | View | Pointer | Aggregate
Slot = Value | Index
