"""`run --trace`: each instruction of each wave, in order, with its writes; text and JSON say the same."""

from __future__ import annotations

import re
import time
from pathlib import Path

import numpy as np
import pytest

from asmgen.runtime.watching.columns import Lines, decimal, hexadecimal, side_by_side
from asmgen.runtime.watching.fields import TextStyle, Words
from asmgen.runtime.watching.trace_file import TraceFile
from tests.unit.asmgen.watching.programs import SUM_TEXT, Folder, X, line_of

LINE = re.compile(r"(\d+): *(\d+) +(\d+)  (\S+) +([0-9a-f]{16})  (\S.*?)(?:  +(\S.*))?\Z")


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def trace(folder: Folder, *options: str, **launch: int) -> list[str]:
    assert folder.run("--trace", "@t.txt", *options, **launch) == 0
    return [line for line in folder.read("t.txt").splitlines() if not line.startswith("#")]


def test_a_line_has_columns(folder: Folder) -> None:
    lines = trace(folder)
    matches = [LINE.match(line) for line in lines]
    assert all(matches)
    assert len({line.index("sum.s") for line in lines}) == 1
    add = next(line for line in lines if "v_add_u32" in line)
    assert add == ("0:    0        12  sum.s:20      ffffffffffffffff  v_add_u32_e32 v3, v3, v2                          v3=00000001+7*lane")


def test_a_wave_runs_its_path_in_order(folder: Folder) -> None:
    """Wave 1 has lanes 64 to 127, of which 36 are below 100; all lines of wave 0 come first."""
    matches = [LINE.match(line) for line in trace(folder)]
    assert all(matches)
    waves = [int(match[2]) for match in matches if match]
    assert waves == sorted(waves) and set(waves) == {0, 1}
    trip, barrier = line_of(SUM_TEXT, "global_load_dword"), line_of(SUM_TEXT, "s_barrier")
    for wave in (0, 1):
        own = [match for match in matches if match and int(match[2]) == wave]
        steps = [int(match[3]) for match in own]
        assert steps == sorted(steps)
        assert [match[4] for match in own].count(f"sum.s:{trip}") == 3
        assert [match[4] for match in own].count(f"sum.s:{barrier}") == 1
        masks = {match[5] for match in own if match[4] == f"sum.s:{trip}"}
        assert masks == ({"ffffffffffffffff"} if wave == 0 else {"0000000fffffffff"})


def test_exec_is_that_before_the_instruction(folder: Folder) -> None:
    lines = trace(folder, "--wave", "1")
    save = next(line for line in lines if "s_and_saveexec" in line)
    assert " ffffffffffffffff  s_and_saveexec" in save
    assert "exec_lo=ffffffff exec_hi=0000000f" in save and "s10=ffffffff s11=ffffffff" in save and "scc=00000001" in save


def test_memory_is_named_by_its_argument(folder: Folder) -> None:
    lines = trace(folder, "--wave", "1")
    load = next(line for line in lines if "global_load" in line)
    assert load.endswith(" load32 arg0+00000100+4*lane") and " v2=000001c1+7*lane " in load
    assert any(line.endswith("load128 kernarg+00000000") for line in lines)
    assert any(line.endswith("store32 lds+00000100+4*lane") for line in lines)
    read = next(line for line in lines if "ds_read2" in line)
    assert read.count("load32 lds+00000100+4*lane") == 2
    assert any(line.endswith("store32 arg1+00000100+4*lane") for line in lines)


def test_the_stored_register_is_the_result(folder: Folder) -> None:
    """The value of v4 in the trace is what numpy says of the output."""
    assert folder.run("--trace", "@t.jsonl", "--out-dir", "@out") == 0
    reads = [record for record in folder.records("t.jsonl") if "ds_read2" in record["instruction"]]
    stored = np.array([int(word, 16) for record in reads for word in record["registers"]["v4"]])
    wanted = np.where(np.arange(128) < 100, 3 * X, 0)
    assert (stored == wanted).all()
    assert (np.load(folder.path / "out" / "arg1.npy") == wanted).all()


