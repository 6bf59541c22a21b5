"""LDS rows (CDNA3 ISA, chapter 11 and section 12.13). On gfx9 and later M0 is read by ds_append, ds_consume,
the `addtid` forms and LDS DMA alone."""

from __future__ import annotations

from msgspec.structs import replace

from isa.constants import BITS
from isa.instruction import Encoding, Event, ExecMode, ModifierSpec, OperandSpec, Row, Trait, Unit
from isa.registers import EXEC, M0
from isa.table.declare import VA, V, d, in_file_of, make, on, tied, u
from isa.table.declared import Declared, single

OFFSET = (ModifierSpec("offset", "number", 0, 0, 65535),)
PAIR_OFFSETS = (ModifierSpec("offset0", "number", 0, 0, 255), ModifierSpec("offset1", "number", 0, 0, 255))
PATTERN = ModifierSpec("offset", "swizzle", 0, 0, 65535)
ADDRESS = u("addr", V, "u32")


@single
def lds(
    name: str, operands: tuple[OperandSpec, ...], size: int, *traits: Trait,
    modifiers: tuple[ModifierSpec, ...] = OFFSET, form: str = "",
) -> Row:  # fmt: skip
    """An LDS instruction that moves `size` bytes a lane."""
    return make(
        name, Encoding.PLAIN, Unit.LDS, operands, modifiers, reads=(EXEC,), exec_mode=ExecMode.MASKED,
        events=(Event.LDS,), traits=traits, memory_bytes=size, form=form,
    )  # fmt: skip


def read(name: str, type_name: str, size: int) -> Declared:
    return lds(name, (d("vdst", VA, type_name), ADDRESS), size, Trait.LOAD)


