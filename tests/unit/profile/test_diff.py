"""`diff`: two builds of a kernel, their figures and their lines; and the line of `kernel --time`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from asmgen.profile.compare import Figure, compare
from tests.commands import run
from tests.unit.profile.profiles import catalogue_profile

SMALL = "--set rows=64 --set cols=256"


def test_a_build_differs_in_nothing_from_itself() -> None:
    profile = catalogue_profile("softmax", "gfx942", rows="64", cols="256")
    (each,) = compare(profile, profile)
    assert all(figure.before == figure.after for figure in (*each.figures, *each.causes, *each.sources))
    assert all(line.before == line.after >= 0 and line.clocks_before == line.clocks_after for line in each.lines)


def test_lines_of_builds_add_up_to_the_clocks_of_a_wave() -> None:
    before, after = (catalogue_profile(name, "gfx1201", rows="64", cols="256") for name in ("row_sum", "softmax"))
    (each,) = compare(before, after)
    for clocks, profile in ((sum(line.clocks_before for line in each.lines), before), (sum(line.clocks_after for line in each.lines), after)):
        found = profile.profiles[0]
        assert clocks == pytest.approx(found.residence / (found.replayed * found.waves))
    assert sum(figure.after for figure in each.sources) == pytest.approx(sum(figure.after for figure in each.causes))


def test_the_largest_change_comes_first_whatever_its_sign() -> None:
    before, after = (catalogue_profile(name, "gfx1201", rows="64", cols="256") for name in ("softmax", "row_sum"))
    (each,) = compare(before, after)
    changes = [figure.after - figure.before for figure in each.causes]
    assert changes == sorted(changes, key=abs, reverse=True)
    assert min(changes) < 0


@pytest.mark.parametrize(("before", "after", "change"), [(4.0, 5.0, 0.25), (4.0, 3.0, -0.25), (0.0, 5.0, 1.0), (0.0, 0.0, 0.0)])
def test_a_figure_that_was_0_grows_by_a_whole(before: float, after: float, change: float) -> None:
    assert Figure("bytes of scratch", before, after).change == change


def test_compiled_code_is_launched_as_the_other_build(tmp_path: Path) -> None:
    path = tmp_path / "spilled.s"
    assert run(f"python -m asmgen kernel softmax {SMALL} --max-vgprs 10 --emit asm -o {path}")[0] == 0
    status, said = run(f"python -m asmgen diff softmax {path} {SMALL} --format json")
    assert status == 0, said
    (launch,) = json.loads(said)["launches"]
    figures = {figure["name"]: figure for figure in launch["figures"]}
    assert figures["VGPRs"]["after"] <= figures["VGPRs"]["before"]
    assert figures["instructions"]["after"] > figures["instructions"]["before"]
    assert any(line["before"] < 0 for line in launch["lines"]) and any(line["after"] < 0 for line in launch["lines"])
    status, said = run(f"python -m asmgen diff {path} softmax {SMALL}")
    assert status == 0 and said.startswith("softmax for gfx942 -> softmax for gfx942"), said


def test_builds_of_other_numbers_of_launches_are_refused() -> None:
    status, said = run("python -m asmgen diff full_sum relu")
    assert status == 1 and "error[PRF009]" in said


def test_kernel_adds_a_line_of_time() -> None:
    status, said = run(f"python -m asmgen kernel softmax {SMALL} --time")
    assert status == 0
    (line,) = [line for line in said.splitlines() if line.startswith("  time: ")]
    assert " clocks, " in line and "GHz; " in line and "clocks rest on " in line


@pytest.mark.parametrize(
    ("options", "code"), (("softmax --time --emit asm", "CLI005"), ("softmax --time --verify", "CLI005"), ("softmax --set rows=? --time", "PRF001"))
)
def test_time_without_a_summary_or_a_size_is_refused(options: str, code: str) -> None:
    status, said = run(f"python -m asmgen kernel {options}")
    assert status == 1 and f"error[{code}]" in said, said


def test_time_of_a_program_with_named_dims(tmp_path: Path) -> None:
    status, said = run("python -m asmgen kernel relu --set n=? --size n=65536 --time")
    assert status == 0 and "  time: " in said, said
    path = tmp_path / "k.s"
    assert run(f"python -m asmgen kernel relu --emit asm -o {path}")[0] == 0
    status, said = run(f"python -m asmgen kernel {path} --time")
    assert status == 1 and "error[PRF008]" in said
