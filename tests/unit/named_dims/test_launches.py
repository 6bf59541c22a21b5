"""One code object at several sizes of a named dim, compared with numpy; the errors of a call with wrong
arrays."""

from __future__ import annotations

import re
import subprocess
from math import prod
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import asmgen
from asmgen.emission.usage import MAX_WORK_ITEMS
from asmgen.graph.array_sizes import sizes_of
from asmgen.kernels import build_kernel
from asmgen.runtime.calls import grid_at, program_parameters
from isa.diagnostics import InputError
from tests.rows import MACHINES

SIZES = (0, 1, 3, 63, 64, 65, 1000)
TWO = "x = @param:x -> f32, {n,4}\ny = @param:y -> f32, {n}\nz = reshape[dims={n,1}](y)\no = add(x, z)\n@return(o)\n"


def text(*lines: str) -> str:
    return "\n".join((*lines, ""))


def numbers(*shape: int, seed: int = 0) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


@pytest.mark.parametrize("machine", MACHINES)
def test_one_code_object_adds_vectors_of_any_length(machine: str) -> None:
    program = asmgen.compile(build_kernel("vecadd", [("n", "?")]), target=machine)
    (kernel,) = program.kernels
    before = kernel.assembly
    for n in (*SIZES, 100003) if machine == MACHINES[0] else SIZES:
        a, b = numbers(n), numbers(n, seed=1)
        (o,) = program(a, b, device="emulator")
        np.testing.assert_array_equal(o, a + b)
    assert program.kernels[0] is kernel
    assert kernel.assembly is before
    assert (kernel.arguments[-1].name, kernel.arguments[-1].kind, kernel.arguments[-1].type) == ("n", "by_value", "u32")
    assert '- .name: "n"' in kernel.assembly


@pytest.mark.parametrize("cols", [3, 64, 65, 1000])
@pytest.mark.parametrize("name", ["row_sum", "softmax"])
def test_row_kernels_over_any_number_of_rows(name: str, cols: int) -> None:
    program = asmgen.compile(build_kernel(name, [("rows", "?"), ("cols", str(cols))]), target="gfx942")
    for rows in SIZES[:6]:
        x = numbers(rows, cols)
        (o,) = program(x, device="emulator")
        wide = x.astype(np.float64)
        exps = np.exp(wide - wide.max(1, keepdims=True))
        wanted = wide.sum(1, keepdims=True) if name == "row_sum" else exps / exps.sum(1, keepdims=True)
        np.testing.assert_allclose(o, wanted, rtol=1e-5, atol=1e-4 if name == "row_sum" else 0)


@pytest.mark.usefixtures("takes_parts")
@pytest.mark.broad
@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
@pytest.mark.parametrize(("name", "settings"), [("full_sum", [("n", "?")]), ("col_sum", [("rows", "?"), ("cols", "66")])])
def test_a_named_dim_is_summed_by_a_fixed_number_of_workgroups(name: str, settings: list[tuple[str, str]], target: str) -> None:
    """Each goes round as often as the launch says; a second launch has what whole accesses leave over."""
    program = asmgen.compile(build_kernel(name, settings), target=target)
    assert len(program.kernels) == 2
    assert all(isinstance(count, int) and count > 0 for kernel in program.kernels for count in kernel.grid or ())
    for n in (0, 1, 65, 5003) if name == "full_sum" else (0, 3, 67):
        x = numbers(n, 66) if name == "col_sum" else numbers(n)
        (o,) = program(x, device="emulator")
        np.testing.assert_allclose(o, x.astype(np.float64).sum(0, keepdims=True), rtol=1e-5, atol=1e-3)


@pytest.mark.usefixtures("takes_parts")
@pytest.mark.parametrize(("element", "nothing", "target"), [("f32", np.nan, "gfx942"), ("i32", 0, "gfx1100")])
def test_the_mean_of_all_elements_is_that_of_parts(element: str, nothing: float, target: str) -> None:
    """Workgroups add up parts, and a second launch divides by the number of elements, which it computes."""
    source = text(f"x = @param:x -> {element}, {{m,n}}", "o = reduce_mean(x)", "@return(o)")
    program = asmgen.compile(source, target=target)
    assert len(program.kernels) == 2
    for m, n in ((0, 3), (1, 1), (3, 1667)):
        x = (100 * numbers(m, n) - 30).astype(element.replace("f", "float").replace("i", "int"))
        wanted = x.astype(np.float64).sum() / x.size if x.size else nothing
        wanted = np.trunc(wanted) if element == "i32" else wanted
        np.testing.assert_allclose(program(x, device="emulator")[0].item(), wanted, rtol=1e-5)


@pytest.mark.parametrize("machine", ["gfx90a", "gfx1201:wave64"])
def test_products_of_any_number_are_summed(machine: str) -> None:
    program = asmgen.compile(build_kernel("dot_product", [("n", "?"), ("dtype", "f16")]), target=machine)
    for n in (0, 3, 4099):
        x, y = np.ones(n, np.float16), np.full(n, 0.5, np.float16)
        assert program(x, y, device="emulator")[0].item() == np.float16(n / 2)


