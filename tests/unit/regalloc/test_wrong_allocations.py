"""Every kind of wrong allocation is rejected, and what each was made of is accepted."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from asmgen.emission.verify import verify_declared
from isa.diagnostics import InternalError
from isa.mir.parser import parse_kernel
from isa.program import UNSAID, Kernel
from isa.registers import vgpr
from regalloc import allocate, check, rewrite
from tests.unit.regalloc import accumulators, repeats
from tests.unit.regalloc import right_allocations as right
from tests.unit.regalloc.programs import machine
from tests.unit.regalloc.right_allocations import Right, RightSpills
from tests.unit.regalloc.wrong_allocations import SPILLS, VALUES, Wrong

MODULES = (right, accumulators, repeats)
RIGHT = {name: value for module in MODULES for name, value in vars(module).items() if isinstance(value, Right | RightSpills)}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_is_accepted(name: str) -> None:
    RIGHT[name].judge(RIGHT[name].made)


@pytest.mark.parametrize("wrong", (*VALUES, *SPILLS, *accumulators.WRONG, *repeats.WRONG), ids=lambda wrong: wrong.name)
def test_what_is_wrong_is_rejected(wrong: Wrong) -> None:
    with pytest.raises(InternalError, match=wrong.message):
        wrong.of.judge(wrong.made(), wrong.moved)


FRAMES: dict[str, object] = {"workgroup": (128, 1, 1), "lds_bytes": 8, "scratch_bytes": 8, "spill_lanes": (vgpr(9),), "abi": UNSAID}


@pytest.mark.parametrize("field", FRAMES)
def test_what_the_kernel_says_of_itself_stays(field: str) -> None:
    kernel = machine(right.LOOP.program)
    allocation = allocate(kernel)
    rewritten = rewrite(kernel, allocation)
    check(kernel, allocation, rewritten)
    with pytest.raises(InternalError, match="in the original"):
        check(kernel, allocation, replace(rewritten, **{field: FRAMES[field]}))


# An allocated kernel with v0 to v5, a0 to a3, s0 to s6 and 16 bytes of scratch, and what its descriptor declares.
BOTH_FILES = """stage allocated gfx942
kernel test
workgroup 64 1 1
entry kernarg_segment_ptr s[0:1]
entry workitem_id v0
scratch 16
block entry
  s_mov_b32 s6, s0
  v_mov_b32_e32 v5, v0
  v_accvgpr_write_b32 a3, v5
  terminator s_endpgm
"""
DECLARED = {"next_free_vgpr": 12, "accum_offset": 8, "next_free_sgpr": 7, "private_segment_fixed_size": 16}


def both_files() -> Kernel:
    return parse_kernel(BOTH_FILES, "hand.mir")


def test_a_right_descriptor_is_accepted() -> None:
    verify_declared(both_files(), DECLARED)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("accum_offset", 4, "v5 is used, and the descriptor does not declare it"),
        ("accum_offset", 12, "a3 is used, and the descriptor does not declare it"),
        ("accum_offset", 6, "AGPRs begin at 6, wanted a multiple of 4"),
        ("next_free_vgpr", 11, "a3 is used, and the descriptor does not declare it"),
        ("next_free_sgpr", 6, "s6 is used, and the descriptor does not declare it"),
        ("private_segment_fixed_size", 12, "12 bytes of scratch are declared, wanted 16"),
    ],
)
def test_a_wrong_descriptor_is_rejected(field: str, value: int, message: str) -> None:
    with pytest.raises(InternalError, match=message):
        verify_declared(both_files(), DECLARED | {field: value})
