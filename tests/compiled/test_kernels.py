"""C, HIP and OpenCL kernels by clang agree with numpy, and the sanitizer is silent."""

from __future__ import annotations

import pytest

from isa.targets import parse_target
from tests.compiled.build import LEVELS, compiled
from tests.compiled.running import emulated, kernels
from tests.rows import MACHINES, spread

pytestmark = [pytest.mark.broad, pytest.mark.needs_llvm("clang-22", "ld.lld-22")]

FILES = sorted({kernel.file for kernel in kernels().values()})
ORDINARY = frozenset(name for file in FILES for name in [name for name, kernel in kernels().items() if kernel.file == file][::2])
PAIRS = [(machine, name) for machine in MACHINES for name, kernel in kernels().items() if kernel.runs_on(parse_target(machine))]


def check(machine: str, name: str, level: str) -> None:
    kernel = kernels()[name]
    case = kernel.reference(parse_target(machine))
    case.judge(emulated(compiled(kernel.file, level, machine), name, case))


@pytest.mark.parametrize(("machine", "name"), spread([pair for pair in PAIRS if pair[1] in ORDINARY], 1, lambda name: kernels()[name].file))
def test_kernel_agrees_with_numpy(machine: str, name: str) -> None:
    """Every second kernel of a file, at one level a file, so that it is compiled once; the next test has all of them at each level."""
    check(machine, name, LEVELS[FILES.index(kernels()[name].file) % len(LEVELS)])


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("machine", "name"), PAIRS)
def test_every_level_agrees(machine: str, name: str, level: str) -> None:
    check(machine, name, level)


def test_there_are_150_kernels_and_more() -> None:
    assert len(kernels()) >= 150