@pytest.mark.broad
@pytest.mark.parametrize(("op", "element", "nothing"), [("any", "f32", False), ("all", "i32", True), ("prod", "f32", 1.0)])
def test_of_no_elements_a_reduction_is_what_changes_nothing(op: str, element: str, nothing: object) -> None:
    program = asmgen.compile(text(f"x = @param:x -> {element}, {{n}}", f"o = reduce_{op}(x)", "@return(o)"), target="gfx942")
    of = {"any": np.any, "all": np.all, "prod": np.prod}[op]
    assert program(np.zeros(0, element.replace("f", "float").replace("i3", "int3")), device="emulator")[0].item() == nothing
    for n in (1, 1027):
        x = np.linspace(0.99, 1.01, n).astype(np.float32) if op == "prod" else (np.arange(n) == n - 1).astype(np.float32)
        x = x.astype(np.int32) if element == "i32" else x
        np.testing.assert_allclose(program(x, device="emulator")[0].item(), of(x), rtol=1e-4)


def test_a_maximum_of_nothing_is_refused_at_the_launch() -> None:
    program = asmgen.compile(text("x = @param:x -> f32, {n}", "o = reduce_max(x)", "@return(o)"), target="gfx942")
    for n in (1, 1000):
        x = numbers(n)
        assert program(x, device="emulator")[0].item() == x.max()
    with pytest.raises(InputError, match=r"CALL010.* is 0, wanted at least 1: \w+ needs so many elements"):
        _ = program(np.zeros(0, np.float32), device="emulator")


@pytest.mark.parametrize("dtype", ["u8", "f16", "i64", "bool"])
def test_tails_of_every_width(dtype: str) -> None:
    source = text(f"x = @param:x -> {dtype}, {{n}}", "o = identity(x)", "@return(o)")
    program = asmgen.compile(source, target="gfx1201")
    element = {"u8": np.uint8, "f16": np.float16, "i64": np.int64, "bool": np.bool_}[dtype]
    for n in (1, 7, 15, 16, 17, 4097):
        x = (np.arange(n) % 251).astype(element)
        np.testing.assert_array_equal(program(x, device="emulator")[0], x)


def test_outputs_of_other_sizes_do_not_wait_for_the_named_one() -> None:
    source = text(
        "x = @param:x -> f32, {n}", "y = @param:y -> f32, {m,5}", "z = @param:z -> f32, {70}", "o = neg(x)", "p = neg(y)", "q = neg(z)",
        "@return(o, p, q)",
    )  # fmt: skip
    program = asmgen.compile(source, target="gfx942")
    for n, m in ((0, 0), (0, 300), (2000, 1), (5, 0)):
        given = numbers(n), numbers(m, 5), numbers(70)
        for o, x in zip(program(*given, device="emulator"), given, strict=True):
            np.testing.assert_array_equal(o, -x)


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        (((3, 4), (4,)), "argument y: error[CALL009]: n is 4 here and 3 in argument x"),
        (((3, 5), (3,)), "argument x: error[CALL004]: got an array of shape (3, 5), wanted (3, 4)"),
        (((3, 4, 1), (3,)), "argument x: error[CALL004]: got an array of shape (3, 4, 1), wanted (3, 4)"),
        (((1 << 29, 4), (1 << 29,)), "argument x: error[CALL010]: n is 536870912, wanted at most 268435455"),
        (((1 << 30, 4), (1 << 30,)), "argument x: error[CALL010]: n is 1073741824"),
    ],
)
def test_arrays_that_disagree_are_refused(arrays: tuple[tuple[int, ...], ...], said: str) -> None:
    program = asmgen.compile(TWO, target="gfx942")
    with pytest.raises(InputError) as caught:
        _ = program(*[np.broadcast_to(np.float32(0), shape) for shape in arrays], device="emulator")
    assert said in str(caught.value)
    assert caught.value.help or "CALL004" in said


def test_a_part_of_a_size_says_what_a_dim_is() -> None:
    source = text("x = @param:x -> f32, {2*n+1,m}", "y = @param:y -> f32, {n+k,3*n}", "o = neg(x)", "@return(o, y)")
    program = asmgen.compile(source, target="gfx942")
    for n, m, k in ((0, 3, 1), (1, 1, 0), (5, 2, 70)):
        x, y = numbers(2 * n + 1, m), numbers(n + k, 3 * n)
        for got, wanted in zip(program(x, y, device="emulator"), (-x, y), strict=True):
            np.testing.assert_array_equal(got, wanted)
    for x, y, said in (
        ((4, 1), (5, 6), r"x: error.CALL009.: a dim is 4, wanted 2\*n \+ 1"),
        ((5, 1), (1, 6), r"y: error.CALL009.: a dim is 1, wanted"),
    ):
        with pytest.raises(InputError, match=said):
            _ = program(numbers(*x), numbers(*y), device="emulator")


