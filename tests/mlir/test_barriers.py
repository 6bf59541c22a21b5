"""Waits and cache invalidations around barriers that order global memory: the same as clang's for the same
kernel in OpenCL C (LLVM's memory model of AMDGPU, a release and an acquire of the workgroup)."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import asmgen
from isa.diagnostics import InputError
from tests.mlir.judge import ALL, EXAMPLES, launch
from tests.rows import spread

HERE = Path(__file__).parent
TOOLS = Path(__file__).parents[2] / "tools" / "clang-kernels"
SOURCES = {"shared_reduce": TOOLS / "mlir_examples.cl", "fence": TOOLS / "mlir_examples.cl"}

START = """
    %c255 = arith.constant 255 : index
    %t = gpu.thread_id x
    %i = gpu.global_id x
    %first = arith.subi %i, %t : index
    %back = arith.subi %c255, %t : index
    %mirrored = arith.addi %first, %back : index
"""
BODIES = {
    "read_then_write": """
    %v = memref.load %x[%i] : memref<?xi32>
    gpu.barrier
    memref.store %v, %x[%mirrored] : memref<?xi32>""",
    "in_a_loop": """
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i32
    %end = arith.index_cast %n : i32 to index
    scf.for %k = %c0 to %end step %c1 {
      %v = memref.load %x[%mirrored] : memref<?xi32>
      gpu.barrier
      %more = arith.addi %v, %one : i32
      memref.store %more, %x[%i] : memref<?xi32>
      gpu.barrier
    }""",
    "after_a_branch": """
    %c100 = arith.constant 100 : index
    %word = arith.index_cast %t : index to i32
    %is_low = arith.cmpi ult, %t, %c100 : index
    scf.if %is_low {
      memref.store %word, %x[%i] : memref<?xi32>
    }
    gpu.barrier
    %v = memref.load %x[%mirrored] : memref<?xi32>
    memref.store %v, %y[%i] : memref<?xi32>""",
    "both_memories": """
    %word = arith.index_cast %t : index to i32
    %v = memref.load %x[%i] : memref<?xi32>
    memref.store %v, %own[%t] : memref<256xi32, #gpu.address_space<workgroup>>
    memref.store %word, %x[%i] : memref<?xi32>
    gpu.barrier
    %other = memref.load %x[%mirrored] : memref<?xi32>
    %mine = memref.load %own[%back] : memref<256xi32, #gpu.address_space<workgroup>>
    %sum = arith.addi %other, %mine : i32
    memref.store %sum, %y[%i] : memref<?xi32>""",
}
NAMES = [*BODIES, *SOURCES]


def source(name: str) -> str | Path:
    if name in SOURCES:
        return EXAMPLES / f"{name}.mlir"
    return f"""gpu.module @m {{
  gpu.func @{name}(%x: memref<?xi32>, %y: memref<?xi32>, %n: i32)
      workgroup(%own: memref<256xi32, #gpu.address_space<workgroup>>)
      kernel attributes {{known_block_size = array<i32: 256, 1, 1>}} {{{START}{BODIES[name]}
    gpu.return
  }}
}}
"""


@cache
def by_clang(path: Path, target: str) -> str:
    command = [
        "clang-22", "-O3", "-x", "cl", "-cl-std=CL2.0", "-w", "-target", "amdgcn-amd-amdhsa", f"-mcpu={target}",
        "-nogpulib", "-I", str(TOOLS), "-S", "-o", "-", str(path),
    ]  # fmt: skip
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


# the accesses under way after an instruction, and those that a wait for 0 of a counter completes
_STARTS = {"load": r"global_load", "store": r"global_store", "lds": r"ds_"}
_AWAITED = {"load": r"vmcnt\(0\)|loadcnt\w* 0x0", "store": r"(store|vs)cnt\w* (null, )?0x0", "lds": r"lgkmcnt\(0\)|dscnt 0x0"}
_CACHE = re.compile(r"buffer_(gl0_)?inv|buffer_wbl2|global_(inv|wb)")


def at_barriers(assembly: str, name: str) -> list[tuple[set[str], list[str]]]:
    """For each barrier the accesses under way when a wave comes to it, and the cache instructions after
    it."""
    text = assembly[assembly.index(f"\n{name}:") :]
    lines = [re.sub(r"\s*;.*", "", line).strip() for line in text[: text.index("s_endpgm")].splitlines()]
    found: list[tuple[set[str], list[str]]] = []
    under_way: set[str] = set()
    for line in lines:
        if _CACHE.match(line):
            found[-1][1].append(line)
        elif re.match(r"s_barrier(_signal|$)", line):
            found.append((set(under_way), []))
        elif line.startswith("s_wait"):
            under_way -= {kind for kind, counter in _AWAITED.items() if re.search(counter, line)}
        else:
            under_way |= {kind for kind, access in _STARTS.items() if re.match(access, line)}
    return found


@pytest.mark.needs_llvm("clang-22")
@pytest.mark.parametrize(("target", "name"), spread([(target, name) for target in ALL for name in NAMES], 2))
def test_waits_and_caches_are_those_of_clang(target: str, name: str) -> None:
    (kernel,) = asmgen.compile(source(name), target=target).kernels
    clang = by_clang(SOURCES.get(name, HERE / "opencl" / "barriers.cl"), target)
    ours, theirs = at_barriers(kernel.assembly, name), at_barriers(clang, name)
    assert ours
    if target.startswith("gfx9"):  # accesses of the waves of a workgroup are in order: a load's wait is in front of the first reader
        ours, theirs = ([(under_way - {"load"}, caches) for under_way, caches in one] for one in (ours, theirs))
    assert ours == theirs


ORDERED = ("gfx1100", "gfx1201")


@pytest.mark.needs_llvm("clang-22")
@pytest.mark.parametrize("target", ORDERED)
@pytest.mark.parametrize("name", list(SOURCES))
def test_nothing_is_under_way_at_the_barrier_of_an_example(name: str, target: str) -> None:
    (kernel,) = asmgen.compile(source(name), target=target).kernels
    cache = {"gfx1100": "buffer_gl0_inv", "gfx1201": "global_inv scope:SCOPE_SE"}[target]
    assert at_barriers(kernel.assembly, name) == [(set[str](), [cache])]


@pytest.mark.parametrize("target", ORDERED)
def test_the_appendix_example(target: str) -> None:
    data = np.arange(2 * 256, dtype=np.int32).reshape(2, 256)
    found = launch(EXAMPLES / "shared_reduce.mlir", (2, 1, 1), (256, 1, 1), [data, np.zeros_like(data)], target)
    np.testing.assert_array_equal(found[0], 2 * data)
    np.testing.assert_array_equal(found[1], np.broadcast_to(2 * data[:, :1], (2, 256)))


@pytest.mark.parametrize("target", ORDERED)
def test_the_appendix_example_without_its_barrier_races(target: str) -> None:
    text = (EXAMPLES / "shared_reduce.mlir").read_text()
    program = asmgen.compile(text.replace("    gpu.barrier\n", ""), target=target)
    data = np.arange(256, dtype=np.int32).reshape(1, 256)
    with pytest.raises(InputError, match=r"<text>\.mlir:1[23]:\d+: .*no barrier") as caught:
        _ = program.kernel("shared_reduce").launch(grid=(1, 1, 1), block=(256, 1, 1), args=[data, np.zeros_like(data)], device="emulator")
    assert "workgroup" in str(caught.value)
