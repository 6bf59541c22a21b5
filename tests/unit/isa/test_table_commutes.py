"""If the first two sources of a row may be exchanged, or exchanged for another operation, the result has the same bits."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from isa.emulator.operands.operands import DTYPES
from isa.instruction import Encoding, Row
from isa.operations import exchanged_rows
from isa.semantics import resolve
from isa.semantics.lane import LaneFunction
from isa.semantics.mode import Mode
from isa.table import table_named
from tests.rows import MACHINES

COUNT = 400
PARTS = {"f16x2": 2, "u16x2": 2, "i16x2": 2, "bf16x2": 2, "f32x2": 2, "b32x2": 2}
SPECIAL = {
    2: [0, 0x8000, 0x3C00, 0xBC00, 0x7C00, 0xFC00, 0x7E00, 1, 0x8001],
    4: [0, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000, 1, 0x80000001, 0xFFFFFFFF],
    8: [0, 1 << 63, 0x3FF0 << 48, 0xBFF0 << 48, 0x7FF0 << 48, 0xFFF0 << 48, 0x7FF8 << 48, 1, (1 << 64) - 1],
}


def values(type_name: str, seed: int) -> Any:
    """Random patterns, every pair of special patterns among the sources of different seeds."""
    dtype = np.dtype(bool) if type_name == "mask" else np.dtype(DTYPES[type_name])
    random = np.random.default_rng(seed)
    shape = (COUNT, PARTS[type_name]) if type_name in PARTS else (COUNT,)
    if type_name == "mask":
        return random.integers(0, 2, shape).astype(bool)
    bits = random.integers(0, 256, (*shape, dtype.itemsize), dtype=np.uint8).view(f"u{dtype.itemsize}")[..., 0]
    special = np.array(SPECIAL[dtype.itemsize], dtype=bits.dtype)
    chosen = random.integers(0, len(special), shape)
    return np.where(random.random(shape) < 0.5, special[chosen], bits).view(dtype)


def results(value: Any) -> list[bytes]:
    """The bits of each result; one NaN stands for all, since an instruction keeps the payload of its first source."""
    parts: tuple[Any, ...] = cast("tuple[Any, ...]", value) if isinstance(value, tuple) else (value,)
    arrays: list[Any] = [np.asarray(each) for each in parts]
    floats = (np.where(np.isnan(array), np.nan, array).astype(array.dtype) if array.dtype.kind == "f" else array for array in arrays)
    return [array.tobytes() for array in floats]


def exchangeable() -> list[tuple[Row, Row]]:
    """A row, and the row of its exchanged sources; one pair a function, since the encodings of an instruction share it."""
    found: dict[str, tuple[Row, Row]] = {}
    for machine in MACHINES:
        table = table_named(machine)
        for row in table.rows:
            plain = row.encoding in (Encoding.PLAIN, Encoding.E32, Encoding.E64) and not row.form
            if plain and (others := exchanged_rows(row, table)) and isinstance(resolve(row.semantics), LaneFunction):
                found[row.semantics] = row, others[0]
    return list(found.values())


def test_comparisons_and_subtractions_have_another_row() -> None:
    names = {(row.operation, other.operation) for row, other in exchangeable()}
    assert {("v_cmp_lt_f32", "v_cmp_gt_f32"), ("v_cmp_nge_f64", "v_cmp_nle_f64"), ("v_sub_u32", "v_subrev_u32")} <= names
    assert len([row for row, other in exchangeable() if row.operation != other.operation]) > 60


@pytest.mark.parametrize(("row", "other"), exchangeable(), ids=lambda row: row.name)
def test_exchanged_sources_give_the_same_result(row: Row, other: Row) -> None:
    function, exchanged = resolve(row.semantics), resolve(other.semantics)
    types = [row.operands[i].type for i in row.uses]
    sources = [values(type_name, seed) for seed, type_name in enumerate(types)]
    implicit = [np.zeros(COUNT, np.uint32) for register in row.reads if register.count == 1]
    with np.errstate(all="ignore"):
        first = function.call(Mode(), *sources, *implicit)
        second = exchanged.call(Mode(), sources[1], sources[0], *sources[2:], *implicit)
    assert results(first) == results(second)
