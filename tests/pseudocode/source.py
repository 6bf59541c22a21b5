"""AMD's texts by an instruction's name, from the PyPI package `tinygrad`, slips mended: a manual each for
CDNA4, RDNA3.5 and RDNA4.

CDNA2's and CDNA3's rows are compared with CDNA4's manual. That has the mixed fma under its older name as a
product and a sum; RDNA3's has it as the fma it is. Instructions that CDNA4's texts call and only RDNA4 has
are RDNA4's, and so are the halves of dual instructions of RDNA3, since its manual only names them.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any

from msgspec import Struct

from tests.pseudocode.corrections import CORRECTIONS
from tests.pseudocode.parser import parse
from tests.pseudocode.syntax import Node

BORROWED = ("v_fma_mix_f32", "v_fma_mixlo_f16", "v_fma_mixhi_f16")

CALLED = ("v_minimum_f32", "v_maximum_f32", "v_minimum_f16", "v_maximum_f16", "v_minimum3_f16", "v_maximum3_f16")  # by CDNA4's texts


class Manual(Struct, frozen=True, eq=False):
    """Pseudocode by the mnemonic without encoding suffix."""

    family: str
    texts: dict[str, str]

    def program(self, name: str) -> tuple[Node, ...]:
        """The parsed pseudocode of an instruction; KeyError if AMD gives none."""
        return parse(self.texts[name])


def _published(family: str) -> dict[str, str]:
    """Names and texts of a family's manual; the package has no types."""
    table: dict[Any, str] = importlib.import_module(f"tinygrad.runtime.autogen.amd.{family}.str_pcode").PCODE
    result: dict[str, str] = {}
    for key, text in table.items():
        name = str(key.name).lower()
        result.setdefault(name, text)
        result.setdefault(name.removesuffix("_e32").removesuffix("_e64"), text)
    return result


@cache
def manual(family: str) -> Manual:
    """The manual of `cdna`, `rdna3` or `rdna4`."""
    texts = _published(family)
    if family == "cdna":
        texts |= {name: text for name, text in _published("rdna3").items() if name in BORROWED}
        texts |= {name: text for name, text in _published("rdna4").items() if name in CALLED}
    if family == "rdna3":
        texts |= {name: text for name, text in _published("rdna4").items() if name.startswith("v_dual_")}
        texts |= {f"v_dual_{name}": texts[f"v_{name}"] for name in ("max_f32", "min_f32")}
    for name, correction in CORRECTIONS.items():
        if name in texts and family in correction.families:
            texts[name] = correction.mend(texts[name])
    return Manual(family, texts)
