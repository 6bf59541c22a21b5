"""The worked examples of the register allocation IR that this library answers (docs/seed-assembly.md): no more instructions than there."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from asmgen.assembly import Builder, HandKernel, global_pointer, u32
from asmgen.assembly.load import load_kernel
from tests.commands import run

ROOT = Path(__file__).parents[3]


def vector_instructions(body: Callable[[Builder], object], target: str = "gfx942", workgroup: int = 64) -> list[str]:
    """The VALU instructions of a kernel that stores the results of the function."""

    def kernel(k: Builder, x: global_pointer[u32]) -> None:
        k.global_store_dword(x, 0, k.v_mov_b32(body(k)))

    text = str(HandKernel(kernel, (workgroup, 1, 1), "", (16, 1, 1)).compile(target))
    return re.findall(r"^\t(v_\w+)", text, re.MULTILINE)


def test_a_quotient_that_bounds_decide_vanishes() -> None:
    """tid_x < 64: floor(tid_x / 64) is 0; the zero of the address is the only move."""
    assert vector_instructions(lambda k: k.thread_id.x // 64) == ["v_mov_b32_e32"]


def test_bits_that_do_not_meet_take_one_instruction() -> None:
    """row * 256 + col with col below 256: one instruction, as `v_lshl_or_b32` in the seed."""
    names = vector_instructions(lambda k: k.thread_id.x // 8 * 256 + k.thread_id.x % 8)
    assert len([name for name in names if not name.startswith("v_mov")]) <= 3


def test_shift_and_add_are_fused() -> None:
    names = vector_instructions(lambda k: k.v_add_u32(k.v_lshlrev_b32(8, k.thread_id.x), k.v_mov_b32(k.thread_id.x)))
    assert [name for name in names if not name.startswith("v_mov")] == ["v_lshl_add_u32"]


def test_shift_and_or_are_fused() -> None:
    names = vector_instructions(lambda k: k.v_or_b32(k.v_lshlrev_b32(8, k.thread_id.x), k.v_mov_b32(k.thread_id.x)))
    assert [name for name in names if not name.startswith("v_mov")] == ["v_lshl_or_b32"]


def test_an_invariant_of_a_loop_is_computed_once() -> None:
    """The address of the workgroup's row does not change in the loop: the loop has the load, the sum and the counter."""

    def kernel(k: Builder, x: global_pointer[u32], n: u32) -> None:
        total = k.vgpr()
        k.assign(total, 0)
        with k.loop(0, 16) as i:
            base = 4096 * k.workgroup_id.x + 4 * k.thread_id.x
            k.v_add_u32(total, k.global_load_dword(x, base + 256 * i), into=total)
        k.global_store_dword(x, 4 * k.thread_id.x, total)

    program = HandKernel(kernel, (64, 1, 1), "", (1024, 1, 1)).compile("gfx942", schedule=False)  # no trips overlap
    (loop,) = [block for block in program.compilation.stages.finished[0].blocks if any("global_load" in i.row.mnemonic for i in block.code)]
    vector = [instr.row.mnemonic for instr in loop.code if instr.row.mnemonic.startswith("v_")]
    assert len(vector) <= 2, vector


def test_a_range_lies_where_its_alignment_says() -> None:
    def kernel(k: Builder, x: global_pointer[u32]) -> None:
        tile = k.lds(1024)
        pair = k.vgpr(2, align=2)
        k.ds_read_b64(tile, 8 * k.thread_id.x, into=pair)
        k.global_store_dwordx2(x, 8 * k.thread_id.x, pair)

    text = str(HandKernel(kernel, (64, 1, 1), "", None).compile("gfx942"))
    (first, last) = next(iter(re.findall(r"ds_read_b64 v\[(\d+):(\d+)\]", text)))
    assert int(first) % 2 == 0
    assert int(last) == int(first) + 1


def test_hazards_get_as_many_nops_as_they_need() -> None:
    """The seed's blanket insertion made 46 NOPs; only a register that the next instruction reads needs a wait state."""

    def kernel(k: Builder, x: global_pointer[u32]) -> None:
        values = [k.v_add_u32(k.thread_id.x, number) for number in range(8)]
        total = k.sgpr()
        k.assign(total, 0)
        for value in values:
            k.s_add_u32(total, k.v_readfirstlane_b32(value), into=total)
        k.global_store_dword(x, 0, k.v_mov_b32(total))

    assert str(HandKernel(kernel, (64, 1, 1), "", None).compile("gfx942")).count("s_nop") <= 2


@pytest.mark.parametrize("page", ["seed-assembly", "by-hand"])
def test_the_commands_of_a_page_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    commands = [line for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    assert commands
    for command in commands:
        status, printed = run(command)
        assert status == 0, f"{command}\n{printed[-2000:]}"


def test_the_programs_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading the file runs both programs: the kernel, its proof and its graph."""
    text = (ROOT / "docs" / "by-hand.md").read_text(encoding="utf-8")
    first, second = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    path = tmp_path / "saxpy.py"
    _ = path.write_text(first + second, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assembly = str(load_kernel("saxpy.py:saxpy").compile("gfx942")).replace(f"{tmp_path}/", "")
    quoted = re.search(r"^```\n(\tv_lshl_add.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert quoted is not None
    for line in quoted[1].splitlines():
        assert line in assembly
