"""Answers that are kept on disk: the same as made anew, never of another question, and safe whatever the folder does."""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import os
import random
import re
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest
from msgspec import msgpack

from asmgen.cache import store as stores
from asmgen.cache import upkeep
from asmgen.cache.answer import OUT, Answer, Part
from asmgen.cache.store import OFF, PART, TAG, VARIABLE, Store, digest
from asmgen.cli import compiling, kept
from asmgen.cli.main import main
from tests.commands import Said, run

pytestmark = pytest.mark.xdist_group("processes")

ROOT = Path(__file__).parents[3]
SWISH = str(ROOT / "examples" / "swish.gen")
TEXT = "x = @param:x -> f32, {{{n}}}\ny = add(x, x)\n@return(y)\n"
ASM = ("kernel", "vecadd", "--emit", "asm")
LAUNCH = ("--kernel", "vecadd", "--grid", "1", "--block", "256", "--arg", "x.npy", "--arg", "x.npy", "--arg", "x.npy", "--expect", "2:y.npy")
RUN_FILE = """buffer x = x.npy
buffer y = zeros f32[1024]
launch add.s --kernel vecadd --grid 1 --block 256 --arg x --arg x --arg y
expect y y.npy
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache that the commands of a test use."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture(scope="module", autouse=True)
def loaded() -> None:
    """Processes that a command forks have the compiler's modules and tables from here: each would load them again."""
    assert main(["kernel", "vecadd", "--emit", "asm", "-o", os.devnull]) == 0


def write_launches() -> None:
    """Write a kernel, its arrays and a run file into the working directory."""
    Path("add.s").write_text((ROOT / "tests" / "golden" / "vecadd" / "gfx942.s").read_text(encoding="utf-8"), encoding="utf-8")
    Path("twice.run").write_text(RUN_FILE, encoding="utf-8")
    np.save("x.npy", np.ones(1024, np.float32))
    np.save("y.npy", np.full(1024, 2, np.float32))


def entries(folder: Path) -> list[Path]:
    """The files of answers: all but the entry with the digest of the code, which has 111 bytes."""
    return sorted(path for path in (folder / "entries").rglob("*") if path.is_file() and path.stat().st_size != 111)


def refuse_to_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise AssertionError("a kept answer was made anew")

    monkeypatch.setattr(compiling, "execute", refuse)


def is_kept(said: Said, monkeypatch: pytest.MonkeyPatch, *words: object) -> bool:
    """Whether a command is answered without the compiler."""
    with monkeypatch.context() as context:
        refuse_to_compile(context)
        try:
            return said(*words)[0] == 0
        except AssertionError:
            return False


