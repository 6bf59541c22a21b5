"""The scheduler: instructions that come earlier or later, and those that it leaves alone."""

from __future__ import annotations

import pytest

import asmgen
from asmgen.passes.dependence import Dependences
from asmgen.passes.schedule import Scheduler, schedule
from asmgen.passes.schedule.scheduler import placements
from asmgen.passes.schedule.views import before_last_condition
from asmgen.passes.waits.delays import insert_delays
from isa.instruction import Instr
from isa.mir.parser import parse_kernel
from isa.names import RegisterNames
from isa.program import Kernel
from isa.registers import RegisterClass
from isa.text.printing import format_instr
from regalloc.liveness import compute_liveness
from regalloc.verify import verify
from tests.unit.passes.assembly import kernel_of

HEADER = """stage machine gfx942
kernel test
workgroup 64 1 1
argument x offset=0 size=8 kind=global_buffer space=global access=read_only type=f32
argument out offset=8 size=8 kind=global_buffer space=global access=write_only type=f32
entry kernarg_segment_ptr s[0:1]
entry workgroup_id_x s2
entry workitem_id v0
register %p sgpr 4 align 4
"""
POINTERS = "  s_load_dwordx4 %p, s[0:1], 0\n"


def program(code: str, body: str = "", target: str = "gfx942") -> Kernel:
    """A block of code, one instruction to ` | `; each `%v...` is a VGPR, each `%s...` an SGPR, each `%m...` a mask."""
    words = dict.fromkeys(word.strip(",[]") for word in code.replace("|", " ").split() if word.startswith(("%v", "%s", "%m")))
    classes = {"v": "vgpr", "s": "sgpr", "m": "sgpr 2 align 2"}
    registers = "".join(f"register {word} {classes[word[1]]}\n" for word in words)
    lines = "".join(f"  {line}\n" for line in code.split(" | "))
    pointers = POINTERS if target.startswith("gfx9") else POINTERS.replace("dwordx4", "b128")
    text = f"{HEADER}{registers}block entry\n{pointers}{lines}{body or '  terminator s_endpgm'}\n"
    kernel = parse_kernel(text.replace("gfx942", target), "test.mir")
    verify(kernel)
    return kernel


def scheduled(kernel: Kernel) -> list[str]:
    ordered = schedule(kernel)
    verify(ordered)
    return [format_instr(instr, RegisterNames(kernel.owners)).split()[0] for instr in ordered.blocks[0].instructions]


def names(kernel: Kernel) -> list[str]:
    return [format_instr(instr, RegisterNames(kernel.owners)) for instr in kernel.blocks[0].instructions]


def place(kernel: Kernel, start: str) -> int:
    return next(i for i, line in enumerate(names(kernel)) if line.startswith(start))


_X, _OUT = (f'!touches {{"global": "{name}"}}' for name in ("x", "out"))
TWO_LOADS = " | ".join(
    f"global_load_dword %v{at + 1}, v0, %p[0:1] offset:{64 * at} {_X} | v_add_f32_e32 %v{at + 2}, %v{at + 1}, %v{at + 1}"
    f" | v_mul_f32_e32 %v{at + 3}, %v{at + 2}, %v{at + 2} | global_store_dword v0, %v{at + 3}, %p[2:3] offset:{64 * at} {_OUT}"
    for at in (0, 3)
)


def test_a_load_comes_before_the_wait_for_another() -> None:
    ordered = schedule(program(TWO_LOADS))
    assert place(ordered, "global_load_dword %v4") < place(ordered, "v_add_f32_e32 %v2")


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_scalar_loads_of_a_chain_come_before_the_first_wait(target: str) -> None:
    """If their data were expected from the nearest cache, five came before the first sum, and waves waited for memory again after it."""
    dword = "dword" if target == "gfx942" else "b32"
    lines = ["v_mov_b32_e32 %v0, v0"]
    for i in range(12):
        lines += [f"s_load_{dword} %s{i}, %p[0:1], {4 * i} {_X}", f"v_add_f32_e32 %v{i + 1}, %s{i}, %v{i}"]
    ordered = schedule(program(" | ".join([*lines, f"global_store_{dword} v0, %v12, %p[2:3] {_OUT}"]), target=target))
    assert place(ordered, f"s_load_{dword} %s11") < place(ordered, "v_add_f32_e32 %v1,")


