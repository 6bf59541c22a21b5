"""Orders in which few registers are live: fewer than before, legal, and with the same results."""

from __future__ import annotations

import numpy as np

from asmgen.passes.dependence import Dependences
from asmgen.passes.schedule.sparing import spare_registers
from isa.emulator.runner import run_kernel
from isa.program import Kernel
from isa.registers import RegisterClass
from regalloc.liveness import compute_liveness
from regalloc.verify import verify
from tests.property.machine_programs import machine_program
from tests.unit.regalloc.programs import machine


def live(kernel: Kernel) -> int:
    return compute_liveness(kernel).pressure[RegisterClass.VGPR].units


def summed(rows: int) -> Kernel:
    """Rows of four are loaded, each from an address of its own, then added up in succession."""
    addresses = "".join(f"register %a{i} vgpr\nregister %x{i} vgpr 4 align 2\nregister %s{i} vgpr 4 align 2\n" for i in range(rows))
    made = "".join(f"  v_add_u32_e32 %a{i}, {i}, v0\n" for i in range(rows))
    loads = "".join(f"  ds_read_b128 %x{i}, %a{i}\n" for i in range(rows))
    adds = "".join(
        f"  v_pk_add_f32 %s{i}{pair}, %x{i}{pair}, {f'%s{i - 1}' if i > 1 else '%x0'}{pair}\n" for i in range(1, rows) for pair in ("[0:1]", "[2:3]")
    )
    return machine(f"{addresses}block entry\n{made}{loads}{adds}  ds_write_b128 v0, %s{rows - 1}\n  terminator s_endpgm\n")


def test_each_load_goes_next_to_what_reads_it() -> None:
    """The sum and a row next to v0: nine registers; all rows were 65."""
    kernel = summed(16)
    assert live(kernel) == 65
    spared = spare_registers(kernel, 16)
    verify(spared)
    assert live(spared) == 9
    order = [next(i for i, other in enumerate(kernel.blocks[0].instructions) if other is one) for one in spared.blocks[0].instructions]
    assert Dependences(kernel).of_block(0).allows(order)


def test_elements_come_one_after_another() -> None:
    """Two elements of three pairs each. The first is made before anything of the second is read: three pairs,
    or a pair that is done and three."""
    rows, halves = "xby", ("[0]", "[1]")
    registers = "".join(f"register %{name}{i} vgpr 2 align 2\n" for name in "xybscd" for i in range(2))
    loads = "".join(f"  ds_read_b64 %{row}{i}, v0 offset:{8 * (2 * rows.index(row) + i)}\n" for row in rows for i in range(2))
    sums = "".join(f"  v_fma_f32 %s{i}{half}, 2.0, %x{i}{half}, %b{i}{half}\n" for i in range(2) for half in halves)
    scaled = "".join(f"  v_mul_f32_e32 %c{i}{half}, 4.0, %x{i}{half}\n" for i in range(2) for half in halves)
    made = "".join(f"  v_fma_f32 %d{i}{half}, %s{i}{half}, %y{i}{half}, %c{i}{half}\n" for i in range(2) for half in halves)
    stores = "".join(f"  ds_write_b64 v0, %d{i} offset:{64 + 8 * i}\n" for i in range(2))
    kernel = machine(f"{registers}block entry\n{loads}{sums}{scaled}{made}{stores}  terminator s_endpgm\n")
    spared = spare_registers(kernel, 8)
    verify(spared)
    assert (live(kernel), live(spared)) == (13, 9)


def test_what_fits_stays() -> None:
    kernel = summed(3)
    assert spare_registers(kernel, live(kernel)) is kernel


def test_random_programs_store_the_same_in_no_more_registers() -> None:
    given = np.random.default_rng(3).integers(0, 1 << 32, 64, dtype=np.uint32)
    fewer = 0
    for seed in range(30):
        kernel, _ = machine_program(seed)
        spared = spare_registers(kernel, 4)
        verify(spared)
        before, after = (run_kernel(one, (1, 1, 1), [given.copy(), np.zeros(64, np.uint32)])[1] for one in (kernel, spared))
        assert before.tolist() == after.tolist()
        assert live(spared) <= live(kernel)
        fewer += live(spared) < live(kernel)
    assert fewer > 10