@pytest.mark.parametrize(
    "words",
    [
        ASM,
        ("kernel", SWISH, "--target", "gfx1201"),
        ("kernel", SWISH, "--verify"),
        ("kernel", SWISH, "--emit", "lanewise", "-o", "swish.txt"),
        ("kernel", "vecadd", "--assembler", "builtin", "-o", "-"),
        ("kernel", "gelu", "softmax", "--assembler", "builtin", "-o", "out/"),
        ("check", str(ROOT / "tests" / "golden" / "gelu" / "gfx942.s")),
        ("check", "missing.s", "--target", "gfx942", "--notes"),
        ("check", "missing.s", "--target", "gfx942", "--format", "json"),
        ("report", SWISH),
        ("report", SWISH, "--format", "json", "-o", "swish.json"),
        ("profile", SWISH, "--target", "gfx1100"),
        ("run", "add.s", *LAUNCH),
        ("run", "twice.run"),
    ],
    ids=lambda words: " ".join(Path(word).name for word in words),
)
def test_a_kept_answer_is_the_answer(
    words: tuple[str, ...], folder: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("missing.s").write_text("s_load_dword s0, s[4:5], 0x0\ns_mov_b32 s1, s0\ns_endpgm\n", encoding="utf-8")
    write_launches()
    answers: list[object] = []
    for _ in range(2):
        status = main(words)
        files = {str(path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and folder not in path.parents}
        answers.append((status, capfdbinary.readouterr(), files))
        for path in files:
            if path.endswith((".hsaco", ".txt", ".json")):
                Path(path).unlink()
        refuse_to_compile(monkeypatch)
        for module in ("checking", "reporting", "profiling", "running"):
            monkeypatch.setitem(sys.modules, f"asmgen.cli.{module}", None)
    assert answers[0] == answers[1]
    assert len(entries(folder)) == (len([word for word in words[1:3] if not word.startswith("-")]) if words[0] == "kernel" else 1)


LOADED = """
import sys
from asmgen.cli.main import main
from tests.commands import run
status = main(sys.argv[1:])
heavy = {"asmgen.compiler", "asmgen.pipeline", "isa.targets", "numpy"}
print(status, sorted(heavy & sys.modules.keys()), file=sys.stderr)
"""


def test_a_kept_answer_loads_no_compiler(folder: Path, said: Said, tmp_path: Path) -> None:
    words = [*ASM, "-o", str(tmp_path / "k.s")]
    assert said(*words)[0] == 0
    assert folder.is_dir()
    ran = subprocess.run([sys.executable, "-c", LOADED, *words], capture_output=True, text=True, check=True, cwd=ROOT)
    assert ran.stderr.splitlines()[-1] == "0 []"


def test_another_question_has_another_answer(folder: Path, said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "k.gen"
    path.write_text(TEXT.format(n=64), encoding="utf-8")
    words = ("kernel", path, "--emit", "asm")
    assert said(*words)[0] == 0
    assert is_kept(said, monkeypatch, *words)
    assert is_kept(said, monkeypatch, *words, "-o", tmp_path / "other.s") is False, "a note may depend on the suffix"
    for more in (("--target", "gfx950"), ("--fast-math",), ("--no-contract",), ("--max-vgprs", "9"), ("--verify",)):
        assert not is_kept(said, monkeypatch, *words, *more)
    assert not is_kept(said, monkeypatch, "kernel", path)
    path.write_text(TEXT.format(n=65), encoding="utf-8")
    assert not is_kept(said, monkeypatch, *words)
    path.write_text(TEXT.format(n=64), encoding="utf-8")
    assert is_kept(said, monkeypatch, *words)


@pytest.mark.parametrize("words", [("run", "add.s", *LAUNCH), ("run", "twice.run")], ids=["arguments", "run file"])
def test_a_run_depends_on_its_arrays(words: tuple[str, ...], folder: Path, said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_launches()
    assert said(*words)[0] == 0
    assert len(entries(folder)) == 1
    for name in ("x.npy", "y.npy"):
        write_launches()
        np.save(name, np.full(1024, 3, np.float32))
        status, _, errors = said(*words)
        assert (status, "error[EXP" in errors) == (1, True), name
    assert len(entries(folder)) == 1, "errors are not kept"


def test_other_code_and_other_packages_have_other_answers(folder: Path, said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from asmgen.cache import version

    code = tmp_path / "code"
    for package in ("asmgen", "isa", "regalloc"):
        (code / package / "__pycache__").mkdir(parents=True)
        (code / package / "table.py").write_text(f"{package} = 1\n", encoding="utf-8")
    monkeypatch.setattr(version, "_ROOT", str(code))
    store = Store(str(folder), print)
    first = version.code_version(store)
    (code / "isa" / "__pycache__" / "x").write_text("", encoding="utf-8")
    assert version.code_version(store) == first, "bytecode is no source"
    table = code / "isa" / "table.py"
    os.utime(table, ns=(1, 1))
    assert version.code_version(store) == first, "the content is the same"
    table.write_text("isa = 2\n", encoding="utf-8")
    assert version.code_version(store) != first
    table.write_text("isa = 1\n", encoding="utf-8")
    assert version.code_version(store) == first
    table.rename(code / "isa" / "other.py")
    assert version.code_version(store) != first
    (code / "isa" / "other.py").rename(table)
    monkeypatch.setattr(version, "installed", lambda: ["numpy-99.dist-info"])
    assert version.code_version(store) != first


def test_an_answer_belongs_to_a_version(folder: Path, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(*ASM)[0] == 0
    assert is_kept(said, monkeypatch, *ASM)
    monkeypatch.setattr(kept, "code_version", lambda _store: "another")
    assert not is_kept(said, monkeypatch, *ASM)


def test_code_that_changes_during_a_command_keeps_no_answer(folder: Path, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    versions = iter("ab")
    monkeypatch.setattr(kept, "code_version", lambda _store: next(versions))
    assert said(*ASM)[0] == 0
    assert entries(folder) == []


def test_a_source_that_changes_during_a_command_keeps_no_answer(folder: Path, said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "k.gen"
    path.write_text(TEXT.format(n=64), encoding="utf-8")
    execute = compiling.execute

    def edited(arguments: argparse.Namespace, emit: str | None) -> int:
        status = execute(arguments, emit)
        path.write_text(TEXT.format(n=65), encoding="utf-8")
        return status

    monkeypatch.setattr(compiling, "execute", edited)
    assert said("kernel", path, "--emit", "asm")[0] == 0
    assert entries(folder) == []


@pytest.mark.parametrize(
    "words",
    [
        (*ASM, "--trace", "waits"),
        ("kernel", str(ROOT / "examples" / "by_hand" / "softmax.py:softmax"), "--emit", "asm"),
        ("kernel", SWISH, "--target", "gfx942", "--emit", "asm", "--allow-include"),
        ("check", str(ROOT / "tests" / "golden" / "gelu" / "gfx942.s"), "--strip", "--fix", "-o", "/dev/null"),
        ("report", str(ROOT / "tests" / "golden" / "gelu" / "gfx942.s"), "--format", "html"),
        ("run", "add.s", *LAUNCH, "--out-dir", "out"),
        ("run", "add.s", *LAUNCH, "--counters", "-"),
    ],
    ids=["trace", "python", "include", "fix", "html", "out-dir", "counters"],
)
def test_what_depends_on_more_is_not_kept(words: tuple[str, ...], folder: Path, said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_launches()
    first = said(*words)
    assert first[0] == 0
    assert not folder.exists() or entries(folder) == []
    assert said(*words) == first


def test_a_machine_with_a_gpu_keeps_no_verdict(folder: Path, said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_GPU", str(tmp_path))
    path = tmp_path / "k.gen"
    path.write_text(TEXT.format(n=64), encoding="utf-8")
    assert said("kernel", path, "--verify")[0] == 0
    assert not folder.exists()
    assert said("kernel", path, "--verify", "--device", "emulator")[0] == 0
    assert is_kept(said, monkeypatch, "kernel", path, "--verify", "--device", "emulator")


def test_errors_are_not_kept(folder: Path, said: Said, tmp_path: Path) -> None:
    path = tmp_path / "k.gen"
    path.write_text("x = wrong\n", encoding="utf-8")
    first = said("kernel", path)
    assert first[0] == 1
    assert not folder.exists() or entries(folder) == []
    assert said("kernel", path) == first


def test_the_rules_of_output_files_hold_for_a_kept_answer(folder: Path, said: Said, tmp_path: Path) -> None:
    output = tmp_path / "k.s"
    assert said(*ASM, "-o", output)[0] == 0
    output.chmod(0o444)
    status, _, error = said(*ASM, "-o", output)
    assert (status, "error[CLI016]" in error) == (1, True)
    assert said(*ASM, "-o", output, "--force")[0] == 0
    status, _, error = said(*ASM, "-o", tmp_path / "missing" / "k.s")
    assert (status, "error[OUT001]" in error) == (1, True)


def damaged(data: bytes, generator: random.Random) -> bytes:
    """The content of an entry with a fault."""
    at = generator.randrange(len(data))
    faults = [
        lambda: data[:at],
        lambda: data + b"\0",
        lambda: data[:at] + bytes([data[at] ^ 1 << generator.randrange(8)]) + data[at + 1 :],
        lambda: generator.randbytes(len(data)),
        lambda: b"",
    ]
    return generator.choice(faults)()


@pytest.mark.parametrize("count", [12, pytest.param(300, marks=pytest.mark.slow)])
def test_damaged_entries_are_made_anew(count: int, folder: Path, said: Said, tmp_path: Path) -> None:
    generator = random.Random(33)
    sources = tmp_path / "sources"
    sources.mkdir()
    for n in range(count):
        (sources / f"k{n:03}.gen").write_text(TEXT.format(n=n + 1), encoding="utf-8")
    words = ("kernel", sources, "--emit", "asm", "-o", f"{tmp_path}/out/")
    first = said(*words)
    for path in entries(folder):
        path.write_bytes(damaged(path.read_bytes(), generator))
    assert len(entries(folder)) > count / 3, "most faults keep the size"
    status, output, errors = said(*words)
    notes = [line for line in errors.splitlines() if line.startswith("note:")]
    assert (status, output) == first[:2]
    assert len(notes) == 1
    assert "damaged entry" in notes[0]
    assert errors.replace(f"{notes[0]}\n", "") == first[2]
    assert said(*words) == first


def test_an_entry_under_another_name_is_damaged(folder: Path, said: Said) -> None:
    first = said(*ASM)
    (entry,) = entries(folder)
    said("kernel", "gelu", "--emit", "asm")
    (other,) = (path for path in entries(folder) if path != entry)
    entry.write_bytes(other.read_bytes())
    status, output, errors = said(*ASM)
    assert (status, output) == first[:2]
    assert "damaged entry" in errors


@pytest.mark.parametrize("content", [b"", b"\xc1", msgpack.encode([0, [["out", 5, True]]]), msgpack.encode({"status": 0})])
def test_an_entry_of_another_form_is_damaged(content: bytes, folder: Path, said: Said) -> None:
    first = said(*ASM)
    (entry,) = entries(folder)
    Store(str(folder), print).write(entry.parent.name + entry.name, content)
    status, output, errors = said(*ASM)
    assert (status, output) == first[:2]
    assert "damaged entry" in errors


class FullFile(list[bytes]):
    """A file of a full disk, which says so when it is closed."""

    def __enter__(self) -> FullFile:
        return self

    def __exit__(self, *_: object) -> None:
        no_space()

    write = list[bytes].append


def no_space(*_: object) -> NoReturn:
    raise OSError(28, "No space left on device")


def opened_on_a_full_disk(path: str, mode: str) -> object:
    return Path(path).open(mode) if mode == "rb" else FullFile()


@pytest.mark.parametrize("call", ["write", "replace"])
def test_a_full_disk_stops_no_command(call: str, folder: Path, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    assert said("kernel", "gelu")[0] == 0
    before = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    if call == "replace":
        monkeypatch.setattr(stores.os, "replace", no_space)
    else:
        monkeypatch.setattr(stores, "open", opened_on_a_full_disk, raising=False)
    status, output, errors = said("kernel", "vecadd", "relu")
    assert status == 0
    assert "2 sources: all succeeded" in output
    assert re.fullmatch(r"note: the cache cannot be written, so results are not kept: .*: no space left on device\n", errors)
    assert [path for path in sorted(folder.rglob("*")) if path.is_file()] == before


def test_a_folder_that_cannot_be_made_stops_no_command(said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "/proc/asmgen")  # root cannot write there either
    status, _, errors = said("kernel", "vecadd", "relu")
    assert status == 0
    assert errors.count("the cache cannot be written") == 1


def test_a_folder_that_others_may_write_is_not_used(tmp_path: Path, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "cache"
    monkeypatch.setenv(VARIABLE, str(path))
    path.mkdir()
    for reason in ("can be written by every user", "belongs to another user", "has other files", "is not a folder"):
        with monkeypatch.context() as context:
            if reason.startswith("can"):
                path.chmod(0o777)
            elif reason.startswith("belongs"):
                context.setattr(stores.os, "getuid", lambda: 12345)
                context.setattr(stores.os, "stat", lambda _: os.stat_result((0o40700, 1, 1, 1, 54321, 0, 0, 0, 0, 0)))
                context.setattr(stores.os.path, "isdir", lambda _: True)
            elif reason.startswith("has"):
                (path / "photo.jpg").write_text("", encoding="utf-8")
            else:
                (path / "photo.jpg").unlink()
                path.rmdir()
                path.write_text("", encoding="utf-8")
            refusal = stores.refusal_of(str(path))
        assert reason in refusal
        if "belongs" not in reason:
            status, _, errors = said("kernel", "vecadd", "relu")
            assert (status, errors.count("note: the cache is not used")) == (0, 1)
            status, _, errors = said("cache", "clear")
            assert (status, "error[CCH002]" in errors) == (1, True)
        if path.is_dir():
            path.chmod(0o700)


def keep_all(folder: str, sources: str, start: Event, out: str) -> None:
    """Run a command in a process that goes on when all are ready."""
    os.environ[VARIABLE] = folder
    gc.freeze()  # a collection would copy the tests' objects
    with Path(out).open("w", encoding="utf-8") as file, redirect_stdout(file), redirect_stderr(file):
        _ = start.wait()
        status = main(["kernel", sources])
    os._exit(status)


@pytest.mark.parametrize(("count", "number"), [(4, 4), pytest.param(200, 8, marks=pytest.mark.slow)])
def test_many_processes_keep_the_same_answers(
    count: int, number: int, folder: Path, said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = tmp_path / "sources"
    sources.mkdir()
    for n in range(count):
        (sources / f"k{n:03}.gen").write_text(TEXT.format(n=n + 1), encoding="utf-8")
    context = multiprocessing.get_context("fork")
    start = context.Event()
    outs = [tmp_path / f"out{n}" for n in range(number)]
    processes = [context.Process(target=keep_all, args=(str(folder), str(sources), start, str(out))) for out in outs]
    for process in processes:
        process.start()
    start.set()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * number
    texts = {out.read_text(encoding="utf-8") for out in outs}
    assert len(texts) == 1, "nothing was told, and all printed the same"
    assert len(entries(folder)) == count
    assert [path for path in folder.rglob("*") if path.suffix == PART] == []
    monkeypatch.setenv(VARIABLE, OFF)
    assert texts == {said("kernel", sources)[1]}
    monkeypatch.setenv(VARIABLE, str(folder))
    assert is_kept(said, monkeypatch, "kernel", sources)


def filled(folder: Path, ages: list[int]) -> Store:
    """A store with an entry of 1,000 bytes for each age in seconds."""
    store = Store(str(folder), print)
    for age in ages:
        key = digest(str(age).encode())
        store.write(key, msgpack.encode(Answer(0, (Part(OUT, bytes(900), False),))))
        os.utime(store.path(key), (time.time() - age, time.time() - age))
    return store


def test_prune_removes_the_longest_unused(folder: Path, said: Said) -> None:
    store = filled(folder, [10, 100, 1000, 10000, 100000])
    abandoned = Path(f"{store.path(digest(b'x'))}.7{PART}")
    abandoned.parent.mkdir(exist_ok=True)
    abandoned.write_bytes(bytes(10))
    os.utime(abandoned, (1, 1))
    recent = abandoned.with_suffix(f".8{PART}")
    recent.write_bytes(bytes(10))
    assert said("cache", "show")[1].startswith(f"{folder}: 7 entries, 0.0 MiB\nlongest unused: 1970-01-01")
    assert said("cache", "prune")[1] == f"{folder}: removed 1 entry, 0.0 MiB\n"
    assert said("cache", "prune", "--max-age", "1h")[1] == f"{folder}: removed 2 entries, 0.0 MiB\n"
    assert store.read(digest(b"1000")) is not None, "it is used, so it is the youngest now"
    assert said("cache", "prune", "--max-size", "2K")[1] == f"{folder}: removed 1 entry, 0.0 MiB\n"
    assert [store.read(digest(str(age).encode())) is not None for age in (10, 100, 1000)] == [True, False, True]
    assert recent.exists()
    (folder / "entries" / "mine.txt").write_text("", encoding="utf-8")
    assert said("cache", "clear")[1] == f"{folder}: removed 3 entries, 0.0 MiB\n"
    assert sorted(path.name for path in folder.rglob("*") if path.is_file()) == [TAG, "mine.txt"]
    (folder / "entries" / "mine.txt").unlink()
    assert said("cache", "clear")[0] == 0
    assert not folder.exists()


def test_the_cache_prunes_itself(folder: Path, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    _ = filled(folder, [10, 100])
    monkeypatch.setattr(upkeep, "LARGEST", 1500)
    monkeypatch.setattr(kept, "_PRUNES", "")
    assert said("kernel", "vecadd")[0] == 0
    assert len(entries(folder)) == 1


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("show", "--max-size", "5"), "CLI005"),
        (("clear", "--max-age", "5d"), "CLI005"),
        (("prune", "--max-size", "5X"), "CCH003"),
        (("prune", "--max-age", "-1d"), "CCH004"),
        (("prune", "--max-age", "30"), "CCH004"),
    ],
)
def test_upkeep_refuses_options(words: tuple[str, ...], code: str, folder: Path, said: Said) -> None:
    status, _, errors = said("cache", *[word.replace("-1d", "1w") for word in words])
    assert (status, f"error[{code}]" in errors) == (1, True)


def test_words_that_upkeep_does_not_take_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        _ = main(["cache", "show", "extra"])
    assert "got 'extra', wanted a single action" in capsys.readouterr().err


def test_a_cache_that_is_off_is_not_shown(said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, OFF)
    status, _, errors = said("cache", "show")
    assert (status, "error[CCH001]" in errors) == (1, True)


def test_the_folder_is_named_by_the_environment() -> None:
    assert stores.folder_of({VARIABLE: OFF}) is None
    assert stores.folder_of({VARIABLE: "/x", "XDG_CACHE_HOME": "/y"}) == "/x"
    assert stores.folder_of({"XDG_CACHE_HOME": "/y"}) == "/y/asmgen"
    assert stores.folder_of({"XDG_CACHE_HOME": "y"}) == os.path.expanduser("~/.cache/asmgen")


@pytest.mark.slow
def test_the_commands_of_the_page_run(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
    commands = [line for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL) for line in block.splitlines()]
    monkeypatch.chdir(tmp_path)
    ran = {command: run(command.replace("n=100000", "n=64")) for command in commands}
    assert [status for status, _ in ran.values()] == [0] * len(ran)
    first = "python -m asmgen check objects --results checked.jsonl"
    assert ran[f"{first} --resume"] == ran[first]
    assert len(ran) == len(commands) - 1, "a command stands there twice"
    assert not folder.exists()
