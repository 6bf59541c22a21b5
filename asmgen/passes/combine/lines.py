"""Trace lines of the passes: a line for each instruction that was rewritten, shared, removed or inserted."""

from __future__ import annotations

from collections.abc import Iterator

from asmgen.passes.combine.common import Shared
from asmgen.passes.ssa import Rewriter, Site
from isa.instruction import Instr
from isa.names import RegisterNames
from isa.program import Block, Kernel
from isa.text.printing import format_instr


def rewritings(rewriter: Rewriter) -> Iterator[str]:
    """The mapping from old to new instructions, with the definitions that went into each."""
    names = RegisterNames(rewriter.kernel.owners)
    for site, after in rewriter.sites():
        before = rewriter.kernel.blocks[site.block].instructions[site.position]
        if before is not after:
            gone = [register for register in dict.fromkeys(before.used()) if register not in after.used()]
            drawn = "".join(
                f", by {format_instr(definition[1], names)}"
                for register in gone
                if (definition := rewriter.definition(register))
            )
            point, text = _point(rewriter.kernel, site), format_instr(after, names)
            yield f"{point}: {format_instr(before, names)} -> {text}{drawn}{_source(after)}"


def sharings(rewriter: Rewriter, shared: list[Shared]) -> Iterator[str]:
    """Each computation that repeats an earlier computation."""
    names = RegisterNames(rewriter.kernel.owners)
    for site, instr, earlier, register in shared:
        where = f"{rewriter.kernel.blocks[earlier.block].label}:{earlier.position}"
        point, text = _point(rewriter.kernel, site), format_instr(instr, names)
        yield f"{point}: {text} is {names(register)} of {where}{_source(instr)}"


def removals(before: Kernel, after: Kernel) -> Iterator[str]:
    """Each instruction that only `before` has: nothing used its result."""
    names = RegisterNames(before.owners)
    for number, (old, new) in enumerate(zip(before.blocks, after.blocks, strict=True)):
        kept = {id(instr) for instr in new.instructions}
        for position, instr in enumerate(old.instructions):
            if id(instr) not in kept:
                point = _point(before, Site(number, position))
                yield f"{point}: {format_instr(instr, names)} is dead{_source(instr)}"


def insertions(before: Kernel, after: Kernel) -> Iterator[str]:
    """Each instruction that only `after` has, with the instruction that follows it. Its comment gives the
    reason."""
    for number, (old, new) in enumerate(zip(before.blocks, after.blocks, strict=True)):
        known = {id(instr) for instr in old.instructions}
        for position, instr in enumerate(new.instructions):
            if id(instr) not in known:
                consumer = _next_known(new, position, known)
                yield (
                    f"{_point(after, Site(number, position))}: {format_instr(instr)} before "
                    f"{format_instr(consumer)}"
                    f"{_source(consumer)}, for {instr.comment}"
                )


def _next_known(block: Block, position: int, known: set[int]) -> Instr:
    """The first instruction from `position` on that existed before. A wait or a NOP always precedes such an
    instruction."""
    following = (instr for instr in block.instructions[position:] if id(instr) in known)
    known_instr = next(following, block.terminator)
    assert known_instr is not None, "nothing waits at the end of a block without a terminator"
    return known_instr


def _point(kernel: Kernel, site: Site) -> str:
    return f"{kernel.name}: {kernel.blocks[site.block].label}:{site.position}"


def _source(instr: Instr) -> str:
    origin = instr.origin
    return f" at {origin.place}" if origin is not None and origin.place is not None else ""
