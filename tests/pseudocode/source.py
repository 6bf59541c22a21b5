"""AMD's text by an instruction's name, from the PyPI package `tinygrad`: CDNA4's (gfx942 is CDNA3), slips mended.

CDNA4's manual has the mixed fma under its older name as a product and a sum; RDNA3's has it as the fma it is.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any

from tests.pseudocode.corrections import CORRECTIONS
from tests.pseudocode.parser import parse
from tests.pseudocode.syntax import Node


def _published(family: str) -> list[tuple[str, str]]:
    """Names and texts of a family's manual; the package has no types."""
    table: dict[Any, str] = importlib.import_module(f"tinygrad.runtime.autogen.amd.{family}.str_pcode").PCODE
    return [(str(key.name).lower(), text) for key, text in table.items()]


@cache
def texts() -> dict[str, str]:
    """Pseudocode by the mnemonic without encoding suffix."""
    result: dict[str, str] = {}
    for name, text in _published("cdna"):
        result.setdefault(name, text)
        result.setdefault(name.removesuffix("_e32").removesuffix("_e64"), text)
    result |= {name: text for name, text in _published("rdna3") if name.startswith("v_fma_mix")}
    return result | {name: correction.mend(result[name]) for name, correction in CORRECTIONS.items()}


def program(name: str) -> tuple[Node, ...]:
    """The parsed pseudocode of an instruction; KeyError where AMD gives none."""
    return parse(texts()[name])
