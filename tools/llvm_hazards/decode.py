"""Decodes the instructions that LLVM inserts: wait states as a number, waits as a count for each counter."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from isa.targets import TARGETS

BLOCK = "bb"  # the line that marks the start of a block
_HEAD = re.compile(r"(?:.* = )?([A-Z]\w*)\s*(.*)")
_NUMBER = re.compile(r"(?:\$\w+,\s*)?(-?\d+)")
_TAGGED = re.compile(r",? debug-instr-number \d+.*")


class Field(NamedTuple):
    """The bits of a count in the immediate of a wait. The upper two bits of CDNA's vmcnt are at `apart`."""

    shift: int
    width: int
    apart: int = 0

    @property
    def full(self) -> int:
        return (1 << self.width) - 1

    def of(self, immediate: int) -> int:
        if not self.apart:
            return immediate >> self.shift & self.full
        return immediate & 15 | immediate >> self.apart << 4 & 0x30


# S_WAITCNT by the family of the target.
_WAITCNT = {
    "cdna": {"vmcnt": Field(0, 6, 14), "expcnt": Field(4, 3), "lgkmcnt": Field(8, 4)},
    "rdna": {"expcnt": Field(0, 3), "lgkmcnt": Field(4, 6), "vmcnt": Field(10, 6)},
}
# s_waitcnt_depctr and s_wait_alu.
_ALU = {
    "va_vdst": Field(12, 4), "va_sdst": Field(9, 3), "va_ssrc": Field(8, 1), "hold_cnt": Field(7, 1),
    "vm_vsrc": Field(2, 3), "va_vcc": Field(1, 1),
    "sa_sdst": Field(0, 1),
}  # fmt: skip
_DEPENDENCES = (
    "", "VALU_DEP_1", "VALU_DEP_2", "VALU_DEP_3", "VALU_DEP_4", "TRANS32_DEP_1", "TRANS32_DEP_2",
    "TRANS32_DEP_3", "FMA_ACCUM_CYCLE_1",
    "SALU_CYCLE_1", "SALU_CYCLE_2", "SALU_CYCLE_3", "", "", "", "",
)  # fmt: skip
_SKIPS = ("SAME", "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4", "", "")
# The waits for a counter, and for two at a time.
_SINGLE = {
    "S_WAITCNT_VMCNT": ("vmcnt", 63), "S_WAITCNT_EXPCNT": ("expcnt", 7), "S_WAITCNT_LGKMCNT": ("lgkmcnt", 63),
    "S_WAITCNT_VSCNT": ("vscnt", 63),
    "S_WAIT_LOADCNT": ("loadcnt", 63), "S_WAIT_SAMPLECNT": ("samplecnt", 63), "S_WAIT_BVHCNT": ("bvhcnt", 7),
    "S_WAIT_EXPCNT": ("expcnt", 7),
    "S_WAIT_STORECNT": ("storecnt", 63), "S_WAIT_DSCNT": ("dscnt", 63), "S_WAIT_KMCNT": ("kmcnt", 31),
}  # fmt: skip
_DOUBLE = {
    "S_WAIT_LOADCNT_DSCNT": {"loadcnt": Field(8, 6), "dscnt": Field(0, 6)},
    "S_WAIT_STORECNT_DSCNT": {"storecnt": Field(8, 6), "dscnt": Field(0, 6)},
}
# The largest count of each counter, which means no wait.
FULL = (
    dict(_SINGLE.values())
    | {name: field.full for fields in _WAITCNT.values() for name, field in fields.items()}
    | {name: field.full for name, field in _ALU.items()}
)
ALU_COUNTERS = frozenset(_ALU)


class Inserted(NamedTuple):
    """The waits before an instruction: wait states, the counts of counters that it waits for, the number of
    vector instructions that only take time (v_nop, a dummy move), and the delay hints."""

    states: int
    counts: dict[str, int]
    idle: int = 0
    delay: str = ""

    def joined(self, other: Inserted) -> Inserted:
        """Both, in sequence."""
        counts = dict(self.counts)
        for name, count in other.counts.items():
            counts[name] = min(count, counts.get(name, count))
        return Inserted(self.states + other.states, counts, self.idle + other.idle, other.delay or self.delay)

    def __bool__(self) -> bool:
        return bool(self.states or self.counts or self.idle or self.delay)


NOTHING = Inserted(0, {})


@cache
def decoded(text: str, cpu: str = "gfx942") -> Inserted | None:
    """The waits of an instruction of machine IR; None if it is not a wait."""
    head = _HEAD.match(_TAGGED.sub("", text))
    name, rest = head.groups() if head else (text, "")
    number = _NUMBER.match(rest)
    immediate = int(number.group(1)) if number else 0
    if name == "S_NOP":
        return Inserted(immediate + 1, {})
    if name == "S_WAITCNT":
        return Inserted(0, decode_counts(immediate, cpu))
    if name == "S_WAITCNT_DEPCTR":
        return Inserted(0, _counts(_ALU, immediate))
    if name in _SINGLE:
        counter, full = _SINGLE[name]
        return Inserted(0, {counter: immediate} if immediate < full else {})
    if name in _DOUBLE:
        return Inserted(0, _counts(_DOUBLE[name], immediate))
    if name == "S_DELAY_ALU":
        return Inserted(0, {}, delay=_delay(immediate) if number else rest)
    return Inserted(0, {}, idle=1) if name.startswith("V_NOP") else None


def _delay(immediate: int) -> str:
    """The operand of an s_delay_alu as LLVM prints it."""
    first, skip, second = (
        _DEPENDENCES[immediate & 15],
        _SKIPS[immediate >> 4 & 7],
        _DEPENDENCES[immediate >> 7 & 15],
    )
    return f".id0_{first}" + (f"_skip_{skip}_id1_{second}" if second else "")


def decode_counts(immediate: int, cpu: str = "gfx942") -> dict[str, int]:
    """The counts of an s_waitcnt, without counts at their maximum, which mean no wait."""
    return _counts(_WAITCNT[TARGETS[cpu].family], immediate)


def _counts(fields: dict[str, Field], immediate: int) -> dict[str, int]:
    return {name: field.of(immediate) for name, field in fields.items() if field.of(immediate) != field.full}


def put_in(lines: Iterable[str], cpu: str = "gfx942") -> Inserted:
    """The waits of the instructions that LLVM inserted, in total; a move among them is a dummy."""
    total = NOTHING
    for text in lines:
        total = total.joined(decoded(text, cpu) or Inserted(0, {}, idle=1 if "V_MOV" in text else 0))
    return total
