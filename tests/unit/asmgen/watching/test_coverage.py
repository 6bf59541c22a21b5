"""`run --coverage`: how often each line ran; ways of branches that were never taken."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from asmgen.runtime.emulation import Launch, Limits, emulate
from asmgen.runtime.watching import coverage
from asmgen.runtime.watching.coverage import KernelCoverage, totals
from asmgen.runtime.watching.trace_file import TraceFile
from asmgen.runtime.watching.watching import Shown, Watching
from isa.emulator.launching.arguments import KernelCall
from isa.instruction import Instr, Label, Trait
from isa.targets import parse_target
from tests.unit.asmgen.watching.programs import SUM_TEXT, Folder, line_of
from tests.unit.isa.kernel_builds import compiled
from tests.unit.isa.kernel_cases import agrees
from tests.unit.isa.test_emulator_kernels import KERNELS

SAVE, NONE, TRIP = (line_of(SUM_TEXT, words) for words in ("s_and_saveexec", "s_cbranch_execz", "global_load_dword "))


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def listing(folder: Folder) -> dict[int, tuple[str, str, str]]:
    """Waves, lanes and the rest of each line of the kernel."""
    lines = [re.fullmatch(r" *(\S+) +(\S+%)? +sum\.s:(\d+) +(\S.*)", line) for line in folder.read("c.txt").splitlines()]
    return {int(match[3]): (match[1], match[2] or "", match[4]) for match in lines if match}


def test_lines_with_waves_and_lanes(folder: Folder) -> None:
    """100 of 128 lanes are on in three trips of two waves."""
    assert folder.run("--coverage", "@c.txt") == 0
    lines = listing(folder)
    assert lines[TRIP][:2] == ("6", "78.1%") and lines[SAVE][:2] == ("2", "100.0%")
    assert lines[line_of(SUM_TEXT, "scc1 trip")][2].endswith("; taken 4, not taken 2")
    assert lines[NONE][2].endswith("; never taken, 2 times passed")
    text = folder.read("c.txt")
    assert text.startswith(f"kernel sum of {folder.path}/sum.s, 1 launch\n23 of 23 instructions ran\n3 of 4 ways of branches were taken\n")
    assert "        -         trip:\n" in text


def test_a_path_that_is_not_taken(folder: Folder) -> None:
    """With n = 0 no lane is on: the loop never runs."""
    assert folder.run("--coverage", "@c.txt", n=0) == 0
    lines = listing(folder)
    never = [line for line, (waves, _, _) in lines.items() if waves == coverage.NEVER]
    assert never == list(range(TRIP, line_of(SUM_TEXT, "scc1 trip") + 1))
    assert lines[NONE][2].endswith("; always taken, 2 times") and lines[max(never)][2].endswith("; never reached")


def test_json_and_lcov(folder: Folder) -> None:
    assert folder.run("--coverage", "@c.json") == 0
    (kernel,) = json.loads(folder.read("c.json"))
    by_line = {record["line"]: record for record in kernel["instructions"]}
    assert by_line[f"sum.s:{TRIP}"]["waves"] == 6 and by_line[f"sum.s:{TRIP}"]["lanes"] == 300
    assert (by_line[f"sum.s:{NONE}"]["taken"], by_line[f"sum.s:{NONE}"]["not_taken"]) == (0, 2)
    assert folder.run("--coverage", "@c.info", n=0) == 0
    records = folder.read("c.info").splitlines()
    assert records[:2] == ["TN:sum", f"SF:{folder.path}/sum.s"] and records[-1] == "end_of_record"
    assert f"DA:{SAVE},2" in records and f"DA:{TRIP},0" in records
    assert [record for record in records if record.startswith(f"BRDA:{NONE},")] == [f"BRDA:{NONE},0,0,2", f"BRDA:{NONE},0,1,0"]
    assert f"BRDA:{line_of(SUM_TEXT, 'scc1 trip')},0,0,-" in records
    assert "LF:23" in records and "LH:17" in records


def test_lcov_of_a_source_that_is_no_file_names_the_assembly(folder: Folder) -> None:
    """The source of a kernel of the catalogue is no file."""
    text = SUM_TEXT.replace(".p2align 8", '.p2align 8\n.file 1 "softmax"').replace("sum:\n", "sum:\n.loc 1 3 1\n", 1)
    (folder.path / "sum.s").write_text(text)
    assert folder.run("--coverage", "@c.info") == 0
    records = folder.read("c.info").splitlines()
    assert f"SF:{folder.path}/sum.s" in records and f"DA:{line_of(text, 'global_load_dword ')},6" in records
    (folder.path / "softmax").write_text("x\n")
    (folder.path / "sum.s").write_text(text.replace('"softmax"', f'"{folder.path}/softmax"'))
    assert folder.run("--coverage", "@c.info") == 0
    assert f"SF:{folder.path}/softmax" in folder.read("c.info").splitlines()


def test_a_run_that_fails_is_covered_up_to_there(folder: Folder) -> None:
    text = SUM_TEXT.replace("v_lshlrev_b32_e32 v1, 2, v0", "v_lshlrev_b32_e32 v1, 3, v0")
    (folder.path / "sum.s").write_text(text)
    assert folder.run("--coverage", "@c.txt", n=128) == 1
    assert listing(folder)[line_of(SUM_TEXT, "ds_write")][0] == coverage.NEVER


class Counting(TraceFile):
    """Counts the lines of a trace by instruction, and the lanes that were on."""

    def __init__(self) -> None:
        super().__init__("-")
        self.waves: Counter[str] = Counter()
        self.lanes: Counter[str] = Counter()

    def add(self, launch: int, lines: Any) -> None:
        for _, text in lines.joined():
            for line in text.decode().splitlines():
                _, _, place, exec_ = line.partition(":")[2].split()[:4]
                self.waves[place] += 1
                self.lanes[place] += int(exec_, 16).bit_count()


def covered(machine: str, name: str) -> tuple[KernelCoverage, Counting]:
    kernel = KERNELS[name]
    case = kernel.reference(parse_target(machine))
    program = compiled(kernel.file, "-O3", False, machine, kernel.options)
    watching = Watching(Shown(coverage=True), print)
    watching.trace = trace = Counting()
    launch = Launch(program, "kernels.co", kernel.entry or name, KernelCall(case.grid, case.block, tuple(case.args)))
    agrees(case, emulate(launch, Limits(sanitize=False), watching).arrays)
    return watching.coverage[0], trace


FILES = {"first": "gfx942", "control": "gfx1100", "memory": "gfx1201", "more_atomics": "gfx942", "peers": "gfx90a"}
REAL = [
    (name, FILES[kernel.file])
    for name, kernel in KERNELS.items()
    if kernel.file in FILES and kernel.runs_on(parse_target(FILES[kernel.file])) and not kernel.options
]
"""Kernels and their machines: a file is compiled once."""


@pytest.mark.needs_llvm("clang-22", "ld.lld-22")
@pytest.mark.broad
@pytest.mark.parametrize("some", [REAL[::2], pytest.param(REAL[1::2], marks=pytest.mark.slow)], ids=["some", "others"])
def test_untaken_paths_of_real_kernels_are_those_without_a_line_in_the_trace(some: list[tuple[str, str]]) -> None:
    """Kernels of clang: each count is the number of lines that a trace has, and so are the lanes; each branch that is
    taken only one way has a block that never ran, or is said to be always or never taken."""
    kernels = untaken = 0
    for name, machine in some:
        kernel, trace = covered(machine, name)
        names = [kernel.lines.name(index) for index in range(len(kernel.image.code.operations))]
        assert [int(count) for count in kernel.executions.waves] == [trace.waves[each] for each in names]
        assert [int(count) for count in kernel.executions.lanes] == [trace.lanes[each] for each in names]
        total = totals(kernel)
        kernels += 1
        untaken += total.taken < total.ways
        text = coverage.text([kernel], lambda path: None)
        assert text.count(coverage.NEVER) >= total.instructions - total.executed
        assert f"{total.executed} of {total.instructions} instructions ran" in text
    assert kernels == len(some) and untaken >= 5


def _label(branch: Instr) -> str:
    target = branch.operands[-1]
    assert isinstance(target, Label)
    return target.name


@pytest.mark.needs_llvm("clang-22", "ld.lld-22")
def test_branches_are_counted_as_their_targets_are_entered() -> None:
    """A branch that is taken t times enters its target t times, besides by falling through."""
    kernel, _ = covered("gfx942", "divergence")
    code, executions = kernel.image.code, kernel.executions
    entered: Counter[int] = Counter()
    for index, operation in enumerate(code.operations):
        if not isinstance(operation, Instr):
            continue
        waves = int(executions.waves[index])
        if Trait.CONDITIONAL_BRANCH in operation.row.traits:
            entered[code.labels[_label(operation)]] += int(executions.taken[index])
            entered[index + 1] += waves - int(executions.taken[index])
        elif Trait.BRANCH in operation.row.traits:
            entered[code.labels[_label(operation)]] += waves
        elif Trait.END not in operation.row.traits:
            entered[index + 1] += waves
    wanted = [entered[index] for index in range(len(code.operations))]
    assert wanted[1:] == [int(count) for count in executions.waves][1:]


@pytest.mark.needs_llvm("clang-22", "ld.lld-22")
def test_source_lines_of_a_code_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import subprocess

    from asmgen.cli.main import main

    source = tmp_path / "pick.cl"
    _ = source.write_text(
        "kernel void pick(global int* x, int n) {\n"
        "  int i = get_local_id(0);\n"
        "  if (n > 5) {\n"
        "    for (int j = 0; j < n; j++)\n"
        "      x[i] = x[i] * 3 + j;\n"
        "  }\n"
        "  x[i] += 1;\n"
        "}\n"
    )  # fmt: skip
    command = ["clang-22", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx942", "-x", "cl", "-cl-std=CL2.0", "-nogpulib", "-O1", "-g", "-w"]
    more = ["-Dget_local_id(d)=__builtin_amdgcn_workitem_id_x()"]
    _ = subprocess.run([*command, *more, str(source), "-o", str(tmp_path / "pick.co")], check=True)
    np.save(tmp_path / "x.npy", np.arange(64, dtype=np.int32))
    launch = ["--kernel", "pick", "--grid", "1", "--block", "64", "--arg", f"{tmp_path}/x.npy", "--arg", "i32:3"]
    assert main(["run", f"{tmp_path}/pick.co", *launch, "--coverage", "-", "--at", "pick.cl:7", "--dump", "exec"]) == 0
    out = capsys.readouterr().out
    assert f"source {source}\n" in out
    assert re.search(r"^ +##### +5        x\[i\] = x\[i\] \* 3 \+ j;$", out, re.MULTILINE) or re.search(r"^ +##### +5  +x\[i\] = ", out, re.MULTILINE)
    assert re.search(r"^ +1 +100\.0% +7    x\[i\] \+= 1;", out, re.MULTILINE)
    assert "dump at pick.cl:7+0x" in out
    assert main(["run", f"{tmp_path}/pick.co", *launch, "--trace", f"{tmp_path}/t.txt", "--lines", "pick.cl:7-7"]) == 0
    lines = [line for line in (tmp_path / "t.txt").read_text().splitlines() if not line.startswith("#")]
    assert lines and all("pick.cl:7+0x" in line for line in lines) and any("global_store" in line for line in lines)
    first = lines[0].split()[3].partition("+")[2]
    assert main(["run", f"{tmp_path}/pick.co", *launch, "--trace", f"{tmp_path}/t.txt", "--lines", first]) == 0
    assert (tmp_path / "t.txt").read_text().splitlines()[2:] == lines[:1]
