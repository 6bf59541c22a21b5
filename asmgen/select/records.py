"""Records that a selection keeps between statements: linear forms of addresses, joined accesses of LDS, and
open loops with the addresses that advance from trip to trip."""

from __future__ import annotations

from msgspec import Struct, field

from asmgen.ir.program import Statement, Value
from isa.named_tuple import NamedTuple
from isa.program import Block
from isa.registers import Register


class LinearForm(NamedTuple):
    """A sum of values times constants, and a constant, modulo 2^32. `terms` are (value, factor) in order of
    appearance."""

    terms: tuple[tuple[Value, int], ...]
    constant: int


class JoinedAccess(Struct, frozen=True):
    """Several accesses of LDS by a single instruction, in the order of their places.

    The instruction is made at the statement `at`. `form` is its address. `offsets` are in steps of the
    operation for two accesses, and the first access's offset in bytes for four.
    """

    operation: str
    at: Statement
    statements: tuple[Statement, ...]
    form: LinearForm
    offsets: tuple[int, ...]


class Advanced(Struct):
    """An address in a VGPR that begins at `initial` and grows by `step` bytes a trip, if `last` is given only
    until the loop's counter is that."""

    register: Register
    initial: Register
    step: int
    last: int | None = None


class OpenLoop(Struct):
    """A loop that all lanes leave at the same trip, with a constant step.

    `inside` are the values that may differ from trip to trip. `before` is the block that enters the loop,
    `header` the block with its parameters. `advanced` are its addresses, `pointers` the keys of the scalar
    bases that were made for it.
    """

    start: Value
    counter: Value
    step: int
    makes_few_trips: bool
    inside: frozenset[Value]
    before: Block
    header: Block
    advanced: dict[LinearForm, Advanced] = field(default_factory=dict)
    pointers: set[tuple[str, Value, int]] = field(default_factory=set)
