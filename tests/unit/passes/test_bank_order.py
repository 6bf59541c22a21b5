"""Products of a loop in an order in which fewer of them wait for banks: the same instructions, each sum in its order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from asmgen.passes.dependence import Dependences
from asmgen.passes.peephole.bank_order import order_by_banks
from isa.instruction import Instr
from isa.program import Kernel
from isa.table import table_named
from isa.timing.collectors import Collectors, Gatherings
from isa.timing.machine import MACHINES
from isa.timing.operation import operations_of
from tests.unit.passes.assembly import code_of, kernel_of

_RDNA = pytest.mark.parametrize("target", ["gfx1100", "gfx1201"])
# the sums v0 to v63 of eight rows and eight columns, the columns all in bank 0: successive products share a row
_PRODUCTS = [f"v_fmac_f32_e32 v{8 * m + n}, v{100 + m}, v{128 + 4 * n}" for m in range(8) for n in range(8)]


def _loop(lines: Sequence[str], target: str) -> Kernel:
    return kernel_of("\n".join(["s_nop 0", "loop:", *lines, "s_cbranch_scc1 loop"]), target)


def _clocks(instructions: Sequence[Instr], target: str) -> int:
    """When the last of some successive instructions of a wave executes."""
    machine = MACHINES[target]
    operations = operations_of(instructions, table_named(target).target, machine).operations
    collectors = Collectors(Gatherings(machine, operations))
    return max(collectors.gather(0, number, number, number + machine.execute.clocks) for number in range(len(operations)))


@_RDNA
def test_products_wait_less(target: str) -> None:
    kernel = _loop(_PRODUCTS, target)
    before, after = kernel.blocks[1].instructions, order_by_banks(kernel).blocks[1].instructions
    assert sorted(map(str, after)) == sorted(map(str, before))
    assert _clocks(after, target) < 0.9 * _clocks(before, target)


@_RDNA
def test_results_are_those_of_the_earlier_order(target: str) -> None:
    """Each sum has two products, and the second rows overwrite the first rows between them."""
    moves = [f"v_mov_b32_e32 v{100 + m}, v{110 + m}" for m in range(8)]
    kernel = _loop([*_PRODUCTS, *moves, *_PRODUCTS], target)
    code = kernel.blocks[1].instructions
    numbers = {id(instr): number for number, instr in enumerate(code)}
    order = [numbers[id(instr)] for instr in order_by_banks(kernel).blocks[1].instructions]
    assert order != sorted(order)
    assert Dependences(kernel).of_block(1).allows(order)


def test_no_product_passes_a_wait_or_an_access() -> None:
    parts = [_PRODUCTS[:32], ["s_waitcnt lgkmcnt(0)"], _PRODUCTS[32:48], ["ds_load_b32 v120, v121"], _PRODUCTS[48:]]
    code = code_of(order_by_banks(_loop([line for part in parts for line in part], "gfx1100")))
    first = next(place for place, line in enumerate(code) if "fmac" in line)
    for part in parts:
        assert sorted(code[first : first + len(part)]) == sorted(part)
        first += len(part)


@pytest.mark.parametrize(
    ("kernel", "why"),
    [
        (kernel_of("\n".join(_PRODUCTS), "gfx1100"), "no loop"),
        (_loop(_PRODUCTS[:16], "gfx1100"), "a short loop"),
        (_loop([f"v_fmac_f32_e32 v{4 * n}, v{4 * n + 1}, v{4 * n + 2}" for n in range(40)], "gfx1100"), "nothing waits"),
        (_loop(_PRODUCTS, "gfx942:xnack-"), "reads take no time"),
    ],
)
def test_an_order_without_a_gain_stays(kernel: Kernel, why: str) -> None:
    assert code_of(order_by_banks(kernel)) == code_of(kernel), why
