"""Changes of a program that are tried: instructions removed, and others inserted before or after slots."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from asmgen.report.values import Slot
from isa.instruction import Instr
from isa.program import Block, Kernel, VirtualRegister
from regalloc.slots import PARAMETERS

_NOTHING: tuple[Instr, ...] = ()


class Draft(Struct, frozen=True):
    """A change of a program.

    * `removed`: slots of removed instructions
    * `before`, `after`: instructions inserted beside a slot; after slot `PARAMETERS` is the start of a block.
      Before the terminator is before the copies of the edges' arguments
    * `owners`: virtual registers that the change adds
    * `moved`: the units with a definition or a use that the change moves; `kept`: the further units that the
      instructions put in read
    """

    removed: frozenset[Slot] = frozenset()
    before: Mapping[Slot, tuple[Instr, ...]] = field(default_factory=dict[Slot, tuple[Instr, ...]])
    after: Mapping[Slot, tuple[Instr, ...]] = field(default_factory=dict[Slot, tuple[Instr, ...]])
    owners: tuple[VirtualRegister, ...] = ()
    moved: frozenset[int] = frozenset()
    kept: frozenset[int] = frozenset()

    def is_like(self, other: Draft) -> bool:
        """Whether both change the program in the same way."""
        return (self.removed, self.before, self.after) == (other.removed, other.before, other.after)

    def excludes(self, other: Draft) -> bool:
        """Whether the two cannot be applied together: one moves a unit that the other relies on."""
        return not (
            self.moved.isdisjoint(other.moved)
            and self.moved.isdisjoint(other.kept)
            and self.kept.isdisjoint(other.moved)
        )

    @property
    def added(self) -> int:
        """How many more instructions the changed program has."""
        put_in = sum(len(instrs) for table in (self.before, self.after) for instrs in table.values())
        return put_in - len(self.removed)


def together(drafts: list[Draft]) -> Draft:
    """Drafts that do not exclude each other as a single draft. Only one of them may add virtual
    registers."""
    before: dict[Slot, tuple[Instr, ...]] = {}
    after: dict[Slot, tuple[Instr, ...]] = {}
    for draft in drafts:
        for table, given in ((before, draft.before), (after, draft.after)):
            for slot, instrs in given.items():
                table[slot] = (*table.get(slot, _NOTHING), *instrs)
    return Draft(
        frozenset[Slot]().union(*(draft.removed for draft in drafts)), before, after,
        tuple(owner for draft in drafts for owner in draft.owners),
        frozenset[int]().union(*(draft.moved for draft in drafts)),
        frozenset[int]().union(*(draft.kept for draft in drafts)),
    )  # fmt: skip


def applied(kernel: Kernel, draft: Draft) -> Kernel:
    """The changed program."""
    blocks = [
        block.with_instructions(_changed(number, block, draft)) for number, block in enumerate(kernel.blocks)
    ]
    changed = kernel.with_blocks(blocks)
    changed.owners = [*kernel.owners, *draft.owners]
    return changed


def _changed(number: int, block: Block, draft: Draft) -> list[Instr]:
    instructions = [*draft.after.get((number, PARAMETERS), _NOTHING)]
    for index, instr in enumerate(block.instructions):
        slot = number, index
        instructions += draft.before.get(slot, _NOTHING)
        if slot not in draft.removed:
            instructions.append(instr)
        instructions += draft.after.get(slot, _NOTHING)
    copies = len(block.instructions)
    for index in (copies, copies + 1):  # the copies of the edges, and the terminator
        instructions += draft.before.get((number, index), _NOTHING)
    return instructions


def moved(draft: Draft, slot: Slot) -> Slot:
    """The slot of the changed program of an instruction that stays."""
    block, index = slot
    added = sum(
        len(instrs)
        for table, reach in ((draft.before, index), (draft.after, index - 1))
        for (number, at), instrs in table.items()
        if number == block and at <= reach
    )
    gone = sum(number == block and at < index for number, at in draft.removed)
    return block, index + added - gone
