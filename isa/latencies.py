"""Latencies of results in clocks of a wave: a record per target, and a source for each number.

A latency is the time from the issue of an instruction to the issue of the first instruction that may read
its result, if no other wave competes. Only schedulers use latencies. Correctness does not depend on them:
waits are counted (`asmgen.passes.waits.waitcnt`) and wait states are rules (`isa.hazards`).

The sources are LLVM 22's SISchedule.td, Meta's Triton (pull request 2507, which times loops on an MI350),
AMD's tutorial kernels for gfx942 and gfx950, and tinygrad's public traces (`extra/sqtt/examples`, RX 7900
and RX 9060). docs/latencies.md has the table.
"""

from __future__ import annotations

from enum import Enum

from isa.instruction import Row, Trait, Unit
from isa.named_tuple import NamedTuple


class Trust(Enum):
    """How a number came to be."""

    MEASURED = "measured on the machine by the source"
    DOCUMENTED = "documented by a vendor or in a compiler's model"
    DERIVED = "derived from traces that others recorded"
    ASSUMED = "copied from a machine of the same family, because no number is known"


class Latency(NamedTuple):
    """A number of clocks, and its source."""

    clocks: int
    source: str
    trust: Trust


class Latencies(NamedTuple):
    """A target's numbers. `issue` is the time from the issue of an instruction to the issue of the wave's
    next instruction, and `quarter` the same for instructions of a quarter of the rate. `matrix_pass` is the
    time of each pass of a row."""

    issue: Latency
    quarter: Latency
    vector: Latency
    transcendental: Latency
    double: Latency
    matrix_pass: Latency
    scalar: Latency
    scalar_memory: Latency
    vector_memory: Latency
    lds: Latency
    branch: Latency


_LLVM = "LLVM SISchedule.td"
_META = "Meta Triton pull request 2507"
_TUTORIAL = "AMD's tutorial kernels"
_TRACES = "tinygrad SQTT traces"


def _documented(clocks: int) -> Latency:
    return Latency(clocks, _LLVM, Trust.DOCUMENTED)


# LLVM counts in steps of 4 clocks on these: 1 of the vector ALU, 80 of memory.
_CDNA2 = Latencies(
    issue=_documented(4),
    quarter=_documented(16),
    vector=_documented(4),
    transcendental=_documented(16),
    double=_documented(4),
    matrix_pass=_documented(4),
    scalar=_documented(4),
    scalar_memory=_documented(20),
    vector_memory=_documented(320),
    lds=_documented(20),
    branch=_documented(32),
)
_CDNA3 = _CDNA2._replace(lds=Latency(64, _TUTORIAL, Trust.MEASURED))
# A v_fma that reads the previous v_fma was timed at 8 clocks here (Meta); a second wave fills the gap, so
# that the vector ALU is as LLVM has it.
_CDNA4 = _CDNA2._replace(
    transcendental=Latency(8, _TUTORIAL, Trust.MEASURED),
    vector_memory=Latency(790, _META, Trust.MEASURED),
    lds=Latency(69, _META, Trust.MEASURED),
)
_RDNA3 = Latencies(
    issue=Latency(1, _TRACES, Trust.DERIVED),
    quarter=Latency(4, _TRACES, Trust.ASSUMED),
    vector=Latency(5, _TRACES, Trust.DERIVED),
    transcendental=_documented(10),
    double=_documented(38),
    matrix_pass=_documented(4),
    scalar=_documented(2),
    scalar_memory=_documented(20),
    vector_memory=_documented(320),
    lds=Latency(37, _TRACES, Trust.DERIVED),
    branch=_documented(32),
)
_RDNA4 = _RDNA3._replace(
    issue=Latency(1, _TRACES, Trust.ASSUMED),
    quarter=Latency(4, _TRACES, Trust.DERIVED),
    vector=_documented(5),
    lds=Latency(32, _TRACES, Trust.DERIVED),
    branch=Latency(19, _TRACES, Trust.DERIVED),
)

LATENCIES: dict[str, Latencies] = {
    "gfx90a": _CDNA2,
    "gfx942": _CDNA3,
    "gfx950": _CDNA4,
    "gfx1100": _RDNA3,
    "gfx1201": _RDNA4,
}

_DOUBLE = frozenset({"f64"})


def result_latency(row: Row, latencies: Latencies) -> int:
    """The clocks until the results of a row's instruction may be read."""
    unit = row.unit
    if unit is Unit.VALU:
        if any(row.operands[i].type in _DOUBLE for i in row.defines):
            return latencies.double.clocks
        return max(latencies.vector.clocks, issue_clocks(row, latencies))
    if unit is Unit.MATRIX:
        return max(row.passes, 1) * latencies.matrix_pass.clocks + latencies.issue.clocks
    return _of_unit(latencies)[unit].clocks


def issue_clocks(row: Row, latencies: Latencies) -> int:
    """The clocks after which the wave's next instruction may issue."""
    if row.unit is Unit.TRANS or Trait.QUARTER in row.traits:
        return latencies.quarter.clocks
    return latencies.issue.clocks


def _of_unit(latencies: Latencies) -> dict[Unit, Latency]:
    return {
        Unit.SALU: latencies.scalar,
        Unit.SMEM: latencies.scalar_memory,
        Unit.TRANS: latencies.transcendental,
        Unit.VMEM: latencies.vector_memory,
        Unit.FLAT: latencies.vector_memory,
        Unit.SCRATCH: latencies.vector_memory,
        Unit.LDS: latencies.lds,
        Unit.BRANCH: latencies.branch,
        Unit.CONTROL: latencies.scalar,
    }
