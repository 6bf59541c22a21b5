"""`kernel FILE --verify --against KERNEL` finds a mistake in edited assembly."""

from __future__ import annotations

from pathlib import Path

import pytest

import asmgen
from asmgen.kernels import CATALOGUE, build_kernel
from tests.mutants.edits import Edit, edits
from tests.mutants.verdict import fault_named_against
from tests.rows import in_turn

_TARGET = "gfx942"
Settings = tuple[tuple[str, str], ...]
_SHAPES: tuple[Settings, ...] = ((("rows", "5"), ("cols", "300")), (("rows", "33"), ("cols", "40")))
_PRODUCTS: tuple[Settings, ...] = ((("m", "70"), ("n", "70"), ("k", "70"), ("batch", "2")),)
_SAMPLE = ("row_sum", "softmax", "linear")
_SINGLE = [
    name for name in CATALOGUE if name not in ("swiglu_mlp", "quantised_linear", "int4_linear", "fp8_linear")
]  # the others have several kernels


def shapes(kernel: str) -> tuple[Settings, ...]:
    """Sizes at which a kernel is edited; kernels with rows get rows of a workgroup and rows of part of a wave."""
    parameters = CATALOGUE[kernel].parameters
    if "m" in parameters:
        return tuple([tuple([(name, size) for name, size in each if name in parameters]) for each in _PRODUCTS])
    return _SHAPES if "rows" in parameters else ((("n", "500"),),)


def assembly_of(kernel: str, settings: Settings) -> str:
    return asmgen.compile(build_kernel(kernel, settings), target=_TARGET).kernels[0].assembly


def found_edits(kernel: str, settings: Settings, folder: Path) -> list[tuple[Edit, str]]:
    """The verdict on each edit of a kernel."""
    file = folder / f"{kernel}.s"
    found: list[tuple[Edit, str]] = []
    for edit in edits(assembly_of(kernel, settings), _TARGET, "f32"):
        _ = file.write_text(edit.text, encoding="utf-8")
        found.append((edit, fault_named_against(file, kernel, settings)))
    return found


@pytest.mark.parametrize("kernel", in_turn(_SINGLE, of=3))
def test_unedited_assembly_is_right(kernel: str, tmp_path: Path) -> None:
    file = tmp_path / f"{kernel}.s"
    _ = file.write_text(assembly_of(kernel, shapes(kernel)[0]), encoding="utf-8")
    assert not fault_named_against(file, kernel, shapes(kernel)[0])


@pytest.mark.parametrize("kernel", _SAMPLE)
def test_a_mistake_of_each_kind_is_found(kernel: str, tmp_path: Path) -> None:
    settings = shapes(kernel)[0]
    file = tmp_path / f"{kernel}.s"
    for edit in {edit.kind: edit for edit in edits(assembly_of(kernel, settings), _TARGET, "f32")}.values():
        _ = file.write_text(edit.text, encoding="utf-8")
        assert fault_named_against(file, kernel, settings), f"{edit.kind} at line {edit.line}"


@pytest.mark.slow
@pytest.mark.parametrize("kernel", _SINGLE)
def test_every_mistake_is_found(kernel: str, tmp_path: Path) -> None:
    for settings in shapes(kernel):
        found = found_edits(kernel, settings, tmp_path)
        missed = [f"line {edit.line}: {edit.kind}" for edit, said in found if not said]
        assert found and not missed, f"{kernel} {settings}: {len(missed)} of {len(found)} edits are not found:\n" + "\n".join(missed)
