"""Flash attention by hand, as tile text: online softmax, loads ahead, two slots of LDS, a causal mask."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.blockwise.interpret import interpret
from asmgen.blockwise.pipelining import pipelined
from asmgen.blockwise.text.reader import read_program
from isa.table import table_named
from tests.device import chosen_device
from tests.lds_conflicts import counted

pytestmark = pytest.mark.broad

Array = NDArray[Any]
TILES = Path(__file__).parents[2] / "tiles"
ROWS, HEAD = 192, 64


class Case(NamedTuple):
    file: str
    target: str

    @property
    def text(self) -> str:
        written = (TILES / f"{self.file}.gen").read_text(encoding="utf-8")
        return re.sub("^stage blockwise .*", f"stage blockwise {self.target}", written)


CASES = (
    Case("attention", "gfx942"),
    Case("attention_gfx1201", "gfx1201"),
    Case("attention_async", "gfx950"),
    Case("attention", "gfx90a"),
    Case("attention", "gfx950"),
    Case("attention_gfx1100", "gfx1100"),
)
ORDINARY = CASES[:3]  # an instruction of each family, and copies


def operands() -> tuple[Array, Array, Array, Array]:
    """Queries, keys and values, and what numpy makes of them in float64."""
    draw = np.random.default_rng(0)
    q, k, v = (draw.standard_normal((ROWS, HEAD)).astype("f2") for _ in range(3))
    scores = q.astype("f8") @ k.astype("f8").T / np.sqrt(HEAD)
    scores[np.triu_indices(ROWS, 1)] = -np.inf
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return q, k, v, weights / weights.sum(axis=1, keepdims=True) @ v.astype("f8")


def check(found: Array, wanted: Array) -> None:
    """Weights and results are rounded to f16: a weight of at most 1 by 2**-12, and the sum once more."""
    assert np.abs(found.astype("f8") - wanted).max() < 2**-9 * np.abs(wanted).max()


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=f"{case.file}-{case.target}", marks=() if case in ORDINARY else pytest.mark.slow) for case in CASES]
)
def test_attention_is_right(case: Case) -> None:
    q, k, v, wanted = operands()
    (found,) = asmgen.compile(case.text, target=case.target)(q, k, v, device=chosen_device())
    check(np.asarray(found), wanted)


@pytest.mark.parametrize("file", sorted({case.file for case in CASES}))
def test_the_tiles_are_right_before_and_after_pipelining(file: str) -> None:
    *arrays, wanted = operands()
    before = read_program((TILES / f"{file}.gen").read_text(encoding="utf-8"), f"{file}.gen")
    for program in (before, pipelined(before)):
        memory = dict(zip("qkv", [array.reshape(-1) for array in arrays], strict=True)) | {"o": np.zeros(ROWS * HEAD, "f2")}
        interpret(program.kernels[0], memory)
        check(memory["o"].reshape(ROWS, HEAD), wanted)


def test_the_values_are_turned_by_loads_without_conflicts() -> None:
    """The second product takes adjacent keys of a column of the values, which are rows in memory."""
    case = Case("attention_async", "gfx950")
    q, k, v, wanted = operands()
    with counted(table_named(case.target).target) as found:
        (o,) = asmgen.compile(case.text, target=case.target)(q, k, v, device="emulator")
    check(o, wanted)
    assert found["accesses of ds_read_b64_tr_b16"] and not found["accesses of ds_read_u16"]
    assert found["conflicts"] == 0
