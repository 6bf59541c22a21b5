"""The kernel's interface, and what selection refuses."""

from __future__ import annotations

import pytest

from asmgen.ir.program import Module, Statement, Value
from asmgen.ir.types import ELEMENT_TYPES, F32, U32, LaneType
from asmgen.lanewise.builder import LaneBuilder
from asmgen.select import select
from asmgen.select.uniformity import uniform_values
from isa.diagnostics import InternalError
from isa.registers import Register, sgpr, vgpr
from isa.targets import TargetId, parse_target
from tests.unit.select.modules import module_of
from tests.unit.select.running import TARGET, TARGETS, difference, emulated, input_arrays, interpreted, selected


def copies(builder: LaneBuilder, *buffers: Value) -> None:
    lane = builder.local_id()
    for source in buffers[:-1]:
        builder.store(buffers[-1], lane, builder.load(source, lane))


@pytest.mark.parametrize(("buffers", "preloaded"), [(2, 4), (7, 14), (8, 0)])
def test_pointers_are_preloaded_while_they_fit(buffers: int, preloaded: int) -> None:
    """16 user SGPRs, two of which are the kernarg pointer's."""
    kernel = selected(module_of(copies, [("f32", 64)] * buffers))
    entry = dict(kernel.abi.entry)
    assert kernel.abi.preload_dwords == preloaded
    assert entry["kernarg_segment_ptr"] == sgpr(0, 2)
    assert entry.get("preload") == (sgpr(2, preloaded) if preloaded else None)
    assert entry["workitem_id"] == vgpr(0)
    assert "workgroup_id_x" not in entry
    assert [(a.offset, a.size, a.access, a.type) for a in kernel.arguments] == [
        (8 * i, 8, "write_only" if i == buffers - 1 else "read_only", "f32") for i in range(buffers)
    ]


def test_only_the_workgroup_ids_that_are_read_are_enabled() -> None:
    def body(builder: LaneBuilder, out: Value) -> None:
        index = builder.add(builder.workgroup_id(2), builder.workgroup_id(0))
        builder.store(out, index, builder.constant(1.0, F32))

    entry = dict(selected(module_of(body, [("f32", 64)])).abi.entry)
    assert entry["workgroup_id_x"] == sgpr(4) and entry["workgroup_id_z"] == sgpr(5)
    assert "workgroup_id_y" not in entry and "workitem_id" not in entry


@pytest.mark.parametrize(
    ("target", "x", "z"),
    [
        ("gfx90a", sgpr(4), sgpr(5)), ("gfx1100", sgpr(14), sgpr(15)), ("gfx1100:wave64", sgpr(2), sgpr(3)),
        ("gfx1201", Register(117), Register(115)),
    ],
)  # fmt: skip
def test_where_the_ids_of_a_workgroup_are(target: str, x: Register, z: Register) -> None:
    """As clang-22 has them: behind preloaded arguments, at the end of 16 SGPRs that gfx1100 fills in waves of 32, in ttmp9 and ttmp7."""

    def body(builder: LaneBuilder, out: Value) -> None:
        index = builder.add(builder.workgroup_id(2), builder.workgroup_id(0))
        builder.store(out, index, builder.constant(1.0, F32))

    entry = dict(selected(module_of(body, [("f32", 64)]), parse_target(target)).abi.entry)
    assert (entry["workgroup_id_x"], entry["workgroup_id_z"]) == (x, z)


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_the_id_z_alone(target: TargetId) -> None:
    """On gfx1201 it is in the upper half of ttmp7, also if the kernel does not read the id y."""

    def body(builder: LaneBuilder, out: Value) -> None:
        lane, group = builder.local_id(), builder.workgroup_id(2)
        builder.store(out, builder.add(lane, builder.mul(group, builder.constant(64, U32))), group)

    module = module_of(body, [("u32", 192)], grid=(1, 1, 3), block=(64, 1, 1))
    arrays = input_arrays(module, 0, 1)
    assert difference(interpreted(module, arrays, target), emulated(selected(module, target), module, arrays)) == ""


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_ids_of_three_dimensions(target: TargetId) -> None:
    def body(builder: LaneBuilder, out: Value) -> None:
        x, y, z = (builder.local_id(axis) for axis in range(3))
        group = builder.add(builder.workgroup_id(1), builder.mul(builder.workgroup_id(2), builder.constant(3, U32)))
        local = builder.add(x, builder.add(builder.mul(y, builder.constant(8, U32)), builder.mul(z, builder.constant(32, U32))))
        index = builder.add(local, builder.mul(group, builder.constant(64, U32)))
        builder.store(out, index, builder.add(index, builder.mul(z, builder.constant(1000, U32))))

    module = module_of(body, [("u32", 384)], grid=(1, 3, 2), block=(8, 4, 2))
    arrays = input_arrays(module, 0, 1)
    assert difference(interpreted(module, arrays, target), emulated(selected(module, target), module, arrays)) == ""


