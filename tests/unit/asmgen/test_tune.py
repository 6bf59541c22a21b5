"""The search of schedules: never slower than the default by the clock model, and the same with any number of processes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from math import log2
from pathlib import Path

import pytest

import asmgen
from asmgen.batch.results import Result
from asmgen.blockwise.schedules.choices import Choice, Pointwise, Row, Transpose, choice_text
from asmgen.cli.main import main
from asmgen.cli.tuning import answers as tune_answers
from asmgen.compilation import Source
from asmgen.kernels import build_kernel
from asmgen.options import make_options
from asmgen.tuning.build import Build
from asmgen.tuning.candidates import Candidate, Measured
from asmgen.tuning.combined import fastest
from asmgen.tuning.neighbours import neighbours
from asmgen.tuning.search import Search
from asmgen.tuning.seeds import builds
from asmgen.tuning.subject import Subject
from isa.targets import TARGETS, parse_target

pytestmark = pytest.mark.xdist_group("processes")

START = Row(rows=1, lanes=64, waves=1, teams=1, vector=1, repeat=1)
BEST = Row(rows=1, lanes=64, waves=8, teams=4, vector=4, repeat=1)
USUAL = Build()
Ask = Callable[[Sequence[Candidate], bool], list[Measured | None]]


def away(candidate: Candidate) -> Measured | None:
    """Faster towards BEST with 5 waves of a SIMD; repeat=2 does not compile."""
    choice = candidate.choice
    assert isinstance(choice, Row)
    if choice.repeat == 2:
        return None
    pairs = [(getattr(choice, name), getattr(BEST, name)) for name in ("waves", "teams", "vector", "lanes", "rows", "repeat")]
    steps = sum(abs(log2(value / wanted)) for value, wanted in pairs)
    return Measured(1 + steps + (candidate.build.waves_per_eu != 5), 0.0, 128, "")


class Asked:
    """Answers by a function, and how often it was asked."""

    def __init__(self, answer: Callable[[Candidate], Measured | None]) -> None:
        self.answer = answer
        self.estimated: list[Candidate] = []
        self.measured: list[Candidate] = []

    def __call__(self, candidates: Sequence[Candidate], is_whole: bool) -> list[Measured | None]:
        (self.measured if is_whole else self.estimated).extend(candidates)
        return [self.answer(candidate) for candidate in candidates]


def searched(ask: Ask, most: int, starts: Sequence[Sequence[Choice]] = ((START,),)) -> Search:
    search = Search(ask, starts, USUAL, most)
    search.run(lambda build, vgprs: builds(build, TARGETS["gfx942"], vgprs, has_exact=False))
    return search


def test_the_search_follows_the_best_neighbours_and_measures_few_whole() -> None:
    asked = Asked(away)
    search = searched(asked, 2000)
    (best,) = fastest(search, 1, 3)[0].candidates
    assert (best.choice, best.build.waves_per_eu) == (BEST, 5)
    assert search.times[best].microseconds == 1
    seen, measured, refused = search.counts
    assert seen == len({*asked.estimated, *asked.measured})
    assert measured == len(asked.measured) < len(asked.estimated) / 2
    assert len(set(asked.measured)) == len(asked.measured), "nothing is measured twice"
    assert 0 < refused < seen
    assert searched(Asked(away), 30).counts[0] == 30


def test_the_default_stays_unless_another_is_faster() -> None:
    alike = searched(Asked(lambda _: Measured(1.0, 0.0, 128, "")), 60)
    assert fastest(alike, 1, 1)[0].candidates == (Candidate(0, START, USUAL),)
    none = searched(Asked(lambda _: None), 30)
    assert (none.counts, fastest(none, 1, 1)) == ((1, 0, 1), [])


def test_a_bad_estimate_hides_no_more_than_two_thirds() -> None:
    """The winner of a round is found if its estimate is in the better third, even as the last of them."""
    wanted = list(dict.fromkeys(neighbours(START)))

    def answer(candidates: Sequence[Candidate], is_whole: bool) -> list[Measured | None]:
        places = [wanted.index(each.choice) if each.choice in wanted else 100 for each in candidates]
        third = (len(wanted) - 1) // 3
        return [Measured(1.0 if is_whole and place == third else 2.0 + place / 100, 0, 1, "") for place in places]

    assert fastest(searched(answer, 2 * len(wanted)), 1, 1)[0].candidates[0].choice == wanted[(len(wanted) - 1) // 3]


def test_launches_are_searched_apart_and_combined() -> None:
    search = searched(Asked(away), 2000, ((START,), (BEST, START)))
    found = fastest(search, 2, 10)
    assert [candidate.choice for candidate in found[0].candidates] == [BEST, BEST]
    assert [each.microseconds for each in found] == sorted(each.microseconds for each in found)
    assert all(first.build == second.build for first, second in (each.candidates for each in found)), "a program has one build"
    pairs = [
        search.times[one].microseconds + search.times[two].microseconds
        for one in search.times
        for two in search.times
        if (one.launch, two.launch) == (0, 1) and one.build == two.build
    ]
    assert [each.microseconds for each in found] == sorted(pairs)[:10]


def test_neighbours_change_counts_and_open_attributes() -> None:
    assert {choice_text(choice) for choice in neighbours(Pointwise(vector=1, waves=4))} == {
        f"pointwise[vector={vector}, waves={waves}, repeat={repeat}]"
        for vector, waves, repeat in ((2, 4, 1), (1, 8, 1), (1, 2, 1), (1, 4, 2), (2, 2, 1), (1, 2, 2))
    }
    assert Transpose(4, 4, 1, 8) in neighbours(Transpose(4, 4, 1))
    repeats = {choice.repeat for choice in neighbours(Row(1, 64, 1, 1, 4, 6)) if isinstance(choice, Row)}
    assert {5, 7, 12, 3} <= repeats


def test_builds_keep_the_limits_of_the_user() -> None:
    limited = Build(max_vgprs=100, waves_per_eu=4)
    found = list(builds(limited, TARGETS["gfx942"], 100, has_exact=True))
    assert all((each.max_vgprs or 0) <= 100 and (each.waves_per_eu or 0) >= 4 for each in found)
    assert {each.order for each in found} == {"heuristic", "exact"}
    assert len(set(found)) == len(found)
    assert limited not in found
    assert all(each.max_vgprs is None for each in builds(USUAL, TARGETS["gfx942"], 20, has_exact=False)), "20 VGPRs are fewer than any limit"


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("full_sum", [("n", "65536")]),
        # the workgroups of the second launch wait for words of each other, which are zeros at first
        ("cumsum", [("rows", "1"), ("cols", "131072")]),
    ],
)
def test_launches_alone_take_the_time_of_the_whole_program(name: str, sizes: Sequence[tuple[str, str]]) -> None:
    program = build_kernel(name, sizes)
    subject = Subject.of(Source.of_program(name, program), parse_target("gfx1100"), make_options({}), {})

    def ask(candidates: Sequence[Candidate], is_whole: bool) -> list[Measured | None]:
        return [subject.judge.measure(each) if is_whole else subject.judge.estimate(each) for each in candidates]

    search = subject.search(ask, len(subject.names))
    (usual,) = subject.found(search, 1).best
    whole = subject.microseconds(asmgen.compile(program, target="gfx1100"))
    assert len(subject.names) > 1
    assert abs(usual.microseconds - whole) < 1e-9 * whole
    assert abs(whole - subject.microseconds(subject.compiled(usual))) < 1e-9 * whole
    estimates = ask([Candidate(number, launch.choice, USUAL) for number, launch in enumerate(subject.judge.launches)], False)
    for estimate, time in zip(estimates, usual.times, strict=True):
        assert estimate is not None
        assert estimate.microseconds <= time.microseconds * 1.01, "a workgroup takes no longer than the launch"


def tuned(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(["tune", *words, "--judge", "model"]) == 0
    return capsys.readouterr().out.splitlines()


ROW_SUM = ("row_sum", "--set", "rows=8", "--set", "cols=64", "--target", "gfx1201")


def test_the_result_is_a_schedule_that_compiles_to_its_time(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["kernel", *ROW_SUM, "--time"]) == 0  # the processes load it from here
    _ = capsys.readouterr()
    gen = str(tmp_path / "best.gen")
    lines = tuned(capsys, *ROW_SUM, "--candidates", "9", "--jobs", "2")
    assert lines == tuned(capsys, *ROW_SUM, "--candidates", "9", "--jobs", "1", "-o", gen)
    assert re.fullmatch(r"row_sum for gfx1201 by the clock model: 9 candidates, \d measured whole, \d without a time \(.*\)", lines[0])
    rows = [line.split(maxsplit=3) for line in lines[2:] if line.lstrip()[:1].isdecimal() and "[" in line]
    times = [float(row[0]) for row in rows]
    assert times == sorted(times)
    assert sum("(the default)" in line for line in lines) == 1
    clocks = rows[0][1]
    command = lines[-1].split("kernel ")[-1] if "kernel " in lines[-1] else ""
    schedule = rows[0][3].removesuffix(" (the default)").partition(" --")[0]
    assert not command or schedule in command
    for words in ([*ROW_SUM, "--schedule", schedule], [gen, "--target", "gfx1201"]):
        assert main(["kernel", *words, "--time"]) == 0
        assert f"time: {clocks} clocks" in capsys.readouterr().out


def test_a_search_that_is_stopped_and_resumed_has_the_same_winner(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = (*ROW_SUM, "--candidates", "7", "--jobs", "1")
    whole, results = tuned(capsys, *words), tmp_path / "answers.jsonl"
    assert main(["tune", *words, "--judge", "model", "--results", str(results)]) == 0
    _ = capsys.readouterr()
    answers = results.read_text().splitlines(keepends=True)
    results.write_text("".join(answers[: len(answers) // 2]) + answers[-1][:20])  # killed while it wrote a line
    asked: list[str] = []

    class Counting(tune_answers.Answers):
        def _keep(self, result: Result) -> None:
            asked.append(result.source)
            super()._keep(result)

    monkeypatch.setattr("asmgen.cli.tune.Answers", Counting)
    assert tuned(capsys, *words, "--results", str(results), "--resume") == whole
    assert len(asked) == len(answers) - len(answers) // 2, "only questions without an answer are asked"
    asked.clear()
    assert tuned(capsys, *words, "--results", str(results), "--resume") == whole
    assert asked == []
    assert json.loads(answers[0])["command"] == "tune"
    for more, code in (([], "BAT002"), (["--resume", "--max-vgprs", "64"], "BAT003")):
        assert main(["tune", *words, "--judge", "model", "--results", str(results), *more]) == 1
        assert f"error[{code}]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["relu", "--candidates", "0"], "TUN002"),
        (["relu", "--jobs", "0"], "BAT001"),
        (["relu", "--max-seconds", "-1"], "BAT006"),
        (["relu", "--resume"], "BAT002"),
        (["relu", "--size", "m=3"], "PRF002"),
        (["relu", "-o", "k.json"], "CLI012"),
        (["relu", "-o", "."], "OUT001"),
        (["relu", "-o", "none/k.gen"], "OUT001"),
        (["nothing"], "CAT"),
        (["k.mir"], "TUN001"),
        (["softmax", "--set", "rows=0"], "TUN004"),
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


def test_a_default_that_reaches_a_limit_is_an_error(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = [
        "tune",
        "relu",
        "--set",
        "n=64",
        "--candidates",
        "3",
        "--max-seconds",
        "0.001",
        "--judge",
        "model",
        "--results",
        str(tmp_path / "answers"),
    ]
    for more in ([], ["--resume"]):
        assert main([*words, *more]) == 1
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.startswith(
            "relu: error[BAT011]: the compiler's own schedule has no time, so none is compared: did not end: stopped after 0.001 seconds\n"
        )
        assert "a larger --max-seconds" in captured.err


def test_a_judge_refuses_lanes_with_too_many_elements() -> None:
    program = build_kernel("relu", [("n", "1048576")])
    judge = Subject.of(Source.of_program("relu", program), parse_target("gfx942"), make_options({}), {}).judge
    with pytest.raises(asmgen.InputError, match="TUN003"):
        _ = judge.estimate(Candidate(0, Pointwise(16, 1, 64), USUAL))
