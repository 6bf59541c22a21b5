"""The lines of assembly text as clang and this project print it: directives, labels, instructions,
descriptors and metadata.

Directives without an effect on a kernel are ignored: alignment, symbols, sections of debug data, `.set` sums.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct, field

from isa.diagnostics import InputError, Place
from isa.objects.metadata import KernelMetadata, kernels_of
from isa.objects.yaml import parse_yaml
from isa.text.lines import open_string, split_comment

_WORD = re.compile(r"[A-Za-z_.$][\w.$]*")
_LABEL = re.compile(r"\s*([A-Za-z_.$][\w.$@]*):\s*(.*)\Z")
_LOC = re.compile(r"(\d{1,9})\s+(\d{1,9})(?:\s+(\d{1,9}))?")
_FILE = re.compile(r'(\d{1,9})\s+"([^"]*)"(?:\s+"([^"]*)")?')


class Line(Struct, frozen=True):
    """A statement of the text section: a label, an instruction, or an alignment to 256 bytes."""

    number: int
    text: str
    is_label: bool = False
    is_boundary: bool = False
    comment: str = ""
    source: Place | None = None


class AssemblyFile(Struct):
    """The contents of a file's directives, and the statements of its text sections in order."""

    name: str
    target: str = ""
    statements: list[Line] = field(default_factory=list)
    descriptors: dict[str, tuple[int, dict[str, int]]] = field(default_factory=dict)
    metadata: list[KernelMetadata] = field(default_factory=list)
    functions: set[str] = field(default_factory=set)
    faults: dict[str, InputError] = field(default_factory=dict)  # of kernels with an unreadable descriptor
    ends: dict[str, int] = field(
        default_factory=dict
    )  # of each symbol with a .size, the number of statements before that


class _Reader:
    """Reads the lines; keeps the state between them: the section, the source position, open blocks."""

    def __init__(self, name: str) -> None:
        self.file = AssemblyFile(name)
        self._in_text = True
        self._source: Place | None = None
        self._sources: dict[int, str] = {}
        self._kernel = ""
        self._yaml: list[tuple[int, str]] | None = None
        self._stack: list[bool] = []

    def read(self, text: str) -> AssemblyFile:
        for number, line in enumerate(text.splitlines(), 1):
            if self._yaml is not None:
                self._metadata_line(number, line)
                continue
            if not line:
                continue
            code, comment = split_comment(line)
            if '"' in code and (column := open_string(code)):
                raise InputError(
                    Place(self.file.name, number, column),
                    "LOAD015",
                    "the string does not end on its line, wanted a closing quote",
                    help='a quote in a string is written \\"',
                )
            match = _LABEL.match(code)
            while match:
                self._label(number, match.group(1))
                code = match.group(2)
                match = _LABEL.match(code)
            code = code.strip()
            if code.startswith("."):
                name, _, rest = code.replace("\t", " ").partition(" ")
                self._directive(number, name, rest)
            elif code and self._in_text:
                self.file.statements.append(Line(number, code, comment=comment, source=self._source))
        if self._yaml is not None:
            raise InputError(
                self._place(len(text.splitlines())),
                "LOAD012",
                "the file ends inside .amdgpu_metadata, wanted .end_amdgpu_metadata",
                help="put it on a line of its own at the end of the metadata",
            )
        return self.file

    def _place(self, number: int) -> Place:
        return Place(self.file.name, number, 1)

    def _label(self, number: int, name: str) -> None:
        if self._in_text:
            self.file.statements.append(Line(number, name, is_label=True))

    def _metadata_line(self, number: int, line: str) -> None:
        assert self._yaml is not None
        if line.strip() == ".end_amdgpu_metadata":
            self.file.metadata += kernels_of(parse_yaml(self._yaml, self.file.name), self._place(number))
            self._yaml = None
        else:
            self._yaml.append((number, line))

    def _directive(self, number: int, name: str, rest: str) -> None:
        if name.startswith(".amdhsa_") and self._kernel:
            self._descriptor_field(number, name.removeprefix(".amdhsa_"), rest)
        elif name in _DIRECTIVES:
            _DIRECTIVES[name](self, number, rest)

    def begin_descriptor(self, number: int, rest: str) -> None:
        self._kernel = rest.strip()
        self.file.descriptors[self._kernel] = (number, {})

    def end_descriptor(self, _number: int, _rest: str) -> None:
        self._kernel = ""

    def begin_metadata(self, _number: int, _rest: str) -> None:
        self._yaml = []

    def target(self, _number: int, rest: str) -> None:
        self.file.target = rest.strip().strip('"').rpartition("--")[2]

    def text(self, _number: int, _rest: str) -> None:
        self._in_text = True

    def data(self, _number: int, _rest: str) -> None:
        self._in_text = False

    def section(self, _number: int, rest: str) -> None:
        self._stack.append(self._in_text)
        self._in_text = _first(rest).strip('"').startswith(".text")

    def pop_section(self, _number: int, _rest: str) -> None:
        if self._stack:
            self._in_text = self._stack.pop()

    def type_(self, _number: int, rest: str) -> None:
        if "@function" in rest:
            self.file.functions.add(_first(rest))

    def size(self, _number: int, rest: str) -> None:
        if self._in_text:
            self.file.ends[_first(rest)] = len(self.file.statements)

    def align(self, number: int, rest: str) -> None:
        if self._in_text and _first(rest) == "8":
            self.file.statements.append(Line(number, "", is_boundary=True))

    def source_file(self, _number: int, rest: str) -> None:
        if match := _FILE.match(rest):
            number, first, second = match.groups()
            self._sources[int(number)] = f"{first}/{second}" if second else first

    def location(self, _number: int, rest: str) -> None:
        if match := _LOC.match(rest):
            number, line, column = (int(group or 0) for group in match.groups())
            self._source = Place(self._sources.get(number, f"file {number}"), line, column) if line else None

    def _descriptor_field(self, number: int, name: str, value: str) -> None:
        try:
            self.file.descriptors[self._kernel][1][name] = int(value.strip(), 0)
        except ValueError:
            error = InputError(
                self._place(number),
                "LOAD004",
                f".amdhsa_{name} is {value.strip()!r}, wanted a number",
                help="the assembler may compute it: `check` and `report` of the code object read its value",
            )
            _ = self.file.faults.setdefault(self._kernel, error)


