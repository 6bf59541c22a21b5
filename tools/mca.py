"""llvm-mca's price of a straight line of instructions, with what it prices by accident priced alike.

A barrier, and each half of a split one, counts as one state: the tool's own price of it, 500 states or 2000
cycles, says nothing. `s_nop N` counts as N+1, `s_clause` as nothing: it is no work of any unit, and one state
more at such a place can move the tool's answer by 600 cycles, whatever instruction it is.

Global accesses are priced as buffer ones, because the tool counts them in lgkmcnt too, so that an LDS wait
would wait for memory. The unit is 4 clocks on gfx9 and 1 clock elsewhere. Transcendental functions have the
full rate, memory has a fixed latency and no bandwidth: compare the same target alone.
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
_ADDRESS = re.compile(
    r"\baddress 0x[0-9a-f]+$"
)  # of a branch in a code object, which the tool would leave out
_GLOBAL = re.compile(r"global_(load|store)_(\w+)\s+([^,]+),\s*([^,]+)")


class PricedLine(Struct, frozen=True):
    """An instruction's text, and its row's instruction where there is one."""

    text: str
    instr: Instr | None


def cycles(lines: Iterable[PricedLine], target: TargetId) -> float | None:
    """llvm-mca's cycles for one pass; None where the tool gives none."""
    no_offset = "null" if target.target.family == "rdna" else "0"
    text = "\n".join(part for line in lines for part in _priced(line, no_offset)) + "\n"
    command = [MCA, "-mtriple=amdgcn", f"-mcpu={target.target.name}", *_OPTIONS]
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    found = re.search(r"Total Cycles:\s+(\d+)", done.stdout)
    return float(found[1]) if found else None


def nop_states(instr: Instr | None) -> int:
    """The states that an instruction takes as a NOP, 0 of what is none."""
    if instr is None or Trait.NOP not in instr.row.traits:
        return 0
    operand = instr.operands[0]
    return operand.bits + 1 if isinstance(operand, Immediate) else 1


def _priced(line: PricedLine, no_offset: str) -> list[str]:
    """What means an instruction in llvm-mca's input."""
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
    found = _GLOBAL.match(text)
    if found is None:
        return text
    data, address = (found[3], found[4]) if found[1] == "load" else (found[4], found[3])
    address = re.sub(r"v\[(\d+):\d+\]", r"v\1", address.strip())
    return f"buffer_{found[1]}_{found[2]} {data.strip()}, {address}, s[0:3], {no_offset} offen"
