"""Stores that are not to stay in a cache: those of buffers larger than the last cache, whole lines at a
time."""

from __future__ import annotations

import re
import subprocess

import pytest

import asmgen
from asmgen.kernels import build_kernel
from isa.targets import parse_target

TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")
LARGE = 1 << 27  # elements of f32: 512 MB
CLANG = ("clang-22", "-x", "cl", "-cl-std=CL2.0", "-target", "amdgcn-amd-amdhsa", "-nogpulib", "-O3", "-S", "-o", "-", "-")
SOURCE = """
typedef float f4 __attribute__((ext_vector_type(4)));
__kernel void k(__global f4 *z, f4 v) { __builtin_nontemporal_store(v, z + __builtin_amdgcn_workitem_id_x()); }
"""


def modifiers(assembly: str) -> set[str]:
    """What follows the offset of each store of 16 bytes."""
    lines = [line.partition(";")[0].split() for line in assembly.splitlines()]
    stores = [line for line in lines if line and line[0] in ("global_store_dwordx4", "global_store_b128")]
    return {" ".join(word for word in store[4:] if not word.startswith("offset:")) for store in stores}


def compiled(target: str, text: str) -> str:
    return asmgen.compile(text, target=target).kernels[-1].assembly


def added(n: int | str) -> str:
    return f"x = @param:x -> f32, {{{n}}}\ny = add(x, x)\n@return(y)\n"


def summed(count: int) -> str:
    """The sums of many rows of a few elements."""
    return f"x = @param:x -> f32, {{{LARGE},{count}}}\ny = reduce_sum[axes=1](x)\n@return(y)\n"


@pytest.mark.needs_llvm("clang-22")
@pytest.mark.parametrize("target", TARGETS)
def test_a_large_result_is_stored_as_clang_stores_what_is_not_temporal(target: str) -> None:
    command = [*CLANG, f"-mcpu={target}"]
    text = subprocess.run(command, input=SOURCE, capture_output=True, text=True, check=True).stdout
    (wanted,) = {re.sub(r"^off ", "", one) for one in modifiers(text)}
    assert wanted
    assert modifiers(compiled(target, added(LARGE))) == {wanted}


@pytest.mark.parametrize("target", TARGETS)
def test_what_fits_a_cache_stays_there(target: str) -> None:
    elements = parse_target(target).target.last_cache_bytes // 4
    assert modifiers(compiled(target, added(elements))) == {""}
    assert modifiers(compiled(target, added("n"))) == {""}, "n may be small"


@pytest.mark.parametrize("target", TARGETS)
def test_lines_that_are_filled_by_several_stores_stay_too(target: str) -> None:
    """A lane has the sum of a row of 31, a store of four bytes."""
    stores = [line.partition(";")[0] for line in compiled(target, summed(31)).splitlines() if "global_store" in line]
    assert stores
    assert not any(re.search(r"\bnt\b|slc|th:", line) for line in stores)


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_sums_of_a_few_are_streams(target: str) -> None:
    """A lane has four sums of four, a store of 16 bytes, and lanes fill whole lines."""
    text = f"x = @param:x -> f32, {{{LARGE // 64},4,64}}\ny = reduce_sum[axes={{1}}](x)\n@return(y)\n"
    assert modifiers(compiled(target, text)) == modifiers(compiled(target, added(LARGE))) != {""}


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_rows_are_streams_whole_or_transposed(target: str) -> None:
    """A transposed square is stored by lines of 128 bytes, of eight lanes each."""
    rows = asmgen.compile(build_kernel("softmax", [("rows", str(1 << 17))]), target=target).kernels[0].assembly
    text = "x = @param:x -> f32, {16384,16384}\ny = transpose[permutation={1,0}](x)\n@return(y)\n"
    assert modifiers(rows) == modifiers(compiled(target, text)) != {""}
