"""Files by their names: the suffix of each kind of program, and bounded reading of a user's files."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from isa.diagnostics import InputError, close_names

if TYPE_CHECKING:
    from pathlib import Path

GEN_SUFFIXES = (".gen",)
MACHINE_SUFFIXES = (".mir",)
ASSEMBLY_SUFFIXES = (".s",)
MLIR_SUFFIXES = (".mlir",)
RUN_SUFFIX = ".run"  # of a file with launches
PYTHON_KERNEL = ".py:"  # between a Python file and the name of a kernel in it
ORDER_SUFFIX = ".order.json"  # of a certificate of orders
OBJECT_SUFFIXES = (".hsaco", ".co", ".o", ".so")
SOURCE_SUFFIXES = (*GEN_SUFFIXES, *MLIR_SUFFIXES, *MACHINE_SUFFIXES, *ASSEMBLY_SUFFIXES, *OBJECT_SUFFIXES)
LARGEST_TEXT = 1 << 26  # bytes
_LARGEST_FILE = 1 << 28
_CLANG = "clang -x {language} --target=amdgcn-amd-amdhsa -mcpu=gfx942 -O3 {more}{{path}} -o {{stem}}.hsaco"
_THEN = "compile it first: `" + _CLANG + "`; `run`, `report` and `check` read the code object"
# What people name that other compilers read, and how to come from there to what asmgen reads.
_FOREIGN_SUFFIXES = {
    ".py": "{path}:NAME names a kernel by hand; in Python, asmgen.compile takes a function of arrays",
    ".ll": _THEN.format(language="ir", more="-nogpulib "),
    ".bc": _THEN.format(language="ir", more="-nogpulib "),
    ".cl": _THEN.format(language="cl", more=""),
    ".hip": "compile it first: `hipcc --genco --offload-arch=gfx942 {path} -o {stem}.hsaco`",
    ".cpp": "compile it first: `hipcc --genco --offload-arch=gfx942 {path} -o {stem}.hsaco`",
    ".cu": "port it to HIP (hipify), then `hipcc --genco --offload-arch=gfx942 {stem}.hip -o {stem}.hsaco`",
    ".ptx": "PTX is for NVIDIA GPUs; start from the source that it was compiled from",
    ".spv": "compile the source for an AMD GPU: SPIR-V is not read",
    ".asm": "rename it to {stem}.s if it is AMDGPU assembly",
    ".S": "run the C preprocessor first: `cpp -P {path} {stem}.s`",
    ".run": "`python -m asmgen run {path}` runs it; other commands read the code that its launches name",
    ".npy": "arrays are arguments: `python -m asmgen run FILE --arg {path} ...`",
    ".onnx": "ONNX is not read; write the program with numpy's functions or as gen text (docs/gen-text.md)",
}


def refuse_foreign(path: Path) -> None:
    """`InputError` SRC002 for a source of another compiler, by its suffix."""
    if path.suffix in _FOREIGN_SUFFIXES:
        raise unknown_suffix(path)


def unknown_suffix(path: Path) -> InputError:
    """The error SRC002 for a file that no reader takes."""
    got = f"the suffix {path.suffix!r} is not known" if path.suffix else "the name has no suffix"
    message = f"{got}, wanted one of {', '.join(SOURCE_SUFFIXES)}"
    way_out = _FOREIGN_SUFFIXES.get(path.suffix)
    if way_out is None and os.path.exists(path) and not os.path.isfile(path):
        way_out = "standard input, pipes and devices are not read: write the text to a file, such as x.gen"
    elif way_out is None:
        way_out = (
            "the suffix says the kind of a file: .gen for gen text, .s for assembly, .hsaco for a code object"
            if os.path.isfile(path)
            else "there is no such file; in Python, gen text in a string has a line break or an @"
        )
    return InputError(
        "source" if str(path) == "." else str(path),
        "SRC002",
        message,
        help=way_out.format(path=path, stem=path.stem),
    )


def is_code_object(head: bytes) -> bool:
    """Whether a file that begins with these bytes is an ELF for an AMD GPU (e_machine at byte 18 is
    EM_AMDGPU)."""
    return head.startswith(b"\x7fELF") and head[18:20] == b"\xe0\0"


def text_of(path: Path) -> str:
    """The text of a file, without its byte order mark; `InputError` if it cannot be read or is not UTF-8."""
    data = bytes_of(path, LARGEST_TEXT)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"byte {error.start} is not UTF-8, wanted a text file"
        raise InputError(str(path), "SRC004", message, help=way_to_text(data, path)) from error


def way_to_text(data: bytes, path: Path) -> str:
    """The way out for a file that should be text and is not UTF-8."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return f"it is UTF-16: `iconv -f UTF-16 -t UTF-8 {path} > FILE{path.suffix}`"
    if is_code_object(data[:20]):
        return f"it is a code object: give it the suffix {OBJECT_SUFFIXES[0]}"
    return f"open it in an editor and save it as UTF-8, or make {path.name} again"


def bytes_of(path: Path, most: int = _LARGEST_FILE) -> bytes:
    """The bytes of a file; `InputError` if it cannot be read, is no regular file or has more than `most`
    bytes."""
    try:
        refuse_pipe(os.stat(path).st_mode, str(path), "SRC003")
        with path.open("rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        message = f"the file cannot be read: {reason.lower()}"
        way = _neighbours(path) if isinstance(error, FileNotFoundError) else ""
        raise InputError(str(path), "SRC003", message, help=way) from error
    if len(data) > most:
        raise InputError(str(path), "SRC010", f"the file has more than {most >> 20} MB, wanted at most that")
    return data


def _neighbours(path: Path) -> str:
    """`did you mean ...` for the files in the same folder, with the same suffix, that have a close name."""
    try:
        names = [name for name in os.listdir(path.parent) if name.endswith(path.suffix)]
    except OSError:
        return f"there is no folder {path.parent}"
    return close_names(path.name, names, len(path.suffix)) or f"`ls {path.parent}` shows the files there"


def refuse_pipe(mode: int, place: str, code: str) -> None:
    """`InputError` with `code` for the mode of a named pipe or a socket: opening it waits for a writer."""
    if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
        message = "this is a pipe, which may have no writer, wanted a regular file"
        raise InputError(place, code, message, help="write its contents to a file first: `cat PIPE > FILE`")


def whole_text(text: str, name: str) -> str:
    """The text of a given string, without its byte order mark; `InputError` if it has lone surrogates."""
    try:
        _ = text.encode()
    except UnicodeEncodeError as error:
        message = f"character {error.start} is half of a character, wanted text that has a UTF-8 form"
        raise InputError(name, "SRC004", message) from error
    return text.removeprefix("\ufeff")
