"""From the largest pressure to the registers that a wave takes, with a reason for every register in between.

A register below the highest used register may not be live at the peak, for one of these reasons: the hardware
filled it, and it was read by then or is never read; it was freed after it was allocated; it was skipped so
that a tuple is aligned; no instruction names it; or it is used elsewhere. The reasons are counted from the
program, so they sum to the difference exactly.

SGPRs that are set apart from the numbered SGPRs are counted too. LLVM counts up to the last in use, in the
order VCC, XNACK_MASK, FLAT_SCRATCH: XNACK_MASK unless the target id turns xnack off, FLAT_SCRATCH if the
hardware sets it up or the code names it (AMDGPUUsage, ".amdhsa_reserve_xnack_mask" and its neighbours).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from msgspec import Struct

from asmgen.emission.usage import RegisterUsage
from asmgen.report.model import FileReport, ListedInstruction, Step
from asmgen.report.values import LiveKernel, register_ranges
from isa.instruction import Instr, OperandSpec, Row
from isa.program import Kernel
from isa.registers import FIRST_AGPR, FIRST_VGPR, FLAT_SCRATCH, VCC, XNACK_MASK, Register
from isa.target import Target, round_up
from isa.targets import TargetId

_FIRST = {"VGPR": FIRST_VGPR, "AGPR": FIRST_AGPR, "SGPR": 0}


class Uses(Struct, frozen=True):
    """Physical units that instructions name, write, and name as parts of tuples; `aligned` are the units at
    which an aligned tuple begins."""

    named: set[int]
    written: set[int]
    tuples: set[int]
    aligned: set[int]


def uses_of(instructions: Iterable[Instr]) -> Uses:
    uses = Uses(set(), set(), set(), set())
    for instr in instructions:
        read, written = instr.units.tracked_read, instr.units.tracked_written
        uses.named.update(read, written)
        uses.written.update(written)
        for index, spec in _tuples(instr.row):
            operand = instr.operands[index]
            if isinstance(operand, Register):
                uses.tuples.update(operand.units)
                if (
                    spec.scalar_align if operand.first < FIRST_VGPR and spec.scalar_align else spec.align
                ) > 1:
                    uses.aligned.add(operand.first)
    return uses


@cache
def _tuples(row: Row) -> tuple[tuple[int, OperandSpec], ...]:
    """The operands of several registers, by index."""
    return tuple((i, spec) for i, spec in enumerate(row.operands) if spec.count > 1)


class Taken(Struct, frozen=True):
    """The registers of each file that a kernel names and declares, the uses of their units, and the pairs of
    SGPRs that count next to the numbered SGPRs.

    `VGPR` of `declared` counts both vector files, as metadata does.
    """

    named: RegisterUsage
    apart: tuple[Register, ...]
    uses: Uses
    declared: dict[str, int | None]

    def counted(self, name: str) -> int:
        """The registers of a file as metadata counts them."""
        apart = sum(register.count for register in self.apart)
        return {"VGPR": self.named.unified_vgprs, "AGPR": self.named.agprs, "SGPR": self.named.sgprs + apart}[
            name
        ]


def file_report(
    name: str, program: LiveKernel, physical: dict[int, int], taken: Taken, target: Target
) -> FileReport:
    """The report of a register file of a kernel; `physical` maps virtual units to their allocation, and is
    empty before allocation."""
    peak = program.peaks.get(name)
    live = peak.units if peak is not None else ()
    steps = _free_at_peak(
        name, program.kernel, [physical.get(unit, unit) for unit in live], taken, physical
    ) + _counted_too(name, taken)
    used, declared = taken.counted(name), taken.declared[name]
    total = used
    if name != "AGPR":
        total = round_up(
            max(used, declared or 0), target.sgpr_granule if name == "SGPR" else target.vgpr_granule
        )
        detail = "the kernel's metadata or descriptor asks for them, no instruction names them"
        steps.append(_step("declared beyond use", max(0, (declared or 0) - used), (), detail))
        steps.append(
            _step(
                "granule", total - len(live) - sum(step.count for step in steps), (),
                _granule_text(name, target),
            )
        )  # fmt: skip
    site: ListedInstruction | None = program.site(peak.slot) if peak is not None else None
    return FileReport(
        name, len(live), site, program.values(peak, physical), tuple(step for step in steps if step.count),
        used, declared, total,
    )  # fmt: skip


def _free_at_peak(
    name: str, kernel: Kernel, live: list[int], taken: Taken, physical: dict[int, int]
) -> list[Step]:
    """The steps from the live registers at the peak to the highest register in the code."""
    first = _FIRST[name]
    count = {"VGPR": taken.named.vgprs, "AGPR": taken.named.agprs, "SGPR": taken.named.sgprs}[name]
    apart = [unit for unit in live if not first <= unit < first + count]
    free = set(range(first, first + count)) - set(live)
    uses = taken.uses
    filled = {unit for _, register in kernel.abi.entry for unit in register.units} - uses.written
    unread, read = free & filled - uses.named, free & filled & uses.named
    unnamed = free - filled - uses.named
    given = set(physical.values())
    freed = unnamed & given
    unnamed -= given
    skipped = {unit for unit in unnamed if _next_named(unit, uses.named) in uses.aligned}
    elsewhere = free & uses.named - filled
    return [
        _step(
            "live outside of the numbered registers", -len(apart), apart,
            "VCC is set apart, and reserved below",
        ),
        _step("filled on entry, never read", None, unread, "the hardware fills them at places of the ABI"),
        _step(
            "filled on entry, dead at the peak", None, read,
            "the hardware fills them at places of the ABI; nothing else was put there",
        ),
        _step(
            "given by the allocator, then freed", None, freed,
            "a pass after allocation took away the last instruction that names it",
        ),
        _step("skipped for alignment", None, skipped, "the tuple above them starts at an even register"),
        _step("named by no instruction", None, unnamed - skipped, "below the highest register in use"),
        _step(
            "in tuples elsewhere", None, elsewhere & uses.tuples,
            "free at the peak; a tuple needs neighbours free all its life",
        ),
        _step(
            "in use elsewhere", None, elsewhere - uses.tuples,
            "free at the peak, with values before or after it",
        ),
    ]  # fmt: skip


def _next_named(unit: int, named: set[int]) -> int:
    """The lowest named unit above a unit that lies below the highest."""
    while unit not in named:
        unit += 1
    return unit


def _step(reason: str, count: int | None, units: Iterable[int], detail: str) -> Step:
    units = sorted(units)
    return Step(reason, len(units) if count is None else count, register_ranges(units), detail)


def _counted_too(name: str, taken: Taken) -> list[Step]:
    """The step from the highest named register to the metadata's count."""
    named = taken.named
    if name == "SGPR":
        count = sum(register.count for register in taken.apart)
        return [
            _step(spelt(taken.apart), count, (), "set apart from the numbered SGPRs, and counted with them")
        ]
    if name == "AGPR" or not named.agprs:
        return []
    return [
        _step(
            "start of the AGPRs", named.accum_offset - named.vgprs, (),
            "the offset of the AGPRs is a multiple of 4",
        ),
        _step("AGPRs", named.agprs, (), "both files share the same budget"),
    ]  # fmt: skip


