"""Run files, pointers and findings of `run`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from asmgen.cli.main import main
from tests.unit.asmgen.watching.programs import SUM_TEXT, Folder, X, line_of, source

N = 64
V = np.arange(N, dtype=np.uint32) * 3 + 1
COPY = """
; out[lane] = in[lane] + BIAS, if out is not null
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dword s8, s[0:1], 0x10
  v_lshlrev_b32_e32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
  s_cmp_eq_u64 s[6:7], 0
  s_cbranch_scc1 none
  global_load_dword v2, v1, s[4:5]
  s_waitcnt vmcnt(0)
  v_add_u32_e32 v2, s8, v2
  global_store_dword v1, v2, s[6:7]
none:
  s_endpgm
"""
KEEP = """
; keeps[0] = the address of in
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_mov_b32_e32 v1, 0
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v2, s4
  v_mov_b32_e32 v3, s5
  global_store_dwordx2 v1, v[2:3], s[6:7]
  s_endpgm
"""
FOLLOW = """
; out[lane] = a word at the address that keeps[0] has
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32_e32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
  s_load_dwordx2 s[8:9], s[4:5], 0x0
  s_waitcnt lgkmcnt(0)
  global_load_dword v2, v1, s[8:9]
  s_waitcnt vmcnt(0)
  global_store_dword v1, v2, s[6:7]
  s_endpgm
"""
COPY_LAUNCH = "launch copy.s --kernel copy --grid 1 --block 64"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "copy.s").write_text(source("copy", COPY, "in out BIAS"))
    (tmp_path / "keep.s").write_text(source("keep", KEEP, "in keeps"))
    (tmp_path / "follow.s").write_text(source("follow", FOLLOW, "keeps out"))
    np.save(tmp_path / "v.npy", V)
    for name, array in (("plus3", V + 3), ("twice", np.concatenate([V, V + 1]))):
        np.save(tmp_path / f"{name}.npy", array)
    return tmp_path


def run_file(folder: Path, text: str, *options: str) -> int:
    (folder / "launches.run").write_text(text)
    return main(["run", f"{folder}/launches.run", "--out-dir", f"{folder}/out", *options])


def result(folder: Path, name: str) -> np.ndarray:
    return np.load(folder / "out" / f"{name}.npy")


def test_memory_stays_between_launches(folder: Path) -> None:
    text = f"""# three launches
buffer v = v.npy
buffer a = u32[64]      # undefined
buffer b = zeros u32[2,64]
{COPY_LAUNCH} --arg v --arg a --arg i32:1
{COPY_LAUNCH} --arg a --arg b --arg i32:2
expect b plus3.npy
""".replace("expect b plus3.npy\n", "")
    assert run_file(folder, text + f"{COPY_LAUNCH} --arg b --arg b+256 --arg i32:0\n") == 0
    assert (result(folder, "a") == V + 1).all() and (result(folder, "v") == V).all()
    assert (result(folder, "b") == [V + 3, V + 3]).all()


def test_expectations(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = f"buffer v = v.npy\nbuffer a = u32[64]\n{COPY_LAUNCH} --arg v --arg a --arg i32:3\n"
    assert run_file(folder, text + "expect a plus3.npy\nexpect v v.npy --rtol 0\n") == 0
    assert run_file(folder, text + "expect a v.npy\n") == 1
    error = capsys.readouterr().err
    assert "launches.run:4: error[EXP006]: a[0] is 4, wanted 1; 64 of 64 elements differ" in error


def test_an_address_that_a_kernel_keeps_is_followed_by_the_next(folder: Path) -> None:
    text = """buffer v = v.npy
