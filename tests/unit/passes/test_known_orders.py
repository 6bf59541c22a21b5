"""The table of orders: it has the loops of today's kernels, and commands use it without a solver."""

from __future__ import annotations

import importlib.util
import re
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from asmgen.cli.main import main
from asmgen.passes.schedule.modulo import certificate_checks
from asmgen.passes.schedule.modulo.certificate import certified
from asmgen.passes.schedule.modulo.certificate_checks import flaws
from asmgen.passes.schedule.modulo.least_in_order import least_in_order, vectors_of
from asmgen.passes.schedule.orders import former, known_order, shape, table
from asmgen.passes.schedule.orders.lines import proofs
from tests.commands import run
from tools.find_orders import SLICES, loops

SMALL = ["gemm", *[word for setting in ("m=544", "n=512", "k=512", "dtype=f16") for word in ("--set", setting)]]
every_loop = cache(lambda: list(loops()))


def shapes() -> set[str]:
    return {shape(loop.problem, loop.values, target) for _, target, loop in every_loop()}


@pytest.mark.slow
def test_the_table_has_all_loops_of_the_kernels_as_they_are() -> None:
    """If a kernel changed, `python -m tools.find_orders` finds the orders of its loops again."""
    assert shapes() == table().keys()


@pytest.mark.broad
def test_the_table_has_most_loops_of_the_kernels_as_they_are() -> None:
    assert len(shapes() & table().keys()) > len(shapes()) / 2


@pytest.mark.broad
def test_certificates_of_the_table_are_right() -> None:
    for source, target, loop in every_loop():
        found = known_order(loop.problem, loop.values, target)
        made = None if found is None else certified(loop.kernel, loop.problem, loop.values, found)
        assert made is None or not list(flaws(made)), (source, target)
        if found is not None and found.order is not None and made is not None and made.is_in_order:
            taken = vectors_of(loop.values, found.order)
            least = least_in_order(loop.problem, loop.values, found.order.interval, taken + 9)
            assert 0 < least == made.least_in_order <= taken, "an order has fewer than a bound"


LEAST = "366 VGPRs, least because the values of any such order that keeps the order of matrix instructions live as long"
FOUR_WAVES = [  # rows and columns, the schedule unless it is chosen, the proof about VGPRs, with 256 of the sums
    pytest.param(4096, (SLICES,), LEAST, id="whole tiles"),
    pytest.param(4000, (), "least between 372 and 374 VGPRs", id="chosen for tiles at the ends of rows"),
]


