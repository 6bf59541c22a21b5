"""Tracing: every channel is documented, tells what happened and nothing else, and is silent when off."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pytest

from asmgen.cli.main import main
from asmgen.compilation import Compilation, Source
from asmgen.compiler import finish, start
from asmgen.frontends.sources import read_machine
from asmgen.kernels import build_kernel
from asmgen.options import Options
from asmgen.pipeline import advance
from asmgen.trace import OFF, Channel, Trace, make_trace
from isa.diagnostics import InputError
from isa.instruction import Instr, Trait
from isa.names import RegisterNames
from isa.targets import parse_target

ROOT = Path(__file__).parents[3]
TARGET = parse_target("gfx942")
EVERY = ",".join(channel.value for channel in Channel)
REPEATED = """x = @param:x -> f32, {8,64}
a = exp(x)
t = transpose[permutation={1,0}](x)
b = exp(t)
u = transpose[permutation={1,0}](b)
c = tanh(u)
d = add(a, c)
@return(d)
"""
MACHINE = """stage machine gfx942
kernel fused
workgroup 64 1 1
argument out offset=0 size=8 kind=global_buffer space=global access=write_only type=u32
entry kernarg_segment_ptr s[0:1]
entry workgroup_id_x s2
entry workitem_id v0
preload 0
lds 0
scratch 0
register %out sgpr 2 align 2
register %shifted vgpr
register %sum vgpr
register %one vgpr
register %other vgpr
register %product vgpr
register %unused vgpr
block entry
  s_load_dwordx2 %out, s[0:1], 0x0
  v_lshlrev_b32_e32 %shifted, 3, v0
  v_add_u32_e32 %sum, s2, %shifted
  v_mul_hi_u32 %one, %sum, v0
  v_mul_hi_u32 %other, %sum, v0
  v_mul_lo_u32 %product, %one, %other
  v_xor_b32_e32 %unused, s2, v0
  global_store_dword %sum, %product, %out
  terminator s_endpgm
"""
# both parameters take %sum and are changed apart, so that either needs a copy
COPIES = """stage machine gfx942
kernel copies
workgroup 64 1 1
argument out offset=0 size=8 kind=global_buffer space=global access=write_only type=u32
entry kernarg_segment_ptr s[0:1]
entry workgroup_id_x s2
entry workitem_id v0
preload 0
lds 0
scratch 0
register %out sgpr 2 align 2
register %sum vgpr
register %p vgpr
register %q vgpr
register %i sgpr
register %j sgpr
register %next_p vgpr
register %next_q vgpr
block entry
  s_load_dwordx2 %out, s[0:1], 0x0
  v_add_u32_e32 %sum, s2, v0
  linear loop(0x0)
  logical loop(%sum, %sum)
block loop scalar(%i) vector(%p, %q)
  v_add_u32_e32 %next_p, 1, %p
  v_xor_b32_e32 %next_q, %q, %p
  s_add_u32 %j, %i, 1
  s_cmp_lt_u32 %j, 8
  terminator s_cbranch_scc1 again
  linear again, end
  logical again, end
block again
  linear loop(%j)
  logical loop(%next_p, %next_q)
block end
  global_store_dword %next_p, %next_q, %out
  terminator s_endpgm