def test_text_and_json_say_the_same(folder: Folder) -> None:
    texts = [match for line in trace(folder) if (match := LINE.match(line))]
    assert folder.run("--trace", "@t.jsonl") == 0
    records = folder.records("t.jsonl")
    assert len(texts) == len(records)
    for text, record in zip(texts, records, strict=True):
        assert (int(text[2]), int(text[3]), text[4], text[5]) == (record["wave"], record["step"], record["line"], record["exec"])
        assert text[6] == record["instruction"]
        for name, words in record["registers"].items():
            (shown,) = re.findall(rf"(?:^| ){name}=(\[[^\]]*\]|\S+)", text[7])
            assert unfolded(shown, len(words)) == [word or "--------" for word in words] or (None in words and "[" not in shown)


def unfolded(shown: str, lanes: int) -> list[str]:
    """The word of every lane."""
    if shown.startswith("["):
        return shown[1:-1].split(" ")
    base, sign, step = re.fullmatch(r"([0-9a-f]{8})(?:([+-])(\d+)\*lane)?", shown).groups()  # type: ignore[union-attr]
    by = int(f"{sign}{step}") if sign else 0
    return [f"{(int(base, 16) + by * lane) & 0xFFFFFFFF:08x}" for lane in range(lanes)]


@pytest.mark.parametrize(
    ("options", "lines", "waves"),
    [
        (["--lines", "19-20"], 24, {0, 1, 2, 3}),
        (["--lines", "sum.s:20"], 12, {0, 1, 2, 3}),
        (["--wave", "1", "--lines", "20"], 3, {1}),
        (["--wave", "0,2-3", "--lines", "20"], 9, {0, 2, 3}),
    ],
)
def test_filters(folder: Folder, options: list[str], lines: int, waves: set[int]) -> None:
    found = trace(folder, *options, grid=2)
    assert len(found) == lines
    assert {int(match[2]) for line in found if (match := LINE.match(line))} == waves


def test_lines_of_a_wave_that_come_later_stand_with_its_wave(tmp_path: Path) -> None:
    file = TraceFile(str(tmp_path / "t.txt"))
    _ = file.launch("sum", lambda wave: f"wave {wave}")
    for step, wave in enumerate((1, 0, 1)):
        lines = Lines()
        text = np.frombuffer(f"step {step}\n".encode(), np.uint8)[None]
        lines.add(text, np.array([wave]), np.array([step]))
        file.add(0, lines)
    file.close()
    wanted = ["# sum, wave 0", "step 1", "# sum, wave 1", "step 0", "step 2"]
    assert (tmp_path / "t.txt").read_text().splitlines()[1:] == wanted


