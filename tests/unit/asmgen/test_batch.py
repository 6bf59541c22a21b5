"""Several sources in processes: the same results in the same order, whatever some pieces do and however a run ends."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from errno import ENOSPC
from io import StringIO
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest

from asmgen.batch.results import Head, Result, Results
from asmgen.cli.batch import progress as progress_module
from asmgen.cli.batch.progress import batch_progress
from isa.diagnostics import InputError
from tests.commands import Said, Terminal
from tests.unit.asmgen.batch_tasks import SUFFIX, command

pytestmark = pytest.mark.xdist_group("processes")

ROOT = Path(__file__).parents[3]
GEN = "x = @param:x -> f32, {{{n}}}\ny = relu(x)\n@return(y)\n"
MARK = "ASMGEN_TEST_BATCH"


@pytest.fixture
def worked(capsys: pytest.CaptureFixture[str]) -> Said:
    """The same for the task of `batch_tasks`. An `InputError` is its code and message."""

    def of_task(*words: object) -> tuple[int, str, str]:
        try:
            status = command([str(word) for word in words])
        except InputError as error:
            return 1, "", f"{error}\n"
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return of_task


def pieces(folder: Path, works: list[str]) -> list[Path]:
    """A source for each piece of work, in order."""
    folder.mkdir(exist_ok=True)
    width = max(3, len(str(len(works) - 1)))
    paths = [folder / f"{number:0{width}}{SUFFIX}" for number in range(len(works))]
    for path, work in zip(paths, works, strict=True):
        path.write_text(work, encoding="utf-8")
    return paths


def programs(folder: Path, count: int) -> Path:
    folder.mkdir()
    for n in range(count):
        (folder / f"k{n:02}.gen").write_text(GEN.format(n=n + 1), encoding="utf-8")
    return folder


FAULTS = {
    "crash": "error[BAT010]: crashed: the process died of signal 11 (Segmentation fault)",
    "leave": "error[BAT010]: crashed: the process ended with status 3",
    "fail": "error[BAT010]: crashed: batch_tasks.py:{line}: ZeroDivisionError: by us",
    "hang": "error[BAT011]: did not end: stopped after 1 seconds",
    "hoard": "error[BAT012]: ran out of memory: it needs more than 4096 MiB of memory",
    "refuse": "error[SRC003]: refused by us",
}


@pytest.mark.parametrize("count", [24, pytest.param(2000, marks=pytest.mark.slow)])
def test_pieces_that_fail_are_named_and_the_others_go_on(count: int, worked: Said, tmp_path: Path) -> None:
    works = ["speak"] * count
    planted = random.Random(33).sample(range(count), max(len(FAULTS), count // 100))
    for at, work in zip(planted, cycle(FAULTS), strict=False):
        works[at] = work
    paths = pieces(tmp_path / "in", works)
    status, output, errors = worked(tmp_path / "in", "--jobs", 3, "--max-seconds", 1, "--max-memory", "4G")
    assert status == 1
    wanted = [
        line
        for path, work in zip(paths, works, strict=True)
        for line in [f"== {path}", *{"speak": [f"{path} is done"], "refuse": ["before"]}.get(work, [])]
    ]
    failed = ", ".join(str(paths[at]) for at in sorted(planted))
    summary = f"{count} sources: {count - len(planted)} succeeded, {len(planted)} failed: {failed}"
    assert output.splitlines() == [*wanted, summary]
    line = (ROOT / "tests/unit/asmgen/batch_tasks.py").read_text(encoding="utf-8").split("ZeroDivisionError")[0].count("\n") + 1
    assert errors.splitlines() == [
        f"{path}: {FAULTS[work].format(line=line)}" if work in FAULTS else f"note: {path}" for path, work in zip(paths, works, strict=True)
    ]


def test_a_worker_writes_nothing_into_the_output_of_the_command(tmp_path: Path) -> None:
    """It has a copy of the buffer of each stream of Python, which it would write when the buffer is full."""
    paths = pieces(tmp_path / "in", ["speak"] * 200)
    with (tmp_path / "out").open("w", encoding="utf-8") as file, redirect_stdout(file), redirect_stderr(StringIO()):
        assert command([str(tmp_path / "in"), "--jobs", "1"]) == 0
    lines = [line for path in paths for line in (f"== {path}", f"{path} is done")]
    assert (tmp_path / "out").read_text(encoding="utf-8").splitlines() == [*lines, "200 sources: all succeeded"]


def test_any_number_of_processes_gives_the_same(said: Said, tmp_path: Path) -> None:
    folder = programs(tmp_path / "in", 4)
    (folder / "bad.gen").write_text("x =\n", encoding="utf-8")
    single = said("kernel", folder / "k02.gen")[1]
    answers = [said("kernel", folder, "--jobs", jobs) for jobs in (1, 4)]
    assert answers[0] == answers[1]
    assert answers[0][0] == 1
    assert f"== {folder / 'k02.gen'}\n{single}== {folder / 'k03.gen'}\n" in answers[0][1]
    written = [said("kernel", folder, "--jobs", jobs, "--emit", "asm", "-o", f"{tmp_path}/{jobs}/") for jobs in (1, 4)]
    assert written[0][2].replace(f"{tmp_path}/1/", f"{tmp_path}/4/") == written[1][2]
    assert said("kernel", folder / "k03.gen", "--emit", "asm", "-o", tmp_path / "single.s")[0] == 0
    assert len({(tmp_path / name).read_bytes() for name in ("1/k03.s", "4/k03.s", "single.s")}) == 1


def test_a_file_that_cannot_be_written_fails_its_piece(said: Said, tmp_path: Path) -> None:
    folder = programs(tmp_path / "in", 2)
    (tmp_path / "out" / "k00.s").mkdir(parents=True)
    status, output, errors = said("kernel", folder, "--emit", "asm", "-o", f"{tmp_path}/out/")
    assert status == 1
    assert output.endswith(f"2 sources: 1 succeeded, 1 failed: {folder}/k00.gen\n")
    assert "k00.s: error[OUT001]" in errors
    assert (tmp_path / "out" / "k01.s").is_file()
    file = tmp_path / "out" / "k01.s"
    status, _, errors = said("kernel", folder / "k01.gen", "--emit", "asm", "-o", f"{file}/")
    assert (status, errors.startswith(f"{file}: error[OUT001]: the folder cannot be made")) == (1, True)


def test_results_are_lines_of_json(said: Said, tmp_path: Path) -> None:
    folder = programs(tmp_path / "in", 2)
    (folder / "a.gen").write_text("x =\n", encoding="utf-8")
    status, output, errors = said("kernel", folder, "--format", "json", "--emit", "asm", "-o", f"{tmp_path}/out/")
    lines = [json.loads(line) for line in output.splitlines()]
    assert status == 1
    assert [line["source"] for line in lines] == [str(folder / name) for name in ("a.gen", "k00.gen", "k01.gen")]
    assert [line["status"] for line in lines] == [1, 0, 0]
    assert "error[GEN002]" in lines[0]["errors"]
    assert errors == f"3 sources: 2 succeeded, 1 failed: {folder}/a.gen\n"
    status, output, _ = said("check", tmp_path / "out", "--format", "json")
    lines = [json.loads(line) for line in output.splitlines()]
    assert [line["documents"][0]["missing"] for line in lines] == [0, 0]
    assert status == 0


def test_documents_of_other_commands_are_in_lines(said: Said, tmp_path: Path) -> None:
    folder = programs(tmp_path / "in", 2)
    for asked in ("report", "profile"):
        status, output, errors = said(asked, folder, "--format", "json")
        lines = [json.loads(line) for line in output.splitlines()]
        assert (status, errors) == (0, "2 sources: all succeeded\n")
        assert [line["source"] for line in lines] == [str(folder / name) for name in ("k00.gen", "k01.gen")]
        single = said(asked, folder / "k01.gen", "--format", "json")[1]
        assert lines[1]["documents"] == [json.loads(single)], "a single source has the document itself"


def test_a_line_of_a_single_source_names_its_file(said: Said, tmp_path: Path) -> None:
    output = tmp_path / "k.s"
    status, line, errors = said("kernel", "vecadd", "--emit", "asm", "--format", "json", "-o", output)
    assert (status, errors) == (0, "1 source: all succeeded\n")
    assert json.loads(line)["errors"] == f"wrote {output}: {output.stat().st_size} bytes\n"


def test_sources_are_named_by_patterns_and_lists(worked: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    paths = pieces(Path("in"), ["speak"] * 4)
    (Path("in") / "x[1].piece").write_text("speak", encoding="utf-8")
    Path("list.txt").write_text(f"# pieces\n{paths[3]}\n\n{paths[0]}\n", encoding="utf-8")
    status, output, _ = worked("in/*1*.piece", "@list.txt", "in/x[1].piece")
    assert status == 0
    sources = [line[3:] for line in output.splitlines() if line.startswith("== ")]
    assert sources == ["in/001.piece", "in/x[1].piece", "in/003.piece", "in/000.piece", "in/x[1].piece"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["in", "--jobs", "0"], "--jobs: error[BAT001]: got 0, wanted a number of processes from 1 on"),
        (["in", "--jobs", "-3"], "--jobs: error[BAT001]"),
        (["in", "--max-seconds", "0"], "--max-seconds: error[BAT006]"),
        (["in", "--max-seconds", "nan"], "--max-seconds: error[BAT006]"),
        (["in", "--max-memory", "much"], "--max-memory: error[BAT006]"),
        (["in", "--max-memory", "0"], "--max-memory: error[BAT006]"),
        (["in", "--resume"], "--resume: error[BAT002]: got --resume without --results"),
        (["in", "--results", "other.txt"], "--results: error[BAT002]: other.txt is there already"),
        (["in", "--results", "other.txt", "--resume"], "--results: error[BAT004]: other.txt is not a file of results"),
        (["in", "--results", "missing/r.jsonl"], "--results: error[BAT004]: missing/r.jsonl cannot be written"),
        (["in", "--results", "/dev/full", "--resume"], "--results: error[BAT004]: /dev/full cannot be written: no space left on device"),
        (["empty"], "empty: error[SRC003]"),
        (["in/*.nothing"], "in/*.nothing: error[SRC003]: the pattern matches no file"),
        (["@missing"], "@missing: error[SRC013]: there is no file missing"),
        (["@empty.txt"], "@empty.txt: error[SRC013]: the list is empty"),
        (["@nested.txt"], "@nested.txt: error[SRC013]: the list names the list @other.txt"),
    ],
)
def test_bad_input_is_a_line(words: list[str], message: str, worked: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _ = pieces(Path("in"), ["speak", "speak"])
    Path("empty").mkdir()
    for name, text in (("other.txt", "hello\n"), ("empty.txt", "# nothing\n"), ("nested.txt", "@other.txt\n")):
        Path(name).write_text(text, encoding="utf-8")
    status, output, errors = worked(*words)
    assert (status, output) == (1, "")
    assert errors.startswith(message)
    assert Path("other.txt").read_text(encoding="utf-8") == "hello\n"


def test_a_file_of_results_that_is_refused_is_not_kept_open(tmp_path: Path) -> None:
    """An open file would be locked: the second error would name another process."""
    path = tmp_path / "other.txt"
    path.write_text("hello\n", encoding="utf-8")
    for _ in range(2):
        with pytest.raises(InputError) as caught:
            _ = Results(str(path), Head("check", ""), resumes=True)
        assert caught.value.code == "BAT004"


def test_results_are_written_whole_or_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system may write a part of a line, and the disk may be full later."""
    path, write = str(tmp_path / "results"), os.write
    results = Results(path, Head("check", "x"), resumes=False)
    monkeypatch.setattr(os, "write", lambda file, data: write(file, data[:7]))
    results.add(Result("a.s", "key", 0, output="text " * 9))
    monkeypatch.setattr(os, "write", write)
    results.close()
    assert Results(path, Head("check", "x"), resumes=True).known["key"].output == "text " * 9

    def full(_file: int, _data: bytes) -> int:
        raise OSError(ENOSPC, os.strerror(ENOSPC))

    results = Results(str(tmp_path / "more"), Head("check", "x"), resumes=False)
    monkeypatch.setattr(os, "write", full)
    with pytest.raises(InputError, match=r"BAT004.*no space left on device"):
        results.add(Result("a.s", "key", 0))


