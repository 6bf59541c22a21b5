"""Known bits and constant folding against plain arithmetic on random numbers, for every operation that has a rule."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from asmgen.index.interval import WORD
from asmgen.passes.combine.combine import combine
from asmgen.passes.combine.known_zeros import KnownZeros, above, trailing_zeros
from asmgen.passes.ssa import constant
from isa.build import build
from isa.instruction import Immediate, Instr
from isa.program import Abi, Block, Kernel
from isa.registers import Register, RegisterClass, sgpr, vgpr
from isa.targets import parse_target
from tests.rows import row

# Rows with one result and the operation they have, as plain arithmetic on their sources in operand order.
ARITHMETIC: dict[str, Callable[..., int]] = {
    "v_add_u32_e64": lambda a, b: a + b,
    "v_mul_lo_u32": lambda a, b: a * b,
    "v_mul_u32_u24_e64": lambda a, b: (a & 0xFFFFFF) * (b & 0xFFFFFF),
    "v_lshlrev_b32_e64": lambda a, b: b << (a & 31),
    "v_lshrrev_b32_e64": lambda a, b: b >> (a & 31),
    "v_and_b32_e64": lambda a, b: a & b,
    "v_or_b32_e64": lambda a, b: a | b,
    "v_xor_b32_e64": lambda a, b: a ^ b,
    "v_min_u32_e64": min,
    "v_max_u32_e64": max,
    "v_sub_u32_e64": lambda a, b: a - b,
    "v_subrev_u32_e64": lambda a, b: b - a,
    "v_lshl_add_u32": lambda a, b, c: (a << (b & 31)) + c,
    "v_lshl_or_b32": lambda a, b, c: a << (b & 31) | c,
    "v_add_lshl_u32": lambda a, b, c: (a + b) << (c & 31),
    "v_and_or_b32": lambda a, b, c: a & b | c,
    "v_or3_b32": lambda a, b, c: a | b | c,
    "v_add3_u32": lambda a, b, c: a + b + c,
    "v_bfe_u32": lambda a, b, c: a >> (b & 31) & (1 << (c & 31)) - 1,
}


def number(random: Random) -> int:
    """Numbers of all lengths, with runs of zeros at their ends."""
    return random.getrandbits(random.randrange(33)) << random.randrange(8) & WORD


@pytest.mark.parametrize("mnemonic", ARITHMETIC)
def test_zeros_are_zero(mnemonic: str) -> None:
    """Sources are masked to their known bits; no result may have a bit that is known to be zero."""
    random = Random(mnemonic)
    for _ in range(300):
        kernel = Kernel("ranges", parse_target("gfx942"))
        facts = KnownZeros(kernel)
        chosen = row(mnemonic)
        operands: list[Register | Immediate] = [kernel.new_register(RegisterClass.VGPR)]
        values: list[int] = []
        for _ in chosen.uses:
            if random.random() < 0.4:
                values.append(random.randrange(65))
                operands.append(Immediate(values[-1]))
                continue
            possible = number(random)
            source = kernel.new_register(RegisterClass.VGPR)
            facts.note(build(row("v_and_b32_e32"), source, Immediate(possible), kernel.new_register(RegisterClass.VGPR)))
            assert facts.of(source) == WORD & ~possible
            values.append(random.getrandbits(32) & possible if random.random() < 0.7 else possible)
            operands.append(source)
        facts.note(Instr(chosen, tuple(operands)))
        result = operands[0]
        assert not ARITHMETIC[mnemonic](*values) & WORD & facts.of(result), (operands, values)


def test_bounds_of_masks() -> None:
    assert above(0) == WORD
    assert above(255) == WORD & ~0xFF
    assert above(256) == WORD & ~0x1FF
    assert [trailing_zeros(mask) for mask in (0, 1, 0b111, 0b101, WORD)] == [0, 1, 3, 1, 32]


@pytest.mark.parametrize(
    ("workgroup", "possible"),
    [((256, 1, 1), 0xFF), ((100, 1, 1), 0x7F), ((64, 4, 1), 0x3 << 10 | 0x3F), ((8, 8, 8), 0x7 << 20 | 0x7 << 10 | 7)],
)
def test_workitem_ids_are_below_the_size_of_the_workgroup(workgroup: tuple[int, int, int], possible: int) -> None:
    kernel = Kernel("ids", parse_target("gfx942"), workgroup=workgroup, abi=Abi((("workitem_id", vgpr(0)),)))
    assert KnownZeros(kernel).largest(vgpr(0)) == possible


@pytest.mark.parametrize("mnemonic", ARITHMETIC)
def test_constants_fold(mnemonic: str) -> None:
    """Every operation on constants becomes the constant that arithmetic gives, and is stored as it is."""
    random = Random(mnemonic)
    for _ in range(20):
        kernel = Kernel("constants", parse_target("gfx942"), abi=Abi((("kernarg_segment_ptr", sgpr(0, 2)), ("workitem_id", vgpr(0)))))
        values = [number(random) for _ in row(mnemonic).uses]
        code: list[Instr] = []
        sources: list[Register] = []
        for value in values:
            source = kernel.new_register(RegisterClass.VGPR)
            code.append(build(row("v_mov_b32_e32"), source, Immediate(value)))
            sources.append(source)
        result = kernel.new_register(RegisterClass.VGPR)
        code.append(build(row(mnemonic), result, *sources))
        code.append(build(row("global_store_dword", "saddr"), vgpr(0), result, sgpr(0, 2)))
        kernel.blocks = [Block("entry", instructions=code, terminator=build(row("s_endpgm")))]
        move = combine(kernel).blocks[0].instructions[-2]
        assert constant(move.operands[1]) == ARITHMETIC[mnemonic](*values) & WORD, (move, values)
