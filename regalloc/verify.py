"""The verifier of machine programs, before and after allocation.

Every virtual unit has a single definition that dominates its uses: along linear edges for scalars, along
logical edges for vectors. A value with a single definition satisfies this exactly if it is not live at the
start of the program, so the verifier asks liveness. A broken rule is a bug of ours and raises InternalError,
unless the program is a user's `.mir` file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from isa.diagnostics import InputError, InternalError
from isa.instruction import Immediate, Instr, Label, OperandSpec, Row, Trait
from isa.named_tuple import NamedTuple
from isa.program import Block, Edge, Kernel
from isa.registers import FIRST_VGPR, FIRST_VIRTUAL, M0, SCC, VCC, Register, RegisterClass
from isa.replay import replay_fault
from isa.verify import find_fault
from regalloc.cfg import ControlFlow, build_control_flow
from regalloc.flags import reads_scc
from regalloc.liveness import Liveness, compute_liveness
from regalloc.slots import VECTOR_CLASSES, is_vector_unit, unit_name

if TYPE_CHECKING:
    from isa.mir.places import BlockLines

STAGE = "machine program"
_ENDS = frozenset({Trait.BRANCH, Trait.CONDITIONAL_BRANCH, Trait.END})


def verify(kernel: Kernel) -> None:
    """Check every rule of `isa.program` and of the rows. Raises InternalError at the first broken rule."""
    broken = broken_rule(kernel)
    if broken is not None:
        raise InternalError(STAGE, f"{kernel.name}:{broken.block}:{broken.where}", broken.message)


def verify_input(kernel: Kernel, lines: Mapping[str, BlockLines]) -> None:
    """Like `verify`, for a `.mir` file; `lines` of its blocks are lines of the file. Raises InputError MIR007
    at the statement that breaks a rule."""
    broken = broken_rule(kernel)
    if broken is not None:
        line = lines[broken.block].at(broken.where)
        note = f"in block {broken.block}: {line.text}"
        raise InputError(line.place, "MIR007", broken.message, (note,))


class BrokenRule(NamedTuple):
    """A rule that a program breaks: the block, the place in it (the number of an instruction, `terminator` or
    another part), and the fault."""

    block: str
    where: str
    message: str


def broken_rule(kernel: Kernel) -> BrokenRule | None:
    """The first rule of `isa.program` and of the rows that a kernel breaks; None if it breaks none."""
    try:
        _verify(kernel)
    except _BrokenRule as broken:
        return BrokenRule(broken.block, broken.where, broken.message)
    return None


class _BrokenRule(Exception):
    def __init__(self, block: str, where: str, message: str) -> None:
        super().__init__(message)
        self.block = block
        self.where = where
        self.message = message


def _verify(kernel: Kernel) -> None:
    flow = build_control_flow(kernel)
    entry = kernel.blocks[0]
    if entry.scalar_parameters or entry.vector_parameters:
        raise _BrokenRule(entry.label, "parameters", "the entry block has parameters")
    for number, block in enumerate(kernel.blocks):
        if number not in flow.linear.reachable:
            raise _BrokenRule(block.label, "entry", "no linear path leads here")
        _verify_block(kernel, block)
        _verify_edges(kernel, flow, block)
        if number in flow.logical.reachable and block.linear and not block.logical:
            raise _BrokenRule(
                block.label, "terminator", "lanes enter the block, but no logical edge leaves it"
            )
    _verify_definitions(kernel)
    _verify_scc(kernel, flow)
    _verify_dominance(kernel, compute_liveness(kernel, flow))


def _verify_block(kernel: Kernel, block: Block) -> None:
    phase = 0
    for index, instr in enumerate(block.instructions):
        if instr.phase:
            if instr.phase < phase:
                message = f"{instr.row.mnemonic} of phase {instr.phase} comes after one of phase {phase}"
                raise _BrokenRule(block.label, str(index), message)
            phase = instr.phase
        _verify_instruction(kernel, block, index, instr)
        if not instr.row.traits.isdisjoint(_ENDS):
            raise _BrokenRule(
                block.label, str(index), f"{instr.row.mnemonic} ends a block, but stands inside a block"
            )
    _verify_terminator(kernel, block)


def _verify_terminator(kernel: Kernel, block: Block) -> None:
    terminator = block.terminator
    leaves = len(block.linear)
    if terminator is None:
        if leaves != 1:
            raise _BrokenRule(block.label, "terminator", f"no terminator and {leaves} linear edges, wanted 1")
        return
    _verify_instruction(kernel, block, "terminator", terminator)
    if Trait.CONDITIONAL_BRANCH in terminator.row.traits:
        wanted = 2
        _verify_branch_label(block, terminator)
    elif Trait.END in terminator.row.traits:
        wanted = 0
    else:
        raise _BrokenRule(
            block.label,
            "terminator",
            f"{terminator.row.mnemonic} is neither a conditional branch nor the end of the program",
        )
    if leaves != wanted:
        raise _BrokenRule(
            block.label, "terminator", f"{terminator.row.mnemonic} and {leaves} linear edges, wanted {wanted}"
        )
    if not leaves and block.logical:
        raise _BrokenRule(block.label, "terminator", "the wave ends here and a logical edge leaves")


def _verify_branch_label(block: Block, branch: Instr) -> None:
    taken = block.linear[0].target if block.linear else "nothing"
    for operand in branch.operands:
        if isinstance(operand, Label) and operand.name != taken:
            raise _BrokenRule(
                block.label,
                "terminator",
                f"{branch.row.mnemonic} goes to {operand.name}, and the first linear edge to {taken}",
            )


def _verify_instruction(kernel: Kernel, block: Block, place: str | int, instr: Instr) -> None:
    owners = kernel.owners
    end = FIRST_VIRTUAL + len(owners)
    for index, operand in enumerate(instr.operands):
        if isinstance(operand, Register):
            first, count = operand
            if first >= FIRST_VIRTUAL and (count > 1 or first >= end):
                _verify_extent(kernel, block, place, instr, index)
    fault = find_fault(instr, kernel.register_class) or replay_fault(instr, kernel.target)
    if fault is not None:
        raise _BrokenRule(block.label, str(place), f"{instr.row.mnemonic}: {fault.message}")
    placed = _placed(instr.row)
    if placed:
        _verify_places(kernel, block, str(place), instr, placed)


def _verify_extent(kernel: Kernel, block: Block, place: str | int, instr: Instr, index: int) -> None:
    """Check that an operand of an instruction is a virtual register of the kernel or a part of it."""
    operand = instr.operands[index]
    assert isinstance(operand, Register), operand
    first, count = operand
    if first + count > FIRST_VIRTUAL + len(kernel.owners):
        raise _BrokenRule(block.label, str(place), f"{operand} is not a register of the kernel")
    owner = kernel.owner(operand)
    if index < len(instr.row.operands) and first + count > owner.first + owner.count:
        name = instr.row.operands[index].name
        raise _BrokenRule(block.label, str(place), f"{name} reaches beyond %{owner.name} of {owner.count}")


def _verify_places(
    kernel: Kernel, block: Block, where: str, instr: Instr, placed: tuple[tuple[int, OperandSpec], ...]
) -> None:
    """Check the operands that depend on the place of a register within its virtual register."""
    for index, spec in placed:
        operand = instr.operands[index]
        if not isinstance(operand, Register) or operand.first < FIRST_VIRTUAL:
            continue
        owner = kernel.owner(operand)
        if spec.fixed is not None and operand != owner.register:
            message = (
                f"{spec.name} is a part of %{owner.name}, wanted a register of its own: "
                f"{instr.row.mnemonic} implies {spec.fixed}"
            )
            raise _BrokenRule(block.label, where, message)
        if spec.align > 1 and (owner.align % spec.align or (operand.first - owner.first) % spec.align):
            offset = f" at unit {operand.first - owner.first}" if operand.first != owner.first else ""
            message = (
                f"{spec.name} is %{owner.name}{offset}, aligned to {owner.align}, wanted a multiple of "
                f"{spec.align}"
            )
            raise _BrokenRule(block.label, where, message)


@cache
def _placed(row: Row) -> tuple[tuple[int, OperandSpec], ...]:
    """The operands that depend on the place of a register within its virtual register, by index."""
    return tuple((i, spec) for i, spec in enumerate(row.operands) if spec.fixed is not None or spec.align > 1)


def _verify_edges(kernel: Kernel, flow: ControlFlow, block: Block) -> None:
    for edge in block.linear:
        target = kernel.blocks[flow.index[edge.target]]
        _verify_arguments(kernel, block, edge, target.scalar_parameters, (RegisterClass.SGPR,))
        if (
            edge.arguments
            and len(block.linear) > 1
            and len(flow.linear.predecessors[flow.index[edge.target]]) > 1
        ):
            raise _BrokenRule(block.label, f"edge to {edge.target}", "a critical linear edge has arguments")
    for edge in block.logical:
        target = kernel.blocks[flow.index[edge.target]]
        _verify_arguments(kernel, block, edge, target.vector_parameters, VECTOR_CLASSES)
        if edge.arguments and len(block.logical) > 1:
            message = (
                "vector arguments leave a block with several logical successors: no EXEC of a single block "
                "covers their lanes"
            )
            raise _BrokenRule(block.label, f"edge to {edge.target}", message)


def _verify_arguments(
    kernel: Kernel, block: Block, edge: Edge, parameters: Sequence[Register],
    classes: tuple[RegisterClass, ...],
) -> None:  # fmt: skip
    where = f"edge to {edge.target}"
    if len(edge.arguments) != len(parameters):
        raise _BrokenRule(block.label, where, f"{len(edge.arguments)} arguments, wanted {len(parameters)}")
    for parameter, argument in zip(parameters, edge.arguments, strict=True):
        if not parameter.is_virtual or parameter != kernel.owner(parameter).register:
            raise _BrokenRule(
                block.label, where, f"the parameter {parameter} is not a whole virtual register"
            )
        owner = kernel.owner(parameter)
        if owner.register_class not in classes:
            wanted = " or ".join(class_.name for class_ in classes)
            raise _BrokenRule(
                block.label,
                where,
                f"the parameter %{owner.name} is a {owner.register_class.name}, wanted {wanted}",
            )
        if isinstance(argument, Immediate):
            if not 0 <= argument.bits < 1 << 32 * parameter.count:
                raise _BrokenRule(
                    block.label, where, f"the constant {argument.bits:#x} does not fit %{owner.name}"
                )
            continue
        if argument.count != parameter.count:
            raise _BrokenRule(
                block.label, where, f"%{owner.name} takes {parameter.count} registers, got {argument.count}"
            )
        given = kernel.register_class(argument)
        if given is not owner.register_class and not (
            owner.register_class is RegisterClass.VGPR and given is RegisterClass.SGPR
        ):
            raise _BrokenRule(
                block.label, where, f"%{owner.name} is a {owner.register_class.name}, got a {given.name}"
            )


def _verify_definitions(kernel: Kernel) -> None:
    """Check that every virtual unit has a single definition."""
    defined: set[int] = set()

    def define(block: Block, where: str | int, register: Register) -> None:
        units = (register.first,) if register.count == 1 else register.units
        if defined.isdisjoint(units):
            defined.update(units)
            return
        unit = next(unit for unit in units if unit in defined)
        raise _BrokenRule(block.label, str(where), f"{unit_name(kernel, unit)} is defined a second time")

    for block in kernel.blocks:
        for parameter in (*block.scalar_parameters, *block.vector_parameters):
            define(block, "parameters", parameter)
        for index, instr in enumerate(block.instructions):
            for i in instr.row.defines:
                operand = instr.operands[i]
                if not isinstance(operand, Register) or operand.first < FIRST_VIRTUAL:
                    continue
                if operand.count == 1 and operand.first not in defined:
                    defined.add(operand.first)
                else:
                    define(block, index, operand)


def _verify_dominance(kernel: Kernel, liveness: Liveness) -> None:
    """Check that no virtual unit, and no register that the hardware leaves unset, is live at the start of the
    program."""
    given = {unit for _, register in kernel.abi.entry for unit in register.units}
    given.update(unit for register in kernel.spill_lanes for unit in register.units)
    for unit in liveness.entering(0):
        if unit < FIRST_VIRTUAL and (unit in given or not _must_be_set(unit)):
            continue
        block, index = _exposed_use(liveness, unit)
        kind = "logical" if is_vector_unit(kernel, unit) else "linear"
        message = f"{unit_name(kernel, unit)} is read, and is not set on every {kind} path to here"
        raise _BrokenRule(kernel.blocks[block].label, str(index), message)
    lanes = {unit for register in kernel.spill_lanes for unit in register.units}
    for number, slots in enumerate(liveness.slots):
        if number in liveness.flow.logical.reachable:
            continue
        for index, units in enumerate(slots.uses):
            for unit in units:
                if is_vector_unit(kernel, unit) and unit not in lanes:
                    message = f"{unit_name(kernel, unit)} is read in a block that no logical path reaches"
                    raise _BrokenRule(kernel.blocks[number].label, str(index), message)


def _must_be_set(unit: int) -> bool:
    """Whether a register has no useful content before the program writes it. The ids of trap and scratch
    set-up have content."""
    return unit < VCC.first or unit >= FIRST_VGPR or unit in (*VCC.units, *M0.units, *SCC.units)


def _exposed_use(liveness: Liveness, unit: int) -> tuple[int, int]:
    """A use that a path from the entry reaches without passing the definition: the first in breadth order."""
    vector = is_vector_unit(liveness.kernel, unit)
    graph = liveness.flow.logical if vector else liveness.flow.linear
    pending, seen = [0], {0}
    for block in pending:
        slots = liveness.slots[block]
        for index, (uses, defines) in enumerate(zip(slots.uses, slots.defines, strict=True)):
            if unit in uses:
                return block, index
            if unit in defines:
                break
        else:
            for target in graph.successors[block]:
                if target not in seen and unit in liveness.entering(target):
                    seen.add(target)
                    pending.append(target)
    raise InternalError(
        STAGE, liveness.kernel.name, f"no use of {unit_name(liveness.kernel, unit)} explains that it is live"
    )


def _verify_scc(kernel: Kernel, flow: ControlFlow) -> None:
    """Check that the SCC of a single instruction reaches each read of SCC, on every path of the wave."""
    last_writes: dict[int, tuple[int, int]] = {}
    early_reads: dict[int, int] = {}
    for number, block in enumerate(kernel.blocks):
        for index, instr in enumerate(block.code):
            if number not in last_writes and reads_scc(instr):
                early_reads.setdefault(number, index)
            if SCC in instr.row.writes:
                last_writes[number] = (number, index)
    for number, index in early_reads.items():
        sources = _reaching_writes(flow, number, last_writes)
        if len(sources) != 1 or None in sources:
            reason = (
                "no instruction has set it on some path"
                if None in sources
                else f"{len(sources)} instructions may have set it"
            )
            raise _BrokenRule(kernel.blocks[number].label, str(index), f"SCC is read, and {reason}")


def _reaching_writes(
    flow: ControlFlow, number: int, last_writes: dict[int, tuple[int, int]]
) -> set[tuple[int, int] | None]:
    """The last writes of SCC on the linear paths to a block; None stands for a path without a write."""
    writes: set[tuple[int, int] | None] = set()
    pending, seen = [number], {number}
    for block in pending:
        if block == 0:
            writes.add(None)
        for before in flow.linear.predecessors[block]:
            if before in last_writes:
                writes.add(last_writes[before])
            elif before not in seen:
                seen.add(before)
                pending.append(before)
    return writes
