"""The code of all modules in one file, for the start of a command.

A command loads some 350 modules of this project. To find, open and read a file for each takes a third of the
time of their imports. So the modules that commands have loaded are kept in one file beside Python's own files
of bytecode, each with the time and the size of its source, as Python keeps them. A module with a changed
source is imported in the ordinary way, and the file is written again at the end of the command. If Python may
not write bytecode, nothing is written.

The file consists of an index and of groups, so a command reads only the groups that it uses. The code of a
group is read at once, so names that several of its modules have are read once. The modules that a command
adds are a group. A group is divided if a command uses a small part of it, so a command reads little that it
does not use.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Collection, Sequence
from contextlib import suppress
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import cache_from_source
from mmap import ACCESS_READ, mmap
from types import CodeType, ModuleType

_PACKAGES = ("asmgen", "isa", "regalloc")
_FORMAT = f"index and groups, Python {sys.version}"
_SIZE_BYTES = 8  # of the number at the beginning of the file, the size of the index
_UNUSED = 0.25  # of the modules of a group, from which on the group is divided

Stamp = tuple[int, int]
"""The time of a source's last change in nanoseconds, and its size."""

Kept = tuple[str, Stamp]
"""A module in the file: the path of its source below the root, and the stamp of the source."""

Group = tuple[dict[str, Kept], bytes | memoryview]
"""The modules of a group by name, and their code by name, marshalled."""

Codes = dict[str, CodeType]


class Modules:
    """A finder (`sys.meta_path`) of the modules in the file. `root` is the folder of the packages."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._file = cache_from_source(os.path.join(root, "asmgen", "all.py")) + "s"
        self._groups = self._read()
        self._group_of = {name: number for number, (kept, _) in enumerate(self._groups) for name in kept}
        self._codes: dict[int, Codes] = {}  # of the groups that were read
        self._used: set[str] = set()

    def _read(self) -> list[Group]:
        try:
            with open(self._file, "rb") as file:
                data = memoryview(mmap(file.fileno(), 0, access=ACCESS_READ))
            start = _SIZE_BYTES + int.from_bytes(data[:_SIZE_BYTES])
            version, index = marshal.loads(data[_SIZE_BYTES:start])
        except (OSError, ValueError, EOFError, TypeError):  # there is no file, or a part of a file
            return []
        if version != _FORMAT or start + sum(size for _, size in index) != len(data):
            return []
        groups: list[Group] = []
        for kept, size in index:
            groups.append((kept, data[start : start + size]))
            start += size
        return groups

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module of this name; None if the file lacks it, or if its source has changed."""
        number = self._group_of.get(name)
        if number is None:
            return None
        below, stamp = self._groups[number][0][name]
        source = f"{self._root}/{below}"
        if _stamp(source) != stamp:
            return None
        self._used.add(name)
        codes = self._codes.get(number)
        if codes is None:
            codes = self._codes[number] = marshal.loads(self._groups[number][1])
        is_package = source.endswith("__init__.py")
        spec = ModuleSpec(name, _Loader(name, source, codes), origin=source, is_package=is_package)
        if is_package:
            spec.submodule_search_locations = [os.path.dirname(source)]
        return spec

    def write(self) -> None:
        """Write the file again if this process has loaded modules that it lacks, or if it has used a small
        part of a group."""
        if sys.dont_write_bytecode:
            return
        added = {name: module for name in list(sys.modules) if (module := self._added(name)) is not None}
        if not added and not any(self._is_divided(number) for number in self._codes):
            return
        groups = [part for number in range(len(self._groups)) for part in self._parts(number, added)]
        groups += _group(
            {name: kept for name, (kept, _) in added.items()},
            {name: code for name, (_, code) in added.items()},
        )
        part = f"{self._file}.{os.getpid()}"
        try:
            os.makedirs(os.path.dirname(self._file), exist_ok=True)
            with open(part, "wb") as file:
                index = marshal.dumps((_FORMAT, [(kept, len(code)) for kept, code in groups]))
                _ = file.write(len(index).to_bytes(_SIZE_BYTES))
                file.writelines([index, *(code for _, code in groups)])
            os.replace(part, self._file)
        except OSError:  # the folder is read-only, or the disk is full
            with suppress(OSError):
                os.remove(part)

    def _added(self, name: str) -> tuple[Kept, CodeType] | None:
        """A module of the project that the file lacks, and its code; None for other modules."""
        loader = getattr(sys.modules[name], "__loader__", None)
        if name.partition(".")[0] not in _PACKAGES or type(loader) is not SourceFileLoader:
            return None
        below, stamp = os.path.relpath(loader.path, self._root), _stamp(loader.path)
        if stamp is None or below.startswith(os.pardir):
            return None
        number = self._group_of.get(name)
        if number is not None and self._groups[number][0][name] == (below, stamp):
            return None
        code = loader.get_code(name)
        return None if code is None else ((below, stamp), code)

    def _is_divided(self, number: int) -> bool:
        """Whether this process has read a group and not used much of it."""
        group = self._groups[number][0]
        return number in self._codes and len(self._used & group.keys()) < len(group) * (1 - _UNUSED)

    def _parts(self, number: int, added: Collection[str]) -> list[Group]:
        """A group as the next file has it: without modules that were loaded in another way or have a new
        source, and in two if it is divided."""
        group, marshalled = self._groups[number]
        kept = {
            name: module
            for name, module in group.items()
            if name not in added and _stamp(f"{self._root}/{module[0]}") == module[1]
        }
        is_divided = self._is_divided(number)
        if len(kept) == len(group) and not is_divided:
            return [(group, marshalled)]
        codes: Codes = marshal.loads(marshalled)
        used = {name: module for name, module in kept.items() if name in self._used or not is_divided}
        unused = {name: module for name, module in kept.items() if name not in used}
        return _group(used, codes) + _group(unused, codes)


def _group(kept: dict[str, Kept], codes: Codes) -> list[Group]:
    """The group of some modules; none without modules."""
    return [(kept, marshal.dumps({name: codes[name] for name in kept}))] if kept else []


def _stamp(source: str) -> Stamp | None:
    """The stamp of a source; None if there is no such file."""
    try:
        status = os.stat(source)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


class _Loader(SourceFileLoader):
    """Loads a module from the code of its group."""

    def __init__(self, name: str, path: str, codes: Codes) -> None:
        super().__init__(name, path)
        self._codes = codes

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """A module with its file: to let `importlib` find that a new module has none takes longer."""
        module = ModuleType(spec.name)
        module.__file__ = self.path
        return module

    def get_code(self, fullname: str) -> CodeType:
        return self._codes[fullname]