def test_stores_to_the_buffer_that_is_loaded_from_hold_the_load_back() -> None:
    kernel = program(TWO_LOADS.replace(_X, _OUT))
    ordered = schedule(kernel)
    assert place(ordered, "global_load_dword %v4") > place(ordered, "global_store_dword v0, %v3")


def test_steps_of_two_reductions_alternate() -> None:
    def step(result: str, source: str) -> str:
        return f"v_add_f32_dpp {result}, {source}, {source} row_shr:1 row_mask:0xf bank_mask:0xf !tied({source})"

    chains = [[step(f"%v{chain}{i}", f"%v{chain}{i - 1}") for i in range(1, 4)] for chain in (1, 2)]
    code = " | ".join(["v_mov_b32_e32 %v10, v0", "v_mov_b32_e32 %v20, v0", *chains[0], *chains[1]])
    code += " | global_store_dword v0, %v13, %p[2:3] | global_store_dword v0, %v23, %p[2:3] offset:4"
    order = [line.split()[1] for line in names(schedule(program(code))) if "dpp" in line]
    assert [result[:3] for result in order] in (["%v1", "%v2"] * 3, ["%v2", "%v1"] * 3)


def test_a_block_that_gains_nothing_stays_as_it_is() -> None:
    kernel = program("v_add_f32_e32 %v1, v0, v0 | v_mul_f32_e32 %v2, %v1, %v1 | v_add_f32_e32 %v3, %v2, %v2 | v_mul_f32_e32 %v4, %v3, %v3")
    assert schedule(kernel) is kernel


def test_an_accumulator_is_overwritten_after_its_other_readers() -> None:
    """Else it would have to be copied: v_fmac overwrites the source that it is tied to."""
    kernel = program(
        "global_load_dword %v1, v0, %p[0:1] | global_load_dword %v2, v0, %p[0:1] offset:4 | v_exp_f32_e32 %v3, %v2"
        " | v_add_f32_e32 %v4, %v1, %v3 | v_fmac_f32_e32 %v5, %v2, %v2 !tied(%v1) | v_mul_f32_e32 %v6, %v5, %v5"
        " | v_mul_f32_e32 %v7, %v6, %v6 | v_mul_f32_e32 %v8, %v7, %v4 | global_store_dword v0, %v8, %p[2:3]"
    )
    ordered = schedule(kernel)
    assert place(ordered, "v_add_f32_e32 %v4") < place(ordered, "v_fmac_f32_e32")


def many_loads(count: int) -> str:
    steps = [
        f"global_load_dword %v{i}, v0, %p[0:1] offset:{4 * i} | v_add_f32_e32 %v{i + 1000}, %v{i}, %v{i + 999 if i else 0}" for i in range(count)
    ]
    return " | ".join([*steps, f"global_store_dword v0, %v{count + 999}, %p[2:3]"])


@pytest.mark.parametrize("most", [None, 20])
def test_pressure_stays_below_the_step_of_the_occupancy(most: int | None) -> None:
    kernel = program(many_loads(90))
    before, after = (compute_liveness(one).pressure[RegisterClass.VGPR].units for one in (kernel, schedule(kernel, most)))
    assert before < after <= (most or 64)


def runs_of_loads(kernel: Kernel) -> list[int]:
    """How many loads are next to each other, run by run."""
    lines = "".join("L" if name.startswith("global_load") else "." for name in names(kernel))
    return [len(run) for run in lines.split(".") if run]


