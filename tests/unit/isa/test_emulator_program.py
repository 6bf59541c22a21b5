"""Machine programs: virtual registers, edge arguments as parallel copies, and loaded kernels turned into programs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from isa.build import build
from isa.diagnostics import InputError
from isa.emulator import load, run_kernel
from isa.emulator.program.blocks import kernel_of
from isa.emulator.sanitizer.faults import MEMORY_CHECKS, SanitizerError
from isa.instruction import Immediate, Instr, Label, Operand
from isa.program import Abi, Argument, Block, Edge, Kernel
from isa.registers import EXEC, Register, RegisterClass, sgpr, vgpr
from isa.targets import parse_target
from tests.rows import row, rows_named
from tests.unit.isa.kernel_builds import compiled
from tests.unit.isa.kernel_cases import agrees
from tests.unit.isa.kernel_cases_first import KERNELS
from tests.unit.isa.programs import image_of

Array = np.ndarray[Any, Any]
X = np.random.default_rng(1).integers(0, 1000, 64).astype(np.uint32)


def make(name: str, *operands: Operand | int) -> Instr:
    return build(row(name), *operands)


def access(name: str, *operands: Operand) -> Instr:
    """A memory instruction with an SGPR base."""
    return build(next(row for row in rows_named(name) if row.form == "saddr"), *operands)


class Program:
    """A kernel of `in` and `out`; `first` loads lane values, `store` and `end` close a block."""

    def __init__(self) -> None:
        abi = Abi((("kernarg_segment_ptr", sgpr(0, 2)), ("workitem_id", vgpr(0))))
        self.kernel = Kernel("k", parse_target("gfx942"), (Argument("in", 0, 8), Argument("out", 8, 8)), (64, 1, 1), abi)
        self.base = self.kernel.new_register(RegisterClass.SGPR, 4, 4)
        self.offset = self.vector()
        self.value = self.vector()
        self.load = [
            make("s_load_dwordx4", self.base, sgpr(0, 2), 0),
            make("v_lshlrev_b32_e32", self.offset, 2, vgpr(0)),
            access("global_load_dword", self.value, self.offset, self.base.part(0, 2)),
        ]

    def vector(self) -> Register:
        return self.kernel.new_register(RegisterClass.VGPR)

    def scalar(self, count: int = 1) -> Register:
        return self.kernel.new_register(RegisterClass.SGPR, count, count)

    def store(self, value: Register) -> Instr:
        return access("global_store_dword", self.offset, value, self.base.part(2, 2))

    def run(self, *blocks: Block) -> Array:
        self.kernel.blocks = list(blocks)
        return run_kernel(self.kernel, (1, 1, 1), [X, np.zeros(64, np.uint32)], sanitize=MEMORY_CHECKS)[1]


END = make("s_endpgm")


def to(target: str, *arguments: Register | Immediate) -> tuple[Edge, ...]:
    return (Edge(target, arguments),)


def test_edge_arguments_are_exchanged_at_once() -> None:
    """A loop that swaps two vector and two scalar values three times: successive copies would lose a value of
    each."""
    p = Program()
    a, b, one, other, count = p.vector(), p.vector(), p.scalar(), p.scalar(), p.scalar()
    less, total, result = p.scalar(), p.vector(), p.vector()
    first = Block("entry", (), (), p.load, None, to("loop", Immediate(7), Immediate(9), Immediate(3)), to("loop", p.value, Immediate(5)))
    body = [make("s_sub_u32", less, count, 1), make("s_cmp_lg_u32", less, 0)]
    leave = (Edge("again"), Edge("end"))
    loop = Block("loop", (one, other, count), (a, b), body, make("s_cbranch_scc1", Label("again")), leave, leave)
    again = Block("again", (), (), [], None, to("loop", other, one, less), to("loop", b, a))
    close = [make("v_sub_u32_e32", total, a, b), make("v_add_u32_e32", result, one, total), p.store(result)]
    got = p.run(first, loop, again, Block("end", (), (), close, END))
    np.testing.assert_array_equal(got, (X - 5 + 7).astype(np.uint32))


def test_vector_arguments_are_copied_under_the_mask_of_their_block() -> None:
    """A divergent if: the wave runs both sides, each lane takes the value of its own."""
    p = Program()
    mask, saved, joined, doubled = p.scalar(2), p.scalar(2), p.vector(), p.vector()
    first = [*p.load, make("v_cmp_lt_u32_e64", mask, p.value, 64), make("s_and_saveexec_b64", saved, mask)]
    entry = Block("entry", (), (), first, make("s_cbranch_execz", Label("flip")), (Edge("flip"), Edge("then")), (Edge("then"), Edge("flip")))
    then = Block("then", (), (), [make("v_add_u32_e32", doubled, p.value, p.value)], None, to("flip"), to("join", doubled))
    flip = Block("flip", (), (), [make("s_andn2_b64", EXEC, saved, mask)], None, to("else"), to("else"))
    otherwise = Block("else", (), (), [], None, to("join"), to("join", Immediate(1)))
    join = Block("join", (), (joined,), [make("s_mov_b64", EXEC, saved), p.store(joined)], END)
    got = p.run(entry, then, flip, otherwise, join)
    np.testing.assert_array_equal(got, np.where(X < 64, 2 * X, 1))


def test_scalar_arguments_of_a_branch_arrive_on_their_own_edge() -> None:
    p = Program()
    chosen, result = p.scalar(), p.vector()
    entry = Block(
        "entry", (), (), [*p.load, make("s_cmp_eq_u32", 1, 1)], make("s_cbranch_scc1", Label("there")),
        (Edge("there", (Immediate(4),)), Edge("here")), (Edge("there"), Edge("here")),
    )  # fmt: skip
    here = Block("here", (), (), [], END)
    there = Block("there", (chosen,), (), [make("v_add_u32_e32", result, chosen, p.value), p.store(result)], END)
    np.testing.assert_array_equal(p.run(entry, here, there), X + 4)


def test_a_tied_result_may_lie_apart_from_its_operand() -> None:
    p = Program()
    start, total = p.vector(), p.vector()
    begin = [*p.load, make("v_mov_b32_e32", start, 0x3F800000)]
    body = [*begin, make("v_fmac_f32_e32", total, 0x40000000, start, start), p.store(total)]
    np.testing.assert_array_equal(p.run(Block("entry", (), (), body, END)).view(np.float32), np.full(64, 3, np.float32))


def test_an_unwritten_virtual_register_is_reported() -> None:
    p = Program()
    with pytest.raises(SanitizerError):
        p.run(Block("entry", (), (), [*p.load, p.store(p.vector())], END))


@pytest.mark.needs_llvm("clang-22", "ld.lld-22")
@pytest.mark.parametrize("name", KERNELS)
def test_a_loaded_kernel_as_a_program(name: str) -> None:
    """Its blocks hold every instruction once, and it runs to the same result."""
    image = load(compiled("first", "-O2", True, "gfx942"), name)
    kernel = kernel_of(image)
    held = [instr for block in kernel.blocks for instr in (*block.instructions, *([block.terminator] if block.terminator else []))]
    jumps = sum(1 for block in kernel.blocks if block.terminator is None and len(block.linear) == 1)
    assert len(image.code.instructions) - jumps <= len(held) <= len(image.code.instructions)
    labels = {block.label for block in kernel.blocks}
    assert len(labels) == len(kernel.blocks) and all(edge.target in labels for block in kernel.blocks for edge in block.linear)
    if any(argument.kind.startswith("hidden") for argument in kernel.arguments):
        return
    case = KERNELS[name].reference(parse_target("gfx942"))
    kernel.workgroup = case.block
    agrees(case, run_kernel(kernel, case.grid, case.args))


def test_a_branch_out_of_the_kernel() -> None:
    with pytest.raises(InputError, match="nowhere"):
        kernel_of(image_of("s_cbranch_scc0 nowhere\ns_endpgm"))
