"""Waits: before the first use of a pending result, with the largest counts that suffice, in the target's
scheme."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from asmgen.passes.forward import insert_needed, rewritten
from asmgen.passes.waits.counters import Counters
from isa.instruction import Instr, Trait
from isa.program import Block, Kernel
from isa.table import Table
from isa.waits import waited, waits_for

Needs = dict[
    str, tuple[int, Instr]
]  # by counter: how many accesses may stay pending, and the access waited for


def insert_waits(kernel: Kernel, counters: Counters | None = None) -> Kernel:
    """A kernel in which no register is read or overwritten while a load may still write it.

    `counters` is the state at its entry. Without it nothing is pending there, and every access of LDS may
    meet every direct load to LDS.

    States of all linear edges are joined, around loops to the fixed point. Existing waits are respected, and
    tightened if they are too weak, so the pass finds nothing to do on its own output. A barrier waits for the
    wave's own LDS accesses; selection has put the waits for global memory before it. Order between memory
    accesses of different workgroups is the program's responsibility.
    """
    return insert_needed(kernel, counters or Counters(kernel.table.target), meet, partial(_put, kernel.table))


def drop_idle_waits(kernel: Kernel) -> Kernel:
    """The kernel without waits for counters that have no pending access on any path.

    A counter is left alone if it may have pending cache control, which it ignores.
    """
    if not any(waited(instr) for instr in kernel.instructions()):
        return kernel
    controlling = (instr.row.events for instr in kernel.instructions() if Trait.CACHE in instr.row.traits)
    controls = {event for events in controlling for event in events}
    ignoring = (counter for counter in kernel.table.target.counters if counter.ignores_caches)
    kept = {counter.name for counter in ignoring if not counter.events.isdisjoint(controls)}

    def put_in(block: Block, counters: Counters) -> list[Instr]:
        result: list[Instr] = []
        for instr in block.code:
            counts = waited(instr)
            is_idle = counters.is_idle(counts) and kept.isdisjoint(counts)
            counters.issue(instr)
            if not is_idle and instr is not block.terminator:
                result.append(instr)
        return result

    return kernel.with_blocks(rewritten(kernel, Counters(kernel.table.target), put_in))


def meet(counters: Counters, instr: Instr) -> Needs | None:
    """Let `instr` issue after the waits it needs. Returns these waits."""
    needed = counters.needed(instr)
    if needed:
        counters.wait({name: count for name, (count, _) in needed.items()})
    counters.issue(instr)
    return needed or None


def _put(table: Table, result: list[Instr], needed: Needs, consumer: Instr) -> None:
    """The required waits, merged with adjacent waits."""
    counts = {name: count for name, (count, _) in needed.items()}
    purposes = {name: [_purpose(name, producer)] for name, (_, producer) in needed.items()}
    while result and (before := waited(result[-1])):
        comment = result.pop().comment
        if comment:
            purposes.setdefault(next(iter(before)), []).insert(0, comment)
        counts |= {name: min(count, counts.get(name, count)) for name, count in before.items()}
    for wait in waits_for(table, counts, consumer.origin):
        comments = [comment for name in wait.counters for comment in purposes.get(name, ())]
        result.append(replace(wait.instr, comment="; ".join(comments)))


def _purpose(counter: str, producer: Instr) -> str:
    where = (
        f", {producer.origin.place}"
        if producer.origin is not None and producer.origin.place is not None
        else ""
    )
    return f"{counter}: {producer.row.mnemonic}{where}"