def test_a_resumed_run_does_nothing_twice(worked: Said, tmp_path: Path) -> None:
    works = ["speak", "refuse", "crash", "speak", "hang"]
    paths = pieces(tmp_path / "in", works)
    results = tmp_path / "results.jsonl"
    words = (tmp_path / "in", "--max-seconds", "1", "--results", results)
    first = worked(*words)
    whole = results.read_bytes()
    assert [json.loads(line).get("source") for line in whole.splitlines()] == [None, *map(str, paths)]
    for path in paths:
        path.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    assert worked(*words, "--resume", "--jobs", 1) == first
    assert results.read_bytes() == whole, "no piece was done again: the times are the same"
    lines = whole.splitlines(keepends=True)
    results.write_bytes(b"".join([lines[0], lines[3], lines[2], lines[1][:40]]))  # killed while it wrote a line
    paths[1].write_text("speak", encoding="utf-8")  # a source that has changed is done again
    log = tmp_path / "log"
    assert command([*map(str, words), "--resume"], str(log)) == 1
    assert sorted(log.read_text(encoding="utf-8").split()) == [str(paths[at]) for at in (0, 1, 3, 4)]
    again = [json.loads(line) for line in results.read_bytes().splitlines()]
    assert [line.get("source") for line in again] == [None, *map(str, paths)]
    assert [line.get("status") for line in again] == [None, 0, 0, 1, 0, 1]
    _, _, errors = worked(*words, "--resume", "--notes")
    assert errors.startswith(f"--results: error[BAT003]: {results} has results of another command")