def _granule_text(name: str, target: Target) -> str:
    if name == "VGPR":
        return f"vector registers come in {target.vgpr_granule}, at least a granule"
    return (
        "a wave has all of them"
        if target.sgpr_granule > target.sgprs
        else f"SGPRs come in {target.sgpr_granule}"
    )


_APART = (VCC, XNACK_MASK, FLAT_SCRATCH)
_NAMES = {VCC: "VCC", XNACK_MASK: "XNACK_MASK", FLAT_SCRATCH: "FLAT_SCRATCH"}


def set_apart(target: TargetId, names_vcc: bool, instructions: Iterable[Instr]) -> tuple[Register, ...]:
    """The pairs that are counted next to the numbered SGPRs; `names_vcc`: some instruction reads or writes
    VCC."""
    record = target.target
    known = _APART[: record.reserved_sgprs // VCC.count]
    in_use = {
        VCC: names_vcc,
        XNACK_MASK: "xnack-" not in target.features,
        FLAT_SCRATCH: record.architected_scratch
        or any(_spells(instr, FLAT_SCRATCH) for instr in instructions),
    }
    return known[: max((i + 1 for i, register in enumerate(known) if in_use[register]), default=0)]


def _spells(instr: Instr, wanted: Register) -> bool:
    """Whether an operand is the register; a flat access, which may reach it, does not count."""
    return any(isinstance(operand, Register) and operand.overlaps(wanted) for operand in instr.operands)


def spelt(registers: tuple[Register, ...]) -> str:
    """Their names in a row."""
    return ", ".join(_NAMES[register] for register in registers)
