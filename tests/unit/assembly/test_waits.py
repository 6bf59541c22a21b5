"""Stated waits: those that suffice stay, in their place; those that do not are refused (test_bad_input)."""

from __future__ import annotations

import pytest

from asmgen.assembly import Builder, f32, global_pointer, kernel
from isa.diagnostics import InputError
from isa.waits import STATED_WAIT, waited
from tests.unit.assembly.test_examples import EVERYWHERE


@kernel(workgroup=(64, 1, 1))
def two_loads(k: Builder, x: global_pointer[f32]) -> None:
    t = k.thread_id.x
    first = k.global_load_dword(x, 4 * t)
    second = k.global_load_dword(x, 4 * t + 256)
    k.wait(vm=1)
    doubled = k.v_add_f32(first, first)
    k.wait(vm=0)
    k.global_store_dword(x, 4 * t, k.v_add_f32(doubled, second))


@pytest.mark.parametrize("target", EVERYWHERE)
def test_waits_that_suffice_are_the_only_waits(target: str) -> None:
    program = two_loads.compile(target)
    (finished,) = program.compilation.stages.finished
    loads = {"vmcnt", "loadcnt"}
    waits = [(instr.origin.op if instr.origin else "", waited(instr)) for instr in finished.instructions() if loads & waited(instr).keys()]
    assert [counts[name] for _, counts in waits for name in counts.keys() & loads] == [1, 0]
    assert {op for op, _ in waits} == {STATED_WAIT}


def test_a_wait_for_another_access_is_no_promise() -> None:
    """A load after the wait needs its own wait."""

    @kernel(workgroup=(64, 1, 1))
    def later(k: Builder, x: global_pointer[f32]) -> None:
        _ = k.global_load_dword(x, 0)
        k.wait(vm=1)
        k.global_store_dword(x, 8, k.global_load_dword(x, 4))

    _ = later.compile("gfx942")


def test_a_loop_carries_what_is_under_way() -> None:
    """The wait of the next trip is too weak for the load of the present trip."""

    @kernel(workgroup=(64, 1, 1))
    def loop(k: Builder, x: global_pointer[f32]) -> None:
        value = k.variable(k.global_load_dword(x, 0))
        with k.loop(0, 8):
            k.wait(vm=1)
            k.global_store_dword(x, 8, value)
            k.global_load_dword(x, 4, into=value)

    with pytest.raises(InputError) as caught:
        _ = loop.compile("gfx1100")
    assert caught.value.code == "HND026"
