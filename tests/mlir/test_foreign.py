"""Modules as `mlir-opt-22` prints them: each compiles and agrees with the interpreter, or is refused by the
name of the unknown op. The first line of a file is the command that made it, run at the root of the
repository.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import asmgen
from asmgen.compiled import CompiledProgram
from asmgen.verification.mlir.kernel import verify_kernel
from isa.diagnostics import InputError
from tests.mlir.judge import FEW

FOREIGN = Path(__file__).parent / "foreign"
Sizes = tuple[int, int, int]
_NAMES = sorted(one.stem for one in FOREIGN.glob("*.mlir") if not one.stem.startswith(("iree_", "jax_")))
_REFUSED = {
    "reduce_rewritten": r"49:\d+: error\[MLIR050\]: the width of the shuffle",
    "stencil_loops": r"error\[MLIR004\]: func.func @stencil is not a function of ranked tensors: the file has no kernel",
    "vecadd_nvvm": r"23:\d+: error\[MLIR011\]: nvvm\.read\.ptx\.sreg\.ctaid\.x is of the dialect nvvm",
    "vecadd_rocdl": r"25:\d+: error\[MLIR002\]: .*'rocdl\.workgroup\.dim\.x'",
}
_GRIDS: dict[str, tuple[Sizes, Sizes]] = {
    "sgemm_blocks": ((1, 1, 1), (16, 16, 1)),
    "sgemm_canonical": ((1, 1, 1), (16, 16, 1)),
    "windows_lowered": ((1, 1, 1), (40, 1, 1)),
}
_ONLY_COMPILE = ("parts_lowered", "stencil")  # the bounds of their memory are arguments


def _compiled(name: str) -> CompiledProgram:
    return asmgen.compile(FOREIGN / f"{name}.mlir", target=FEW[_NAMES.index(name) % len(FEW)])


@pytest.mark.parametrize("name", [one for one in _NAMES if one not in _REFUSED])
def test_what_compiles_does_what_it_says(name: str) -> None:
    program = _compiled(name)
    assert program.kernels
    if name in _ONLY_COMPILE:
        return
    for number in range(len(program.kernels)):
        found = verify_kernel(program, number, *_GRIDS.get(name, (None, None)), device="emulator")
        assert not found.is_broken, found.lines


@pytest.mark.parametrize("name", list(_REFUSED))
def test_what_is_refused_is_named(name: str) -> None:
    with pytest.raises(InputError, match=_REFUSED[name]) as caught:
        _ = _compiled(name)
    assert f"{name}.mlir" in str(caught.value)


def test_each_file_has_the_command_that_made_it() -> None:
    for name in _NAMES:
        assert (FOREIGN / f"{name}.mlir").read_text().startswith("// mlir-opt-22 "), name
