"""The everyday programs and clang's kernels for them give numpy's results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

import asmgen
from asmgen.artifact import CompiledKernel
from asmgen.runtime.calls import Signature, run_kernels
from isa.emulator import load, run_image
from isa.emulator.arguments import KernelCall
from isa.emulator.image import Image
from isa.targets import TARGETS
from tests.everyday_results import RESULTS, Array
from tests.rows import spread
from tools.scoreboard.cases import Case, ClangKernel
from tools.scoreboard.everyday import EVERYDAY
from tools.scoreboard.programs import arguments_of, clang_launches
from tools.scoreboard.sample import Sample, take_sample

pytestmark = [pytest.mark.broad, pytest.mark.needs_llvm("clang-22")]

UNWRITTEN = 0xA5  # of each byte of a result before the run
ORDINARY = [case.name for case in EVERYDAY[::10]]  # the other kernels change rarely
PAIRS = [
    *spread([(target, name) for target in TARGETS for name in ORDINARY], 1),
    *[pytest.param(target, case.name, marks=pytest.mark.slow) for target in TARGETS for case in EVERYDAY if case.name not in ORDINARY],
]


def close(dtype: np.dtype[np.generic]) -> float:
    """The relative error that results of a type may have."""
    return {"float32": 2e-5, "float16": 2e-3, "bfloat16": 1.6e-2, "int8": 1}.get(dtype.name, 0)


def check(sample: Sample, first: int, results: Sequence[Array], wanted: Sequence[Array]) -> None:
    """The elements that a sample of a launch wrote, and that the whole launch writes every element."""
    for number, (result, truth) in enumerate(zip(results, wanted, strict=True), first):
        content = sample.buffers[number]
        assert content is not None
        bits = content[: result.nbytes].reshape(-1, result.itemsize)
        written = (bits != UNWRITTEN).any(1)
        share = written.mean() * sample.groups / sample.run
        assert 0.8 < share < 1.3, f"the launch writes {share:.2f} of result {number - first}"
        got = content[: result.nbytes].view(result.dtype)[written].astype(np.float64)
        expected = truth.reshape(-1)[written]
        limit = close(result.dtype)
        np.testing.assert_allclose(got, expected, rtol=limit, atol=limit * max(1.0, np.abs(truth).mean()))


def truth_of(case: Case, arguments: Sequence[Array]) -> list[Array]:
    found = RESULTS[case.name](*[array.astype(np.float64) for array in arguments])
    return list(found) if isinstance(found, tuple) else [found]


def unwritten(results: Sequence[Array]) -> list[Array]:
    return [np.full(result.nbytes, UNWRITTEN, np.uint8).view(result.dtype).reshape(result.shape) for result in results]


def last_sample(launches: Iterator[tuple[Image, KernelCall]]) -> Sample:
    """A sample of the last launch, after the whole of the launches before it."""
    image, call = next(launches)
    for later, later_call in launches:
        buffers = run_image(image, call.grid, call.block, call.arguments)
        image, call = later, KernelCall(later_call.grid, later_call.block, tuple(buffers))
    return take_sample(image, call)


@pytest.mark.parametrize(("target", "name"), PAIRS)
def test_peers_and_ours_give_numpy_s_results(target: str, name: str) -> None:
    case = next(case for case in EVERYDAY if case.name == name)
    program = asmgen.compile(case.text, target=target, fast_math=True)
    arguments = arguments_of(program, case)
    wanted = truth_of(case, arguments)
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
        check(ours[0], len(arguments), results, wanted)
    for peer in case.peers:
        assert isinstance(peer, ClangKernel)
        launches = clang_launches(peer, target, [*arguments, *unwritten(results)])
        check(last_sample(launches), len(arguments), results, wanted)
