"""README, CONTRIBUTING, the pages of docs, docstrings, comments and every text that the code prints are plain
English.

Banned are phrases of prose that a reader has to translate back: clauses instead of nouns ("what is read"),
`where` for *if*, `one` as a pronoun, `whose` and `hold` for things. Code is not prose: backticks, fenced
blocks, and the names `np.where`, `where(...)` and `where=`. The noun of the numeral *one* comes after it.
"""

from __future__ import annotations

import ast
import inspect
import io
import re
import tokenize
from collections.abc import Callable, Iterator
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


def texts(source: str) -> Iterator[tuple[int, str]]:
    """The line and the text of every string of a module that may be a sentence: of at least two words, no docstring.

    An f-string is a single text: `{}` stands for its values.
    """
    skipped: set[int] = set()
    for node in ast.walk(ast.parse(source)):
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


def remarks(source: str) -> Iterator[tuple[int, str]]:
    """The line and the text of every docstring and comment of a module. Listings and tables of docstrings are
    left out."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, _LISTING.sub("", inspect.cleandoc(node.value.value))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


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
    assert [phrases(text) for _, text in texts(f"raise InputError(place, 'X', f'{{name}}: {sentence}')")] == [phrases(f"{{}}: {sentence}")]
    assert list(texts(f'"""{sentence}"""')) == []
    for source in (f'"""{sentence}"""', f"# {sentence}"):
        assert [len(phrases(text)) for _, text in remarks(source)] == [1]


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


@pytest.mark.parametrize("package", PACKAGES)
def test_texts_are_plain(package: str) -> None:
    """Errors, notes, help and every other string that the package may print."""
    assert _faults(package, texts) == []


@pytest.mark.parametrize("room", ROOMS)
def test_docstrings_and_comments_are_plain(room: str) -> None:
    assert _faults(room, remarks) == []


def _faults(room: str, read: Callable[[str], Iterator[tuple[int, str]]]) -> list[str]:
    """The place and the words of each banned phrase in the texts that `read` finds in a package's modules."""
    return [
        f"{path.relative_to(ROOT)}:{line}: {phrase}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for line, text in read(path.read_text(encoding="utf-8"))
        for phrase in phrases(text)
    ]
