"""Pseudo-instructions: single calls for which the target needs several instructions.

total = pseudo.reduce_wave(k, "v_add_f32", v)           the sum over the lanes, in an SGPR
address = pseudo.add_u64(k, pointer, offset)
resource = pseudo.buffer(k, x, 4096)                    the resource of buffer instructions
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, cast

import sympy

from asmgen.assembly.builder import KernelBuilder
from asmgen.assembly.index_code import add_pairs, add_vector_pairs
from asmgen.assembly.instructions import ModifierGiven, rows_of
from asmgen.assembly.values import Lds, Pointer, Registers, Scalar, Vector, is_whole, registers, require_own
from asmgen.index.nodes import Index
from asmgen.select.lanes.exchange import put_exchange
from asmgen.select.lanes.reductions import put_combined, put_step
from isa.instruction import Trait, Unit
from isa.registers import Register, RegisterClass
from isa.target import OfScopes
from isa.text.unknown import unknown_instruction

Some = TypeVar("Some", bound=Registers[Any])
_BIT_OPERATIONS = {"xor": "v_xor_b32", "and": "v_and_b32", "or": "v_or_b32"}


def add_u64(k: KernelBuilder, one: Registers[Any], other: Registers[Any]) -> Registers[Any]:
    """The sum of two 64-bit integers in pairs: SGPRs if both are, else VGPRs."""
    recorder = k.recorder
    recorder.at("add_u64")
    recorder.require_open()
    for value in (one, other):
        require_own(recorder, value)
        if len(value) != 2:
            raise k.fault("HND005", f"got {len(value)} registers, wanted a pair")
    if isinstance(one, Scalar) and isinstance(other, Scalar):
        return registers(recorder, add_pairs(recorder, one.register, other.register), RegisterClass.SGPR)
    summed = add_vector_pairs(recorder, one.register, other.register)
    return registers(recorder, summed, RegisterClass.VGPR)


def wide(k: KernelBuilder, index: sympy.Expr | int) -> Registers[Any]:
    """An index from 0 on as a u64 in a pair of registers: SGPRs if it is the same for the wave."""
    recorder = k.recorder
    recorder.at("wide")
    recorder.require_open()
    pair = k.symbols.wide_part(k.symbols.index_of(index))
    return registers(recorder, pair, recorder.kernel.register_class(pair))


def combine(k: KernelBuilder, name: str, values: Sequence[Some]) -> Some:
    """Several values combined by an instruction of two, as a tree: `combine(k, "v_max_f32", values)`."""
    if not values:
        raise k.fault("HND005", "got no values, wanted at least a single value")
    left: list[Some] = list(values)
    while len(left) > 1:
        pairs = [k.call(name, (left[i], left[i + 1]), {}, None) for i in range(0, len(left) - 1, 2)]
        left = pairs + left[len(left) - len(left) % 2 :]
    return left[0]


def reduce_lanes(k: KernelBuilder, name: str, value: Vector[Any], lanes: int = 0) -> Vector[Any]:
    """Groups of neighbouring lanes combined by the instruction `name`: each lane of a group of up to 16 has
    the result, of a larger group its last lane. All lanes must be on."""
    recorder = k.recorder
    _require_every_lane(k, "reduce_lanes")
    _require_combines(k, name, value)
    lanes = lanes or k.wave_size
    if lanes & lanes - 1 or not 1 < lanes <= k.wave_size:
        raise k.fault("HND005", f"got {lanes} lanes, wanted a power of two up to {k.wave_size}")
    register = value.register
    for step in recorder.target.steps_for(lanes):
        combined = recorder.vgpr()
        put_step(recorder, step, name, combined, register)
        register = combined
    return cast("Vector[Any]", registers(recorder, register, RegisterClass.VGPR))


def exchange_lanes(k: KernelBuilder, value: Vector[Any], mask: int) -> Vector[Any]:
    """The value of the lane with the same number except for the bits of `mask`: of the next lane for 1, of
    the other half of a wave of 64 for 32. All lanes must be on."""
    recorder = k.recorder
    _require_every_lane(k, "exchange_lanes")
    if not 0 < mask < k.wave_size:
        raise k.fault("HND005", f"got the mask {mask}, wanted 1 to {k.wave_size - 1}")
    _require_vector(k, value)
    result = recorder.vgpr(len(value))
    for i in range(len(value)):
        put_exchange(recorder, result.part(i), value.register.part(i), mask)
    return cast("Vector[Any]", registers(recorder, result, RegisterClass.VGPR))


def read_lane(k: KernelBuilder, value: Vector[Any], lane: sympy.Expr | int) -> Vector[Any]:
    """The value of the lane with a number, which may differ between lanes. The lanes that are read must be
    on."""
    _require_vector(k, value)
    result = k.vgpr(len(value))
    for i in range(len(value)):
        if k.recorder.target.reaches_whole_wave:
            k.call("ds_bpermute_b32", (4 * lane, value[i]), {}, result[i])
        else:
            k.call("v_cndmask_b32", _from_both_halves(k, value[i], lane), {}, result[i])
    return result


def _from_both_halves(k: KernelBuilder, value: Registers[Any], lane: sympy.Expr | int) -> tuple[object, ...]:
    """The value of the lane with a number in the own half of 32 lanes, that in the other half, and the lanes
    that want the other half."""
    exchanged = k.call("v_permlane64_b32", (value,), {}, None)
    halves = [k.call("ds_bpermute_b32", (4 * lane, part), {}, None) for part in (value, exchanged)]
    own = _vector(k, k.symbols.index_of(lane_id(k) // 32))
    wanted = k.symbols.index_of(lane // 32)
    return *halves, k.call("v_cmp_ne_u32", (_operand(k, wanted), own), {}, None)


def scan_lanes(k: KernelBuilder, name: str, value: Vector[Any]) -> Vector[Any]:
    """Each lane combined with the lanes of the wave before it by the instruction `name`. All lanes must be
    on."""
    recorder = k.recorder
    _require_every_lane(k, "scan_lanes")
    _require_combines(k, name, value)
    register = value.register
    for step in recorder.target.scan_steps_for(k.wave_size, False):
        for move in step.moves:
            combined = recorder.vgpr()
            put_combined(recorder, move, name, combined, register)
            register = combined
    return cast("Vector[Any]", registers(recorder, register, RegisterClass.VGPR))


def _require_every_lane(k: KernelBuilder, name: str) -> None:
    k.recorder.at(name)
    k.recorder.require_open()
    k.require_every_lane(name)


def _require_combines(k: KernelBuilder, name: str, value: object) -> None:
    """`InputError` HND005 if an instruction does not combine two VGPRs, or a value is not in a VGPR."""
    table = k.recorder.table
    rows = rows_of(table, name)
    if not rows:
        raise unknown_instruction(name, table, k.recorder.place())
    row = rows[0]
    if row.unit is not Unit.VALU or len(row.uses) != 2 or len(row.defines) != 1 or row.ties:
        message = f"got {name}, wanted an instruction that combines two VGPRs, such as v_add_f32"
        raise k.fault("HND005", message)
    if len(_require_vector(k, value)) != 1:
        raise k.fault("HND005", f"got {value!r}, wanted a single VGPR")


def _require_vector(k: KernelBuilder, value: object) -> Vector[Any]:
    """`InputError` HND005 for a value that is not in VGPRs."""
    if not isinstance(value, Vector):
        raise k.fault("HND005", f"got {value!r}, wanted VGPRs", "k.v_mov_b32(...) puts a value in a VGPR")
    vector = cast("Vector[Any]", value)
    require_own(k.recorder, vector)
    return vector


def atomic(
    k: KernelBuilder, name: str, base: Pointer | Lds, offset: sympy.Expr | int, data: object
) -> Vector[Any]:
    """An atomic operation on memory that returns the old value: `atomic(k, "global_atomic_add", counter, 0,
    one)`. It has the modifier that asks the target for that."""
    row = next(
        (row for row in rows_of(k.recorder.table, name) if row.defines and Trait.ATOMIC in row.traits), None
    )
    if row is None:
        raise k.fault("HND005", f"got {name}, wanted an atomic operation with a result")
    asked = {spec.name: spec.words[0] if spec.words else True for spec in row.modifiers if spec.required}
    return cast("Vector[Any]", k.call(name, (base, offset, data), asked, None))


def atomic_load(k: KernelBuilder, name: str, base: Pointer, offset: sympy.Expr | int) -> Vector[Any]:
    """A load that reads what other workgroups have written by atomic operations or atomic stores, each word
    whole: `atomic_load(k, "global_load_dwordx2", words, 8 * i)`. It orders no other access."""
    kept = _kept(k, name, k.recorder.target.agent_order.load)
    return cast("Vector[Any]", k.call(name, (base, offset), kept, None))


def atomic_store(
    k: KernelBuilder, name: str, base: Pointer, offset: sympy.Expr | int, data: Registers[Any]
) -> None:
    """A store that atomic loads of other workgroups read, each word whole. It orders no other access."""
    kept = _kept(k, name, k.recorder.target.agent_order.store)
    k.call(name, (base, offset, data), kept, None)


def _kept(k: KernelBuilder, name: str, of: OfScopes) -> dict[str, ModifierGiven]:
    """The modifiers by which the workgroups see an access, as a caller writes them."""
    numbers = dict(of.agent)
    specs = [spec for row in rows_of(k.recorder.table, name)[:1] for spec in row.modifiers]
    return {
        spec.name: spec.words[numbers[spec.name]] if spec.words else True
        for spec in specs
        if spec.name in numbers
    }


def reduce_wave(k: KernelBuilder, name: str, value: Vector[Any]) -> Scalar[Any]:
    """All lanes of the wave combined by the instruction `name`, in an SGPR. All lanes must be on."""
    reduced = reduce_lanes(k, name, value)
    return cast("Scalar[Any]", k.call("v_readlane_b32", (reduced, k.wave_size - 1), {}, None))


def reduce_workgroup(k: KernelBuilder, name: str, value: Vector[Any]) -> Vector[Any]:
    """All lanes of the workgroup combined by the instruction `name`; every lane has the result. The
    waves pass their results on in LDS."""
    sizes = k.recorder.kernel.workgroup
    waves = -(-sizes[0] * sizes[1] * sizes[2] // k.wave_size)
    if waves == 1:
        total: Registers[Any] = reduce_wave(k, name, value)
        return cast("Vector[Any]", k.call("v_mov_b32", (total,), {}, None))
    reduced = reduce_lanes(k, name, value)
    shared = k.lds(4 * waves)
    if k.may_repeat:  # the other waves may still read the results of the last time
        k.barrier()
    item = flat_id(k)
    with k.where(cast("sympy.Basic", sympy.Eq(item % k.wave_size, k.wave_size - 1))):
        k.call("ds_write_b32", (shared, 4 * (item // k.wave_size), reduced), {}, None)
    k.barrier()
    return combine(k, name, _words(k, shared, waves))


def _words(k: KernelBuilder, shared: Lds, count: int) -> list[Vector[Any]]:
    """The first words of an object in LDS, by the longest reads."""
    words: list[Vector[Any]] = []
    for size, name in ((4, "ds_read_b128"), (2, "ds_read_b64"), (1, "ds_read_b32")):
        while count - len(words) >= size:
            read = cast("Vector[Any]", k.call(name, (shared, 4 * len(words)), {}, None))
            words += [read[i] for i in range(size)]
    return words


def flat_id(k: KernelBuilder) -> sympy.Expr:
    """The number of the work-item in its workgroup."""
    x, y, _ = k.recorder.kernel.workgroup
    ids = (k.thread_id.x, k.thread_id.y, k.thread_id.z)
    factors = (1, x, x * y)
    sizes = k.recorder.kernel.workgroup
    terms = [one * by for one, by, size in zip(ids, factors, sizes, strict=True) if size > 1]
    return sympy.Add(*terms)


def bits(k: KernelBuilder, operation: str, one: sympy.Expr | int, other: sympy.Expr | int) -> sympy.Symbol:
    """`xor`, `and` or `or` of two indices from 0 on, as an index."""
    left, right = k.symbols.index_of(one), k.symbols.index_of(other)
    name = _BIT_OPERATIONS.get(operation)
    if name is None or left.low < 0 or right.low < 0:
        message = f"got {operation} of {left.text} and {right.text}, wanted xor, and, or of numbers from 0 on"
        raise k.fault("HND021", message)
    most = (1 << max(left.high, right.high).bit_length()) - 1
    most = min(left.high, right.high) if operation == "and" else most
    value = k.call(name, (_operand(k, left), _vector(k, right)), {}, None)
    return k.index(value, 0, most)


def _operand(k: KernelBuilder, index: Index) -> object:
    part = k.symbols.part(index)
    if isinstance(part, Register):
        return registers(k.recorder, part, k.recorder.kernel.register_class(part))
    return part.bits


def _vector(k: KernelBuilder, index: Index) -> Registers[Any]:
    return registers(k.recorder, k.recorder.to_vgpr(k.symbols.part(index)), RegisterClass.VGPR)


def buffer(k: KernelBuilder, pointer: Registers[Any], bytes: int, stride: int = 0) -> Scalar[Any]:
    """The resource of buffer instructions in four SGPRs: `bytes` from a pointer on; accesses beyond read 0
    and write nothing."""
    require_own(k.recorder, pointer)
    if not (is_whole(bytes) and is_whole(stride)):
        raise k.fault("HND005", f"got {bytes} bytes with the stride {stride}, wanted numbers")
    if len(pointer) != 2 or not 0 < bytes < 1 << 32 or not 0 <= stride < 1 << 14:
        raise k.fault("HND005", f"got {bytes} bytes with the stride {stride}, wanted 32 and 14 bits")
    resource = k.sgpr(4)
    k.assign(resource[0], pointer[0])
    k.call("s_or_b32", (pointer[1], stride << 16) if stride else (pointer[1], 0), {}, resource[1])
    k.assign(resource[2], bytes)
    k.assign(resource[3], k.recorder.target.raw_resource)
    return resource


def lane_id(k: KernelBuilder) -> sympy.Symbol:
    """The number of the lane in its wave, as an index."""
    low = k.call("v_mbcnt_lo_u32_b32", (-1, 0), {}, None)
    number = low if k.wave_size == 32 else k.call("v_mbcnt_hi_u32_b32", (-1, low), {}, None)
    return k.index(number, 0, k.wave_size - 1)


__all__ = [
    "add_u64", "atomic", "atomic_load", "atomic_store", "bits", "buffer", "combine", "exchange_lanes",
    "flat_id", "lane_id", "read_lane", "reduce_lanes", "reduce_wave", "reduce_workgroup", "scan_lanes",
    "wide",
]  # fmt: skip
