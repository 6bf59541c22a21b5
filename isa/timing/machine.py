"""The clock model's record of a target: numbers, each with its source and its trust.

The scheduler asks the same records, by `isa.timing.row_clocks`. Correctness does not depend on them: waits
are counted (`asmgen.passes.waits.waitcnt`) and wait states are rules (`isa.hazards`). docs/latencies.md has
the table.

Words of the records:

* **issue**: the clock in which a wave gives an instruction to a unit. A wave issues at most one a clock.
* **execution**: the clock in which the vector ALU begins to work on an instruction. On RDNA it is later than
  the issue: a queue is in between, and a wave issues on while its instructions wait in it. CDNA executes an
  instruction when it issues it.
* **clocks**: of the shader.
"""

from __future__ import annotations

from isa.named_tuple import NamedTuple
from isa.trust import Latency, Trust


class Machine(NamedTuple):
    """A target's numbers.

    From the issue of an instruction to the issue of the first instruction that may read its result, if no
    other wave competes (from execution to execution between two instructions of the same ALU):

    * `vector`, `transcendental`, `double`, `scalar`: of the vector ALU, of its transcendental instructions,
      of those on f64, and of the scalar ALU. `matrix_pass` is for each pass of a row, `matrix_result` from
      its last pass on
    * `scalar_memory`, `vector_memory`, `lds`: of loads that hit the nearest cache. `lds_chain`: `lds`
      with the wait for the load and the next address, as chains of loads are timed; the choice of tiles
      asks for it
    * `mask`: of a vector instruction's carry or comparison, to another vector instruction
    * `scalar_to_vector`: from a result of the scalar ALU to the issue of a vector instruction that reads it
    * `vector_to_scalar`, `vector_to_memory`: from execution of the vector ALU to the scalar ALU that touches
      the same register, and to any access of LDS or vector memory
    * `scalar_done`: from a result of the scalar ALU to a branch, to an access and to the instruction after a
      wait for the ALUs (s_wait_alu), and `vector_done` from execution of a vector instruction to the latter
    * `scalar_source`: from a vector instruction that reads an SGPR to a scalar instruction that writes any

    How long an instruction keeps its unit:

    * `issue`: the time from the issue of an instruction to the issue of the wave's next instruction
    * `quarter`, `wide`, `double_issue`: the vector ALU on instructions of a quarter of the rate, with 64-bit
      operands, and on f64
    * `transcendental_rate`, `transcendental_issue`: the transcendental pipe, and the issue of other vector
      instructions after a transcendental instruction
    * `matrix_shadow`: the issue of vector instructions after a matrix instruction, for each two registers of
      its widest factor; 0 if a matrix instruction keeps the vector ALU until it is done
    * `packed`: from the end of a matrix instruction to the issue of an instruction on pairs of f32, which
      cannot run beside it; 0 if it can
    * `product`, `wide_product`: the scalar ALU on products of 32 and of 64 bits; `scalar_float`: a result
      on floats
    * `access_issue`: an access of memory or LDS on the port to its unit; `address`: a vector access in the
      unit that reads its addresses

    Order within a wave:

    * `execute`, `matrix_execute`, `scalar_execute`: from issue to execution, if nothing is in its way
    * `queue`, `scalar_queue`: instructions of a SIMD between issue and the begin of execution in the vector
      and in the scalar ALU; 0 if execution begins with issue. `matrix_queue`: vector instructions of them
      that wait behind a matrix instruction.
    * `banks`: of vector registers, of which each gives a register a clock to the collectors
      (`isa.timing.collectors`); 0 if reads of registers take no time. `read`: from the issue of a vector
      instruction to its first read; it executes `execute` less `read` after its last
    * `credit`: from the begin of execution to the issue of the instruction that takes the place in the queue
    * `masks`: vector instructions of a wave that write SGPRs, until these are written; 0 if there is no limit
    * `matrix_early`: clocks by which a matrix instruction begins before a vector instruction ahead of it is
      done, unless that is transcendental
    * `matrix_drain`: from the end of a matrix instruction to the execution of another kind of vector
      instruction. `matrix_again`: from the execution of a matrix instruction to the issue of another that
      writes the same registers and is not right behind it.
    * `branch`: from a taken branch to the next instruction. `fall_through`: from a branch that is not taken.
    * `fetch`: of a piece of code that the instruction cache does not have, and `fetched` is its size in
      bytes. The fetch of the next piece begins when a wave has the piece before, so a wave that takes longer
      than `fetch` to get through a piece does not stop
    * `sleep`: of an s_sleep, for each unit of its immediate
    * `before_wait`: from an instruction of a unit to a wait, a clause or an s_nop after it
    * `delay_after_wait`: of an s_delay_alu right behind a wait
    * `overwrite`: from the end of an access's time in its first unit to a vector instruction that writes a
      register which the access reads. `sent`: after an access of memory, to any vector instruction and any
      s_nop of the wave; 0 if these wait for registers only.
    * `barrier`: from the last arrival at a barrier to the next instruction
    * `launch`: from the start of a wave to its first instruction, if that is in the instruction cache
    * `end`: from the end of the program to the end of the wave
    """

    issue: Latency
    quarter: Latency
    vector: Latency
    transcendental: Latency
    transcendental_rate: Latency
    transcendental_issue: Latency
    double: Latency
    matrix_pass: Latency
    matrix_result: Latency
    scalar: Latency
    scalar_memory: Latency
    vector_memory: Latency
    lds: Latency
    lds_chain: Latency
    branch: Latency
    mask: Latency
    scalar_to_vector: Latency
    vector_to_scalar: Latency
    vector_to_memory: Latency
    scalar_done: Latency
    vector_done: Latency
    scalar_source: Latency
    wide: Latency
    double_issue: Latency
    matrix_shadow: Latency
    packed: Latency
    product: Latency
    wide_product: Latency
    scalar_float: Latency
    access_issue: Latency
    address: Latency
    execute: Latency
    queue: Latency
    matrix_queue: Latency
    banks: Latency
    read: Latency
    credit: Latency
    masks: Latency
    matrix_execute: Latency
    matrix_early: Latency
    matrix_drain: Latency
    matrix_again: Latency
    scalar_execute: Latency
    scalar_queue: Latency
    fall_through: Latency
    fetch: Latency
    fetched: Latency
    sleep: Latency
    before_wait: Latency
    delay_after_wait: Latency
    overwrite: Latency
    sent: Latency
    barrier: Latency
    launch: Latency
    end: Latency


