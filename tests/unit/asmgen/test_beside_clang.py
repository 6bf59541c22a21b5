"""Kernel descriptors and padding next to those of clang's own assembly: of a kernel that reads what ours read, on every machine."""

from __future__ import annotations

import re
import subprocess
from functools import cache

import pytest

import asmgen
from asmgen.kernels import build_kernel
from isa.targets import parse_target
from tests.rows import MACHINES

pytestmark = [pytest.mark.broad, pytest.mark.needs_llvm("clang-22")]

CLANG = ("clang-22", "-target", "amdgcn-amd-amdhsa", "-x", "cl", "-cl-std=CL2.0", "-nogpulib", "-w", "-O2", "-S", "-o", "-", "-")
# As many arguments, ids and axes of the workgroup as our relu has; and more code than a launch fetches.
SOURCE = """
#define LANE __builtin_amdgcn_workitem_id_x()
#define GROUP __builtin_amdgcn_workgroup_id_x()
#define GIVEN __attribute__((reqd_work_group_size(256, 1, 1))) kernel void
GIVEN relu(global float *p, global float *q) { int i = GROUP * 256 + LANE; q[i] = p[i] > 0 ? p[i] : 0; }
#define TEN(x) x x x x x x x x x x
#define NINE_THOUSAND(x) TEN(TEN(TEN(x x x x x x x x x)))
GIVEN large(global float *p) {
  NINE_THOUSAND(__builtin_amdgcn_s_sleep(1);)
  p[LANE] = 1;
}
"""
# Registers are as the code needs them; clang asks for gfx90a's scratch resource even without scratch; ours alone preloads.
OF_THE_CODE = {"next_free_vgpr", "next_free_sgpr", "accum_offset", "reserve_vcc", "inst_pref_size", "user_sgpr_private_segment_buffer"}
OF_IEEE_MODE = {"ieee_mode"}  # in it a signalling NaN wins in max and min: docs/numerics.md, "Not-a-number"
OF_PRELOADING = {"user_sgpr_count", "user_sgpr_kernarg_preload_length"}


@cache
def text_of_clang(machine: str) -> str:
    target = parse_target(machine)
    command = [*CLANG, f"-mcpu={target.clang}", *target.clang_options]
    return subprocess.run(command, input=SOURCE, capture_output=True, text=True, check=True).stdout


@cache
def our_text(machine: str) -> str:
    return asmgen.compile(build_kernel("relu"), target=machine).kernels[0].assembly


def directives(text: str, kernel: str) -> dict[str, int]:
    """The lines between `.amdhsa_kernel` and its end."""
    found = re.search(rf"\.amdhsa_kernel {kernel}\n(.*?)\.end_amdhsa_kernel", text, re.DOTALL)
    assert found is not None
    return {name: int(value) for name, value in re.findall(r"\.amdhsa_(\w+) (\d+)", found[1])}


def padding(text: str) -> list[list[int]]:
    """The operands of the directive that fills the code after the last kernel."""
    return [[int(number, 0) for number in re.split(r",\s*", found)] for found in re.findall(r"^\s*\.(?:p2alignl|fill)\s+(.*)$", text, re.MULTILINE)]


@pytest.mark.parametrize("machine", MACHINES)
def test_directives_are_clangs(machine: str) -> None:
    """What we leave out is 0 with clang, and what we write is what clang writes."""
    ours, clangs = directives(our_text(machine), "relu"), directives(text_of_clang(machine), "relu")
    preloads = ours.get("user_sgpr_kernarg_preload_length", 0) > 0
    left_out = OF_THE_CODE | OF_IEEE_MODE | (OF_PRELOADING if preloads else set[str]())
    assert all(text.get("ieee_mode", wanted) == wanted for text, wanted in ((ours, 0), (clangs, 1)))
    assert set(ours) <= set(clangs)
    assert {name: ours.get(name, 0) for name in clangs if name not in left_out} == {name: clangs[name] for name in clangs if name not in left_out}


@pytest.mark.parametrize("machine", MACHINES)
def test_padding_is_clangs(machine: str) -> None:
    assert padding(our_text(machine)) == padding(text_of_clang(machine))


@pytest.mark.parametrize("machine", MACHINES)
def test_as_much_code_is_fetched_ahead_as_clang_asks_for(machine: str) -> None:
    """The whole kernel, up to the maximum of the field; clang's estimate of its code's size is after each
    kernel."""
    target, text = parse_target(machine).target, text_of_clang(machine)
    for kernel in ("relu", "large"):
        size = re.search(rf"^\t\.amdhsa_kernel {kernel}\n.*?codeLenInByte = (\d+)", text, re.MULTILINE | re.DOTALL)
        assert size is not None
        wanted = min(-(-int(size[1]) // 128), target.most_prefetched) if target.most_prefetched else None
        assert directives(text, kernel).get("inst_pref_size") == wanted


@pytest.mark.needs_llvm("llvm-readelf-22", "ld.lld-22")
@pytest.mark.parametrize("kernel", ["softmax", "gelu_erf"])
@pytest.mark.parametrize("machine", ["gfx1100", "gfx1100:wave64", "gfx1201"])
def test_our_code_is_as_large_as_we_say(kernel: str, machine: str) -> None:
    compiled = asmgen.compile(build_kernel(kernel), target=machine).kernels[0]
    done = subprocess.run(["llvm-readelf-22", "-sW", "-"], input=compiled.code_object, capture_output=True, check=True).stdout.decode()
    sizes = [int(found) for found in re.findall(r"(\d+) +FUNC", done)]
    assert directives(compiled.assembly, compiled.name)["inst_pref_size"] == -(-sizes[0] // 128)