def test_a_buffer_that_is_written_is_not_read_through_the_scalar_cache() -> None:
    """The scalar cache would not see this kernel's stores."""

    def body(builder: LaneBuilder, a: Value, out: Value) -> None:
        zero = builder.constant(0, U32)
        builder.store(out, builder.local_id(), builder.add(builder.load(a, zero), builder.load(out, zero)))

    kernel = selected(module_of(body))
    loads = [instr.row.name for block in kernel.blocks for instr in block.instructions if "load" in instr.row.name]
    assert loads == ["s_load_dword", "global_load_dword"]
    assert [argument.access for argument in kernel.arguments] == ["read_only", "read_write"]


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_offsets_beyond_the_immediate(target: TargetId) -> None:
    """Constants that fit neither the vector nor the scalar immediate of most targets are added to the
    offset."""

    def body(builder: LaneBuilder, a: Value, out: Value) -> None:
        lane = builder.local_id()
        far, near = builder.load(a, lane, offset=8192), builder.load(a, lane, 4, offset=4000)
        uniform = builder.load(a, builder.workgroup_id(), offset=1 << 21)
        total = builder.add(builder.add(far, builder.extract(near, 3)), uniform)
        builder.store(out, lane, total, offset=5000)

    module = module_of(body, [("f32", (1 << 19) + 64), ("f32", 2048)])
    arrays = input_arrays(module, 0, 1)
    assert difference(interpreted(module, arrays, target), emulated(selected(module, target), module, arrays)) == ""


def test_uniform_values_of_a_module() -> None:
    """Float arithmetic is never uniform here, integer arithmetic is; a load with a uniform index of read-only memory is."""
    found: dict[str, Value] = {}

    def body(builder: LaneBuilder, a: Value, out: Value) -> None:
        group, lane = builder.workgroup_id(), builder.local_id()
        found["loaded"] = builder.load(a, group)
        found["float"] = builder.add(found["loaded"], found["loaded"])
        found["integer"] = builder.mul(builder.add(group, builder.constant(3, U32)), group)
        found["lane"] = builder.add(group, lane)
        found["vector"] = builder.splat(found["loaded"], 2)
        found["flag"] = builder.less(group, builder.constant(2, U32))
        found["mask"] = builder.less(lane, builder.constant(2, U32))
        builder.store(out, lane, found["float"])

    module = module_of(body)
    uniform = uniform_values(module, frozenset())
    assert {name for name, value in found.items() if value in uniform} == {"loaded", "integer", "vector", "flag"}


def test_errors_of_ours() -> None:
    with pytest.raises(InternalError, match="does not start with a launch"):
        _ = select(Module("empty", ()), TARGET)

    def body(builder: LaneBuilder, out: Value) -> None:
        wide = LaneType(ELEMENT_TYPES["bf16"])
        value = Value("d", wide)
        from asmgen.graph.ops import graph_op

        builder.append(Statement(graph_op("add"), (value, value), (Value("sum", wide),)))
        builder.store(out, builder.local_id(), builder.constant(1.0, F32))

    with pytest.raises(InternalError, match=r"no instruction for add\(bf16, bf16\)"):
        _ = select(module_of(body, [("f32", 64)]), TARGET)
