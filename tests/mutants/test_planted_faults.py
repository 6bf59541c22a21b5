"""A fault planted in the compiler that changes results is found by `--verify`.

That it changes them is decided without `--verify`, by running both programs (`oracle`). A fault of waits and
wait states changes nothing on an emulator that runs one instruction after the other; of it the assembly has
to be another.
"""

from __future__ import annotations

import pytest

from tests.mutants.faults import FAULTS
from tests.mutants.planting import Fault
from tests.mutants.workers import Made, Question, answered, pool

_EVERY = 25  # of the table the ordinary suite takes one in so many


def names(faults: tuple[Fault, ...]) -> list[str]:
    return [f"{fault.module}-{number}" for number, fault in enumerate(faults)]


@pytest.fixture(scope="session")
def honest() -> dict[str, Made]:
    """What the honest compiler makes of every program that a fault names."""
    programs = tuple(dict.fromkeys(name for fault in FAULTS for name in fault.programs))
    with pool() as executor:
        return executor.submit(answered, Question(None, programs)).result()


@pytest.mark.parametrize("fault", FAULTS, ids=names(FAULTS))
def test_a_fault_can_still_be_planted(fault: Fault) -> None:
    assert fault.programs, "a fault names the programs whose results it changes"
    _ = compile(fault.source(), fault.file, "exec")


@pytest.mark.parametrize("fault", FAULTS[::_EVERY], ids=names(FAULTS[::_EVERY]))
def test_a_fault_is_found(fault: Fault) -> None:
    with pool() as executor:
        made = executor.submit(answered, Question(fault, fault.programs[:1], run=False, verify=True)).result()
    assert all(found.named for found in made.values()), f"{fault.breaks}: not found in {[name for name in made if not made[name].named]}"


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=names(FAULTS))
def test_a_fault_that_changes_results_is_found(fault: Fault, honest: dict[str, Made]) -> None:
    with pool() as executor:
        made = executor.submit(answered, Question(fault, fault.programs, honest, run=not fault.timing, verify=True)).result()
    for name, found in made.items():
        assert not found.refused, f"{fault.breaks}: the compiler itself refuses {name}: {found.refused}"
        assert found.digest != honest[name].digest, f"{fault.breaks}: {name} is compiled as before"
        assert found.is_wrong or fault.timing, f"{fault.breaks}: {name} has the results it had"
        assert found.named, f"{fault.breaks}: not found in {name}"
