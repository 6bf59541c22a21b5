"""The table of the random loops' orders: its counts, and the faults that make the tool fail."""

from __future__ import annotations

import pytest

from asmgen.passes.schedule.modulo.exact_find import Shortest
from asmgen.passes.schedule.modulo.order import LoopOrder
from tests.property.exact_overlaps import Compared
from tools.check_orders import main, reasons, row, table


def compared(heuristic: int | None, exact: int, runs: int = 1, *faults: str, is_proven: bool = True) -> Compared:
    order = None if heuristic is None else LoopOrder(heuristic, [0])
    return Compared(Shortest(LoopOrder(exact, [0]), order, is_proven), runs, list(faults))


SOME = [compared(90, 80, 2), compared(80, 80), compared(200, 100, 0), compared(None, 64, 1, "it differs", is_proven=False)]


def test_only_orders_of_several_stages_have_a_ratio() -> None:
    assert row(SOME) == ("4", "3", "3", "2", "1", "1.0607", "1.12", "4", "1")


def test_the_table_has_a_line_for_each_target_and_all() -> None:
    lines = list(table([("gfx942", SOME[0]), ("gfx90a", SOME[1]), ("gfx942", SOME[3])]))
    assert [line.split()[0] for line in lines] == ["loops", "gfx90a", "gfx942", "all"]
    assert [line.split()[1] for line in lines[1:]] == ["1", "2", "3"]


def test_a_fault_or_a_far_heuristic_is_a_reason() -> None:
    assert not list(reasons([(1, "gfx942", SOME[1])]))
    assert list(reasons([(7, "gfx942", SOME[3])])) == ["seed 7 on gfx942: it differs"]
    (far,) = reasons([(1, "gfx942", SOME[0])])
    assert "1.1250 times the exact intervals, wanted at most 1.05" in far


def test_a_loop_is_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--loops", "1", "--seed", "1005"]) == 0
    printed = capsys.readouterr()
    assert [line.split()[0] for line in printed.out.splitlines()[:3]] == ["loops", "gfx90a", "all"]
    assert not printed.err
    with pytest.raises(SystemExit):
        main(["--loops", "0"])
