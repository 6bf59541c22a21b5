"""The lowered forms of values of the file: a lane value, an index with bounds, or a place in memory."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from asmgen.index.interval import Interval
from asmgen.ir.program import Value
from asmgen.ir.types import ElementType
from asmgen.mlir.source import Operation, Ssa
from isa.diagnostics import Place
from isa.named_tuple import NamedTuple


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


Root = Ssa | Operation  # begins a memory: a value, or the declaration of a global


class Kind(Enum):
    """The kind of memory of a buffer."""

    GLOBAL = "global"
    LDS = "workgroup"
    PRIVATE = "private"  # in registers
    SCRATCH = "scratch"  # also private


class Memory(Struct, eq=False):
    """A buffer: a parameter of the kernel, a buffer in LDS or in scratch, or private memory with a cell per
    element.

    `elements` is None if only the launch knows it. `argument` is the argument of the kernel that points to
    the buffer, and `root` is the value that begins the memory. If it `is_undecided`, the accesses determine
    the element type.
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
    """A memref: an offset, sizes and strides in elements of a memory.

    `lanes` is the number of elements of the memory per element of the memref, as for vectors. `unknown` marks
    sizes that the kernel does not get, since the argument is a bare pointer. `narrow` is the element type of
    the memref if the memory has wider elements; offset and strides then count narrow elements.
    """

    memory: Memory
    offset: Index
    sizes: tuple[Index, ...]
    strides: tuple[Index, ...]
    lanes: int = 1
    unknown: tuple[bool, ...] = ()
    narrow: ElementType | None = None


class Pointer(NamedTuple):
    """A pointer of the LLVM dialect: an offset of elements and of bytes from the beginning of a memory."""

    memory: Memory
    offset: Index
    bytes: Index


class Aggregate(NamedTuple):
    """A struct or an array of the LLVM dialect, as its fields. A field that is not set is None."""

    fields: tuple[Lowered | None, ...]


Lowered = Value | Index | View | Pointer | Aggregate
Slot = Value | Index
