"""The functions of an assembly text, as the labels and instructions that LLVM is asked about."""

from __future__ import annotations

import re

from msgspec import Struct

_COMMENT = re.compile(r"(;|//).*")
_LABEL = re.compile(r"([A-Za-z_.$][\w.$]*):\s*\Z")
_TARGET = re.compile(r'\.amdgcn_target\s+"amdgcn-amd-amdhsa--([^"]+)"')


class Line(Struct, frozen=True):
    """One label or instruction of a kernel, and where it is in the file."""

    number: int
    text: str

    @property
    def is_label(self) -> bool:
        return self.text.endswith(":")


def target_of(assembly: str) -> str:
    """The target id that the text states, or nothing."""
    found = _TARGET.search(assembly)
    return found.group(1) if found else ""


def kernels(assembly: str) -> list[list[Line]]:
    """The instructions and labels of each function of an assembly text; directives and data are left out."""
    found: list[list[Line]] = []
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
            found.append(current)
        elif text.startswith((".section", ".rodata", ".amdhsa_kernel")):
            current = None
        elif current is not None and text and (label or not text.startswith(".")):
            current.append(Line(number, " ".join(text.split())))
    return [lines for lines in found if any(not line.is_label for line in lines)]


def bare_list(assembly: str) -> list[Line]:
    """A text without directives: labels and instructions, one a line."""
    texts = [" ".join(_COMMENT.sub("", raw).split()) for raw in assembly.splitlines()]
    return [Line(number, text) for number, text in enumerate(texts, 1) if text]


def after_prologue(lines: list[Line]) -> list[Line]:
    """A kernel from where it begins if its arguments are preloaded: what is before loads them and waits,
    for older firmware."""
    for index, line in enumerate(lines[:-1]):
        if line.text.startswith("s_branch "):
            target = line.text.split()[1]
            uses = sum(other.text.endswith(" " + target) for other in lines)
            return lines[index + 1 :] if lines[index + 1].text == target + ":" and uses == 1 else lines
        if line.is_label or line.text.startswith("s_cbranch"):
            return lines
    return lines
