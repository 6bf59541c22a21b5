"""The everyday programs and clang's kernels for them give numpy's results."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

import asmgen
from asmgen.artifact import CompiledKernel
from asmgen.runtime.calls import Signature, run_kernels
from isa.emulator import load, run_image
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.program.image import Image
from isa.targets import TARGETS
from tests.rows import spread
from tools.clang_peer import compile_command
from tools.scoreboard.everyday import EVERYDAY
from tools.scoreboard.programs import arguments_of, clang_launches
from tools.scoreboard.results import RESULTS, Array, faults, truths, unwritten
from tools.scoreboard.sample import Sample, take_sample
from tools.triton_peers import Choice, measured

pytestmark = [pytest.mark.broad, pytest.mark.needs_llvm("clang-22")]

ORDINARY = [case.name for case in EVERYDAY[::10]]  # the other kernels change rarely
PAIRS = [
    *spread([(target, name) for target in TARGETS for name in ORDINARY], 1),
    *[pytest.param(target, case.name, marks=pytest.mark.slow) for target in TARGETS for case in EVERYDAY if case.name not in ORDINARY],
]


def last_sample(launches: Iterator[tuple[Image, KernelCall]]) -> Sample:
    """A sample of the last launch, after the whole of the launches before it."""
    image, call = next(launches)
    for later, later_call in launches:
        buffers = run_image(image, KernelCall(call.grid, call.block, tuple(call.arguments)))
        image, call = later, KernelCall(later_call.grid, later_call.block, tuple(buffers))
    return take_sample(image, call)


@pytest.mark.parametrize(("target", "name"), PAIRS)
def test_peers_and_ours_give_numpy_s_results(target: str, name: str) -> None:
    case = next(case for case in EVERYDAY if case.name == name)
    program = asmgen.compile(case.text, target=target, fast_math=True)
    arguments = arguments_of(program, case)
    wanted = truths(case.name, arguments)
    ours: list[Sample] = []

    def launch(kernel: CompiledKernel, signature: Signature, buffers: list[Array]) -> list[Array]:
        assert kernel.grid is not None
        image = load(kernel.assembly, kernel.name, f"{kernel.name}.s")
        first = len(signature.inputs)
        given = (*buffers[:first], *unwritten(buffers[first:]))
        ours.append(take_sample(image, KernelCall(kernel.workgroups, kernel.block, given)))
        return buffers

    results = run_kernels(program, arguments, launch)
    if len(ours) == 1:
        assert faults(ours[0], len(arguments), results, wanted) == []
    for peer in case.peers:
        launches = clang_launches(peer, target, [*arguments, *unwritten(results)])
        assert faults(last_sample(launches), len(arguments), results, wanted) == [], peer.name


def test_wrong_results_and_launches_are_found() -> None:
    case = next(case for case in EVERYDAY if case.name == "swiglu_f16")
    arguments = arguments_of(asmgen.compile(case.text, target="gfx942", fast_math=True), case)
    results = [np.zeros((2048, 2048), np.float16)]
    wanted = truths(case.name, arguments)
    image, call = next(clang_launches(case.peers[0], "gfx942", [*arguments, *unwritten(results)]))
    few = KernelCall((call.grid[0] // 2, 1, 1), call.block, call.arguments)
    assert faults(take_sample(image, few), 2, results, wanted) == ["result 0: the launch writes 0.50 of it"]
    assert "in place of" in faults(take_sample(image, call), 2, results, [wanted[0] + 0.01])[0]


def test_every_program_has_results_and_kernels_of_its_own() -> None:
    assert len(EVERYDAY) == 40
    assert [case.name for case in EVERYDAY if case.name not in RESULTS] == []
    assert [case.name for case in EVERYDAY for peer in case.peers if peer.source != f"everyday/{case.name}"] == []


def test_a_choice_of_triton_that_is_wrong_is_refused(tmp_path: Path) -> None:
    """clang's kernel in place of Triton's, on half of its workgroups."""
    case = next(case for case in EVERYDAY if case.name == "swiglu_f16")
    command = compile_command("everyday/swiglu_f16", str(tmp_path / "lane.hsaco"), "gfx942", ())
    _ = subprocess.run(command, check=True, capture_output=True)
    choice = Choice("swiglu_f16", "gfx942", "lane.hsaco", "lane", 2048, 256, 0, 4, {"B": 2048})
    (row,) = measured(case, "gfx942", tmp_path, [choice], scratch=0)
    assert (row.program, row.choice, row.figures.load) == ("swiglu_f16", "B=2048 warps=4", 16)
    with pytest.raises(ValueError, match="the launch writes 0"):
        _ = list(measured(case, "gfx942", tmp_path, [replace(choice, groups=1024)], scratch=0))
