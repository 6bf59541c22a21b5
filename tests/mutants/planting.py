"""A fault planted in the compiler: code of one definition replaced while its module is loaded. No file is
changed.

`plant` has to run before the compiler is imported, so it runs in a process of its own (`workers`).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

from msgspec import Struct

from tests.mutants.definitions import MUTABLE, Definition, definition_of, replace_code


class Fault(Struct, frozen=True):
    """In the definition `where` the code `old` becomes `new`; `breaks` says what that breaks.

    `where` is a name for `definition_of`, and `old` and `new` are code for `replace_code`. `number` is which of
    several equal pieces of code, from 1. `programs` are programs whose results the fault changes. `timing`
    marks a fault of waits and wait states: it does not change the results of an emulator that completes each
    instruction before the next.
    """

    where: str
    old: str
    new: str
    breaks: str
    programs: tuple[str, ...] = ()
    number: int = 0
    timing: bool = False

    def planted(self) -> Definition:
        """The definition in a module with the fault; AssertionError if the code is not there."""
        definition = definition_of(self.where)
        replace_code(definition.node, self.old, self.new, self.number)
        return definition


def fault(where: str, old: str, new: str, breaks: str, *programs: str, number: int = 0, timing: bool = False) -> Fault:
    return Fault(where, old, new, breaks, programs, number, timing)


class _Loader(SourceFileLoader):
    def __init__(self, changed: Definition, path: str) -> None:
        super().__init__(changed.module, path)
        self._tree = changed.tree

    def get_code(self, fullname: str) -> CodeType:
        """The changed tree compiled; bytecode is neither read nor written."""
        return compile(self._tree, self.get_filename(fullname), "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    def __init__(self, changed: Definition) -> None:
        self._changed = changed

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname != self._changed.module:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        assert spec is not None and spec.origin is not None, f"{fullname} has a file"
        spec.loader = _Loader(self._changed, spec.origin)
        return spec


# The compiler refuses an allocation that its own check finds wrong; `--verify` has to find it without that check.
NO_CHECK = fault("run_allocation", "check(allocation.kernel, allocation.allocation, allocated)", "check", "allocations are not checked")


def plant(fault: Fault) -> None:
    """A module imported from now on has the fault; a fault of the allocation also turns off its check."""
    loaded = [name for name in sys.modules if name.partition(".")[0] in MUTABLE]
    assert not loaded, f"{loaded[0]} is loaded already, and may hold what the fault changes"
    changes = [fault.planted()]
    if changes[0].module.startswith("regalloc."):
        changes.append(NO_CHECK.planted())
    sys.meta_path[:0] = [_Finder(changed) for changed in changes]
