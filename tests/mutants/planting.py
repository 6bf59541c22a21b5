"""A fault planted in the compiler: a fragment of one of its files replaced while the module is loaded. No
file is changed.

`plant` has to come before the compiler is imported, so whoever calls it runs in a process of its own
(`workers`).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from msgspec import Struct

_TREE = Path(__file__).parents[2]
MUTABLE = ("asmgen", "regalloc")  # the packages that a fault is planted in


class Fault(Struct, frozen=True):
    """`old`, which stands in `file` exactly once, becomes `new`; `breaks` says what that is.

    `programs` are those whose results it changes. `timing` marks a fault of waits and wait states: what the
    hardware would read too early is read in time by an emulator that runs one instruction after the other.
    """

    file: str
    old: str
    new: str
    breaks: str
    programs: tuple[str, ...] = ()
    timing: bool = False

    @property
    def module(self) -> str:
        return self.file.removesuffix(".py").replace("/", ".")

    def source(self) -> str:
        """The file's text with the fault in it; AssertionError where the fragment is not there, or not
        alone."""
        text = (_TREE / self.file).read_text(encoding="utf-8")
        count = text.count(self.old)
        assert count == 1, f"{self.file} has {self.old!r} {count} times, wanted once: the table of faults is behind the code"
        return text.replace(self.old, self.new)


def faults_in(file: str, *rows: tuple[str, ...], timing: bool = False) -> tuple[Fault, ...]:
    """The faults of one file; a row is the fragment, what it becomes, what that breaks, and the programs it
    changes."""
    return tuple(Fault(file, old, new, breaks, tuple(programs), timing) for old, new, breaks, *programs in rows)


class _Loader(SourceFileLoader):
    def __init__(self, fault: Fault, path: str) -> None:
        super().__init__(fault.module, path)
        self._fault = fault

    def get_code(self, fullname: str) -> CodeType:
        """The changed text compiled; bytecode is neither read nor written."""
        return compile(self._fault.source(), self.get_filename(fullname), "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    def __init__(self, fault: Fault) -> None:
        self._fault = fault

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname != self._fault.module:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        assert spec is not None and spec.origin is not None, f"{fullname} has a file"
        spec.loader = _Loader(self._fault, spec.origin)
        return spec


# The compiler refuses what its own check of an allocation finds wrong; `--verify` has to tell without that.
_NO_CHECK = Fault("asmgen/pipeline.py", "check(found.kernel, found.allocation, allocated)", "_ = check", "allocations are not checked")


def planted_with(fault: Fault) -> tuple[Fault, ...]:
    """What is changed together with a fault: one of allocation also goes without the check of allocations."""
    return (fault, _NO_CHECK) if fault.file.startswith("regalloc/") else (fault,)


def plant(fault: Fault) -> None:
    """Whoever imports the fault's module from now on has it."""
    loaded = [name for name in sys.modules if name.partition(".")[0] in MUTABLE]
    assert not loaded, f"{loaded[0]} is loaded already, and may hold what the fault changes"
    sys.meta_path[:0] = [_Finder(planted) for planted in planted_with(fault)]
