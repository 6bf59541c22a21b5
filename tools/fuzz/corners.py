"""Where we and LLVM part, and are right to: each corner with its reason, told by rows and facts."""

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
    """One finding with the instructions around it: `consumer` waits, `others` are all of the program's, waits
    apart."""

    finding: Finding
    consumer: Instr
    others: tuple[Instr, ...]
    target: Target

    @cached_property
    def registers(self) -> tuple[Register, ...]:
        """Every register that the consumer touches."""
        return self.consumer.used() + self.consumer.defined()

    def producers(self) -> Iterator[Instr]:
        """The instructions of the program that write what the consumer touches."""
        return (
            instr
            for instr in self.others
            if any(left.overlaps(mine) for left in instr.defined() for mine in self.registers)
        )

    @property
    def is_states(self) -> bool:
        return self.finding.what == "states"

    def units(self, among: frozenset[Unit]) -> int:
        """How many instructions of the program are of these units."""
        return sum(instr.row.unit in among for instr in self.others)

    @property
    def branches(self) -> bool:
        return any(Trait.BRANCH in instr.row.traits for instr in self.others)


class Corner(Struct, frozen=True):
    """A difference that is no fault: of this kind, where `holds`."""

    name: str
    reason: str
    kind: str
    holds: Callable[[Case], bool]


def corner_of(case: Case) -> Corner | None:
    """The corner that a finding is in, or None: then it is a fault, ours or the judge's."""
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
    """A scalar move that depends on SCC."""
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
    """Whether a matrix instruction accumulates into the very tuple of one with which it forwards nothing."""
    accumulators = set(case.consumer.used()) if case.consumer.row.unit is Unit.MATRIX else set[Register]()
    matrices = (instr for instr in case.producers() if instr.row.unit is Unit.MATRIX)
    return case.is_states and any(
        not has_its_pace(instr, case.consumer) and not accumulators.isdisjoint(instr.defined())
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
    """Whether the program reads a ttmp, and the consumer one too, or what LLVM takes it for."""
    reads = any(register.overlaps(_TTMPS) for instr in case.others for register in instr.used())
    meets = any(register.overlaps(other) for register in case.registers for other in (_FIRST_PAIR, _TTMPS))
    return case.finding.what in _SCALAR_WAITS and reads and meets


def _between_kept_scalars(case: Case) -> bool:
    """Whether an instruction of the program kept a scalar, which it thereby read; a scalar read has waited
    for the VALU."""
    return case.finding.what == "va_sdst" and any(_keeps(instr) for instr in case.others)


def _keeps(instr: Instr) -> bool:
    return instr.row.unit is Unit.SALU and bool(instr.row.ties)


def _of_a_wide_shift(case: Case) -> bool:
    """LLVM exchanges registers around it: instructions of its own, which the judge takes for idle ones."""
    return (
        case.finding.what == "idle"
        and Trait.WIDE_SHIFT in case.consumer.row.traits
        and not case.target.shift_reads_last_vgpr
    )


def _class_test_of_parts(case: Case) -> bool:
    row = case.consumer.row
    return not case.is_states and row.encoding is Encoding.SDWA and is_class_test(row)


def _between_paths(case: Case) -> bool:
    return case.is_states and case.branches


CORNERS: tuple[Corner, ...] = (
    Corner("barrier",
        "what a barrier waits for is the memory model's, which LLVM's wait insertion does not know", STRONGER,
        _before_a_barrier),
    Corner("LDS DMA",
        "LLVM waits for what comes to LDS by DMA only where memory operands say so; text has none", STRONGER,
        _beside_lds_dma),
    Corner("dot of other lanes", "LLVM does not take the DPP forms of dot products for dot products",
        STRONGER, _behind_a_dot_of_other_lanes),
    Corner("several matrices",
        "LLVM looks at the nearest matrix instruction that overlaps, we at each register", STRONGER,
        _behind_two_matrices),
    Corner("matrices on paths",
        "LLVM takes the distance of one path and the states of another's matrix instruction", WEAKER,
        _paths_of_two_matrices),
    Corner("dots on paths",
        "the same of dot products: it takes one that it met on another path for the producer", WEAKER,
        _paths_of_two_dots),
    Corner("kept half", "a write of one half keeps the other: our rows read the old value, LLVM's only write",
        STRONGER, _keeps_a_half),
    Corner("kept scalar", "LLVM does not say that s_cmov reads what it may keep", STRONGER, _keeps_a_scalar),
    Corner("answers of messages",
        "LLVM has them in the order asked for; where scalar loads count too we trust none", STRONGER,
        _answers_of_messages),
    Corner("store in a clause", "LLVM counts what a store reads only once the clause has loaded something",
        STRONGER, _in_a_clause),
    Corner("sixteen passes",
        "LLVM adds no state for a 16-pass XDL result at distance 19, where the manual has 20", STRONGER,
        _behind_sixteen_passes),
    Corner("another pace", "LLVM forwards an accumulator between any two, the manual between like ones",
        STRONGER, _of_another_pace),
    Corner("longer path",
        "LLVM looks at each block once, on the first path it takes, which need not be the shortest", STRONGER,
        _between_paths),
    Corner("DPP8 before", "LLVM's DPP8 forms of transcendentals lack the mark of one", STRONGER,
        _of_dpp8_transcendentals),
    Corner("DPP8 between", "the same: LLVM does not count them as what has passed in between", WEAKER,
        _of_dpp8_transcendentals),
    Corner("DPP8 masks", "nor are those of what reads VCC as a mask among the readers that LLVM lists",
        STRONGER, _of_dpp8_masks),
    Corner("class tests", "LLVM takes a class test in SDWA to write VCC next to its mask, and waits for that",
        WEAKER, _class_test_of_parts),
    Corner("kept scalar between", "the same: what reads an SGPR has waited for the VALU that wrote it",
        WEAKER, _between_kept_scalars),
    Corner("wide shift",
        "LLVM moves the amount of a shift out of the last VGPR of eight; emission declares one more", WEAKER,
        _of_a_wide_shift),
    Corner("ttmp", "LLVM takes every ttmp for s0 where it asks which SGPRs were read and written", WEAKER,
        _beside_a_trap_register),
)  # fmt: skip
