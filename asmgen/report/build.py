"""Kernels to reports: compiled programs, machine programs, and the output of other compilers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import prod

from msgspec.structs import replace

from asmgen.artifact import Artifact
from asmgen.emission.usage import all_instructions, register_usage
from asmgen.report.attempts import attempts
from asmgen.report.donated import memories
from asmgen.report.files import Taken, file_report, set_apart, uses_of
from asmgen.report.live import live_sets
from asmgen.report.model import FILES, Attempt, Change, KernelReport, LivePoint
from asmgen.report.places import point_at
from asmgen.report.result import Assembled, Report
from asmgen.report.spilling import spill_lines
from asmgen.report.values import LiveKernel
from asmgen.report.waves import occupancy, sgpr_steps, vgpr_steps
from isa.emulator import load
from isa.emulator.program.blocks import kernel_of
from isa.emulator.program.image import Image
from isa.emulator.program.source_lines import without_own_lines
from isa.instruction import Trait
from isa.named_tuple import NamedTuple
from isa.program import Abi, Block, Kernel
from isa.registers import Register, register_name
from isa.target import Target, round_up
from isa.targets import TargetId, parse_target
from isa.text.printing import format_instr
from regalloc.allocation import SpilledValue
from regalloc.slots import kernel_slots, slot_instruction


def report_program(program: Artifact, at: Sequence[str] = ()) -> Report:
    """The report of a compiled program: live values by name, on the virtual registers that were allocated;
    `at` names points; the report lists the values live there (`asmgen.report.places`).

    Kernels that came in after allocation (`.mir`) are reported on their physical registers.
    """
    kernels = [
        replace(_compiled(program, number, at), results=results)
        for number, results in enumerate(memories(program))
    ]
    return Report(tuple(kernels), partial(_assembled, program))


def _assembled(program: Artifact) -> tuple[Assembled, ...]:
    """The kernels as they are assembled."""
    return tuple(
        Assembled(
            without_own_lines(load(kernel.assembly, kernel.name, kernel.name, to_run=False)),
            _point_texts(program, number),
        )
        for number, kernel in enumerate(program.kernels)
    )


def _point_texts(program: Artifact, number: int) -> tuple[str, ...]:
    """The text of each point of a kernel's report, with the registers that were allocated."""
    stages = program.compilation.stages
    kernel, name_of = stages.finished[number], register_name
    if stages.allocations:
        kernel, allocation, _ = stages.allocations[number]

        def name_of(register: Register) -> str:
            return register_name(allocation.register(register))

    return tuple(
        "" if instr is None else format_instr(instr, name_of)
        for block, slots in zip(kernel.blocks, kernel_slots(kernel), strict=True)
        for index in range(len(slots.uses))
        if (instr := slot_instruction(block, index)) is not None or slots.uses[index]
    )


def with_smaller_tiles(report: Report, smaller: Artifact, tiles: Mapping[str, str]) -> Report:
    """A report that also has the registers of the same source with smaller tiles. `tiles` has what changes in
    the tile of each kernel with another tile, by its name."""
    others = {kernel.name: kernel for kernel in report_program(smaller).kernels}
    kernels = [
        _with_tile(kernel, others[kernel.name], tiles[kernel.name])
        if kernel.name in tiles and kernel.name in others
        else kernel
        for kernel in report.kernels
    ]
    return replace(report, kernels=tuple(kernels))


def _with_tile(kernel: KernelReport, other: KernelReport, tile: str) -> KernelReport:
    vector, *rest = kernel.files
    smaller = other.file("VGPR")
    frees = vector.lower_bound - smaller.lower_bound
    if frees <= 0:
        return kernel
    attempt = Attempt(
        Change.SMALLER_TILE, tile, None, None, frees, smaller.lower_bound,
        other.file("AGPR").lower_bound, len(other.points) - len(kernel.points),
    )  # fmt: skip
    return replace(kernel, files=(replace(vector, attempts=(*vector.attempts, attempt)), *rest))


def _compiled(program: Artifact, number: int, at: Sequence[str]) -> KernelReport:
    compilation, compiled = program.compilation, program.kernels[number]
    finished = compilation.stages.finished[number]
    usage = register_usage(finished)
    target = program.target.target
    declared: dict[str, int | None] = {
        "VGPR": usage.unified_vgprs,
        "AGPR": usage.agprs,
        "SGPR": usage.sgprs + target.reserved_sgprs,
    }
    instructions = tuple(all_instructions(finished))
    taken = Taken(usage, set_apart(program.target, usage.vcc, instructions), uses_of(instructions), declared)
    source, physical, spilled = finished, dict[int, int](), tuple[SpilledValue, ...]()
    if compilation.stages.allocations:
        source, allocation, spilled = compilation.stages.allocations[number]
        physical = allocation.units
    own = compiled.resources
    memory = _Memory(own.lds_bytes, own.scratch_bytes, own.spills)
    subject = _Subject(compiled.name, program.target, source, physical, taken, memory)
    return replace(_report(subject, at), spilled=spilled, spill_lines=spill_lines(finished))