def test_missing_arrays_are_refused() -> None:
    program = asmgen.compile(TWO, target="gfx942")
    for given in ((), (numbers(3, 4),), (numbers(3, 4), -3), (numbers(3, 4), None)):
        with pytest.raises(InputError, match=r"CALL00[1-4]"):
            _ = program(*given, device="emulator")


def test_every_buffer_of_the_largest_size_has_less_than_4_gib() -> None:
    program = asmgen.compile(TWO, target="gfx942")
    assert sizes_of(program_parameters(program), [(268435455, 4), (268435455,)]) == {"n": 268435455}
    with pytest.raises(InputError, match=r"CALL010.*wanted at most 268435455"):
        _ = sizes_of(program_parameters(program), [(268435456, 4), (268435456,)])


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_the_largest_size_is_that_of_the_widest_result(target: str) -> None:
    """The result has 1,000 times the elements of the parameter, which alone would let n be larger
    (GRW018)."""
    text = "x = @param:x -> f32, {n}\ny = multibroadcast[out_lens={1000,n}](x)\n@return(y)\n"
    program = asmgen.compile(text, target=target)
    most = ((1 << 32) - 1) // 4000
    assert sizes_of(program_parameters(program), [(most,)]) == {"n": most}
    with pytest.raises(InputError, match="CALL"):
        _ = sizes_of(program_parameters(program), [(most + 1,)])
    x = numbers(5)
    (y,) = program(x, device="emulator")
    assert np.array_equal(y, np.broadcast_to(x, (1000, 5)))


def test_a_traced_function_names_a_dim() -> None:
    def rows(x: Any, s: Any) -> Any:
        return (x - x.mean(axis=1, keepdims=True)) * s + x.reshape(x.shape[0], 10, 10).reshape(x.shape)

    program = asmgen.compile(rows, target="gfx942", inputs=[asmgen.spec("f32", ("n", 100)), asmgen.spec("f32", 100)])
    for n in (0, 1, 67):
        x, s = numbers(n, 100), numbers(100, seed=1)
        (o,) = program(x, s, device="emulator")
        np.testing.assert_allclose(o, (x - x.mean(1, keepdims=True)) * s + x, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x * 2 if x.shape[0] > 10 else x, lambda x: x * 2 if x.shape[0] == 10 else x, lambda x: x * x.shape[0],
        lambda x: x * (1 / x.shape[0]), lambda x: x[: x.shape[0] * 2 - 1] if x.shape[0] else x,
    ],
)  # fmt: skip
def test_a_decision_by_a_size_is_refused_while_tracing(function: Any) -> None:
    with pytest.raises(InputError) as caught:
        _ = asmgen.compile(function, target="gfx942", inputs=[asmgen.spec("f32", ("n", 6))])
    assert "error[TRC008]" in str(caught.value)
    assert "test_launches.py:" in str(caught.value)


@pytest.mark.needs_llvm("clang-22")
def test_a_wave_runs_no_more_than_clangs_for_four_times_the_elements() -> None:
    """A lane has four elements while clang's has one, and a wave runs about as many instructions for them."""
    source = """
    #define GIVEN __attribute__((reqd_work_group_size(256, 1, 1))) kernel void
    GIVEN vecadd(global const float *restrict a, global const float *restrict b, global float *restrict o, unsigned n) {
      unsigned i = __builtin_amdgcn_workgroup_id_x() * 256u + __builtin_amdgcn_workitem_id_x();
      if (i < n) o[i] = a[i] + b[i];
    }
    """
    command = ("clang-22", "-target", "amdgcn-amd-amdhsa", "-x", "cl", "-cl-std=CL2.0", "-nogpulib", "-O3", "-mcpu=gfx942", "-S", "-o", "-", "-")
    clangs = subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout
    ours = asmgen.compile(build_kernel("vecadd", [("n", "?")]), target="gfx942").kernels[0].assembly
    whole = ours.partition(".entry:\n")[2].partition(".Lvecadd.join:")[0]
    assert whole.count("\tglobal_load_dwordx4") == 2
    assert instructions(whole) + 5 <= instructions(clangs.partition("vecadd:")[2].partition(".section")[0])  # 5: the branch around the tail


def instructions(assembly: str) -> int:
    return len(re.findall(r"^\t[sv]_|^\tglobal_", assembly, re.MULTILINE))


def test_a_launch_of_more_work_items_than_there_are_is_refused() -> None:
    """AMDGPU counts the work-items of a launch in 32 bits."""
    (kernel,) = asmgen.compile(text("x = @param:x -> f32, {n}", "o = neg(x)", "@return(o)"), target="gfx942").kernels
    most = MAX_WORK_ITEMS // prod(kernel.block)
    assert grid_at(replace(kernel, grid=(most // 4, 2, 2)), {}) == (most // 4, 2, 2)
    with pytest.raises(InputError, match=r"CALL010.* work-items, wanted at most 4294967296"):
        _ = grid_at(replace(kernel, grid=(most // 4 + 1, 2, 2)), {})
