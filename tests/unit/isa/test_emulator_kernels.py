"""OpenCL C kernels, compiled by clang for every target and wave size, run on the emulator and agree with numpy."""

from __future__ import annotations

import pytest

from isa.emulator import run
from isa.semantics.mode import Approximation
from isa.targets import parse_target
from tests.rows import MACHINES, spread
from tests.unit.isa import (
    kernel_cases_atomics,
    kernel_cases_calls,
    kernel_cases_control,
    kernel_cases_first,
    kernel_cases_floats,
    kernel_cases_halves,
    kernel_cases_integers,
    kernel_cases_matrix,
    kernel_cases_memory,
    kernel_cases_peers,
    kernel_cases_wave,
)
from tests.unit.isa.kernel_builds import compiled
from tests.unit.isa.kernel_cases import Kernel, agrees

pytestmark = [pytest.mark.broad, pytest.mark.needs_llvm("clang-22", "ld.lld-22")]

GROUPS = (
    kernel_cases_first, kernel_cases_integers, kernel_cases_floats, kernel_cases_halves, kernel_cases_memory, kernel_cases_atomics,
    kernel_cases_control, kernel_cases_calls, kernel_cases_wave, kernel_cases_matrix, kernel_cases_peers,
)  # fmt: skip
KERNELS: dict[str, Kernel] = {name: kernel for group in GROUPS for name, kernel in group.KERNELS.items()}
PAIRS = [(machine, name) for machine in MACHINES for name, kernel in KERNELS.items() if kernel.runs_on(parse_target(machine))]


def file_of(name: str) -> str:
    return KERNELS[name].file


def check(
    machine: str, name: str, level: str, assembly: bool, approximation: Approximation = Approximation.NEAREST,
) -> None:  # fmt: skip
    kernel = KERNELS[name]
    case = kernel.reference(parse_target(machine))
    source = compiled(kernel.file, level, assembly, machine, kernel.options)
    results = run(
        source, kernel.entry or name, case.grid, case.block, case.args, undefined=case.undefined, sanitize=True,
        approximation=approximation,
    )  # fmt: skip
    agrees(case, results)


@pytest.mark.parametrize(("machine", "name"), spread(PAIRS, 1, file_of))
def test_kernel_agrees_with_numpy(machine: str, name: str) -> None:
    """Each kernel on one machine; the next test has it on another."""
    check(machine, name, "-O3", True)


def code_objects() -> list[object]:
    """Every second kernel on one machine. The test above runs all of them from text."""
    chosen = [*KERNELS][::2]
    ordinary = spread([(machine, name) for machine, name in PAIRS if name in chosen], 1, file_of, turn=3)
    return [*ordinary, *[pytest.param(machine, name, marks=pytest.mark.slow) for machine, name in PAIRS if name not in chosen]]


@pytest.mark.parametrize(("machine", "name"), code_objects())
def test_code_object_agrees_too(machine: str, name: str) -> None:
    """At -O1 clang leaves loops in place and reads parts of vectors that it has not set yet, which decide
    nothing."""
    check(machine, name, "-O1", False)


@pytest.mark.slow
@pytest.mark.parametrize(("machine", "name"), PAIRS)
def test_smallest_code_agrees_too(machine: str, name: str) -> None:
    check(machine, name, "-Os", True)


@pytest.mark.slow
@pytest.mark.parametrize("name", KERNELS)
def test_target_with_features(name: str) -> None:
    check("gfx942:xnack-", name, "-O2", True)


@pytest.mark.parametrize("approximation", [Approximation.LOW, Approximation.HIGH])
def test_f64_division_absorbs_the_error_of_the_reciprocal(approximation: Approximation) -> None:
    check("gfx942", "doubles", "-O2", True, approximation)


@pytest.mark.parametrize("machine", MACHINES)
def test_every_target_runs_thirty_kernels_and_more(machine: str) -> None:
    assert sum(pair[0] == machine for pair in PAIRS) >= 30
