"""Waits that a kernel by hand states itself: `k.wait(vm=2)`.

The compiler inserts the waits that a program needs, so a stated wait is never needed. It is a promise of its
author: after it, the results are there. If a later reader still needs a stronger wait for an access from
before the stated wait, the promise is wrong, and the error names both lines.
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.assembly.recorder import Recorder
from asmgen.assembly.values import is_whole
from asmgen.passes.forward import rewritten
from asmgen.passes.waits.counters import Counters
from isa.diagnostics import InputError
from isa.instruction import Event, Instr
from isa.program import Block, Kernel
from isa.waits import STATED_WAIT, is_stated, waited, waits_for

_ROLES = {
    "vm": Event.VMEM_LOAD,
    "store": Event.VMEM_STORE,
    "lds": Event.LDS,
    "lgkm": Event.LDS,
    "scalar": Event.SMEM_LOAD,
}


def put_wait(recorder: Recorder, counts: Mapping[str, int]) -> None:
    """Append the waits for some counters. A counter has the target's name, or that of its accesses: `vm`,
    `store`, `lds`, `scalar`, or `lgkm` as `lds`. `InputError` HND025 for another name or a count that the
    counter cannot have."""
    recorder.at(STATED_WAIT)
    recorder.require_open()
    found: dict[str, int] = {}
    if not counts:
        raise recorder.fault("HND025", "got no counter, wanted at least one counter: k.wait(vm=0)")
    for name, count in counts.items():
        event = _ROLES.get(name)
        counters = [one for one in recorder.target.counters if name == one.name or event in one.events]
        if not counters or not is_whole(count) or not 0 <= count <= counters[0].maximum:
            known = ", ".join([*_ROLES, *(one.name for one in recorder.target.counters)])
            raise recorder.fault("HND025", f"got {name}={count}, wanted a count of one of {known}")
        found[counters[0].name] = count
    for wait in waits_for(recorder.table, found, recorder.origin):
        recorder.append(wait.instr)


def check_waits(kernel: Kernel) -> None:
    """`InputError` HND026 at a stated wait if a later reader needs a stronger wait; `kernel` is
    allocated."""
    if any(is_stated(instr) for instr in kernel.instructions()):
        _ = rewritten(kernel, Counters(kernel.table.target), _check_block)


def _check_block(block: Block, counters: Counters) -> list[Instr]:
    stated: dict[str, Instr] = {}
    for instr in block.code:
        needed = counters.needed(instr)
        for name, (count, producer) in needed.items():
            if name in stated:
                raise _too_weak(stated[name], name, count, producer, instr)
        counts = waited(instr)
        if is_stated(instr):
            stated.update(dict.fromkeys(counts, instr))
        counters.wait({**{name: count for name, (count, _) in needed.items()}, **counts})
        counters.issue(instr)
        for name in [name for name in stated if not _events(counters, name).isdisjoint(instr.row.events)]:
            del stated[name]
    return list(block.instructions)


def _events(counters: Counters, name: str) -> frozenset[Event]:
    return next(state.counter.events for state in counters.states if state.counter.name == name)


def _too_weak(wait: Instr, name: str, count: int, producer: Instr, reader: Instr) -> InputError:
    place = wait.origin.place if wait.origin and wait.origin.place else "wait"
    got = waited(wait)[name]
    notes = tuple(
        f"{role} {instr.origin.op} of line {instr.origin.place.line}"
        for role, instr in (("it leaves", producer), ("the reader is", reader))
        if instr.origin is not None and instr.origin.place is not None
    )
    return InputError(
        place, "HND026", f"the wait leaves up to {got} accesses of {name} under way, wanted at most {count}",
        notes, "leave the wait out: the compiler inserts the waits that the program needs",
    )  # fmt: skip
