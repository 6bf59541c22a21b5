"""Kernels with a mistake that a person makes: each function is a kernel, and its first comment names the code of the error at that line."""

from __future__ import annotations

from typing import Annotated, Any

import sympy

from asmgen.assembly import Builder, below, f32, global_pointer, pseudo, u32

Pointer = global_pointer[f32]
Small = Annotated[u32, below(1 << 20)]


def unknown_instruction(k: Builder, x: Pointer, n: u32) -> None:
    k.v_ad_f32(1.0, 2.0)  # ASM001


def instruction_of_another_target(k: Builder, x: Pointer, n: u32) -> None:
    k.v_wmma_f32_16x16x16_f16(k.vgpr(4), k.vgpr(4), k.vgpr(8))  # ASM001


def too_few_operands(k: Builder, x: Pointer, n: u32) -> None:
    k.v_add_f32(1.0)  # ASM003


def too_many_operands(k: Builder, x: Pointer, n: u32) -> None:
    k.v_add_f32(1.0, 2.0, 3.0)  # ASM003


def operand_too_wide(k: Builder, x: Pointer, n: u32) -> None:
    v = k.global_load_dwordx2(x, 0)
    k.v_add_f32(v, 1.0)  # ISA002


def sgpr_for_vgpr(k: Builder, x: Pointer, n: u32) -> None:
    s = k.s_mov_b32(4)
    k.ds_read_b32(s)  # ISA001


def vgpr_for_sgpr(k: Builder, x: Pointer, n: u32) -> None:
    v = k.v_mov_b32(4)
    k.s_add_u32(v, 1)  # ISA001


def text_as_operand(k: Builder, x: Pointer, n: u32) -> None:
    k.v_add_f32("one", 2.0)  # HND005


def float_for_an_integer(k: Builder, x: Pointer, n: u32) -> None:
    k.s_add_u32(k.s_mov_b32(1), 1.5)  # ISA004


def number_too_large(k: Builder, x: Pointer, n: u32) -> None:
    k.s_movk_i32(1 << 20)  # ISA004


def unknown_modifier(k: Builder, x: Pointer, n: u32) -> None:
    k.v_add_f32(k.v_mov_b32(1.0), 2.0, saturate=True)  # ASM004


def offset_out_of_range(k: Builder, x: Pointer, n: u32) -> None:
    k.ds_read_b32(k.v_mov_b32(0), offset=1 << 20)  # ISA007


def value_after_the_loop(k: Builder, x: Pointer, n: Small) -> None:
    with k.loop(0, n):
        v = k.v_mov_b32(1.0)
    k.global_store_dword(x, 0, v)  # HND010


def value_of_a_where(k: Builder, x: Pointer, n: u32) -> None:
    with k.where(k.thread_id.x < 4):
        v = k.v_mov_b32(1.0)
    k.global_store_dword(x, 0, v)  # HND010


def variable_never_written(k: Builder, x: Pointer, n: u32) -> None:
    v = k.vgpr()
    k.global_store_dword(x, 0, v)  # HND010


def variable_of_one_way(k: Builder, x: Pointer, n: u32) -> None:
    s = k.sgpr()
    with k.uniform_if(n < 4):
        k.assign(s, 1)
    k.global_store_dword(x, 0, k.v_mov_b32(s))  # HND010


def part_never_written(k: Builder, x: Pointer, n: u32) -> None:
    v = k.vgpr(2)
    k.assign(v[0], 1.0)
    k.global_store_dwordx2(x, 0, v)  # HND010


def counter_after_the_loop(k: Builder, x: Pointer, n: Small) -> None:
    with k.loop(0, n) as i:
        pass
    k.global_store_dword(x, 4 * i, k.v_mov_b32(1.0))  # HND021


def index_that_is_no_integer(k: Builder, x: Pointer, n: u32) -> None:
    k.global_load_dword(x, k.thread_id.x / 2)  # HND021


