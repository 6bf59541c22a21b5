"""Assembly text as clang and this project print it: directives, labels, instructions, descriptor and
metadata.

Directives without an effect on a kernel (alignment, symbols, sections of debug data, `.set` sums) are
ignored. Only the instructions of the requested kernel are decoded, so the rest of the file may be unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from isa.diagnostics import InputError, Place
from isa.emulator.program.calls import deepening, with_distances, with_some_distance
from isa.emulator.program.code import Code, Operation
from isa.emulator.program.image import Image
from isa.instruction import Origin
from isa.objects.descriptor import Descriptor, from_directives, wave_size_of
from isa.objects.metadata import (
    LARGEST_WORKGROUP,
    KernelMetadata,
    RegisterCounts,
    choose,
    kernels_of,
    parse_yaml,
)
from isa.objects.template import append_help, kernel_template, metadata_template
from isa.table import Table, table_of
from isa.target import Target
from isa.targets import TargetId, parse_target, with_wave_size
from isa.text.lines import open_string, split_comment
from isa.text.parsing import parse_instr

_WORD = re.compile(r"[A-Za-z_.$][\w.$]*")
_LABEL = re.compile(r"\s*([A-Za-z_.$][\w.$@]*):\s*(.*)\Z")
_LOC = re.compile(r"(\d{1,9})\s+(\d{1,9})(?:\s+(\d{1,9}))?")
_TARGET_LINE = '.amdgcn_target "amdgcn-amd-amdhsa--gfx942"'
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
        elif name == ".amdhsa_kernel":
            self._kernel = rest.strip()
            self.file.descriptors[self._kernel] = (number, {})
        elif name == ".end_amdhsa_kernel":
            self._kernel = ""
        elif name == ".amdgpu_metadata":
            self._yaml = []
        elif name == ".amdgcn_target":
            self.file.target = rest.strip().strip('"').rpartition("--")[2]
        elif name == ".text":
            self._in_text = True
        elif name in (".section", ".pushsection"):
            self._stack.append(self._in_text)
            self._in_text = rest.split(",")[0].strip().strip('"').startswith(".text")
        elif name == ".popsection" and self._stack:
            self._in_text = self._stack.pop()
        elif name in (".data", ".bss", ".rodata"):
            self._in_text = False
        elif name == ".type" and "@function" in rest:
            self.file.functions.add(rest.split(",")[0].strip())
        elif name == ".size" and self._in_text:
            self.file.ends[rest.split(",")[0].strip()] = len(self.file.statements)
        elif name == ".p2align" and self._in_text and rest.split(",")[0].strip() == "8":
            self.file.statements.append(Line(number, "", is_boundary=True))
        elif name in (".file", ".loc"):
            self._position(name, rest)

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

    def _position(self, name: str, rest: str) -> None:
        if name == ".file" and (match := _FILE.match(rest)):
            number, first, second = match.groups()
            self._sources[int(number)] = f"{first}/{second}" if second else first
        elif name == ".loc" and (match := _LOC.match(rest)):
            number, line, column = (int(group or 0) for group in match.groups())
            self._source = Place(self._sources.get(number, f"file {number}"), line, column) if line else None


def read_assembly(text: str, name: str) -> AssemblyFile:
    """Directives and statements of an assembly file. Raises InputError LOAD0xx at an unreadable line."""
    return _Reader(name).read(text)


def assembly_target(text: str, name: str) -> TargetId:
    """The target that assembly text states, at the wave size of its first kernel. Raises InputError LOAD008
    if it states none."""
    file = read_assembly(text, name)
    return _target(file, next(iter(file.descriptors), None), Place(name))


def without_descriptor(file: AssemblyFile, kernel: str | None) -> InputError:
    """The error LOAD001 for a file of instructions without a kernel descriptor; `kernel` is the name that the
    user gave."""
    place = Place(file.name)
    message = "the file has no .amdhsa_kernel, wanted assembly of a kernel with its descriptor"
    if not file.target:
        return InputError(place, "LOAD001", message, help=f"begin it with {_TARGET_LINE}")
    labels = (line.text for line in file.statements if line.is_label)
    template = kernel_template(kernel or next(labels, "kernel"), _target(file, None, place))
    return InputError(place, "LOAD001", message, help=append_help(template))


def _target(file: AssemblyFile, kernel: str | None, place: Place) -> TargetId:
    """The target that the file states, at the wave size that the kernel's descriptor states."""
    if not file.target:
        raise InputError(
            place,
            "LOAD008",
            "the file has no .amdgcn_target, wanted that directive to name its target",
            help=f"its first line may be {_TARGET_LINE}",
        )
    stated = parse_target(file.target, place)
    if kernel is None:
        return stated
    number, values = file.descriptors[kernel]
    lanes = wave_size_of(values, stated.target)
    if lanes not in stated.target.wave_sizes:
        raise InputError(
            Place(file.name, number, 1),
            "LOAD014",
            f"{kernel} asks for waves of {lanes} lanes, which {stated.target.name} does not run",
            help=".amdhsa_wavefront_size32 0 asks for waves of 64 lanes, 1 for 32",
        )
    return stated._replace(target=with_wave_size(stated.target, lanes))