_DIRECTIVES: dict[str, Callable[[_Reader, int, str], None]] = {
    ".amdhsa_kernel": _Reader.begin_descriptor, ".end_amdhsa_kernel": _Reader.end_descriptor,
    ".amdgpu_metadata": _Reader.begin_metadata, ".amdgcn_target": _Reader.target, ".text": _Reader.text,
    ".data": _Reader.data, ".bss": _Reader.data, ".rodata": _Reader.data, ".section": _Reader.section,
    ".pushsection": _Reader.section, ".popsection": _Reader.pop_section, ".type": _Reader.type_,
    ".size": _Reader.size, ".p2align": _Reader.align, ".file": _Reader.source_file, ".loc": _Reader.location,
}  # fmt: skip


def _first(rest: str) -> str:
    """The first operand of a directive."""
    return rest.split(",")[0].strip()


def read_assembly(text: str, name: str) -> AssemblyFile:
    """Directives and statements of an assembly file. Raises InputError LOAD0xx at an unreadable line."""
    return _Reader(name).read(text)


def kernel_names(file: AssemblyFile) -> list[str]:
    """The kernels with a descriptor, sorted."""
    return sorted(file.descriptors)


def extent(file: AssemblyFile, name: str) -> tuple[int, int]:
    """The statements of a function: from its label to its .size, the next function's label, or the end."""
    starts = [i for i, line in enumerate(file.statements) if line.is_label and line.text == name]
    if not starts:
        raise InputError(
            Place(file.name),
            "LOAD007",
            f"there is a descriptor of {name}, but no label {name}: in the text section",
            help=f"put the label `{name}:` before its first instruction, after .text",
        )
    first, last = starts[0], file.ends.get(name, len(file.statements))
    for i in range(first + 1, last):
        line = file.statements[i]
        if line.is_label and (line.text in file.functions or line.text in file.descriptors):
            return first, i
    return first, last


def reached(file: AssemblyFile, name: str) -> list[str]:
    """The function of this name, then the functions that it names, and so on."""
    functions = [name]
    for function in functions:
        first, last = extent(file, function)
        for line in file.statements[first:last]:
            if not line.is_label:
                functions += [
                    word
                    for word in dict.fromkeys(_WORD.findall(line.text))
                    if word in file.functions and word not in functions
                ]
    return functions
