"""Upper bounds of u32 values hold for every value that occurs."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from asmgen.ir.program import Value
from asmgen.ir.types import U32
from asmgen.lanewise.builder import LaneBuilder
from asmgen.select.abi import signature
from asmgen.select.ranges import WORD, Ranges
from asmgen.select.uses import find_uses
from tests.unit.select.modules import module_of
from tests.unit.select.running import TARGET


def bound_of_remainder(magic: int, shift: int, divisor: int, groups: int) -> int:
    """The bound of id - (id * magic >> 32 + shift) * divisor, with id below 64 * groups."""
    found: list[Value] = []

    def body(b: LaneBuilder, out: Value) -> None:
        x = b.add(b.mul(b.workgroup_id(), b.constant(64, U32)), b.local_id())
        quotient = b.shift_right(b.multiply_high(x, b.constant(magic, U32)), b.constant(shift, U32))
        found.append(b.sub(x, b.mul(quotient, b.constant(divisor, U32))))
        b.store(out, b.local_id(), found[0])

    module = module_of(body, [("u32", 64)], grid=(groups, 1, 1))
    return Ranges(signature(module, TARGET.target), find_uses(module)).largest(found[0])


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 5000), st.integers(0, 14), st.integers(-2, 2), st.integers(1, 60))
def test_bound_of_a_remainder(divisor: int, shift: int, off: int, groups: int) -> None:
    """Whatever the magic number, right or wrong by a little: the bound is never below what numbers really give."""
    magic = -(-(1 << (32 + shift)) // divisor) + off
    if not 0 < magic <= WORD:
        return
    bound = bound_of_remainder(magic, shift, divisor, groups)
    assert all((x - (x * magic >> (32 + shift)) * divisor) % (1 << 32) <= bound for x in range(64 * groups))


def test_bounds_from_the_launch() -> None:
    assert bound_of_remainder(0xCCCCCCCD, 2, 5, 20) == 4
    values: dict[str, Value] = {}

    def body(b: LaneBuilder, out: Value) -> None:
        values["lane"] = b.local_id()
        values["group"] = b.workgroup_id()
        values["sum"] = b.add(b.mul(values["group"], b.constant(64, U32)), values["lane"])
        values["masked"] = b.bitwise_and(b.mul(values["sum"], values["sum"]), b.constant(15, U32))
        values["wrapped"] = b.mul(values["sum"], b.constant(1 << 26, U32))
        values["halved"] = b.shift_right(values["wrapped"], b.constant(1, U32))
        values["less"] = b.sub(values["lane"], values["group"])
        b.store(out, values["lane"], values["sum"])

    module = module_of(body, [("u32", 64)], grid=(3, 1, 1))
    ranges = Ranges(signature(module, TARGET.target), find_uses(module))
    bounds = {name: ranges.largest(value) for name, value in values.items()}
    assert bounds == {"lane": 63, "group": 2, "sum": 191, "masked": 15, "wrapped": WORD, "halved": WORD >> 1, "less": WORD}
