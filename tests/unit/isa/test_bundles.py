"""Code objects in bundles, also compressed, and host files; llvm-objdump reads the bytes that the tests
write."""

from __future__ import annotations

import struct
import subprocess
import zlib
from pathlib import Path

import pytest

from isa.diagnostics import InputError
from isa.objects.bundles import bundled_objects, is_container
from tests.bundles import HOST, bundle, compressed, fat, host_file

ELF = b"\x7fELF" + bytes(range(60))
OTHER = b"\x7fELF" + bytes(range(100, 250))
TWO = fat(("gfx90a:xnack+", ELF), ("gfx1201", OTHER))
FOUND = [("gfx90a:xnack+", ELF), ("gfx1201", OTHER)]


def refused(data: bytes) -> InputError:
    with pytest.raises(InputError) as caught:
        _ = bundled_objects(data, "fat")
    return caught.value


@pytest.mark.parametrize("data", [TWO, compressed(TWO, 1), compressed(TWO, 2), compressed(TWO, 3), bytes(64) + TWO + bytes(100)])
def test_entries_of_a_bundle(data: bytes) -> None:
    assert is_container(data.lstrip(b"\0"))
    assert bundled_objects(data, "fat") == FOUND


def test_bundles_that_follow_each_other() -> None:
    """One for each source file of a program."""
    one = fat(("gfx942", ELF))
    parts = (one, bytes(4096), compressed(TWO), bytes(7), compressed(one, 1), bytes(3), TWO)
    assert bundled_objects(b"".join(parts), "fat") == [("gfx942", ELF), *FOUND, ("gfx942", ELF), *FOUND]


def test_what_is_no_code_object_is_passed_over() -> None:
    entries = [HOST, ("hip-amdgcn-amd-amdhsa--gfx942", b"BC\xc0\xde"), ("hip-spirv64-amd-amdhsa--amdgcnspirv", ELF)]
    assert refused(bundle(entries)).code == "BUN003"
    openmp = ("openmp-amdgcn-amd-amdhsa--gfx9-4-generic:sramecc+", ELF)
    assert bundled_objects(bundle([*entries, openmp]), "fat") == [("gfx9-4-generic:sramecc+", ELF)]


@pytest.mark.parametrize("size", [24, 31, 40, 60, len(TWO) - 1])
def test_truncated_bundles(size: int) -> None:
    assert refused(TWO[:size]).code == "BUN001"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (compressed(TWO)[:20], "BUN001"),
        (compressed(TWO)[:-5], "BUN001"),
        (compressed(TWO, 1)[:-5], "BUN001"),
        (b"CCOB" + struct.pack("<HH", 9, 0) + bytes(40), "BUN002"),
        (b"CCOB" + struct.pack("<HH", 3, 7) + struct.pack("<QQQ", 40, 8, 0) + bytes(8), "BUN002"),
        (b"CCOB" + struct.pack("<HHQQQ", 3, 0, 40, 1 << 60, 0) + bytes(8), "BUN001"),
        (compressed(compressed(TWO)), "BUN001"),
        (compressed(TWO).replace(struct.pack("<Q", len(TWO)), struct.pack("<Q", len(TWO) - 1)), "BUN001"),
        (TWO + b"more", "BUN001"),
        (b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", 1 << 40) + bytes(64), "BUN001"),
        (b"\x7fELF\2\1\1" + bytes(11) + b"\x3e\0" + bytes(20), "BUN001"),
    ],
)
def test_damaged_bundles(data: bytes, code: str) -> None:
    assert refused(data).code == code


def test_bundles_compressed_by_zstd(monkeypatch: pytest.MonkeyPatch) -> None:
    zstandard = pytest.importorskip("zstandard", reason="the package zstandard is missing")
    data = compressed(TWO, 3, 1, zstandard.ZstdCompressor().compress)
    assert bundled_objects(data, "fat") == FOUND
    assert refused(data[:32] + bytes(len(data) - 32)).code == "BUN001"
    monkeypatch.setitem(__import__("sys").modules, "zstandard", None)
    error = refused(data)
    assert (error.code, error.help) == ("BUN002", "`pip install zstandard`")


@pytest.mark.needs_llvm("clang-22", "ld.lld-22", "llvm-objcopy-22", "llvm-objdump-22")
@pytest.mark.parametrize("content", [TWO, compressed(TWO), TWO + bytes(4096 - len(TWO) % 4096) + TWO])
def test_llvm_finds_the_same_in_a_host_file(tmp_path: Path, content: bytes) -> None:
    path = host_file(tmp_path, content)
    found = bundled_objects(path.read_bytes(), "fat")
    assert found == FOUND * (len(found) // 2)
    shown = subprocess.run(["llvm-objdump-22", "--offloading", str(path)], capture_output=True, text=True, check=True)
    theirs = [line for line in shown.stdout.splitlines() if "--gfx" in line]
    assert len(theirs) == len(found), shown
    assert all(f"--{each.target}" in line for each, line in zip(found, theirs, strict=True))


@pytest.mark.needs_llvm("clang-22", "ld.lld-22", "llvm-objcopy-22")
def test_a_host_file_without_gpu_code(tmp_path: Path) -> None:
    path = host_file(tmp_path, b"")
    subprocess.run(["llvm-objcopy-22", "--remove-section", ".hip_fatbin", str(path)], check=True)
    assert is_container(path.read_bytes())
    error = refused(path.read_bytes())
    assert (error.code, "no section .hip_fatbin" in error.message) == ("BUN003", True)


def test_zlib_is_what_the_bytes_say() -> None:
    assert zlib.decompress(compressed(TWO, 2)[24:]) == TWO
