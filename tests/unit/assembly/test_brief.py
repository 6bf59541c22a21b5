"""The first kernel that a person writes, without annotations for type checkers and with the shortest calls."""

# pyright: basic, reportInvalidTypeForm=false, reportCallIssue=false, reportArgumentType=false
import numpy as np
import pytest

from asmgen.assembly import f32, global_pointer, kernel, u32
from tests.unit.assembly.test_examples import EVERYWHERE


@kernel(workgroup=(256, 1, 1))
def saxpy(k, x: global_pointer(f32), y: global_pointer(f32), a: f32, n: u32):
    i = 256 * k.workgroup_id.x + k.thread_id.x
    with k.where(i < n):
        v = k.global_load_dword(x, 4 * i)
        w = k.global_load_dword(y, 4 * i)
        k.global_store_dword(y, 4 * i, k.v_fma_f32(a, v, w))


@kernel(workgroup=(64, 1, 1))
def reversed_in_lds(k, x: global_pointer(f32)):
    tile, t = k.lds(256), k.thread_id.x
    k.ds_write_b32(tile + 4 * t, k.global_load_dword(x + 4 * t))
    k.barrier()
    k.global_store_dword(x + 4 * t, k.ds_read_b32(tile + 4 * (63 - t)))


@pytest.mark.parametrize("target", EVERYWHERE)
def test_saxpy(target: str) -> None:
    program = saxpy.compile(target)
    x, y = np.arange(1000, dtype=np.float32), np.ones(1000, np.float32)
    assert program.verify(lambda x, y, a, n: {"y": a * x + y}, x=x, y=y, a=2.0, n=1000) < 1e-6
    assert "v_fma" in str(program) and f"{__file__}" in str(program)


@pytest.mark.parametrize("target", EVERYWHERE)
def test_an_address_as_a_sum(target: str) -> None:
    x = np.arange(64, dtype=np.float32)
    assert reversed_in_lds.compile(target).verify(lambda x: {"x": x[::-1]}, x=x) == 0
