"""The part of YAML in which the metadata of code objects is written."""

from __future__ import annotations

import re
from typing import Any

from isa.diagnostics import InputError, Place
from isa.program import STRING_TAG

METADATA_HELP = "`python -m asmgen kernel vecadd --emit asm` prints metadata that is whole"
_KEY = re.compile(r"([^\s:'\"\[\]{}#]+):(?:\s+(.*))?\Z")
_COMMENT = re.compile(r"""^((?:[^'"#]|"(?:[^"\\]|\\.)*"|'[^']*'|(?<=\S)#)*?)(?:(?<=\s)|^)#.*\Z""")
_FLOW_ITEM = re.compile(r"""\s*("(?:[^"\\]|\\.)*"|'[^']*'|[^,'"]+)""")  # of a list in brackets
_PAIR = r"""\s*([^\s:'"\[\]{},]+):\s+("(?:[^"\\]|\\.)*"|'[^']*'|\[[^\[\]{}]*\]|[^,'"\[\]{}]+)(?:,|\s*\Z)"""
_FLOW_PAIR, _FLOW_PAIRS = re.compile(_PAIR), re.compile(rf"(?:{_PAIR})+\s*")  # of a mapping in braces
_ESCAPE = re.compile(r"""\\(["\\/])""")
_INTEGER = re.compile(r"-?\d+\Z|0x[0-9a-fA-F]+\Z")


def parse_yaml(lines: list[tuple[int, str]], file: str) -> Any:
    """Mappings, lists and scalars in block style; `lines` are (line number, text). InputError LOAD010 for
    anything else."""
    plain = ((number, _COMMENT.sub(r"\1", text).rstrip()) for number, text in lines)
    content = [(number, text) for number, text in plain if text.strip() not in ("", "---", "...")]
    value, index = _block(content, 0, file)
    if index != len(content):
        raise _bad(file, content[index])
    return value


def _bad(file: str, line: tuple[int, str]) -> InputError:
    return InputError(
        Place(file, line[0], 1),
        "LOAD010",
        f"metadata line {line[1].strip()!r}, wanted `key: value` or `- item` at its indentation",
        help=METADATA_HELP,
    )


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def _block(content: list[tuple[int, str]], index: int, file: str) -> tuple[Any, int]:
    """The mapping or list that begins at `index`, and the index after it."""
    if index >= len(content):
        return None, index
    indent = _indent(content[index][1])
    if content[index][1].lstrip().startswith("- ") or content[index][1].strip() == "-":
        return _list(content, index, indent, file)
    return _mapping(content, index, indent, file)


def _list(content: list[tuple[int, str]], index: int, indent: int, file: str) -> tuple[list[Any], int]:
    items: list[Any] = []
    while index < len(content):
        number, text = content[index]
        if _indent(text) != indent or not text.lstrip().startswith("-"):
            break
        rest = text[indent + 1 :]
        inner = rest.lstrip(" ")
        if _KEY.match(inner):
            content[index] = (number, " " * (indent + 1 + len(rest) - len(inner)) + inner)
            value, index = _block(content, index, file)
        else:
            value, index = _scalar(inner), index + 1
        items.append(value)
    return items, index


def _mapping(
    content: list[tuple[int, str]], index: int, indent: int, file: str
) -> tuple[dict[str, Any], int]:
    result: dict[str, Any] = {}
    while index < len(content):
        text = content[index][1]
        if _indent(text) < indent or text.lstrip().startswith("- "):
            break
        match = _KEY.match(text.strip())
        if _indent(text) != indent or not match:
            raise _bad(file, content[index])
        key, value = match.group(1), (match.group(2) or "").strip()
        index += 1
        if value:
            result[key] = _scalar(value)
        elif index < len(content) and (
            _indent(content[index][1]) > indent or _starts_list(content[index][1], indent)
        ):
            result[key], index = _block(content, index, file)
        else:
            result[key] = None
    return result, index


def _starts_list(text: str, indent: int) -> bool:
    return _indent(text) == indent and text.lstrip().startswith("- ")


def _scalar(text: str) -> Any:
    text = text.strip()
    if text.startswith(f"{STRING_TAG} "):
        return text.removeprefix(STRING_TAG).strip(" '\"")
    if text in ("[]", "{}"):
        return [] if text == "[]" else {}
    if text.startswith("[") and text.endswith("]"):
        return [_scalar(item) for item in _FLOW_ITEM.findall(text[1:-1])]
    if text.startswith("{") and text.endswith("}") and _FLOW_PAIRS.fullmatch(text[1:-1]):
        return {key: _scalar(value) for key, value in _FLOW_PAIR.findall(text[1:-1])}
    if len(text) >= 2 and text[0] in "'\"" and text[-1] == text[0]:
        return text[1:-1].replace("''", "'") if text[0] == "'" else _ESCAPE.sub(r"\1", text[1:-1])
    if _INTEGER.match(text):
        return int(text, 0)
    return {"true": True, "false": False}.get(text, text)
