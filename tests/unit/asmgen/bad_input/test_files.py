"""Assembly text, machine programs and code objects that are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from asmgen.cli.main import main
from tests.unit.asmgen.bad_input.assembly_lines import CHANGES, LINES
from tests.unit.asmgen.bad_input.doors import files_of, refused
from tests.unit.asmgen.bad_input.machine_lines import MACHINE_LINES
from tests.unit.asmgen.bad_input.object_bytes import PATCHES, SIZES

LAUNCH = ("--kernel", "relu", "--grid", "1", "--block", "64")


def printed(directory: Path, *options: str) -> bytes:
    path = directory / "whole"
    assert main(["kernel", "relu", "--set", "n=64", *options, "-o", str(path)]) == 0
    return path.read_bytes()


@pytest.fixture(scope="module")
def assembly(tmp_path_factory: pytest.TempPathFactory) -> str:
    return printed(tmp_path_factory.mktemp("whole"), "--emit", "asm").decode()


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> str:
    return printed(tmp_path_factory.mktemp("whole"), "--emit", "machine").decode()


@pytest.fixture(scope="module")
def code_object(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return printed(tmp_path_factory.mktemp("whole"))


@pytest.mark.parametrize("line", LINES, ids=range(len(LINES)))
def test_a_line_of_assembly_is_refused(line: str, assembly: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.s"
    path.write_text(assembly.replace("\ts_endpgm", f"\t{line}\n\ts_endpgm"), encoding="utf-8")
    number = assembly.partition("\ts_endpgm")[0].count("\n") + 1
    assert refused(["run", str(path), *LAUNCH], tmp_path, capsys).startswith(f"{path}:{number}:")


@pytest.mark.parametrize("change", CHANGES, ids=range(len(CHANGES)))
def test_a_changed_directive_is_refused(change: tuple[str, str], assembly: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.s"
    assert change[0] in assembly
    path.write_text(assembly.replace(*change), encoding="utf-8")
    message = refused(["run", str(path), *LAUNCH, "--arg", "f32:1", "--arg", "f32:1"], tmp_path, capsys)
    assert message.startswith((str(path), "--arg[0]"))


@pytest.mark.parametrize(("old", "new"), MACHINE_LINES, ids=range(len(MACHINE_LINES)))
def test_a_machine_program_is_refused(old: str, new: str, machine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.mir"
    assert old in machine
    path.write_text(machine.replace(old, new, 1), encoding="utf-8")
    message = refused(["kernel", str(path), "--emit", "asm", "-o", str(tmp_path / "k.s")], tmp_path, capsys)
    assert message.startswith((str(path), "relu: error[LIM"))  # a limit of the target is the kernel's, whatever it was read from


@pytest.mark.parametrize("size", SIZES)
def test_a_code_object_that_is_cut_is_refused(size: int, code_object: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.hsaco"
    path.write_bytes(code_object[:size])
    assert refused(["kernel", str(path)], tmp_path, capsys).startswith(str(path))


@pytest.mark.parametrize("patch", PATCHES, ids=range(len(PATCHES)))
def test_a_code_object_that_is_patched_is_refused(
    patch: tuple[int, bytes], code_object: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, (at, data) = tmp_path / "bad.hsaco", patch
    path.write_bytes(code_object[:at] + data + code_object[at + len(data) :])
    for command in (["kernel", str(path)], ["report", str(path)], ["run", str(path), *LAUNCH]):
        assert refused(command, tmp_path, capsys).startswith(str(path))
    assert list(files_of(tmp_path)) == ["bad.hsaco"]


def test_a_kernel_that_never_ends_is_given_up(assembly: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "endless.s"
    path.write_text(assembly.replace("\ts_endpgm", "again:\n\ts_branch again\n\ts_endpgm"), encoding="utf-8")
    np.save(tmp_path / "x.npy", np.ones(64, np.float32))
    arguments = ["--arg", str(tmp_path / "x.npy"), "--arg", str(tmp_path / "x.npy"), "--max-steps", "1000"]
    assert "more than 1000 instructions" in refused(["run", str(path), *LAUNCH, *arguments], tmp_path, capsys)
