"""Calls of functions and data reached by the program counter: C kernels of clang's for every target, and small programs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from isa.diagnostics import InputError
from isa.emulator import load, run, run_image
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.program.blocks import kernel_of
from isa.emulator.sanitizer.faults import ALL_CHECKS, Check, SanitizerError
from tests.rows import MACHINES
from tests.unit.isa.kernel_builds import compiled
from tests.unit.isa.programs import image_of, out_of

Array = np.ndarray[Any, Any]
LLVM = pytest.mark.needs_llvm("clang-22", "ld.lld-22")
CHECKS = ALL_CHECKS - {Check.PARTIAL, Check.UNINITIALISED}  # a function saves registers that were never written
LANE = np.arange(64, dtype=np.uint32)
RNG = np.random.default_rng(1)
VALUES = RNG.integers(1, 5000, 256).astype(np.uint32)
X = RNG.standard_normal(256).astype(np.float32)
COEFFICIENTS = RNG.standard_normal(4).astype(np.float32)
COUNT = 200
ARGUMENTS = [VALUES, X, COEFFICIENTS, np.zeros(256, np.uint32), np.zeros(256, np.float32), np.uint32(COUNT)]


def collatz(value: int, limit: int) -> int:
    steps = 0
    while value != 1 and steps < limit:
        value = 3 * value + 1 if value & 1 else value >> 1
        steps += 1
    return steps


def polynomial(x: Array, count: int) -> Array:
    """One rounding a step: the products are exact in 80 bits."""
    result = np.zeros_like(x)
    for coefficient in COEFFICIENTS[:count]:
        result = (result.astype(np.longdouble) * x.astype(np.longdouble) + coefficient).astype(np.float32)
    return result


@pytest.mark.broad
@LLVM
@pytest.mark.parametrize("form", ["assembly", "code object"])
@pytest.mark.parametrize("machine", MACHINES)
def test_functions_that_are_not_inlined(machine: str, form: str) -> None:
    source = compiled("functions", "-O2", form == "assembly", machine)
    results = run(source, "calls", (4, 1, 1), (64, 1, 1), ARGUMENTS, sanitize=CHECKS, undefined=(3, 4))
    np.testing.assert_array_equal(results[3][:COUNT], [collatz(int(value), 100) for value in VALUES[:COUNT]])
    expected = np.where(VALUES & 1, polynomial(X, 4) + polynomial(-X, 4), polynomial(X, 3))
    np.testing.assert_array_equal(results[4][:COUNT], expected[:COUNT])
    assert not results[3][COUNT:].any() and not results[4][COUNT:].any()


@LLVM
@pytest.mark.parametrize("machine", MACHINES)
def test_a_table_of_constants_in_the_code_object(machine: str) -> None:
    table = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 0x80000001], np.uint32)
    source = compiled("functions", "-O2", False, machine)
    got = run(source, "table", (4, 1, 1), (64, 1, 1), [VALUES, np.zeros(256, np.uint32)], sanitize=ALL_CHECKS - {Check.PARTIAL})[1]
    np.testing.assert_array_equal(got, table[VALUES & 15] + np.repeat(table[:4], 64))


@LLVM
def test_what_text_does_not_hold() -> None:
    with pytest.raises(InputError, match=r"TABLE@rel32@lo.*function in the same file") as caught:
        load(compiled("functions", "-O2", True, "gfx942"), "table")
    assert caught.value.code == "EMU018"
    text = compiled("functions", "-O2", True, "gfx942")
    assert isinstance(text, str)
    with pytest.raises(InputError, match=r"wanted an s_getpc_b64 before it"):
        load(text.replace("s_getpc_b64", "s_mov_b64 s[30:31], 0 ;"), "calls")


@LLVM
def test_a_kernel_with_calls_is_no_program_of_blocks() -> None:
    with pytest.raises(InputError, match="calls or returns"):
        kernel_of(load(compiled("functions", "-O2", False, "gfx942"), "calls"))


def test_call_and_return() -> None:
    """The function adds the lane and s8; it is called twice, with another s8."""
    body = """
    v_mov_b32_e32 v2, v1
    s_mov_b32 s8, 1
    s_call_b64 s[30:31], function
    s_mov_b32 s8, 10
    s_call_b64 s[30:31], function
    s_branch done
    function:
    v_add3_u32 v2, v2, v0, s8
    s_setpc_b64 s[30:31]
    done:
    """
    np.testing.assert_array_equal(out_of(body, LANE * 5), LANE * 7 + 11)


def test_waves_that_call_different_functions_come_back_to_one_place() -> None:
    """Every wave jumps as many instructions past the counter as its number says: each adds 1."""
    body = """
    v_mov_b32_e32 v2, v1
    v_readfirstlane_b32 s8, v0
    s_lshr_b32 s8, s8, 4
    s_getpc_b64 s[12:13]
    s_add_u32 s12, s12, s8
    s_addc_u32 s13, s13, 0
    s_add_u32 s12, s12, 24
    s_addc_u32 s13, s13, 0
    s_swappc_b64 s[14:15], s[12:13]
    s_branch done
    v_add_u32_e32 v2, 1, v2
    v_add_u32_e32 v2, 1, v2
    v_add_u32_e32 v2, 1, v2
    v_add_u32_e32 v2, 1, v2
    s_setpc_b64 s[14:15]
    done:
    """
    got = out_of(body, np.zeros(256, np.uint32), waves=4)
    np.testing.assert_array_equal(got, np.repeat([4, 3, 2, 1], 64))


def test_where_to_come_back_to_is_known_wherever_a_call_goes() -> None:
    """Bits that were never written are masked out of the address: the call goes on, and the return address is
    written."""
    body = """
    v_mov_b32_e32 v2, v1
    s_and_b32 s20, s20, 0
    s_getpc_b64 s[12:13]
    s_or_b32 s12, s12, s20
    s_add_u32 s12, s12, 28
    s_addc_u32 s13, s13, 0
    s_swappc_b64 s[14:15], s[12:13]
    v_add_u32_e32 v2, 1, v2
    s_branch done
    s_nop 0
    s_setpc_b64 s[14:15]
    done:
    """
    np.testing.assert_array_equal(out_of(body, LANE), LANE + 1)


CLAUSE = "\n".join(f"global_load_dword v{to}, v{at}, s[4:5]" for to, at in [(20, 11), *((21 + i, 10) for i in range(6)), (11, 10)])
CALLED = f"""
s_load_dwordx4 s[4:7], s[0:1], 0x0
v_lshlrev_b32_e32 v10, 2, v0
v_mov_b32_e32 v11, v10
v_accvgpr_write_b32 a0, 1
s_getpc_b64 s[8:9]
s_add_u32 s8, s8, {5 * 4}
s_addc_u32 s9, s9, 0
s_waitcnt lgkmcnt(0)
{{calls}}
s_endpgm
function:
{CLAUSE}
s_waitcnt vmcnt(0)
{{returns}}
"""


def test_a_function_is_judged_without_the_registers_of_the_kernel_that_calls_it() -> None:
    """LLVM looks further back for members of a clause in a function that touches AGPR 0."""

    def ran_with(calls: str, returns: str, functions: bool) -> None:
        image = image_of(CALLED.format(calls=calls, returns=returns), machine="gfx90a")
        code = replace(image.code, function_starts=[10] if functions else [])
        x = np.zeros(64, np.uint32)
        _ = run_image(replace(image, code=code), KernelCall((1, 1, 1), (64, 1, 1), (x, x)), sanitize=frozenset({Check.HAZARD}))

    ran_with("s_swappc_b64 s[30:31], s[8:9]", "s_setpc_b64 s[30:31]", True)
    with pytest.raises(SanitizerError, match="in code with AGPR 0: input overwritten by a later member"):
        ran_with("s_branch function", "s_endpgm", False)


def test_a_jump_to_no_instruction() -> None:
    with pytest.raises(InputError, match="s_setpc_b64 goes to 0x1002, which is not the start of an instruction") as caught:
        out_of("s_mov_b32 s8, 0x1002\ns_mov_b32 s9, 0\ns_setpc_b64 s[8:9]", LANE)
    assert caught.value.code == "EMU017"
