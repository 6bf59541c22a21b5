"""Values live at points that are asked for, occupancy steps in the chart, and spills by source line."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from asmgen.compilation import Source
from asmgen.compiler import compile_read
from asmgen.kernels import build_kernel
from asmgen.options import make_options
from asmgen.report.build import report_image, report_program
from asmgen.report.live import live_sets
from asmgen.report.model import FILES, KernelReport
from asmgen.report.result import Report
from asmgen.report.sources import report_compiled
from asmgen.report.text import PLAIN, Style, render
from asmgen.report.values import LiveKernel
from isa.emulator import load
from isa.targets import parse_target
from tests.unit.regalloc.programs import machine
from tests.unit.report.test_command import CLANG, Run, refused
from tests.unit.report.test_live import LOOP, LOOP_LIVE, STRAIGHT, STRAIGHT_LIVE

SCRATCH = """kernel void k(global int *p, int n) {
  int a[100];
  for (int i = 0; i < 100; i++) a[i] = p[i * 7];
  int s = 0;
  for (int j = 0; j < n; j++) s += a[(j * s) % 100];
  p[n] = s;
}
"""


@pytest.mark.parametrize(("body", "expected"), [(STRAIGHT, STRAIGHT_LIVE), (LOOP, LOOP_LIVE)], ids=["straight", "loop"])
def test_values_at_every_point_of_a_program(body: str, expected: list[str]) -> None:
    """The units worked out by hand are those of the values, or of the values after the instruction if these are more."""
    kernel = machine(body)
    program = LiveKernel(kernel, live_sets(kernel))
    found = program.at(range(len(program.points)))
    assert len(found) == len(program.points) == len(expected)
    for number, peaks in found.items():
        for file, peak in enumerate(peaks):
            values = program.values(peak, {})
            assert sum(value.units for value in values) == len(peak.units) == program.points[number].pressure[file]
        if not any(peak.after for peak in peaks):
            wanted = {part.partition("[")[0] for part in expected[number].split() if part != "scc"}
            names = {value.name.partition("[")[0] for peak in peaks for value in program.values(peak, {})}
            assert names == {"s" if re.fullmatch(r"s\d+", part) and "s" in names else part for part in wanted}


def source(name: str, *settings: tuple[str, str]) -> Source:
    return Source.of_program(name, build_kernel(name, settings))


def test_places_are_numbers_blocks_and_source_lines() -> None:
    program = compile_read(source("row_sum", ("rows", "4")), parse_target("gfx942"), make_options({}))
    (kernel,) = report_program(program, ("3", "entry", ":2", "row_sum:3", "other:2", "99999", "nowhere")).kernels
    assert [(point.place, point.site.point) for point in kernel.at[:2]] == [("3", 3), ("entry", 0)]
    assert [point.place for point in kernel.at[2:]] == [":2", "row_sum:3"]
    of_line = [point for point in kernel.points if point.site.place.startswith("row_sum:2:")]
    assert kernel.at[2].pressure[0] == max(point.pressure[0] for point in of_line)
    assert kernel.at[2].site in [point.site for point in of_line]
    for point in kernel.at:
        assert point.pressure == kernel.points[point.site.point].pressure
        for number, values in enumerate(point.values):
            assert sum(value.units for value in values) == point.pressure[number]


def test_the_command_lists_them_in_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    text = Run(capsys, "report", "row_sum", "--set", "rows=4", "--at", "3").out
    assert re.search(r"^at 3  3: v_add_f32_e32 .*\n  5 VGPRs\n    value .*\n    v0 ", text, re.MULTILINE)
    (kernel,) = json.loads(Run(capsys, "report", "row_sum", "--set", "rows=4", "--at", "3", "--format", "json").out)["kernels"]
    (point,) = kernel["at"]
    assert (point["asked"], point["point"]) == ("3", 3)
    assert sum(value["units"] for value in point["values"]["vgpr"]) == point["pressure"]["vgpr"] == 5
    assert '"Live at 3"' in Run(capsys, "report", "row_sum", "--set", "rows=4", "--at", "3", "--format", "html").out
    refused(capsys, "REP005", "report", "row_sum", "--at", ":99")


def of_softmax(cols: int) -> KernelReport:
    program = compile_read(source("softmax", ("cols", str(cols))), parse_target("gfx942"), make_options({}))
    return report_program(program).kernels[0]


def test_occupancy_steps_stand_beside_their_rows() -> None:
    kernel = of_softmax(16384)
    file = kernel.file("VGPR")
    assert file.lower_bound == 95
    rows = [line for line in render([kernel], PLAIN).splitlines() if "┤" in line][:6]
    assert [line.partition("  8 waves")[2] or line.partition("  6 waves")[2] for line in rows] == [
        " up to 80",
        " up to 64, 7 waves up to 72",
        "",
        "",
        "",
        "",
    ]
    assert all(len(line) <= PLAIN.width for line in rows)
    narrow = render([kernel], Style(70, False)).splitlines()
    assert all(len(line) <= 70 for line in narrow if "┤" in line) and not [line for line in narrow if "waves up to" in line and "┤" in line]
    assert not [line for line in render([of_softmax(1024)], PLAIN).splitlines() if "waves up to" in line]


@pytest.mark.needs_llvm("clang-22", "ld.lld-22")
@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx1100"])
def test_scratch_by_source_line_of_a_code_object(target: str, tmp_path: Path) -> None:
    """gfx90a accesses scratch by buffer instructions, the others by scratch instructions."""
    (tmp_path / "k.cl").write_text(SCRATCH, encoding="utf-8")
    options = [*CLANG[:3], f"-mcpu={target}", *CLANG[4:], "-O1", "-g", "k.cl", "-o", "k.co"]
    subprocess.run(options, check=True, cwd=tmp_path)
    (kernel,) = report_compiled((tmp_path / "k.co").read_bytes(), "k.co", None).kernels
    lines = {line.place.rpartition(":")[2]: line for line in kernel.spill_lines}
    assert lines.keys() == {"3", "5"}
    assert (lines["3"].loads, lines["5"].stores, lines["3"].moves) == (0, 0, 0)
    assert lines["3"].stores * 4 == lines["3"].bytes and lines["5"].loads * 4 == lines["5"].bytes
    assert (lines["3"].depth, lines["3"].cost) == (1, 10 * lines["3"].stores)
    assert "k.cl:3: " in str(Report((kernel,), tuple))


@pytest.mark.parametrize(("target", "limit"), [("gfx1201", 16), ("gfx942", 16)])
def test_spills_by_source_line_are_those_of_the_values(target: str, limit: int) -> None:
    program = compile_read(source("layernorm"), parse_target(target), make_options({"max_vgprs": limit}))
    (kernel,) = report_program(program).kernels
    code = program.kernels[0].assembly
    assert sum(line.stores for line in kernel.spill_lines) == len(re.findall(r"\tscratch_store", code))
    assert sum(line.loads for line in kernel.spill_lines) == len(re.findall(r"\tscratch_load", code))
    moves = re.findall(r"\t[vs]_(?!\w*(?:waitcnt|nop|clause))(?!wait)\w+ .*; (?:spill|reload)\b", code)
    assert sum(line.moves for line in kernel.spill_lines) == len(moves)
    assert sum(line.stores + line.loads + line.moves for line in kernel.spill_lines) > 20
    assert all(re.fullmatch(r"layernorm:\d", line.place) for line in kernel.spill_lines)


def test_a_kernel_without_scratch_has_no_lines() -> None:
    program = compile_read(source("vecadd"), parse_target("gfx942"), make_options({}))
    (kernel,) = report_program(program).kernels
    image = load(program.kernels[0].assembly, None, "k.s", to_run=False)
    assert kernel.spill_lines == report_image(image).spill_lines == ()
    assert [file.name for file in kernel.files] == list(FILES)