def report_image(image: Image, at: Sequence[str] = ()) -> KernelReport:
    """The report of a kernel of an assembly file or a code object, on its physical registers; `at` as in
    `report_program`."""
    kernel = _without_padding(kernel_of(image))
    target, bare = parse_target(image.target, image.place), _bare(kernel)
    named, instructions, counts = register_usage(bare), tuple(all_instructions(bare)), image.counts
    declared = {
        "VGPR": _declared_vgprs(image, named.unified_vgprs, target.target),
        "AGPR": counts.agprs,
        "SGPR": counts.sgprs,
    }
    taken = Taken(named, set_apart(target, named.vcc, instructions), uses_of(instructions), declared)
    spills = None if counts.vgpr_spills is None else counts.vgpr_spills + (counts.sgpr_spills or 0)
    memory = _Memory(image.descriptor.lds_bytes, image.descriptor.scratch_bytes, spills)
    is_fixed, known = image.required is not None, image.has_metadata
    subject = _Subject(image.name, target, kernel, {}, taken, memory, is_fixed, known)
    return replace(_report(subject, at), target=image.target, spill_lines=spill_lines(kernel))


def _without_padding(kernel: Kernel) -> Kernel:
    """A loaded kernel without the NOPs that pad its code to an alignment and are never reached."""
    entry, *others = kernel.blocks
    entered = {edge.target for block in kernel.blocks for edge in (*block.linear, *block.logical)}
    kept = [entry, *(block for block in others if block.label in entered or not _is_padding(block))]
    return replace(kernel, blocks=kept)


def _is_padding(block: Block) -> bool:
    return block.terminator is None and all(Trait.NOP in instr.row.traits for instr in block.instructions)


def _declared_vgprs(image: Image, used: int, target: Target) -> int | None:
    """The metadata's count, or a descriptor's that exceeds the code's use; a descriptor counts in granules,
    so it is no count of use."""
    asked = image.descriptor.vgprs
    return (
        image.counts.vgprs
        if image.counts.vgprs is not None or asked <= round_up(used, target.vgpr_granule)
        else asked
    )


def _bare(kernel: Kernel) -> Kernel:
    """A loaded kernel without its ABI: its compiler counted only the registers in its code, and its prologue
    is in the text."""
    return Kernel(kernel.name, kernel.target, (), kernel.workgroup, Abi(), kernel.blocks)


class _Memory(NamedTuple):
    """Bytes of LDS and scratch of a kernel, and its spills; None if its file does not state them."""

    lds_bytes: int
    scratch_bytes: int
    spills: int | None


class _Subject(NamedTuple):
    """A kernel, and the facts of its report that are not in its code. `physical` has the unit of each virtual
    register's unit, and is empty for a kernel of physical registers."""

    name: str
    target: TargetId
    kernel: Kernel
    physical: dict[int, int]
    taken: Taken
    memory: _Memory
    fixed_workgroup: bool = True
    has_metadata: bool = True


def _report(subject: _Subject, at: Sequence[str]) -> KernelReport:
    """The report of a kernel, with the live values of the points that `at` names."""
    kernel, physical, memory = subject.kernel, subject.physical, subject.memory
    target, fixed = subject.target.target, subject.fixed_workgroup
    program = LiveKernel(kernel, live_sets(kernel))
    vector, accumulators, scalar = (
        file_report(file, program, physical, subject.taken, target) for file in FILES
    )
    steps = tuple(vgpr_steps(target, accumulators.used))
    files = (
        replace(vector, waves=steps, attempts=attempts(program, physical)),
        accumulators,
        replace(scalar, waves=tuple(sgpr_steps(target))),
    )
    vgprs = max(files[0].used, files[0].declared or 0)
    sgprs = max(files[2].used, files[2].declared or 0)
    waves = occupancy(target, vgprs, sgprs, memory.lds_bytes, prod(kernel.workgroup), fixed)
    return KernelReport(
        subject.name, str(subject.target), "virtual" if kernel.owners else "physical",
        kernel.workgroup, fixed, *memory, program.points, files, waves, subject.has_metadata,
        at=_at(program, physical, at), edges=tuple(_edges(kernel)),
    )  # fmt: skip


def _edges(kernel: Kernel) -> Iterator[tuple[str, str, bool]]:
    """The edges that the wave takes, and whether lanes take them too."""
    for block in kernel.blocks:
        lanes = {edge.target for edge in block.logical}
        for target in dict.fromkeys(edge.target for edge in block.linear):
            yield block.label, target, target in lanes


def _at(program: LiveKernel, physical: dict[int, int], places: Sequence[str]) -> tuple[LivePoint, ...]:
    points = [(place, point) for place in places if (point := point_at(program.points, place)) is not None]
    found = program.at({point for _, point in points})
    return tuple(
        LivePoint(
            place, program.points[point].site, program.points[point].pressure,
            tuple(program.values(peak, physical) for peak in found[point]),
        )
        for place, point in points
    )  # fmt: skip
