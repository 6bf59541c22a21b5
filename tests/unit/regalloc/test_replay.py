"""Scalar loads that XNACK may replay: their results keep off the address, as LLVM's early-clobber rows do."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import asmgen
from isa.diagnostics import InputError, InternalError
from isa.mir.parser import parse_kernel
from isa.program import Kernel
from isa.targets import parse_target
from regalloc import allocate, check, rewrite
from regalloc.verify import verify_input
from tests.unit.regalloc.programs import HEADER, statements

TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx942:xnack+", "gfx942:xnack-", "gfx1100", "gfx1201")
REPLAYED = TARGETS[:4]

LOAD = """
register %wide sgpr 8 align 4
block entry
  s_load_dwordx8 %wide, s[0:1], 0x0
  s_mov_b32 m0, %wide[7]
  terminator s_endpgm
"""
IR = "define amdgpu_kernel void @k(ptr addrspace(4) %p) {\n %a = load volatile <8 x i32>, ptr addrspace(4) %p, align 4\n ret void\n}\n"


def machine(body: str, target: str) -> Kernel:
    return parse_kernel(HEADER.format(workgroup=64).replace("gfx942", target) + body, "test.mir")


def sums(inputs: int) -> str:
    """A program that adds up so many buffers."""
    parameters = [f"p{i} = @param:p{i} -> f32, {{64}}" for i in range(inputs)]
    more = [f"s{i} = add(s{i - 1}, p{i + 1})" for i in range(1, inputs - 1)]
    return "\n".join([*parameters, "s0 = add(p0, p1)", *more, f"@return(s{inputs - 2})\n"])


@pytest.mark.parametrize("target", TARGETS)
def test_no_kernel_loads_over_its_address(target: str) -> None:
    """Seven inputs and an output are too many to preload: one load brings all eight pointers."""
    text = asmgen.compile(sums(7), target=target).kernels[0].assembly
    loads = [line.split() for line in text.splitlines() if line.strip().startswith(("s_load_dwordx16", "s_load_b512"))]
    assert [load[2] for load in loads] == ["s[0:1],"]
    assert loads[0][1].startswith("s[0:") is (target not in REPLAYED)


@pytest.mark.parametrize("target", [*REPLAYED, "gfx942:xnack-"])
def test_the_checker_sees_a_load_over_its_address(target: str) -> None:
    kernel = machine(LOAD, "gfx942:xnack-")
    allocation = allocate(kernel)
    rewritten = rewrite(kernel, allocation)
    kernel.target = rewritten.target = parse_target(target)
    if target in REPLAYED:
        with pytest.raises(InternalError, match="sdst is written early and shares"):
            check(kernel, allocation, rewritten)
    else:
        check(kernel, allocation, rewritten)


@pytest.mark.parametrize("offset", ["0x0", "s8 offset:0x4"])
def test_a_users_load_over_its_address(offset: str) -> None:
    base = "s[0:1]" if "s8" in offset else "s[8:9]"
    body = f"block entry\n  s_load_dwordx2 s[8:9], {base}, {offset}\n  terminator s_endpgm\n"
    entry = "entry dispatch_ptr s[8:9]\n"
    verify_input(machine(entry + body, "gfx942:xnack-"), statements(entry + body))
    with pytest.raises(InputError, match="replay"):
        verify_input(machine(entry + body, "gfx942"), statements(entry + body))


@pytest.mark.needs_llvm("llc-22")
@pytest.mark.parametrize("target", TARGETS)
def test_llvm_keeps_the_same_loads_apart(target: str, tmp_path: Path) -> None:
    file = tmp_path / "load.ll"
    file.write_text(IR)
    target_id = parse_target(target)
    switches = ",".join(f"{feature[-1]}{feature[:-1]}" for feature in target_id.features)
    options = [f"-mcpu={target_id.target.name}", f"-mattr={switches}", "-stop-after=amdgpu-isel", "-o", "-"]
    text = subprocess.run(["llc-22", "-mtriple=amdgcn-amd-amdhsa", *options, str(file)], capture_output=True, text=True, check=True).stdout
    assert ("S_LOAD_DWORDX8_IMM_ec" in text) is (target in REPLAYED)
