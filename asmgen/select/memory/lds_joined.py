"""LDS accesses of single words that share an instruction: accesses that differ by a constant.

    lds_load(tile, row)                      ds_read_b128 %v, %row       if the address is a multiple of 16
    lds_load(tile, row + 1)           is
    lds_load(tile, row + 2), ...             ds_read2_b32 %v, %row offset1:1            else, for two

Loads are joined if no other effect on LDS is between them, two stores if no other access of LDS is. The
instruction is made at the first load, or at the second store.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from asmgen.ir.program import Statement, Value, lane_type
from asmgen.lanewise.ops import LDS_LOAD, LDS_STORE, STORES
from asmgen.lanewise.records import Access
from asmgen.select.memory.address import is_multiple, linear_form
from asmgen.select.memory.lds import place_buffers
from asmgen.select.records import JoinedAccess, LinearForm
from asmgen.select.selection import Selection
from isa.registers import DWORD

_QUAD = 4  # words of the widest access
_REACH = 256  # of an offset of `read2` and `write2`, in their steps
_OFFSETS = 1 << 16  # bytes that another offset reaches
# steps of the offsets of two words, in bytes, and the operations that have them
_STEPS = {
    LDS_LOAD: ((DWORD, "ds_read2_b32"), (64 * DWORD, "ds_read2st64_b32")),
    LDS_STORE: ((DWORD, "ds_write2_b32"), (64 * DWORD, "ds_write2st64_b32")),
}
_ADDRESSES = 0xFFFFFFFF


class _Word(Struct, frozen=True):
    """An access of a single word: the terms of its address, and the constant part with the buffer's
    offset."""

    statement: Statement
    terms: tuple[tuple[Value, int], ...]
    place: int
    is_aligned: bool  # the terms are multiples of the widest access


def join_accesses(s: Selection, statements: Sequence[Statement]) -> None:
    """Note in `s.joined` the accesses of a region that are joined."""
    if sum(statement.op in _STEPS for statement in statements) < 2:
        return
    place_buffers(s, statements)
    for run in _runs(statements):
        words = [_word(s, access) for access in run]
        if run[0].op is LDS_STORE:
            _join_stores(s, words)
        else:
            _join_loads(s, words)


def _runs(statements: Sequence[Statement]) -> Iterator[list[Statement]]:
    """Loads with no effect on LDS between them, and stores with no other access between them."""
    run: list[Statement] = []
    for statement in statements:
        is_access = statement.op is LDS_LOAD or statement.op is LDS_STORE
        ends = statement.op.effects and statement.op not in STORES and not is_access
        if run and (ends or (is_access and statement.op is not run[0].op)):
            yield run
            run = []
        if is_access:
            run.append(statement)
    if run:
        yield run


def _word(s: Selection, access: Statement) -> _Word | None:
    """An access of a single word in a register of its own; None for another access."""
    buffer, index = access.operands[:2]
    value = access.result if access.op is LDS_LOAD else access.operands[2]
    type_ = lane_type(value)
    is_part = access.op is LDS_LOAD and value in s.uses.packed_into
    if type_.lanes != 1 or type_.element.bytes != DWORD or is_part:
        return None
    form = linear_form(s, index, DWORD)
    place = form.constant + Access.of(access).offset + s.lds_offsets[buffer]
    return _Word(access, form.terms, place & _ADDRESSES, is_multiple(s, form, _QUAD * DWORD))


def _join_loads(s: Selection, words: Sequence[_Word | None]) -> None:
    by_terms: dict[tuple[tuple[Value, int], ...], list[_Word]] = {}
    for word in words:
        if word is not None:
            by_terms.setdefault(word.terms, []).append(word)
    for loads in by_terms.values():
        number = 0
        while number < len(loads):
            joined = _four(loads[number : number + _QUAD]) or _two(loads[number : number + 2], 0)
            number += len(joined.statements) if joined is not None else 1
            _note(s, joined)


def _join_stores(s: Selection, words: Sequence[_Word | None]) -> None:
    number = 0
    while number + 1 < len(words):
        first, second = words[number : number + 2]
        joined = None
        if first is not None and second is not None and first.terms == second.terms:
            joined = _two([first, second], 1)
        number += 2 if joined is not None else 1
        _note(s, joined)


def _note(s: Selection, joined: JoinedAccess | None) -> None:
    if joined is not None:
        s.joined.update(dict.fromkeys(joined.statements, joined))


def _four(words: Sequence[_Word]) -> JoinedAccess | None:
    """Four consecutive words, at a multiple of their size."""
    first = words[0]
    size = _QUAD * DWORD
    is_aligned = first.place % size == 0 and first.is_aligned
    places = [first.place + i * DWORD for i in range(_QUAD)]
    if not is_aligned or [word.place for word in words] != places or places[-1] >= _OFFSETS:
        return None
    statements = tuple([word.statement for word in words])
    return JoinedAccess("ds_read_b128", statements[0], statements, LinearForm(first.terms, 0), (first.place,))


def _two(words: Sequence[_Word], at: int) -> JoinedAccess | None:
    """Two words within the offsets of a single instruction, made at one of the two."""
    if len(words) < 2:
        return None
    low, high = sorted(words, key=lambda word: word.place)
    base = low.place // (_REACH * DWORD) * (_REACH * DWORD)
    for start in dict.fromkeys((0, base)):
        for step, operation in _STEPS[low.statement.op]:
            places = (low.place - start, high.place - start)
            if places[0] == places[1] or any(place % step for place in places) or places[1] >= _REACH * step:
                continue
            statements = (low.statement, high.statement)
            form = LinearForm(low.terms, start)
            return JoinedAccess(
                operation, words[at].statement, statements, form, tuple(p // step for p in places)
            )
    return None
