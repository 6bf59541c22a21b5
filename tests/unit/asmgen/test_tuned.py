"""Schedules that `tune` has kept: later compiles of the same source, target and options use them, and no others."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import msgpack

import asmgen
from asmgen.blockwise.schedules.choices import Pointwise
from asmgen.cache.store import OFF, VARIABLE, Store
from asmgen.cli.main import main
from asmgen.cli.tuned import keep_tuned
from asmgen.gentext.parser import parse
from asmgen.ir.program import Program
from asmgen.options import Options
from asmgen.tuning import kept
from asmgen.tuning.build import Build
from asmgen.tuning.candidates import Candidate, Measured
from asmgen.tuning.combined import Combined
from asmgen.tuning.kept import MODEL, Tuned, key_of
from asmgen.tuning.subject import Found, Subject
from isa.diagnostics import InputError
from isa.targets import parse_target

pytestmark = pytest.mark.xdist_group("processes")

TEXT = "x = @param:x -> f32, {512,256}\ny = add(x, x)\n@return(y)\n"
SCHEDULE = "pointwise[vector=1, waves=2, repeat=1]"
Said = Callable[..., tuple[str, str]]


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    """The output of a command and its notes."""

    def of_command(*words: object) -> tuple[str, str]:
        assert main([str(word) for word in words]) == 0
        captured = capsys.readouterr()
        return captured.out, captured.err

    return of_command


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program, and a cache of its own."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    path = tmp_path / "twice.gen"
    path.write_text(TEXT, encoding="utf-8")
    return path


def keep(source: object, schedules: tuple[str, ...] = (SCHEDULE,), build: Build | None = None, **more: object) -> bool:
    words: dict[str, object] = {"source": str(source), "settings": [], "target": "gfx1201", "given": set[str](), "command": "tune:execute"}
    return keep_tuned(argparse.Namespace(**words, **more), schedules, build or Build(), MODEL)


def test_later_compiles_use_the_schedule_and_say_so(source: Path, said: Said) -> None:
    asm = ("kernel", source, "--target", "gfx1201", "--emit", "asm")
    usual, quiet = said(*asm)
    wanted, _ = said(*asm, "--schedule", SCHEDULE)
    assert (usual != wanted, quiet) == (True, "")
    assert keep(source)
    for _ in range(2):  # made, then kept
        made, note = said(*asm)
        assert made == wanted
        assert note == f"note: tune found {SCHEDULE} by the clock model, which is used (--tuned off leaves it out)\n"
    assert said(*asm, "--tuned", "off") == (usual, "")
    other = source.parent / "elsewhere" / source.name
    other.parent.mkdir()
    other.write_text(TEXT, encoding="utf-8")
    assert "tune found" in said("kernel", other, *asm[2:])[1], "the same source in another folder"
    assert "tune found" in said("profile", source, "--target", "gfx1201")[1]
    assert "tune found" in said("report", source, "--target", "gfx1201")[1]
    assert keep(source, ())
    assert said(*asm) == (usual, ""), "the compiler's own is the fastest"


def test_other_sources_targets_and_options_do_not(source: Path, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    assert keep(source)
    asm = ("kernel", source, "--emit", "asm")
    for words in (
        ["--target", "gfx942"],
        *(["--target", "gfx1201", *more] for more in (["--fast-math"], ["--max-vgprs", "64"], ["--nan", "propagate"])),
        *(["--target", "gfx1201", *more] for more in (["--no-schedule"], ["--schedule", SCHEDULE])),
    ):
        assert said(*asm, *words)[1] == "", words
    source.write_text(TEXT.replace("256", "128"), encoding="utf-8")
    assert said(*asm, "--target", "gfx1201")[1] == ""
    source.write_text(TEXT, encoding="utf-8")
    monkeypatch.setenv(VARIABLE, OFF)
    assert said(*asm, "--target", "gfx1201")[1] == ""
    assert not keep(source)


def test_the_options_of_the_result_are_used(source: Path, said: Said) -> None:
    asm = ("kernel", source, "--target", "gfx1201", "--emit", "asm")
    for build in (Build(schedule=False), Build(max_vgprs=16, waves_per_eu=4)):
        wanted, _ = said(*asm, "--schedule", SCHEDULE, *build.words)
        assert keep(source, (SCHEDULE,), build)
        assert said(*asm)[0] == wanted
    assert keep(source, (SCHEDULE,), Build(), max_vgprs=64)
    wanted, _ = said(*asm, "--schedule", SCHEDULE, "--max-vgprs", "64")
    assert said(*asm, "--max-vgprs", "64")[1].startswith("note: tune found")


def test_a_result_of_another_version_or_a_damaged_one_is_not_used(source: Path, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    asm = ("kernel", source, "--target", "gfx1201", "--emit", "asm")
    usual, _ = said(*asm)
    assert keep(source)
    monkeypatch.setattr(kept, "code_version", lambda _: "another")
    made, note = said(*asm)
    assert (made, note) == (usual, "note: the schedules that tune found are of another version of asmgen, and are not used\n")
    monkeypatch.undo()
    monkeypatch.setenv(VARIABLE, str(source.parent / "cache"))
    written: dict[str, bytes] = {}
    monkeypatch.setattr(Store, "write", lambda _, key, content: written.update({key: content}))
    _ = keep(source)
    ((key, content),) = written.items()
    assert msgpack.decode(content, type=Tuned).schedules == (SCHEDULE,)
    monkeypatch.undo()
    monkeypatch.setenv(VARIABLE, str(source.parent / "cache"))
    Store(str(source.parent / "cache"), print).write(key, b"no record")
    assert said(*asm)[0] == usual
    Path(Store(str(source.parent / "cache"), print).path(key)).write_bytes(b"damaged")
    made, note = said(*asm, "--trace", "fuse")
    assert made == usual


def test_tune_keeps_its_result(source: Path, said: Said) -> None:
    words = (source, "--target", "gfx1201")
    before, _ = said("kernel", *words, "--time")
    out, _ = said("tune", *words, "--candidates", "8", "--jobs", "1", "--judge", "model", "--tuned", "off")
    assert "kept:" not in out
    assert said("kernel", *words, "--time")[0] == before
    out, _ = said("tune", *words, "--candidates", "8", "--jobs", "1", "--judge", "model")
    after, note = said("kernel", *words, "--time")
    assert ("kept:" in out) == (after != before) == ("tune found" in note) == ("the default is the fastest" not in out)


def test_a_kept_answer_of_a_tuned_source_loads_no_compiler(source: Path, said: Said) -> None:
    assert keep(source)
    words = ["kernel", str(source), "--target", "gfx1201", "--emit", "asm"]
    wanted = said(*words)
    code = f"import sys\nfrom asmgen.cli.main import main\nmain({words!r})\nassert 'asmgen.compiler' not in sys.modules\n"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (ran.stdout, ran.stderr) == wanted


def test_python_compiles_use_the_schedule_too(source: Path, said: Said, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A program is the same as text, as a file and as a graph; a literal of an array counts with its numbers."""
    text = f"module @twice {{\n{TEXT}}}\n"
    source.write_text(text, encoding="utf-8")
    graph = parse(text, "twice.gen")
    found = Measured(1.0, 0.0, 8, "")
    monkeypatch.setattr(Subject, "found", lambda subject, search, count, whole: chosen(subject, found))
    assert "kept:" in said("tune", source, "--target", "gfx1201", "--candidates", "1", "--jobs", "1", "--judge", "model")[0]
    for given in (source, text, graph):
        assert schedules(given) == (SCHEDULE,)
        assert schedules(given, tuned="off") == schedules(given, target="gfx942") == schedules(given, fast_math=True) == ()
    assert schedules(text, order="exact") == schedules(text.replace("256", "128")) == ()
    with pytest.raises(InputError, match=r"OPT014.*got 'no', wanted on or off"):
        asmgen.compile(text, tuned="no")
    assert len({key_with(number) for number in (1, 2, 1)}) == 2
    assert capsys.readouterr() == ("", "")


def key_with(number: int) -> str:
    """The key of a program with an array that begins with a number."""
    constants = np.arange(number, number + 99, dtype=np.float32)
    program = asmgen.compile(lambda x: x + constants, inputs=[asmgen.spec(np.float32, 99)]).graph
    assert program is not None
    return key_of(program, parse_target("gfx942"), Options())


def schedules(given: Path | str | Program, target: str = "gfx1201", **options: Any) -> tuple[str, ...]:
    return asmgen.compile(given, target=target, **options).compilation.options.schedules


def chosen(subject: Subject, time: Measured) -> Found:
    """SCHEDULE, as if a search had found it."""
    usual, faster = (Combined((Candidate(0, choice, Build()),), (time,)) for choice in (subject.judge.launches[0].choice, Pointwise(1, 2, 1)))
    return Found((faster, usual), usual, faster, 0.5)
