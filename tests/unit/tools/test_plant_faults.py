"""Faults from a syntax tree, the blocks of a file, and which tests may see a fault."""

from __future__ import annotations

import ast
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from tools.plant_faults.blocks import Block, Blocks
from tools.plant_faults.chosen import Recorded, rounds, spread
from tools.plant_faults.faults import Fault, drawn, faults_of
from tools.plant_faults.marked import VARIABLE, mark, marks
from tools.plant_faults.planted import equivalents, first_failure
from tools.plant_faults.record import Ran
from tools.plant_faults.tree import TREE, sources

FILE = "isa/example.py"


def changes(source: str) -> set[tuple[str, str]]:
    return {(fault.before, fault.after) for fault in faults_of(FILE, source)}


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("a < b", {("a < b", "a <= b"), ("a < b", "a >= b")}),
        ("a - b", {("a - b", "a + b"), ("a - b", "b - a")}),
        ("x = True", {("True", "False")}),
        ("x[3]", {("3", "4"), ("3", "2")}),
        ("f(a, b)", {("f(a, b)", "f(b, a)"), ("f(a, b)", "pass")}),
        ("x = a or not b", {("a or not b", "a and (not b)"), ("not b", "b")}),
        ("x = y if done else z", {("done", "not done")}),
        ("while more:\n    break", {("more", "not more"), ("break", "pass")}),
        ("def f():\n    if a:\n        return", {("a", "not a"), ("if a: return", "pass")}),
        ("x.count += y", {("x.count += y", "pass")}),
    ],
)
def test_what_is_changed(source: str, wanted: set[tuple[str, str]]) -> None:
    assert changes(source) == wanted


@pytest.mark.parametrize(
    "source",
    [
        '"""A text."""',
        "def f(x: tuple[int, 3]) -> Literal[4]: ...",
        "assert a < b",
        "raise InternalError(place, 3)",
        "if a < b:\n    raise InternalError(place, 3)",
        "def __repr__(self):\n    return str(self.x + 1)",
        "from a import b",
        "x: A | None",
        "def f():\n    return f'{a + 1}'",
        "x = isinstance(a, b)",
    ],
)
def test_what_is_left_alone(source: str) -> None:
    assert changes(source) == set()


def test_a_fault_changes_its_own_bytes_alone() -> None:
    source = 'é = "ä"; x = é - 1\ny = x - 1\n'
    (fault,) = [fault for fault in faults_of(FILE, source) if (fault.line, fault.after) == (1, "é + 1")]
    assert fault.planted(source) == 'é = "ä"; x = (é + 1)\ny = x - 1\n'


def test_equal_changes_of_a_function_have_names_of_their_own() -> None:
    names = [fault.name for fault in faults_of(FILE, "def f(x):\n    return x[1:] + x[1:]\n") if fault.after == "2"]
    assert names == [f"{FILE} f: 1 -> 2", f"{FILE} f: 1 -> 2 #2"]


def test_every_file_can_be_compiled_with_a_fault() -> None:
    """One fault of each kind in one file of forty."""
    for file, source in list(sources(TREE).items())[::40]:
        kinds: dict[str, Fault] = {fault.kind: fault for fault in faults_of(file, source)}
        for fault in kinds.values():
            _ = compile(fault.planted(source), file, "exec")


def test_the_order_is_the_seeds_and_a_larger_count_goes_on() -> None:
    files = {FILE: "a < b\nc - d\nf(a, b)\n", "regalloc/other.py": "x = 3 * y\n"}
    first, again, other = ([fault.name for fault, _ in drawn(files, seed)] for seed in (1, 1, 2))
    assert first == again and first != other and sorted(first) == sorted(other)
    assert len(set(first)) == sum(len(faults_of(file, source)) for file, source in files.items())
    assert all(name.startswith("regalloc") for fault, _ in drawn(files, 1, "regalloc") if (name := fault.name))


BRANCHES = """
def f(x):
    if x > 1:
        return 1
    for i in x:
        g(i)
    y = 2
    return [lambda: h() for _ in x]
"""


def test_blocks_end_where_a_jump_may_leave() -> None:
    tree = ast.parse(BRANCHES)
    blocks = Blocks(FILE, tree)
    of_line = {node.lineno: block.number for node, block in blocks.of.items() if isinstance(node, ast.stmt) and block.function}
    assert of_line[3] != of_line[4] != of_line[5] and of_line[5] == of_line[7] == of_line[8] != of_line[6]
    assert len(blocks.lambdas) == 1


