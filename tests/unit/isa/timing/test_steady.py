"""How far back a time matters to the clock loop."""

from __future__ import annotations

from isa.timing.machine import MACHINES
from isa.timing.memory import Cost, Service
from isa.timing.steady import past_of


def test_a_time_matters_as_long_as_the_longest_number_that_is_added_to_it() -> None:
    machine = MACHINES["gfx1100"]
    slow = machine._replace(barrier=machine.barrier._replace(clocks=900))
    assert past_of(machine, ()) == max(machine.barrier.clocks, machine.transcendental.clocks)
    assert past_of(slow, ()) == 900
    assert past_of(slow, (Cost(1, (), 1, returns=Service(0, 1000)),)) == 1000
