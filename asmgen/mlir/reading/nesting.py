"""The nesting of a text of MLIR, checked before it is parsed.

MLIR's parser recurses for each bracket and each sign. If its stack overflows, the process ends without a
message.
"""

from __future__ import annotations

import re

from isa.diagnostics import InputError, Place

_MOST_BRACKETS = 256  # nested in each other
_MOST_OPERATORS = 256  # in an expression: the depth of its tree
_TOKEN = re.compile(
    r'"(?:\\.|[^"\\\n])*"|//[^\n]*|->|[<>]=|[({\[<]|[)}\]>]|,|[-+*]|\b(?:mod|floordiv|ceildiv)\b'
)
_OPENS, _CLOSES = frozenset("({[<"), frozenset(")}]>")
_OPERATORS = frozenset(("-", "+", "*", "mod", "floordiv", "ceildiv"))


def refuse_deep_nesting(text: str, file: str) -> None:
    """`InputError` MLIR008 at the first bracket or operator that is too deep."""
    operators = [0]  # in each bracket around, since its last comma
    kinds = ["{"]
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in _OPENS:
            operators.append(0)
            kinds.append(token)
        elif token in _CLOSES and len(kinds) > 1:
            _ = operators.pop(), kinds.pop()
        elif token == "," or kinds[-1] == "{":  # statements follow each other in braces
            operators[-1] = 0
        elif token in _OPERATORS:
            operators[-1] += 1
        if len(kinds) - 1 > _MOST_BRACKETS:
            raise _too_deep(text, file, match.start(), f"more than {_MOST_BRACKETS} brackets in each other")
        if operators[-1] > _MOST_OPERATORS:
            raise _too_deep(text, file, match.start(), f"more than {_MOST_OPERATORS} operators on end")


def _too_deep(text: str, file: str, at: int, what: str) -> InputError:
    line = text.count("\n", 0, at) + 1
    return InputError(Place(file, line, at - text.rfind("\n", 0, at)), "MLIR008", f"got {what}, wanted fewer")
