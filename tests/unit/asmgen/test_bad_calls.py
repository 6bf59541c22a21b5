"""What users pass by mistake, through the Python API: each is an `InputError` with a place."""

from __future__ import annotations

from typing import Any

import pytest

import asmgen
from asmgen.kernels import build_kernel
from isa.diagnostics import InputError

NEGATED = "x = @param:x -> {4}\ny = neg(x)\n@return(y)\n"


@pytest.mark.parametrize("target", [5, None, "", "gfx"])
def test_a_target_that_is_none(target: Any) -> None:
    with pytest.raises(InputError, match="wanted one of gfx1100, gfx1201, gfx90a, gfx942, gfx950") as caught:
        asmgen.compile(NEGATED, target=target)
    assert caught.value.place == "target"


def test_a_kernel_without_a_name_has_a_place() -> None:
    with pytest.raises(InputError) as caught:
        build_kernel("")
    assert str(caught.value).startswith("SOURCE: error[CAT001]: ")


@pytest.mark.parametrize("grid", [5, (1, 1), (1.5, 1, 1), "1,1,1", None])
def test_a_grid_that_is_none(grid: Any) -> None:
    with pytest.raises(InputError, match="wanted three integers") as caught:
        _ = asmgen.run("nothing\n", kernel="k", grid=grid, block=(64, 1, 1), args=[], device="emulator")
    assert caught.value.place == "grid"


def test_a_source_that_is_none() -> None:
    source: Any = None
    with pytest.raises(InputError, match="got NoneType, wanted a code object"):
        _ = asmgen.run(source, kernel="k", grid=(1, 1, 1), block=(64, 1, 1), args=[], device="emulator")


@pytest.mark.parametrize(
    ("source", "code"), [(None, "SRC011"), (5, "SRC011"), (b"x\n", "SRC011"), ("softmax", "SRC012"), ("", "SRC002"), ("\ud800\n", "SRC004")]
)
def test_a_source_that_is_nothing_to_compile(source: Any, code: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = asmgen.compile(source)
    assert caught.value.code == code


def test_a_source_to_compile_is_nothing_to_run() -> None:
    with pytest.raises(InputError, match="a source to compile") as caught:
        _ = asmgen.run("ok.gen", kernel="k", grid=(1, 1, 1), block=(64, 1, 1), args=[])
    assert "kernel ok.gen -o ok.hsaco" in caught.value.help


def test_a_mark_of_the_byte_order_is_read_over() -> None:
    assert asmgen.compile(f"\ufeff{NEGATED}").kernels


def test_a_long_quote_is_cut() -> None:
    with pytest.raises(InputError) as caught:
        _ = asmgen.compile(f"x = @param:x -> {'f' * 5000}\n@return(x)\n")
    assert len(caught.value.message) < 500
    assert caught.value.message.endswith("fp4e2m1fn")
