"""`s_clause` before runs of memory instructions: each case states the code and the code that is wanted; clang is the judge of kernels."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from asmgen.check.reading import read_listing
from asmgen.passes.clauses import form_clauses, without_broken
from asmgen.passes.waits.delays import insert_delays
from isa.clauses import broken_at, clause_length
from isa.instruction import Trait
from isa.program import Kernel
from isa.targets import parse_target
from tests.unit.passes.assembly import kernel_of, lines_of
from tools.clang_peer import compile_command

LOAD, OTHER_LOAD = "global_load_b32 v{}, v0, s[0:1] offset:{}", "global_load_b32 v{}, v0, s[2:3] offset:{}"
STORE = "global_store_b32 v0, v{}, s[0:1] offset:{}"
SCALAR_LOAD, AT_OTHER_INDEX = "s_load_b32 s{}, s[0:1], 0x{}", "global_load_b32 v2, v9, s[2:3]"
TARGETS = ("gfx1100", "gfx1201")

# (reason, code, code wanted)
CASES: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("one load is no clause", (LOAD.format(1, 64),), (LOAD.format(1, 64),)),
    ("two loads of a buffer", (LOAD.format(1, 64), LOAD.format(2, 4)), ("s_clause 0x1", LOAD.format(1, 64), LOAD.format(2, 4))),
    (
        "of two buffers at one index of lanes",
        (LOAD.format(1, 64), OTHER_LOAD.format(2, 4)),
        ("s_clause 0x1", LOAD.format(1, 64), OTHER_LOAD.format(2, 4)),
    ),
    ("of two buffers at two indices", (LOAD.format(1, 64), AT_OTHER_INDEX), (LOAD.format(1, 64), AT_OTHER_INDEX)),
    (
        "stores are no loads",
        (LOAD.format(1, 64), LOAD.format(2, 4), STORE.format(3, 8), STORE.format(3, 12)),
        ("s_clause 0x1", LOAD.format(1, 64), LOAD.format(2, 4), "s_clause 0x1", STORE.format(3, 8), STORE.format(3, 12)),
    ),
    (
        "arithmetic ends a clause",
        (LOAD.format(1, 64), "v_mov_b32_e32 v5, v6", LOAD.format(2, 4), LOAD.format(3, 8)),
        (LOAD.format(1, 64), "v_mov_b32_e32 v5, v6", "s_clause 0x1", LOAD.format(2, 4), LOAD.format(3, 8)),
    ),
    (
        "a NOP does not, but is no member at its end",
        (LOAD.format(1, 64), "s_nop 0", LOAD.format(2, 4), "s_nop 0"),
        ("s_clause 0x2", LOAD.format(1, 64), "s_nop 0", LOAD.format(2, 4), "s_nop 0"),
    ),
    ("scalar loads are left alone", (SCALAR_LOAD.format(4, 0), SCALAR_LOAD.format(5, 4)), (SCALAR_LOAD.format(4, 0), SCALAR_LOAD.format(5, 4))),
    (
        "a clause that is there is made anew",
        ("s_clause 0x5", LOAD.format(1, 64), LOAD.format(2, 4), "v_mov_b32_e32 v5, v6"),
        ("s_clause 0x1", LOAD.format(1, 64), LOAD.format(2, 4), "v_mov_b32_e32 v5, v6"),
    ),
)  # fmt: skip


def code_of(kernel: Kernel) -> tuple[str, ...]:
    return tuple(lines_of(kernel))[:-1]


@pytest.mark.parametrize(("reason", "before", "after"), CASES, ids=[case[0] for case in CASES])
@pytest.mark.parametrize("target", TARGETS)
def test_the_runs_that_are_marked(reason: str, before: tuple[str, ...], after: tuple[str, ...], target: str) -> None:
    assert code_of(form_clauses(kernel_of("\n".join(before), target))) == after, reason


@pytest.mark.parametrize("target", TARGETS)
def test_the_longest(target: str) -> None:
    """32, as LLVM has it; the rest is a clause of its own."""
    loads = [LOAD.format(1 + number, 4 + 4 * number) for number in range(34)]
    wanted = ("s_clause 0x1f", *loads[:32], "s_clause 0x1", *loads[32:])
    assert code_of(form_clauses(kernel_of("\n".join(loads), target))) == wanted


def test_targets_without_clauses_keep_their_code() -> None:
    kernel = kernel_of("global_load_dword v1, v0, s[0:1]\nglobal_load_dword v2, v0, s[0:1] offset:4", "gfx942:xnack-")
    assert form_clauses(kernel) is kernel


def test_no_delay_goes_into_a_clause() -> None:
    """The second load reads a value that was just computed; a delay before it would break the clause."""
    text = "v_mov_b32_e32 v0, v9\nglobal_load_b32 v1, v2, s[0:1]\nglobal_load_b32 v3, v0, s[0:1]\nv_mov_b32_e32 v5, v0\nv_mov_b32_e32 v6, v5"
    without = lines_of(insert_delays(kernel_of(text, "gfx1100")))
    assert any(line.startswith("s_delay_alu") for line in without)
    lines = lines_of(insert_delays(form_clauses(kernel_of(text, "gfx1100"))))
    first = lines.index("s_clause 0x1")
    assert lines[first + 1 : first + 3] == ["global_load_b32 v1, v2, s[0:1]", "global_load_b32 v3, v0, s[0:1]"]


def test_what_breaks_a_clause() -> None:
    loads, move = [LOAD.format(1, 64), LOAD.format(2, 4)], "v_mov_b32_e32 v5, v6"
    for code, broken in (
        (["s_clause 0x1", *loads], None),
        (["s_clause 0x1", loads[0], "s_nop 0", loads[1]], "s_nop"),
        (["s_clause 0x2", loads[0], "s_nop 0", loads[1]], None),
        (["s_clause 0x2", *loads, STORE.format(1, 64)], "global_store_b32"),
        (["s_clause 0x1", move, loads[0]], "v_mov_b32"),
        (["s_clause 0x3", *loads], "s_clause"),
    ):
        kernel = kernel_of("\n".join(code), "gfx1100")
        found = broken_at(kernel.blocks[0].instructions, 0)
        assert (found.row.name if found is not None else None) == broken
        assert ("s_clause" in lines_of(without_broken(kernel))[0]) == (broken is None)


@pytest.mark.needs_llvm("clang-22")
@pytest.mark.broad
@pytest.mark.parametrize("target", TARGETS)
def test_clang_marks_the_same_runs(target: str, tmp_path: Path) -> None:
    """Of clang's kernels, without their clauses, the same runs are marked; clang knows of one buffer in two registers as well, which are more."""
    same = more = 0
    for file in ("softmax", "layernorm", "vecadd_v4", "transpose_v4", "row_sum_wave", "concat_add_v4", "pad_add_v4", "col_sum_v4"):
        path = f"{tmp_path}/{file}.s"
        _ = subprocess.run(compile_command(file, path, target), check=True)
        for function in read_listing(path, parse_target(target)).functions:
            kernel, code = function.kernel(parse_target(target)), function.instructions
            assert all(broken_at(code, index) is None for index, instr in enumerate(code) if Trait.CLAUSE in instr.row.traits)
            theirs, ours = marked(kernel), marked(form_clauses(kernel))
            assert ours <= theirs, file
            same, more = same + len(ours), more + len(theirs - ours)
    assert (same, more) == (12, {"gfx1100": 8, "gfx1201": 3}[target])


def marked(kernel: Kernel) -> set[tuple[int, int]]:
    """The first instruction of each clause, as the number among those that are no clauses, and how many are in it."""
    code = [instr for block in kernel.blocks for instr in block.code]
    firsts = [index for index, instr in enumerate(code) if Trait.CLAUSE in instr.row.traits]
    return {(first - number, clause_length(code[first])) for number, first in enumerate(firsts)}
