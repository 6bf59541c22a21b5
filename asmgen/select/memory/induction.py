"""Addresses that advance with a loop, instead of being computed from its counter in every trip.

In a loop over i by 4096, the address 4*i + 4*row + 16*lane takes three instructions a trip. It grows by 16384
a trip. So it begins before the loop at its first value, in a parameter of the loop, and takes a single
addition a trip:

    before: v1 = 4*start + 4*row + 16*lane
    loop:   global_load v[4:7], v1, s[2:3]
            v_add_u32 v1, 0x4000, v1

A counter that stays at a constant, `min(i, 4092)`, advances addresses too, as the loop has when it loads the
last tile again: an address then grows by 0 in the trips after the constant.

Offsets beyond the range of the immediate get scalar bases of their own, made before the loop: s[8:9] = s[2:3]
+ 0x8000 serves the same v1, and no trip adds the offset to v1. The machine adds base and offset in 64 bits,
so both give the same address.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asmgen.graph.ops import graph_op
from asmgen.ir.program import Region, Statement, Value
from asmgen.select.memory.address import put_form, takes_one_instruction
from asmgen.select.operands import put_scalar, put_vector
from asmgen.select.records import Advanced, LinearForm, OpenLoop
from asmgen.select.selection import WORD, Part, Selection
from asmgen.select.uses import constant_of
from isa.instruction import Immediate
from isa.program import Block, Edge
from isa.registers import Register

MIN = graph_op("min")
MOST_ADVANCED = 8  # addresses of a loop; each keeps a VGPR
MOST_POINTERS = 12  # scalar bases made for a loop; each keeps two SGPRs
FEW_TRIPS = 4  # with fewer trips a scalar base, which takes two instructions, saves nothing


def open_loop(
    s: Selection, statement: Statement, region: Region, before: Block, header: Block
) -> OpenLoop | None:
    """The record of a uniform loop before its body is selected; None if its step is not known."""
    start, stop, step = statement.operands[:3]
    by = constant_of(step, s.uses)
    if by is None:
        return None
    return OpenLoop(
        start,
        region.parameters[0],
        by,
        _makes_few_trips(s, start, stop, by),
        frozenset(_values_inside(region)),
        before,
        header,
    )


def _makes_few_trips(s: Selection, start: Value, stop: Value, step: int) -> bool:
    first, end = constant_of(start, s.uses), constant_of(stop, s.uses)
    return first is not None and end is not None and end - first <= (FEW_TRIPS - 1) * step


def put_address(s: Selection, form: LinearForm) -> Part:
    """A form as an address: advanced with the innermost loop if that saves instructions, else computed
    here."""
    loop = s.loops[-1] if s.loops else None
    if loop is None or not _is_advanced(s, loop, form):
        return put_form(s, form)
    if form not in loop.advanced:
        if len(loop.advanced) == MOST_ADVANCED:
            return put_form(s, form)
        loop.advanced[form] = _begin(s, loop, form)
    return loop.advanced[form].register


def _is_advanced(s: Selection, loop: OpenLoop, form: LinearForm) -> bool:
    values = [value for value, _ in form.terms]
    counter = _counter(s, loop, values)
    if counter is None or takes_one_instruction(s, form) or all(s.is_uniform(value) for value in values):
        return False
    return all(value is counter or value not in loop.inside for value in values)


def _counter(s: Selection, loop: OpenLoop, values: Sequence[Value]) -> Value | None:
    """The value among them that is the loop's counter, or the counter up to a constant; None if none is."""
    found = [value for value in values if value is loop.counter or _last(s, loop, value) is not None]
    return found[0] if len(found) == 1 else None


def _last(s: Selection, loop: OpenLoop, value: Value) -> int | None:
    """The constant of a value `min(counter, constant)`, if it is whole steps of the loop away from the start;
    None for any other value."""
    made = s.uses.defined.get(value)
    if made is None or made.op is not MIN or made.operands[0] is not loop.counter:
        return None
    first, last = constant_of(loop.start, s.uses), constant_of(made.operands[1], s.uses)
    if first is None or last is None or last < first or (last - first) % loop.step:
        return None
    return last


