"""`doctor`: the packages and tools that asmgen found, and how to get the others."""

from __future__ import annotations

import argparse
import platform
import sys
from importlib.metadata import PackageNotFoundError, version

from asmgen.emission.toolchain import HOW_TO_GET_CLANG, NO_CLANG, find_toolchain
from asmgen.mlir.file import HOW_TO_GET_PARSER, PARSER
from asmgen.runtime.hip import HOW_TO_GET_HIP, hip_status
from isa.diagnostics import InputError
from isa.targets import TARGETS

_PACKAGES = ("numpy", "ml_dtypes", "msgspec", "pyelftools", "msgpack", "rich")


def execute(_arguments: argparse.Namespace) -> int:
    """Print the packages and tools; return 1 if a package that asmgen needs is missing."""
    print(f"python: {platform.python_version()} at {sys.executable}")
    missing = [name for name in _PACKAGES if not _package(name)]
    _toolchains()
    _report("MLIR", _version(PARSER), f"{HOW_TO_GET_PARSER}; without it MLIR files cannot be read")
    status = hip_status()
    _report(
        "hip", status.device, f"{status.problem}; {HOW_TO_GET_HIP}; without it, programs run on the emulator"
    )
    return 1 if missing else 0


def _package(name: str) -> bool:
    installed = _version(name)
    _report(name, installed, "`python -m pip install .` in asmgen's checkout installs it")
    return bool(installed)


def _version(package: str) -> str:
    """The version of an installed package; empty if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _toolchains() -> None:
    """Print the clang of each target; targets with the same clang share a line."""
    targets: dict[tuple[str, str], list[str]] = {}
    for name in TARGETS:
        targets.setdefault(_toolchain(name), []).append(name)
    for (clang, how_to_get), names in targets.items():
        _report(f"clang for {' '.join(names)}", clang, how_to_get)


def _toolchain(target: str) -> tuple[str, str]:
    """The clang for a target and an empty text, or an empty text and how to get a clang."""
    try:
        toolchain = find_toolchain(target)
    except InputError as error:
        way = HOW_TO_GET_CLANG
        if error.code == NO_CLANG:
            way = f"the built-in assembler is used instead; {way}"
        return "", "\n  ".join((way, f"{error.place}: {error.message}", *error.notes))
    return f"{' '.join(toolchain.clang)} and {' '.join(toolchain.linker)} ({toolchain.found})", ""


def _report(name: str, value: str | None, how_to_get: str) -> None:
    print(f"{name}: {value}" if value else f"{name}: missing; {how_to_get}")
