"""The control-flow graph of a region: dominators, loops, and the blocks in which paths join."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from asmgen.mlir.source import Block, Region, Ssa
from isa.diagnostics import InputError

END = Block(-1)  # the end of all paths of a scope
Blocks = frozenset[Block]


class Loop(Struct, eq=False):
    """A header, the blocks from which the header is reached again within the loop, and the values of these
    blocks that are used after the loop."""

    header: Block
    blocks: Blocks
    live_out: tuple[Ssa, ...]


class Flow:
    """The graph of a region. `InputError` MLIR041 if a cycle has two entries."""

    def __init__(self, region: Region) -> None:
        self.blocks = _reachable(region.blocks[0])
        self.dominators = _dominators(self.blocks, {b: b.terminator.successors for b in self.blocks})
        self.loops = {
            header: _loop(header, tails, self.blocks) for header, tails in self._back_edges().items()
        }

    def _back_edges(self) -> dict[Block, list[Block]]:
        position = {block: i for i, block in enumerate(self.blocks)}
        tails: dict[Block, list[Block]] = {}
        for block in self.blocks:
            for target in block.terminator.successors:
                if target in self.dominators[block]:
                    tails.setdefault(target, []).append(block)
                elif position[target] <= position[block]:
                    message = f"block ^bb{target.number} is in a cycle that is entered at other blocks, too"
                    place = target.operations[0].place
                    raise InputError(place, "MLIR041", f"{message}, wanted loops with a single entry")
        return tails

    def join(self, block: Block, within: Blocks, header: Block | None) -> Block:
        """The first block of a scope that post-dominates a block; END if only the end of the scope does."""
        edges = {source: _inside(source.terminator.successors, within, header) for source in within}
        after = _dominators([END, *reversed([b for b in self.blocks if b in within])], _reversed(edges))
        own = after[block] - {block}
        return max(own, key=lambda dominator: len(after[dominator]), default=END)


def _inside(successors: Sequence[Block], within: Blocks, header: Block | None) -> list[Block]:
    targets = [target if target in within and target is not header else END for target in successors]
    return targets or [END]


def _reversed(edges: Mapping[Block, Iterable[Block]]) -> dict[Block, list[Block]]:
    sources: dict[Block, list[Block]] = {}
    for block, targets in edges.items():
        for target in targets:
            sources.setdefault(target, []).append(block)
    return sources


def _reachable(entry: Block) -> list[Block]:
    """The blocks in reverse post-order."""
    done: list[Block] = []
    seen = {entry}
    stack = [(entry, iter(entry.terminator.successors))]
    while stack:
        block, rest = stack[-1]
        target = next((successor for successor in rest if successor not in seen), None)
        if target is None:
            done.append(block)
            _ = stack.pop()
            continue
        seen.add(target)
        stack.append((target, iter(target.terminator.successors)))
    return done[::-1]


def _dominators(order: Sequence[Block], edges: Mapping[Block, Iterable[Block]]) -> dict[Block, set[Block]]:
    """The dominators of each block, with the block itself."""
    before = _reversed(edges)
    dominators = {block: set(order) for block in order}
    dominators[order[0]] = {order[0]}
    is_changed = True
    while is_changed:
        is_changed = False
        for block in order[1:]:
            known = [
                dominators[predecessor] for predecessor in before.get(block, ()) if predecessor in dominators
            ]
            new = (set[Block].intersection(*known) if known else set[Block]()) | {block}
            if new != dominators[block]:
                dominators[block], is_changed = new, True
    return dominators


def _loop(header: Block, tails: Collection[Block], blocks: Sequence[Block]) -> Loop:
    before = _reversed({block: block.terminator.successors for block in blocks})
    inside, pending = {header}, [tail for tail in tails if tail is not header]
    while pending:
        block = pending.pop()
        if block not in inside:
            inside.add(block)
            pending += before.get(block, [])
    return Loop(header, frozenset(inside), _used_outside(inside, blocks))


def _used_outside(inside: Collection[Block], blocks: Sequence[Block]) -> tuple[Ssa, ...]:
    defined: set[Ssa] = set()
    for block in inside:
        defined.update(block.arguments)
        for operation in block.operations:
            defined.update(operation.results)
    used: dict[Ssa, None] = {}
    for block in blocks:
        if block not in inside:
            for operation in block.operations:
                for inner in operation.walk():
                    used.update(dict.fromkeys([operand for operand in inner.operands if operand in defined]))
    return tuple(used)
