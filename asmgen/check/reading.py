"""Files to listings: assembly with directives, a bare list of instructions, a code object."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from asmgen.check.listing import Encoded, ListedFunction, Listing, without_padding
from asmgen.check.through_llvm import read_through_llvm
from asmgen.containers import code_objects
from asmgen.emission.assemble import machinery_in
from asmgen.emission.includes import refuse_includes
from asmgen.files import (
    GEN_SUFFIXES,
    MACHINE_SUFFIXES,
    MLIR_SUFFIXES,
    bytes_of,
    refuse_foreign,
    way_to_text,
)
from isa.diagnostics import InputError, Place
from isa.emulator.program.assembly import assembly_target
from isa.emulator.program.assembly_file import AssemblyFile, Line, read_assembly
from isa.emulator.program.calls import reads_counter
from isa.emulator.program.code import Code
from isa.emulator.program.image import Image
from isa.instruction import Immediate, Instr, Kind, Label
from isa.named_tuple import NamedTuple
from isa.objects.bundles import is_container
from isa.objects.descriptor import wave_size_of
from isa.objects.elf import ElfObject
from isa.objects.kernels import object_kernel_names
from isa.objects.source_lines import line_table
from isa.table import table_of
from isa.targets import TargetId, parse_target
from isa.text.lines import without_block_comments
from isa.text.parsing import parse_instr

_ELF_MAGIC = b"\x7fELF"
# A descriptor's field with a value that only the assembler knows: clang adds up the resources of the called
# functions.
_SYMBOLIC = re.compile(r"^[ \t]*\.amdhsa_(?!kernel\b)\w+[ \t]+(?![-+\d])\S.*$", re.MULTILINE)
_NUMBER = "CHK029"  # a jump by a number


class Listings(NamedTuple):
    """The listings of a file (a fat binary has a listing for each code object), and the errors of unreadable
    code objects."""

    listings: list[Listing]
    refused: list[InputError]


def read_listings(path: str, target: TargetId | None, allow_include: bool = False) -> Listings:
    """The listings of a file; of a fat binary those for `target`, if it is given. InputError as of
    `read_listing`, and BUN00x for an incomplete fat binary."""
    _refuse_sources(path)
    data = bytes_of(Path(path))
    if not is_container(data):
        return Listings([_read_data(data, path, target, allow_include)], [])
    read = Listings([], [])
    for code_object in code_objects(data, path, target):
        try:
            read.listings.append(listing_of_object(code_object.data, code_object.name, target))
        except InputError as error:
            read.refused.append(error)
    if not read.listings:
        raise read.refused[0]
    return read


def read_listing(path: str, target: TargetId | None, allow_include: bool = False) -> Listing:
    """The file's functions; `target` must be the file's if both name a target. `allow_include` lets it read
    other files.

    InputError SRC00x if it cannot be read, CHK02x if it cannot be checked or is for another target, and
    ASM00x or ISA00x if a line is not an instruction of the target.
    """
    _refuse_sources(path)
    return _read_data(bytes_of(Path(path)), path, target, allow_include)


def _refuse_sources(path: str) -> None:
    if Path(path).suffix in (*GEN_SUFFIXES, *MLIR_SUFFIXES, *MACHINE_SUFFIXES):
        help = f"`python -m asmgen kernel {path} --emit asm -o FILE.s` makes it"
        raise InputError(
            path, "CHK021", "the file comes before assembly, wanted assembly or a code object", help=help
        )
    refuse_foreign(Path(path))


def _read_data(data: bytes, path: str, target: TargetId | None, allow_include: bool) -> Listing:
    if data.startswith(_ELF_MAGIC):
        return listing_of_object(data, path, target)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            path,
            "CHK021",
            f"byte {error.start} is not UTF-8 and the file is no ELF, wanted assembly or a code object",
            help=way_to_text(data, Path(path)),
        ) from error
    if "\0" in text:
        raise InputError(
            path,
            "CHK021",
            f"byte {data.index(0)} is zero and the file is no ELF, wanted assembly or a code object",
        )
    return listing_of_text(text, path, target, allow_include)


def listing_of_text(
    text: str, name: str, target: TargetId | None = None, allow_include: bool = False
) -> Listing:
    """The functions of assembly text; `name` is its file in messages. `InputError` as of `read_listing`."""
    if not allow_include:
        refuse_includes(text, name)
    plain = _SYMBOLIC.sub("", without_block_comments(text))
    file = read_assembly(plain, name)
    if not file.statements:
        raise InputError(name, "CHK021", "the file has no instructions, wanted assembly or a code object")
    chosen = _target(file, plain, name, target)
    listing = Listing(name, chosen, text.splitlines())
    if machinery := machinery_in(plain):
        listing = read_through_llvm(text, listing, machinery, allow_include)
    else:
        _require_unique_labels(file)
        listing = _plain(file, text, listing)
    for function in listing.functions:
        function.vgprs = _declared_vgprs(file, function.name)
    listing.settle_calls()
    return listing


def _plain(file: AssemblyFile, text: str, listing: Listing) -> Listing:
    """The functions of a file as they are; as LLVM reads the file if we cannot."""
    try:
        functions = [
            _function(file, listing.target, listing.name, first, last) for first, last in _extents(file)
        ]
    except InputError as error:
        return _by_llvm_instead(file, text, listing, error)
    listing.functions = [function for function in functions if function.instructions]
    if not listing.functions:
        raise InputError(
            listing.name, "CHK021", "the file has no instructions, wanted assembly or a code object"
        )
    return listing


def _declared_vgprs(file: AssemblyFile, function: str) -> int:
    _, values = file.descriptors.get(function, (0, {}))
    vgprs = values.get("next_free_vgpr", 0)
    return min(vgprs, values.get("accum_offset", vgprs))


def _by_llvm_instead(file: AssemblyFile, text: str, listing: Listing, error: InputError) -> Listing:
    """The file as LLVM reads it if we cannot: symbols and expressions in operands, and older spellings. The
    error is the first line that neither can read, or that LLVM is missing if it might have helped."""
    try:
        return read_through_llvm(text, listing, "")
    except InputError as theirs:
        if theirs.code == "CHK022" and _may_be_llvms(error, listing):
            raise InputError(
                error.place, error.code, error.message, (*error.notes, theirs.message), theirs.help
            ) from error
        if error.code == _NUMBER:
            raise theirs from error
        if theirs.code != "CHK022" and isinstance(theirs.place, Place) and theirs.place.line != _line(error):
            raise _ours_there(file, listing.target, theirs.place) or theirs from error
        raise error from theirs


def _ours_there(file: AssemblyFile, target: TargetId, place: Place) -> InputError | None:
    """Our error about the instruction at a place; None if we can read it."""
    for line in file.statements:
        if line.number == place.line and not line.is_label and not line.is_boundary:
            try:
                _ = parse_instr(line.text, table_of(target.target), place)
            except InputError as error:
                return error
    return None


def _may_be_llvms(error: InputError, listing: Listing) -> bool:
    """Whether the line that cannot be read may name a symbol, jump by a number, or spell an instruction as
    another assembler does."""
    return 0 < _line(error) <= len(listing.lines) and error.code in ("ISA004", "ASM001", _NUMBER)


def _line(error: InputError) -> int:
    return error.place.line if isinstance(error.place, Place) else 0


def _target(file: AssemblyFile, text: str, name: str, target: TargetId | None) -> TargetId:
    if not file.target:
        if target is None:
            raise InputError(
                name, "CHK020", "the file has no .amdgcn_target, so its target is not known",
                help="--target gfx942 says it",
            )  # fmt: skip
        return target
    stated = assembly_target(text, name)
    for kernel, (number, values) in file.descriptors.items():
        if (lanes := wave_size_of(values, parse_target(file.target, name).target)) != stated.target.wave_size:
            message = (
                f"{kernel} runs waves of {lanes} lanes, and the first kernel of {stated.target.wave_size}, "
                "wanted the same size in a file"
            )
            raise InputError(Place(name, number, 1), "CHK025", message)
    return _both(stated, target, name, bool(file.descriptors))


def _both(stated: TargetId, target: TargetId | None, name: str, states_waves: bool) -> TargetId:
    """The file's target with the features that --target adds; InputError CHK025 if the two contradict each
    other.

    `states_waves`: the file states the number of lanes of its waves.
    """
    if target is None:
        return stated
    features = sorted({*stated.features, *target.features})
    agree = stated.target.name == target.target.name and len(
        {feature.rstrip("+-") for feature in features}
    ) == len(features)
    sizes_agree = (
        target.is_default_wave or target.target.wave_size == stated.target.wave_size or not states_waves
    )
    if not agree or not sizes_agree:
        raise InputError(
            name, "CHK025", f"the file is for {stated}, --target is {target}", help=f"--target {stated}"
        )
    return TargetId(stated.target if states_waves else target.target, tuple(features))


def _require_unique_labels(file: AssemblyFile) -> None:
    seen: dict[str, int] = {}
    for line in file.statements:
        if not line.is_label:
            continue
        if line.text in seen:
            raise InputError(
                _place(file.name, line),
                "CHK028",
                f"label {line.text} is in line {seen[line.text]} already, wanted each label once",
            )
        seen[line.text] = line.number


def _extents(file: AssemblyFile) -> list[tuple[int, int]]:
    """The statements of each function: from its label to the next function's; a bare list is a single
    function."""
    starts = [
        i
        for i, line in enumerate(file.statements)
        if line.is_label and (line.text in file.functions or line.text in file.descriptors)
    ]
    starts = starts if starts[:1] == [0] else [0, *starts]
    return list(zip(starts, [*starts[1:], len(file.statements)], strict=True))


def _function(file: AssemblyFile, target: TargetId, name: str, first: int, last: int) -> ListedFunction:
    statements = file.statements[first:last]
    table = table_of(target.target)
    instructions: list[Instr] = []
    places: list[Place] = []
    labels: dict[str, int] = {}
    known: dict[str, Instr] = {}  # by its text; each line has an instruction of its own
    for line in statements:
        if line.is_label:
            labels[line.text] = len(instructions)
        elif not line.is_boundary:
            place = _place(name, line)
            same = known.get(line.text)
            instr = known[line.text] = parse_instr(line.text, table, place) if same is None else replace(same)
            instructions.append(instr)
            places.append(place)
    for instr, place in zip(instructions, places, strict=True):
        _require_labels(instr, place, labels, len(instructions))
    title = statements[0].text if statements and statements[0].is_label else Path(name).name
    return ListedFunction(title, Code(title, [*instructions], labels), places)


def _require_labels(instr: Instr, place: Place, labels: dict[str, int], end: int) -> None:
    """`end` is how many instructions the function has."""
    for spec, operand in zip(instr.row.operands, instr.operands, strict=True):
        if isinstance(operand, Label) and labels.get(operand.name, end) == end:
            raise InputError(
                place,
                "CHK024",
                f"{instr.row.mnemonic} goes to {operand.name}, wanted a label of the same function with "
                "code after it",
            )
        if isinstance(operand, Immediate) and spec.kinds & Kind.LABEL:
            raise InputError(
                place, _NUMBER, f"{instr.row.mnemonic} has a number as its target, wanted a label"
            )


def _place(name: str, line: Line) -> Place:
    return Place(name, line.number, 1)


def listing_of_object(data: bytes, name: str, target: TargetId | None = None) -> Listing:
    """The kernels of a code object and, if a kernel can reach them, its other functions, each by itself."""
    from isa.emulator.runner import load  # the emulator brings numpy

    names = object_kernel_names(data, name, needs_metadata=False)
    if not names:
        raise InputError(name, "CHK021", "the code object has no kernel, wanted at least a kernel")
    refused: dict[str, InputError] = {}
    images: list[Image] = []
    for kernel in names:
        try:
            images.append(load(data, kernel, name, to_run=False))
        except InputError as error:
            refused[kernel] = error
    if not images:
        raise refused[names[0]]
    chosen = _both(parse_target(images[0].target, name), target, name, True)
    listing = Listing(name, chosen, [], refused=refused)
    lines, elf = line_table(data), ElfObject(data, Place(name))
    codes = [(image.code, image.descriptor.agpr_offset) for image in images]
    if any(reads_counter(instr) for image in images for instr in image.code.instructions):
        codes += _functions(data, listing, min(vgprs for _, vgprs in codes))
    for code, vgprs in codes:
        places = [_address(name, address, lines.at(address)) for address in code.object_addresses]
        function = ListedFunction(code.name, code, places, vgprs, encoded=_encoded(elf, code))
        listing.functions.append(without_padding(function))
    listing.settle_calls()
    return listing


def _functions(data: bytes, listing: Listing, vgprs: int) -> Iterator[tuple[Code, int]]:
    """The functions that kernels of an object may call, with the VGPRs that every kernel has; unreadable
    functions are added to `listing.refused`."""
    from isa.emulator.program.codeobject import functions_of_object

    for name, code in functions_of_object(data, listing.name, listing.target.target):
        if isinstance(code, InputError):
            listing.refused[name] = code
        elif code.operations:
            yield code, vgprs


def _encoded(elf: ElfObject, code: Code) -> list[Encoded]:
    """The address of each instruction of a function, and its bytes."""
    addresses = code.object_addresses
    first, (_, end) = addresses[0], elf.extent(code.name)
    content = elf.bytes_at(first, end - first)
    return [
        Encoded(start, content[start - first : after - first])
        for start, after in zip(addresses, [*addresses[1:], end], strict=True)
    ]


def _address(name: str, address: int, source: Place | None) -> Place:
    """The address of an instruction of a code object, and its source line if the object has it."""
    return Place(f"{name}+{address:#x}" if source is None else f"{name}+{address:#x} ({source})")
