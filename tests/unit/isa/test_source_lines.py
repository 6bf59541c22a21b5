"""Source lines of code objects are those that llvm-dwarfdump finds; damaged debug data gives none."""

from __future__ import annotations

import re
import subprocess
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from elftools.elf.elffile import ELFFile

import asmgen
from asmgen.check.reading import read_listing
from asmgen.cli.main import main
from asmgen.report.sources import report_compiled
from isa.emulator.program.reports import describe
from isa.emulator.program.source_lines import with_source_lines
from isa.emulator.runner import load, run
from isa.emulator.sanitizer.faults import SanitizerError
from isa.objects.source_lines import line_table

pytestmark = pytest.mark.needs_llvm("clang-22", "ld.lld-22", "llvm-dwarfdump-22")

KERNEL = """kernel void scaled(global float *y, global const float *x, float a) {
  int i = __builtin_amdgcn_workitem_id_x();
  float v = x[i];
  y[i] = v * a;
}
"""
CLANG = ("clang-22", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx942", "-O2", "-nogpulib")
_ROW = re.compile(r"^0x([0-9a-f]+)\s+(\d+)\s+(\d+)\s+(\d+)\s+\d+\s+\d+\s+\d+\s*(.*)$")


def built(directory: Path, *options: str) -> Path:
    (directory / "scaled.cl").write_text(KERNEL, encoding="utf-8")
    command = [*CLANG, *options, "-x", "cl", "-cl-std=CL2.0", "-w", "scaled.cl", "-o", "scaled.hsaco"]
    subprocess.run(command, cwd=directory, check=True)
    return directory / "scaled.hsaco"


@pytest.fixture(scope="module")
def scaled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("scaled"), "-g")


@pytest.mark.parametrize("version", [2, 4, 5])
def test_rows_are_those_of_llvm(version: int, tmp_path: Path) -> None:
    path = built(tmp_path, f"-gdwarf-{version}")
    said = subprocess.run(["llvm-dwarfdump-22", "--debug-line", str(path)], capture_output=True, text=True, check=True).stdout
    rows = [found.groups() for line in said.splitlines() if (found := _ROW.match(line))]
    known = {int(row[0], 16): (int(row[1]), int(row[2])) for row in rows if row[1] != "0" and "end_sequence" not in row[4]}
    table = line_table(path.read_bytes())
    assert len(known) > 4
    for address, (line, column) in known.items():
        place = table.at(address)
        assert place is not None
        assert (place.file, place.line, place.column) == ("scaled.cl", line, column)
    assert table.at(min(table.starts) - 4) is None
    assert table.at(max(table.starts) + 4) is None


def test_a_report_and_check_name_the_source_line(scaled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (kernel,) = report_compiled(scaled.read_bytes(), "scaled.hsaco", None).kernels
    places = {point.site.text.split()[0]: point.site.place for point in kernel.points}
    assert places["global_load_dword"].startswith("scaled.cl:3:")
    assert places["global_store_dword"].startswith("scaled.cl:4:")
    assert main(["report", str(scaled), "--format", "json"]) == 0
    assert '"place": "scaled.cl:3:' in capsys.readouterr().out
    (function,) = read_listing(str(scaled), None).functions
    loads = [place for instr, place in zip(function.instructions, function.places, strict=True) if "global_load" in instr.row.mnemonic]
    assert re.fullmatch(rf"{re.escape(str(scaled))}\+0x[0-9a-f]+ \(scaled\.cl:3:\d+\)", str(loads[0]))


def test_a_run_names_the_source_line_of_a_fault(scaled: Path) -> None:
    short, x = np.zeros(8, np.float32), np.ones(64, np.float32)
    with pytest.raises(SanitizerError, match=r"\Ascaled\.cl:4:\d+: error\[SAN005\]"):
        _ = run(scaled.read_bytes(), None, (1, 1, 1), (64, 1, 1), [short, x, 2.0], sanitize=True)


def test_lines_of_an_object_that_only_has_those(tmp_path: Path) -> None:
    """An assembler that reads lines from .loc makes no .debug_info."""
    path = tmp_path / "vecadd.hsaco"
    (tmp_path / "add.gen").write_text("x = @param:x -> {64}\ny = add(x, x)\n@return(y)\n", encoding="utf-8")
    assert main(["kernel", str(tmp_path / "add.gen"), "-o", str(path)]) == 0
    image = with_source_lines(load(path.read_bytes(), None, "vecadd.hsaco"), path.read_bytes())
    places = {instr.row.mnemonic: instr.origin.place for instr in image.code.instructions if instr.origin is not None}
    (add,) = [place for mnemonic, place in places.items() if "add_f32" in mnemonic]
    assert str(add) == f"{tmp_path / 'add.gen'}:2:1"


def test_padding_is_no_part_of_a_kernel(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "vecadd.hsaco"
    assert main(["kernel", "vecadd", "--set", "n=64", "-o", str(path)]) == 0
    assert main(["check", str(path)]) == 0
    said = capsys.readouterr()
    assert "note" not in said.err
    (function,) = read_listing(str(path), None).functions
    assert len(function.instructions) < 20


def test_damaged_debug_data_gives_no_lines_or_others(scaled: Path) -> None:
    data = scaled.read_bytes()
    section = ELFFile(BytesIO(data)).get_section_by_name(".debug_line")
    assert section is not None
    begin, found = section["sh_offset"], 0
    for byte in range(begin, begin + 60):
        for value in (0, 0x7F, 0xFF):
            damaged = bytearray(data)
            damaged[byte] = value
            found += bool(line_table(bytes(damaged)).starts)
    assert found < 180


def test_assembly_that_names_a_source_keeps_its_own_lines() -> None:
    """A user who edits assembly by hand wants the line of the assembly beside that of its program."""
    text = asmgen.compile("x = @param:x -> {64}\ny = add(x, x)\n@return(y)\n").kernels[0].assembly
    image = load(text, None, "double.s")
    add = next(instr for instr in image.code.instructions if "add_f32" in instr.row.mnemonic)
    assert add.origin is not None and add.origin.line is not None
    line = text.splitlines()[add.origin.line.line - 1]
    assert "add_f32" in line
    assert describe(add).endswith(f"(add :2; double.s:{add.origin.line.line})")