_LLVM = "LLVM SISchedule.td"
_META = "Meta Triton pull request 2507"
_META_MODEL = "Meta Triton, AMDLatencyModel: a conservative estimate"
_TUTORIAL = "AMD's tutorial kernels"
_TRACES = "tinygrad SQTT traces"
_PYHIP = "tingqli/pyhip, mem_latency on MI308X"
_CALCULATOR = "AMD matrix instruction calculator"
_DECODER = "AMD rocprof-trace-decoder"


def _documented(clocks: int) -> Latency:
    return Latency(clocks, _LLVM, Trust.DOCUMENTED)


def _derived(clocks: int) -> Latency:
    return Latency(clocks, _TRACES, Trust.DERIVED)


def _assumed(clocks: int) -> Latency:
    return Latency(clocks, _TRACES, Trust.ASSUMED)


# LLVM counts in steps of 4 clocks on these: 1 of the vector ALU, 80 of memory.
_CDNA2 = Machine(
    issue=_documented(4),
    quarter=_documented(16),
    vector=_documented(4),
    transcendental=_documented(16),
    transcendental_rate=_documented(16),
    transcendental_issue=_documented(16),
    double=_documented(4),
    matrix_pass=_documented(4),
    # chains of sums have no gap; other readers need wait states in the code
    matrix_result=Latency(0, _TUTORIAL, Trust.MEASURED),
    scalar=_documented(4),
    scalar_memory=_documented(20),
    vector_memory=_documented(320),
    lds=_documented(20),
    lds_chain=_documented(20),
    branch=_assumed(20),
    mask=_documented(4),
    scalar_to_vector=_assumed(0),
    vector_to_scalar=_assumed(4),
    vector_to_memory=_assumed(12),
    scalar_done=_assumed(0),
    vector_done=_assumed(4),
    scalar_source=_assumed(4),
    wide=_documented(4),
    double_issue=_documented(4),
    matrix_shadow=Latency(4, _CALCULATOR, Trust.DOCUMENTED),
    packed=Latency(12, _TUTORIAL, Trust.ASSUMED),
    product=_documented(4),
    wide_product=_documented(4),
    scalar_float=_documented(4),
    access_issue=_assumed(4),
    address=_assumed(4),
    execute=Latency(0, _DECODER, Trust.DOCUMENTED),
    queue=Latency(0, _DECODER, Trust.DOCUMENTED),
    matrix_queue=Latency(0, _DECODER, Trust.DOCUMENTED),
    banks=_assumed(0),
    read=_assumed(0),
    credit=Latency(0, _DECODER, Trust.DOCUMENTED),
    masks=Latency(0, _DECODER, Trust.DOCUMENTED),
    matrix_execute=Latency(0, _DECODER, Trust.DOCUMENTED),
    matrix_early=Latency(0, _DECODER, Trust.DOCUMENTED),
    matrix_drain=Latency(0, _DECODER, Trust.DOCUMENTED),
    matrix_again=Latency(0, _DECODER, Trust.DOCUMENTED),
    scalar_execute=Latency(0, _DECODER, Trust.DOCUMENTED),
    scalar_queue=Latency(0, _DECODER, Trust.DOCUMENTED),
    fall_through=_assumed(20),
    fetch=_assumed(300),
    fetched=_assumed(256),
    sleep=Latency(64, "CDNA3 ISA, S_SLEEP", Trust.DOCUMENTED),
    before_wait=_assumed(0),
    delay_after_wait=_assumed(0),
    overwrite=_assumed(0),
    sent=_assumed(0),
    barrier=_assumed(16),
    launch=_assumed(24),
    end=_assumed(4),
)
_CDNA3 = _CDNA2._replace(
    lds=Latency(52, _PYHIP, Trust.MEASURED), lds_chain=Latency(64, _TUTORIAL, Trust.MEASURED)
)
# Meta timed a loop of v_fma, each of which reads the last, at 8.4 clocks a v_fma. Triton 3.9 compiles it to
# trips of eight v_fma with a counter and a branch: at 4 clocks a v_fma, a trip has 7.5 for each.
_CDNA4 = _CDNA2._replace(
    vector=_derived(4),
    transcendental=Latency(8, _TUTORIAL, Trust.MEASURED),
    transcendental_rate=Latency(8, _TUTORIAL, Trust.MEASURED),
    transcendental_issue=Latency(8, _TUTORIAL, Trust.MEASURED),
    packed=Latency(12, _TUTORIAL, Trust.MEASURED),
    branch=_derived(20),
    fall_through=_derived(20),
    vector_to_memory=_derived(12),
    vector_memory=Latency(790, _META_MODEL, Trust.DOCUMENTED),
    lds=Latency(52, "as gfx942", Trust.ASSUMED),
    lds_chain=Latency(69, _META, Trust.MEASURED),
    end=_derived(4),
)
_RDNA3 = Machine(
    issue=_derived(1),
    quarter=_assumed(4),
    vector=_derived(5),
    transcendental=_documented(10),
    transcendental_rate=_assumed(4),
    transcendental_issue=_derived(1),
    double=_documented(38),
    matrix_pass=_documented(4),
    matrix_result=_assumed(1),
    scalar=_documented(2),
    scalar_memory=_documented(20),
    vector_memory=_documented(320),
    lds=_derived(37),
    lds_chain=_derived(37),
    branch=_derived(27),
    mask=_derived(1),
    scalar_to_vector=_derived(1),
    vector_to_scalar=_derived(9),
    vector_to_memory=_derived(9),
    scalar_done=_assumed(3),
    vector_done=_assumed(9),
    scalar_source=_derived(5),
    wide=_derived(2),
    double_issue=_derived(32),
    matrix_shadow=_derived(0),
    packed=_derived(0),
    product=_derived(1),
    wide_product=_assumed(5),
    scalar_float=_documented(4),
    access_issue=_derived(1),
    address=_derived(2),
    execute=_derived(8),
    queue=_derived(12),
    matrix_queue=_assumed(8),
    banks=Latency(4, "RDNA3 ISA, VOPD", Trust.DOCUMENTED),
    read=_derived(5),
    credit=_derived(3),
    masks=Latency(7, "RDNA3 ISA, S_WAITCNT_DEPCTR", Trust.DOCUMENTED),
    matrix_execute=_assumed(7),
    matrix_early=_assumed(4),
    matrix_drain=_assumed(5),
    matrix_again=_assumed(4),
    scalar_execute=_derived(4),
    scalar_queue=_derived(7),
    fall_through=_derived(3),
    fetch=_derived(375),
    fetched=_derived(256),
    sleep=Latency(64, "RDNA3 ISA, S_SLEEP", Trust.DOCUMENTED),
    before_wait=_derived(3),
    delay_after_wait=_assumed(1),
    overwrite=_assumed(6),
    sent=_derived(6),
    barrier=_derived(16),
    launch=_assumed(25),
    end=_assumed(1),
)
_RDNA4 = _RDNA3._replace(
    issue=Latency(1, _TRACES, Trust.ASSUMED),
    quarter=_derived(4),
    vector=_documented(5),
    transcendental_rate=_derived(4),
    lds=_derived(32),
    lds_chain=_derived(32),
    branch=_derived(9),
    fetch=_derived(553),
    scalar_done=_derived(3),
    vector_done=_derived(9),
    scalar_source=_derived(7),
    product=_derived(1),
    wide_product=Latency(5, _DECODER, Trust.DOCUMENTED),
    sent=_derived(6),
    matrix_queue=_derived(8),
    matrix_execute=_derived(7),
    matrix_early=_derived(4),
    matrix_drain=_derived(5),
    matrix_again=_derived(4),
    delay_after_wait=_derived(1),
    barrier=_derived(15),
    launch=_derived(25),
)

MACHINES: dict[str, Machine] = {
    "gfx90a": _CDNA2,
    "gfx942": _CDNA3,
    "gfx950": _CDNA4,
    "gfx1100": _RDNA3,
    "gfx1201": _RDNA4,
}
