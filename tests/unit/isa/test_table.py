"""Rules of every row, and the small cost of making all rows."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest

from isa.constants import BITS
from isa.instruction import Encoding, Event, ExecMode, Kind, OperandSpec, Row, Trait, Unit
from isa.registers import EXEC, VCC, VCC_LO
from isa.semantics import table as semantics
from isa.table import table_named
from isa.targets import TARGETS
from isa.verify import find_fault
from tests.rows import MACHINES, every_row
from tests.unit.isa.samples import base

MEMORY = (Unit.VMEM, Unit.FLAT, Unit.SCRATCH, Unit.LDS)
VECTOR = (Unit.VALU, Unit.TRANS, Unit.MATRIX)


def rows_where(*traits: Trait) -> list[Row]:
    return [found for found in every_row() if set(traits) <= found.traits]


@pytest.mark.parametrize("machine", MACHINES)
def test_mnemonic_and_form_name_one_row(machine: str) -> None:
    table = table_named(machine)
    assert [key for key, count in Counter((found.mnemonic, found.form) for found in table.rows).items() if count > 1] == []
    assert all(table.spelt(found.mnemonic, found.form) is found for found in table.rows)


# operations that every target has, in the encoding and form in which the compiler asks for them
OPERATIONS = (
    ("v_exp_f32_e32", ""), ("v_fma_f64", ""), ("v_pk_fma_f16", ""), ("v_add_u32_e32", ""), ("v_add_co_u32_e64", ""), ("v_cndmask_b32_e64", ""),
    ("s_mul_hi_u32", ""), ("s_and_b32", ""), ("s_load_dword", ""), ("s_load_dwordx16", ""), ("ds_read_b128", ""), ("ds_write_b64", ""),
    ("ds_read2st64_b64", ""), ("global_load_dword", "saddr"), ("global_load_dwordx4", ""), ("global_store_short", "saddr"),
    ("flat_load_dword", ""), ("scratch_load_dword", ""), ("buffer_store_dword", "offen"), ("global_atomic_add", "return"),
)  # fmt: skip


@pytest.mark.parametrize("machine", MACHINES)
def test_there_is_what_every_target_has(machine: str) -> None:
    table = table_named(machine)
    assert [(operation, form) for operation, form in OPERATIONS if table.find(operation, form) is None] == []


@pytest.mark.parametrize("machine", MACHINES)
def test_an_operation_in_one_encoding_and_form_is_one_row(machine: str) -> None:
    found = Counter((found.operation, found.encoding, found.form) for found in table_named(machine).rows)
    assert [key for key, count in found.items() if count > 1] == []


@pytest.mark.broad
def test_the_plain_sample_of_every_row_is_legal() -> None:
    assert [(found, fault) for found in every_row() if (fault := find_fault(base(found))) is not None] == []


def test_operands_are_named_apart_and_defines_stand_first() -> None:
    for found in every_row():
        names = [spec.name for spec in found.operands]
        assert len(set(names)) == len(names), found
        assert not found.ties or all(found.operands[define].name == found.operands[use].tied for use, define in found.ties)
        for part in found.components or (found,):
            assert part.name == "s_setreg_b32" or part.defines == tuple(range(len(part.defines))), part


def test_widths_are_those_of_the_types() -> None:
    assert [(found, spec) for found in every_row() for spec in found.operands if spec.count != max(1, BITS[spec.type] // 32)] == []


def test_tuples_are_aligned_as_the_family_wants_them() -> None:
    """SGPR tuples are aligned everywhere, vector tuples are even on gfx90a and later CDNA."""
    for found in every_row():
        vector = 2 if {TARGETS[name].family for name in found.targets} == {"cdna"} else 1
        for spec in found.operands:
            wanted = 1 if spec.count == 1 else vector if spec.kinds & (Kind.VGPR | Kind.AGPR) else 4 if spec.count > 2 else 2
            assert spec.align == wanted, (found, spec)


def test_a_tied_source_is_unspelt_and_as_wide_as_its_destination() -> None:
    for found in every_row():
        for use, define in found.ties:
            source, result = found.operands[use], found.operands[define]
            assert (source.hidden, source.count, source.kinds) == (True, result.count, result.kinds), found


def test_partial_writes_are_tied() -> None:
    assert [found for found in rows_where(Trait.HALF_WRITE) if not found.ties] == []


@pytest.mark.parametrize("unit", VECTOR)
def test_vector_instructions_say_how_exec_masks_them(unit: Unit) -> None:
    for found in every_row():
        if found.unit is unit and found.operands:
            assert (EXEC in found.reads) == (found.exec_mode is ExecMode.MASKED), found


def test_what_ignores_exec_is_lane_access_and_the_matrix_unit() -> None:
    ignoring = [found for found in every_row() if found.exec_mode is ExecMode.IGNORED]
    assert all(found.unit is Unit.MATRIX or found.traits & {Trait.LANE_READ, Trait.LANE_WRITE} for found in ignoring)


def test_scalar_instructions_do_not_follow_exec() -> None:
    assert [found for found in every_row() if found.unit in (Unit.SALU, Unit.SMEM, Unit.BRANCH) and found.exec_mode is not ExecMode.SCALAR] == []


def data_operand(found: Row) -> OperandSpec | None:
    """The register operand that memory instructions move."""
    names = ("vdst", "vdata", "data0", "sdst")
    return next((spec for name in names for spec in found.operands if spec.name == name), None)


def test_memory_bytes_fit_the_data_registers() -> None:
    for found in every_row():
        data = data_operand(found)
        if found.unit in (*MEMORY, Unit.SMEM) and found.memory_bytes and data is not None and Trait.ATOMIC not in found.traits:
            whole = sum(spec.count for spec in found.operands if spec.name in ("data0", "data1")) if Trait.STORE in found.traits else 0
            units = whole or data.count
            assert found.memory_bytes == 4 * units or (found.memory_bytes < 4 and units == 1), found


def test_memory_instructions_are_counted() -> None:
    for found in every_row():
        if found.memory_bytes:
            wanted = {Unit.LDS: Event.LDS, Unit.SMEM: Event.SMEM_LOAD}.get(found.unit)
            if wanted is None:
                wanted = Event.VMEM_LOAD if Trait.LOAD in found.traits or found.defines else Event.VMEM_STORE
            assert found.events[0] is wanted, found
            assert (Event.FLAT_LDS in found.events) == (found.unit is Unit.FLAT), found


def test_stores_and_atomics_have_a_side_effect() -> None:
    acting = {Trait.STORE, Trait.ATOMIC, Trait.BARRIER}
    assert [found for found in every_row() if found.traits & acting and Trait.SIDE_EFFECT not in found.traits] == []


def test_loads_have_none_so_that_unused_ones_can_go() -> None:
    assert [found for found in rows_where(Trait.LOAD) if Trait.SIDE_EFFECT in found.traits and Trait.LDS_DMA not in found.traits] == []


def test_exchangeable_sources_are_alike() -> None:
    """With COMMUTES, both sources have one type; the encodings narrow the second source's kinds."""
    for found in rows_where(Trait.COMMUTES):
        first, second = (found.operands[i] for i in [i for i in found.uses if not found.operands[i].hidden][:2])
        assert first.type == second.type, found


