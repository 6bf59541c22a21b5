"""`profile` on the command line: its options and the errors of bad options."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.commands import run

SMALL = "--set rows=64 --set cols=256"


def failed(command: str) -> str:
    status, said = run(f"python -m asmgen profile {command}")
    assert status == 1
    return said


def test_text_is_the_default() -> None:
    status, said = run(f"python -m asmgen profile softmax --target gfx1201 {SMALL}")
    assert status == 0 and said.startswith("softmax for gfx1201: ") and "what to try" in said


def test_dependent_products_advise_more_tiles_and_not_rows() -> None:
    status, said = run("python -m asmgen profile gemm --set m=960 --set k=960")
    assert status == 0
    assert re.search(r"independent work between line \d+ and line \d+, such as two tiles of results at a time", said), said


@pytest.mark.parametrize(
    ("options", "wanted"),
    (
        ("softmax --format perfetto", "CLI002"),
        ("softmax --format json -o x.html", "CLI012"),
        ("softmax --set rows=?", "PRF001"),
        ("softmax --size n=3", "PRF002"),
        ("softmax --set rows=? --size rows=3,4", "PRF002"),
        ("softmax --grid 4", "PRF007"),
        ("softmax --lds 64", "PRF007"),
        ("softmax --max-steps 0", "RUN025"),
        ("softmax --kernel other", "LNC001"),
        ("softmax --arg f32[4", "ARG001"),
        ("softmax --arg f32[4,4]", "CALL004"),
        ("softmax --block 0", "LNC003"),
        ("nothing", "CAT001"),
        ("examples/relu.mlir", "PRF003"),
        ("examples/relu.mlir --grid 1 --block 64", "PRF004"),
        ("examples/relu.mlir --kernel other --grid 1 --block 64", "LNC001"),
    ),
)
def test_bad_input_is_named(options: str, wanted: str) -> None:
    options = options if options.startswith("examples") or "--arg" not in options else f"{options} {SMALL}"
    assert f"error[{wanted}]" in failed(options)


def test_an_unknown_type_of_an_array_is_named_with_the_known_types() -> None:
    said = failed("softmax --arg f33[4]")
    assert "error[ARG001]: unknown type 'f33' of an array, wanted one of bool i8 u8 " in said and "did you mean f32" in said


def test_a_program_without_elements_launches_nothing() -> None:
    status, said = run("python -m asmgen profile relu --set n=0")
    assert (status, said) == (0, "nothing is launched: every result is without elements\n")


def test_pointers_are_those_of_run(tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    assert run(f"python -m asmgen kernel relu --set n=64 --emit asm -o {path}")[0] == 0
    status, said = run(f"python -m asmgen profile {path} --grid 1 --block 64 --arg 'f32[64]' --arg arg0")
    assert status == 0, said
    assert "error[EMU020]" in failed(f"{path} --grid 1 --block 64 --arg 'f32[64]' --arg null")


def test_arguments_of_a_program_may_be_given() -> None:
    status, said = run(f"python -m asmgen profile row_sum {SMALL} --arg 'f32[64,256]'")
    assert status == 0, said


def test_named_dims_have_sizes() -> None:
    status, said = run("python -m asmgen profile relu --set n=? --size n=100000 --target gfx1100")
    assert status == 0 and "relu for gfx1100: " in said


def test_several_sources_are_profiled_in_turn(tmp_path: Path) -> None:
    status, said = run(f"python -m asmgen profile row_sum row_max {SMALL} --format json -o {tmp_path}")
    assert status == 0, said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["row_max.json", "row_sum.json"]


def test_an_assembly_file_is_launched_as_the_options_say(tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    assert run(f"python -m asmgen kernel vecadd --set n=4096 --target gfx1100 --emit asm -o {path}")[0] == 0
    said = failed(str(path))
    assert "the launch of vecadd is not known, wanted --grid, --block, --arg for a (f32), --arg for b (f32)" in said
    foreign = tmp_path / "foreign.s"
    foreign.write_text(path.read_text().replace('.type_name: "f32"', '.type_name: "int*"'))
    assert "--block 256,1,1 --arg 'i32[4096]' --arg 'i32[4096]'" in failed(str(foreign))
    arguments = " ".join(["--arg 'f32[4096]'"] * 3)
    status, said = run(f"python -m asmgen profile {path} --grid 4 --block 256 {arguments}")
    assert status == 0, said
    assert said.startswith("vecadd for gfx1100: 4 workgroups of 256 work-items, 8 waves each")
    assert "error[RUN010]: got 4 arguments, wanted 3 for vecadd" in failed(f"{path} --grid 4 --block 256 {arguments} --arg i32:1")
    assert "error[PRF002]" in failed(f"{path} --grid 4 --block 256 {arguments} --size n=4")
