"""The inputs of a choice of schedule: the dims of a kernel's work, and the reads and reductions over them.

The mean of {32,64,56,56} over axes 0, 2 and 3 has the dims 32, 64 and 3,136, of which the first and the last
are reduced. The last two dims of the graph are merged, because they are contiguous in every buffer.
"""

from __future__ import annotations

from math import prod

from asmgen.blockwise.schedules.elements.merged_dims import Dims
from asmgen.index.size import Dim, Sizes, most
from isa.named_tuple import NamedTuple
from isa.target import Target

# Clocks with half or double, relative to those with the constant: geometric means of the programs that change
# (`tools.judge_choices --neighbours`).
#
# - GROUPS_OF_UNIT: half 1.03 on gfx942, 1.07 on gfx1201, 0.99 on gfx950 and gfx1100; double 0.99 to 1.00.
# - BYTES_OF_GROUP: half 0.96 to 0.99, but 1.03 on gfx1201, with up to 1.9 times the instructions; double 1.06
#   to 1.08.
# - BYTES_OF_COLUMNS: half up to 1.7 for a program (reduce_sum of {512,8192} over axis 0 on gfx942); double up
#   to 1.2.
# - BYTES_OF_PARTS: half 0.94 to 1.00, with up to 1.5 times the instructions; double 1.02 to 1.04, and 1.35 to
#   1.7 times the cycles of column_sum_f16 (`tools.bench_peers`).
ALL_GROUPS = 1 << 30  # more workgroups than any version of a kernel needs
GROUPS_OF_UNIT = 4  # workgroups that a launch has for each compute unit, if there is so much to do
BYTES_OF_GROUP = 16384  # that a workgroup reads at least, before there are more of them
BYTES_OF_COLUMNS = 32768  # that a wave reads at least of columns, before there are more of them
BYTES_OF_PARTS = 16384  # the same if the columns are in parts anyway
# Instructions of an element in the time of a byte that a workgroup reads. With 5 or 8, the square roots of
# 300 by 300 pairs of f32, added up, take 7.0 and 7.6 us on gfx942, in place of 55.3 with a workgroup.
ISSUES_OF_BYTE = 8
LANES_OF_UNIT = 256  # of a compute unit, a wave for each of its SIMDs
HEAVY = 8  # instructions of an element: those of a vector are more than a division of its number by a dim


class Work(NamedTuple):
    """`dims` are the dims of the reduced operand, or of the outputs. Adjacent dims are merged, and dims of
    size 1 left out. `reduced` are the positions of reduced or scanned dims in them.

    - A pointwise kernel has a single flattened dimension.
    - Kept dims, and reduced dims, may be a single dim though memory does not go on from each to the next
      (`elements.joined_dims`).
    """

    dims: Sizes
    groups: tuple[Dims, ...]  # which dims of the graph each of them is
    reduced: Dims
    element: int  # bytes of the narrowest elements that are read over all of the dims
    widest_access: int  # elements
    streams: int  # buffers that are read over all of the dims
    levels: int  # reductions in a chain, each of which waits for the previous reduction
    whole: bool  # whether outputs have all of the dims
    is_packed: bool  # whether the last two dims are a single piece of memory, in every such buffer
    bytes: int  # of all buffers that are read, or of elements that lanes share, by BYTES_OF_CACHES
    along: int = 1  # buffers with elements along the reduced dims, buffers of a single shared row included
    conditions: int = 0  # masks for each element of a lane: whether it exists, and whether it is NaN
    seeks: bool = False  # whether a reduction uses the index of an element
    room: int | None = None  # registers of a lane, if fewer are asked for than the target has
    widest_element: int = 0  # bytes of the widest elements of a pointwise kernel
    stretch: Dim = 1  # kept elements next to each other: the innermost of the dims that are a single kept
    # dim; of a pointwise kernel the elements of a row that has workgroups of its own
    columns: int = 0  # of a pointwise kernel that reads a buffer with an element for each column alone,
    of_columns: int = 0  # and how many such buffers it reads
    row: int = 0  # of a pointwise kernel: the elements of a row of a buffer, if data choose rows of it
    cut: int = 0  # of a pointwise kernel: the elements of a row, if vectors end with rows
    parts: int = 1  # of an output that a lane of a pointwise kernel has at each of its places
    run: int = 0  # reduced elements next to each other in memory, if memory is contiguous along them
    issues: int = 0  # instructions that compute an element which is reduced or stored, about
    has_pairs: bool = False  # whether all elements that are read are f16, which are added up in pairs
    of_pairs: bool = False  # whether a result is of a row of one buffer and a row of another (`pages.pairs`)

    @property
    def planned(self) -> tuple[int, ...]:
        """The dims as numbers to choose by: of a dim that the launch knows, the largest value."""
        return tuple([most(dim) for dim in self.dims])

    @property
    def reduces_fast(self) -> bool:
        """Whether the last dim, along which memory is contiguous, is reduced."""
        return bool(self.reduced) and self.reduced[-1] == len(self.dims) - 1

    @property
    def is_light(self) -> bool:
        """Whether accesses of a lane of a pointwise kernel share nothing but addresses."""
        shares = self.columns or self.row or self.stretch != 1
        return not self.reduced and not shares and self.room is None

    @property
    def is_heavy(self) -> bool:
        """Whether the instructions of an element take longer than those that reach it."""
        return self.issues >= HEAVY

    @property
    def kept(self) -> Dims:
        return tuple([axis for axis in range(len(self.dims)) if axis not in self.reduced])

    @property
    def rows(self) -> int:
        """The planned size of the innermost dim that is kept."""
        return self.planned[self.kept[-1]] if self.kept else 1

    @property
    def other_rows(self) -> int:
        """The planned product of the other dims that are kept: how many times there are so many rows."""
        return prod([most(self.dims[axis]) for axis in self.kept[:-1]])

    @property
    def is_sum(self) -> bool:
        """Whether each element is used once: by a single reduction."""
        return self.levels == 1 and not self.whole

    def waves_of_columns(self, target: Target, least: int = BYTES_OF_COLUMNS) -> int:
        """The least number of waves of a launch, if each wave is a workgroup that adds up columns, and reads
        at least so many bytes.
        """
        return max(1, min(GROUPS_OF_UNIT * target.compute_units, self.worth // least))

    def workgroups(self, target: Target) -> int:
        """How many workgroups a launch should have at least."""
        return max(1, min(GROUPS_OF_UNIT * target.compute_units, self.worth // BYTES_OF_GROUP))

    @property
    def worth(self) -> int:
        """The bytes that a workgroup reads in the time of this work: `bytes`, or its instructions."""
        return max(self.bytes, prod(self.planned) * self.issues // ISSUES_OF_BYTE if self.reduced else 0)

    def share(self, target: Target) -> int:
        """The elements of a lane, rounded down, if every SIMD of the target has a wave."""
        return prod(self.planned) // (target.compute_units * LANES_OF_UNIT)