def kernel_names(file: AssemblyFile) -> list[str]:
    return sorted(file.descriptors)


def decode(file: AssemblyFile, name: str, table: Table) -> Code:
    """A kernel, followed by the functions that it names, as code. Raises InputError for an unknown
    instruction."""
    code, lines = _code_and_lines(file, reached(file, name))
    for line in lines:
        code.operations.append(_instruction(file, line, with_distances, table, code))
    return code


def decode_alone(file: AssemblyFile, name: str, table: Table) -> Code:
    """A kernel without the functions that it names, for analysis: distances to them and to data are some
    number."""
    code, lines = _code_and_lines(file, [name])
    for line in lines:
        code.operations.append(_instruction(file, line, with_some_distance, table, code))
    return code


def _code_and_lines(file: AssemblyFile, functions: Sequence[str]) -> tuple[Code, list[Line]]:
    """The code of functions, the kernel first, without its operations, and the lines of these."""
    name = functions[0]
    labels: dict[str, int] = {}
    lines: list[Line] = []
    boundary: int | None = None
    kernel_end = 0
    for function in functions:
        kernel_end = kernel_end or len(lines)
        first, last = extent(file, function)
        for line in file.statements[first:last]:
            if line.is_label:
                labels[line.text] = len(lines)
            elif line.is_boundary:
                boundary = len(lines) if boundary is None and lines and function == name else boundary
            else:
                lines.append(line)
    return Code(name, [], labels, preload_entry=boundary, kernel_end=kernel_end or None), lines


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


def _instruction(
    file: AssemblyFile, line: Line, distances: Callable[[str, Code, Place], str], table: Table, code: Code
) -> Operation:
    place = Place(file.name, line.number, 1)
    instr = parse_instr(distances(line.text, code, place), table, place)
    return replace(instr, origin=Origin(line.comment, line.source or place, place if line.source else None))


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


def load_assembly(text: str, name: str, kernel: str | None, to_run: bool = True) -> Image:
    """A kernel of an assembly file, ready to launch. With `to_run` False it is the kernel's own code only,
    for analysis, which needs no metadata."""
    return image_of(read_assembly(text, name), kernel, to_run)


def image_of(file: AssemblyFile, kernel: str | None, to_run: bool = True) -> Image:
    """As `load_assembly`, of a file that is read."""
    name, place = file.name, Place(file.name)
    if not file.descriptors:
        raise without_descriptor(file, kernel)
    chosen = choose(kernel_names(file), kernel, place)
    target = _target(file, chosen, place)
    descriptor = _descriptor(file, chosen, target.target)
    metadata = next((entry for entry in file.metadata if entry.name == chosen), None)
    if metadata is None and to_run:
        raise InputError(
            place,
            "LOAD009",
            f"the file has no metadata of kernel {chosen}, wanted an .amdgpu_metadata entry "
            f"with its arguments",
            help=append_help(metadata_template(chosen, target)),
        )
    first, _ = extent(file, chosen)
    table = table_of(target.target)
    code = decode(file, chosen, table) if to_run else decode_alone(file, chosen, table)
    if not code.operations:
        raise InputError(
            Place(name, file.statements[first].number, 1),
            "LOAD016",
            f"kernel {chosen} has no instruction, wanted at least 1",
            help="the least kernel is s_endpgm",
        )
    descriptor = deepening(descriptor, code.functions)
    if not descriptor.preload_dwords:
        code.preload_entry = None
    place = Place(name, file.statements[first].number, 1)
    if metadata is None:
        return Image(
            chosen, str(target), code, descriptor, (), descriptor.kernarg_size, LARGEST_WORKGROUP, None,
            place,
            _stated_counts(file.descriptors[chosen][1]), has_metadata=False,
        )  # fmt: skip
    return Image(
        chosen, str(target), code, descriptor, metadata.arguments, metadata.kernarg_size,
        metadata.largest_workgroup, metadata.required,
        place, metadata.counts,
    )  # fmt: skip


def _stated_counts(values: dict[str, int]) -> RegisterCounts:
    """The registers that the descriptor's directives ask for; the SGPRs that are set apart are not among
    theirs."""
    vgprs = values["next_free_vgpr"]
    return RegisterCounts(vgprs, max(0, vgprs - values["accum_offset"]) if "accum_offset" in values else None)


def _descriptor(file: AssemblyFile, kernel: str, target: Target) -> Descriptor:
    if kernel in file.faults:
        raise file.faults[kernel]
    number, values = file.descriptors[kernel]
    return from_directives(values, target, Place(file.name, number, 1))