def _begin(s: Selection, loop: OpenLoop, form: LinearForm) -> Advanced:
    """The address in the first trip, made before the loop, and the parameter that takes it."""
    terms = dict(form.terms)
    counter = _counter(s, loop, list(terms))
    assert counter is not None, "the address advances"
    factor, last = terms.pop(counter), _last(s, loop, counter)
    first = constant_of(loop.start, s.uses)
    if first is None:
        terms[loop.start] = terms.get(loop.start, 0) + factor
    constant = form.constant + (0 if first is None else factor * first)
    kept = tuple((value, count & WORD) for value, count in terms.items() if count & WORD)
    with s.emitter.before_loop(loop.before):
        initial = s.emitter.to_vgpr(put_form(s, LinearForm(kept, constant & WORD)))
    return Advanced(s.emitter.vgpr(), initial, factor * loop.step & WORD, last)


def close_loop(s: Selection, loop: OpenLoop | None, counter: Register) -> tuple[Register, ...]:
    """Make the advanced addresses parameters of the loop; their values in the next trip, which has this
    counter."""
    if loop is None or not loop.advanced:
        return ()
    addresses = tuple(loop.advanced.values())
    loop.header.vector_parameters += tuple(address.register for address in addresses)
    (entered,) = loop.before.logical
    loop.before.logical = (
        Edge(entered.target, (*entered.arguments, *(address.initial for address in addresses))),
    )
    steps = _limited_steps(s, addresses, counter)
    results = tuple(s.emitter.vgpr() for _ in addresses)
    for result, address in zip(results, addresses, strict=True):
        step = steps.get((address.last, address.step), Immediate(address.step))
        put_vector(s.emitter, "v_add_u32", (result,), (step, address.register))
    return results


def _limited_steps(
    s: Selection, addresses: Sequence[Advanced], counter: Register
) -> dict[tuple[int | None, int], Part]:
    """The steps of addresses that stay from a counter on, in SGPRs: 0 if the next counter is beyond it."""
    steps: dict[tuple[int | None, int], Part] = {}
    for last in dict.fromkeys([address.last for address in addresses if address.last is not None]):
        put_scalar(s.emitter, "s_cmp_lt_u32", (), (Immediate(last), counter))
        for step in dict.fromkeys([address.step for address in addresses if address.last == last]):
            steps[last, step] = taken = s.emitter.sgpr()
            put_scalar(s.emitter, "s_cselect_b32", (taken,), (Immediate(0), Immediate(step)))
    return steps


def far_pointer(s: Selection, buffer: Value, offset: int) -> Register | None:
    """The buffer's address plus `offset` in SGPRs, made before the loop around; None without a loop, or if
    the loop has too many such addresses."""
    loop = s.loops[-1] if s.loops else None
    key = ("pointer", buffer, offset)
    if loop is None or loop.makes_few_trips or offset <= 0:
        return None
    if key not in loop.pointers and len(loop.pointers) == MOST_POINTERS:
        return None
    loop.pointers.add(key)

    def make() -> Register:
        pointer, moved = s.pointer(buffer), s.emitter.sgpr(2)
        s.emitter.put("s_add_u32", moved.part(0), pointer.part(0), offset & WORD)
        s.emitter.put("s_addc_u32", moved.part(1), pointer.part(1), offset >> 32)
        return moved

    with s.emitter.before_loop(loop.before):
        return s.emitter.shared(key, make)


def _values_inside(region: Region) -> Iterator[Value]:
    """The parameters of a region and the results of its statements, and the same for the regions inside."""
    yield from region.parameters
    for statement in region.statements:
        yield from statement.results
        for inner in statement.regions:
            yield from _values_inside(inner)
