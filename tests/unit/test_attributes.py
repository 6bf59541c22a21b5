"""No attribute hides a method of a base or of a subclass. The type checker does not find that of private
names."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]


class Names(NamedTuple):
    """The attributes that the methods of a class assign, its methods, and its bases."""

    name: str
    attributes: frozenset[str]
    methods: frozenset[str]
    bases: tuple[str, ...]


def names_of(source: str) -> Iterator[Names]:
    """The classes of a module."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef):
            methods = frozenset(each.name for each in node.body if isinstance(each, ast.FunctionDef))
            bases = tuple(base.id for base in node.bases if isinstance(base, ast.Name))
            yield Names(node.name, frozenset(_assigned(node)), methods, bases)


def _assigned(of: ast.ClassDef) -> Iterator[str]:
    for node in ast.walk(of):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id == "self":
            yield node.attr


def hidden(classes: Iterable[Names]) -> list[str]:
    """`Class.name` of each attribute of a class with the name of a method of its base, or the other way
    round. Classes of several modules may have the same name: each of them counts as the base."""
    by_name: defaultdict[str, list[Names]] = defaultdict(list)
    for names in classes:
        by_name[names.name].append(names)
    found: set[str] = set()
    for own in [names for group in by_name.values() for names in group]:
        bases = list(own.bases)
        for base in bases:  # grows by the bases of bases
            for of in by_name.get(base, []):
                both = (own.attributes & of.methods) | (own.methods & of.attributes)
                found |= {f"{own.name}.{name}" for name in both}
                bases += [each for each in of.bases if each not in bases]
    return sorted(found)


def test_an_attribute_with_the_name_of_a_method_is_found() -> None:
    source = "class A:\n def __init__(self): self._n = 0\nclass B(A): pass\nclass C(B):\n def _n(self): pass\n"
    assert hidden(names_of(source)) == ["C._n"]


def test_no_attribute_hides_a_method() -> None:
    paths = [path for package in ("asmgen", "isa", "regalloc") for path in (ROOT / package).rglob("*.py")]
    assert hidden(names for path in paths for names in names_of(path.read_text(encoding="utf-8"))) == []
