"""Kernels in fewer registers than they want: right, with scratch set up as each target has it, and said."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray

import asmgen
from asmgen.cli.main import main
from asmgen.kernels import build_kernel
from asmgen.verification.verify import verify
from isa.diagnostics import InputError
from isa.targets import parse_target
from regalloc.spill import allocate as spilling


def exactly(x: NDArray[np.float32]) -> NDArray[np.float64]:
    powers = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


ROWS = [("rows", "2"), ("cols", "700")]
TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")
KERNELS = ("vecadd", "gelu_erf", "row_sum", "softmax", "layernorm", "rmsnorm")


@pytest.mark.parametrize("target", TARGETS)
def test_softmax_in_half_of_its_registers(target: str) -> None:
    source = build_kernel("softmax", ROWS)
    roomy = asmgen.compile(source, target=target).kernels[0]
    program = asmgen.compile(source, target=target, max_vgprs=roomy.resources.vgprs // 2, verify_passes=True)
    tight = program.kernels[0]
    assert tight.resources.vgprs <= roomy.resources.vgprs // 2
    if parse_target(target).target.has_agprs:  # they are free, and come before scratch
        assert tight.resources.agprs > 0 and tight.resources.spills == tight.resources.scratch_bytes == 0
    else:
        assert tight.resources.spills > 0
        assert tight.resources.scratch_bytes > 0
    assert tight.resources.occupancy == roomy.resources.occupancy
    assert f".vgpr_spill_count: {tight.resources.spills}" in tight.assembly
    assert tight.assembly.count("\n\t") <= 2 * roomy.assembly.count("\n\t")
    x = np.random.default_rng(3).standard_normal((2, 700), np.float32)
    assert_allclose(program(x, device="emulator")[0], exactly(x), rtol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("kernel", KERNELS)
def test_every_budget_down_to_the_least(kernel: str, target: str) -> None:
    """From one register less than wanted to the widest instruction's, which is refused by name below."""
    source = build_kernel(kernel, [("n", "300")] if kernel in ("vecadd", "gelu_erf") else ROWS)
    wanted = asmgen.compile(source, target=target).kernels[0].resources.vgprs
    for budget in range(wanted - 1, 0, -1):
        try:
            program = asmgen.compile(source, target=target, max_vgprs=budget)
        except InputError as refused:
            assert refused.code == "RA002"
            assert budget < 8
            return
        assert program.kernels[0].resources.vgprs <= budget
        assert not verify(program, "emulator").is_broken, f"{kernel} on {target} in {budget} VGPRs"


LINEAR = """a = @param:a -> f16, {batch,m,k}
b = @param:b -> f16, {k,n}
bias = @param:bias -> f16, {n}
p = dot[target_type=f32](a, b)
c = convert[target_type=f32](bias)
s = add(p, c)
r = relu(s)
o = convert[target_type=f16](r)
@return(o)
"""
"""A product of which the launch knows all sizes, with wave masks for the conditions of its elements."""


def test_a_kernel_without_room_in_any_budget_is_refused_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Budgets are lowered by more each time: 14 of them, not 255. The target has no larger one."""
    rounds: list[object] = []
    solve = spilling.solve

    def counted(*given: Any, **options: Any) -> Any:
        rounds.append(given)
        return solve(*given, **options)

    monkeypatch.setattr(spilling, "PATIENCE", 1)
    monkeypatch.setattr(spilling, "AGAIN", 1)
    monkeypatch.setattr(spilling, "solve", counted)
    tile = "contract[m=256, n=128, k=32, waves=4, buffers=1, by=v_wmma_f32_16x16x16_f16]"
    with pytest.raises(InputError, match="RA002") as refused:
        _ = asmgen.compile(LINEAR, target="gfx1201:wave64", schedules=(tile,))
    assert len(rounds) < 60
    assert "max-vgprs" not in str(refused.value.help)


@pytest.mark.parametrize("target", ["gfx1100:wave64", "gfx1201:wave64"])
def test_waves_of_64_lanes_have_room_for_the_conditions_of_open_products(target: str) -> None:
    """With 128 sums a lane the allocator tried for hours."""
    (kernel,) = asmgen.compile(LINEAR, target=target).kernels
    assert kernel.resources.scratch_bytes == 0


def test_no_spill_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kernel", "softmax", "--set", "rows=2", "--set", "cols=700", "--max-vgprs", "9", "--no-spill"]) == 1
    assert "error[RA001]" in capsys.readouterr().err


def test_what_fits_is_not_spilled() -> None:
    source = build_kernel("softmax", ROWS)
    wanted = asmgen.compile(source).kernels[0]
    assert asmgen.compile(source, max_vgprs=wanted.resources.vgprs).kernels[0].assembly == wanted.assembly


@pytest.mark.parametrize(("target", "where"), [("gfx942", "AGPRs"), ("gfx1100", "scratch")])
def test_what_is_spilled_is_said(target: str, where: str, capsys: pytest.CaptureFixture[str]) -> None:
    """On standard error, the dearest first; the summary is on standard output alone."""
    assert main(["kernel", "softmax", "--set", "rows=2", "--set", "cols=700", "--max-vgprs", "6", "--target", target]) == 0
    said = capsys.readouterr()
    lines = said.err.splitlines()
    assert len(lines) == 9 and re.match(r"note: softmax: \d+ more spilled, cost ", lines[-1])
    costs = [int(line.rsplit("cost ", 1)[1]) for line in lines[:-1]]
    assert costs == sorted(costs, reverse=True) and costs[-1] >= 1
    assert all(
        re.fullmatch(rf"note: softmax: %\w+ \(\d VGPRs?, line \d\) in {where}: \d+ stores?, \d+ loads?, cost \d+", line) for line in lines[:-1]
    )
    assert "note" not in said.out


def test_the_report_names_what_is_spilled() -> None:
    report = asmgen.compile(build_kernel("softmax", ROWS), max_vgprs=6).report()
    values = json.loads(report.to_json())["kernels"][0]["spilled"]
    assert len(values) > 8 and {value["memory"] for value in values} <= {"AGPRs", "made again"}
    for value in values:
        assert f"%{value['name']} (" in str(report) and f"%{value['name']} (" in report.to_html()
    assert json.loads(asmgen.compile(build_kernel("softmax", ROWS)).report().to_json())["kernels"][0]["spilled"] == []


@pytest.mark.parametrize(("target", "waves", "vgprs"), [("gfx90a", 8, 64), ("gfx942", 4, 128), ("gfx1100", 16, 96), ("gfx1201", 12, 120)])
def test_waves_give_the_budget(target: str, waves: int, vgprs: int) -> None:
    """A SIMD's registers by the waves, in the target's granule: 512, and 1,536 on RDNA in waves of 32."""
    rows = [("rows", "2"), ("cols", "50257")]
    kernel = asmgen.compile(build_kernel("softmax", rows), target=target, waves_per_eu=waves).kernels[0]
    assert kernel.resources.vgprs <= vgprs
    assert kernel.resources.occupancy >= min(waves, asmgen.compile(build_kernel("vecadd", [])).kernels[0].resources.occupancy)
