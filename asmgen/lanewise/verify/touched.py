"""The rules for the memory that accesses state to touch: `slot`, `at` and `bytes`.

Their symbols are the trip numbers of the loops around, the ids of the workgroup and the numbers by value. A
constant slot is one of the slots of its buffer, and the bytes are within a slot. `asmgen.lanewise.interpret`
checks that the lanes touch no other bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

from asmgen.graph.ops import PARAM
from asmgen.ir.program import Module, Statement, argument_name
from asmgen.ir.types import U32, LaneType
from asmgen.lanewise.ops import FOR, LDS_ALLOCATE, LOAD_TO_LDS
from asmgen.lanewise.records import Touched, size_of, slots_of, trip_of, workgroup_symbol
from isa.diagnostics import InputError, close_names

_Statements = tuple[Statement, ...]
_HELP = "bytes={first,last,step,spread}: values begin up to `spread` bytes after first, first+step, ..., last"


def check_touched(module: Module) -> None:
    """Raises `InputError` GEN125 for an access or a loop that breaks a rule."""
    names = {argument_name(s) for s in module.statements if s.op is PARAM and s.result.type == LaneType(U32)}
    names |= {workgroup_symbol(axis).text for axis in range(3)}
    slots = {s.result: _slots(s) for s in module.walk() if s.op is LDS_ALLOCATE}
    for statement, loops in _within_loops(module.statements, names):
        if "bytes" in statement.attributes:
            buffer = statement.operands[2 if statement.op is LOAD_TO_LDS else 0]
            _check_access(statement, loops, slots.get(buffer, 1))


def _within_loops(statements: _Statements, names: set[str]) -> Iterator[tuple[Statement, set[str]]]:
    """Every statement with the names that its indices may have."""
    for statement in statements:
        inside = names
        if statement.op is FOR and (trip := trip_of(statement)):
            if trip in names:
                _fail(statement, f"got trip={trip}, which is taken, wanted a new name")
            inside = names | {trip}
        yield statement, names
        for region in statement.regions:
            yield from _within_loops(region.statements, inside)


def _slots(allocation: Statement) -> int:
    count, elements = slots_of(allocation), size_of(allocation)
    if count < 1 or elements % count:
        _fail(allocation, f"got slots={count}, wanted a divisor of the {elements} elements")
    return count


def _check_access(access: Statement, names: set[str], slots: int) -> None:
    touched = Touched.of(access)
    used = sorted({symbol.name for index in (touched.slot, touched.at) for symbol in index.symbols})
    for name in used:
        if name not in names:
            known = ", ".join(sorted(names))
            _fail(access, f"{name} is not a number here, wanted one of {known}", close_names(name, names))
    if touched.slot.is_constant and not 0 <= touched.slot.constant < slots:
        _fail(access, f"got slot={touched.slot.text}, wanted a slot from 0 to {slots - 1}")
    if len(touched.bytes) not in (0, 4):
        _fail(access, "got bytes that are not 4 numbers", _HELP)
    if touched.bytes:
        first, last, step, spread = touched.bytes
        if first > last or step < 1 or (last - first) % step or spread < 0:
            _fail(access, f"got bytes={{{first},{last},{step},{spread}}}", _HELP)


def _fail(statement: Statement, message: str, help: str = "") -> NoReturn:
    place = statement.place or statement.op.name
    raise InputError(place, "GEN125", f"{statement.op.name}: {message}", help=help)
