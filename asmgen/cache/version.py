"""The version of the code that makes results: all its files by their content, and the installed packages.

To read all sources takes a tenth of a second, so the digest of their content is itself kept, by the time and
the size of each file, as Python does with its bytecode. A checkout that returns to an older commit finds the
results of that commit again.
"""

from __future__ import annotations

import os
import sys

import msgspec

from asmgen.cache.store import Store, digest

_PACKAGES = ("asmgen", "isa", "regalloc")
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_INSTALLED = ".dist-info"

File = tuple[str, int, int]
"""The path of a file, the time of its last change in nanoseconds, and its size."""


def code_version(store: Store | None) -> str:
    """The digest of the sources and tables of asmgen, of Python's version, and of the installed packages."""
    return digest(repr((_content(store), sys.version_info[:3], installed())).encode())


def _content(store: Store | None) -> str:
    files = sorted(file for name in _PACKAGES for file in _files(os.path.join(_ROOT, name)))
    if store is None:
        return _digest_of(files)
    key = digest(repr(files).encode())
    known = store.read(key)
    if known is not None:
        return known.decode()
    content = _digest_of(files)
    store.write(key, content.encode())
    return content


def _digest_of(files: list[File]) -> str:
    return digest(b"".join(_named(path) for path, _, _ in files))


def _files(folder: str) -> list[File]:
    """The files below a folder, without bytecode."""
    files: list[File] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                files += _files(entry.path) if entry.name != "__pycache__" else []
            else:
                status = entry.stat()
                files.append((entry.path, status.st_mtime_ns, status.st_size))
    return files


def _named(path: str) -> bytes:
    with open(path, "rb") as file:
        return f"{os.path.relpath(path, _ROOT)} {digest(file.read())}\n".encode()


def installed() -> list[str]:
    """The packages next to msgspec, each with its version."""
    folder = os.path.dirname(os.path.dirname(msgspec.__file__))
    return sorted(name for name in os.listdir(folder) if name.endswith(_INSTALLED))
