"""All kernels of this folder, and a run of one of them."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from isa.emulator import run
from tests.compiled import references
from tests.compiled.case import Array, Case, Kernel

STEPS = 2_000_000  # several times the steps of the longest of these kernels


@cache
def kernels() -> dict[str, Kernel]:
    """The kernels of every table in `references`, by name."""
    found: dict[str, Kernel] = {}
    for module in pkgutil.iter_modules(references.__path__):
        table: dict[str, Kernel] = importlib.import_module(f"{references.__name__}.{module.name}").KERNELS
        assert not found.keys() & table.keys()
        found |= table
    return found


def emulated(code_object: bytes, name: str, case: Case) -> list[Array]:
    """The arrays after a run with every check of the sanitizer."""
    return run(
        code_object, name, case.grid, case.block, case.values(), undefined=case.undefined(), sanitize=True,
        step_limit=STEPS, lds_bytes=case.lds_bytes,
    )  # fmt: skip
