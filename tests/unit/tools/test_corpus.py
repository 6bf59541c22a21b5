"""The corpus: a sample of its kernels is right, and a comparison of two runs names planted regressions and nothing else."""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

import asmgen
from asmgen.compilation import Source
from asmgen.compiled import CompiledProgram
from asmgen.compiler import compile_read
from asmgen.options import Options
from isa.diagnostics import InputError
from isa.targets import TargetId
from tools.browser import CHROMIUM, Browser
from tools.corpus import examine as examining
from tools.corpus.__main__ import main
from tools.corpus.cases import CATALOGUED, GRAPH, TRITON, Case, case_of
from tools.corpus.compare import COMPILE, NEWLY_REFUSED, REGISTERS, WORSE, WRONG, Change, compare
from tools.corpus.files import Run, read
from tools.corpus.record import ABSENT, OK, REFUSED, Record
from tools.corpus.record import WRONG as WRONG_RESULT
from tools.corpus.running import summary
from tools.corpus.triton import VARIABLE

pytestmark = [pytest.mark.broad, pytest.mark.xdist_group("processes")]

SEED, COUNT, AGAIN = 1, 150, 40  # kernels of the sample, and of those that are examined again with planted faults
LARGER = 450  # kernels of the slow test


def run(path: Path, *words: object) -> tuple[int, Run]:
    status = main(["run", "-o", str(path), "--max-seconds", "9999", "--small", "--seed", str(SEED), *map(str, words)])
    return status, read(str(path))


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, Run]:
    """The sample of `make test`, and the status of its run."""
    return run(tmp_path_factory.mktemp("corpus") / "sample.parquet", "--count", COUNT)


def test_no_kernel_of_the_sample_is_wrong(sample: tuple[int, Run]) -> None:
    assert_right(*sample, COUNT)


@pytest.mark.slow
def test_no_kernel_of_a_larger_sample_is_wrong(tmp_path: Path) -> None:
    assert_right(*run(tmp_path / "larger.parquet", "--count", LARGER), LARGER)


def assert_right(status: int, made: Run, count: int) -> None:
    assert [record for record in made.records if record.status not in (OK, REFUSED, "absent")] == []
    assert status == 0
    good = [record for record in made.records if record.status == OK]
    assert len(good) > 0.9 * count
    assert {record.family for record in good} >= {"catalogue", "graph", "mlir", "hand"}
    assert all(record.runs and record.instructions for record in good if record.family not in ("clang", TRITON))
    compiled = [record for record in good if record.family in ("catalogue", "graph", "mlir")]
    assert sum(record.clocks > 0 for record in compiled) > 0.9 * len(compiled), "an empty graph has no launch"


def slower(program: CompiledProgram) -> None:
    for kernel in program.kernels:
        kernel.assembly = kernel.assembly.replace("\ts_endpgm", "\ts_sleep 100\n\ts_endpgm")


def larger(program: CompiledProgram) -> None:
    for kernel in program.kernels:
        kernel.resources = kernel.resources._replace(vgprs=kernel.resources.vgprs + 8)


def refused(program: CompiledProgram) -> None:
    raise InputError("k", "RA002", "planted")


def wrong(program: CompiledProgram) -> None:
    """Each store to memory writes a register that the kernel never wrote a result to: the address."""
    for kernel in program.kernels:
        lines = kernel.assembly.splitlines(keepends=True)
        assert any("store" in line for line in lines)
        kernel.assembly = "".join(_without_store(line) for line in lines)


def _without_store(line: str) -> str:
    return "\ts_nop 0\n" if line.lstrip().startswith(("global_store", "buffer_store")) else line


def without_waits(program: CompiledProgram) -> None:
    for kernel in program.kernels:
        lines = kernel.assembly.splitlines(keepends=True)
        kernel.assembly = "".join(line for line in lines if not line.lstrip().startswith(("s_waitcnt", "s_wait_loadcnt")))


def long_compile(_: CompiledProgram) -> None:
    end = time.process_time() + 0.5
    while time.process_time() < end:
        pass


PLANTS: tuple[tuple[Callable[[CompiledProgram], None], str, int], ...] = (
    (slower, WORSE, 5), (larger, REGISTERS, 5), (refused, NEWLY_REFUSED, 4), (wrong, WRONG, 4), (without_waits, WRONG, 1), (long_compile, COMPILE, 1),
)  # fmt: skip


