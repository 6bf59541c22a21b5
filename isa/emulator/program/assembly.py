"""Kernels of assembly text. Only the instructions of the requested kernel are decoded, so the rest of the
file may be unknown."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from isa.diagnostics import InputError, Place
from isa.emulator.program.assembly_file import (
    AssemblyFile,
    Line,
    extent,
    kernel_names,
    reached,
    read_assembly,
)
from isa.emulator.program.calls import deepening, with_distances, with_some_distance
from isa.emulator.program.code import Code, Operation
from isa.emulator.program.image import Image
from isa.instruction import Origin
from isa.objects.descriptor import Descriptor, from_directives, wave_size_of
from isa.objects.metadata import LARGEST_WORKGROUP, RegisterCounts, choose
from isa.objects.template import append_help, kernel_template, metadata_template
from isa.table import Table, table_of
from isa.target import Target
from isa.targets import TargetId, parse_target, with_wave_size
from isa.text.parsing import parse_instr

_TARGET_LINE = '.amdgcn_target "amdgcn-amd-amdhsa--gfx942"'


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
    starts: list[int] = []
    for function in functions:
        starts.append(len(lines))
        first, last = extent(file, function)
        for line in file.statements[first:last]:
            if line.is_label:
                labels[line.text] = len(lines)
            elif line.is_boundary:
                boundary = len(lines) if boundary is None and lines and function == name else boundary
            else:
                lines.append(line)
    return Code(name, [], labels, preload_entry=boundary, function_starts=starts[1:]), lines


def _instruction(
    file: AssemblyFile, line: Line, distances: Callable[[str, Code, Place], str], table: Table, code: Code
) -> Operation:
    place = Place(file.name, line.number, 1)
    instr = parse_instr(distances(line.text, code, place), table, place)
    return replace(instr, origin=Origin(line.comment, line.source or place, place if line.source else None))


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
            name=chosen,
            target=str(target),
            code=code,
            descriptor=descriptor,
            arguments=(),
            kernarg_size=descriptor.kernarg_size,
            largest_workgroup=LARGEST_WORKGROUP,
            required=None,
            place=place,
            counts=_stated_counts(file.descriptors[chosen][1]),
            has_metadata=False,
        )
    return Image.of(metadata, target, code, descriptor, place)


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
