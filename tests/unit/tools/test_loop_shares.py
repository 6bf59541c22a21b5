"""The loop of a product of f16 by four waves of gfx950, 256 by 256 by 64: it keeps the matrix pipe busy for 98 % of its clocks,
without bank conflicts and without moves, and its fragments are the least. tests/unit/passes/test_known_orders.py has their proof.
"""

from __future__ import annotations

from collections import Counter

import pytest

import asmgen
from asmgen.blockwise.schedules.choices import Contract
from asmgen.compiled import CompiledProgram
from tests.machine_code import longest_loop
from tests.unit.blockwise.schedules.test_contract import Case, run
from tools import loop_shares
from tools.find_orders import SLICES
from tools.loop_shares import share_of

NK = "4096x4096x4096 f16 mk nk to 2"
BY = "v_mfma_f32_32x32x16_f16"
FOUR_WAVES = Contract(256, 256, 64, 4, 2, BY, 2, copies=16, slices=2)


@pytest.mark.parametrize("rows", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["kn", "nk"])
@pytest.mark.broad
def test_four_waves_keep_the_matrix_pipe_busy(rows: bool) -> None:
    share = share_of("gfx950", rows, (SLICES,))
    assert share.matrix >= 0.98
    assert share.of_next < share.matrix, "the matrix pipe binds"


def test_a_longer_loop_has_the_schedule_of_the_shorter(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table of measured tiles has a tile for 4,096 cubed of f16 on gfx942, and none for 8,192 products of each result."""
    own, asked = asmgen.compile, list[tuple[str, ...]]()

    def compiled(text: str, target: str, schedules: tuple[str, ...]) -> CompiledProgram:
        asked.append(schedules)
        return own(text, target=target, schedules=schedules)

    monkeypatch.setattr(loop_shares.asmgen, "compile", compiled)
    monkeypatch.setattr(loop_shares, "SIDE", 64)
    monkeypatch.setattr(loop_shares, "_LENGTHS", (64, 128))
    assert 0 < share_of("gfx942", True).matrix < 1
    first, ((name, _, choice),) = asked[0], [text.partition("=") for text in asked[1]]
    assert first == () and name and choice.startswith("contract[")


@pytest.mark.broad
def test_four_waves_multiply_without_conflicts_and_moves() -> None:
    """The emulator finds the results of numpy, and its sanitizer nothing."""
    case = Case("gfx950", FOUR_WAVES, (256, 256, 512))
    (kernel,) = asmgen.compile(case.text, target="gfx950").kernels
    names = Counter(instr.row.mnemonic for instr in longest_loop(kernel.assembly, "gfx950"))
    assert names[BY] == 64 and not [name for name in names if name.startswith(("v_mov", "v_accvgpr", "scratch"))]
    found = run(case, case.text)
    assert found["accesses"] > 1000 and found["conflicts"] == 0
