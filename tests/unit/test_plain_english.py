"""README, CONTRIBUTING, the pages of docs, docstrings, comments and every text that the code prints are plain
English.

Banned are phrases of prose that a reader has to translate back: clauses instead of nouns ("what is read"),
`where` for *if*, `one` as a pronoun, `whose` and `hold` for things. Code is not prose: backticks, fenced
blocks, and the names `np.where`, `where(...)` and `where=`. The noun of the numeral *one* comes after it.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "CONTRIBUTING.md", *sorted(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")))
PACKAGES = ("asmgen", "isa", "regalloc")
ROOMS = (*PACKAGES, "tools")

_CODE = re.compile(
    r"^```.*?^```|`[^`]*`|\]\([^)]*\)"  # a fenced block, a span, the target of a link
    r"|\bnp\.\w+|\bwhere[(=\[]",  # a function of numpy, the op and the attribute `where`
    re.MULTILINE | re.DOTALL,
)
_LISTING = re.compile(r"^    .*$", re.MULTILINE)
"""A line of a docstring that is indented below its paragraph: code, or a line of a table."""

_PROGRAM = re.compile(r"^ *\w+ = @|^ *@return", re.MULTILINE)
"""A text with such a line is a program, not prose."""

_STRING_OR_COMMENT = re.compile(
    r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"'
    r"|'''(?:\\.|[^\\])*?'''|'(?:\\.|[^'\\\n])*'"
    r"|(?P<comment>#[^\n]*)",
    re.DOTALL,
)

_BANNED = re.compile(
    r"\bwhat (?:is|has|was|are|were|had|it|they|a|an|the)\b|\b(?:by|of|for|from|in) what\b"
    r"|\b(?:who|whom|whose|whoever|nobody|anybody|anyone|somebody|someone)\b"
    r"|\b(?:hold|holds|held|holding)\b|\b(?:is|are|was|be) told\b|\bwhere\b|\bones\b",
    re.IGNORECASE,
)


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text))


_DETERMINERS = _words("a an the this that each every another other any no which")
_PREPOSITIONS = _words("of in on at to for from by with as than has have is are or and but takes names")
_NOT_NOUNS = _words(
    """is are was were be has have had may can must will would does do did of in on at to for from by with without as than or and
    but if when that which after before per there then so because since below above"""
)
"""Words that follow the pronoun *one*. The noun of a numeral, or an adjective of it, comes after the numeral."""


def is_pronoun(before: list[str], after: str) -> bool:
    """Whether *one* between these words stands for a noun instead of counting one. *One of* counts."""
    if after == "of":
        return bool(before) and before[-1] in _DETERMINERS
    if not after or after in _NOT_NOUNS or (before and before[-1] in _DETERMINERS):
        return True
    return len(before) > 1 and before[-2] in _DETERMINERS and before[-1] not in _PREPOSITIONS


def phrases(text: str) -> list[str]:
    """The banned phrases of a text, each with the words around it."""
    prose = _CODE.sub(" CODE ", text)
    starts = [match.start() for match in _BANNED.finditer(prose)]
    for match in re.finditer(r"\bone\b", prose, re.IGNORECASE):
        before = re.findall(r"[\w']+", re.split(r"[.;:(]", prose[: match.start()])[-1].lower())
        after = re.match(r"[ \n]+([\w']+)", prose[match.end() :])
        if is_pronoun(before, after[1].lower() if after else ""):
            starts.append(match.start())
    return [" ".join(prose[max(0, start - 40) : start + 40].split()) for start in sorted(starts)]


_Remark = tuple[int, str]
"""A line, and the text that begins there."""


def texts(nodes: Iterable[ast.AST]) -> Iterator[_Remark]:
    """Every string of a module that may be a sentence: of at least two words, no docstring.

    An f-string is a single text: `{}` stands for its values.
    """
    skipped: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.Expr):
            skipped.add(id(node.value))
        if id(node) in skipped:
            continue
        if isinstance(node, ast.JoinedStr):
            skipped.update(id(part) for part in node.values)
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if " " in text.strip() and not _PROGRAM.search(text):
            yield node.lineno, text


def docstrings(nodes: Iterable[ast.AST]) -> Iterator[_Remark]:
    """Every docstring of a module, without its listings and tables."""
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, _LISTING.sub("", inspect.cleandoc(node.value.value))


def comments(source: str) -> Iterator[_Remark]:
    """Every comment of a module, by an expression: Python's `tokenize` takes a hundred times as long."""
    for match in _STRING_OR_COMMENT.finditer(source):
        if match["comment"]:
            yield source.count("\n", 0, match.start()) + 1, match["comment"]


def faults(source: str, prints: bool) -> list[str]:
    """The line and the words of each banned phrase in a module: in its docstrings and comments, and in its
    texts if it `prints` them."""
    nodes = list(ast.walk(ast.parse(source)))
    remarks = [*docstrings(nodes), *comments(source), *(texts(nodes) if prints else ())]
    return [f"{line}: {phrase}" for line, text in remarks for phrase in phrases(text)]


@pytest.mark.parametrize(
    "sentence",
    [
        "It names what is read.", "A loop is unrolled where its count is known.", "A plain one has no wait.", "Wanted one",
        "the scalar ones", "a loop whose length is known", "nobody knows the size", "The bound holds.", "It is told by `doctor`.",
        "chosen by what the launch knows", "Each one of them", "the latest one before it",
    ],
)  # fmt: skip
def test_a_planted_sentence_is_found(sentence: str) -> None:
    assert len(phrases(sentence)) == 1
    raised = f"\nraise InputError(place, 'X', f'{{name}}: {sentence}')"
    assert faults(raised, prints=True) == [f"2: {phrase}" for phrase in phrases(f"{{}}: {sentence}")]
    assert faults(raised, prints=False) == []
    for source in (f'"""{sentence}"""', f"# {sentence}", f"""x = '#"' + "'#"  # {sentence}"""):
        assert [fault[:3] for fault in faults(source, prints=True)] == ["1: "]


@pytest.mark.parametrize(
    "sentence",
    [
        "wanted one of a, b", "The two literals of one instruction differ.", "at most one literal", "one fault at a time",
        "a list with one spec",
        "`one` and `what is` are code", "np.where(mask, a, b) and np.ones(3) choose", "where=mask", "It says what to do.",
        "```\nwhat is read\n```", "the page [on waits](docs/where.md)",
    ],
)  # fmt: skip
def test_code_and_numerals_are_no_faults(sentence: str) -> None:
    assert phrases(sentence) == []


@pytest.mark.parametrize("page", PAGES)
def test_pages_are_plain(page: str) -> None:
    assert phrases((ROOT / page).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("room", ROOMS)
def test_a_package_is_plain(room: str) -> None:
    """Its docstrings and comments; of a package that users run, also errors, notes, help and every other text."""
    assert [
        f"{path.relative_to(ROOT)}:{fault}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for fault in faults(path.read_text(encoding="utf-8"), prints=room in PACKAGES)
    ] == []
