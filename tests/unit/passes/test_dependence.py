"""The dependence graph: each case states the code, and which instruction comes after which, with the reason above."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from asmgen.passes.dependence import Dependence, Dependences, Graph
from asmgen.passes.dependence.memory import MOST_COMPARED
from isa.diagnostics import InternalError
from isa.mir.parser import parse_kernel
from isa.program import Kernel
from tests.unit.passes.assembly import kernel_of

TRUE, OUTPUT, ANTI, MEMORY, FENCE, PHASE = Dependence

# (reason, code on physical registers, wanted: (later, earlier) -> why)
CASES: tuple[tuple[str, str, dict[tuple[int, int], Dependence]], ...] = (
    ("what is read", "v_mov_b32_e32 v0, 0 | v_mov_b32_e32 v1, v0", {(1, 0): TRUE}),
    ("nothing in common", "v_mov_b32_e32 v0, 0 | v_mov_b32_e32 v1, 0", {}),
    ("overwritten after it was read", "v_mov_b32_e32 v1, v0 | v_mov_b32_e32 v0, 0", {(1, 0): ANTI}),
    ("overwritten twice", "v_mov_b32_e32 v0, 0 | v_mov_b32_e32 v0, 1", {(1, 0): OUTPUT}),
    (
        "a part of a tuple",
        "s_mov_b32 s1, 0 | s_mov_b32 s3, 0 | s_mov_b64 s[4:5], s[0:1]",
        {(2, 0): TRUE},
    ),
    (
        "EXEC masks a vector instruction, and not a scalar one",
        "v_mov_b32_e32 v0, 0 | s_mov_b64 exec, s[0:1] | v_mov_b32_e32 v1, 0 | s_mov_b32 s4, 0",
        {(1, 0): ANTI, (2, 1): TRUE},
    ),
    (
        "lanes that are off have their values only under this EXEC",
        "v_readlane_b32 s4, v0, 3 | s_mov_b64 exec, s[0:1] | v_mov_b32_dpp v1, v0 row_shr:1 row_mask:0xf bank_mask:0xf",
        {(1, 0): ANTI, (2, 1): TRUE},
    ),
    (
        "SCC that nobody reads keeps nobody in order",
        "s_add_u32 s0, s1, s2 | s_and_b32 s3, s4, s5 | s_or_b32 s6, s7, s8",
        {},
    ),
    (
        "SCC between its writer and its reader",
        "s_and_b32 s3, s4, s5 | s_add_u32 s0, s1, s2 | s_addc_u32 s9, s10, s11 | s_or_b32 s6, s7, s8",
        {(1, 0): OUTPUT, (2, 1): TRUE, (3, 1): OUTPUT, (3, 2): ANTI},
    ),
    (
        "what shows whether VCC is 0 is read from VCC",
        "s_mov_b64 vcc, s[0:1] | s_mov_b32 s2, src_vccz",
        {(1, 0): TRUE},
    ),
    (
        "an SCC that is spelt out",
        "s_cmp_eq_u32 s0, s1 | s_mov_b32 s2, src_scc | s_and_b32 s3, s4, s5",
        {(1, 0): TRUE, (2, 0): OUTPUT, (2, 1): ANTI},
    ),
    (
        "M0 is read by what fills LDS",
        "s_mov_b32 m0, s0 | global_load_lds_dword v0, s[2:3]",
        {(1, 0): TRUE},
    ),
    ("loads commute", "global_load_dword v1, v0, s[2:3] | global_load_dword v2, v0, s[2:3]", {}),
    (
        "loads and stores do not, wherever they may go",
        "global_load_dword v1, v0, s[2:3] | global_store_dword v0, v3, s[4:5] | global_load_dword v2, v0, s[2:3]",
        {(1, 0): MEMORY, (2, 1): MEMORY},
    ),
    (
        "memory and LDS are apart, but not for a flat access",
        "ds_write_b32 v0, v1 | global_load_dword v2, v0, s[2:3] | ds_read_b32 v3, v0 | flat_load_dword v4, v[6:7]",
        {(2, 0): MEMORY, (3, 0): MEMORY},
    ),
    ("lanes exchanged through LDS touch none of it", "ds_write_b32 v0, v1 | ds_bpermute_b32 v2, v3, v4", {}),
    (
        "LDS accesses stay on their side of a barrier, arithmetic need not",
        "ds_write_b32 v0, v1 | v_mov_b32_e32 v5, 0 | s_barrier | ds_read_b32 v2, v3 | v_mov_b32_e32 v6, 0",
        {(2, 0): MEMORY, (3, 2): MEMORY},
    ),
    (
        "nor a barrier after it, which says when other waves multiply",
        "v_mov_b32_e32 v0, 0 | s_barrier | s_setprio 1 | v_mov_b32_e32 v1, 0 | s_barrier | v_mov_b32_e32 v2, 0",
        {(2, 0): FENCE, (2, 1): FENCE, (3, 2): FENCE, (4, 1): MEMORY, (4, 2): FENCE, (4, 3): FENCE, (5, 4): FENCE},
    ),
    (
        "nothing passes a priority",
        "v_mov_b32_e32 v0, 0 | s_setprio 1 | v_mov_b32_e32 v1, 0",
        {(1, 0): FENCE, (2, 1): FENCE},
    ),
    (
        "nothing passes a wait",
        "global_load_dword v1, v0, s[2:3] | s_waitcnt vmcnt(0) | v_mov_b32_e32 v2, 0",
        {(1, 0): FENCE, (2, 1): FENCE},
    ),
    (
        "nothing passes a change of the mode",
        "v_add_f32_e32 v0, v1, v2 | s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 5 | v_add_f32_e32 v3, v1, v2",
        {(1, 0): FENCE, (2, 1): FENCE},
    ),
    (
        "a half is written into what the other half keeps",
        "v_mov_b32_e32 v1, 0 | global_load_short_d16_hi v1, v0, s[2:3] | v_mov_b32_e32 v2, v1",
        {(1, 0): TRUE, (2, 1): TRUE},
    ),
    (
        "a store may not pass an atomic operation",
        "global_atomic_add v0, v1, s[2:3] | global_store_dword v0, v3, s[4:5]",
        {(1, 0): MEMORY},
    ),
)


def edges(graph: Graph) -> dict[tuple[int, int], Dependence]:
    return {(later, earlier): why for later, before in enumerate(graph.before) for earlier, why in before.items()}


@pytest.mark.parametrize(("reason", "code", "wanted"), CASES, ids=[case[0] for case in CASES])
def test_what_comes_after_what(reason: str, code: str, wanted: dict[tuple[int, int], Dependence]) -> None:
    kernel = kernel_of(code.replace(" | ", "\n"))
    assert edges(Dependences(kernel).of_block(0)) == wanted, reason


def test_an_scc_that_the_terminator_reads_is_written_last() -> None:
    kernel = kernel_of("s_cmp_eq_u32 s0, s1\ns_cbranch_scc1 entry")
    kernel.blocks[0].instructions.insert(0, kernel_of("s_and_b32 s2, s3, s4").blocks[0].instructions[0])
    assert edges(Dependences(kernel).of_block(0)) == {(1, 0): OUTPUT}


def test_orders_are_judged() -> None:
    graph = Dependences(kernel_of("v_mov_b32_e32 v0, 0\nv_mov_b32_e32 v1, v0\nv_mov_b32_e32 v2, 0")).of_block(0)
    assert graph.allows([0, 2, 1])
    assert graph.allows([2, 0, 1])
    assert not graph.allows([1, 0, 2])
    assert not graph.allows([0, 1])


# ---- footprints

HEADER = """stage machine gfx942
kernel test
workgroup 64 1 1
argument a offset=0 size=8 kind=global_buffer space=global access=read_write type=f32
argument b offset=8 size=8 kind=global_buffer space=global access=write_only type=f32
argument c offset=16 size=8 kind=global_buffer space=global access=read_only type=f32
entry workitem_id v0
register %x vgpr
register %y vgpr
register %s vgpr 4 align 2
register %t vgpr 4 align 2
block entry
"""
A, B, C = (f'!touches {{"global": "{name}"}}' for name in "abc")
STORE_A, LOAD_A = f"global_store_dword v0, v0, s[2:3] {A}", f"global_load_dword %x, v0, s[2:3] {A}"
PRIVATE = '!touches {"scratch": "p", "bytes": ["0", 0, 0, 1, 4]}'
WRITE, READ = "ds_write_b32 v0, v0", "ds_read_b32 %x, v0"


def lds(name: str = "t", slot: str = "0", first: int = 0, last: int = 0, step: int = 1, at: str = "0") -> str:
    fields = f'"lds": "{name}", "slot": "{slot}", "bytes": ["{at}", {first}, {last}, {step}, 4], "loop": "trip"'
    return f"!touches {{{fields}}}"


TWO_COPIES = " | ".join(["s_mov_b32 m0, s0", *(f"global_load_lds_dword v0, s[2:3] offset:{at} {C} {lds(first=at, last=at)}" for at in (0, 256))])
# (reason, code, whether the last instruction comes after the last but one)
FOOTPRINTS = (
    ("the buffer that was stored to", f"{STORE_A} | {LOAD_A}", True),
    ("another buffer", f"{STORE_A} | global_load_dword %x, v0, s[4:5] {B}", False),
    ("a buffer that nothing writes", f"{STORE_A} | global_load_dword %x, v0, s[4:5] {C}", False),
    ("an access that may be anywhere", f"{STORE_A} | global_load_dword %x, v0, s[4:5]", True),
    ("a store after an access that may be anywhere", f"global_load_dword %x, v0, s[4:5] | {STORE_A}", True),
    ("a store anywhere, after a load", f"{LOAD_A} | global_store_dword v0, v0, s[4:5]", True),
    ("loads, wherever they are", f"global_load_dword %y, v0, s[4:5] | {LOAD_A}", False),
    ("what the wave loaded before a barrier", f"{LOAD_A} | s_barrier", True),
    ("a buffer that nothing writes, after a barrier", f"s_barrier | global_load_dword %x, v0, s[4:5] {C}", False),
    ("a buffer of the kernel, after a barrier", f"s_barrier | {LOAD_A}", True),
    ("the arguments, after a barrier", 's_barrier | s_load_dword s8, s[0:1], 0 !touches {"arguments": "kernarg"}', False),
    ("the same LDS", f"{WRITE} {lds()} | {READ} {lds()}", True),
    ("another object in LDS", f"{WRITE} {lds()} | {READ} {lds('u')}", False),
    ("LDS anywhere", f"{WRITE} {lds()} | {READ}", True),
    ("another slot", f"{WRITE} {lds(slot='trip mod 2')} | {READ} {lds(slot='(trip + 1) mod 2')}", False),
    ("the same slot in other words", f"{WRITE} {lds(slot='trip mod 2')} | {READ} {lds(slot='(trip + 2) mod 2')}", True),
    ("slots of which nothing is known", f"{WRITE} {lds(slot='trip mod 2')} | {READ} {lds(slot='row mod 2')}", True),
    ("other bytes", f"{WRITE} {lds(last=60, step=4)} | {READ} {lds(first=64, last=124, step=4)}", False),
    ("bytes of which one is the same", f"{WRITE} {lds(last=60, step=4)} | {READ} {lds(first=60, last=124, step=4)}", True),
    ("bytes between the others", f"{WRITE} {lds(last=64, step=8)} | {READ} {lds(first=4, last=68, step=8)}", False),
    ("bytes of the other steps", f"{WRITE} {lds(last=64, step=8)} | {READ} {lds(first=4, last=68, step=4)}", True),
    ("bytes after a uniform number", f"{WRITE} {lds(at='64*row')} | {READ} {lds(at='64*row + 4')}", False),
    ("bytes after another number", f"{WRITE} {lds(at='64*row')} | {READ} {lds(at='64*column')}", True),
    ("numbers whose multiples differ", f"{WRITE} {lds(at='64*row')} | {READ} {lds(at='64*column + 4')}", False),
    ("a store after a load of other bytes", f"{READ} {lds()} | {WRITE} {lds(first=4, last=4)}", False),
    ("a store after a load of its bytes", f"{READ} {lds()} | {WRITE} {lds()}", True),
    ("LDS and global memory", f"{STORE_A} | {READ} {lds()}", False),
    ("LDS after a barrier", f"s_barrier | {READ} {lds()}", True),
    ("LDS that memory fills, and LDS", f"s_mov_b32 m0, s0 | global_load_lds_dword v0, s[2:3] {A} {lds()} | {READ} {lds()}", True),
    (
        "LDS that memory fills, and other LDS",
        f"s_mov_b32 m0, s0 | global_load_lds_dword v0, s[2:3] {A} {lds()} | {READ} {lds('u')}",
        False,
    ),
    ("LDS that memory fills somewhere", f"s_mov_b32 m0, s0 | global_load_lds_dword v0, s[2:3] {A} | {READ} {lds()}", True),
    ("a buffer that fills LDS is only read", f"s_mov_b32 m0, s0 | global_load_lds_dword v0, s[2:3] {A} {lds()} | {LOAD_A}", False),
    ("copies to other bytes of LDS, which waits count", TWO_COPIES, True),
    (
        "scratch at other bytes",
        f"scratch_store_dword v0, v0, off {PRIVATE} | scratch_load_dword %x, v0, off {PRIVATE.replace('0, 0', '4, 4')}",
        False,
    ),
    ("scratch anywhere", "scratch_store_dword v0, v0, off | scratch_load_dword %x, v0, off", True),
)  # fmt: skip


def kernel_with(code: str) -> Kernel:
    lines = "".join(f"  {line}\n" for line in code.split(" | "))
    return parse_kernel(f"{HEADER}{lines}  terminator s_endpgm\n", "test.mir")


WAIT, OWN = "s_waitcnt vmcnt(0)", "v_mfma_f32_4x4x1_16b_f32 %s, %x, %y, 0"
# (reason, code, the fences of its instructions)
WAITS = (
    ("a matrix instruction on virtual registers", f"{OWN} | {WAIT} | {OWN.replace('%s', '%t')}", set[tuple[int, int]]()),
    ("one that names a physical register may read what is awaited", f"{WAIT} | {OWN.replace('%x', 'v0')}", {(1, 0)}),
    ("other instructions", f"v_mov_b32_e32 %x, 0 | {WAIT} | v_mov_b32_e32 %y, 0", {(1, 0), (2, 1)}),
    ("accesses are counted", f"ds_read_b32 %x, %y | {WAIT} | {OWN} | ds_write_b32 %x, %x", {(1, 0), (3, 1)}),
    ("other waves wait too", f"{OWN} | s_barrier | {WAIT} | s_barrier", {(2, 1), (3, 2)}),
    ("waits among each other", f"{WAIT} | {WAIT}", {(1, 0)}),
    ("a fence on this side", f"{OWN} | {WAIT} | s_nop 0 | {OWN.replace('%s', '%t')}", {(2, 0), (2, 1), (3, 2)}),
)  # fmt: skip


@pytest.mark.parametrize(("reason", "code", "wanted"), WAITS, ids=[case[0] for case in WAITS])
def test_what_stays_on_its_side_of_a_wait(reason: str, code: str, wanted: set[tuple[int, int]]) -> None:
    dependences = Dependences(kernel_with(code))
    found = edges(dependences.beside_waits(0))
    assert {ends for ends, why in found.items() if why is FENCE} == wanted, reason
    assert (edges(dependences.of_block(0)) == found) is (OWN not in code), "the scheduler keeps it on its side"


@pytest.mark.parametrize(("reason", "code", "wanted"), FOOTPRINTS, ids=[case[0] for case in FOOTPRINTS])
def test_accesses_are_in_order_if_they_may_meet(reason: str, code: str, wanted: bool) -> None:
    graph = Dependences(kernel_with(code)).of_block(0)
    last = len(graph.instructions) - 1
    assert (last - 1 in graph.before[last]) is wanted, reason


@pytest.mark.parametrize("count", [3, MOST_COMPARED, MOST_COMPARED + 1, 2 * MOST_COMPARED + 5])
def test_a_load_comes_after_the_stores_of_its_bytes_however_many_there_are(count: int) -> None:
    stores = [f"{WRITE} {lds(first=4 * i, last=4 * i)}" for i in range(count)]
    loads = [f"{READ} {lds(first=4 * i, last=4 * i)}".replace("%x", f"v{2 + i % 100}") for i in range(count)]
    graph = Dependences(kernel_with(" | ".join(stores + loads))).of_block(0)
    for load in range(count):
        assert load in reachable(graph, count + load), load
    assert 0 not in reachable(graph, 2), "stores of other bytes"


def reachable(graph: Graph, number: int) -> set[int]:
    """The instructions that come before an instruction."""
    found: set[int] = set()
    pending = [number]
    while pending:
        for earlier in graph.before[pending.pop()]:
            if earlier not in found:
                found.add(earlier)
                pending.append(earlier)
    return found


# ---- between trips

LOOP = """stage machine gfx942
kernel test
workgroup 64 1 1
argument a offset=0 size=8 kind=global_buffer space=global access=read_write type=f32
entry workitem_id v0
register %i sgpr
register %next sgpr
register %old vgpr
register %older vgpr
register %x vgpr
register %y vgpr
block entry
  linear loop(0x0)
  logical loop(v0, v0)
