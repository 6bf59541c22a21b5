"""Files without .amdgpu_metadata are reported, and the report names the unknown facts; they cannot be
launched."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from asmgen.cli.main import main
from asmgen.compilation import Source
from asmgen.compiler import compile_read
from asmgen.emission.assemble import assemble
from asmgen.kernels import build_kernel
from asmgen.options import Options
from asmgen.report.sources import report_compiled
from asmgen.report.text import WITHOUT_METADATA
from isa.diagnostics import InputError
from isa.emulator import load
from isa.targets import parse_target


def with_and_without(machine: str) -> tuple[str, str]:
    program = compile_read(Source.of_program("vecadd", build_kernel("vecadd")), parse_target(machine), Options())
    text = program.kernels[0].assembly
    return text, re.sub(r"^\t\.amdgpu_metadata\n.*?^\t\.end_amdgpu_metadata\n", "", text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("machine", ["gfx942", "gfx1201"])
def test_the_rest_is_as_with_metadata(machine: str) -> None:
    whole, bare = with_and_without(machine)
    assert "metadata" not in bare
    (expected,), (found,) = (report_compiled(text, "vecadd.s", None).kernels for text in (whole, bare))
    assert found.has_metadata is False and expected.has_metadata is True
    assert found.spills is None and not found.fixed_workgroup and found.workgroup == (1024, 1, 1)
    assert found.points == expected.points
    for mine, theirs in zip(found.files, expected.files, strict=True):
        assert (mine.lower_bound, mine.used, mine.taken, mine.values) == (theirs.lower_bound, theirs.used, theirs.taken, theirs.values)
        assert mine.declared in (theirs.declared, None)
    assert found.file("VGPR").declared == expected.file("VGPR").declared
    with pytest.raises(InputError, match="no metadata of kernel vecadd"):
        _ = load(bare)


@pytest.mark.needs_llvm("clang-22", "ld.lld-22")
def test_code_objects(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, bare = with_and_without("gfx942")
    path = tmp_path / "vecadd.hsaco"
    path.write_bytes(assemble(bare, parse_target("gfx942")))
    (found,) = report_compiled(path.read_bytes(), "vecadd.hsaco", None).kernels
    (same,) = report_compiled(bare, "vecadd.s", None).kernels
    assert not found.has_metadata
    assert [file.taken for file in found.files] == [file.taken for file in same.files]
    assert len(found.points) == len(same.points)  # the NOPs up to the entry of kernels with preloaded arguments are none
    assert found.file("VGPR").declared is None
    assert found.lds_bytes == 0 and found.spills is None
    assert main(["report", str(path)]) == 0
    assert f"\n  {WITHOUT_METADATA}\n" in capsys.readouterr().out
    assert main(["report", str(path), "--format", "html"]) == 0
    assert WITHOUT_METADATA in capsys.readouterr().out
    assert main(["report", str(path), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["kernels"][0]["has_metadata"] is False
    assert main(["check", str(path)]) == 0
    with pytest.raises(InputError, match="no AMDGPU metadata note"):
        _ = load(path.read_bytes())


@pytest.mark.needs_llvm("clang-22", "ld.lld-22")
def test_a_descriptor_that_asks_for_more_than_the_code_uses() -> None:
    _, bare = with_and_without("gfx942")
    greedy = re.sub(r"(\.amdhsa_next_free_vgpr|\.amdhsa_accum_offset) \d+", r"\1 64", bare)
    (found,) = report_compiled(assemble(greedy, parse_target("gfx942")), "greedy.hsaco", None).kernels
    assert (found.file("VGPR").declared, found.file("VGPR").taken) == (64, 64)