@pytest.mark.parametrize(("target", "alone"), [("gfx942", True), ("gfx1100", False)])
def test_loads_come_back_in_groups_where_there_are_clauses(target: str, alone: bool) -> None:
    """With room for some of the loads, the others come as registers are given back: each by itself, or
    four."""
    code = many_loads(60)
    if target == "gfx1100":
        code = code.replace("_dword", "_b32")
    ordered = schedule(program(code, target=target), 24)
    runs = runs_of_loads(ordered)
    assert sum(runs) == 60 and (min(runs[:-1]) < 4) == alone


def test_a_block_with_overlapping_trips_keeps_its_order() -> None:
    kernel = program(TWO_LOADS)
    (block,) = kernel.blocks
    assert Scheduler(kernel).run().kernel is not kernel
    assert Scheduler(kernel, overlap=frozenset({block.label})).run().kernel is kernel


def test_no_order_is_kept_with_more_live_registers_than_there_are() -> None:
    kernel = program(TWO_LOADS)
    assert Scheduler(kernel, available=64).run().kernel is not kernel
    crowded = Scheduler(kernel, available=1).run()
    assert crowded.kernel is kernel
    assert not crowded.decisions


@pytest.mark.parametrize(
    ("products", "available", "wanted"),
    [(0, 128, 65), (0, 64, 0), pytest.param(300, 128, 0, id="waves with much to issue wait for nothing")],
)
def test_an_order_is_worth_a_wave_if_it_gains_more(products: int, available: int, wanted: int) -> None:
    """Up to 64 VGPRs, eight waves take turns. Loads that wait in succession take longer than seven waves in
    the better order."""
    code = [f"v_mul_f32_e32 %v{i}, v0, v0" for i in range(5000, 5000 + products)]
    scheduler = Scheduler(program(" | ".join([*code, many_loads(8)])), available=available)
    ordering = scheduler.run()
    assert ordering.decisions
    assert scheduler.worth_a_wave(ordering) == wanted
    assert scheduler.worth_a_wave(ordering._replace(decisions={})) == 0


def test_orders_for_fewer_registers_are_those_of_a_scheduler_of_its_own() -> None:
    """A scheduler looks at a block once, and gives the same kernel again if the same registers may be live."""
    kernel = program(many_loads(90))
    scheduler = Scheduler(kernel)
    most, fewer = (scheduler.run(vgprs).kernel for vgprs in (None, 20))
    assert most.blocks == schedule(kernel).blocks != fewer.blocks == schedule(kernel, 20).blocks
    assert scheduler.run(20).kernel is fewer


def test_the_trace_says_why_each_instruction_is_where_it_is() -> None:
    kernel = program(TWO_LOADS)
    ordered, _, decisions = Scheduler(kernel).run()
    lines = list(placements(kernel, decisions))
    assert len(lines) == 1 + len(ordered.blocks[0].instructions)
    assert "vector registers" in lines[0]
    for line, instr in zip(lines[1:], names(ordered), strict=True):
        assert instr in line
        assert line.endswith(("clocks", "could issue", "too many registers"))


def test_what_is_ordered_is_what_the_graph_allows() -> None:
    kernel = program(many_loads(30))
    before = {id(instr): number for number, instr in enumerate(kernel.blocks[0].instructions)}
    after: list[Instr] = schedule(kernel).blocks[0].instructions
    assert Dependences(kernel).of_block(0).allows([before[id(instr)] for instr in after])


def test_elements_of_a_vector_stay_neighbours_for_dual_instructions() -> None:
    """The lower half of a rounded pair comes before the upper half, so every other element has a longer chain. Products of
    registers of one parity would find no partner."""
    text = "g = @param:g -> f16, {4096,1024}\nu = @param:u -> f16, {4096,1024}\ns = sigmoid(g)\nt = mul(g, s)\no = mul(t, u)\n@return(o)\n"
    assembly = asmgen.compile(text, target="gfx1100", fast_math=True).kernels[0].assembly
    assert assembly.count("v_dual_mul_f32") >= 32
    assert "\tv_mul_f32" not in assembly and "\tv_add_f32" not in assembly


EXPONENTS = 24


