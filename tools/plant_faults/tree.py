"""A private copy of the tree, for planting and marking."""

from __future__ import annotations

import importlib.util
import marshal
import os
import shutil
import subprocess
from pathlib import Path
from types import CodeType

TREE = Path(__file__).parents[2]
PACKAGES = ("asmgen", "isa", "regalloc")


def copy_of_tree(target: Path) -> Path:
    """Copy the files that git tracks or would track, in their current state."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=TREE, check=True, capture_output=True, text=True).stdout
    shutil.rmtree(target, ignore_errors=True)
    for name in names.split("\0"):
        if name and (TREE / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            _ = shutil.copy2(TREE / name, target / name)
    return target


def sources(root: Path) -> dict[str, str]:
    """The text of every file of the packages, by its path relative to `root`."""
    files = sorted(path for package in PACKAGES for path in (root / package).rglob("*.py"))
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in files}


def write_bytecode(source: Path, code: CodeType) -> None:
    """Make imports of `source` load `code`, until `source` changes."""
    cached = Path(importlib.util.cache_from_source(str(source)))
    cached.parent.mkdir(exist_ok=True)
    stat = source.stat()
    _ = cached.write_bytes(_bytecode(code, int(stat.st_mtime), stat.st_size))


def drop_bytecode(source: Path) -> None:
    Path(importlib.util.cache_from_source(str(source))).unlink(missing_ok=True)


def _bytecode(code: CodeType, modified: int, size: int) -> bytes:
    """A bytecode file that is valid as long as the source has this time and size (PEP 552)."""
    numbers = [number.to_bytes(4, "little") for number in (0, modified, size)]
    return importlib.util.MAGIC_NUMBER + b"".join(numbers) + marshal.dumps(code)


def environment(root: Path) -> dict[str, str]:
    """The environment for processes in the copy, and their children: they import the copy's packages."""
    return {**os.environ, "PYTHONPATH": str(root)}