def transposed(name: str, type_name: str) -> Declared:
    """A load that transposes a matrix between lanes: a lane gets elements of its neighbours' addresses."""
    return lds(name, (d("vdst", VA, type_name), ADDRESS), BITS[type_name] // 8, Trait.LOAD, Trait.CROSS_LANE)


def exchange_lanes(name: str) -> Declared:
    """A lane gets the data of another lane; no memory is accessed."""
    data = in_file_of("data0", VA, "b32", "vdst")
    return lds(name, (d("vdst", VA, "b32"), ADDRESS, data), 4, Trait.CROSS_LANE)


def read_half(name: str, size: int) -> Declared:
    """A load into half of its destination; the other half stays."""
    result = d("vdst", VA, "b32")
    return lds(name, (result, ADDRESS, tied("old", result)), size, Trait.LOAD, Trait.HALF_WRITE)


def write(name: str, type_name: str, size: int) -> Declared:
    return lds(name, (ADDRESS, u("data0", VA, type_name)), size, Trait.STORE, Trait.SIDE_EFFECT)


def pair(type_name: str) -> tuple[Declared, ...]:
    """ds_read2 and ds_write2: two elements at offsets counted in elements, or in 64 elements."""
    size, double = BITS[type_name] // 8, f"b{2 * BITS[type_name]}"
    data = u("data0", VA, type_name), in_file_of("data1", VA, type_name, "data0")
    return tuple(
        row
        for stride in ("", "st64")
        for row in (
            lds(
                f"ds_read2{stride}_{type_name}", (d("vdst", VA, double), ADDRESS), 2 * size, Trait.LOAD,
                modifiers=PAIR_OFFSETS,
            ),
            lds(
                f"ds_write2{stride}_{type_name}", (ADDRESS, *data), 2 * size, Trait.STORE, Trait.SIDE_EFFECT,
                modifiers=PAIR_OFFSETS,
            ),
        )
    )  # fmt: skip


def atomic(operation: str, type_name: str, sources: int = 1) -> tuple[Declared, ...]:
    """An LDS atomic, without and with the value before it as a result."""
    data = (u("data0", VA, type_name), in_file_of("data1", VA, type_name, "data0"))[:sources]
    with_result = tuple(in_file_of(f"data{i}", VA, type_name, "vdst") for i in range(sources))
    size = BITS[type_name] // 8
    returning = operation.rpartition("_")
    named = f"ds_{returning[0]}_rtn_{returning[2]}"
    return (
        lds(f"ds_{operation}", (ADDRESS, *data), size, Trait.ATOMIC, Trait.SIDE_EFFECT),
        lds(named, (d("vdst", VA, type_name), ADDRESS, *with_result), size, Trait.ATOMIC, Trait.SIDE_EFFECT),
    )


def exchange(name: str, type_name: str) -> Declared:
    operands = (d("vdst", VA, type_name), ADDRESS, in_file_of("data0", VA, type_name, "vdst"))
    return lds(name, operands, BITS[type_name] // 8, Trait.ATOMIC, Trait.SIDE_EFFECT)


def two_in_file_of_result(type_name: str) -> tuple[OperandSpec, OperandSpec]:
    return in_file_of("data0", VA, type_name, "vdst"), in_file_of("data1", VA, type_name, "vdst")


def pair_exchange(type_name: str) -> tuple[Declared, ...]:
    """Two elements exchanged, at offsets counted in elements, or in 64 elements."""
    operands = (d("vdst", VA, f"b{2 * BITS[type_name]}"), ADDRESS, *two_in_file_of_result(type_name))
    return tuple(
        lds(
            f"ds_wrxchg2{stride}_rtn_{type_name}", operands, BITS[type_name] // 4, Trait.ATOMIC,
            Trait.SIDE_EFFECT, modifiers=PAIR_OFFSETS,
        )
        for stride in ("", "st64")
    )  # fmt: skip


def indexed(name: str, data: OperandSpec, *traits: Trait) -> Declared:
    """The address is M0's base and, of `addtid`, four times the lane's number; ds_append and ds_consume count
    active lanes."""
    return lds(name, (data,), 4, *traits).changed(lambda row: replace(row, reads=(EXEC, M0)))


def integer_atomics() -> tuple[Declared, ...]:
    rows: list[Declared] = []
    for kind, names in (("u", "add sub rsub inc dec min max"), ("i", "min max"), ("b", "and or xor")):
        for operation in names.split():
            for width in ("32", "64"):
                rows += atomic(f"{operation}_{kind}{width}", f"{kind}{width}")
    return tuple(rows)


ROWS: tuple[Declared, ...] = (
    read("ds_read_u8", "b32", 1),
    read("ds_read_i8", "b32", 1),
    read("ds_read_u16", "b32", 2),
    read("ds_read_i16", "b32", 2),
    read_half("ds_read_u8_d16", 1),
    read_half("ds_read_u8_d16_hi", 1),
    read_half("ds_read_i8_d16", 1),
    read_half("ds_read_i8_d16_hi", 1),
    read_half("ds_read_u16_d16", 2),
    read_half("ds_read_u16_d16_hi", 2),
    read("ds_read_b32", "b32", 4),
    read("ds_read_b64", "b64", 8),
    read("ds_read_b96", "b96", 12),
    read("ds_read_b128", "b128", 16),
    write("ds_write_b8", "b32", 1),
    write("ds_write_b8_d16_hi", "b32", 1),
    write("ds_write_b16", "b32", 2),
    write("ds_write_b16_d16_hi", "b32", 2),
    write("ds_write_b32", "b32", 4),
    write("ds_write_b64", "b64", 8),
    write("ds_write_b96", "b96", 12),
    write("ds_write_b128", "b128", 16),
    *on(
        "gfx950", transposed("ds_read_b64_tr_b4", "b64"), transposed("ds_read_b64_tr_b8", "b64"),
        transposed("ds_read_b64_tr_b16", "b64"),
    ),
    *on("gfx950", transposed("ds_read_b96_tr_b6", "b96")),
    *pair("b32"),
    *pair("b64"),
    *integer_atomics(),
    *atomic("add_f32", "f32"),
    *atomic("add_f64", "f64"),
    *atomic("min_f32", "f32"),
    *atomic("max_f32", "f32"),
    *atomic("min_f64", "f64"),
    *atomic("max_f64", "f64"),
    *on("gfx942 gfx950", *atomic("pk_add_f16", "f16x2"), *atomic("pk_add_bf16", "bf16x2")),
    *atomic("cmpst_b32", "b32", 2),
    *atomic("cmpst_b64", "b64", 2),
    exchange("ds_wrxchg_rtn_b32", "b32"),
    exchange("ds_wrxchg_rtn_b64", "b64"),
    *atomic("cmpst_f32", "f32", 2),
    *atomic("cmpst_f64", "f64", 2),
    *atomic("mskor_b32", "b32", 2),
    *atomic("mskor_b64", "b64", 2),
    lds(
        "ds_wrap_rtn_b32", (d("vdst", VA, "u32"), ADDRESS, *two_in_file_of_result("u32")), 4, Trait.ATOMIC,
        Trait.SIDE_EFFECT,
    ),
    exchange("ds_condxchg32_rtn_b64", "b64"),
    *pair_exchange("b32"),
    *pair_exchange("b64"),
    indexed("ds_append", d("vdst", VA, "u32"), Trait.ATOMIC, Trait.SIDE_EFFECT),
    indexed("ds_consume", d("vdst", VA, "u32"), Trait.ATOMIC, Trait.SIDE_EFFECT),
    indexed("ds_read_addtid_b32", d("vdst", VA, "b32"), Trait.LOAD),
    indexed("ds_write_addtid_b32", u("data0", VA, "b32"), Trait.STORE, Trait.SIDE_EFFECT),
    exchange_lanes("ds_bpermute_b32"),
    exchange_lanes("ds_permute_b32"),
    lds(
        "ds_swizzle_b32", (d("vdst", VA, "b32"), u("addr", V, "b32")), 4, Trait.CROSS_LANE,
        modifiers=(PATTERN,),
    ),
)  # fmt: skip
