"""Global memory that the waves of a workgroup pass on at a barrier: the barriers that order it, and how."""

from __future__ import annotations

import re
import subprocess
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.ir.program import Module, Value
from asmgen.ir.types import F32, U32
from asmgen.lanewise.builder import LaneBuilder
from asmgen.select.sharing import Order, ordering_barriers
from isa.instruction import Event, Trait
from isa.targets import TARGETS, TargetId, parse_target
from isa.waits import waited
from tests.unit.select.modules import Body, module_of
from tests.unit.select.running import TARGETS as SELECTED
from tests.unit.select.running import allocated, difference, emulated, input_arrays, interpreted, selected

ITEMS = 128
BUFFERS = (("f32", 256), ("f32", ITEMS), ("f32", ITEMS))


def mirror(builder: LaneBuilder) -> Value:
    return builder.bitwise_xor(builder.local_id(), builder.constant(ITEMS - 1, U32))


def passed_on(builder: LaneBuilder, a: Value, middle: Value, out: Value) -> None:
    """What one wave stores before the barrier another loads after it."""
    lane = builder.local_id()
    builder.store(middle, lane, builder.load(a, lane))
    builder.barrier()
    builder.store(out, lane, builder.load(middle, mirror(builder)))


def passed_on_once(builder: LaneBuilder, a: Value, middle: Value, out: Value) -> None:
    """The second barrier comes after a barrier that has passed everything on."""
    lane = builder.local_id()
    builder.store(middle, lane, builder.load(a, lane))
    builder.barrier()
    builder.barrier()
    builder.store(out, lane, builder.load(middle, mirror(builder)))


def overwritten(builder: LaneBuilder, a: Value, middle: Value, out: Value) -> None:
    """What one wave loads before the barrier another overwrites after it."""
    lane = builder.local_id()
    x = builder.load(middle, mirror(builder))
    builder.barrier()
    builder.store(middle, lane, x)
    builder.store(out, lane, builder.load(a, lane))


def around_a_loop(builder: LaneBuilder, a: Value, middle: Value, out: Value) -> None:
    """The load at the head of the next trip reads the store of the last trip before the barrier."""
    lane = builder.local_id()

    def body(_count: Value, _carried: tuple[Value, ...]) -> tuple[Value, ...]:
        x = builder.load(middle, mirror(builder))
        builder.barrier()
        builder.store(middle, lane, builder.add(x, builder.constant(1.0, F32)))
        builder.barrier()
        return ()

    _ = builder.for_(builder.constant(0, U32), builder.constant(3, U32), builder.constant(1, U32), (), body)
    builder.store(out, lane, builder.load(a, lane))


def on_one_path(builder: LaneBuilder, a: Value, middle: Value, out: Value) -> None:
    """The store is in one side of an `if`."""
    lane = builder.local_id()

    def write() -> tuple[Value, ...]:
        builder.store(middle, lane, builder.constant(2.0, F32))
        return ()

    _ = builder.if_(builder.less(builder.load(a, lane), builder.constant(0.0, F32)), write)
    builder.barrier()
    builder.store(out, lane, builder.load(middle, mirror(builder)))


def through_lds(builder: LaneBuilder, a: Value, middle: Value, out: Value) -> None:
    """Only LDS is passed on; the stored elements are not accessed after the barrier."""
    lane = builder.local_id()
    lds = builder.lds_allocate(F32, ITEMS)
    builder.store(middle, lane, builder.load(a, lane))
    builder.lds_store(lds, lane, builder.load(a, lane))
    builder.barrier()
    builder.store(out, lane, builder.lds_load(lds, mirror(builder)))


def stored_twice(builder: LaneBuilder, a: Value, middle: Value, out: Value) -> None:
    """Two waves store to the same elements; no store is to the loaded elements."""
    lane = builder.local_id()
    x = builder.load(a, lane)
    builder.store(middle, lane, builder.constant(1.0, F32))
    builder.barrier()
    builder.store(middle, mirror(builder), x)
    builder.store(out, lane, x)


CASES: tuple[tuple[Body, list[bool]], ...] = (
    (passed_on, [True]),
    (passed_on_once, [True, False]),
    (overwritten, [True]),
    (around_a_loop, [True, True]),
    (on_one_path, [True]),
    (through_lds, [False]),
    (stored_twice, [True]),
)


def ordering(module: Module, wave_size: int) -> list[bool]:
    found = ordering_barriers(module, wave_size)
    return [statement in found for statement in module.walk() if statement.op.name == "barrier"]


