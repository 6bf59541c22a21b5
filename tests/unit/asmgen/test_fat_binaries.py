"""`list`, `check`, `report`, `run` and `kernel` on fat binaries: `--target` chooses a code object, and an
unreadable code object loses no other."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.cli.main import main
from asmgen.emission.assemble import assemble
from asmgen.kernels import build_kernel
from isa.diagnostics import InputError
from isa.targets import parse_target
from tests.bundles import compressed, fat, host_file

Captured = pytest.CaptureFixture[str]
TARGETS = ("gfx942", "gfx1201")
N = 64


@cache
def code_object(target: str) -> bytes:
    text = asmgen.compile(build_kernel("vecadd", [("n", str(N))]), target=target).kernels[0].assembly
    return assemble(text, parse_target(target), "vecadd.s", assembler="builtin")


def two() -> bytes:
    return fat(*((target, code_object(target)) for target in TARGETS))


def unknown() -> bytes:
    """A bundle with a first code object for an unknown target: its ELF flags are damaged."""
    other = bytearray(code_object("gfx942"))
    other[48] = 0x36
    return fat(("gfx1030", bytes(other)), ("gfx942", code_object("gfx942")))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A fat binary of two targets."""
    path = tmp_path / "vecadd.hipfb"
    path.write_bytes(compressed(two()))
    return path


def test_list_names_every_kernel(path: Path, capsys: Captured) -> None:
    assert main(["list", str(path)]) == 0
    assert capsys.readouterr().out == "vecadd gfx942\nvecadd gfx1201\n"
    path.write_bytes(unknown())
    assert main(["list", str(path)]) == 1
    shown = capsys.readouterr()
    assert shown.out == "vecadd gfx942\n"
    assert "vecadd.hipfb[gfx1030]: error[LOAD023]" in shown.err


def test_check_takes_each_code_object(path: Path, capsys: Captured) -> None:
    assert main(["check", str(path)]) == 0
    out = capsys.readouterr().out
    assert [line.split(": ")[0].rpartition("/")[2] for line in out.splitlines()] == ["vecadd.hipfb[gfx942]", "vecadd.hipfb[gfx1201]"]
    assert main(["check", str(path), "--target", "gfx1201"]) == 0
    assert capsys.readouterr().out.count("nothing missing") == 1
    assert main(["check", str(path), "--target", "gfx90a"]) == 1
    assert "error[BUN004]: the file has code for gfx942, gfx1201, --target is gfx90a" in capsys.readouterr().err
    path.write_bytes(unknown())
    assert main(["check", str(path)]) == 1
    shown = capsys.readouterr()
    assert "[gfx942]: nothing missing" in shown.out
    assert "[gfx1030]: error[LOAD023]" in shown.err


def test_report_has_the_kernels_of_each(path: Path, capsys: Captured) -> None:
    assert main(["report", str(path), "--format", "json"]) == 0
    assert [kernel["target"] for kernel in json.loads(capsys.readouterr().out)["kernels"]] == list(TARGETS)
    assert main(["report", str(path), "--format", "json", "--target", "gfx942"]) == 0
    assert [kernel["target"] for kernel in json.loads(capsys.readouterr().out)["kernels"]] == ["gfx942"]
    path.write_bytes(unknown())
    assert main(["report", str(path), "--format", "json"]) == 1
    shown = capsys.readouterr()
    assert [refused["name"].rpartition("/")[2] for refused in json.loads(shown.out)["refused"]] == ["vecadd.hipfb[gfx1030]"]


def test_run_takes_the_one_for_a_target(path: Path) -> None:
    a, b = np.arange(N, dtype=np.float32), np.ones(N, np.float32)

    def run(source: Path | bytes, target: str | None) -> Any:
        kernel = asmgen.compile(build_kernel("vecadd", [("n", str(N))]), target=target or "gfx942").kernels[0]
        assert kernel.grid is not None
        arrays = [a, b, np.zeros(N, np.float32)]
        return asmgen.run(source, kernel="vecadd", grid=kernel.workgroups, block=kernel.block, args=arrays, target=target)[-1]

    for target in TARGETS:
        np.testing.assert_array_equal(run(path, target), a + b)
        np.testing.assert_array_equal(run(path.read_bytes(), target), a + b)
    with pytest.raises(InputError, match=r"has 2 kernels vecadd: .*\[gfx942\], .*\[gfx1201\]; wanted a single object") as caught:
        _ = run(path, None)
    assert caught.value.code == "BUN005"


def test_kernel_prints_the_one_for_a_target(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "vecadd.co"
    path.write_bytes(two())
    assert main(["kernel", str(path), "--target", "gfx1201"]) == 0
    assert capsys.readouterr().out.startswith("vecadd for gfx1201\n")


@pytest.mark.needs_llvm("clang-22", "ld.lld-22", "llvm-objcopy-22")
def test_a_host_program(tmp_path: Path, capsys: Captured) -> None:
    path = host_file(tmp_path, two())
    assert main(["list", str(path)]) == 0
    assert capsys.readouterr().out == "vecadd gfx942\nvecadd gfx1201\n"
    assert main(["check", str(path), "--target", "gfx942"]) == 0
    assert main(["report", str(path)]) == 0


def test_list_of_assembly_and_of_sources(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "vecadd.s"
    path.write_text(asmgen.compile(build_kernel("vecadd"), target="gfx942").kernels[0].assembly, encoding="utf-8")
    assert main(["list", str(path)]) == 0
    assert capsys.readouterr().out == "vecadd gfx942\n"
    assert main(["list", "a.gen"]) == 1
    assert "error[CLI013]" in capsys.readouterr().err