def test_a_trace_ends_at_its_limit(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    found = trace(folder, "--trace-limit", "5")
    assert len(found) >= 5
    assert "note: the trace ends after" in capsys.readouterr().err


def test_a_trace_without_lines_is_told(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    assert not trace(folder, "--wave", "99")
    assert "note: the trace has no lines" in capsys.readouterr().err


def test_a_trace_ends_where_the_run_fails(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    """200 lanes of x are asked for, which has 128."""
    text = SUM_TEXT.replace("v_lshlrev_b32_e32 v1, 2, v0", "v_lshlrev_b32_e32 v1, 3, v0")
    (folder.path / "sum.s").write_text(text)
    assert folder.run("--trace", "@t.txt", n=128) == 1
    assert "error[SAN005]" in capsys.readouterr().err
    lines = [line for line in folder.read("t.txt").splitlines() if not line.startswith("#")]
    assert any("s_cbranch_execz" in line for line in lines) and not any("v_add_u32" in line for line in lines)


def test_standard_output(folder: Folder, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert folder.run("--trace", "-", "--lines", "20") == 0
    out = capsysbinary.readouterr().out
    assert out.startswith(b"# launch:wave") and out.count(b"v_add_u32_e32") == 6 and b"arg1: uint32" in out


def test_a_wave_has_a_heading(folder: Folder) -> None:
    _ = trace(folder, grid=2)
    heads = [line for line in folder.read("t.txt").splitlines() if line.startswith("# ")][1:]
    assert len(heads) == 4
    assert heads[3].endswith("sum.s sum, launch 0, wave 3: wave 1 of 2 of workgroup (1,0,0)")


@pytest.mark.parametrize(
    ("words", "on", "shown"),
    [
        ([5, 5, 5, 5], [1, 1, 1, 1], "00000005"),
        ([5, 6, 5, 6], [1, 0, 1, 0], "00000005"),
        ([1, 2, 3, 4], [0, 1, 1, 0], "00000001+1*lane"),
        ([8, 6, 4, 2], [1, 1, 1, 1], "00000008-2*lane"),
        ([0, 0x10000, 0x20000, 0x30000], [1, 1, 1, 1], "[00000000 00010000 00020000 00030000]"),
        ([1, 2, 3, 5], [1, 1, 1, 1], "[00000001 00000002 00000003 00000005]"),
        ([1, 2, 3, 5], [1, 0, 1, 1], "[00000001 -------- 00000003 00000005]"),
        ([0xFFFFFFFF, 0, 1, 2], [1, 1, 1, 1], "ffffffff+1*lane"),
        ([1, 2, 3, 4], [0, 0, 0, 0], "-"),
    ],
)
def test_words_of_lanes(words: list[int], on: list[int], shown: str) -> None:
    field = Words(np.array([words], np.uint32), np.array([on], np.bool_))
    style = TextStyle()
    parts = style.shown(int(style.keys(field)[0]), field)
    assert side_by_side(1, parts).tobytes().decode() == shown


def test_numbers_as_characters() -> None:
    numbers = np.array([0, 9, 10, 123456, 1 << 40])
    assert [bytes(row).decode() for row in decimal(numbers, 14)] == [f"{number:14}" for number in numbers.tolist()]
    words = np.random.default_rng(1).integers(0, 1 << 32, 1000, np.uint64).astype(np.uint32)
    assert [bytes(row).decode() for row in hexadecimal(words)] == [f"{word:08x}" for word in words.tolist()]


@pytest.mark.slow
@pytest.mark.parametrize("waves", [1, 16])
def test_a_million_instructions_take_at_most_ten_seconds_more(tmp_path: Path, waves: int) -> None:
    from tests.unit.asmgen.watching.programs import source

    body = """
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  v_mov_b32_e32 v2, v0
  s_mov_b32 s4, 0
  s_waitcnt lgkmcnt(0)
again:
  v_mul_lo_u32 v2, v2, s2
  v_add_u32_e32 v2, 0x3c6ef35f, v2
  v_xor_b32_e32 v3, v2, v1
  v_add_u32_e32 v4, v3, v2
  v_lshrrev_b32_e32 v5, 3, v4
  s_add_i32 s4, s4, 1
  s_cmp_lt_i32 s4, COUNT
  s_cbranch_scc1 again
  global_store_dword v1, v5, s[2:3]
  s_endpgm
""".replace("COUNT", str(1_000_000 // (8 * waves)))
    from asmgen.cli.main import main

    (tmp_path / "loop.s").write_text(source("loop", body, "out"))
    np.save(tmp_path / "out.npy", np.zeros(64 * waves, np.uint32))
    command = ["run", f"{tmp_path}/loop.s", "--kernel", "loop", "--grid", "1", "--block", str(64 * waves), "--arg", f"{tmp_path}/out.npy"]
    spent: list[float] = []
    for options in ([], ["--trace", f"{tmp_path}/t.txt"]):
        begun = time.process_time()
        assert main([*command, *options]) == 0
        spent.append(time.process_time() - begun)
    with (tmp_path / "t.txt").open() as file:
        assert sum(not line.startswith("#") for line in file) >= 1_000_000
    assert spent[1] - spent[0] <= 10
