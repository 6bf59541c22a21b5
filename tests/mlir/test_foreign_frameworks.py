"""Modules as IREE and JAX print them: ops of their own dialects are refused with their line, and JAX's
programs run next to numpy: as tensor programs, and as mlir-opt-22's lowering of them, launches and host
function. The first line of a file is the command that made it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import asmgen
from isa.diagnostics import InputError
from tests.device import chosen_device
from tests.mlir.judge import ALL
from tests.mlir.test_foreign import FOREIGN
from tests.rows import spread

REFUSED = {
    "iree_add_configurations": "3:3: error[MLIR004]: util.global",
    "iree_add_dispatch": "8:10: error[MLIR004]: hal.interface.binding.subspan",
    "iree_add_targets": "30:11: error[MLIR011]: llvm.intr.assume",
    "iree_matmul_dispatch": "33:10: error[MLIR004]: hal.interface.binding.subspan",
    "iree_reduce_dispatch": "13:10: error[MLIR004]: hal.interface.binding.subspan",
    "iree_reduce_flow": "3:3: error[MLIR004]: util.global",
}


@pytest.mark.parametrize("name", list(REFUSED))
def test_what_is_refused_is_named(name: str) -> None:
    path = FOREIGN / f"{name}.mlir"
    with pytest.raises(InputError) as caught:
        _ = asmgen.compile(path)
    assert str(caught.value).startswith(f"{path}:{REFUSED[name]}"), str(caught.value)


def _random(*shape: int) -> Any:
    return np.random.default_rng(len(shape)).standard_normal(shape).astype(np.float32)


RUN: dict[str, tuple[Callable[[], list[Any]], Callable[..., Any], float]] = {
    "jax_swish": (lambda: [_random(64, 32)], lambda x: x / (1 + np.exp(-x)), 2e-6),
    "jax_rows": (lambda: [_random(48, 20)], lambda x: 2 * x.sum(axis=1), 2e-5),
    "jax_layer": (lambda: [_random(16, 24), _random(24, 32)], lambda x, w: np.maximum(x @ w, 0), 2e-5),
}


@pytest.mark.parametrize(("target", "name"), spread([(target, name) for name in RUN for target in ALL], 1))
@pytest.mark.parametrize("is_lowered", [False, True])
def test_programs_of_jax(target: str, name: str, is_lowered: bool) -> None:
    """As JAX prints it, a tensor program of StableHLO, and as mlir-opt-22 lowered it, with a host function."""
    make, truth, tolerance = RUN[name]
    args = make()
    program = asmgen.compile(FOREIGN / f"{name}{'_gpu' * is_lowered}.mlir", target=target)
    found = program.host("main").run(args=args, device=chosen_device())[-1] if is_lowered else program(*args, device=chosen_device())[0]
    wanted = truth(*[one.astype(np.float64) for one in args])
    np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)


def test_each_file_has_the_command_that_made_it() -> None:
    names = {path.stem for kind in ("iree", "jax") for path in FOREIGN.glob(f"{kind}_*.mlir")}
    assert names == {*REFUSED, *RUN, *[f"{name}_gpu" for name in RUN]}
    for name in names:
        first = (FOREIGN / f"{name}.mlir").read_text().splitlines()[0]
        assert first.startswith(("// iree-compile ", "// python tests/mlir/foreign/sources/jax_functions.txt ")), name


SAME_NAMES = """gpu.module @first {
  gpu.func @kernel(%x: memref<?xi32>) kernel {
    %i = gpu.global_id x
    %a = arith.constant 1 : i32
    memref.store %a, %x[%i] : memref<?xi32>
    gpu.return
  }
}
gpu.module @second {
  gpu.func @kernel(%x: memref<?xi32>) kernel {
    %i = gpu.global_id x
    %a = arith.constant 2 : i32
    memref.store %a, %x[%i] : memref<?xi32>
    gpu.return
  }
}
"""


def test_kernels_of_one_name_in_two_modules() -> None:
    """The later kernel is called as its module, as mlir-opt's outlining names these."""
    program = asmgen.compile(SAME_NAMES, target="gfx1100")
    assert [kernel.name for kernel in program.kernels] == ["kernel", "second"]
    for number, kernel in enumerate(program.kernels):
        (found,) = program.kernel(kernel.name).launch(grid=(1, 1, 1), block=(4, 1, 1), args=[np.zeros(4, np.int32)], device=chosen_device())
        np.testing.assert_array_equal(found, number + 1)


def test_two_kernels_of_one_name_in_one_file() -> None:
    """With no module of another name the file says which is meant."""
    inner = SAME_NAMES.replace("@second", "@kernel")
    with pytest.raises(InputError, match=r":10:3: error\[MLIR005\]: two kernels have the name kernel"):
        _ = asmgen.compile(inner)
