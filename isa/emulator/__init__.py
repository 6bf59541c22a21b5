"""The emulator: runs kernels of every target and compiler on numpy. See `isa.emulator.runner`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from isa.emulator.runner import load, run, run_image, run_kernel

__all__ = ["load", "run", "run_image", "run_kernel"]


def __getattr__(name: str) -> Any:
    """`run` and its kin, imported when first asked for: they need numpy."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    module = importlib.import_module("isa.emulator.runner")
    value = getattr(module, name)
    globals()[name] = value
    return value
