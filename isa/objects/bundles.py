"""Code objects in other files: clang's offload bundles ("fat binaries"), also compressed, and host ELF files
with bundles in their section `.hip_fatbin` (clang's documentation, "Clang Offload Bundler").

A bundle begins with `__CLANG_OFFLOAD_BUNDLE__` and a number of entries of 64 bits; an entry has the offset
and the size of its content, and the size of its id and the id, such as `hipv4-amdgcn-amd-amdhsa--gfx942`. A
compressed bundle begins with `CCOB` and a header, with fields that depend on its version.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable, Iterator
from importlib import import_module

from isa.diagnostics import InputError
from isa.named_tuple import NamedTuple

_ELF, _PLAIN, _COMPRESSED = b"\x7fELF", b"__CLANG_OFFLOAD_BUNDLE__", b"CCOB"
_EM_AMDGPU = b"\xe0\0"
_MACHINE_AT, _SECTIONS_AT, _COUNTS_AT = 18, 40, 58  # offsets in the header of an ELF file
_FATBIN = b".hip_fatbin"
_LARGEST = 1 << 28  # bytes of all bundles of a file
_NOT_ZERO = re.compile(rb"[^\0]")
_TARGET = re.compile(r"amdgcn.*-(gfx[0-9a-z]+(?:-[0-9a-z]+)*(?::\w+[+-])*)\Z")
# By the version of a compressed bundle: the header after magic, version and method, and whether it begins
# with the size of the whole.
_HEADERS = {1: ("<IQ", False), 2: ("<IIQ", True), 3: ("<QQQ", True)}
_ZLIB, _ZSTD = 0, 1


class BundledObject(NamedTuple):
    """A code object of a container, and the target id that its entry names."""

    target: str
    data: bytes


def is_container(data: bytes) -> bool:
    """Whether a file may contain code objects and is not itself a code object."""
    machine = data[_MACHINE_AT : _MACHINE_AT + len(_EM_AMDGPU)]
    is_host = data.startswith(_ELF) and len(machine) == len(_EM_AMDGPU) and machine != _EM_AMDGPU
    return is_host or data.startswith((_PLAIN, _COMPRESSED))


def bundled_objects(data: bytes, name: str) -> list[BundledObject]:
    """The code objects of a container, in its order.

    Raises `InputError`: BUN001 for a damaged container, BUN002 for an unsupported compression, BUN003 for a
    file without a code object for an AMD GPU.
    """
    content = _fatbin(data, name) if data.startswith(_ELF) else data
    objects = list(_objects(content, name))
    if not objects:
        message = "the file has no code object for an AMD GPU, wanted a bundle with a code object"
        raise InputError(name, "BUN003", message)
    return objects


def _damaged(name: str, why: str) -> InputError:
    return InputError(name, "BUN001", f"the bundle is damaged or truncated ({why}), wanted a complete bundle")


def _fatbin(data: bytes, name: str) -> bytes:
    """The section of a host ELF file with bundles."""
    try:
        (first,) = struct.unpack_from("<Q", data, _SECTIONS_AT)
        size, count, names = struct.unpack_from("<HHH", data, _COUNTS_AT)
        headers = [struct.unpack_from("<I20xQQ", data, first + size * number) for number in range(count)]
        texts = headers[names][1]
    except (struct.error, IndexError, OverflowError):
        message = (
            f"the ELF file is damaged or truncated (offset {_SECTIONS_AT:#x} places the section headers "
            f"outside the file)"
        )
        raise InputError(name, "BUN001", f"{message}, wanted a complete bundle") from None
    for at, offset, length in headers:
        if data[texts + at : data.find(b"\0", texts + at)] == _FATBIN:
            return data[offset : offset + length]
    (machine,) = struct.unpack_from("<H", data, _MACHINE_AT)
    message = (
        f"the ELF file is for machine {machine:#x} at offset {_MACHINE_AT:#x} and has no section "
        f".hip_fatbin, wanted code for an AMD GPU (0xe0)"
    )
    raise InputError(name, "BUN003", message, help="a HIP program has it; `roc-obj-ls FILE` lists others")


def _objects(content: bytes, name: str) -> Iterator[BundledObject]:
    """The code objects of bundles that follow each other, zeros between them."""
    at = 0
    while match := _NOT_ZERO.search(content, at):
        at = match.start()
        if content.startswith(_COMPRESSED, at):
            bundle, at = _decompressed(content, at, name)
            if not bundle.startswith(_PLAIN):
                raise _damaged(name, f"the compressed data begins with {bundle[:4]!r}")
            yield from _entries(bundle, 0, name)[0]
        elif content.startswith(_PLAIN, at):
            objects, at = _entries(content, at, name)
            yield from objects
        else:
            raise _damaged(name, f"{content[at : at + 4]!r} at offset {at:#x} begins no bundle")


def _entries(content: bytes, start: int, name: str) -> tuple[list[BundledObject], int]:
    """The code objects for AMD GPUs of the bundle that begins at `start`, and the end of the bundle."""
    at = end = start + len(_PLAIN) + 8
    objects: list[BundledObject] = []
    try:
        (count,) = struct.unpack_from("<Q", content, start + len(_PLAIN))
        for _ in range(count):
            offset, size, length = struct.unpack_from("<QQQ", content, at)
            at += 24 + length
            first, last = start + offset, start + offset + size
            if max(at, last) > len(content):
                raise _damaged(name, f"an entry ends after the {len(content)} bytes that there are")
            match = _TARGET.search(content[at - length : at].decode("ascii", "replace"))
            if match is not None and content.startswith(_ELF, first, last):
                objects.append(BundledObject(match.group(1), content[first:last]))
            end = max(end, at, last)
    except struct.error:
        raise _damaged(name, f"its {len(content)} bytes end within the list of entries") from None
    return objects, end


def _decompressed(content: bytes, at: int, name: str) -> tuple[bytes, int]:
    """The contents of the compressed bundle at an offset, and its end."""
    try:
        version, method = struct.unpack_from("<HH", content, at + len(_COMPRESSED))
        if version not in _HEADERS:
            versions = ", ".join(map(str, _HEADERS))
            message = f"the bundle has version {version} of the compressed form, wanted one of {versions}"
            raise InputError(name, "BUN002", message)
        layout, has_total = _HEADERS[version]
        start = at + len(_COMPRESSED) + 4
        *total, size, _ = struct.unpack_from(layout, content, start)
        start += struct.calcsize(layout)
    except struct.error:
        raise _damaged(name, "it ends within its header") from None
    end = at + int(total[0]) if has_total else len(content)
    if not start <= end <= len(content):
        raise _damaged(name, f"it says that it ends at {end}, of {len(content)} bytes")
    if size > _LARGEST:
        raise _damaged(name, f"its header says {size} bytes")
    bundle, unused = _decompressor(method, name)(content[start:end], size, name)
    if len(bundle) != size:
        raise _damaged(name, f"its data is not the {size} bytes of its header")
    return bundle, end if has_total else end - unused


_Decompress = Callable[[bytes, int, str], tuple[bytes, int]]  # the content, and how many bytes come after it


def _decompressor(method: int, name: str) -> _Decompress:
    if method == _ZLIB:
        return _inflate
    if method == _ZSTD:
        return _unpack_zstd
    raise InputError(
        name, "BUN002", f"the bundle is compressed by method {method}, wanted zlib (0) or zstd (1)"
    )


def _inflate(data: bytes, size: int, name: str) -> tuple[bytes, int]:
    stream = zlib.decompressobj()
    try:
        content = stream.decompress(data, size + 1)
    except zlib.error as error:
        raise _damaged(name, str(error)) from None
    if not stream.eof:
        raise _damaged(name, "the compressed data has no end, or is longer than its header says")
    return content, len(stream.unused_data)


def _unpack_zstd(data: bytes, size: int, name: str) -> tuple[bytes, int]:
    try:
        library = import_module("zstandard")
    except ImportError:
        message = "the bundle is compressed by zstd, which the package zstandard reads"
        raise InputError(name, "BUN002", message, help="`pip install zstandard`") from None
    try:
        return library.ZstdDecompressor().stream_reader(data).read(size + 1), 0
    except library.ZstdError as error:
        raise _damaged(name, str(error)) from None
