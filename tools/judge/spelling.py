"""Waits in assembly for LLVM's assembler: to ask it again with less than we had."""

from __future__ import annotations

from isa.targets import TARGETS
from tools.llvm_hazards.decode import ALU_COUNTERS

_LONGEST_NOP = 8


def nops(states: int) -> list[str]:
    """`s_nop`s of so many states together."""
    return [f"s_nop {min(_LONGEST_NOP, states - first) - 1}" for first in range(0, states, _LONGEST_NOP)]


def wait_texts(counts: dict[str, int], cpu: str) -> list[str]:
    """The waits for these counts: one for those that share an instruction."""
    ways = {counter.name: counter.wait for counter in TARGETS[cpu].counters}
    alone = [name for name in counts if name not in ALU_COUNTERS and ways.get(name) != "s_waitcnt"]
    together = [f"{name}({counts[name]})" for name in counts if ways.get(name) == "s_waitcnt"]
    alu = [f"depctr_{name}({counts[name]})" for name in counts if name in ALU_COUNTERS]
    texts = [f"s_waitcnt {' '.join(together)}"] if together else []
    texts += [
        f"s_waitcnt_vscnt null, {counts[name]:#x}" if name == "vscnt" else f"s_wait_{name} {counts[name]:#x}"
        for name in alone
    ]
    if alu:
        texts.append(("s_waitcnt_depctr " if "vscnt" in ways else "s_wait_alu ") + " ".join(alu))
    return texts
