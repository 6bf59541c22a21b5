"""Loops that test in their header, as loops of one block that test at their end.

loop(%i):  s_cmp_lt_u32 %i, %n            loop(%j):   s_cmp_lt_u32 %j, %n     once, before the first trip
           s_cbranch_scc0 done                        s_cbranch_scc0 skip
body:      ...                     is     body(%i):   ...
           loop(%next)                                s_cmp_lt_u32 %next, %n
done:      reads %i                                   s_cbranch_scc0 leave
                                                      body(%next)
                                          done(%k):   reads %k, which is %j or %next
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from asmgen.passes.schedule.modulo.blocks import (
    Ends,
    Labels,
    block_of,
    copied,
    fork,
    jump,
    renamed_block,
    renamed_instr,
    units_read,
    with_own_registers,
)
from isa.instruction import Instr, Trait
from isa.named_tuple import NamedTuple
from isa.program import Block, Kernel
from isa.registers import FIRST_VIRTUAL, Register, units_of

MOST_TEST = 8  # instructions of a header, which the loop repeats at its end


class Headed(NamedTuple):
    """A loop that tests in its header: the numbers of the header and of its body."""

    header: int
    body: int


def headed_loops(kernel: Kernel) -> Iterator[Headed]:
    """The loops of a header and a single further block. Only parameters of the header are read elsewhere."""
    numbers = {block.label: number for number, block in enumerate(kernel.blocks)}
    for body in range(len(kernel.blocks)):
        loop = _loop_of(kernel, body, numbers)
        if loop is not None:
            yield loop


def headed_loop(kernel: Kernel, label: str) -> Headed | None:
    """The loop with a header that has a block as its body, if any."""
    numbers = {block.label: number for number, block in enumerate(kernel.blocks)}
    return _loop_of(kernel, numbers[label], numbers)


def _loop_of(kernel: Kernel, body: int, numbers: Mapping[str, int]) -> Headed | None:
    block = kernel.blocks[body]
    if not _is_body(block):
        return None
    header = numbers[block.linear[0].target]
    if header >= body or not _tests(kernel.blocks[header], block.label):
        return None
    entered = [edge for other in kernel.blocks for edge in other.linear if edge.target == block.label]
    return Headed(header, body) if len(entered) == 1 and not _gives_results(kernel, header) else None


def _is_body(block: Block) -> bool:
    return (
        block.terminator is None
        and not block.scalar_parameters
        and not block.vector_parameters
        and [edge.target for edge in block.linear] == [edge.target for edge in block.logical]
        and all(
            isinstance(each, Register) for edge in (*block.linear, *block.logical) for each in edge.arguments
        )
    )


def _tests(header: Block, body: str) -> bool:
    targets = [edge.target for edge in header.linear]
    return (
        header.terminator is not None
        and Trait.CONDITIONAL_BRANCH in header.terminator.row.traits
        and body in targets
        and len(header.instructions) <= MOST_TEST
        and sorted(targets) == sorted(edge.target for edge in header.logical)
        and not any(edge.arguments for edge in (*header.linear, *header.logical))
    )


def _gives_results(kernel: Kernel, header: int) -> bool:
    """Whether another block reads a result of the header's instructions."""
    code = kernel.blocks[header].instructions
    made = {unit for instr in code for unit in instr.units.written if unit >= FIRST_VIRTUAL}
    return bool(made) and any(
        not made.isdisjoint(units_read(block))
        for number, block in enumerate(kernel.blocks)
        if number != header
    )


def rotated(kernel: Kernel, loop: Headed) -> Kernel:
    """The kernel with the loop as a loop of one block, which has the label of its body."""
    kernel = with_own_registers(kernel)
    header, body = kernel.blocks[loop.header], kernel.blocks[loop.body]
    assert header.terminator is not None
    names = Labels(kernel)
    skip, enter, leave, again, join = [
        names.new(f"{body.label}_{part}") for part in ("skip", "enter", "leave", "again", "join")
    ]
    out = next(edge.target for edge in header.linear if edge.target != body.label)
    parameters = (*header.scalar_parameters, *header.vector_parameters)
    passed = [each for edge in (*body.linear, *body.logical) for each in edge.arguments]
    given = {each.first: copied(kernel, each.first) for each in parameters}
    later = {old.first: new for old, new in zip(parameters, passed, strict=True) if isinstance(new, Register)}
    outside = [units_read(block) for number, block in enumerate(kernel.blocks) if number not in loop]
    after = {first: copied(kernel, first) for first in _read_among(kernel, given, outside)}

    def sides(way_out: str, way_on: str) -> Ends:
        return fork([way_out if edge.target == out else way_on for edge in header.linear])

    top = renamed_block(kernel, header, given).instructions
    code = [*body.instructions, *_test_again(kernel, header, later)]
    next_trip = [later[each.first] for each in parameters]
    made = [
        block_of(kernel, skip, (), (), jump(kernel, join, [given[first] for first in after])),
        block_of(kernel, enter, (), (), jump(kernel, body.label, given.values())),
        block_of(kernel, body.label, parameters, code, sides(leave, again), header.terminator),
        block_of(kernel, again, (), (), jump(kernel, body.label, next_trip)),
        block_of(kernel, leave, (), (), jump(kernel, join, [later[first] for first in after])),
        block_of(kernel, join, after.values(), (), fork([out])),
    ]
    first = block_of(kernel, header.label, given.values(), top, sides(skip, enter), header.terminator)
    return _with_loop(kernel, loop, first, made, after)


def _test_again(kernel: Kernel, header: Block, later: Mapping[int, Register]) -> list[Instr]:
    """The instructions of a header on the values of the next trip."""
    tests, by = list[Instr](), dict(later)
    for instr in header.instructions:
        by.update((each.first, copied(kernel, each.first)) for each in instr.defined() if each.is_virtual)
        tests.append(renamed_instr(kernel, instr, by))
    return tests


def _with_loop(
    kernel: Kernel, loop: Headed, header: Block, body: Iterable[Block], after: Mapping[int, Register]
) -> Kernel:
    """The kernel with other blocks in place of a loop's header and body. `after` are the registers that
    blocks outside read in place of the header's parameters."""
    units = units_of([kernel.owners[first - FIRST_VIRTUAL].register for first in after])
    blocks: list[Block] = []
    for number, block in enumerate(kernel.blocks):
        if number == loop.header:
            blocks.append(header)
        elif number == loop.body:
            blocks += body
        else:
            is_reader = not units.isdisjoint(units_read(block))
            blocks.append(renamed_block(kernel, block, after) if is_reader else block)
    return kernel.with_blocks(blocks)


def _read_among(kernel: Kernel, parameters: Iterable[int], read: Iterable[set[int]]) -> list[int]:
    """The parameters of which some blocks read units."""
    units = set[int]().union(*read)
    return [
        first
        for first in parameters
        if not units.isdisjoint(kernel.owners[first - FIRST_VIRTUAL].register.units)
    ]
