"""The code of all modules in one file, for the start of a command.

A command loads some 390 modules of this project. To find, open and read a file for each takes a third of the
time of their imports. So the modules that commands have loaded are kept in one file beside Python's own files
of bytecode, each with the time and the size of its source, as Python keeps them. A module with a changed
source is imported in the ordinary way, and the file is written again at the end of the command. If Python may
not write bytecode, nothing is written.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import cache_from_source
from types import CodeType, ModuleType

_PACKAGES = ("asmgen", "isa", "regalloc")

Stamp = tuple[int, int]
"""The time of a source's last change in nanoseconds, and its size."""

Kept = tuple[str, Stamp, bytes]
"""A module in the file: the path of its source below the root, the stamp of the source, and the code."""


class Modules:
    """A finder (`sys.meta_path`) of the modules in the file. `root` is the folder of the packages."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._file = cache_from_source(os.path.join(root, "asmgen", "all.py")) + "s"
        self._kept = self._read()

    def _read(self) -> dict[str, Kept]:
        try:
            with open(self._file, "rb") as file:
                version, kept = marshal.loads(file.read())
        except (OSError, ValueError, EOFError, TypeError):  # there is none, or a part of one
            return {}
        return kept if version == sys.version else {}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module of this name; None if the file lacks it, or if its source has changed."""
        kept = self._kept.get(name)
        if kept is None or not self._is_current(kept):
            return None
        below, _, code = kept
        source = os.path.join(self._root, below)
        is_package = os.path.basename(source) == "__init__.py"
        spec = ModuleSpec(name, _Loader(name, source, code), origin=source, is_package=is_package)
        spec.has_location = True
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(os.path.dirname(source))
        return spec

    def write(self) -> None:
        """Write the file again if this process has loaded modules that it lacks."""
        if sys.dont_write_bytecode:
            return
        added = {name: kept for name in list(sys.modules) if (kept := self._added(name)) is not None}
        if not added:
            return
        current = {name: kept for name, kept in self._kept.items() if self._is_current(kept)}
        part = f"{self._file}.{os.getpid()}"
        try:
            os.makedirs(os.path.dirname(self._file), exist_ok=True)
            with open(part, "wb") as file:
                _ = file.write(marshal.dumps((sys.version, current | added)))
            os.replace(part, self._file)
        except OSError:  # the folder is read-only, or the disk is full
            with suppress(OSError):
                os.remove(part)

    def _added(self, name: str) -> Kept | None:
        """A module of the project that the file lacks; None for other modules."""
        loader = getattr(sys.modules[name], "__loader__", None)
        if name.partition(".")[0] not in _PACKAGES or type(loader) is not SourceFileLoader:
            return None
        below, stamp = os.path.relpath(loader.path, self._root), _stamp(loader.path)
        if stamp is None or below.startswith(os.pardir):
            return None
        kept = self._kept.get(name)
        if kept is not None and kept[:2] == (below, stamp):
            return None
        code = loader.get_code(name)
        return None if code is None else (below, stamp, marshal.dumps(code))

    def _is_current(self, kept: Kept) -> bool:
        return _stamp(os.path.join(self._root, kept[0])) == kept[1]


def _stamp(source: str) -> Stamp | None:
    """The stamp of a source; None if there is no such file."""
    try:
        status = os.stat(source)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


class _Loader(SourceFileLoader):
    """Loads a module from its code."""

    def __init__(self, name: str, path: str, code: bytes) -> None:
        super().__init__(name, path)
        self._code = code

    def get_code(self, fullname: str) -> CodeType:
        return marshal.loads(self._code)
