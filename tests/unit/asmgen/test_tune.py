"""The search of schedules: never slower than the default by the clock model, and the same with any number of processes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import log2
from pathlib import Path

import pytest

import asmgen
from asmgen.blockwise.schedules.choices import Pointwise, Row
from asmgen.cli.main import main
from asmgen.kernels import build_kernel
from asmgen.tuning.neighbours import State, neighbours, texts
from asmgen.tuning.search import Measured, Search

pytestmark = pytest.mark.xdist_group("processes")

START: State = (("k", Row(rows=1, lanes=64, waves=1, teams=1, vector=1, repeat=1)),)


def far(state: State) -> Measured | None:
    """Faster towards waves=8, teams=4 and vector=4; repeat=2 does not compile."""
    ((_, choice),) = state
    assert isinstance(choice, Row)
    if choice.repeat == 2:
        return None
    away = [(choice.waves, 8), (choice.teams, 4), (choice.vector, 4), (choice.lanes, 64), (choice.rows, 1), (choice.repeat, 1)]
    return Measured(sum(abs(log2(value / wanted)) for value, wanted in away), 0, 0, "")


def test_the_search_follows_the_best_neighbours() -> None:
    rounds: list[int] = []

    def measure(states: Sequence[State]) -> list[Measured | None]:
        rounds.append(len(states))
        return [far(state) for state in states]

    search = Search(measure, 2000)
    search.run(START)
    (fastest, time), *others = search.best(10)
    assert fastest == (("k", Row(rows=1, lanes=64, waves=8, teams=4, vector=4, repeat=1)),)
    assert time.microseconds == 0
    assert [other.microseconds for _, other in others] == sorted(other.microseconds for _, other in others)
    count, refused = search.counts
    assert count == sum(rounds)
    assert 0 < refused < count
    short = Search(measure, 30)
    short.run(START)
    assert short.counts[0] == 30
    alike = Search(lambda states: [Measured(1.0, 0, 0, "")] * len(states), 30)
    alike.run(START)
    assert alike.best(1)[0][0] == START, "the default stays unless another is faster"
    none = Search(lambda states: [None] * len(states), 30)
    none.run(START)
    assert (none.counts, none.best(1)) == ((1, 1), [])


def test_neighbours_double_and_halve_counts() -> None:
    state: State = (("a", Pointwise(vector=1, waves=4)), ("b", Pointwise(vector=2, waves=1)))
    found = list(neighbours(state))
    assert len(set(found)) == len(found)
    assert all(sum(one != two for one, two in zip(state, other, strict=True)) == 1 for other in found), "one launch changes at a time"
    first = {texts(other)[0] for other in found if other[1] == state[1]}
    assert first == {
        f"a=pointwise[vector={vector}, waves={waves}, repeat={repeat}]"
        for vector, waves, repeat in ((2, 4, 1), (1, 8, 1), (1, 2, 1), (1, 4, 2), (2, 2, 1), (1, 2, 2))
    }


def tuned(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(["tune", *words]) == 0
    return capsys.readouterr().out.splitlines()


def test_the_result_is_a_schedule_that_compiles_to_its_time(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("row_sum", "--set", "rows=8", "--set", "cols=64", "--target", "gfx1201")
    assert main(["kernel", *words, "--time"]) == 0  # the processes have what it loads from here
    _ = capsys.readouterr()
    lines = tuned(capsys, *words, "--candidates", "7", "--jobs", "2")
    assert lines == tuned(capsys, *words, "--candidates", "7", "--jobs", "1")
    assert re.fullmatch(r"row_sum for gfx1201: 7 candidates, \d without a time \(not compiled, or stopped at a limit\)", lines[0])
    rows = [line.split(maxsplit=3) for line in lines[2:-1:2] if line.lstrip()[:1].isdecimal()]
    times = [float(row[0]) for row in rows if "[" in row[-1]]
    assert times == sorted(times)
    assert sum("(the default)" in line for line in lines) == 1
    schedule = rows[0][3].removesuffix(" (the default)")
    assert main(["kernel", *words, "--schedule", schedule, "--time"]) == 0
    assert f"time: {rows[0][1]} clocks" in capsys.readouterr().out
    assert asmgen.compile(build_kernel("row_sum", [("rows", "8"), ("cols", "64")]), target="gfx1201", schedules=(schedule,)).kernels


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["relu", "--candidates", "0"], "TUN002"),
        (["relu", "--jobs", "0"], "BAT001"),
        (["relu", "--max-seconds", "-1"], "BAT006"),
        (["nothing"], "CAT"),
        (["k.mir"], "TUN001"),
    ],
)
def test_bad_input_is_a_line(
    words: list[str], code: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["kernel", "relu", "--set", "n=64", "--emit", "machine", "-o", "k.mir"]) == 0
    _ = capsys.readouterr()
    assert main(["tune", *words]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"error[{code}" in captured.err


def test_a_state_that_reaches_a_limit_is_no_candidate(capsys: pytest.CaptureFixture[str]) -> None:
    lines = tuned(capsys, "relu", "--set", "n=64", "--candidates", "3", "--max-seconds", "0.001")
    assert lines[0] == "relu for gfx942: 1 candidate, 1 without a time (not compiled, or stopped at a limit)"
    assert lines[-1] == "no candidate compiles"
