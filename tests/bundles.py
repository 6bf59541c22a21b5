"""Bundles of code objects by the documented bytes (clang's documentation, "Clang Offload Bundler"), and host files with them."""

from __future__ import annotations

import struct
import subprocess
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

HOST = ("host-x86_64-unknown-linux-gnu-", b"")


def bundle(entries: Sequence[tuple[str, bytes]], align: int = 4096) -> bytes:
    """An uncompressed bundle of (id, content), each content aligned."""
    ids = [entry.encode() for entry, _ in entries]
    at = 32 + sum(24 + len(each) for each in ids)
    head, body = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", len(entries)), b""
    for each, (_, content) in zip(ids, entries, strict=True):
        padding = -(at + len(body)) % align
        head += struct.pack("<QQQ", at + len(body) + padding, len(content), len(each)) + each
        body += bytes(padding) + content
    return head + body


def compressed(plain: bytes, version: int = 3, method: int = 0, pack: Callable[[bytes], bytes] = zlib.compress) -> bytes:
    """A compressed bundle; the hash is not read."""
    packed = pack(plain)
    layout = {1: "<IQ", 2: "<IIQ", 3: "<QQQ"}[version]
    total = 8 + struct.calcsize(layout) + len(packed)
    sizes = (len(plain), 0) if version == 1 else (total, len(plain), 0)
    return b"CCOB" + struct.pack("<HH", version, method) + struct.pack(layout, *sizes) + packed


def fat(*objects: tuple[str, bytes]) -> bytes:
    """A bundle of code objects by target id, after an empty entry for the host, as hipcc makes it."""
    return bundle([HOST, *((f"hipv4-amdgcn-amd-amdhsa--{target}", content) for target, content in objects)])


def host_file(directory: Path, content: bytes) -> Path:
    """A host's shared object with the section that HIP programs have; it takes clang-22, ld.lld-22 and llvm-objcopy-22."""
    section, path = directory / "section", directory / "libhost.so"
    section.write_bytes(content)
    options = ["-target", "x86_64-unknown-linux-gnu", "-shared", "-nostdlib", "-fuse-ld=lld", "-x", "c"]
    subprocess.run(["clang-22", *options, "-o", str(path), "-"], input="int f(void) { return 1; }\n", text=True, check=True)
    added = ["--add-section", f".hip_fatbin={section}", "--set-section-flags", ".hip_fatbin=alloc"]
    subprocess.run(["llvm-objcopy-22", *added, str(path)], check=True)
    return path
