"""`--verify` finds a fault planted in the compiler that changes results.

The oracle decides whether a fault changes results, without `--verify`: it runs both programs. A fault of
waits and wait states changes nothing on an emulator that completes each instruction before the next, so the
test asks for other assembly instead.
"""

from __future__ import annotations

import ast
import builtins

import pytest

from tests.mutants.definitions import definition_of, replace_code
from tests.mutants.faults import FAULTS
from tests.mutants.planting import NO_CHECK, Fault
from tests.mutants.workers import Made, Question, answered, pool

_EVERY = 25  # the ordinary suite takes every 25th fault of the table


def names(faults: tuple[Fault, ...]) -> list[str]:
    return [f"{fault.where}-{number}" for number, fault in enumerate(faults)]


@pytest.fixture(scope="session")
def honest() -> dict[str, Made]:
    """The honest compiler's kernels of every program that a fault names."""
    programs = tuple(dict.fromkeys(name for fault in FAULTS for name in fault.programs))
    with pool() as executor:
        return executor.submit(answered, Question(None, programs)).result()


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("a+(b)", "a - b", "c = a - b\nif c:\n    print({1: 2, 3: c})\n    print(c)"),
        ("{3: c}", "{3: a}", "c = a + b\nif c:\n    print({1: 2, 3: a})\n    print(c)"),
        ("print({1: 2, 3: c})\nprint(c)", "", "c = a + b\nif c:\n    pass"),
        ("if c: print({1: 2, 3: c}); print(c)", "c += 1", "c = a + b\nc += 1"),
    ],
)
def test_code_is_selected_by_its_syntax_tree(old: str, new: str, wanted: str) -> None:
    tree = ast.parse("c = (\n    a + b  # a comment\n)\nif c:\n    print({1: 2, 3: c})\n    print(c)\n")
    replace_code(tree, old, new)
    assert ast.unparse(tree) == wanted


def test_code_that_occurs_twice_takes_a_number() -> None:
    tree = ast.parse("x = a + a")
    with pytest.raises(AssertionError, match=r"'a' occurs 2 times, wanted once"):
        replace_code(tree, "a", "b")
    replace_code(tree, "a", "b", 2)
    assert ast.unparse(tree) == "x = a + b"


def test_a_name_of_several_definitions_is_refused() -> None:
    with pytest.raises(AssertionError, match=r"schedule names .* and .*, wanted one definition"):
        definition_of("schedule")
    with pytest.raises(AssertionError, match="no_such_name names nothing"):
        definition_of("no_such_name")


def test_the_check_of_allocations_can_be_left_out() -> None:
    assert NO_CHECK.planted().module == "asmgen.pipeline"


def _names_in(tree: ast.AST) -> set[str]:
    """The names that a tree reads, binds or imports."""
    nodes = list(ast.walk(tree))
    names = {node.id for node in nodes if isinstance(node, ast.Name)} | {node.arg for node in nodes if isinstance(node, ast.arg)}
    return names | {node.asname or node.name for node in nodes if isinstance(node, ast.alias)}


@pytest.mark.parametrize("fault", FAULTS, ids=names(FAULTS))
def test_a_fault_can_still_be_planted(fault: Fault) -> None:
    assert fault.programs, "a fault names the programs whose results it changes"
    read = {node.id for node in ast.walk(ast.parse(fault.new)) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    assert read <= _names_in(definition_of(fault.where).tree) | set(dir(builtins)), "the new code reads names of the module"
    changed = fault.planted().node
    assert isinstance(changed, ast.stmt)
    _ = compile(ast.Module([changed], []), fault.where, "exec")


@pytest.mark.parametrize("fault", FAULTS[::_EVERY], ids=names(FAULTS[::_EVERY]))
def test_a_fault_is_found(fault: Fault) -> None:
    with pool() as executor:
        made = executor.submit(answered, Question(fault, fault.programs[:1], run=False, verify=True)).result()
    assert all(found.named for found in made.values()), f"{fault.breaks}: not found in {[name for name in made if not made[name].named]}"


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=names(FAULTS))
def test_a_fault_that_changes_results_is_found(fault: Fault, honest: dict[str, Made]) -> None:
    with pool() as executor:
        made = executor.submit(answered, Question(fault, fault.programs, honest, run=not fault.timing, verify=True)).result()
    for name, found in made.items():
        assert not found.refused, f"{fault.breaks}: the compiler itself refuses {name}: {found.refused}"
        assert found.digest != honest[name].digest, f"{fault.breaks}: {name} is compiled as before"
        assert found.is_wrong or fault.timing, f"{fault.breaks}: {name} has the results it had"
        assert found.named, f"{fault.breaks}: not found in {name}"
