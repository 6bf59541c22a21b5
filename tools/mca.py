"""llvm-mca's price of a straight sequence of instructions, with its arbitrary prices replaced.

* A barrier, and each half of a split barrier, is a state: llvm-mca's 500 states or 2000 cycles are
  meaningless.
* `s_nop N` is N+1 states.
* `s_clause` is nothing. It occupies no unit, and any extra state here can change the result by 600 cycles.
* A global access is the buffer access: llvm-mca counts global accesses in lgkmcnt too, so LDS waits would
  wait for memory.

The unit is 4 clocks on gfx9 and 1 clock elsewhere. Transcendental functions have the full rate, and memory
has a fixed latency and no bandwidth, so compare only results for the same target.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable

from msgspec import Struct

from isa.instruction import Immediate, Instr, Trait
from isa.targets import TargetId

MCA = "llvm-mca-22"
_SECONDS = 20.0
_OPTIONS = ("-iterations=1", "-instruction-info=false", "-skip-unsupported-instructions=any")
# the target of a branch in a code object, which llvm-mca would drop
_ADDRESS = re.compile(r"\baddress 0x[0-9a-f]+$")
_GLOBAL = re.compile(r"global_(load|store)_(\w+)\s+([^,]+),\s*([^,]+)")


class PricedLine(Struct, frozen=True):
    """The text of an instruction, and the instruction if a row reads it."""

    text: str
    instr: Instr | None


def cycles(lines: Iterable[PricedLine], target: TargetId) -> float | None:
    """llvm-mca's cycles for the sequence, run once; None if llvm-mca prints none."""
    no_offset = "null" if target.target.family == "rdna" else "0"
    text = "\n".join(part for line in lines for part in _priced(line, no_offset)) + "\n"
    command = [MCA, "-mtriple=amdgcn", f"-mcpu={target.target.name}", *_OPTIONS]
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    total = re.search(r"Total Cycles:\s+(\d+)", done.stdout)
    return float(total[1]) if total else None


def nop_states(instr: Instr | None) -> int:
    """The states of a NOP; 0 for any other instruction."""
    if instr is None or Trait.NOP not in instr.row.traits:
        return 0
    operand = instr.operands[0]
    return operand.bits + 1 if isinstance(operand, Immediate) else 1


def _priced(line: PricedLine, no_offset: str) -> list[str]:
    """The instruction as llvm-mca's input."""
    traits = line.instr.row.traits if line.instr else frozenset[Trait]()
    if traits & {Trait.END, Trait.CLAUSE}:
        return []
    if traits & {Trait.BARRIER, Trait.SIGNAL}:
        return ["s_nop 0"]
    if Trait.NOP in traits:
        return ["s_nop 0"] * nop_states(line.instr)
    named = _ADDRESS.sub(".Lthere", re.sub(r"\s*<.*$", "", line.text))
    return [_as_buffer(named, no_offset)]


def _as_buffer(text: str, no_offset: str) -> str:
    """A global access as the buffer access with the same data and address registers."""
    access = _GLOBAL.match(text)
    if access is None:
        return text
    data, address = (access[3], access[4]) if access[1] == "load" else (access[4], access[3])
    address = re.sub(r"v\[(\d+):\d+\]", r"v\1", address.strip())
    return f"buffer_{access[1]}_{access[2]} {data.strip()}, {address}, s[0:3], {no_offset} offen"
