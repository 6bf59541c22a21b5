"""Loops in orders for latencies drawn at random: other orders, and the faults of their runs."""

from __future__ import annotations

import pytest

import asmgen
from asmgen.passes.schedule.timing import Rates
from asmgen.passes.waits import waitcnt
from isa.program import Kernel
from tools import random_latencies
from tools.random_latencies import Loop, faults, main
from tools.scoreboard.products.shapes import Product

SMALL = Loop("gfx1100", Product("loop", 64, 64, 64), ())


def test_draws_give_other_orders_and_are_undone() -> None:
    own, text = Rates.of, asmgen.compile(SMALL.product.text, target=SMALL.target).kernels[0].assembly
    assert faults(SMALL, 3) == (3, [])
    assert Rates.of is own and asmgen.compile(SMALL.product.text, target=SMALL.target).kernels[0].assembly == text


def test_the_sanitizer_finds_a_missing_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    def left_out(kernel: Kernel) -> Kernel:
        return kernel

    monkeypatch.setattr(waitcnt, "insert_waits", left_out)
    orders, (fault,) = faults(SMALL, 1)
    assert orders == 1 and fault.startswith("gfx1100 loop 64x64x64 f16 kn: ") and "SAN001" in fault


def test_wrong_results_are_a_failure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    negative = SMALL.product.text.replace("@return(c)", "d = neg(c)\n@return(d)")

    def small(*_: object) -> Loop:
        return SMALL

    monkeypatch.setattr(random_latencies, "loop_of", small)
    monkeypatch.setattr(Product, "text", negative)
    assert main(["gfx1100", "--draws", "1"]) == 1
    assert "of 4096 results are wrong" in capsys.readouterr().err
