"""The modules of a command in one file: the loaded code is always that of the present source."""

from __future__ import annotations

import marshal
import os
import subprocess
import sys
from pathlib import Path

import pytest

import asmgen.bytecode

# `isa.value` of a project of its own; prints its VALUE, and which loader has loaded it
PROGRAM = f"""
import importlib.util, sys
spec = importlib.util.spec_from_file_location("bytecode", {asmgen.bytecode.__file__!r})
bytecode = importlib.util.module_from_spec(spec)
spec.loader.exec_module(bytecode)
root = sys.argv[1]
modules = bytecode.Modules(root)
sys.meta_path.insert(0, modules)
sys.path.insert(0, root)
import isa.value
if "value" in sys.argv:
    print(isa.value.VALUE, type(isa.value.__loader__).__name__)
    modules.write()
    sys.exit()
import isa.inner.other
assert isa.value.__file__.endswith("isa/value.py") and isa.inner.__path__ == [root + "/isa/inner"]
assert "VALUE" in isa.value.__loader__.get_source("isa.value")
print(isa.value.VALUE, type(isa.value.__loader__).__name__)
modules.write()
"""
ORDINARY, KEPT = "SourceFileLoader", "_Loader"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for package in ("asmgen", "isa", "isa/inner"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").touch()
    (tmp_path / "isa" / "inner" / "other.py").touch()
    (tmp_path / "isa" / "value.py").write_text("VALUE = 1\n", encoding="utf-8")
    return tmp_path


def run(root: Path, *options: str, writes: bool = True) -> list[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {} if writes else {"PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", PROGRAM, str(root), *options]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout.split()


def files(root: Path) -> list[Path]:
    return list((root / "asmgen").rglob("all.*"))


def test_the_second_command_loads_from_the_file(root: Path) -> None:
    assert [run(root), run(root)] == [["1", ORDINARY], ["1", KEPT]]
    assert len(files(root)) == 1


def test_a_changed_source_is_loaded_and_kept(root: Path) -> None:
    _ = run(root)
    source = root / "isa" / "value.py"
    before = source.stat()
    source.write_text("VALUE = 2\n", encoding="utf-8")  # of the same size
    os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns + 2_000_000_000))
    assert [run(root), run(root)] == [["2", ORDINARY], ["2", KEPT]]


def groups(root: Path) -> list[set[str]]:
    """The names of the modules in each group of the file."""
    (file,) = files(root)
    return [set(kept) for kept, _ in marshal.loads(file.read_bytes()[8:])[1]]


def test_a_command_that_uses_a_small_part_of_a_group_divides_it(root: Path) -> None:
    _ = run(root)
    every = {"isa", "isa.value", "isa.inner", "isa.inner.other"}
    assert groups(root) == [every]
    assert run(root, "value") == ["1", KEPT]
    assert groups(root) == [{"isa", "isa.value"}, {"isa.inner", "isa.inner.other"}]
    (file,) = files(root)
    content = file.read_bytes()
    assert [run(root), run(root, "value")] == [["1", KEPT], ["1", KEPT]]
    assert file.read_bytes() == content


def test_modules_of_a_later_command_are_a_group_of_their_own(root: Path) -> None:
    assert [run(root, "value"), run(root), run(root)] == [["1", ORDINARY], ["1", KEPT], ["1", KEPT]]
    assert groups(root) == [{"isa", "isa.value"}, {"isa.inner", "isa.inner.other"}]


def test_a_source_that_is_gone_is_not_loaded(root: Path) -> None:
    _ = run(root)
    (root / "isa" / "value.py").unlink()
    with pytest.raises(subprocess.CalledProcessError) as raised:
        _ = run(root)
    assert "No module named 'isa.value'" in raised.value.stderr


@pytest.mark.parametrize("content", [b"", b"no bytecode", b"half"])
def test_a_broken_file_is_written_again(content: bytes, root: Path) -> None:
    _ = run(root)
    (file,) = files(root)
    whole = file.read_bytes()
    _ = file.write_bytes(whole[: len(whole) // 2] if content == b"half" else content)
    assert [run(root), run(root)] == [["1", ORDINARY], ["1", KEPT]]


def test_a_file_of_another_python_is_not_loaded(root: Path) -> None:
    _ = run(root)
    (file,) = files(root)
    version = sys.version.encode()
    content = file.read_bytes()
    assert version in content
    _ = file.write_bytes(content.replace(version, version[:-1] + b"?"))
    assert run(root) == ["1", ORDINARY]


def test_nothing_is_written_if_python_may_not_write_bytecode(root: Path) -> None:
    assert run(root, writes=False) == ["1", ORDINARY]
    assert not files(root)