def exponentials() -> Kernel:
    """Sums of pairs of exponentials of products, four products and exponentials at a time, and pairs of sums that may
    become a dual instruction."""
    lines: list[str] = []
    for first in range(0, EXPONENTS, 4):
        some = range(first, first + 4)
        lines += [f"v_mul_f32_e32 %v{n}, v0, v0" for n in some] + [f"v_exp_f32_e32 %v{100 + n}, %v{n}" for n in some]
    for pair in range(0, EXPONENTS // 2, 2):
        lines += [f"v_add_f32_e32 %v20{at:02}, %v{100 + at}, %v{100 + EXPONENTS // 2 + at}" for at in (pair, pair + 1)]
    stored = [f"global_store_b32 v0, %v20{n:02}, %p[2:3] offset:{4 * n} {_OUT}" for n in range(EXPONENTS // 2)]
    return program(" | ".join([*lines, *stored]), target="gfx1100")


def test_a_busy_pipe_is_filled_with_the_work_of_later_instructions() -> None:
    """The products of later exponentials issue while the pipe is busy, so early that no exponential needs a delay. Sums
    of neighbours stay neighbours."""
    kernel = exponentials()
    ordered = schedule(kernel)
    found = [line.split()[0] for line in names(ordered)]
    first, last = (at for at in (found.index("v_exp_f32_e32"), len(found) - found[::-1].index("v_mul_f32_e32")))
    assert first < last
    before, after = (len(names(insert_delays(each))) - len(names(each)) for each in (kernel, ordered))
    assert after * 3 <= before, (before, after)
    for pair in range(0, EXPONENTS // 2, 2):
        assert place(ordered, f"v_add_f32_e32 %v20{pair + 1:02}") == place(ordered, f"v_add_f32_e32 %v20{pair:02}") + 1


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("v_cmp_lt_u32_e64 s[2:3], v0, v1 | v_mul_f32_e32 v3, v4, v4 | v_cmp_eq_u32_e32 vcc, 0, v0", {2: {0}}),
        ("v_cmp_lt_u32_e64 s[2:3], v0, v1 | v_cndmask_b32_e64 v2, v0, v1, s[2:3] | v_cmp_eq_u32_e32 vcc, 0, v0", {2: {0, 1}}),
        ("v_cmp_lt_u32_e64 s[2:3], v0, v1 | v_cmp_eq_u32_e32 vcc, 0, v0 | v_cndmask_b32_e32 v2, v0, v1, vcc", {}),
        ("v_mul_f32_e32 v3, v4, v4 | v_cmp_eq_u32_e32 vcc, 0, v0", {}),
    ],
)
def test_the_condition_of_the_end_comes_after_masks_that_could_be_in_vcc(code: str, wanted: dict[int, set[int]]) -> None:
    kernel = kernel_of(code.replace(" | ", "\n"))
    assert before_last_condition(kernel.table, Dependences(kernel).of_block(0)) == wanted


def test_an_order_that_keeps_no_more_registers_may_gain_less() -> None:
    """The last of five loads has the bias, which all sums need. It is loaded first, for a gain of 48 clocks of 3,812."""
    text = (
        "x = @param:x -> f16, {2048,2048}\nb = @param:b -> f16, {2048}\nhalf = @literal{0.5} -> f16, {}\n"
        "one = @literal{1} -> f16, {}\ncubic = @literal{0.044715} -> f16, {}\nroot = @literal{0.7978845608} -> f16, {}\n"
        "s = add(x, b)\nss = mul(s, s)\nsss = mul(ss, s)\nscaled = mul(sss, cubic)\ninner = add(s, scaled)\n"
        "angle = mul(inner, root)\nt = tanh(angle)\nonet = add(t, one)\nhalfs = mul(s, half)\no = mul(halfs, onet)\n@return(o)\n"
    )
    (kernel,) = asmgen.compile(text, target="gfx950", fast_math=True).kernels
    waits = [line for line in kernel.assembly.splitlines() if "s_waitcnt vmcnt" in line]
    assert waits[0].split()[1] == "vmcnt(4)"