def test_a_missing_output_is_made_again(said: Said, tmp_path: Path) -> None:
    folder = programs(tmp_path / "in", 3)
    words = ("kernel", folder, "--emit", "asm", "-o", f"{tmp_path}/out/", "--results", tmp_path / "r.jsonl")
    first = said(*words)
    content = (tmp_path / "out" / "k01.s").read_bytes()
    (tmp_path / "out" / "k01.s").unlink()
    assert said(*words, "--resume") == first
    assert (tmp_path / "out" / "k01.s").read_bytes() == content


def living(mark: str) -> list[int]:
    """The processes that were started with the mark in their environment, without the present process."""
    found: list[int] = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (path / "environ").read_bytes() and (path / "stat").read_text().rsplit(")", 1)[1].split()[0] != "Z":
                found.append(int(path.name))
        except OSError:
            continue
    return [pid for pid in found if pid != os.getpid()]


def within(seconds: float, is_so: Callable[[], bool]) -> bool:
    """Whether something is so before the time has passed."""
    end = time.monotonic() + seconds
    while not is_so() and time.monotonic() < end:
        time.sleep(0.02)
    return is_so()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_ended_leaves_no_process_and_loses_nothing(number: signal.Signals, tmp_path: Path, worked: Said) -> None:
    paths = pieces(tmp_path / "in", ["hang", *["rest"] * 20])
    results, log, mark = tmp_path / "results.jsonl", tmp_path / "log", f"{tmp_path}"
    words = [str(tmp_path / "in"), "--jobs", "2", "--results", str(results)]
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.unit.asmgen.batch_tasks", str(log), *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, env={**os.environ, MARK: mark}, text=True,
    )  # fmt: skip
    assert within(60, lambda: results.exists() and results.read_bytes().count(b"\n") > 5)
    assert any("sleep" in Path(f"/proc/{pid}/cmdline").read_text() for pid in living(mark)), "a piece has started a process"
    process.send_signal(number)
    output, _ = process.communicate(timeout=60)
    assert process.returncode != 0
    assert within(20, lambda: not living(mark)), "no process is left"
    assert number != signal.SIGINT or f"interrupted: {len(results.read_bytes().splitlines()) - 1} of 21 sources ended: all " in output
    done = {json.loads(line)["source"] for line in results.read_bytes().splitlines()[1:]}
    before = log.read_text(encoding="utf-8").splitlines()
    paths[0].write_text("rest", encoding="utf-8")
    assert command([*words, "--resume"], str(log)) == 0
    after = log.read_text(encoding="utf-8").splitlines()[len(before) :]
    assert done.isdisjoint(after), "nothing is done twice"
    assert done | set(after) == {str(path) for path in paths}, "nothing is lost"
    assert sorted(after) == sorted(set(after))


