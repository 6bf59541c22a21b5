"""The registers that a kernel uses, the resources that follow from them, and launches that a target cannot
run."""

from __future__ import annotations

from math import prod

from asmgen.emission.entry import preload_prologue
from asmgen.index.size import Dim, at_least, at_most
from isa.diagnostics import InputError, InternalError, Place
from isa.instruction import Instr, Operand, Row, Trait
from isa.named_tuple import NamedTuple
from isa.program import Kernel
from isa.registers import FIRST_AGPR, FIRST_VGPR, VCC, Register
from isa.target import Target, accumulator_start, unified_registers
from regalloc.spill.memory import spill_counts


class RegisterUsage(NamedTuple):
    """The highest register number that a kernel uses, plus 1, for each register file. VCC is not counted as
    SGPRs."""

    sgprs: int
    vgprs: int
    agprs: int
    vcc: bool

    @property
    def accum_offset(self) -> int:
        """The start of the AGPRs in the unified file: at least a step of it."""
        return accumulator_start(self.vgprs)

    @property
    def unified_vgprs(self) -> int:
        """VGPRs and AGPRs together, with the gap between them; at least 1, since a descriptor cannot say
        0.
        """
        return max(1, unified_registers(self.vgprs, self.agprs))


class Resources(NamedTuple):
    """The resources of a wave of a kernel, and the number of waves per SIMD. Sizes are in bytes.

    `sgprs` includes the SGPRs that the target sets apart (VCC, XNACK_MASK, FLAT_SCRATCH), as the metadata
    does; `spills` are the registers that spill code stores.
    """

    vgprs: int
    agprs: int
    sgprs: int
    lds_bytes: int
    scratch_bytes: int
    spills: int
    occupancy: int


def all_instructions(kernel: Kernel) -> list[Instr]:
    """Every instruction of the kernel in layout order, terminators and the preload prologue among them."""
    instructions = [*preload_prologue(kernel)]
    for block in kernel.blocks:
        instructions += block.instructions
        if block.terminator is not None:
            instructions.append(block.terminator)
    return instructions


def register_usage(kernel: Kernel) -> RegisterUsage:
    """The registers that an allocated kernel names; `InternalError` if a register is still virtual."""
    entry = [register for _, register in kernel.abi.entry]  # the hardware fills them all, read or not
    sgprs, vgprs, agprs, vcc = 0, 0, 0, False
    for register in _named_registers(kernel).union(entry):
        end = register.first + register.count
        if register.is_virtual:
            raise InternalError("emit", kernel.name, f"register {register} is still virtual")
        if register.first >= FIRST_AGPR:
            agprs = max(agprs, end - FIRST_AGPR)
        elif register.first >= FIRST_VGPR:
            vgprs = max(vgprs, end - FIRST_VGPR)
        elif register.overlaps(VCC):
            vcc = True
        elif register.first < VCC.first:
            sgprs = max(sgprs, end)
    return RegisterUsage(sgprs, vgprs + _needs_another_vgpr(kernel, vgprs), agprs, vcc)


def _named_registers(kernel: Kernel) -> set[Register]:
    """Every register that an instruction reads or writes, explicit or implicit."""
    operands, rows = set[Operand](), set[Row]()
    for instr in all_instructions(kernel):
        operands.update(instr.operands)
        rows.add(instr.row)
    named = {operand for operand in operands if isinstance(operand, Register)}
    return named.union(*[(*row.reads, *row.writes) for row in rows])


def _needs_another_vgpr(kernel: Kernel, vgprs: int) -> bool:
    """Whether a 64-bit shift takes its amount from the last allocated VGPR, which gfx90a reads wrongly (LLVM
    calls it the high-register bug of 64-bit shifts); an extra VGPR avoids that."""
    target = kernel.table.target
    if target.shift_reads_last_vgpr or not vgprs or vgprs % target.vgpr_granule:
        return False
    last = Register(FIRST_VGPR + vgprs - 1)
    return any(
        Trait.WIDE_SHIFT in instr.row.traits and instr.operands[instr.row.uses[0]] == last
        for instr in all_instructions(kernel)
    )


def resources(kernel: Kernel, target: Target, usage: RegisterUsage | None = None) -> Resources:
    """The resources of an allocated kernel on `target`; `usage` may be passed if it has been counted."""
    usage = usage or register_usage(kernel)
    x, y, z = kernel.workgroup
    sgprs = usage.sgprs + target.reserved_sgprs
    occupancy = target.occupancy(usage.unified_vgprs, sgprs, kernel.lds_bytes, x * y * z)
    return Resources(
        usage.vgprs,
        usage.agprs,
        sgprs,
        kernel.lds_bytes,
        kernel.scratch_bytes,
        sum(spill_counts(kernel)),
        occupancy,
    )


MAX_WORK_ITEMS = 2**32


def check_launch(
    name: str, grid: tuple[Dim, Dim, Dim], block: tuple[int, int, int], target: Target, place: Place | str
) -> None:
    """Refuse a workgroup or a grid (in workgroups) that the target cannot launch. A grid of named dims
    is looked at when they are known.

    The dispatch packet counts work-items in 32 bits per dimension; indices here count them in 32 bits over
    all.
    """
    threads = block[0] * block[1] * block[2]
    if min(block) < 1 or threads > target.max_workgroup:
        raise InputError(
            place,
            "LIM001",
            f"{name} has {threads} work-items a workgroup, wanted 1 to {target.max_workgroup} "
            f"on {target.name}",
        )
    work_items = grid[0] * grid[1] * grid[2] * threads
    is_launched = all(at_least(count, 0).is_possible for count in grid)
    if not is_launched or not at_most(work_items, MAX_WORK_ITEMS).is_possible:
        raise InputError(
            place, "LIM002", f"{name} launches {work_items} work-items, wanted at most {MAX_WORK_ITEMS}"
        )


def check_kernel(kernel: Kernel, target: Target, usage: RegisterUsage) -> None:
    """Refuse a kernel that takes more LDS, VGPRs or user SGPRs than the target leaves it."""
    check_launch(kernel.name, (1, 1, 1), kernel.workgroup, target, kernel.name)
    if kernel.lds_bytes > target.lds_bytes:
        raise InputError(
            kernel.name,
            "LIM003",
            f"{kernel.lds_bytes} bytes of LDS are used, {target.name} has {target.lds_bytes}",
            help="a program for each result, or smaller tiles, take less",
        )
    threads = prod(kernel.workgroup)
    budget = target.workgroup_vgprs(threads)
    if usage.unified_vgprs > budget:
        raise InputError(
            kernel.name, "LIM004",
                    f"{usage.unified_vgprs} VGPRs are used, a workgroup of {threads} work-items leaves "
                    f"{budget}",
            help="a smaller workgroup leaves more",
        )  # fmt: skip
    if usage.vgprs > target.arch_vgprs or usage.sgprs > target.sgprs:
        wanted = f"wanted at most {target.arch_vgprs} and {target.sgprs}, which {target.name} has"
        raise InputError(
            kernel.name, "LIM005", f"{usage.vgprs} VGPRs and {usage.sgprs} SGPRs are used, {wanted}"
        )