def symbol_without_bounds(k: Builder, x: Pointer, n: u32) -> None:
    k.global_load_dword(x, 4 * sympy.Symbol("j", integer=True))  # HND021


def function_of_sympy(k: Builder, x: Pointer, n: u32) -> None:
    k.global_load_dword(x, sympy.sin(k.thread_id.x))  # HND021


def divisor_that_may_be_negative(k: Builder, x: Pointer, n: u32) -> None:
    k.v_mov_b32(k.thread_id.x // (n - 4))  # HND021


def index_above_32_bits(k: Builder, x: Pointer, n: u32) -> None:
    k.v_mov_b32(1000000 * n)  # HND021


def negative_offset(k: Builder, x: Pointer, n: u32) -> None:
    k.global_load_dword(x, 4 * k.thread_id.x - 8192)  # HND021


def comparison_above_32_bits(k: Builder, x: Pointer, n: u32) -> None:
    with k.where(1000000 * k.workgroup_id.x < n):  # HND021
        pass


def register_as_condition_of_python(k: Builder, x: Pointer, n: u32) -> None:
    if k.v_mov_b32(1.0):  # HND007
        pass


def number_as_condition(k: Builder, x: Pointer, n: u32) -> None:
    four: Any = 4
    with k.where(four):  # HND020
        pass


def vgpr_as_mask(k: Builder, x: Pointer, n: u32) -> None:
    with k.where(k.v_mov_b32(1)):  # HND020
        pass


def mask_as_a_number(k: Builder, x: Pointer, n: u32) -> None:
    k.v_add_f32(k.v_cmp_lt_f32(1.0, k.v_mov_b32(2.0)), 1.0)  # ISA002


def uniform_if_of_lanes(k: Builder, x: Pointer, n: u32) -> None:
    with k.uniform_if(k.thread_id.x < 4):  # HND020
        pass


def loop_of_lanes(k: Builder, x: Pointer, n: u32) -> None:
    with k.loop(0, k.thread_id.x):  # HND023
        pass


def loop_that_stands_still(k: Builder, x: Pointer, n: Small) -> None:
    with k.loop(0, n, step=0):  # HND023
        pass


def barrier_in_a_where(k: Builder, x: Pointer, n: u32) -> None:
    with k.where(k.thread_id.x < 4):
        k.barrier()  # HND024


def reduction_in_a_where(k: Builder, x: Pointer, n: u32) -> None:
    v = k.v_mov_b32(1.0)
    with k.where(k.thread_id.x < 4):
        pseudo.reduce_wave(k, "v_add_f32", v)  # HND024


def end_in_a_where(k: Builder, x: Pointer, n: u32) -> None:
    with k.where(k.thread_id.x < 4):
        k.end()  # HND016


def branch_out_of_a_where(k: Builder, x: Pointer, n: u32) -> None:
    k.s_cmp_lt_u32(n, 4)
    with k.where(k.thread_id.x < 4):
        k.s_cbranch_scc1("out")  # HND017
    k.label("out")


def label_that_is_missing(k: Builder, x: Pointer, n: u32) -> None:
    k.s_branch("nowhere")  # HND015


def label_twice(k: Builder, x: Pointer, n: u32) -> None:
    k.label("here")
    k.label("here")  # HND015


def branch_to_a_register(k: Builder, x: Pointer, n: u32) -> None:
    k.s_cbranch_scc1(k.s_mov_b32(1))  # HND015


def branch_by_exec(k: Builder, x: Pointer, n: u32) -> None:
    k.s_cbranch_execz("out")  # HND014


def write_of_exec(k: Builder, x: Pointer, n: u32) -> None:
    k.s_mov_b64(-1, into=k.physical.exec)  # HND014


def saveexec(k: Builder, x: Pointer, n: u32) -> None:
    k.s_and_saveexec_b64(k.physical.vcc)  # HND014


def end_by_its_instruction(k: Builder, x: Pointer, n: u32) -> None:
    k.s_endpgm()  # HND013


def code_that_nothing_leads_to(k: Builder, x: Pointer, n: u32) -> None:
    k.end()
    k.v_mov_b32(1.0)  # HND012


def register_out_of_its_range(k: Builder, x: Pointer, n: u32) -> None:
    k.vgpr(4)[4]  # HND006


def range_that_is_empty(k: Builder, x: Pointer, n: u32) -> None:
    k.vgpr(4)[2:2]  # HND006


def physical_register_that_is_missing(k: Builder, x: Pointer, n: u32) -> None:
    k.physical.v[256]  # HND006


def all_lanes_in_a_loop_of_some_lanes(k: Builder, x: Pointer, n: u32) -> None:
    with k.where(k.thread_id.x < 4), k.loop(0, 4), k.all_lanes():  # HND024
        pass


def region_without_with(k: Builder, x: Pointer, n: u32) -> None:
    k.where(k.thread_id.x < n)  # HND011
    k.global_store_dword(x, 0, k.v_mov_b32(1.0))


def condition_in_an_if(k: Builder, x: Pointer, n: u32) -> None:
    if k.thread_id.x < n:  # HND007
        k.v_mov_b32(1.0)


def chained_comparison(k: Builder, x: Pointer, n: u32) -> None:
    with k.where(2 < k.thread_id.x < n):  # HND007
        pass


def index_in_a_range(k: Builder, x: Pointer, n: u32) -> None:
    count: Any = n
    for i in range(count):  # HND007
        k.v_mov_b32(i)


def loop_of_python(k: Builder, x: Pointer, n: u32) -> None:
    loop: Any = k.loop(0, 4)
    for i in loop:  # HND011
        k.v_mov_b32(i)


def item_of_registers_assigned(k: Builder, x: Pointer, n: u32) -> None:
    v: Any = k.vgpr(4)
    v[0] = 3  # HND007


def bounds_in_the_wrong_order(k: Builder, x: Pointer, n: u32) -> None:
    k.index(k.v_mov_b32(1), 5, 2)  # HND021


def shift_of_an_index(k: Builder, x: Pointer, n: u32) -> None:
    k.v_mov_b32(k.thread_id.x << 2)  # HND021


def division_by_zero(k: Builder, x: Pointer, n: u32) -> None:
    k.v_mov_b32(k.thread_id.x // 0)  # HND021


def reduction_of_a_number(k: Builder, x: Pointer, n: u32) -> None:
    number: Any = 1.0
    pseudo.reduce_wave(k, "v_add_f32", number)  # HND005


def reduction_by_a_name_that_is_none(k: Builder, x: Pointer, n: u32) -> None:
    pseudo.reduce_wave(k, "add", k.v_mov_b32(1.0))  # ASM001


def reduction_by_three_sources(k: Builder, x: Pointer, n: u32) -> None:
    pseudo.scan_lanes(k, "v_fma_f32", k.v_mov_b32(1.0))  # HND005


def exchange_of_scalars(k: Builder, x: Pointer, n: u32) -> None:
    pointer: Any = x
    pseudo.exchange_lanes(k, pointer, 1)  # HND005


def equality_of_python(k: Builder, x: Pointer, n: u32) -> None:
    with k.where(k.thread_id.x == 0):  # HND020
        pass


def comparison_of_registers(k: Builder, x: Pointer, n: u32) -> None:
    v: Any = k.v_mov_b32(1)
    with k.where(v < n):  # HND007
        pass


def condition_that_is_no_function(k: Builder, x: Pointer, n: u32) -> None:
    symbol: Any = k.thread_id.x
    with k.while_(symbol < n):  # HND020
        pass


def register_as_an_index(k: Builder, x: Pointer, n: u32) -> None:
    v: Any = k.v_mov_b32(1)
    k.v_mov_b32(pseudo.bits(k, "xor", v, 3))  # HND021


def number_in_place_of_registers(k: Builder, x: Pointer, n: u32) -> None:
    number: Any = 0.0
    with k.loop(0, 4, carry=(number,)):  # HND005
        pass


def modifier_that_is_none(k: Builder, x: Pointer, n: u32) -> None:
    nothing: Any = None
    k.v_add_f32(k.v_mov_b32(1.0), 1.0, clamp=nothing)  # ASM004


def label_of_two_words(k: Builder, x: Pointer, n: u32) -> None:
    k.label("a b")  # HND015


def too_many_registers(k: Builder, x: Pointer, n: u32) -> None:
    k.vgpr(300)  # HND004


def reserved_register_that_is_virtual(k: Builder, x: Pointer, n: u32) -> None:
    k.reserve(k.vgpr())  # HND004


def odd_alignment(k: Builder, x: Pointer, n: u32) -> None:
    k.vgpr(4, align=3)  # HND004


def assignment_of_a_wider_value(k: Builder, x: Pointer, n: u32) -> None:
    k.assign(k.vgpr(), k.global_load_dwordx2(x, 0))  # HND005


def assignment_of_lanes_to_an_sgpr(k: Builder, x: Pointer, n: u32) -> None:
    k.assign(k.sgpr(), k.v_mov_b32(1.0))  # HND005


def into_a_number(k: Builder, x: Pointer, n: u32) -> None:
    k.v_mov_b32(1.0, into=4)  # HND005


def into_two_registers(k: Builder, x: Pointer, n: u32) -> None:
    k.v_mov_b32(1.0, into=(k.vgpr(), k.vgpr()))  # ASM003


def too_much_lds(k: Builder, x: Pointer, n: u32) -> None:
    k.lds(1 << 20)  # HND030


def outside_of_its_lds(k: Builder, x: Pointer, n: u32) -> None:
    tile = k.lds(64)
    k.ds_read_b32(tile, 64)  # HND031


def data_of_another_width(k: Builder, x: Pointer, n: u32) -> None:
    k.global_store_dwordx2(x, 0, k.v_mov_b32(1.0))  # ISA002


def store_without_data(k: Builder, x: Pointer, n: u32) -> None:
    k.global_store_dword(x, 0)  # ASM003


def promise_for_two_registers(k: Builder, x: Pointer, n: u32) -> None:
    k.index(k.global_load_dwordx2(x, 0), 0, 4)  # HND021


def otherwise_too_late(k: Builder, x: Pointer, n: u32) -> None:
    w = k.where(k.thread_id.x < 4)
    with w:
        pass
    k.v_mov_b32(1.0)
    with w.otherwise():  # HND022
        pass


def value_of_another_kernel(k: Builder, x: Pointer, n: u32) -> None:
    kept: list[Any] = KEPT
    if kept:
        k.v_add_f32(kept[0], 1.0)  # HND008
    kept.append(k.v_mov_b32(1.0))


def write_of_an_argument(k: Builder, x: Pointer, n: u32) -> None:
    k.s_mov_b64(0, into=x)  # HND009


def write_of_an_arguments_register(k: Builder, x: Pointer, n: u32) -> None:
    k.assign(k.physical.s[2], 1)  # HND009


def write_of_the_kernarg_pointer(k: Builder, x: Pointer, n: u32) -> None:
    k.s_mov_b32(1, into=k.physical.s[0])  # HND009


def loop_without_end(k: Builder, x: Pointer, n: u32) -> None:
    while True:
        k.barrier()  # HND052


def wait_that_is_too_weak(k: Builder, x: Pointer, n: u32) -> None:
    v = k.global_load_dword(x, 0)
    w = k.global_load_dword(x, 4)
    k.wait(vm=1)  # HND026
    k.global_store_dword(x, 8, k.v_add_f32(v, w))


def wait_for_nothing_known(k: Builder, x: Pointer, n: u32) -> None:
    k.wait(texture=1)  # HND025


def wait_for_too_many(k: Builder, x: Pointer, n: u32) -> None:
    k.wait(vm=1000)  # HND025


KEPT: list[Any] = []
