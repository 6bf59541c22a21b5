"""Each function of a file is checked by itself, once, however many kernels may call it."""

from __future__ import annotations

from pathlib import Path

import pytest

from asmgen.check.analysis import Examined
from asmgen.check.listing import Listing
from asmgen.check.reading import read_listing
from tests.compiled.build import assembly_of, compiled_text

pytestmark = pytest.mark.needs_llvm("clang-22", "ld.lld-22")

# LLVM knows that no callee touches AGPR 0, and looks back five states for soft clauses.
SOURCE = """
__attribute__((noinline)) static uint near_by(uint x) { return x * 3 ^ 5; }
__attribute__((noinline)) uint visible(uint x) { return x * 3 ^ 5; }
__constant uint table[8] = {1, 5, 2, 8, 3, 9, 4, 7};
#define KERNEL(name, f) \\
  __kernel void name(__global uint *o, __global ulong *p) { \\
    uint x = __builtin_amdgcn_workitem_id_x(); \\
    __global ulong *q = p + x; \\
    ulong s = 0; \\
    _Pragma("unroll") for (int i = 0; i < 24; i++) s += *(__global uint *)q[i * 64]; \\
    o[x] = f(s); \\
  }
KERNEL(alone, )
KERNEL(calls, near_by)
KERNEL(calls_too, visible)
KERNEL(constants, table[x & 7] + )
"""
FUNCTIONS = {"near_by", "visible", "alone", "calls", "calls_too", "constants"}


def assert_whole(listing: Listing) -> None:
    names = [function.name for function in listing.functions if not function.name.startswith("__clang")]
    assert sorted(names) == sorted(FUNCTIONS)
    for function in listing.functions:
        examined = Examined(function, listing.target)
        assert not examined.missing(), (function.name, examined.missing())
        assert not examined.wasted(), function.name


@pytest.mark.parametrize("target", ["gfx90a", "gfx942"])
def test_functions_of_a_code_object(tmp_path: Path, target: str) -> None:
    path = tmp_path / "f.co"
    path.write_bytes(compiled_text(SOURCE, ".cl", "-O2", target))
    assert_whole(read_listing(str(path), None))


def test_functions_of_text_that_llvm_reads(tmp_path: Path) -> None:
    """A function ends in a return, and NOPs fill up to the next."""
    path = tmp_path / "f.s"
    path.write_text(assembly_of(SOURCE, ".cl", "-O2", "gfx90a"), encoding="utf-8")
    listing = read_listing(str(path), None)
    assert listing.expanded
    assert_whole(listing)
