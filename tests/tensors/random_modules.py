"""Random modules of StableHLO and linalg with their results in numpy.

All numbers are integers below 2^20 in f32 and i32, so results are exact. A module may end with a function, which has a bound in ULPs. The
same seed with a smaller size makes a shorter module of the same kind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.tensors import random_linalg, random_stablehlo
from tests.tensors.case import Case, main, t
from tests.tensors.maker import LARGEST, Maker

_FUNCTIONS: tuple[tuple[str, Callable[[Any], Any], float], ...] = (
    ("stablehlo.tanh", np.tanh, 4.5),
    ("stablehlo.logistic", lambda x: 1 / (1 + np.exp(-x)), 4.5),
    ("stablehlo.sine", np.sin, 4.5),
)


def random_module(seed: int, size: int, linalg: bool = False) -> Case:
    """A module of `size` steps with two results."""
    m = Maker(seed)
    steps = (*random_linalg.STEPS, random_stablehlo.elementwise) if linalg else random_stablehlo.STEPS
    dims = tuple(m.random.randint(1, 6) for _ in range(m.random.randint(1, 3)))
    _ = m.input(dims, m.random.choice([np.float32, np.float32, np.int32]))
    for _ in range(size):
        m.random.choice(steps)(m)
        last = m.values[-1]
        if last.bound > LARGEST // 4:
            m.add(f"stablehlo.sign %{last.name} : {t(last.array)}", np.sign(last.array), 1)
    # the results are new values, so that no result is an argument or twice the same
    last, other = m.values[-1], m.random.choice(m.values)
    m.lines.append(f"%r0 = stablehlo.negate %{last.name} : {t(last.array)}")
    wanted, ulps = [-last.array], 0.0
    if other.array.dtype == np.float32:
        op, function, ulps = m.random.choice(_FUNCTIONS)
        m.lines.append(f"%r1 = {op} %{other.name} : {t(other.array)}")
        wanted.append(np.asarray(function(other.array.astype(np.float64))).astype(np.float32))
    else:
        m.lines.append(f"%r1 = stablehlo.abs %{other.name} : {t(other.array)}")
        wanted.append(np.asarray(np.abs(other.array)))
    text = main("\n".join(m.lines), m.inputs, *wanted)
    return Case("random", f"seed {seed}, size {size}", text, tuple(m.inputs.values()), tuple(wanted), ulps)