def test_planted_regressions_are_found_and_nothing_else(
    sample: tuple[int, Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, before = sample
    usable = [record.name for record in before.records[:AGAIN] if record.status == OK and record.family in (CATALOGUED, GRAPH)]
    plants = [(plant, kind) for plant, kind, count in PLANTS for _ in range(count)]
    assert len(plants) == 20 < len(usable)
    planted = dict(zip(usable, plants, strict=False))
    now: list[str] = []

    def compiled(source: Source, target: TargetId, options: Options) -> CompiledProgram:
        program = compile_read(source, target, options)
        if now[-1] in planted:
            planted[now[-1]][0](program)
        return program

    examine = examining.examine

    def examined(case: Case) -> Record:
        now.append(case.name)
        return examine(case)

    monkeypatch.setattr(examining, "compile_read", compiled)
    monkeypatch.setattr("tools.corpus.running.examine", examined)
    monkeypatch.setattr("tools.corpus.running.warm_up", lambda: None)
    path = tmp_path / "after.parquet"
    status, after = run(path, "--count", AGAIN)
    assert status == 1
    whole = Run(str(path), after.about, (*after.records, *before.records[AGAIN:]))
    changes = compare(before, whole).changes
    assert sorted((change.kind, change.name) for change in changes) == sorted((kind, name) for name, (_, kind) in planted.items())
    capsys.readouterr()
    page = tmp_path / "page.html"
    assert main(["compare", before.path, str(path), "-o", str(page)]) == 1
    text = capsys.readouterr().out
    assert all(f"  {name}: " in text for name in planted)
    assert text.startswith(f"{AGAIN} kernels in both runs, 20 with a change, {COUNT - AGAIN} missing now\n")
    check_page(page, list(planted))


def check_page(path: Path, names: list[str]) -> None:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed: apt-get install chromium")
    with Browser() as browser:
        browser.open(path)
        assert set(browser.value("[...document.querySelectorAll('td:nth-child(2)')].map((cell) => cell.innerText)")) == set(names)
        assert browser.value("(filter.value = names[0], 1)".replace("names[0]", f"{names[0][:6]!r}"))
        shown = "(document.getElementById('filter').dispatchEvent(new Event('input')), document.querySelectorAll('tbody tr:not([hidden])').length)"
        assert browser.value(shown) == 1
        assert browser.faults == []


@pytest.fixture(scope="module")
def by_triton() -> Case:
    return next(case for number in range(200) if (case := case_of(SEED, number, True)).family == TRITON)


def test_without_triton_its_kernels_are_absent_and_the_summary_says_what_to_install(
    by_triton: Case, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    record = examining.examine(by_triton)
    assert record.status == ABSENT
    assert summary([record, record]).splitlines() == ["2 kernels: 2 absent", f"absent: 2 triton: {record.reason}"]
    assert "`pip install triton`" in record.reason
    monkeypatch.setenv(VARIABLE, str(tmp_path / "none"))
    assert examining.examine(by_triton).reason == f"{VARIABLE} names {tmp_path}/none, which is no program"
    monkeypatch.setenv(VARIABLE, "/bin/false")
    assert examining.examine(by_triton).reason == "/bin/false compiles no kernel: it ended with an error"


@pytest.mark.parametrize(("text", "status"), [("relu(a)", OK), ("neg(a)", WRONG_RESULT)])
def test_the_results_of_an_object_by_triton_are_numpys(text: str, status: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler in place of Triton writes an object of ours."""
    program = asmgen.compile(f"a = @param:a -> f32, {{1048576}}\no = {text}\n@return(o)\n", target="gfx942", assembler="builtin")
    (kernel,) = program.kernels
    assert kernel.grid is not None
    (tmp_path / "k.hsaco").write_bytes(kernel.code_object)
    launch: dict[str, object] = {
        "kernel": kernel.name,
        "groups": kernel.workgroups[0],
        "lanes": kernel.block[0],
        "lds": 0,
        "warps": 4,
        "constants": {},
    }
    (tmp_path / "space.json").write_text(json.dumps([{"program": "relu", "target": "gfx942", "file": "k.hsaco"} | launch]))
    compiler = tmp_path / "triton"
    compiler.write_text(f'#!/bin/sh\ncp {tmp_path}/k.hsaco {tmp_path}/space.json "$2"\n')
    compiler.chmod(0o700)
    monkeypatch.setenv(VARIABLE, str(compiler))
    monkeypatch.setattr("tools.corpus.triton.SCRATCH", 0)
    record = examining.examine(Case(0, TRITON, "relu", "gfx942", 1))
    assert (record.status, record.clocks > 0) == (status, status == OK)


def test_a_kernel_follows_from_its_number() -> None:
    assert case_of(7, 12) == case_of(7, 12)
    assert len({case_of(seed, number).seed for seed in (1, 2) for number in range(50)}) == 100


def test_records_and_changes_of_status() -> None:
    good = Record("a", "graph", "mixed", "gfx942", OK, clocks=100.0, vgprs=8, compile_seconds=0.1)
    bad = replace(good, status=REFUSED, reason="RA002 no registers")

    def kinds(old: Record, new: Record) -> list[str]:
        about = argparse.Namespace()
        runs = [Run(name, about, (record,)) for name, record in (("a", old), ("b", new))]  # type: ignore[arg-type]
        return [change.kind for change in compare(*runs).changes]

    assert kinds(good, bad) == [NEWLY_REFUSED]
    assert kinds(bad, good) == ["no longer refused or wrong"]
    assert kinds(good, replace(good, clocks=100.5, vgprs=8)) == []
    assert kinds(good, replace(good, clocks=102.0, vgprs=12)) == [WORSE, REGISTERS]
    assert kinds(good, replace(good, clocks=90.0, lds_bytes=0, vgprs=4)) == ["faster code", "fewer registers or memory"]
    assert kinds(good, replace(good, compile_seconds=0.34)) == []
    assert kinds(good, replace(good, compile_seconds=0.36)) == [COMPILE]
    assert kinds(replace(good, status="wrong", reason="x"), replace(good, status="crashed", reason="y")) == [WRONG]


def test_a_family_that_compiles_slower_is_named() -> None:
    records = [Record(f"{at:06}", "graph", "mixed", "gfx942", OK, compile_seconds=0.1) for at in range(20)]
    slow = [replace(record, compile_seconds=0.13) for record in records]
    about = argparse.Namespace()
    before, after = Run("a", about, tuple(records)), Run("b", about, tuple(slow))  # type: ignore[arg-type]
    (change,) = compare(before, after).changes
    assert change == Change(COMPILE, "graph gfx942", "1.30 times as long in the median of 20 kernels", change.ratio)


def test_a_resumed_run_is_the_same_and_bad_input_is_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = tmp_path / "r.jsonl"
    words = ("--count", 6, "--jobs", 2, "--results", results)
    _, first = run(tmp_path / "a.parquet", *words)
    lines = results.read_bytes().splitlines(keepends=True)
    results.write_bytes(b"".join([*lines[:3], lines[3][:9]]))
    _, again = run(tmp_path / "b.parquet", *words, "--resume")
    timeless = [[replace(record, compile_seconds=0.0) for record in made.records] for made in (first, again)]
    assert timeless[0] == timeless[1]
    assert again.records[:2] == first.records[:2], "they are not examined again"
    other = tmp_path / "other.parquet"
    other.write_bytes(b"PAR1")
    capsys.readouterr()
    for asked, message in (
        (["run", "-o", f"{tmp_path}/a.parquet"], "-o: error[COR002]"),
        (["run", "-o", f"{tmp_path}/c.parquet", "--count", "0"], "--count: error[COR003]"),
        (["run", "-o", f"{tmp_path}/c.parquet", "--jobs", "0"], "--jobs: error[BAT001]"),
        (["run", "-o", f"{tmp_path}/c.parquet", "--resume"], "--resume: error[BAT002]"),
        (["run", "-o", f"{tmp_path}/none/c.parquet"], "-o: error[COR005]"),
        (["run", "-o", f"{tmp_path}", "--force"], "-o: error[COR005]"),
        (["compare", f"{tmp_path}/a.parquet", f"{tmp_path}/b.parquet", "-o", f"{tmp_path}/none/c.html"], f"{tmp_path}/none/c.html: error[OUT001]"),
        (["compare", str(other), str(other)], f"{other}: error[COR001]"),
        (
            ["compare", f"{tmp_path}/none", str(other)],
            f"{tmp_path}/none: error[COR001]: the file cannot be read as a run of the corpus: no such file\n",
        ),
    ):
        assert main(asked) == 1
        assert capsys.readouterr().err.startswith(message)
    assert not os.path.exists(tmp_path / "c.parquet")
