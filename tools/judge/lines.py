"""The functions of an assembly text, as the labels and instructions to ask LLVM about."""

from __future__ import annotations

import re

from msgspec import Struct

_COMMENT = re.compile(r"(;|//).*")
_LABEL = re.compile(r"([A-Za-z_.$][\w.$]*):\s*\Z")
_TARGET = re.compile(r'\.amdgcn_target\s+"amdgcn-amd-amdhsa--([^"]+)"')


class Line(Struct, frozen=True):
    """A label or instruction, and its line in the file."""

    number: int
    text: str

    @property
    def is_label(self) -> bool:
        return self.text.endswith(":")


def target_of(assembly: str) -> str:
    """The target id in the text, or an empty text."""
    target = _TARGET.search(assembly)
    return target.group(1) if target else ""


def kernels(assembly: str) -> list[list[Line]]:
    """The instructions and labels of each function of an assembly text, without directives and data."""
    functions: list[list[Line]] = []
    current: list[Line] | None = None
    in_metadata = False
    for number, raw in enumerate(assembly.splitlines(), 1):
        text = _COMMENT.sub("", raw).strip()
        label = _LABEL.match(text)
        in_metadata = (in_metadata or text == ".amdgpu_metadata") and text != ".end_amdgpu_metadata"
        if in_metadata:
            current = None
        elif label and not label.group(1).startswith((".L", "L")):
            current = []
            functions.append(current)
        elif text.startswith((".section", ".rodata", ".amdhsa_kernel")):
            current = None
        elif current is not None and text and (label or not text.startswith(".")):
            current.append(Line(number, " ".join(text.split())))
    return [lines for lines in functions if any(not line.is_label for line in lines)]


def bare_list(assembly: str) -> list[Line]:
    """The labels and instructions of a text without directives."""
    texts = [" ".join(_COMMENT.sub("", raw).split()) for raw in assembly.splitlines()]
    return [Line(number, text) for number, text in enumerate(texts, 1) if text]


def after_prologue(lines: list[Line]) -> list[Line]:
    """The kernel without the prologue for older firmware, which loads the arguments if they are not
    preloaded."""
    for index, line in enumerate(lines[:-1]):
        if line.text.startswith("s_branch "):
            target = line.text.split()[1]
            uses = sum(other.text.endswith(" " + target) for other in lines)
            return lines[index + 1 :] if lines[index + 1].text == target + ":" and uses == 1 else lines
        if line.is_label or line.text.startswith("s_cbranch"):
            return lines
    return lines
