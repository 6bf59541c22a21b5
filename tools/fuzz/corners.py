"""Corners: differences between our waits and LLVM's that are right, each with its reason and its test on
rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from msgspec import Struct

from isa.hazards.facts import is_class_test
from isa.hazards.matrix import has_its_pace
from isa.instruction import Encoding, Event, Instr, Trait, Unit
from isa.registers import SCC, VCC, Register
from isa.target import Target
from tools.judge import STRONGER, WEAKER, Finding

_MATRIX = frozenset({Unit.MATRIX})
_MEMORY = frozenset({Unit.VMEM, Unit.FLAT, Unit.SCRATCH, Unit.SMEM})
_DPP8 = "dpp8"
_TTMPS, _FIRST_PAIR = Register(108, 16), Register(0, 2)
_SCALAR_WAITS = frozenset({"sa_sdst", "va_sdst"})
_ALU_WAITS = _SCALAR_WAITS | {"va_vcc"}
_MESSAGE_COUNTERS = frozenset({"lgkmcnt", "kmcnt"})
_DPP = frozenset({Encoding.DPP, Encoding.E64_DPP})


class Case(Struct, frozen=True, dict=True):
    """A finding, the `consumer` that waits, and all `others`: the program's instructions without waits."""

    finding: Finding
    consumer: Instr
    others: tuple[Instr, ...]
    target: Target

    @cached_property
    def registers(self) -> tuple[Register, ...]:
        """Every register that the consumer touches."""
        return self.consumer.used() + self.consumer.defined()

    def producers(self) -> Iterator[Instr]:
        """The program's instructions that write a register that the consumer touches."""
        return (
            instr
            for instr in self.others
            if any(left.overlaps(mine) for left in instr.defined() for mine in self.registers)
        )

    @property
    def is_states(self) -> bool:
        return self.finding.what == "states"

    def units(self, among: frozenset[Unit]) -> int:
        """The number of the program's instructions in these units."""
        return sum(instr.row.unit in among for instr in self.others)

    @property
    def branches(self) -> bool:
        return any(Trait.BRANCH in instr.row.traits for instr in self.others)


class Corner(Struct, frozen=True):
    """A difference of this `kind` that is not a fault if `holds` is true."""

    name: str
    kind: str
    holds: Callable[[Case], bool]
    reason: str


def corner_of(case: Case) -> Corner | None:
    """The corner that explains a finding, or None: then it is a fault of ours or of the judge."""
    return next(
        (corner for corner in CORNERS if corner.kind == case.finding.kind and corner.holds(case)), None
    )


def _before_a_barrier(case: Case) -> bool:
    return bool(case.consumer.row.traits & {Trait.BARRIER, Trait.SIGNAL})


def _beside_lds_dma(case: Case) -> bool:
    return not case.is_states and any(Trait.LDS_DMA in instr.row.traits for instr in case.others)


def _behind_a_dot_of_other_lanes(case: Case) -> bool:
    return case.is_states and any(
        Trait.DOT in instr.row.traits and instr.row.encoding in _DPP for instr in case.producers()
    )


def _behind_two_matrices(case: Case) -> bool:
    return case.is_states and case.units(_MATRIX) - (case.consumer.row.unit in _MATRIX) >= 2


def _paths_of_two_matrices(case: Case) -> bool:
    return case.is_states and case.branches and case.units(_MATRIX) >= 2


def _paths_of_two_dots(case: Case) -> bool:
    dots = {instr.row for instr in case.others if Trait.DOT in instr.row.traits}
    return case.is_states and case.branches and case.consumer.row in dots and len(dots) >= 2


def _keeps_a_half(case: Case) -> bool:
    is_of_results = case.is_states or case.finding.what == "va_vdst"
    return is_of_results and bool(case.consumer.row.ties) and Trait.HALF_WRITE in case.consumer.row.traits


def _keeps_a_scalar(case: Case) -> bool:
    """True for a scalar move that depends on SCC."""
    row = case.consumer.row
    return (
        case.finding.what in _ALU_WAITS
        and row.unit is Unit.SALU
        and bool(row.ties)
        and SCC in row.reads
        and SCC not in row.writes
    )


def _answers_of_messages(case: Case) -> bool:
    return case.finding.what in _MESSAGE_COUNTERS and any(
        Event.MESSAGE in instr.row.events for instr in case.producers()
    )


def _in_a_clause(case: Case) -> bool:
    return (
        case.is_states
        and case.finding.ours == case.finding.wanted + 1
        and case.consumer.row.unit in _MEMORY
        and case.units(_MEMORY) >= 2
    )


def _behind_sixteen_passes(case: Case) -> bool:
    shorter = case.finding.ours == case.finding.wanted + 1
    return (
        case.is_states
        and shorter
        and any(instr.row.passes == 16 and Trait.XDL in instr.row.traits for instr in case.producers())
    )


def _of_another_pace(case: Case) -> bool:
    """True if a matrix instruction accumulates into the tuple of another that does not forward to it."""
    accumulators = set(case.consumer.used()) if case.consumer.row.unit is Unit.MATRIX else set[Register]()
    matrices = (instr for instr in case.producers() if instr.row.unit is Unit.MATRIX)
    return case.is_states and any(
        not accumulators.isdisjoint(instr.defined()) and not has_its_pace(instr, case.consumer)
        for instr in matrices
    )


