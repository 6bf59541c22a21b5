"""Reads a file of MLIR. What parses it is loaded here and for nothing else.

MLIR's own parser is that of `iree-base-compiler` (the extra `mlir`); loading it takes half a second.
"""

from __future__ import annotations

from importlib.util import find_spec

from asmgen.mlir.source import MlirModule
from isa.diagnostics import InputError, Place

PARSER = "iree-base-compiler"
HOW_TO_GET_PARSER = f"`python -m pip install 'asmgen[mlir]'` or `python -m pip install {PARSER}` brings it"


def read_module(text: str, file: str) -> MlirModule:
    """The operations of a file. Raises `InputError` with the place: MLIR001 where the parser is not
    installed, MLIR002 where it refuses the text, MLIR003 for a spelling of former years.
    """
    if not _has_parser():
        raise InputError(
            Place(file),
            "MLIR001",
            f"MLIR is read by {PARSER}, which is not installed",
            help=HOW_TO_GET_PARSER,
        )
    from asmgen.mlir.parsing import parse

    return parse(text, file)


def _has_parser() -> bool:
    """Whether iree-base-compiler is installed; the packages of IREE share a namespace."""
    try:
        return find_spec("iree.compiler") is not None
    except ModuleNotFoundError:
        return False