def test_a_single_source_has_limits_too(worked: Said, tmp_path: Path) -> None:
    (path,) = pieces(tmp_path / "in", ["hang"])
    status, output, errors = worked(path, "--max-seconds", "0.2")
    assert (status, output) == (1, f"== {path}\n1 source: 0 succeeded, 1 failed: {path}\n")
    assert errors == f"{path}: error[BAT011]: did not end: stopped after 0.2 seconds\n"


def test_a_reader_that_closes_the_pipe_ends_the_run(tmp_path: Path) -> None:
    _ = pieces(tmp_path / "in", ["rest"] * 100)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.unit.asmgen.batch_tasks", str(tmp_path / "log"), str(tmp_path / "in")],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT, env={**os.environ, MARK: str(tmp_path)},
    )  # fmt: skip
    assert process.stdout is not None
    _ = process.stdout.readline()
    process.stdout.close()
    assert process.wait(60) != 0
    assert within(20, lambda: not living(str(tmp_path)))
    assert len((tmp_path / "log").read_text(encoding="utf-8").splitlines()) < 100


def test_a_result_file_has_one_writer(tmp_path: Path, worked: Said) -> None:
    _ = pieces(tmp_path / "in", ["speak"])
    first = Results(str(tmp_path / "r.jsonl"), Head("check", "x"), resumes=False)
    status, _, errors = worked(tmp_path / "in", "--results", tmp_path / "r.jsonl", "--resume")
    assert (status, errors.split(":")[1]) == (1, " error[BAT005]")
    first.close()


