"""Whole kernels beside published times, on rows made by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tools.validate_timing.kernels import compare_kernels, kernel_goals, kernel_tables


def row(name: str, us: float, **changes: Any) -> dict[str, Any]:
    shape = {"rows": 64, "cols": 512}
    return {"id": name, "kind": "rmsnorm", "target": "gfx950", "shape": shape, "dtype": "bf16", "us": us, "impl": name} | changes


def data_of(tmp_path: Path, *rows: dict[str, Any]) -> Path:
    path = tmp_path / "kernels.json"
    path.write_text(json.dumps({"kernels": rows}))
    return path


def test_the_fastest_of_a_shape_is_compared(tmp_path: Path) -> None:
    rows = (row("slow", 9.0), row("fast", 3.0, impl="FlyDSL split"), row("other", 4.0, shape={"rows": 64, "cols": 1024}))
    results = compare_kernels(data_of(tmp_path, *rows))
    assert [one.id for one in results.results] == ["fast", "other"]
    assert all(2.0 < one.modelled < 4.0 for one in results.results)
    assert set(results.factors()) == {"gfx950"}


def test_products_take_the_steps_of_their_loop(tmp_path: Path) -> None:
    small, large = ({"M": 4096, "N": 4096, "K": k} for k in (4096, 8192))
    gemm = {"kind": "gemm", "dtype": "bf16"}
    results = compare_kernels(data_of(tmp_path, row("a", 100, shape=small, **gemm), row("b", 200, shape=large, **gemm)))
    start = 2.0
    [first, second] = [one.modelled - start for one in results.results]
    assert second / first == pytest.approx(2)
    # 256 workgroups on 256 units, 32 steps of 128 halves, each of 4096 clocks of matrix instructions at 1.4 GHz
    assert first == pytest.approx(32 * 4096 / 1400, rel=0.1)


def test_rows_that_are_not_modelled_are_listed(tmp_path: Path) -> None:
    rows = (row("a", 3.0, device="MI308X"), row("b", 1.0, target="unstated"), row("c", 1.0, kind="a dance"))
    results = compare_kernels(data_of(tmp_path, *rows))
    assert not results.results
    told = kernel_tables(results)
    for why in ("80 of gfx942's 304", "no target of ours", "no program for its kind"):
        assert why in told
    assert [goal.value for goal in kernel_goals(results)] == [0.0]
