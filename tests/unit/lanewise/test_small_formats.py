"""The bytes of the small formats that conversions are made of, next to those of ml_dtypes."""

from __future__ import annotations

from typing import Any, cast

import ml_dtypes
import numpy as np
import pytest

from asmgen.ir.types import ELEMENT_TYPES
from asmgen.lanewise.math.narrow.conversions import format_of
from asmgen.lanewise.small_floats import is_small_float

NAMES = [name for name, element in ELEMENT_TYPES.items() if is_small_float(element) and element.bits == 8]


@pytest.mark.parametrize("name", NAMES)
def test_a_format_is_that_of_its_type(name: str) -> None:
    dtype, form = ELEMENT_TYPES[name].numpy, format_of(ELEMENT_TYPES[name])
    finfo = cast(Any, ml_dtypes.finfo(dtype))

    def number(byte: int) -> float:
        return float(np.array([byte], np.uint8).view(dtype)[0])

    assert number(form.largest) == float(finfo.max)
    assert not np.isfinite(number(form.overflow)) and np.isnan(number(form.nan))
    assert (form.infinity is not None) == np.isinf(number(form.overflow))
    assert form.fraction == finfo.nmant and 2.0 ** (1 - form.bias) == float(finfo.smallest_normal)
    assert form.has_negative_zero == (number(0x80) == 0)
