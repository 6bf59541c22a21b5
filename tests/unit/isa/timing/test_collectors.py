"""The collectors of vector registers on RDNA: programs with bubbles that tinygrad's thread traces of gfx1100
and gfx1201 have. A gap is that between the executions of the last instructions of a program, 1 without a
bubble."""

from __future__ import annotations

import random
from collections.abc import Sequence
from copy import copy

import pytest

from isa.table import table_named
from isa.text.parsing import parse_instr
from isa.timing.collectors import Collectors, Gatherings
from isa.timing.machine import MACHINES
from isa.timing.operation import gatherings_of, operations_of

_RDNA = pytest.mark.parametrize("target", ["gfx1100", "gfx1201"])


def _executions(target: str, lines: Sequence[str], pause: int = 0, waves: Sequence[int] = ()) -> list[int]:
    """When instructions execute, from the first execution on. They issue in successive clocks, but for a pause
    after the second."""
    table, machine = table_named(target), MACHINES[target]
    instructions = [parse_instr(line, table, "test") for line in lines]
    operations = operations_of(instructions, table.target, machine).operations
    collectors = Collectors(Gatherings(machine, operations))
    found: list[int] = []
    for number in range(len(lines)):
        clock = 100 + number + (pause if number > 1 else 0)
        least = max([clock + machine.execute.clocks, *[last + 1 for last in found[-1:]]])
        found.append(collectors.gather(waves[number] if waves else 0, number, clock, least))
    return [clock - found[0] for clock in found]


@_RDNA
def test_registers_of_a_bank_are_read_one_after_the_other(target: str) -> None:
    assert _executions(target, ["v_fmac_f32 v9, v34, v31", "v_fmac_f32 v8, v34, v30"]) == [0, 2]
    assert _executions(target, ["v_fmac_f32 v9, v34, v31", "v_fmac_f32 v8, v34, v29"]) == [0, 1]


@_RDNA
def test_a_collector_keeps_the_second_source(target: str) -> None:
    first = ["v_fmac_f32 v9, v34, v31", "v_fmac_f32 v8, v34, v30"]
    again = ["v_fmac_f32 v13, v38, v31", "v_fmac_f32 v12, v38, v30"]
    assert _executions(target, [*first, *again], 10) == [0, 2, 12, 13]
    assert _executions(target, [*first, "v_mul_f32 v30, v38, v31", again[1]], 10) == [0, 2, 12, 14], "v30 has changed"
    assert _executions(target, [*first, *again], 10, [0, 0, 1, 1]) == [0, 2, 12, 14], "of another wave"


@_RDNA
def test_instructions_that_wait_together_share_a_read(target: str) -> None:
    """v10 keeps bank 2 from v38, for which both of the next instructions wait."""
    lines = ["v_fmac_f32 v11, v34, v33", "v_fmac_f32 v10, v34, v32", "v_fmac_f32 v15, v38, v33", "v_fmac_f32 v14, v38, v32"]
    assert _executions(target, lines) == [0, 2, 3, 4]
    assert _executions(target, [*lines[:3], "v_fmac_f32 v14, v42, v32"]) == [0, 2, 3, 5]
    assert _executions(target, lines, waves=[0, 0, 0, 1]) == [0, 2, 3, 5], "v38 of another wave"


@_RDNA
def test_a_third_instruction_waits_for_a_collector(target: str) -> None:
    """The fourth instruction does not read v9 while the second waits for bank 0."""
    lines = ["v_fmac_f32 v0, v4, v8", "v_fmac_f32 v12, v16, v20", "v_mul_f32 v40, v1, v5", "v_fmac_f32 v17, v9, v13"]
    assert _executions(target, lines) == [0, 3, 4, 6]


def test_halves_of_a_vopd_instruction_read_at_the_same_time() -> None:
    lines = ["v_dual_fmac_f32 v2, v46, v32 :: v_dual_fmac_f32 v9, v35, v25"]
    after = [*lines, "v_fmac_f32 v8, v36, v26"]
    assert _executions("gfx1100", after) == [0, 1]


@_RDNA
def test_the_instruction_that_executes_first_is_found(target: str) -> None:
    """Each instruction of a program comes after random others; the first of those that execute first is asked for."""
    table, machine, drawn = table_named(target), MACHINES[target], random.Random(5)
    pairs = ["v_mul_f32 v{}, v{}, v{}", "v_fmac_f32 v{}, v{}, v{}", "v_fma_f32 v{}, v{}, v{}, v{}"]
    lines = [drawn.choice(pairs).format(*[drawn.randrange(24) for _ in range(4)]) for _ in range(300)]
    instructions = [parse_instr(line, table, "test") for line in lines]
    operations = operations_of(instructions, table.target, machine).operations
    gatherings = gatherings_of(instructions, machine)
    fields = [(each.gathered, each.writes, each.hold, each.latency) for each in operations]
    assert fields == [(each.gathered, each.writes, each.hold, each.latency) for each in gatherings]
    collectors, execute, clock, places = Collectors(Gatherings(machine, gatherings)), machine.execute.clocks, 100, set[int]()
    for first in range(0, 300, 6):
        numbers = list(range(first, first + 6))
        clocks = [clock + drawn.choice((0, 0, 0, 1, 2)) for _ in numbers]
        executed = [copy(collectors).gather(0, number, at, at + execute) for number, at in zip(numbers, clocks, strict=True)]
        place, soonest = collectors.executes_first(0, numbers, clocks, execute)
        assert soonest == min(executed)
        assert place == executed.index(soonest)
        places.add(place)
        clock = max(clocks[place] + 1, collectors.free)
        _ = collectors.gather(0, numbers[place], clocks[place], clocks[place] + execute)
    assert len(places) > 2
