"""Random kernels as mlir-opt-22 lowers them to the LLVM dialect, next to the interpreter of the kernels as they were.

Left out are ops that mlir-opt computes otherwise, or cannot lower: shuffles (lanes outside of a group),
reductions, atomic products, and workgroups with a shape that the launch gives: the parser no longer has their
op.
"""

from __future__ import annotations

import re
import subprocess
from typing import Any

import numpy as np
import pytest

import asmgen
from tests.device import chosen_device
from tests.mlir.judge import ALL, interpreted
from tests.mlir.random_programs import random_program

_PASSES = (
    "expand-strided-metadata", "convert-scf-to-cf", "convert-gpu-to-rocdl", "convert-index-to-llvm",
    "convert-arith-to-llvm", "reconcile-unrealized-casts",
)  # fmt: skip
_LEFT_OUT = re.compile(r"gpu\.shuffle|subgroup_reduce|all_reduce|atomic_rmw muli")
_SIZES = (3, 5, 7, 9)


def _is_lowered(text: str) -> bool:
    return "known_block_size" in text and _LEFT_OUT.search(text) is None


def _lowered(text: str) -> str:
    """The kernel as LLVM 22 lowers it, without the attributes of results that today's parser refuses."""
    passes = f"--pass-pipeline=builtin.module(gpu.module({','.join(_PASSES)}))"
    made = subprocess.run(["mlir-opt-22", passes], input=text, capture_output=True, text=True, check=True).stdout
    return re.sub(r" \{res_attrs = \[[^\n]*\]\}", "", made)


def _descriptor(array: Any) -> list[Any]:
    steps = [stride // array.itemsize for stride in array.strides]
    return [np.zeros(1, array.dtype), array, 0, *array.shape, *steps]


def _check(seed: int) -> bool:
    """Whether a seed's kernel can be lowered; its results are then the same as before."""
    program, target = random_program(seed, _SIZES[seed % len(_SIZES)]), ALL[seed % len(ALL)]
    text = re.sub(r"memref<(4|121)xi32>", r"memref<\1xi32, 5>", program.text)  # mlir-opt wants the space of private memory
    if not _is_lowered(text):
        return False
    wave = 64 if target.startswith("gfx9") else 32
    wanted = interpreted(text, program.grid, program.block, program.arguments, wave)
    args = [one for given in program.arguments for one in (_descriptor(given) if isinstance(given, np.ndarray) else [given])]
    kernel = asmgen.compile(_lowered(text), target=target).kernel("random")
    found = kernel.launch(grid=program.grid, block=program.block, args=args, device=chosen_device())
    for got, expected in zip(found[1::2], wanted, strict=True):
        np.testing.assert_array_equal(got.reshape(expected.shape), expected, err_msg=f"seed {seed}, {target}:\n{text}")
    return True


@pytest.mark.broad
@pytest.mark.needs_llvm("mlir-opt-22")
def test_random_programs_of_the_llvm_dialect() -> None:
    assert sum(_check(seed) for seed in range(40)) >= 7


@pytest.mark.slow
@pytest.mark.needs_llvm("mlir-opt-22")
@pytest.mark.parametrize("start", range(0, 1000, 100))
def test_many_random_programs_of_the_llvm_dialect(start: int) -> None:
    assert sum(_check(seed) for seed in range(start, start + 100)) >= 15