buffer keeps = u64[1]
buffer out = u32[64]
launch keep.s --kernel keep --grid 1 --block 1 --arg v --arg keeps
launch follow.s --kernel follow --grid 1 --block 64 --arg keeps --arg out
"""
    assert run_file(folder, text) == 0
    assert (result(folder, "out") == V).all()


def test_what_no_launch_wrote_is_undefined(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = f"buffer a = u32[64]\nbuffer b = u32[64]\n{COPY_LAUNCH} --arg a --arg b --arg i32:0\n"
    assert run_file(folder, text) == 1
    error = capsys.readouterr().err
    assert "error[SAN004]" in error and f"of the launch at {folder}/launches.run:3" in error
    assert run_file(folder, text, "--no-sanitize") == 0


def test_traces_breakpoints_and_counters_of_several_launches(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = f"""buffer v = v.npy
buffer keeps = u64[1]
buffer out = u32[64]
launch keep.s --kernel keep --grid 1 --block 1 --arg v --arg keeps
launch follow.s --kernel follow --grid 1 --block 64 --arg keeps --arg out
{COPY_LAUNCH} --arg v --arg out --arg i32:0
{COPY_LAUNCH} --arg v --arg null --arg i32:0
"""
    assert run_file(folder, text, "--trace", f"{folder}/t.txt", "--coverage", f"{folder}/c.txt", "--counters", f"{folder}/n.txt") == 0
    trace = (folder / "t.txt").read_text()
    assert [line[0] for line in trace.splitlines() if not line.startswith("#")] == sorted(
        line[0] for line in trace.splitlines() if not line.startswith("#")
    )
    assert trace.count("\n# ") == 4 and "load32 v+00000000+4*lane" in trace and "store64 keeps+00000000" in trace
    coverage = (folder / "c.txt").read_text()
    assert "kernel copy of " in coverage and "2 launches" in coverage and "; taken 1, not taken 1" in coverage
    assert (folder / "n.txt").read_text().count("counters of launch") == 4
    _ = capsys.readouterr()
    assert run_file(folder, text, "--kernel", "copy", "--trace", f"{folder}/t.txt") == 0
    heads = [line for line in (folder / "t.txt").read_text().splitlines() if line.startswith("# ")][1:]
    assert len(heads) == 2 and all(" copy, launch " in head for head in heads)
    line = line_of((folder / "follow.s").read_text(), "global_store")
    assert run_file(folder, text, "--kernel", "follow", "--break", f"follow.s:{line}", "--dump", "mem[keeps:8]:u64,v2:u32") == 0
    out = capsys.readouterr().out
    assert f"break at follow.s:{line}" in out and f"v2:u32=[{' '.join(map(str, V))}]" in out
    assert run_file(folder, text, "--kernel", "nothing", "--break", "4") == 1
    assert "error[RUF006]: no launch of the run file has the kernel nothing" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("lines", "code", "message"),
    [
        ("", "RUF001", "the file has no launch"),
        ("frobnicate x", "RUF001", "got 'frobnicate'"),
        ('launch "copy.s', "RUF001", "no closing quotation"),
        ("buffer a", "RUF002", "wanted `buffer NAME = FILE.npy`"),
        ("buffer a = f31[4]", "RUF002", "wanted a .npy file or TYPE[N,...]"),
        ("buffer a = zeros v.npy", "RUF002", "got 'v.npy'"),
        ("buffer a = u32[4]\nbuffer a = u32[4]", "RUF002", "there is a buffer a already"),
        ("buffer null = u32[4]", "RUF002", "'null' has a meaning"),
        ("buffer a = u32[99999999999]", "RUF002", "is too large"),
        ("buffer a = none.npy", "ARG003", "none.npy: the array cannot be read: no such file"),
        ("launch copy.s --grid 1 --block 64", "RUF003", "--kernel"),
        ("launch copy.s --kernel copy --grid 1 --block 64 --trace t", "RUF003", "a launch has no --trace"),
        ("launch copy.s --kernel copy --grid 0,0,0,0 --block 64", "RUF003", "]: argument --grid: got '0,0,0,0', wanted X, X,Y or X,Y,Z"),
        (f"{COPY_LAUNCH} --arg v --arg v --arg i32:1", "RUF004", "it is not a buffer, wanted TYPE:VALUE, null or a buffer: there is none before"),
        ("buffer a = u32[4]\nlaunch copy.s --kernel copy --grid 1 --block 64 --arg a+17", "RUF004", "within the 16 bytes of a"),
        (f"{COPY_LAUNCH} --arg v.npy", "RUF004", "it is not a buffer"),
        (f"{COPY_LAUNCH} --arg i32:x", "ARG002", "'x' is not a value of i32"),
        (f"{COPY_LAUNCH}\nexpect b v.npy", "RUF005", "there is no buffer 'b'"),
        (f"buffer a = u32[4]\n{COPY_LAUNCH}\nexpect a v.npy --rtol x", "RUF005", "wanted a number of at least 0"),
        (f"{COPY_LAUNCH} --arg null", "RUN010", "got 1 argument, wanted 3 for copy"),
        ("launch nothing.s --kernel copy --grid 1 --block 64", "SRC", "no such file"),
    ],
)
def test_bad_run_files(folder: Path, capsys: pytest.CaptureFixture[str], lines: str, code: str, message: str) -> None:
    assert run_file(folder, lines + "\n") == 1
    error = capsys.readouterr().err
    assert f"error[{code}" in error and message in error, error


def test_options_that_a_run_file_has_itself(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = f"buffer v = v.npy\n{COPY_LAUNCH} --arg v --arg null --arg i32:1\n"
    for options, code in ((["--grid", "1"], "CLI005"), (["--arg", "null"], "CLI005"), (["--device", "auto"], "RUN030")):
        assert run_file(folder, text, *options) == 1
        assert f"error[{code}]" in capsys.readouterr().err


def run_copy(folder: Path, *arguments: str) -> int:
    given = [word for argument in arguments for word in ("--arg", argument.replace("@", f"{folder}/"))]
    return main(["run", f"{folder}/copy.s", "--kernel", "copy", "--grid", "1", "--block", "64", "--out-dir", f"{folder}/out", *given])


def test_null_and_the_same_array_twice(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_copy(folder, "@v.npy", "null", "i32:1") == 0
    assert (result(folder, "arg0") == V).all() and not (folder / "out" / "arg1.npy").exists()
    assert run_copy(folder, "@v.npy", "arg0", "i32:1") == 0
    assert (result(folder, "arg0") == V + 1).all()
    np.save(folder / "long.npy", np.concatenate([V, V]))
    assert run_copy(folder, "@long.npy", "arg0+0x100", "i32:1") == 0
    assert (result(folder, "arg0") == np.load(folder / "twice.npy")).all()
    _ = capsys.readouterr()
    for arguments, code, message in (
        (("null", "@v.npy", "i32:1"), "SAN005", "a null pointer"),
        (("@v.npy", "arg2", "i32:1"), "RUN029", "argument 2 is not an array"),
        (("@v.npy", "arg0+257", "i32:1"), "RUN029", "byte 257 of a buffer of 256 bytes"),
        (("@v.npy", "@v.npy", "null"), "RUN011", "BIAS is not a buffer"),
    ):
        assert run_copy(folder, *arguments) == 1
        error = capsys.readouterr().err
        assert f"error[{code}]" in error and message in error


def test_two_findings_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The wait for the load is missing, and so is the wait before the barrier."""
    folder = Folder(tmp_path)
    text = SUM_TEXT.replace("  s_waitcnt vmcnt(0)\n", "").replace("  s_waitcnt lgkmcnt(0)\n  global_store", "  global_store")
    (tmp_path / "sum.s").write_text(text)
    assert folder.run() == 1
    assert capsys.readouterr().err.count("error[SAN") == 1
    assert folder.run("--findings", "10", "--out-dir", "@out", "--trace", "@t.txt") == 1
    error = capsys.readouterr().err
    assert error.count("error[SAN001]") == 2 and error.rstrip().endswith("2 findings")
    assert (np.load(tmp_path / "out" / "arg1.npy") == np.where(np.arange(128) < 100, 3 * X, 0)).all()
    assert folder.run("--findings", "2", "--out-dir", "@never") == 1
    assert capsys.readouterr().err.count("error[SAN001]") == 2 and not (tmp_path / "never").exists()


def test_launches_need_their_options(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        _ = main(["run", f"{folder}/copy.s", "--grid", "1"])
    assert ended.value.code == 2
    assert "the following arguments are required: --block" in capsys.readouterr().err


def test_a_file_with_a_single_kernel_needs_no_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    launch = ("--grid", "1", "--block", "64", "--arg", f"{folder}/v.npy", "--arg", f"{folder}/v.npy")
    assert main(["run", f"{folder}/copy.s", *launch, "--arg", "i32:3", "--expect", f"1:{folder}/plus3.npy"]) == 0
    both = folder / "both.s"
    both.write_text(source("copy", COPY, "in out BIAS") + source("keep", KEEP, "in keeps"))
    _ = capsys.readouterr()
    assert main(["run", str(both), *launch]) == 1
    assert "error[LOAD002]: the file has 2 kernels" in capsys.readouterr().err
