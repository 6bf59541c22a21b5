"""Machine programs: kernels, blocks with parameters, and the two kinds of edge.

A wave follows *linear* edges; a lane follows *logical* edges. Under uniform control flow they coincide. After
a divergent `if`, the wave runs `then`, then `else`; a lane runs either. SGPRs, VCC, SCC and EXEC live along
linear edges, VGPRs and AGPRs along logical edges. So scalar parameters take their arguments from linear edges
and vector parameters from logical edges.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec import Struct, field
from msgspec.structs import replace

from isa.diagnostics import Place
from isa.instruction import Immediate, Instr
from isa.named_tuple import NamedTuple
from isa.registers import FIRST_VIRTUAL, Register, RegisterClass, physical_class
from isa.table import Table, table_of
from isa.targets import TargetId

STRING_TAG = "!str"  # in metadata, before text that looks like something else


class VirtualRegister(Struct, frozen=True):
    """A virtual register: `count` units from `first`, to be placed at a multiple of `align`."""

    name: str
    register_class: RegisterClass
    first: int
    count: int
    align: int = 1
    place: Place | None = None

    @property
    def register(self) -> Register:
        return Register(self.first, self.count)


class Edge(NamedTuple):
    """An edge to the block `target`; `arguments` match its scalar (linear edge) or vector (logical edge)
    parameters."""

    target: str
    arguments: tuple[Register | Immediate, ...] = ()


class Block(Struct):
    """A basic block.

    `terminator` is a conditional branch (then `linear` is taken, fall-through), an instruction that ends the
    program (`linear` is empty), or None (`linear` has a single successor; the emitter adds `s_branch` if the
    layout needs it). `logical` lists the successors of a lane; it is always given, even if it is the same as
    `linear`.
    """

    label: str
    scalar_parameters: tuple[Register, ...] = ()
    vector_parameters: tuple[Register, ...] = ()
    instructions: list[Instr] = field(default_factory=list)
    terminator: Instr | None = None
    linear: tuple[Edge, ...] = ()
    logical: tuple[Edge, ...] = ()

    @property
    def code(self) -> Sequence[Instr]:
        """Every instruction in order, the terminator among them."""
        return self.instructions if self.terminator is None else [*self.instructions, self.terminator]

    def with_instructions(self, instructions: list[Instr]) -> Block:
        """The block with other instructions before its terminator."""
        return Block(
            self.label, self.scalar_parameters, self.vector_parameters, instructions, self.terminator,
            self.linear, self.logical,
        )  # fmt: skip


class Argument(NamedTuple):
    """A kernel argument as in metadata v5. `kind` is `global_buffer`, `by_value` or a `hidden_*` name, which
    the runtime passes by itself.

    `access` is `read_only`, `write_only`, `read_write` or empty; `type` is a gen type name, or empty if
    unknown; `alignment` is the alignment in bytes of the target of a pointer to LDS.
    """

    name: str
    offset: int
    size: int
    kind: str = "global_buffer"
    address_space: str = "global"
    access: str = ""
    type: str = ""
    alignment: int = 1

    @property
    def is_hidden(self) -> bool:
        """Whether the runtime passes it, and not the caller."""
        return self.kind.startswith("hidden_")

    @property
    def is_buffer(self) -> bool:
        """Whether it is a pointer to global memory."""
        return self.kind == "global_buffer"


class Abi(NamedTuple):
    """Which registers the hardware fills before the first instruction (AMDGPUUsage, initial kernel execution
    state).

    `entry` maps a role (`kernarg_segment_ptr`, `workgroup_id_x`, `workitem_id`, `preload`, ...) to its
    physical register, in the order of the user and system SGPRs. With `any_block` the launch says the shape
    of a workgroup, which has at most as many work-items as the kernel's `workgroup`.
    """

    entry: tuple[tuple[str, Register], ...] = ()
    preload_dwords: int = 0
    any_block: bool = False

    def register(self, role: str) -> Register:
        for name, register in self.entry:
            if name == role:
                return register
        raise KeyError(f"the kernel descriptor does not enable {role}")


UNSAID = Abi()


class Kernel(Struct):
    """A kernel in machine form, before or after allocation. `blocks` are in layout order, the entry first.

    `spill_lanes` are VGPRs reserved for spilled SGPRs, which go to their lanes. `reserved` are physical
    registers that no value gets: only instructions that name them use them. `groups` are the workgroups of a
    launch, or the fewest of many, 0 if they are not known.
    """

    name: str
    target: TargetId
    arguments: tuple[Argument, ...] = ()
    workgroup: tuple[int, int, int] = (256, 1, 1)
    abi: Abi = UNSAID
    blocks: list[Block] = field(default_factory=list)
    owners: list[VirtualRegister] = field(default_factory=list)  # of each virtual unit, from FIRST_VIRTUAL on
    lds_bytes: int = 0
    scratch_bytes: int = 0
    spill_lanes: tuple[Register, ...] = ()
    reserved: tuple[Register, ...] = ()
    groups: int = 0

    @property
    def axes(self) -> tuple[int, int, int]:
        """The most work-items that a workgroup has along x, y and z."""
        x, y, z = self.workgroup
        most = x * y * z
        return (most, most, most) if self.abi.any_block else self.workgroup

    @property
    def fills_waves(self) -> bool:
        """Whether every wave of a workgroup has all its lanes."""
        x, y, z = self.workgroup
        return not self.abi.any_block and x * y * z % self.target.target.wave_size == 0

    @property
    def table(self) -> Table:
        """The rows of the kernel's target."""
        return table_of(self.target.target)

    def instructions(self) -> Iterator[Instr]:
        """Every instruction, block by block."""
        return chain.from_iterable([block.code for block in self.blocks])

    def new_register(
        self, register_class: RegisterClass, count: int = 1, align: int = 1, name: str = "",
        place: Place | None = None,
    ) -> Register:  # fmt: skip
        """A fresh virtual register of `count` units, named after its unit number if no name is given."""
        first = FIRST_VIRTUAL + len(self.owners)
        virtual = VirtualRegister(name or f"t{first}", register_class, first, count, align, place)
        self.owners.extend([virtual] * count)
        return Register(first, count)

    def owner(self, register: Register) -> VirtualRegister:
        """The virtual register that `register` is, or is a part of."""
        return self.owners[register.first - FIRST_VIRTUAL]

    def register_class(self, register: Register) -> RegisterClass:
        """The class of a virtual or physical register."""
        first = register.first
        if first >= FIRST_VIRTUAL:
            return self.owners[first - FIRST_VIRTUAL].register_class
        return physical_class(register)

    def with_blocks(self, blocks: list[Block]) -> Kernel:
        """The kernel with other blocks. Both share their virtual registers, so only one of the two may make
        new registers."""
        return replace(self, blocks=blocks)

    def block(self, label: str) -> Block:
        for block in self.blocks:
            if block.label == label:
                return block
        raise KeyError(label)
