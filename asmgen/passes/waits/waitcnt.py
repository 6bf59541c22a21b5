"""Waits in the target's scheme: before the first use of a pending result, with the largest counts that
suffice, and merged if they follow each other shortly."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from msgspec.structs import replace

from asmgen.passes.forward import insert_needed, rewritten
from asmgen.passes.waits.counters import Counters, is_copy_wait
from isa.instruction import Instr, Row, Trait, Unit
from isa.program import Block, Kernel
from isa.table import Table
from isa.waits import is_stated, waited, waits_for

Needs = dict[
    str, tuple[int, Instr]
]  # by counter: how many accesses may stay pending, and the access waited for


def insert_waits(kernel: Kernel, counters: Counters | None = None) -> Kernel:
    """A kernel in which no register is read or overwritten while a load may still write it.

    `counters` is the state at its entry. Without it nothing is pending there, and every access of LDS may
    meet every direct load to LDS.

    States of all linear edges are joined, around loops to the fixed point. Existing waits are respected, and
    tightened if they are too weak, so the pass finds nothing to do on its own output. Marked waits for
    asynchronous copies (`Instr.awaits`) are replaced by waits with the largest counts that suffice. A barrier
    waits for the wave's own LDS accesses; selection has put the waits for global memory before it. Order
    between memory accesses of different workgroups is the program's responsibility.
    """
    counters = counters or Counters(kernel.table.target)
    waiting = insert_needed(kernel, counters, meet, partial(_put, kernel.table))
    if all(instr.awaits is None for instr in waiting.instructions()):
        return waiting
    return waiting.with_blocks(
        [
            block.with_instructions([one for one in block.instructions if not is_copy_wait(one)])
            for block in waiting.blocks
        ]
    )


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
        last = result.pop()
        if is_copy_wait(last):
            continue
        comment = last.comment
        if comment:
            purposes.setdefault(next(iter(before)), []).insert(0, comment)
        counts |= {name: min(count, counts.get(name, count)) for name, count in before.items()}
    for wait in waits_for(table, counts, consumer.origin):
        comments = [comment for name in wait.counters for comment in purposes.get(name, ())]
        result.append(replace(wait.instr, comment="; ".join(comments)))


def _purpose(counter: str, producer: Instr) -> str:
    origin = producer.origin  # without an op it is the line of a machine text
    where = f", {origin.place}" if origin is not None and origin.op and origin.place is not None else ""
    return f"{counter}: {producer.row.mnemonic}{where}"


MOST_BETWEEN = 4  # instructions between the waits that wait longer after merging
MOST_WITHOUT_PAIRS = 1  # the same on targets without dual instructions


def merge_waits(kernel: Kernel) -> Kernel:
    """An equivalent kernel with fewer waits: waits shortly after each other are merged.

        s_waitcnt vmcnt(1)              s_waitcnt vmcnt(0)
        v_mov_b32 v4, v0                v_mov_b32 v4, v0
        s_waitcnt vmcnt(0)       is     v_mov_b32 v5, v1
        v_mov_b32 v5, v1

    Results of loads that were issued together arrive together. Starting a few instructions earlier gains less
    than the issue of the second wait costs, and less than pairs gain, which never form across a wait. Without
    pairs only a single instruction may stand between: more of them are worth a wait, as each takes four
    clocks. Stores between the waits, for which nothing in the wave waits, count like instructions that start
    earlier. Waits that a person states stay in their place.
    """
    return kernel.with_blocks([_merged(block, kernel) for block in kernel.blocks])


def _merged(block: Block, kernel: Kernel) -> Block:
    code = list(block.instructions)
    position = 0
    while position < len(code):
        later = _mergeable(code, position, kernel)
        if later is None:
            position += 1
            continue
        first, second = code[position], code.pop(later)
        before, after = waited(first), waited(second)
        counts = {name: min(count, after.get(name, count)) for name, count in before.items()}
        (wait,) = waits_for(kernel.table, counts, first.origin)
        comment = "; ".join(filter(None, (first.comment, second.comment)))
        code[position] = replace(wait.instr, comment=comment)
    return block.with_instructions(code)


def _mergeable(code: list[Instr], position: int, kernel: Kernel) -> int | None:
    """The next wait for the same counters that few instructions separate from a wait."""
    counters = waited(code[position])
    if not counters or is_stated(code[position]):
        return None
    most = MOST_BETWEEN if kernel.table.duals else MOST_WITHOUT_PAIRS
    for later in range(position + 1, min(position + most + 2, len(code))):
        after = waited(code[later])
        if after:
            return later if after.keys() <= counters.keys() and not is_stated(code[later]) else None
        if not _may_wait(code[later].row, kernel, counters.keys()):
            return None
    return None


def _may_wait(row: Row, kernel: Kernel, counters: Collection[str]) -> bool:
    """Whether an instruction may wait for later loads: an arithmetic instruction, or a store that the waits
    do not count."""
    if row.unit is Unit.VALU:
        return not row.events
    counted = [counter for counter in kernel.target.target.counters if counter.name in counters]
    is_store = row.unit in (Unit.VMEM, Unit.FLAT) and Trait.STORE in row.traits
    return is_store and not any(counter.events & set(row.events) for counter in counted)