@pytest.mark.parametrize(("body", "wanted"), CASES, ids=[case[0].__name__ for case in CASES])
def test_which_barriers_order_memory(body: Body, wanted: list[bool]) -> None:
    module = module_of(body, BUFFERS, block=(ITEMS, 1, 1))
    assert ordering(module, 64) == wanted
    assert not any(ordering(module, ITEMS)), "a workgroup of one wave passes nothing on"


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201"])
@pytest.mark.parametrize(("body", "order"), [(stored_twice, Order.STORES), (passed_on, Order.ALL), (overwritten, Order.ALL)])
def test_stores_alone_do_not_wait_for_loads(body: Body, order: Order, target: str) -> None:
    module = module_of(body, BUFFERS, block=(ITEMS, 1, 1))
    assert list(ordering_barriers(module, 32).values()) == [order]
    code = list(selected(module, parse_target(target)).instructions())
    loads, stores = (
        {counter.name for counter in TARGETS[target].counters if event in counter.events} for event in (Event.VMEM_LOAD, Event.VMEM_STORE)
    )
    counts = {name for instr in code for name in waited(instr)}
    assert stores <= counts
    assert loads.isdisjoint(counts) == (order is Order.STORES)
    assert any(Trait.CACHE in instr.row.traits for instr in code) == (order is Order.ALL)


@pytest.mark.parametrize("target", SELECTED, ids=str)
def test_passed_on_is_right(target: TargetId) -> None:
    for body in (passed_on, around_a_loop):
        module = module_of(body, BUFFERS, block=(ITEMS, 1, 1))
        arrays = input_arrays(module, 1, 2)
        found = emulated(allocated(selected(module, target)), module, arrays)
        assert difference(interpreted(module, arrays, target), found) == ""


TEXT = """stage lanewise {target}
module @pass_on {{
  launch[grid={{1,1,1}}, block={{128,1,1}}]
  a = @param:a -> f32, {{128}}
  out = @param:out -> f32, {{128}}
  lane = local_id -> u32
  x = load(a, lane)
  y = add(x, x)
  store(out, lane, y)
  barrier
  c127 = @literal{{127}} -> u32
  mirror = bitwise_xor(lane, c127)
  z = load(out, mirror)
  w = add(z, x)
  barrier
  store(out, lane, w)
  @return(out)
}}
"""
# the same for clang: a barrier with fences of the workgroup
SOURCE = """
kernel void pass_on(global float *a, global float *out) {
  unsigned lane = __builtin_amdgcn_workitem_id_x();
  float x = a[lane];
  out[lane] = x + x;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  float w = out[lane ^ 127] + x;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  out[lane] = w;
}
"""
CLANG = (
    "clang-22", "-target", "amdgcn-amd-amdhsa", "-x", "cl", "-cl-std=CL2.0", "-nogpulib", "-w", "-O2", "-S", "-o", "-", "-",
)  # fmt: skip
_ACCESS, _WAIT, _CACHE = "global_store|global_load", "s_waitcnt_vscnt|s_wait_storecnt", "buffer_gl0_inv|global_inv.*"
_ORDERING = re.compile(rf"^\s+({_ACCESS}|{_WAIT}|s_barrier\w*|{_CACHE})", re.MULTILINE)


def order_of(assembly: str) -> list[str]:
    """The accesses and what orders them, up to the last store; loads before the first store left out."""
    found = [match[1].split(" ;")[0].strip() for match in _ORDERING.finditer(assembly)]
    return found[found.index("global_store") :]


@pytest.mark.needs_llvm("clang-22")
@pytest.mark.parametrize("machine", [*TARGETS, "gfx1100:wave64", "gfx1201:wave64"])
def test_as_clang_does(machine: str) -> None:
    """Stores are waited for, and the cache forgets, at the places at which clang has both."""
    target = parse_target(machine)
    command = [*CLANG, f"-mcpu={target.clang}", *target.clang_options]
    theirs = subprocess.run(command, input=SOURCE, capture_output=True, text=True, check=True).stdout
    ours = asmgen.compile(TEXT.format(target=machine), target=machine).kernels[0].assembly
    assert order_of(ours) == order_of(theirs.partition(".end_amdhsa_kernel")[0])


def test_a_form_with_source_modifiers_is_no_form_without() -> None:
    """Forms are looked up by the shape of operands; signs and absolute values are beside it."""
    x, y = np.linspace(-3, 3, 64, dtype=np.float32), np.linspace(2, -2, 64, dtype=np.float32)

    def of(x: Any, y: Any) -> Any:
        return np.abs(x) * y, x * y, x * np.abs(y), np.abs(x) * np.abs(y), -x * np.abs(y), x - y

    program = asmgen.compile(of, target="gfx942", inputs=[x, y], assembler="builtin")
    for result, wanted in zip(program(x, y, device="emulator"), of(x, y), strict=True):
        np.testing.assert_array_equal(result, wanted)
