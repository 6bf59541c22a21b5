"""Stacked reductions of slices that begin one after the other are a reduction of windows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.graph.needed import needed
from asmgen.graph.printer import print_module
from asmgen.graph.rewritings.stacked_reductions import with_stacked_reductions

Of = Callable[[Any], Any]

STACKED: dict[str, Of] = {
    "sums of products": lambda x: np.stack([(x[:, : 60 - k] * x[:, k:]).sum(1) for k in range(59)]),
    "means in the last axis": lambda x: np.stack([np.abs(x[:, k:] - x[:, : 60 - k]).mean(1) for k in range(1, 6)], 1),
    "maxima": lambda x: np.stack([(x[:, k:] + x[:, : 60 - k]).max() for k in range(5)]),
    "products by numbers": lambda x: np.stack([x[:, k : 60 - k].prod(1) * k for k in range(1, 5)]),
    "numbers in rows": lambda x: np.stack([(x[:, k : k + 45] - k).sum(1) for k in range(1, 6)]),
    "parts": lambda x: np.stack([x[:, 10 * k : 10 * k + 10].min(1) for k in range(6)]),
}
APART: dict[str, Of] = {
    "other elements": lambda x: np.stack([np.pad(x[:, k:], ((0, 0), (0, k)), constant_values=2).sum(1) for k in range(4)]),
    "elements before": lambda x: np.stack([np.pad(x[:, k:], ((0, 0), (k, 0))).sum(1) for k in range(4)]),
    "no steps": lambda x: np.stack([x[:, k * k : k * k + 9].sum(1) for k in range(4)]),
    "other functions": lambda x: np.stack([x.sum(1), x.max(1), x.min(1), x.mean(1)]),
    "other axes": lambda x: np.stack([x[:, k : k + 3].sum(k % 2) for k in range(4)]),
    "other arrays": lambda x: np.stack([(x, x + 1)[k % 2][:, k : k + 9].sum(1) for k in range(4)]),
    "rows of numbers": lambda x: np.stack([(x[:, k : k + 4] * (np.arange(4, dtype=np.float32) + k)).sum(1) for k in range(5)]),
    "several rows": lambda x: np.concatenate([x[:, 9 * k : 9 * k + 18].reshape(3, 6, 3).sum(2) for k in range(4)], 1),
    "backwards": lambda x: np.stack([x[:, 6 - k : 50 - k].sum(1) for k in range(4)]),
}


def check(of: Of, nan: str = "propagate", missing: float = 1.5) -> Any:
    x = np.random.default_rng(3).integers(1, 4, (3, 60)).astype(np.float32) / 2
    x[1] = missing
    program = asmgen.compile(of, target="gfx942", inputs=[x], assembler="builtin", nan=nan)
    np.testing.assert_allclose(program(x, device="emulator")[0], of(x), rtol=1e-5)
    return program


@pytest.mark.parametrize("name", STACKED)
def test_stacked_reductions_are_a_reduction(name: str) -> None:
    assert len(check(STACKED[name]).launches) == 1


@pytest.mark.parametrize("name", APART)
def test_other_stacks_stay(name: str) -> None:
    _ = check(APART[name])


def _is_stacked(of: Of) -> bool:
    """Whether the rewriting changes the graph of a function."""
    graph = asmgen.compile(of, target="gfx942", inputs=[asmgen.spec("f32", (3, 60))], assembler="builtin").graph
    assert graph is not None
    (module,) = graph.modules
    return print_module(with_stacked_reductions(module), shows_places=False) != print_module(needed(module), shows_places=False)


def _read_again(x: Any) -> Any:
    rows = [x[:, k : k + 9].sum(1, keepdims=True) for k in range(4)]
    return np.concatenate(rows, 1), rows[0]


def test_reductions_begin_one_after_the_other_and_are_read_once() -> None:
    assert _is_stacked(lambda x: np.stack([x[:, k : k + 9].sum(1) for k in range(4)]))
    assert not _is_stacked(lambda x: np.stack([x[:, 6 - k : 50 - k].sum(1) for k in range(4)]))
    assert not _is_stacked(_read_again)


@pytest.mark.parametrize("extreme", [np.max, np.min])
def test_a_row_of_nan_has_no_extreme(extreme: Callable[..., Any]) -> None:
    _ = check(lambda x: np.stack([extreme(x[:, k:] * x[:, : 60 - k], 1) for k in range(5)]), "ieee", np.nan)
