"""LDS rows (RDNA3 ISA, chapter 12; RDNA4 ISA, chapter 11). M0 is read by ds_append, ds_consume and the
`addtid` forms alone."""

from __future__ import annotations

from isa.constants import BITS
from isa.instruction import Event, ExecMode, ModifierSpec, OperandSpec, Row, Trait, Unit
from isa.registers import EXEC, M0, Register
from isa.table.declare import RDNA, RDNA3, RDNA4
from isa.table.rdna.declare import V, d, make, tied, u

OFFSET = (ModifierSpec("offset", "number", 0, 0, 65535),)
PAIR_OFFSETS = (ModifierSpec("offset0", "number", 0, 0, 255), ModifierSpec("offset1", "number", 0, 0, 255))
PATTERN = ModifierSpec("offset", "swizzle", 0, 0, 65535)
ADDRESS = u("addr", V, "u32")
SIDE_EFFECT = Trait.SIDE_EFFECT


def lds(
    name: str, operation: str, operands: tuple[OperandSpec, ...], size: int, *traits: Trait,
    modifiers: tuple[ModifierSpec, ...] = OFFSET, targets: frozenset[str] = RDNA,
    reads: tuple[Register, ...] = (), semantics: str = "",
) -> Row:  # fmt: skip
    """An LDS instruction that moves `size` bytes a lane; `operation` is CDNA3's name if that differs."""
    return make(
        name, Unit.LDS, operands, modifiers, reads=(EXEC, *reads), exec_mode=ExecMode.MASKED,
        events=(Event.LDS,), traits=traits, memory_bytes=size, targets=targets, operation=operation,
        semantics=semantics,
    )  # fmt: skip


def load(suffix: str, type_name: str, size: int) -> Row:
    return lds(f"ds_load_{suffix}", f"ds_read_{suffix}", (d("vdst", V, type_name), ADDRESS), size, Trait.LOAD)


def load_half(suffix: str, size: int) -> Row:
    """A load into half of its destination; the other half stays."""
    result = d("vdst", V, "b32")
    return lds(
        f"ds_load_{suffix}", f"ds_read_{suffix}", (result, ADDRESS, tied("old", result)), size, Trait.LOAD,
        Trait.HALF_WRITE,
    )  # fmt: skip


def store(suffix: str, type_name: str, size: int) -> Row:
    return lds(
        f"ds_store_{suffix}", f"ds_write_{suffix}", (ADDRESS, u("data0", V, type_name)), size, Trait.STORE,
        SIDE_EFFECT,
    )  # fmt: skip


def pair(type_name: str) -> tuple[Row, ...]:
    """Two elements at offsets counted in elements, or in 64 elements: loads, stores and exchanges."""
    size, double = BITS[type_name] // 8, f"b{2 * BITS[type_name]}"
    result, data = d("vdst", V, double), (u("data0", V, type_name), u("data1", V, type_name))
    rows: list[Row] = []
    for stride, cdna in (("", ""), ("_stride64", "st64")):
        suffix = f"_2addr{stride}_{type_name}"
        rows += (
            lds(
                f"ds_load{suffix}", f"ds_read2{cdna}_{type_name}", (result, ADDRESS), 2 * size, Trait.LOAD,
                modifiers=PAIR_OFFSETS,
            ),
            lds(
                f"ds_store{suffix}", f"ds_write2{cdna}_{type_name}", (ADDRESS, *data), 2 * size, Trait.STORE,
                SIDE_EFFECT, modifiers=PAIR_OFFSETS,
            ),
            lds(
                f"ds_storexchg_2addr{stride}_rtn_{type_name}", f"ds_wrxchg2{cdna}_rtn_{type_name}",
                (result, ADDRESS, *data), 2 * size, Trait.ATOMIC, SIDE_EFFECT, modifiers=PAIR_OFFSETS,
            ),
        )  # fmt: skip
    return tuple(rows)


def atomic(
    spelt: str, type_name: str, sources: int = 1, targets: frozenset[str] = RDNA, cdna: str = ""
) -> tuple[Row, ...]:
    """An LDS atomic, without and with the value before it as a result; `spelt` and `cdna` are names without
    `ds_`.

    If CDNA has the atomic under another name, the two treat NaNs and zeros differently, so the row has its
    own semantics.
    """
    data = (u("data0", V, type_name), u("data1", V, type_name))[:sources]
    size = BITS[type_name] // 8
    names, operations = ((f"ds_{name}", _returning(name)) for name in (spelt, cdna or spelt))
    return (
        lds(
            names[0], operations[0], (ADDRESS, *data), size, Trait.ATOMIC, SIDE_EFFECT, targets=targets,
            semantics=names[0],
        ),
        lds(
            names[1], operations[1], (d("vdst", V, type_name), ADDRESS, *data), size, Trait.ATOMIC,
            SIDE_EFFECT, targets=targets, semantics=names[1],
        ),
    )  # fmt: skip


def _returning(name: str) -> str:
    """The name of the atomic that returns: `add_u32` gives `ds_add_rtn_u32`."""
    operation, _, type_name = name.rpartition("_")
    return f"ds_{operation}_rtn_{type_name}"