def test_a_move_has_one_source_and_one_destination() -> None:
    for found in rows_where(Trait.MOVE):
        spelt = [spec for spec in found.operands if not spec.hidden]
        assert [spec.count for spec in spelt] == [spelt[0].count] * 2, found


def test_short_encodings_have_vcc_where_the_long_ones_choose() -> None:
    for found in every_row():
        masks = [spec for spec in found.operands if spec.type in ("mask", "mask32") and found.unit is Unit.VALU]
        if found.encoding in (Encoding.E32, Encoding.DPP):
            assert all(spec.fixed == (VCC if spec.count == 2 else VCC_LO) for spec in masks), found
        elif found.encoding is Encoding.E64:
            assert all(spec.fixed is None for spec in masks), found


def test_importing_the_table_loads_no_numpy() -> None:
    script = "import sys, isa.table, isa.text, isa.verify, isa.build; assert 'numpy' not in sys.modules"
    _ = subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize("machine", MACHINES)
def test_every_row_has_semantics(machine: str) -> None:
    assert sorted({found.semantics for found in table_named(machine).rows if found.semantics not in semantics()}) == []


@pytest.mark.parametrize("machine", MACHINES)
def test_every_conditional_branch_has_its_opposite(machine: str) -> None:
    table = table_named(machine)
    branches = [found for found in table.rows if Trait.CONDITIONAL_BRANCH in found.traits]
    assert len(branches) == 6
    for branch in branches:
        other = table.spelt(branch.opposite)
        assert other is not branch
        assert (other.opposite, other.reads) == (branch.mnemonic, branch.reads)


@pytest.mark.parametrize("machine", MACHINES)
def test_an_atomic_moves_its_data(machine: str) -> None:
    """The bytes of its data, which of a compare and swap are two numbers."""
    rows = [row for row in table_named(machine).rows if Trait.ATOMIC in row.traits and row.mnemonic.startswith(("global_", "flat_", "buffer_"))]
    sizes = {row: next(4 * spec.count for spec in row.operands if spec.name == "vdata") for row in rows}
    assert len(rows) > 50 and [row.mnemonic for row in rows if row.memory_bytes != sizes[row]] == []


@pytest.mark.parametrize("machine", TARGETS)
def test_a_target_says_whether_it_computes_two_f32_at_once(machine: str) -> None:
    table = table_named(machine)
    of_pairs = [row for row in table.rows if row.unit is Unit.VALU and [spec.type for spec in row.operands[:2]] == ["f32x2"] * 2]
    assert table.target.packed_f32 is bool(of_pairs)
