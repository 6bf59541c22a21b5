"""The values that a loop of one block passes from trip to trip, and whether its instructions may be of other
trips.

A *value* of the loop is a virtual register that its instructions define, by its first unit. A parameter of
the block is the value that its argument was in the trip before: a use of it names this value and one trip.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from asmgen.passes.dead import is_removable
from asmgen.passes.dependence.carried import back_edges
from asmgen.passes.dependence.facts import order_facts
from isa.instruction import Instr, Trait
from isa.named_tuple import NamedTuple
from isa.program import Block, Edge, Kernel
from isa.registers import FIRST_VIRTUAL, SCC, Register
from isa.semantics.control import CONTROLS, Branch


class ValueUse(NamedTuple):
    """An instruction reads the value that the trip made that was so many trips before."""

    value: int
    trips: int


class Shape(NamedTuple):
    """A loop of one block.

    * `number`: of its block
    * `code`: its instructions before the terminator
    * `exits`: the linear and the logical edge that leave the loop
    * `again`: the empty block on the way back, if any
    * `passed`: the value that each parameter becomes in the next trip, by their first units
    * `makers`: the instructions that define parts of each value
    * `uses`: the values that each instruction reads
    """

    number: int
    block: Block
    code: Sequence[Instr]
    exits: tuple[Edge, Edge]
    again: str
    passed: Mapping[int, int]
    makers: Mapping[int, Sequence[int]]
    uses: Sequence[Sequence[ValueUse]]


def shape_of(kernel: Kernel, number: int) -> Shape | None:
    """The shape of a loop; None if its instructions must stay in their trip: they change EXEC or other
    registers of the machine, or the program says their order, or a parameter becomes something else than a
    value of the loop, or the loop does not set all of a value."""
    block = kernel.blocks[number]
    edges, terminator = back_edges(kernel, block), block.terminator
    if edges is None or terminator is None or Trait.CONDITIONAL_BRANCH not in terminator.row.traits:
        return None
    if not set(terminator.units.read) <= {SCC.first} or any(map(_stays, block.instructions)):
        return None
    if [edge.target for edge in block.linear] != [edge.target for edge in block.logical]:
        return None
    makers = _makers(kernel, block)
    if not _are_whole(kernel, block, makers):
        return None
    passed = _passed(kernel, block, edges, makers)
    ways = [edge.target for edge in block.linear]
    back = next((way for way in ways if way == block.label or _leads_to(kernel, way, block.label)), None)
    if passed is None or back is None:
        return None
    out = 1 - ways.index(back)
    uses = [_uses(kernel, instr, makers, passed) for instr in block.instructions]
    return Shape(
        number, block, block.instructions, (block.linear[out], block.logical[out]),
        "" if back == block.label else back, passed, makers, uses,
    )  # fmt: skip


def only_test(shape: Shape) -> int:
    """The number of the test of a loop; -1 if other instructions than the branch read its result."""
    test = max((at for at, instr in enumerate(shape.code) if instr.units.writes_scc), default=-1)
    is_read = any(SCC.first in instr.units.read for instr in shape.code[test + 1 :])
    return -1 if is_read or not is_removable(shape.code[test].row) else test


def goes_back_if_set(shape: Shape) -> bool | None:
    """Whether the next trip begins if SCC is set, or if it is not set; None if the branch tests something
    else."""
    terminator, (taken, _) = shape.block.terminator, shape.block.linear
    meaning = None if terminator is None else CONTROLS.get(terminator.row.semantics)
    if not isinstance(meaning, Branch) or meaning.register != SCC:
        return None
    return meaning.nonzero is (taken.target != shape.exits[0].target)


def _stays(instr: Instr) -> bool:
    return (
        bool(instr.phase)
        or instr.awaits is not None
        or order_facts(instr.row).fence
        or any(unit < FIRST_VIRTUAL and unit != SCC.first for unit in instr.units.written)
        or not instr.row.traits.isdisjoint((Trait.LDS_DMA,))
    )


def _makers(kernel: Kernel, block: Block) -> dict[int, list[int]]:
    makers: dict[int, list[int]] = {}
    for at, instr in enumerate(block.instructions):
        for register in instr.defined():
            if register.is_virtual:
                makers.setdefault(kernel.owner(register).first, []).append(at)
    return makers


def _are_whole(kernel: Kernel, block: Block, values: Iterable[int]) -> bool:
    """Whether the loop sets all units of its values. A trip hands them on as a whole, and an edge must not
    read a unit that nothing sets."""
    written = {unit for instr in block.instructions for unit in instr.units.written}
    return all(written.issuperset(kernel.owners[value - FIRST_VIRTUAL].register.units) for value in values)


def _leads_to(kernel: Kernel, label: str, target: str) -> bool:
    block = kernel.block(label)
    return not block.instructions and block.terminator is None and block.linear[0].target == target


def _passed(
    kernel: Kernel, block: Block, edges: tuple[Edge, Edge], makers: Mapping[int, object]
) -> dict[int, int] | None:
    passed: dict[int, int] = {}
    both = (*block.scalar_parameters, *block.vector_parameters)
    for parameter, argument in zip(both, (*edges[0].arguments, *edges[1].arguments), strict=True):
        if not isinstance(argument, Register) or not argument.is_virtual:
            return None
        owner = kernel.owner(argument)
        is_like = owner.register_class is kernel.register_class(parameter) and owner.register == argument
        if not is_like or owner.first not in makers or owner.first in passed.values():
            return None
        passed[parameter.first] = owner.first
    return passed


def _uses(
    kernel: Kernel, instr: Instr, makers: Mapping[int, object], passed: Mapping[int, int]
) -> Sequence[ValueUse]:
    uses: dict[ValueUse, None] = {}
    for register in instr.used():
        if register.is_virtual:
            first = kernel.owner(register).first
            if first in makers:
                uses[ValueUse(first, 0)] = None
            elif first in passed:
                uses[ValueUse(passed[first], 1)] = None
    return list(uses)
