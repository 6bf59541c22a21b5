"""The generic form of a file, as MLIR's own printer has it, compiles to the instructions of the file itself."""

from __future__ import annotations

from pathlib import Path

import pytest

import asmgen
from asmgen.mlir.reading.texts import respelled
from tests.mlir.judge import ALL, EXAMPLES

HERE = Path(__file__).parent
_FEW = sorted([*(HERE / "kernels").glob("*.mlir"), *(HERE / "host").glob("*.mlir")])
_MORE = sorted([*EXAMPLES.glob("*.mlir"), *(HERE / "foreign").glob("*.mlir")])
# Programs that are not compiled in either form.
_REFUSED = ("iree_", "reduce_rewritten", "stencil_loops", "vecadd_nvvm", "vecadd_rocdl")


def _is_compiled(path: Path) -> bool:
    return path.stem.endswith("_gpu") or not path.stem.startswith(_REFUSED)


def _instructions(text: str, target: str) -> list[list[str]]:
    """Per kernel: the lines of its assembly without places in the source and names of the source."""
    lines = [kernel.assembly.splitlines() for kernel in asmgen.compile(text, target=target).kernels]
    plain = [[line.partition("//")[0].partition(";")[0].split() for line in kernel] for kernel in lines]
    return [[" ".join(words) for words in kernel if words and words[0] not in (".loc", ".file") and ".name:" not in words] for kernel in plain]


@pytest.mark.parametrize(
    "number",
    [pytest.param(i, id=path.stem, marks=() if path in _FEW else pytest.mark.slow) for i, path in enumerate([*_FEW, *_MORE]) if _is_compiled(path)],
)
def test_the_generic_form_is_the_same_program(number: int) -> None:
    from iree.compiler import ir

    text, target = [*_FEW, *_MORE][number].read_text(), ALL[number % len(ALL)]
    with ir.Context():
        generic = ir.Module.parse(respelled(text)).operation.get_asm(print_generic_op_form=True)
    assert '"builtin.module"()' in generic
    assert _instructions(generic, target) == _instructions(text, target)
