"""Waits: before the first use of a result that is under way, with the largest counts that suffice, by the target's scheme."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from asmgen.passes.counters import Counters
from asmgen.passes.forward import insert_needed
from isa.instruction import Instr
from isa.program import Kernel
from isa.table import Table
from isa.waits import waited, waits_for

Needs = dict[str, tuple[int, Instr]]  # by counter: how many accesses may stay under way, and the one waited for


def insert_waits(kernel: Kernel) -> Kernel:
    """A kernel in which no register is read or overwritten while a load may still write it.

    States of all linear edges are joined, around loops to the fixed point. Waits that stand already are respected and
    tightened where they are too weak, so that the pass finds nothing to do on its own output. A barrier waits for the
    wave's own LDS accesses; order between memory accesses of different workgroups is the program's business.
    """
    return insert_needed(kernel, Counters(kernel.table.target), meet, partial(_put, kernel.table))


def meet(counters: Counters, instr: Instr) -> Needs | None:
    """Let `instr` issue after the waits it needs; those."""
    needed = counters.needed(instr)
    if needed:
        counters.wait({name: count for name, (count, _) in needed.items()})
    counters.issue(instr)
    return needed or None


def _put(table: Table, result: list[Instr], needed: Needs, consumer: Instr) -> None:
    """The waits that are needed, in one with those that stand just before."""
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
    where = f", {producer.origin.place}" if producer.origin is not None and producer.origin.place is not None else ""
    return f"{counter}: {producer.row.mnemonic}{where}"