@pytest.mark.broad
@pytest.mark.parametrize(("side", "schedules", "proof"), FOUR_WAVES)
def test_the_loop_of_four_waves_of_gfx950_has_the_fewest_fragments(
    side: int, schedules: tuple[str, ...], proof: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """256 by 256 by 64 of f16: the best loop by hand takes 128 VGPRs of fragments, and 96 are wanted."""
    file = tmp_path / "gemm.order.json"
    words = [word for setting in (f"m={side}", f"n={side}", "k=4096", "dtype=f16") for word in ("--set", setting)]
    words += [word for text in schedules for word in ("--schedule", text)]
    assert main(["kernel", "gemm", *words, "--target", "gfx950", "--order", "exact", "-o", str(file)]) == 0
    found = capfd.readouterr().out
    assert "gemm: loop: 2,048 clocks a trip, least because the matrix pipe is busy in all of them; " in found
    assert proof in found
    assert "; 96 VGPRs of fragments, least because those of any such order that keeps the order of matrix instructions live as long (" in found
    assert main(["check-order", str(file)]) == 0
    assert capfd.readouterr().out == "verified: " + found.splitlines(keepends=True)[0], "nothing is left to the search"


def found_none(name: str) -> ModuleSpec | None:
    assert name == "ortools"
    return None


def test_a_known_order_needs_no_solver(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", found_none)
    assert main(["kernel", *SMALL, "--order", "exact"]) == 0
    proof = capfd.readouterr().out
    assert proof.startswith("gemm: loop: 384 clocks a trip, least because LDS is busy in all of them; "), proof
    assert main(["kernel", *SMALL, "--emit", "asm", "--trace", "order"]) == 0
    assert f"order: {proof}" in capfd.readouterr().err
    assert main(["report", *SMALL]) == 0
    assert f"order of {proof}" in capfd.readouterr().out
    assert main(["kernel", *SMALL, "--order", "exact", "--order-seconds", "5"]) == 1
    assert "error[OPT011]" in capfd.readouterr().err


OPEN = ["kernel", "col_sum", "--set", "rows=?", "--emit", "asm", "-o", "-"]


def test_a_compile_by_exact_orders_needs_the_solver_for_loops_only(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", found_none)
    assert main(["kernel", "vecadd", "--order", "exact", "--emit", "asm", "-o", "-"]) == 0
    made = capfd.readouterr().out
    assert main(["kernel", "vecadd", "--emit", "asm", "-o", "-"]) == 0
    assert made == capfd.readouterr().out
    assert main([*OPEN, "--order", "exact"]) == 1
    assert "error[OPT011]: OR-tools, which searches for orders, is not installed" in capfd.readouterr().err


@pytest.mark.broad
def test_a_compile_by_exact_orders_is_no_slower(capfd: pytest.CaptureFixture[str]) -> None:
    clocks: list[int] = []
    for options in ([], ["--order", "exact", "--order-seconds", "8"]):
        assert main([*OPEN, *options, "--trace", "order"]) == 0
        match = re.search(r"body: (\d+) clocks a trip, \d+ before, in an order of ", capfd.readouterr().err)
        assert match
        clocks.append(int(match[1]))
    assert clocks[1] <= clocks[0]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--order-seconds", "5"], "CLI005"),
        (["--order", "exact", "--order-seconds", "0"], "OPT013"),
        (["--order", "exact", "--order-seconds", "nan", "--emit", "asm"], "OPT013"),
        (["--order", "exact", "--trace", "order"], "CLI005"),
        (["--order", "exact", "--emit", "asm", "-o", "x.order.json"], "CLI005"),
    ],
)  # fmt: skip
def test_options_that_change_nothing_are_refused(words: list[str], code: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["kernel", *SMALL, *words]) == 1
    assert f"error[{code}]: " in capfd.readouterr().err


def test_a_changed_loop_has_no_order_and_says_so() -> None:
    loop = next(each for source, target, each in every_loop() if (source, target) == ("gemm", "gfx942"))
    longer = loop.problem._replace(edges=[edge._replace(clocks=edge.clocks + 1) for edge in loop.problem.edges])
    assert known_order(loop.problem, loop.values, "gfx942") is not None
    assert known_order(longer, loop.values, "gfx942") is None
    assert known_order(loop.problem, loop.values, "gfx950") is None
    assert former("gemm", "gfx942") and not former("vecadd", "gfx942")
    changed = loop.kernel.with_blocks([
        block.with_instructions(block.instructions[1:]) if block.label == loop.problem.label else block
        for block in loop.kernel.blocks
    ])  # fmt: skip
    (line,) = proofs(changed)
    assert line.startswith("gemm: the table of orders has this kernel in another size or version; ")


PAGE = Path(__file__).parents[3] / "docs" / "orders.md"


def test_the_commands_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    commands = [line for block in re.findall(r"^```\n(.*?)^```$", text, re.MULTILINE | re.DOTALL) for line in block.splitlines()]
    assert len(commands) == 3
    for command in commands:
        status, told = run(command)
        assert status == 0, (command, told)
        assert " clocks a trip, least because LDS is busy in all of them; " in told, (command, told)
    assert (tmp_path / "gemm.order.json").exists()


def test_the_page_names_the_codes_of_certificates() -> None:
    checks = Path(certificate_checks.__file__).read_text(encoding="utf-8")
    named = set(re.findall(r"ORD\d+", PAGE.read_text(encoding="utf-8")))
    assert set(re.findall(r"ORD\d+", checks)) | {"ORD001", "ORD002"} == named
