"""Files of compiled code, from other compilers or ours: assembly text and code objects, recognised by their
content.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from asmgen.containers import code_objects
from asmgen.emission.assemble import followed
from asmgen.emission.includes import refuse_includes
from asmgen.files import (
    ASSEMBLY_SUFFIXES,
    GEN_SUFFIXES,
    MACHINE_SUFFIXES,
    OBJECT_SUFFIXES,
    bytes_of,
    text_of,
)
from asmgen.report.build import report_image
from asmgen.report.model import KernelReport
from asmgen.report.result import Assembled, Report
from isa.diagnostics import InputError
from isa.emulator import load
from isa.emulator.program.assembly import image_of
from isa.emulator.program.assembly_file import kernel_names, read_assembly
from isa.emulator.program.image import Image
from isa.emulator.program.source_lines import with_source_lines
from isa.objects.bundles import is_container
from isa.objects.kernels import object_kernel_names
from isa.targets import TargetId, parse_target

_ELF_MAGIC = b"\x7fELF"
_TARGET_DIRECTIVE = b".amdgcn_target"
_DESCRIPTOR = "put .amdhsa_kernel NAME ... .end_amdhsa_kernel behind the code; `check` takes code without it"


def read_compiled(source: str) -> str | bytes | None:
    """Assembly text or a code object; None if the source is neither, so it is to be compiled.

    A known suffix decides; else the content does: ELF, or text with an .amdgcn_target. `InputError` SRC00x if
    a file of such a suffix cannot be read.
    """
    path = Path(source)
    if path.suffix in ASSEMBLY_SUFFIXES:
        return text_of(path)
    if path.suffix in OBJECT_SUFFIXES:
        return bytes_of(path)
    if path.suffix in (*GEN_SUFFIXES, *MACHINE_SUFFIXES) or not os.path.isfile(path):
        return None
    data = bytes_of(path)
    if data.startswith(_ELF_MAGIC) or is_container(data):
        return data
    return text_of(path) if _TARGET_DIRECTIVE in data else None


def report_compiled(
    compiled: str | bytes, name: str, target: TargetId | None, allow_include: bool = False,
    at: Sequence[str] = (),
) -> Report:  # fmt: skip
    """The report of every kernel of a file, sorted by name; `target`, if given, must be the file's, or that
    of a code object of a fat binary.

    `allow_include` lets assembly text read other files, and `at` names points with live values to list.

    A kernel that cannot be analysed is in `Report.refused` with its error; the other kernels are reported.
    The same is true of a code object of a fat binary.

    Raises `InputError`: LOAD0xx for an incomplete file or an unknown target, BUN00x for an incomplete fat
    binary, REP004 without a kernel, and the first kernel's error if none can be analysed: REP003 for another
    target, EMU016 for a kernel that calls.
    """
    if isinstance(compiled, str):
        if not allow_include:
            refuse_includes(compiled, name)
        compiled = followed(compiled, name, allow_include)
    if isinstance(compiled, str) or not is_container(compiled):
        return _report_file(compiled, name, target, at)
    reports: list[KernelReport] = []
    codes: list[Assembled] = []
    refused: dict[str, InputError] = {}
    for code_object in code_objects(compiled, name, target):
        try:
            report = _report_file(code_object.data, code_object.name, target, at)
        except InputError as error:
            refused[code_object.name] = error
            continue
        reports += report.kernels
        codes += report.assembled()
        refused |= {f"{kernel} of {code_object.name}": error for kernel, error in report.refused.items()}
    if not reports:
        raise next(iter(refused.values()))
    return Report(tuple(reports), lambda: tuple(codes), refused)


def _report_file(compiled: str | bytes, name: str, target: TargetId | None, at: Sequence[str]) -> Report:
    """The report of an assembly text or a code object."""
    names, image_of = _images(compiled, name)
    if not names:
        message = "the file has no kernel, wanted a kernel with its descriptor"
        raise InputError(name, "REP004", message, help=_DESCRIPTOR)
    reports: list[KernelReport] = []
    images: list[Image] = []
    refused: dict[str, InputError] = {}
    for kernel in names:
        try:
            image = _checked(image_of(kernel), name, target)
            reports.append(report_image(image, at))
            images.append(image)
        except InputError as error:
            refused[kernel] = error
    if not reports:
        raise refused[names[0]]
    return Report(tuple(reports), partial(_assembled, images, reports), refused)


def _assembled(images: Iterable[Image], reports: Iterable[KernelReport]) -> tuple[Assembled, ...]:
    """The kernels of a file, with the texts of their points."""
    return tuple(
        Assembled(image, tuple(point.site.text for point in report.points))
        for image, report in zip(images, reports, strict=True)
    )


def _images(compiled: str | bytes, name: str) -> tuple[list[str], Callable[[str], Image]]:
    """The kernels of an assembly text or a code object, and a function that loads a kernel."""
    if isinstance(compiled, str):
        file = read_assembly(compiled, name)
        return kernel_names(file), lambda kernel: image_of(file, kernel, to_run=False)
    names = object_kernel_names(compiled, name, needs_metadata=False)
    return names, lambda kernel: with_source_lines(load(compiled, kernel, name, to_run=False), compiled)


def _checked(image: Image, name: str, target: TargetId | None) -> Image:
    """The image; `InputError` REP003 if it is for another target."""
    if target is not None and parse_target(image.target, name).target is not target.target:
        raise InputError(
            name, "REP003", f"the file is for {image.target}, --target is {target}",
            help=f"--target {image.target}",
        )  # fmt: skip
    return image
