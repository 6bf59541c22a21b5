"""Clocks of kernels that clang compiled for every target and wave size have one owner each, and steps are paths of the code."""

from __future__ import annotations

import pytest

from asmgen.profile.build import profile_launch
from asmgen.profile.launches import LaunchOptions
from asmgen.profile.sources import launch_of_code
from isa.diagnostics import InputError
from isa.targets import parse_target
from tests.rows import spread
from tests.unit.isa.kernel_builds import compiled
from tests.unit.isa.test_emulator_kernels import KERNELS, PAIRS, file_of
from tests.unit.profile.test_build import check_owners, check_sums

pytestmark = [pytest.mark.broad, pytest.mark.needs_llvm("clang-22", "ld.lld-22")]


def check(machine: str, name: str, level: str) -> None:
    kernel = KERNELS[name]
    case = kernel.reference(parse_target(machine))
    code = compiled(kernel.file, level, False, machine, kernel.options)
    options = LaunchOptions(kernel.entry or name, case.grid, case.block, tuple(case.args))
    try:
        each = profile_launch(launch_of_code(code, name, None, options))
    except InputError as error:
        assert error.code == "PRF006", error
        return
    check_owners(each.timeline)
    check_sums(each)


@pytest.mark.parametrize(("machine", "name"), spread(PAIRS, 1, file_of, turn=1)[::16])
def test_clocks_have_one_owner(machine: str, name: str) -> None:
    check(machine, name, "-O3")


@pytest.mark.slow
@pytest.mark.parametrize(("machine", "name"), PAIRS)
def test_clocks_of_every_kernel_have_one_owner(machine: str, name: str) -> None:
    check(machine, name, "-O1")
