"""Marked copies to LDS and marked waits: the count follows from the copies, on every path."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from asmgen.passes.dependence.graph import Dependences
from asmgen.passes.waits.counters import Counters
from asmgen.passes.waits.waitcnt import drop_idle_waits, insert_waits
from isa.instruction import Instr, Trait
from isa.mir.parser import parse_kernel
from isa.mir.printer import print_kernel
from isa.program import Kernel
from isa.waits import waited
from tests.unit.passes.assembly import code_of, kernel_of, lines_of

COPY, LOAD, STORE = "buffer_load_dword v1, s[4:7], 0 offen lds", "global_load_dword v0, v2, s[0:1]", "global_store_dword v2, v4, s[2:3]"
NAMES = {"copy": COPY, "load": LOAD, "store": STORE, "read": "ds_read_b32 v5, v6", "barrier": "s_barrier"}


def marked(kernel: Kernel) -> Kernel:
    """Every load to LDS as a marked copy, and `s_waitcnt vmcnt(N)` as a marked wait for all but N of them."""

    def mark(instr: Instr) -> Instr:
        if Trait.LDS_DMA in instr.row.traits:
            return replace(instr, awaits=0)
        return replace(instr, awaits=waited(instr)["vmcnt"]) if Trait.WAIT in instr.row.traits else instr

    return kernel.with_blocks([block.with_instructions([mark(one) for one in block.instructions]) for block in kernel.blocks])


def spelt(text: str) -> str:
    """`wait 2` is a marked wait that leaves two copies under way."""
    lines = [line.strip() for line in text.replace("|", "\n").splitlines()]
    return "\n".join(f"s_waitcnt vmcnt({line[5:]})" if line.startswith("wait ") else NAMES.get(line, line) for line in lines)


# reason, code, and the counts of the waits that are left
CASES: tuple[tuple[str, str, list[int]], ...] = (
    ("nothing waits for a marked copy", "copy | barrier | read", []),
    ("one of two", "copy | copy | wait 1 | barrier | read", [1]),
    ("the last of two", "copy | copy | wait 0 | read", [0]),
    ("no more than may be under way", "copy | copy | wait 2 | read", []),
    ("no copy at all", "load | wait 0 | read", []),
    ("younger loads and stores count", "copy | load | store | copy | wait 1 | read", [3]),
    ("and older ones do not", "load | copy | copy | wait 1", [1]),
    ("what was waited for is not again", "copy | copy | wait 1 | load | wait 1", [1]),
    ("a wait for what a load brings serves both", "copy | load | v_mov_b32_e32 v3, v0 | wait 0", [0]),
)


@pytest.mark.parametrize(("reason", "code", "counts"), CASES, ids=[case[0] for case in CASES])
def test_counts(reason: str, code: str, counts: list[int]) -> None:
    kernel = insert_waits(marked(kernel_of(spelt(code))))
    found = [waited(one)["vmcnt"] for one in kernel.instructions() if "vmcnt" in waited(one)]
    assert found == counts, reason
    assert not [one for one in kernel.instructions() if one.awaits is not None and Trait.WAIT in one.row.traits]
    assert lines_of(insert_waits(kernel)) == lines_of(kernel)


def test_unmarked_copies_are_waited_for_by_their_readers_and_barriers() -> None:
    assert code_of(insert_waits(kernel_of(spelt("copy | read"))))[1] == "s_waitcnt vmcnt(0)"
    assert code_of(insert_waits(kernel_of(spelt("copy | barrier"))))[1] == "s_waitcnt vmcnt(0)"


def test_a_wait_is_merged_with_that_of_its_barrier() -> None:
    code = code_of(insert_waits(marked(kernel_of(spelt("copy | copy | read | wait 1 | barrier")))))
    assert code[-2:] == ["s_waitcnt vmcnt(1) lgkmcnt(0)", "s_barrier"]


LOOP = """
copy
loop:
copy
{more}
wait 1
barrier
read
s_cbranch_scc1 loop
"""


def test_copies_of_the_trip_before_are_counted() -> None:
    """With a load between the copies of a trip it is one more, in the first trip too."""
    for more, count in (("", 1), ("load", 2)):
        lines = lines_of(insert_waits(marked(kernel_of(spelt(LOOP.format(more=more))))))
        assert [line for line in lines if "vmcnt" in line] == [f"s_waitcnt vmcnt({count}) lgkmcnt(0)"]


def test_the_path_with_the_fewest_accesses_decides() -> None:
    code = "copy\ns_cbranch_scc1 join\nload\ncopy\njoin:\nwait 0\nread"
    assert "s_waitcnt vmcnt(0)" in lines_of(insert_waits(marked(kernel_of(spelt(code)))))
    code = "copy\ns_cbranch_scc1 join\nload\njoin:\nload\nwait 0\nread"
    assert "s_waitcnt vmcnt(1)" in lines_of(insert_waits(marked(kernel_of(spelt(code)))))


def test_a_copy_on_one_path_is_waited_for() -> None:
    code = "s_cbranch_scc1 join\ncopy\njoin:\nwait 0\nread"
    assert "s_waitcnt vmcnt(0)" in lines_of(insert_waits(marked(kernel_of(spelt(code)))))


def test_a_flat_access_may_overtake() -> None:
    code = "copy | copy | flat_load_dword v0, v[2:3] | wait 1"
    assert "s_waitcnt vmcnt(0)" in code_of(insert_waits(marked(kernel_of(spelt(code)))))


def test_a_counter_at_its_maximum_says_nothing() -> None:
    code = " | ".join(["copy", *["store"] * 70, "wait 0"])
    assert "s_waitcnt vmcnt(62)" in code_of(insert_waits(marked(kernel_of(spelt(code)))))


def test_idle_marked_waits_go() -> None:
    assert code_of(drop_idle_waits(marked(kernel_of(spelt("wait 0 | read"))))) == [NAMES["read"]]


def test_copies_keep_their_order() -> None:
    graph = Dependences(marked(kernel_of("\n".join([COPY, LOAD, COPY.replace("s[4:7]", "s[8:11]")])))).of_block(0)
    assert 0 in graph.before[2]


def test_marks_are_text() -> None:
    kernel = marked(kernel_of(spelt("copy | wait 3")))
    text = print_kernel(kernel)
    assert f"{COPY} !awaits(0)" in text and "s_waitcnt vmcnt(3) !awaits(3)" in text
    assert [one.awaits for one in parse_kernel(text, "copy.mir").instructions()] == [0, 3, None]


def test_states_of_paths_join_to_the_later_copies() -> None:
    first, second = (Counters(kernel_of("").table.target) for _ in range(2))
    copy, load = marked(kernel_of(spelt("copy | load"))).blocks[0].instructions
    for one in (copy, load, load, copy):
        first.issue(one)
    for one in (copy, load):
        second.issue(one)
    joined = first.copy()
    assert not first.alike(second, False)
    assert joined.merge(second)
    assert not joined.merge(second)
    state = joined.states[0]
    assert [state.issued - number for number, _ in state.copies] == [0, 3]
