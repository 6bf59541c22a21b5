"""Register allocation from end to end: `allocate`, `rewrite`, and both with the check after them."""

from __future__ import annotations

from msgspec.structs import replace

from isa.instruction import Instr, Operand, Trait
from isa.program import Block, Edge, Kernel
from isa.registers import FIRST_AGPR, FIRST_VGPR, FIRST_VIRTUAL, UNTRACKED, VCC, Register, RegisterClass
from regalloc.allocation import Allocation, Insertions, Statistics
from regalloc.checker.allocation import check
from regalloc.constraints import gather_constraints
from regalloc.intervals import build_intervals
from regalloc.lanes import lane_values, parked_values
from regalloc.liveness import LivenessOf, compute_liveness
from regalloc.pools import Pool, build_pools, refuse_reserved
from regalloc.scan.carried import carried_loads
from regalloc.scan.coalesce import find_partners
from regalloc.scan.copies import CopyPlacer
from regalloc.scan.linear_scan import OutOfRegisters, Problem
from regalloc.scan.ways import PlaceClass, allocate_class

CLASSES = (RegisterClass.SGPR, RegisterClass.VGPR, RegisterClass.AGPR)


def allocate(
    kernel: Kernel, reserved: frozenset[int] = frozenset(), max_vgprs: int | None = None,
    max_unified: int | None = None,
) -> Allocation:  # fmt: skip
    """Give every virtual register of a verified kernel a physical register.

    `reserved` are physical units that stay free. `max_vgprs` lowers the VGPR budget, and `max_unified` limits
    VGPRs and AGPRs together. Raises InputError: RA001 if a register file is too small, RA003 if encodings
    imply one register for two values, RA004 if the program itself names a reserved register.
    """
    refuse_reserved(kernel, reserved)
    pools = build_pools(kernel, reserved, max_vgprs, max_unified)
    try:
        return allocate_within(kernel, pools, reserved)
    except OutOfRegisters as out:
        from regalloc.scan.shortage import shortage

        raise shortage(kernel, pools, out) from None


def allocate_within(
    kernel: Kernel, pools: dict[RegisterClass, Pool], reserved: frozenset[int] = frozenset()
) -> Allocation:
    """Like `allocate`, from the given pools of registers. Raises OutOfRegisters if a pool is too small."""
    return solve(build_problem(kernel), pools, reserved)


def build_problem(kernel: Kernel, liveness_of: LivenessOf = compute_liveness) -> Problem:
    """Collect the facts about a verified kernel that every scan needs."""
    liveness = liveness_of(kernel)
    flow = liveness.flow
    constraints = gather_constraints(kernel, liveness.slots)
    lanes = lane_values(kernel, liveness)
    return Problem(
        kernel, liveness, constraints, find_partners(kernel, flow), build_intervals(liveness, constraints),
        lanes, parked_values(kernel, liveness, lanes), carried_loads(kernel, flow),
    )  # fmt: skip


def problem_in_parts(problem: Problem, parted: Kernel) -> Problem:
    """The facts about the kernel of a problem with its tuples split (`passes.split_tuples`): units keep their
    numbers, so only the registers that loads fill for the next trip change."""
    liveness = problem.liveness.in_parts(parted)
    carried = carried_loads(parted, liveness.flow)
    return problem._replace(kernel=parted, liveness=liveness, carried=carried)


def solve(
    problem: Problem, pools: dict[RegisterClass, Pool], reserved: frozenset[int] = frozenset(),
    place_class: PlaceClass = allocate_class,
) -> Allocation:  # fmt: skip
    """Registers and copies for a problem. Raises OutOfRegisters if a pool is too small."""
    units: dict[int, int] = {}
    for register_class in CLASSES:
        pool = pools[register_class]
        places = place_class(problem, pool)
        units.update((unit, place + pool.first) for unit, place in places.items())
    used = set(units.values()) | {
        unit for unit in problem.intervals.segments if unit < FIRST_VIRTUAL and unit not in UNTRACKED
    }
    placer = CopyPlacer(problem, pools, units, used)
    insertions = placer.place(problem.constraints)
    statistics = Statistics(
        vgprs=max((unit - FIRST_VGPR + 1 for unit in used if FIRST_VGPR <= unit < FIRST_AGPR), default=0),
        sgprs=max((unit + 1 for unit in used if unit < VCC.first), default=0),
        agprs=max((unit - FIRST_AGPR + 1 for unit in used if unit >= FIRST_AGPR), default=0),
        uses_vcc=not used.isdisjoint(VCC.units),
        copies=sum(len(instructions) for instructions in insertions.values()),
        coalesced=placer.coalesced,
        pressure=problem.liveness.pressure,
    )
    usable = {register_class: pool.units() for register_class, pool in pools.items()}
    return Allocation(units, insertions, statistics, usable, reserved)


def rewrite(kernel: Kernel, allocation: Allocation) -> Kernel:
    """The kernel on physical registers: parameters gone, copies in place, moves of a register to itself left
    out."""
    places = _Places(allocation)
    blocks = [
        _rewrite_block(number, block, allocation.insertions, places)
        for number, block in enumerate(kernel.blocks)
    ]
    return replace(kernel, blocks=blocks, owners=[])


class _Places(dict[Operand, Operand]):
    """The operands of the rewritten program, by those of the original."""

    def __init__(self, allocation: Allocation) -> None:
        super().__init__()
        self._allocation = allocation

    def __missing__(self, operand: Operand) -> Operand:
        place = self._allocation.register(operand) if isinstance(operand, Register) else operand
        self[operand] = place
        return place


def _rewrite_block(number: int, block: Block, insertions: Insertions, places: _Places) -> Block:
    instructions: list[Instr] = []
    for index, instr in enumerate(block.instructions):
        instructions += insertions.get((number, index), ())
        rewritten = _rewrite_instr(instr, places)
        if not _moves_nothing(rewritten):
            instructions.append(rewritten)
    instructions += insertions.get((number, len(block.instructions)), ())
    terminator = block.terminator and _rewrite_instr(block.terminator, places)
    linear = tuple(Edge(edge.target) for edge in block.linear)
    return Block(
        block.label, (), (), instructions, terminator, linear,
        tuple(Edge(edge.target) for edge in block.logical),
    )  # fmt: skip


def _rewrite_instr(instr: Instr, places: _Places) -> Instr:
    operands = [places[operand] for operand in instr.operands]
    for use, define in instr.row.ties:
        operands[use] = operands[define]
    return instr.as_row(instr.row, tuple(operands), instr.modifiers)


def _moves_nothing(instr: Instr) -> bool:
    """Whether a rewritten instruction is a plain move of a register to itself."""
    row = instr.row
    if Trait.MOVE not in row.traits or instr.modifiers or row.ties or len(instr.operands) != 2:
        return False
    return instr.operands[0] == instr.operands[1]


def allocate_and_rewrite(
    kernel: Kernel, reserved: frozenset[int] = frozenset(), max_vgprs: int | None = None
) -> tuple[Kernel, Allocation]:
    """Allocate, rewrite, and let the checker prove the result. Raises InternalError if the proof fails."""
    allocation = allocate(kernel, reserved, max_vgprs)
    rewritten = rewrite(kernel, allocation)
    check(kernel, allocation, rewritten)
    return rewritten, allocation