def _of_dpp8_transcendentals(case: Case) -> bool:
    return case.finding.what == "va_vdst" and any(
        instr.row.unit is Unit.TRANS and instr.row.form == _DPP8 for instr in case.others
    )


def _of_dpp8_masks(case: Case) -> bool:
    carries = (instr for instr in case.others if instr.row.form == _DPP8)
    return case.finding.what in _ALU_WAITS and any(
        register.overlaps(VCC) for instr in carries for register in instr.used()
    )


def _beside_a_trap_register(case: Case) -> bool:
    """True if the program reads a ttmp, and the consumer touches a ttmp or the register that LLVM confuses it
    with."""
    reads = any(register.overlaps(_TTMPS) for instr in case.others for register in instr.used())
    meets = any(register.overlaps(other) for register in case.registers for other in (_FIRST_PAIR, _TTMPS))
    return case.finding.what in _SCALAR_WAITS and reads and meets


def _between_kept_scalars(case: Case) -> bool:
    """True if an instruction of the program may keep a scalar. It then reads it, and that read waited for the
    VALU."""
    return case.finding.what == "va_sdst" and any(_keeps(instr) for instr in case.others)


def _keeps(instr: Instr) -> bool:
    return instr.row.unit is Unit.SALU and bool(instr.row.ties)


def _of_a_wide_shift(case: Case) -> bool:
    """LLVM exchanges registers around the shift; the judge reads these instructions as idle."""
    return (
        case.finding.what == "idle"
        and Trait.WIDE_SHIFT in case.consumer.row.traits
        and not case.target.shift_reads_last_vgpr
    )


def _class_test_of_parts(case: Case) -> bool:
    row = case.consumer.row
    return not case.is_states and row.encoding is Encoding.SDWA and is_class_test(row)


def _of_every_lane(case: Case) -> bool:
    """A DPP move that must have all lanes and `bound_ctrl` keeps nothing of its destination."""
    specs = case.consumer.row.modifiers
    return case.is_states and any(spec.name == "bound_ctrl" and spec.required for spec in specs)


def _between_paths(case: Case) -> bool:
    return case.is_states and case.branches


CORNERS: tuple[Corner, ...] = (
    Corner("barrier", STRONGER, _before_a_barrier,
        "the memory model asks for waits at a barrier, and LLVM's wait insertion does not know it"),
    Corner("LDS DMA", STRONGER, _beside_lds_dma,
        "LLVM waits for LDS DMA only if memory operands say so, and text has none"),
    Corner("dot of other lanes", STRONGER, _behind_a_dot_of_other_lanes,
        "LLVM does not recognise the DPP forms of dot products"),
    Corner("several matrices", STRONGER, _behind_two_matrices,
        "LLVM looks at the nearest overlapping matrix instruction, we look at each register"),
    Corner("matrices on paths", WEAKER, _paths_of_two_matrices,
        "LLVM combines the distance on a path with the states of a matrix instruction on another"),
    Corner("dots on paths", WEAKER, _paths_of_two_dots,
        "the same for dot products: LLVM takes a dot product on another path as the producer"),
    Corner("kept half", STRONGER, _keeps_a_half,
        "a write of half a register keeps the other half: our rows read the old value, LLVM's do not"),
    Corner("kept scalar", STRONGER, _keeps_a_scalar,
        "LLVM does not model that s_cmov reads the value that it may keep"),
    Corner("answers of messages", STRONGER, _answers_of_messages,
        "LLVM assumes that answers come in order; if scalar loads use the same counter we assume no order"),
    Corner("store in a clause", STRONGER, _in_a_clause,
        "LLVM counts the registers that a store reads only after a load in the clause"),
    Corner("sixteen passes", STRONGER, _behind_sixteen_passes,
        "LLVM adds no state for a 16-pass XDL result at distance 19; the manual has 20"),
    Corner("another pace", STRONGER, _of_another_pace,
        "LLVM forwards an accumulator between any two instructions, the manual only between equal kinds"),
    Corner("longer path", STRONGER, _between_paths,
        "LLVM visits each block once, on the first path to it, which may not be the shortest"),
    Corner("DPP8 before", STRONGER, _of_dpp8_transcendentals,
        "LLVM does not mark DPP8 forms of transcendentals as transcendental"),
    Corner("DPP8 between", WEAKER, _of_dpp8_transcendentals,
        "the same: LLVM does not count them as instructions that passed in between"),
    Corner("DPP8 masks", STRONGER, _of_dpp8_masks,
        "LLVM does not list DPP8 forms among the readers of VCC as a mask"),
    Corner("class tests", WEAKER, _class_test_of_parts,
        "LLVM assumes that a class test in SDWA also writes VCC, and waits for that"),
    Corner("moves to every lane", WEAKER, _of_every_lane,
        "LLVM ties the destination of a DPP move to an old value, which a move to every lane does not read"),
    Corner("kept scalar between", WEAKER, _between_kept_scalars,
        "the same: a reader of an SGPR has waited for the VALU write"),
    Corner("wide shift", WEAKER, _of_a_wide_shift,
        "LLVM moves the shift amount out of the last VGPR of eight; we declare another VGPR instead"),
    Corner("ttmp", WEAKER, _beside_a_trap_register,
        "LLVM treats every ttmp as s0 when it asks which SGPRs were read and written"),
)  # fmt: skip