"""


def traced(source: Source, channels: str) -> tuple[Compilation, list[str]]:
    """A whole compile, and the lines it told."""
    lines: list[str] = []
    program = finish(start(source, TARGET, Options(), make_trace(channels, "--trace", lines.append)))
    return program.compilation, lines


def catalogue(name: str, *settings: tuple[str, str]) -> Source:
    program = build_kernel(name, settings)
    return Source.of_program(name, program)


def finished(compilation: Compilation, trait: Trait) -> list[Instr]:
    return [i for kernel in compilation.stages.finished for block in kernel.blocks for i in block.instructions if trait in i.row.traits]


def documented() -> list[str]:
    text = (ROOT / "docs" / "tracing.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `([a-z-]+)` \|", text, re.MULTILINE)


def test_the_channels_are_those_of_the_documentation_and_of_the_issue() -> None:
    wanted = ["attributes", "combine", "cse", "fuse", "hazards", "lds-offsets", "liveness", "order", "regalloc", "schedule", "schedules", "waits"]
    assert sorted(documented()) == wanted
    assert sorted(channel.value for channel in Channel) == wanted


# tests/unit/frontends/test_tensors.py has `attributes`, which is about files of MLIR
@pytest.mark.parametrize("channel", [each for each in documented() if each != "attributes"])
def test_a_channel_tells_its_own_lines_on_standard_error_and_leaves_the_output_alone(channel: str, capfd: pytest.CaptureFixture[str]) -> None:
    name, size = ("quantised_linear", "m=64") if channel == "fuse" else ("layernorm", "rows=4")
    kernel = ["kernel", name, "--set", size, "--emit", "asm"]
    assert main(kernel) == 0
    silent = capfd.readouterr()
    assert silent.err == ""
    assert main([*kernel, "--trace", channel]) == 0
    told = capfd.readouterr()
    assert told.out == silent.out
    assert told.err
    assert all(line.startswith(f"{channel}: {name}: ") for line in told.err.splitlines())


def test_every_wait_and_every_nop_of_the_result_is_told() -> None:
    compilation, lines = traced(catalogue("softmax", ("rows", "4")), "waits,hazards")
    for channel, trait, mnemonic in (("waits", Trait.WAIT, "s_waitcnt"), ("hazards", Trait.NOP, "s_nop")):
        told = [line for line in lines if line.startswith(f"{channel}: ")]
        assert len(told) == len(finished(compilation, trait)) > 0
        assert all(re.search(rf": {mnemonic} .* before [vs]_\w+.*, for \w+", line) for line in told), told
    assert any("before s_barrier" in line and "for lgkmcnt: ds_write" in line for line in lines)


def test_every_virtual_register_and_copy_is_told_with_its_place() -> None:
    compilation, lines = traced(catalogue("softmax", ("rows", "4")), "regalloc")
    kernel, allocation, _ = compilation.stages.allocations[-1]
    total = max(i for i, line in enumerate(lines) if ": in all " in line)
    start_of_last = max((i + 1 for i, line in enumerate(lines[:total]) if ": in all " in line), default=0)
    last = lines[start_of_last:total]
    names = RegisterNames(kernel.owners)
    placed = {owner.first: owner for owner in kernel.owners if owner.first in allocation.units}
    assert len([line for line in last if " -> " in line]) == len(placed)
    assert len([line for line in last if ": copy " in line]) == allocation.statistics.copies
    for owner in placed.values():
        name = f"{names(owner.register)} ({owner.count} {owner.register_class.name}"
        found = [line for line in last if line.startswith(f"regalloc: softmax: {name}")]
        assert len(found) == 1, owner
        assert re.search(rf", align {owner.align}\) -> {re.escape(str(allocation.register(owner.register)))}(,| at |\n)", found[0]), owner
    assert f"in all {allocation.statistics.vgprs} VGPRs, {allocation.statistics.sgprs} SGPRs" in lines[total]
    assert any(re.search(r", hint \S+ taken", line) for line in last)


def test_copies_and_hints_that_could_not_be_taken_are_told() -> None:
    compilation, lines = traced(read_machine(COPIES, "copies.mir"), "regalloc")
    (_, allocation, _), *_ = compilation.stages.allocations
    copies = [line for line in lines if re.match(r"regalloc: copies: (entry|again):\d+: copy (v_mov_b32_e32 v\d+, v\d+|s_mov_b32 s\d+, 0)\n", line)]
    assert len(copies) == allocation.statistics.copies > 1
    assert any(re.match(r"regalloc: copies: %\w+ \(1 VGPR, align 1\) -> v\d+, hint %\w+ not taken\n", line) for line in lines)


def test_live_ranges_are_told_block_by_block() -> None:
    compilation, lines = traced(catalogue("softmax", ("rows", "4")), "liveness")
    kernel, allocation, _ = compilation.stages.allocations[-1]
    last = lines[-len(kernel.blocks) - len(allocation.statistics.pressure) :]
    for block, line in zip(kernel.blocks, last, strict=False):
        assert re.match(rf"liveness: softmax: {block.label}: live-in [^,]+(, parameters [^,]+)?, live-out [^,]+\n$", line), line
    for register_class, pressure in allocation.statistics.pressure.items():
        assert any(f"largest pressure of {register_class.name}: {pressure.units} at {pressure.label}:{pressure.index} (" in line for line in last)


def test_what_is_live_is_told_of_the_program_with_spills() -> None:
    """docs/tracing.md: an order that runs out of registers and the order that is taken both have lines, and
    the last counts."""
    lines: list[str] = []
    program = finish(start(catalogue("softmax", ("rows", "4")), TARGET, Options(max_vgprs=12), make_trace("liveness", "--trace", lines.append)))
    kernel, allocation, _ = program.compilation.stages.allocations[-1]
    assert kernel.scratch_bytes or any(pressure.units > 12 for pressure in allocation.statistics.pressure.values())
    last = lines[-len(kernel.blocks) - len(allocation.statistics.pressure) :]
    assert [line.split(": ")[2] for line in last[: len(kernel.blocks)]] == [block.label for block in kernel.blocks]


def test_what_is_live_is_told_before_registers_run_out(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["kernel", "softmax", "--set", "rows=4", "--max-vgprs", "9", "--no-spill", "--trace", "liveness,regalloc"]) == 1
    told = capfd.readouterr().err
    assert "liveness: softmax: largest pressure of VGPR: " in told
    assert "regalloc: " not in told
    assert told.index("largest pressure") < told.index("error[RA001]")


def test_lds_buffers_lie_apart_and_add_up() -> None:
    compilation, lines = traced(catalogue("softmax", ("rows", "4")), "lds-offsets")
    buffers = [(int(found[2]), int(found[1])) for line in lines if (found := re.search(r", (\d+) bytes at (\d+)$", line))]
    assert len(buffers) == len(lines) - 1 > 0
    assert all(offset + size <= following for (offset, size), (following, _) in pairwise(buffers))
    assert lines[-1] == f"lds-offsets: softmax: in all {compilation.stages.finished[0].lds_bytes} bytes\n"


def test_what_is_combined_and_shared_is_told_with_what_went_into_it() -> None:
    compilation, lines = traced(read_machine(MACHINE, "fused.mir"), "combine,cse")
    total, shift = "v_add_u32_e32 %sum, s2, %shifted", "v_lshlrev_b32_e32 %shifted, 3, v0"
    assert f"combine: fused: entry:2: {total} -> v_lshl_add_u32 %sum, v0, 3, s2, by {shift} at fused.mir:21:3\n" in lines
    assert "combine: fused: entry:6: v_xor_b32_e32 %unused, s2, v0 is dead at fused.mir:25:3\n" in lines
    assert "cse: fused: entry:4: v_mul_hi_u32 %other, %sum, v0 is %one of entry:3 at fused.mir:23:3\n" in lines
    mnemonics = [instr.row.name for block in compilation.stages.finished[0].blocks for instr in block.instructions]
    assert (mnemonics.count("v_mul_hi_u32"), mnemonics.count("v_lshl_add_u32"), mnemonics.count("v_xor_b32")) == (1, 1, 0)


def test_equal_statements_are_told_with_their_lines(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "repeated.gen"
    path.write_text(REPEATED, encoding="utf-8")
    assert main(["kernel", str(path), "--emit", "final", "--trace", "cse"]) == 0
    told = capfd.readouterr().err
    assert re.search(rf"^cse: repeated: b\w* = \w+.* at {path}:4:1 is a\w* at {path}:2:1$", told, re.MULTILINE), told


def test_nothing_is_described_for_a_channel_that_is_off() -> None:
    def unwanted() -> Iterable[str]:
        raise AssertionError("described")

    lines: list[str] = []
    OFF.tell(Channel.WAITS, unwanted)
    trace = Trace(frozenset({Channel.CSE}), lines.append)
    trace.tell(Channel.WAITS, unwanted)
    trace.tell(Channel.CSE, lambda: ["a", "b"])
    assert lines == ["cse: a\n", "cse: b\n"]


def test_a_trace_that_is_on_changes_nothing() -> None:
    source = catalogue("rmsnorm", ("rows", "4"))
    silent, loud = start(source, TARGET, Options()), start(source, TARGET, Options(), make_trace(EVERY, "--trace", lambda _: None))
    for compilation in (silent, loud):
        advance(compilation, "asm")
    assert silent.stages.finished == loud.stages.finished


@pytest.mark.parametrize("names", ["nonsense", "waits,", "", "Waits", "waits, hazards"])
def test_an_unknown_channel_is_refused_with_the_known_ones(names: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["kernel", "vecadd", "--trace", names]) == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("--trace: error[CHN001]: unknown channel ")
    assert err.splitlines()[0].endswith(EVERY)
    with pytest.raises(InputError, match="unknown channel"):
        _ = make_trace(names, "trace", print)


def test_assembly_leaves_nothing_to_tell(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "vecadd.s"
    assert main(["kernel", "vecadd", "--emit", "asm", "-o", str(path)]) == 0
    _ = capfd.readouterr()
    assert main(["kernel", str(path), "--trace", "waits"]) == 1
    assert capfd.readouterr().err.startswith("--trace: error[CLI005]: ")


def test_the_lines_are_the_same_for_any_hash_seed() -> None:
    command = [sys.executable, "-m", "asmgen", "kernel", "softmax", "--set", "rows=4", "--emit", "asm", "--trace", EVERY]
    runs = [
        subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True, env={**os.environ, "PYTHONHASHSEED": seed}).stderr
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1] != ""