def exchange(type_name: str) -> Row:
    operands = (d("vdst", V, type_name), ADDRESS, u("data0", V, type_name))
    return lds(
        f"ds_storexchg_rtn_{type_name}", f"ds_wrxchg_rtn_{type_name}", operands, BITS[type_name] // 8,
        Trait.ATOMIC, SIDE_EFFECT,
    )  # fmt: skip


def integer_atomics() -> tuple[Row, ...]:
    rows: list[Row] = []
    for kind, names in (("u", "add sub rsub inc dec min max"), ("i", "min max"), ("b", "and or xor")):
        for operation in names.split():
            for width in ("32", "64"):
                rows += atomic(f"{operation}_{kind}{width}", f"{kind}{width}")
    return tuple(rows)


def extremes() -> tuple[Row, ...]:
    """Float minima and maxima, which RDNA4 calls minNum and maxNum."""
    rows: list[Row] = []
    for which in ("min", "max"):
        for type_name in ("f32", "f64"):
            rows += atomic(f"{which}_{type_name}", type_name, targets=RDNA3)
            rows += atomic(f"{which}_num_{type_name}", type_name, targets=RDNA4, cdna=f"{which}_{type_name}")
    return tuple(rows)


def lanes(
    name: str, operands: tuple[OperandSpec, ...], modifiers: tuple[ModifierSpec, ...] = OFFSET,
    targets: frozenset[str] = RDNA,
) -> Row:  # fmt: skip
    """Values of other lanes, without any memory."""
    return lds(name, "", operands, 4, Trait.CROSS_LANE, modifiers=modifiers, targets=targets)


def counted(name: str) -> Row:
    """ds_append and ds_consume: the number of active lanes is added to or taken from a counter at M0's
    base."""
    return lds(name, "", (d("vdst", V, "u32"),), 4, Trait.ATOMIC, SIDE_EFFECT, reads=(M0,))


DATA = u("data0", V, "b32")

ROWS: tuple[Row, ...] = (
    *(load(suffix, "b32", size) for suffix, size in (("u8", 1), ("i8", 1), ("u16", 2), ("i16", 2))),
    *(
        load_half(f"{name}_d16{high}", size)
        for name, size in (("u8", 1), ("i8", 1), ("u16", 2))
        for high in ("", "_hi")
    ),
    *(load(type_name, type_name, BITS[type_name] // 8) for type_name in ("b32", "b64", "b96", "b128")),
    *(
        store(suffix, "b32", size)
        for suffix, size in (("b8", 1), ("b8_d16_hi", 1), ("b16", 2), ("b16_d16_hi", 2))
    ),
    *(store(type_name, type_name, BITS[type_name] // 8) for type_name in ("b32", "b64", "b96", "b128")),
    *pair("b32"),
    *pair("b64"),
    *integer_atomics(),
    *atomic("add_f32", "f32"),
    *extremes(),
    *atomic("pk_add_f16", "f16x2", targets=RDNA4),
    *atomic("pk_add_bf16", "bf16x2", targets=RDNA4),
    *atomic("cond_sub_u32", "u32", targets=RDNA4),
    *atomic("sub_clamp_u32", "u32", targets=RDNA4),
    *(row for width in ("32", "64") for row in atomic(f"mskor_b{width}", f"b{width}", 2)),
    *(row for width in ("32", "64") for row in atomic(f"cmpstore_b{width}", f"b{width}", 2)),
    *(row for width in ("32", "64") for row in atomic(f"cmpstore_f{width}", f"f{width}", 2, targets=RDNA3)),
    exchange("b32"),
    exchange("b64"),
    lds(
        "ds_wrap_rtn_b32", "", (d("vdst", V, "u32"), ADDRESS, u("data0", V, "u32"), u("data1", V, "u32")), 4,
        Trait.ATOMIC, SIDE_EFFECT, targets=RDNA3,
    ),
    lds(
        "ds_condxchg32_rtn_b64", "", (d("vdst", V, "b64"), ADDRESS, u("data0", V, "b64")), 8, Trait.ATOMIC,
        SIDE_EFFECT,
    ),
    counted("ds_append"),
    counted("ds_consume"),
    lds("ds_load_addtid_b32", "ds_read_addtid_b32", (d("vdst", V, "b32"),), 4, Trait.LOAD, reads=(M0,)),
    lds("ds_store_addtid_b32", "ds_write_addtid_b32", (DATA,), 4, Trait.STORE, SIDE_EFFECT, reads=(M0,)),
    lanes("ds_bpermute_b32", (d("vdst", V, "b32"), ADDRESS, DATA)),
    lanes("ds_permute_b32", (d("vdst", V, "b32"), ADDRESS, DATA)),
    lanes("ds_bpermute_fi_b32", (d("vdst", V, "b32"), ADDRESS, DATA), targets=RDNA4),
    lanes("ds_swizzle_b32", (d("vdst", V, "b32"), u("addr", V, "b32")), (PATTERN,)),
)  # fmt: skip
