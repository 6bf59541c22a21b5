"""`python -m asmgen`, and the command `asmgen`."""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module
from types import ModuleType
from typing import cast

from asmgen.bytecode import Modules

_INTERRUPTED = 130


def main() -> int:
    """The command of `sys.argv` in a process of its own; the exit status. Ctrl-C may come while it is still
    loading."""
    gc.disable()  # a start and a compile make no garbage; the collector took a third of a short command
    modules = Modules(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    sys.meta_path.insert(0, modules)
    try:
        _import_msgspec()
        from asmgen.cli.main import main as execute

        status = execute()
        modules.write()
    except KeyboardInterrupt:
        status = _INTERRUPTED
    finally:
        sys.meta_path.remove(modules)
        gc.freeze()  # the process gives its memory back as a whole: the interpreter has nothing to collect
    if status == _INTERRUPTED:
        # Python remembers an interrupt that came inside of exec(), and would end by the signal instead of
        # with the status
        sys.stderr.flush()
        os._exit(status)
    return status


class _Late(ModuleType):
    """A module that is imported when it is first asked for an attribute."""

    def __getattr__(self, name: str) -> object:
        return getattr(import_module(self.__name__), name)


_CODECS = tuple(f"msgspec.{name}" for name in ("inspect", "json", "msgpack", "toml", "yaml"))


def _import_msgspec() -> None:
    """Import msgspec without the modules of its formats, and without two modules of others.

    They are a tenth of a short command.

    msgspec asks typing_extensions for functions that read annotations of JSON, which nothing here does, and
    takes the functions of `typing` if it is not installed. msgspec needs a type of `uuid`, and `uuid` asks
    `platform` for the name of the system, which compiles eight regular expressions for its other answers.
    """
    system = ModuleType("platform")
    vars(system)["system"] = lambda: os.uname().sysname
    stand_ins = {"typing_extensions": None, "platform": system}  # an import of None fails
    stand_ins |= {name: _Late(name) for name in _CODECS}
    stand_ins = {name: module for name, module in stand_ins.items() if name not in sys.modules}
    cast("dict[str, ModuleType | None]", sys.modules).update(stand_ins)
    try:
        _ = import_module("msgspec")
    finally:
        for name in stand_ins:
            del sys.modules[name]


if __name__ == "__main__":
    sys.exit(main())