def test_marks_say_which_blocks_ran(tmp_path: Path) -> None:
    """A module that the marked copy has imported leaves a mark at the lines that the function ran."""
    (tmp_path / "isa").mkdir()
    (tmp_path / "isa" / "__init__.py").touch()
    _ = (tmp_path / "isa" / "example.py").write_text("def f(x):\n    if x:\n        return (lambda: 3)()\n    return 4\n")
    blocks = mark(tmp_path)
    table = marks(tmp_path / "marks", len(blocks))
    program = "import isa.example; print(isa.example.f(False), isa.example.f(True))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env={VARIABLE: str(tmp_path / "marks")}, capture_output=True, text=True, check=True
    )
    assert done.stdout == "4 3\n"
    assert bytes(table[: len(blocks)]) == b"\1" * len(blocks) and len(blocks) == 4
    assert mark(tmp_path, [Block("gone.py", "f", 0), *reversed(blocks)])[1:] == blocks[::-1], "known blocks keep their places"


def ran(test: str, seconds: float, bits: int) -> Ran:
    return Ran(test, seconds, True, zlib.compress(bytes([bits])))


BLOCKS = [Block(FILE, "f", 0), Block(FILE, "f", 1), Block(FILE, "g", 0)]
ENTRIES = [
    ran("tests/a.py", 0, 0b00100000),
    ran("tests/a.py::one", 1.0, 0b10000000),
    ran("tests/a.py::two", 0.1, 0b11000000),
    ran("tests/unit/isa/test_b.py::three", 0.2, 0b11000000),
]


def test_only_tests_that_run_the_block_are_chosen() -> None:
    recorded = Recorded(BLOCKS, ENTRIES)

    def chosen(function: str, number: int) -> list[str]:
        return [entry.test.partition("::")[2] for entry in recorded.that_run(Block(FILE, function, number))]

    assert chosen("f", 0) == ["three", "two", "one"], "the nearest first, then the cheapest"
    assert chosen("f", 1) == ["three", "two"]
    assert chosen("f", 7) == ["three", "two", "one"], "of a changed function every test that runs any of it"
    assert chosen("g", 0) == ["two", "one"], "what runs while a file is collected concerns its tests"
    assert chosen("new", 0) == ["three", "two", "one"], "of a new function every test of its file"
    assert chosen("", 0)[0] == "three", "what runs at import concerns all, the nearest first"


def test_rounds_grow_and_end_at_the_limit() -> None:
    tests = spread([ran(f"tests/{number % 5}.py::{number}", 1.0, 0) for number in range(60)])
    found = list(rounds(tests, 30))
    assert len(found[0]) < len(found[1]) and 20 <= sum(map(len, found)) <= 30


def test_every_equivalent_fault_has_a_reason_and_can_be_planted() -> None:
    texts = sources(TREE)
    by_file: dict[str, set[str]] = {}
    for name, reason in equivalents().items():
        file = name.partition(" ")[0]
        if file not in by_file:
            by_file[file] = {fault.name for fault in faults_of(file, texts[file])}
        assert reason and name in by_file[file], f"{name}: the code has changed; name the fault anew in equivalent.txt, or take it out"


def test_the_first_test_that_fails_is_named(tmp_path: Path) -> None:
    (tmp_path / "isa").mkdir()
    (tmp_path / "isa" / "__init__.py").touch()
    _ = (tmp_path / "isa" / "example.py").write_text("X = 1\n")
    _ = (tmp_path / "test_it.py").write_text(
        "from isa.example import X\n\ndef test_a():\n    assert X\n\ndef test_b():\n    assert X == 1\n\ndef test_c():\n    while X == 3: pass\n"
    )
    tests = [ran(f"test_it.py::test_{letter}", 0.0, 0) for letter in "abc"]
    assert first_failure(tmp_path, tests) is None
    _ = (tmp_path / "isa" / "example.py").write_text("X = 22\n")
    assert first_failure(tmp_path, tests) == "test_it.py::test_b"
    assert first_failure(tmp_path, tests[:1]) is None
    _ = (tmp_path / "isa" / "example.py").write_text("X = \n")
    assert first_failure(tmp_path, tests) == "test_it.py (at import)"