block loop scalar(%i) vector(%old, %older)
CODE
  s_add_u32 %next, %i, 1
  s_cmp_lt_u32 %next, 8
  terminator s_cbranch_scc0 done
  linear done, again
  logical done, again
block again
  linear loop(%next)
  logical loop(%x, %old)
block done
  terminator s_endpgm
"""
# (reason, code, the pairs wanted of the code as earlier, later, trips)
TRIPS: tuple[tuple[str, str, list[tuple[int, int, int]]], ...] = (
    ("a value of the trip before", "v_mov_b32_e32 %y, %old | v_mov_b32_e32 %x, 0", [(1, 0, 1)]),
    ("a value of two trips before", "v_mov_b32_e32 %y, %older | v_mov_b32_e32 %x, 0", [(1, 0, 2)]),
    ("a sum", "v_add_u32_e32 %x, 1, %old", [(0, 0, 1)]),
    ("a physical register is overwritten", "v_mov_b32_e32 v9, %old | v_mov_b32_e32 %x, v9", [(0, 0, 1), (1, 0, 1)]),
    (
        "two slots in turn",
        f"{READ} {lds(slot='trip mod 2')} | ds_write_b32 v0, v0 {lds(slot='(trip + 1) mod 2')}",
        [(0, 1, 1), (1, 0, 1)],
    ),
    (
        "three slots in turn",
        f"{READ} {lds(slot='trip mod 3')} | ds_write_b32 v0, v0 {lds(slot='(trip + 1) mod 3')}",
        [(0, 1, 2), (1, 0, 1)],
    ),
    (
        "three slots, written two trips ahead",
        f"{READ} {lds(slot='trip mod 3')} | ds_write_b32 v0, v0 {lds(slot='(trip + 2) mod 3')}",
        [(0, 1, 1), (1, 0, 2)],
    ),
    ("one slot", f"{READ} {lds()} | ds_write_b32 v0, v0 {lds()}", [(1, 0, 1)]),
    (
        "bytes that advance",
        f"{READ} {lds(at='4*trip + 12')} | ds_write_b32 v0, v0 {lds(at='4*trip')}",
        [(0, 1, 3)],
    ),
    ("accesses anywhere", f"{READ} | ds_write_b32 v0, v0", [(1, 0, 1)]),
    ("other objects", f"{READ} {lds()} | ds_write_b32 v0, v0 {lds('u')}", []),
    ("a barrier between", f"{READ} {lds()} | s_barrier | ds_write_b32 v0, v0 {lds()}", [(0, 2, 1), (1, 0, 1), (2, 0, 1), (2, 1, 1)]),
)  # fmt: skip


@pytest.mark.parametrize(("reason", "code", "wanted"), TRIPS, ids=[case[0] for case in TRIPS])
def test_trips_depend_on_trips_before(reason: str, code: str, wanted: list[tuple[int, int, int]]) -> None:
    lines = code.split(" | ")
    text = LOOP.replace("CODE", "\n".join(f"  {line}" for line in lines))
    pairs = Dependences(parse_kernel(text, "test.mir")).between_trips(1)
    mixed = [pair for pair in pairs if pair.earlier < len(lines) and pair.later < len(lines) and pair.earlier != pair.later]
    itself = [pair for pair in pairs if pair.earlier == pair.later < len(lines)]
    stated = [pair for pair in wanted if pair[0] == pair[1]]
    assert mixed == [pair for pair in wanted if pair[0] != pair[1]], reason
    assert set(stated) <= set(itself), reason
    assert (len(lines), len(lines), 1) in pairs, "the counter"


def test_a_block_that_is_no_loop_has_no_trips() -> None:
    kernel = parse_kernel(LOOP.replace("CODE", "  v_mov_b32_e32 %x, 0"), "test.mir")
    with pytest.raises(InternalError, match="not the body of a loop"):
        _ = Dependences(kernel).between_trips(0)


def test_instructions_of_a_later_phase_come_after_those_of_earlier_phases() -> None:
    """Arithmetic has no phase. The next trip of a loop begins with the first phase again."""
    text = "ds_read_b32 v0, v9 | ds_read_b32 v1, v9 | v_mov_b32_e32 v2, 0 | ds_read_b32 v3, v9 | ds_read_b32 v4, v9"
    kernel = kernel_of(text.replace(" | ", "\n"))
    (block,) = kernel.blocks
    phases = [1, 1, 0, 2, 3]
    code = [replace(instr, phase=phase) for instr, phase in zip(block.instructions, phases, strict=False)]
    before = Dependences(kernel).of_code(0, code).before
    assert before == [{}, {}, {}, {0: PHASE, 1: PHASE}, {3: PHASE}]
    twice = Dependences(kernel).of_code(0, [*code, code[0]]).before
    assert twice[5] == {4: PHASE, 0: OUTPUT}