def test_a_torn_line_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    head = Head("check", "x")
    for number in range(3):
        results = Results(str(path), head, resumes=True)
        assert sorted(results.known) == [f"key{known}" for known in range(number)]
        results.add(Result("a.s", f"key{number}", 0))
        results.close()
        with path.open("ab") as file:
            _ = file.write(b'{"source":"a.s","ke')


def test_run_takes_a_folder(said: Said, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    assert said("kernel", "vecadd", "--set", "n=64", "--emit", "asm", "-o", f"{folder}/")[0] == 0
    (folder / "same.s").write_text((folder / "vecadd.s").read_text(encoding="utf-8"), encoding="utf-8")
    array = tmp_path / "x.npy"
    np.save(array, np.ones(64, np.float32))
    launch = ("--kernel", "vecadd", "--grid", "1", "--block", "64", "--arg", array, "--arg", array, "--arg", array)
    status, output, _ = said("run", folder, *launch)
    assert (status, output.count("arg2: float32[64] [2., 2."), output.splitlines()[-1]) == (0, 2, "2 sources: all succeeded")
    assert said("run", folder / "vecadd.s", *launch)[1] in output
    line, *_ = said("run", folder / "vecadd.s", *launch, "--format", "json")[1].splitlines()
    assert json.loads(line)["output"].count("arg2: float32[64] [2., 2.") == 1
    status, output, errors = said("run", folder, *launch, "--out-dir", tmp_path / "out")
    assert (status, errors.count("error[CLI005]")) == (1, 2)


def test_a_terminal_shows_a_bar_with_rate_and_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress_module, "_PATIENCE", 0.0)
    with batch_progress(40) as bar:
        bar.tell(10, 2)
        with bar.aside():
            pass
    drawn = terminal.getvalue()
    assert "2 failed" in drawn
    assert "10/40" in drawn
    assert "/s" in drawn
    assert drawn.endswith("\x1b[2K"), "the bar is removed"


def test_a_pipe_shows_lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    clock = iter([0.0, 5.0, 10.0, 12.0, 20.0])
    monkeypatch.setattr(progress_module.time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(progress_module, "_BETWEEN_LINES", 10.0)
    with batch_progress(40) as bar:
        for done in (1, 2, 3, 10):
            bar.tell(done, done // 2)
    assert capsys.readouterr().err.splitlines() == [
        "2 of 40 done, 1 failed, 0.2 a second, 190 s left",
        "10 of 40 done, 5 failed, 0.5 a second, 60 s left",
    ]
