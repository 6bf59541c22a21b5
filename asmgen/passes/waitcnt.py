"""Waits: `s_waitcnt` before the first use of a result that is under way, with the largest counts that suffice."""

from __future__ import annotations

from functools import partial

from asmgen.passes.counters import Counters
from asmgen.passes.forward import insert_needed
from isa.instruction import Instr, ModifierValue, Row, Trait
from isa.program import Kernel
from isa.targets import parse_target

Needs = dict[str, tuple[int, Instr]]  # by counter: how many accesses may stay under way, and the one waited for


def insert_waits(kernel: Kernel) -> Kernel:
    """A kernel in which no register is read or overwritten while a load may still write it.

    States of all linear edges are joined, around loops to the fixed point. Waits that stand already are respected and
    tightened where they are too weak, so that the pass finds nothing to do on its own output. A barrier waits for the
    wave's own LDS accesses; order between memory accesses of different workgroups is the program's business.
    """
    wait = kernel.table.row("s_waitcnt")
    return insert_needed(kernel, Counters(parse_target(kernel.target).target), _meet, partial(_put, wait))


def _meet(counters: Counters, instr: Instr) -> Needs | None:
    """Let `instr` issue after the waits it needs; those."""
    needed = counters.needed(instr)
    counters.wait({name: count for name, (count, _) in needed.items()})
    counters.issue(instr)
    return needed or None


def _put(wait: Row, result: list[Instr], needed: Needs, instr: Instr) -> None:
    before = result.pop() if result and Trait.WAIT in result[-1].row.traits else None
    result.append(_wait(wait, needed, before, instr))


def _wait(wait: Row, needed: Needs, before: Instr | None, consumer: Instr) -> Instr:
    """One wait for all the counters, merged with the one that stands just before."""
    modifiers: list[tuple[str, ModifierValue]] = []
    for spec in wait.modifiers:
        counts = [value for name, value in (before.modifiers if before is not None else ()) if name == spec.name and isinstance(value, int)]
        if spec.name in needed:
            counts.append(needed[spec.name][0])
        if counts:
            modifiers.append((spec.name, min(counts)))
    comments = [before.comment] if before is not None and before.comment else []
    comments += [_purpose(name, producer) for name, (_, producer) in needed.items()]
    return Instr(wait, (), tuple(modifiers), consumer.origin, comment="; ".join(comments))


def _purpose(counter: str, producer: Instr) -> str:
    where = f", {producer.origin.place}" if producer.origin is not None and producer.origin.place is not None else ""
    return f"{counter}: {producer.row.mnemonic}{where}"
