"""`run --break`, `--at` and `--dump` show a wave as the trace says that it is."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from asmgen.runtime.watching.lines import parse_span, parse_stop
from asmgen.runtime.watching.selection import parse_waves
from asmgen.runtime.watching.state import parse_items
from isa.diagnostics import InputError
from tests.unit.asmgen.watching.programs import SUM_TEXT, Folder, X, line_of
from tests.unit.asmgen.watching.test_trace import unfolded

ADD, LOAD, READ, STORE = (line_of(SUM_TEXT, words) for words in ("v_add_u32", "global_load_dword ", "ds_read2", "global_store"))
FIRST, NONE, LAST = (line_of(SUM_TEXT, words) for words in ("s_load_dwordx4", "none:", "s_endpgm"))


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def shown(folder: Folder, capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, str]:
    """The output of a run, by the words before the equals sign or the colon; it ends well."""
    assert folder.run(*options) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]
    return dict(re.split(r"=|: ", line, maxsplit=1) for line in lines if not line.startswith("launch"))  # type: ignore[misc]


@pytest.mark.parametrize("wave", [0, 1])
@pytest.mark.parametrize(("line", "time"), [(ADD, 1), (ADD, 3), (READ, 1), (STORE, 1)])
def test_a_breakpoint_agrees_with_the_trace(
    folder: Folder, capsys: pytest.CaptureFixture[str], line: int, time: int, wave: int
) -> None:  # fmt: skip
    """Every register that the wave wrote before is at the breakpoint as the trace left it."""
    assert folder.run("--trace", "@t.jsonl", "--wave", str(wave)) == 0
    _ = capsys.readouterr()
    values: dict[str, list[str]] = {}
    times = 0
    for record in folder.records("t.jsonl"):
        times += record["line"] == f"sum.s:{line}"
        if times == time:
            break
        for name, words in record["registers"].items():
            old = values.get(name, [""] * len(words))
            values[name] = [word or before for word, before in zip(words, old, strict=True)]
    assert times == time and len(values) > 8
    found = shown(folder, capsys, "--break", f"{line}:{time}", "--wave", str(wave))
    for name, words in values.items():
        here = unfolded(found[name], len(words))
        assert [word for word, wanted in zip(here, words, strict=True) if wanted] == [word for word in words if word], name


def test_a_breakpoint_ends_the_run(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    assert folder.run("--break", str(ADD), "--out-dir", "@out", "--trace", "@t.txt") == 0
    told = capsys.readouterr()
    assert told.out.startswith(f"break at sum.s:{ADD}: v_add_u32_e32 v3, v3, v2\n")
    assert "  launch 0, wave 0: wave 0 of 2 of workgroup (0,0,0), exec=ffffffffffffffff\n" in told.out
    assert "stopped at a breakpoint" in told.err
    assert not (folder.path / "out").exists()
    assert f"sum.s:{LOAD}" in folder.read("t.txt") and f"sum.s:{ADD} " not in folder.read("t.txt")


def test_a_dump_goes_on(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    items = "v2:u32,s9,lds[0:8],mem[arg0+16:32],mem[x+16:8]:u32"
    assert folder.run("--at", f"{ADD}:2", "--at", str(STORE), "--dump", items, "--wave", "0-1") == 0
    told = capsys.readouterr().out
    assert told.count(f"dump at sum.s:{ADD}, time 2") == 2 and told.count(f"dump at sum.s:{STORE}:") == 2
    assert "arg1: uint32[128] [ 3," in told
    words = " ".join(f"{word:08x}" for word in X[4:12])
    assert told.count(f"  mem arg0+0x0010: {words}\n") == 4
    assert told.count(f"  mem x+0x0010: {X[4]} {X[5]}\n") == 4
    assert told.count("  s9=00000001\n") == 2 and told.count("  s9=00000003\n") == 2
    assert f"  v2:u32=[{' '.join(map(str, X[:64]))}]\n" in told
    assert "  lds+0x0000: a5a5a5a5 a5a5a5a5\n" in told and f"  lds+0x0000: {3 * X[0]:08x} {3 * X[1]:08x}\n" in told


def test_without_waves_the_first_that_comes_is_shown(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    assert folder.run("--at", str(STORE), "--dump", "v4", grid=3) == 0
    assert capsys.readouterr().out.count("dump at") == 1


def test_an_endless_loop_can_be_broken(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    (folder.path / "sum.s").write_text(SUM_TEXT.replace("s_cmp_lt_i32 s9, 3", "s_cmp_lt_i32 s9, -1").replace("scc1 trip", "scc0 trip"))
    assert folder.run("--break", f"{ADD}:1000", "--dump", "s9") == 0
    assert "  s9=000003e7\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--break", f"{ADD}:4"], "WAT007", f"no wave came to line {ADD} 4 times, but at most 3"),
        (["--at", str(STORE), "--wave", "7", "--dump", "v4"], "WAT007", "no wave of 7 came"),
        (["--break", "1"], "WAT003", "no instruction of the kernel has line 1, its lines are"),
        (["--break", "1"], "WAT003", f"the nearest line with instructions is {FIRST}"),
        (["--break", str(NONE)], "WAT003", f"the nearest lines with instructions are {NONE - 1} and {NONE + 1}"),
        (["--break", "9999"], "WAT003", f"the nearest line with instructions is {LAST}"),
        (["--break", "other.s:9"], "WAT003", "has other.s:9; it names lines of"),
        (["--break", "0x10"], "WAT003", "no instruction begins at 0x10, wanted a line: assembly has no offsets"),
        (["--break", "here"], "WAT001", "got 'here', wanted LINE"),
        (["--break", "9:0"], "WAT001", "got '9:0'"),
        (["--at", "sum.s:0x10"], "WAT001", "an offset has no file"),
        (["--trace", "@t", "--lines", "9-8"], "WAT002", "got '9-8'"),
        (["--trace", "@t", "--lines", "1-2"], "WAT003", "lines 1-2"),
        (["--trace", "@t", "--lines", "0x10-0x20"], "WAT003", "offsets 0x10-0x20"),
        (["--trace", "@t", "--lines", "0x20-0x10"], "WAT002", "got '0x20-0x10'"),
        (["--trace", "@t", "--coverage", "@t"], "WAT010", "--trace writes "),
        (["--trace", "@sum.s"], "CLI012", "sum.s has the suffix of assembly, but the command writes text"),
        (["--coverage", "@x.npy"], "CLI012", "x.npy has the suffix of an array"),
        (["--counters", "@launches.run"], "CLI012", "launches.run has the suffix of a run file"),
        (["--trace", "@t", "--wave", "2-1"], "WAT004", "got '2-1'"),
        (["--at", str(STORE), "--dump", "q3"], "WAT005", "'q3' is not a register"),
        (["--at", str(STORE), "--dump", "v3:f31"], "WAT005", "'f31' is not a type"),
        (["--at", str(STORE), "--dump", "v3:f64"], "WAT005", "v3 has 4 bytes, wanted a multiple of the 8"),
        (["--at", str(STORE), "--dump", "mem[16]"], "WAT005", "'mem[16]' is not a register"),
        (["--at", str(STORE), "--dump", "lds[0:3]:f32"], "WAT005", "3 bytes, wanted a multiple of the 4"),
        (["--at", str(STORE), "--dump", "v16"], "WAT006", "the kernel has no v16"),
        (["--at", str(STORE), "--dump", "lds[1020:8]"], "WAT006", "ends at byte 1028, wanted at most the 1024 bytes of LDS"),
        (["--at", str(STORE), "--dump", "mem[arg0+510:8]"], "WAT006", "ends at byte 518, wanted at most the 512 bytes of argument 0 (x)"),
        (["--at", str(STORE), "--dump", "mem[arg2:8]"], "WAT006", "no buffer arg2, wanted arg0, arg1"),
        (["--dump", "v3"], "CLI005", "no --break"),
        (["--wave", "3"], "CLI005", "no --trace, --break and --at"),
        (["--lines", "3-4"], "CLI005", "no --trace"),
        (["--trace", "@t", "--trace-limit", "0"], "WAT008", "got 0"),
        (["--findings", "0"], "WAT009", "got 0"),
        (["--findings", "2", "--no-sanitize"], "CLI005", "finds nothing"),
        (["--trace", "@nowhere/t"], "OUT001", "no such file or directory"),
        (["--coverage", "@"], "OUT001", "is a directory"),
    ],
)
def test_bad_input_is_refused(
    folder: Folder, capsys: pytest.CaptureFixture[str], options: list[str], code: str, message: str
) -> None:  # fmt: skip
    assert folder.run(*options) == 1
    error = capsys.readouterr().err
    assert f"error[{code}]" in error and message in error, error


def test_the_grammar_of_places() -> None:
    assert parse_stop("--at", "12").line[1:] == ("", 12, 0)
    assert parse_stop("--at", "12:3").time == 3
    assert parse_stop("--at", "a/k.s:12")[0][1:] == ("a/k.s", 12, 0)
    assert parse_stop("--at", "a/k.s:12:3")[0][1:] == ("a/k.s", 12, 0) and parse_stop("--at", "a/k.s:12:3").time == 3
    assert parse_stop("--at", "0x1a0:2")[0][1:] == ("", 0, 0x1A0)
    assert parse_span("--lines", "k.s:3-9")[1:] == ("k.s", 3, 9, False) and parse_span("--lines", "7")[1:] == ("", 7, 7, False)
    assert parse_span("--lines", "0x10-0x2c")[2:] == (0x10, 0x2C, True)
    assert parse_waves("--wave", "0-2,5").ranges == ((0, 2), (5, 5))
    assert parse_waves("--wave", "0-2,5").among(np.arange(7)).tolist() == [True] * 3 + [False, False, True, False]
    assert [item.text for item in parse_items("--dump", "v3, s[2:3],lds[0:64],mem[arg0+16:32]:f32")] == [
        "v3", "s[2:3]", "lds[0:64]", "mem[arg0+16:32]:f32"
    ]  # fmt: skip


def test_a_place_is_not_two_things() -> None:
    with pytest.raises(InputError, match="got 'k:'"):
        _ = parse_stop("--at", "k:")
