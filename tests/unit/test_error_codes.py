"""The tables of error codes in docs/ list every code of their families, and no code that does not exist. Every error names
the value that was wanted, or a way out."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {
    "gen-text": ("BLK", "CALL", "GEN", "GRW", "SEL", "TRC"), "mlir": ("LNC", "MLIR"), "check": ("CHK",), "profile": ("PRF",),
    "by-hand": ("GRF", "HND", "SCH"), "sanitizer": ("EXP", "SAN"), "running": ("RUF", "WAT"), "tensors": ("DON", "TNS"),
}  # fmt: skip
"""The families that a page lists."""
_CODE = re.compile(r'"([A-Z]{2,4}\d{3})"')
_CELL = re.compile(r"^\| ((?:[A-Z]{2,4}\d\d[\dx](?:, | to )?)+) \|", re.MULTILINE)


def codes_of(package: str) -> set[str]:
    """Every string of a package that is a code."""
    return {code for path in (ROOT / package).rglob("*.py") for code in _CODE.findall(path.read_text(encoding="utf-8"))}


def listed(page: str) -> tuple[set[str], set[str]]:
    """The codes in the first cells of the tables of a page: those that stand there, and those within a range or `01x`."""
    single: set[str] = set()
    spanned: set[str] = set()
    for cell in _CELL.findall(page):
        first, is_range, last = cell.partition(" to ")
        if is_range:
            spanned |= {f"{first[:-3]}{number:03}" for number in range(int(first[-3:]), int(last[-3:]) + 1)}
            single |= {first, last}
            continue
        for code in cell.split(", "):
            if code.endswith("x"):
                spanned |= {f"{code[:-1]}{digit}" for digit in range(10)}
            else:
                single.add(code)
    return single, spanned


@pytest.fixture(scope="module")
def existing() -> set[str]:
    return codes_of("asmgen") | codes_of("isa") | codes_of("regalloc")


@pytest.mark.parametrize("page", sorted(PAGES))
def test_a_page_lists_the_codes_of_its_families(page: str, existing: set[str]) -> None:
    single, spanned = listed((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8"))
    wanted = {code for code in existing if code.startswith(PAGES[page])}
    assert wanted, "the families have codes"
    assert wanted - single - spanned == set(), "codes that the page does not list"
    assert single - existing == set(), "codes of the page that no longer exist"


REFUSALS = {"InputError", "UnknownHere", "error", "fail", "fault", "fault_at", "refused"}
"""What makes an error of a code and a message; the message of `error`, `fail` and others is an argument too."""
OF_CALLER = {"broken", "error", "fault", "message", "rule"}
"""Names of parameters that are messages of callers."""
_ANSWERS = re.compile("wanted|wants")


def words_of(node: ast.AST) -> str:
    """The strings of an expression, and the names of its variables, such as `wanted`, in angle brackets."""
    strings = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str))
    return " ".join((*strings, *(f"<{each.id}>" for each in ast.walk(node) if isinstance(each, ast.Name))))


def message_of(call: ast.Call, at: int, function: ast.AST, module: ast.Module) -> str | None:
    """The text of the message of a refusal, without the numbers in it, where `at` is the place of the code among the
    arguments; None if a caller writes the message."""
    written, *notes_and_help = call.args[at + 1 :]
    if notes_and_help or any(keyword.arg in ("help", "notes") for keyword in call.keywords):
        return "wanted, as the further lines say"
    names = {each.id for each in ast.walk(written) if isinstance(each, ast.Name)}
    texts = [words_of(written)]
    for statement in (*ast.walk(function), *module.body) if names else ():
        if isinstance(statement, ast.Assign) and names & {each.id for each in statement.targets if isinstance(each, ast.Name)}:
            texts.append(words_of(statement.value))
    text = " ".join(texts)
    parameters = {each.arg for each in ast.walk(function) if isinstance(each, ast.arg)}
    is_of_caller = bool(names & parameters & OF_CALLER) or not re.search("[a-z]", re.sub("<.*?>", "", text))
    return None if is_of_caller and not _ANSWERS.search(text) else text


def refusals_without_answer(source: str) -> list[str]:
    """`CODE message` of each refusal that has neither a wanted value nor a note nor a line of help."""
    if not _CODE.search(source):
        return []
    module = ast.parse(source)
    found: list[str] = []
    pending: list[tuple[ast.AST, ast.AST]] = [(module, module)]
    while pending:
        node, function = pending.pop()
        function = node if isinstance(node, ast.FunctionDef) else function
        pending += [(child, function) for child in ast.iter_child_nodes(node)]
        if not isinstance(node, ast.Call) or getattr(node.func, "attr", getattr(node.func, "id", "")) not in REFUSALS:
            continue
        for at, code in enumerate(each.value if isinstance(each, ast.Constant) else None for each in node.args):
            if isinstance(code, str) and _CODE.fullmatch(f'"{code}"'):
                message = message_of(node, at, function, module)
                if message is not None and not _ANSWERS.search(message):
                    found.append(f"{code} {message}")
    return found


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ('raise InputError(place, "GEN002", "got a comma")', 1),
        ('raise InputError(place, "GEN002", "got a comma, wanted a name")', 0),
        ('raise InputError(place, "GEN002", "got a comma", help="leave it out")', 0),
        ('def f():\n    message = "got a comma"\n    cursor.fail(token, "GEN002", message)', 1),
        ('def f(message):\n    cursor.fail(token, "GEN002", f"add: {message}")', 0),
    ],
)
def test_a_refusal_without_an_answer_is_found(source: str, count: int) -> None:
    assert len(refusals_without_answer(source)) == count


@pytest.mark.parametrize("package", ["asmgen", "isa", "regalloc"])
def test_every_error_says_what_was_wanted_or_what_to_do(package: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}: {each}"
        for path in sorted((ROOT / package).rglob("*.py"))
        for each in refusals_without_answer(path.read_text(encoding="utf-8"))
    ]
    assert found == []
