"""Kernels with a fault planted: by an edit of their source, of their assembly, or of the launch."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.compiled.build import SOURCES, assembly_of, compiled_text
from tests.compiled.case import Case
from tests.compiled.running import kernels

LEVEL = "-O2"
_HEADER = re.compile(r"^//: (.*)$", re.MULTILINE)


class Edit(NamedTuple):
    """One place of a text, the `nth` that matches the regular expression, or each (-1), and what stands there instead."""

    pattern: str
    new: str
    nth: int = 0

    def applied(self, text: str) -> str:
        found = list(re.finditer(self.pattern, text))
        assert len(found) > self.nth, f"{self.pattern} occurs {len(found)} times"
        chosen = found if self.nth < 0 else found[self.nth : self.nth + 1]
        changed, end = "", 0
        for match in chosen:
            changed, end = changed + text[end : match.start()] + match.expand(self.new), match.end()
        changed += text[end:]
        assert changed != text
        return changed


class Fault(NamedTuple):
    """A planted fault: the kernel, the fault in words, its targets, and the codes, any of which names it."""

    kernel: str
    what: str
    machine: str
    finds: frozenset[str]
    source: tuple[Edit, ...] = ()
    assembly: tuple[Edit, ...] = ()
    launch: Callable[[Case], Case] = lambda case: case

    @property
    def name(self) -> str:
        return f"{self.kernel}: {self.what}"


class Section(NamedTuple):
    """A kernel in its file: its own functions and variables, and its text."""

    names: tuple[str, ...]
    text: str


@cache
def sections(file: str) -> tuple[str, dict[str, Section]]:
    """What every kernel of a file needs, and each kernel's section."""
    text = (SOURCES / file).read_text()
    headers = list(_HEADER.finditer(text))
    found: dict[str, Section] = {}
    for header, following in zip(headers, [*headers[1:], None], strict=True):
        body = text[header.end() : following.start() if following else len(text)].rstrip()
        while body.rpartition("\n")[2].startswith("#"):  # a condition around the next kernel
            body = body.rpartition("\n")[0].rstrip()
        names = tuple(header[1].split())
        found[names[0]] = Section(names, body)
    preamble = text[: headers[0].start()].rstrip()
    while preamble.rpartition("\n")[2].startswith("#if"):
        preamble = preamble.rpartition("\n")[0].rstrip()
    return preamble, found


def mutants(faults: Iterable[Fault]) -> str:
    """One source with the mutant of each fault of one file; the kernel of fault number N is called NAME__N."""
    parts: list[str] = []
    for number, fault in enumerate(faults):
        preamble, found = sections(kernels()[fault.kernel].file)
        if not parts:
            parts.append(preamble)
        section = found[fault.kernel]
        body = section.text
        for edit in fault.source:
            body = edit.applied(body)
        renamed = [f"#define {name} {name}__{number}" for name in section.names]
        parts += [*renamed, body, *(f"#undef {name}" for name in section.names)]
    return "\n".join(parts) + "\n"


@cache
def compiled_mutants(faults: tuple[Fault, ...]) -> bytes:
    """The code object of the source faults of one file and one machine."""
    return compiled_text(mutants(faults), language_of(faults[0]), LEVEL, faults[0].machine)


def language_of(fault: Fault) -> str:
    """The suffix of the fault's file."""
    return Path(kernels()[fault.kernel].file).suffix


@cache
def _assembly_of(kernel: str, machine: str) -> str:
    file = kernels()[kernel].file
    preamble, found = sections(file)
    return assembly_of(f"{preamble}\n{found[kernel].text}\n", Path(file).suffix, LEVEL, machine)


def edited_assembly(fault: Fault) -> str:
    """Assembly of the fault's kernel alone, with its edits."""
    text = _assembly_of(fault.kernel, fault.machine)
    for edit in fault.assembly:
        text = edit.applied(text)
    return text
