"""Vector memory rows: global, flat, scratch and buffer (CDNA3 ISA, chapters 9 and 10, sections 12.14 to
12.17).

Forms: `global_*` has a 64-bit VGPR address and `off` (the plain form), or an SGPR base and a 32-bit VGPR
offset (`saddr`). `scratch_*` has a VGPR offset (plain), an SGPR offset (`saddr`), both (`both`) or none
(`none`). `buffer_*` has no VGPR address (plain), an offset (`offen`), an index (`idxen`) or index and offset
(`bothen`). An atomic that gives the value before it ends its form in `return`, and has sc0 set. Rows are
declared as gfx942 has them; gfx90a has the same operations and forms under other cache bits
(`before_gfx942`).
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from isa.constants import BITS, FLOAT_TYPES
from isa.instruction import Encoding, Event, ExecMode, Kind, ModifierSpec, OperandSpec, Row, Trait, Unit
from isa.registers import EXEC, FLAT_SCRATCH, M0, Register
from isa.table.declare import VA, S, V, d, flag, in_file_of, make, on, required_flag, tied, u
from isa.table.declared import Declaration, Declared, changed, instruction

SC0, SC1, NT = flag("sc0"), flag("sc1"), flag("nt")
CACHE = (SC0, NT, SC1)
RETURN_CACHE = (required_flag("sc0"), NT, SC1)
# gfx90a's cache bits, in the places of the later bits: coherence, streaming, system scope
OLDER_BITS = {
    SC0: flag("glc"), NT: flag("slc"), SC1: flag("scc"), required_flag("sc0"): required_flag("glc"),
}  # fmt: skip
SIGNED_OFFSET = ModifierSpec("offset", "number", 0, -4096, 4095)
FLAT_OFFSET = ModifierSpec("offset", "number", 0, 0, 4095)
BUFFER_OFFSET = ModifierSpec("offset", "number", 0, 0, 4095)
OFFEN, IDXEN, LDS = required_flag("offen"), required_flag("idxen"), required_flag("lds")

NO_ADDRESS = u("vaddr", Kind.OFF, "u32")
NO_BASE = u("saddr", Kind.OFF, "u64")
POINTER = u("vaddr", V, "u64")
OFFSET32 = u("vaddr", V, "u32")
BASE = u("saddr", S, "u64")
SCRATCH_BASE = u("saddr", S | Kind.M0, "u32")
RESOURCE = u("srsrc", S, "b128")
SOFFSET = u("soffset", S | Kind.M0 | Kind.INLINE, "u32")

GLOBAL_FORMS = (("", (POINTER, NO_BASE)), ("saddr", (OFFSET32, BASE)))
SCRATCH_FORMS = (
    ("", (OFFSET32, u("saddr", Kind.OFF, "u32"))),
    ("saddr", (NO_ADDRESS, SCRATCH_BASE)),
    ("both", (OFFSET32, SCRATCH_BASE)),
    ("none", (NO_ADDRESS, u("saddr", Kind.OFF, "u32"))),
)
BUFFER_FORMS: tuple[tuple[str, OperandSpec, tuple[ModifierSpec, ...]], ...] = (
    ("", NO_ADDRESS, ()),
    ("offen", OFFSET32, (OFFEN,)),
    ("idxen", OFFSET32, (IDXEN,)),
    ("bothen", u("vaddr", V, "b64"), (IDXEN, OFFEN)),
)


def memory(
    name: str, form: str, unit: Unit, operands: tuple[OperandSpec, ...], modifiers: tuple[ModifierSpec, ...],
    size: int, traits: tuple[Trait, ...], loads: bool, reads: tuple[Register, ...] = (),
) -> Row:  # fmt: skip
    """A vector memory instruction that moves `size` bytes a lane."""
    event = Event.VMEM_LOAD if loads else Event.VMEM_STORE
    events = (event, Event.FLAT_LDS) if unit is Unit.FLAT else (event,)
    return make(
        name, Encoding.PLAIN, unit, operands, modifiers, reads=(EXEC, *reads), exec_mode=ExecMode.MASKED,
        events=events, traits=traits, memory_bytes=size, form=form,
    )  # fmt: skip


def address_forms(prefix: str) -> Iterator[tuple[str, Unit, tuple[OperandSpec, ...], ModifierSpec]]:
    """The address operands of `global`, `flat` or `scratch`: form, unit, operands, offset."""
    if prefix == "flat":
        yield "", Unit.FLAT, (POINTER,), FLAT_OFFSET
    for form, operands in GLOBAL_FORMS if prefix == "global" else ():
        yield form, Unit.VMEM, operands, SIGNED_OFFSET
    for form, operands in SCRATCH_FORMS if prefix == "scratch" else ():
        yield form, Unit.SCRATCH, operands, SIGNED_OFFSET


def implicit(unit: Unit) -> tuple[Register, ...]:
    return (FLAT_SCRATCH,) if unit in (Unit.FLAT, Unit.SCRATCH) else ()


def loads(
    prefixes: str, suffix: str, type_name: str, size: int, half: bool = False
) -> tuple[Declaration, ...]:
    """Loads; `half` keeps the other half of the destination."""
    return tuple(
        declared
        for prefix in prefixes.split()
        for declared in load(f"{prefix}_load_{suffix}", prefix, type_name, size, half)
    )


@instruction
def load(name: str, prefix: str, type_name: str, size: int, half: bool) -> Iterator[Row]:
    result = d("vdst", VA, type_name)
    kept = (tied("old", result),) if half else ()
    traits = (Trait.LOAD, Trait.HALF_WRITE) if half else (Trait.LOAD,)
    for form, unit, address, offset in address_forms(prefix):
        yield memory(
            name, form, unit, (result, *address, *kept), (offset, *CACHE), size, traits, True, implicit(unit)
        )


def stores(prefixes: str, suffix: str, type_name: str, size: int) -> tuple[Declaration, ...]:
    return tuple(
        declared
        for prefix in prefixes.split()
        for declared in store(f"{prefix}_store_{suffix}", prefix, type_name, size)
    )


@instruction
def store(name: str, prefix: str, type_name: str, size: int) -> Iterator[Row]:
    data, traits = u("vdata", VA, type_name), (Trait.STORE, Trait.SIDE_EFFECT)
    for form, unit, address, offset in address_forms(prefix):
        operands = (address[0], data, *address[1:])
        yield memory(name, form, unit, operands, (offset, *CACHE), size, traits, False, implicit(unit))


def atomics(
    prefixes: str, suffix: str, type_name: str, result: str = "", old_kinds: Kind = VA
) -> tuple[Declaration, ...]:
    """Atomics without and with a result; a compare-and-swap takes a tuple of the new value and the compared
    value."""
    return tuple(
        declared
        for prefix in prefixes.split()
        for declared in atomic(f"{prefix}_atomic_{suffix}", prefix, type_name, result or type_name, old_kinds)
    )


@instruction
def atomic(name: str, prefix: str, type_name: str, result: str, old_kinds: Kind) -> Iterator[Row]:
    data, old = u("vdata", VA, type_name), d("vdst", old_kinds, result)
    swapped = in_file_of("vdata", old_kinds, type_name, "vdst")
    traits, size = (Trait.ATOMIC, Trait.SIDE_EFFECT), BITS[type_name] // 8
    for form, unit, address, offset in address_forms(prefix):
        operands, reads = (address[0], data, *address[1:]), implicit(unit)
        yield memory(name, form, unit, operands, (offset, NT, SC1), size, traits, False, reads)
        operands, returning = (old, address[0], swapped, *address[1:]), f"{form} return".strip()
        yield memory(name, returning, unit, operands, (offset, *RETURN_CACHE), size, traits, True, reads)


def buffer_forms(
    name: str, data: OperandSpec, size: int, traits: tuple[Trait, ...], is_load: bool, form_end: str = "",
    cache: tuple[ModifierSpec, ...] = CACHE, hidden: tuple[OperandSpec, ...] = (),
) -> tuple[Row, ...]:  # fmt: skip
    return tuple(
        memory(
            name, f"{form} {form_end}".strip(), Unit.VMEM, (data, address, RESOURCE, SOFFSET, *hidden),
            (*enables, BUFFER_OFFSET, *cache), size, traits, is_load,
        )
        for form, address, enables in BUFFER_FORMS
    )  # fmt: skip


@instruction
def buffer_load(name: str, type_name: str, size: int, half: bool = False) -> tuple[Row, ...]:
    result = d("vdata", VA, type_name)
    hidden = (tied("old", result),) if half else ()
    traits = (Trait.LOAD, Trait.HALF_WRITE) if half else (Trait.LOAD,)
    return buffer_forms(name, result, size, traits, True, hidden=hidden)


@instruction
def buffer_store(name: str, type_name: str, size: int) -> tuple[Row, ...]:
    return buffer_forms(name, u("vdata", VA, type_name), size, (Trait.STORE, Trait.SIDE_EFFECT), False)


@instruction
def buffer_atomic(name: str, type_name: str) -> tuple[Row, ...]:
    """Buffer atomics; the returned value takes the place of the data."""
    size, traits = BITS[type_name] // 8, (Trait.ATOMIC, Trait.SIDE_EFFECT)
    old = d("vdata", VA, type_name)
    return (
        *buffer_forms(name, u("vdata", VA, type_name), size, traits, False, cache=(NT, SC1)),
        *buffer_forms(name, old, size, traits, True, "return", RETURN_CACHE, (tied("data", old),)),
    )


def integer_atomics() -> tuple[Declaration, ...]:
    declared: list[Declaration] = []
    for operation, kind in (
        ("swap", "b"), ("add", "u"), ("sub", "u"), ("smin", "i"), ("umin", "u"), ("smax", "i"), ("umax", "u"),
        ("and", "b"), ("or", "b"), ("xor", "b"), ("inc", "u"), ("dec", "u"),
    ):  # fmt: skip
        for suffix, width in (("", "32"), ("_x2", "64")):
            declared += atomics("global flat", operation + suffix, kind + width)
            declared += buffer_atomic(f"buffer_atomic_{operation}{suffix}", kind + width)
    return tuple(declared)


@instruction
def lds_dma_buffer(name: str, size: int) -> Iterator[Row]:
    """Memory to LDS: the LDS address is M0's, plus the lane number times the size."""
    for form, address, enables in BUFFER_FORMS:
        modifiers = (*enables, BUFFER_OFFSET, *CACHE, LDS)
        yield dma(name, f"{form} lds".strip(), Unit.VMEM, (address, RESOURCE, SOFFSET), modifiers, size)


def lds_dma_lanes(prefixes: str, suffix: str, size: int) -> tuple[Declaration, ...]:
    """As `lds_dma_buffer`, from the lanes' own addresses."""
    return tuple(
        declared
        for prefix in prefixes.split()
        for declared in lds_dma_lane(f"{prefix}_load_lds_{suffix}", prefix, size)
    )


@instruction
def lds_dma_lane(name: str, prefix: str, size: int) -> Iterator[Row]:
    for form, unit, operands, offset in address_forms(prefix):
        yield dma(name, form, unit, operands, (offset, *CACHE), size)


@instruction
def lds_dma_flag(name: str, prefix: str, size: int) -> Iterator[Row]:
    """As `lds_dma_lane`, but a modifier of the plain load selects LDS."""
    for form, unit, operands, offset in address_forms(prefix):
        yield dma(name, f"{form} lds".strip(), unit, operands, (offset, *CACHE, LDS), size)


def lds_dma_flags() -> tuple[Declaration, ...]:
    sizes = {"dword": 4, "ubyte": 1, "ushort": 2, "sbyte": 1, "sshort": 2}
    return tuple(
        declared
        for prefix in ("global", "scratch")
        for suffix, size in sizes.items()
        for declared in lds_dma_flag(f"{prefix}_load_{suffix}", prefix, size)
    )


def dma(
    name: str, form: str, unit: Unit, operands: tuple[OperandSpec, ...], modifiers: tuple[ModifierSpec, ...],
    size: int,
) -> Row:  # fmt: skip
    traits = (Trait.LOAD, Trait.LDS_DMA, Trait.SIDE_EFFECT)
    return memory(name, form, unit, operands, modifiers, size, traits, True, (M0, *implicit(unit)))


def cache_control(
    name: str, *modifiers: ModifierSpec, counted: bool = False, after_loads: bool = False
) -> Row:
    """buffer_wbl2 counts as a store until the cache has written back; buffer_inv does not count. gfx90a's
    come after the loads. Neither has a bit for `nt`: llvm-mc takes the word and drops it."""
    return make(
        name, Encoding.PLAIN, Unit.VMEM, (), modifiers, exec_mode=ExecMode.SCALAR,
        events=(Event.VMEM_STORE,) if counted else (),
        traits=(Trait.CACHE, Trait.SIDE_EFFECT, *((Trait.AFTER_LOADS,) if after_loads else ())),
    )  # fmt: skip


def before_gfx942(declared: tuple[Declaration, ...]) -> tuple[Declared, ...]:
    """The instructions as gfx90a has them: its own cache bits, and scratch addresses of a single register.
    Its float atomics have no bit for the system scope: llvm-mc takes the word and drops it."""

    def with_older_bits(row: Row) -> Row:
        has_system = Trait.ATOMIC not in row.traits or all(
            spec.type not in FLOAT_TYPES for spec in row.operands
        )
        kept = (spec for spec in row.modifiers if spec is not SC1 or has_system)
        return replace(row, modifiers=tuple(OLDER_BITS.get(spec, spec) for spec in kept))

    kept = (
        declaration.chosen(
            lambda row: row.unit is not Unit.SCRATCH or row.form in ("", "saddr", "lds", "saddr lds")
        )
        for declaration in declared
    )
    return on("gfx90a", *changed(kept, with_older_bits))


EVERY = "global flat scratch"

# on every target
COMMON: tuple[Declaration, ...] = (
    *loads(EVERY, "ubyte", "b32", 1),
    *loads(EVERY, "sbyte", "b32", 1),
    *loads(EVERY, "ushort", "b32", 2),
    *loads(EVERY, "sshort", "b32", 2),
    *loads(EVERY, "ubyte_d16", "b32", 1, half=True),
    *loads(EVERY, "ubyte_d16_hi", "b32", 1, half=True),
    *loads(EVERY, "sbyte_d16", "b32", 1, half=True),
    *loads(EVERY, "sbyte_d16_hi", "b32", 1, half=True),
    *loads(EVERY, "short_d16", "b32", 2, half=True),
    *loads(EVERY, "short_d16_hi", "b32", 2, half=True),
    *loads(EVERY, "dword", "b32", 4),
    *loads(EVERY, "dwordx2", "b64", 8),
    *loads(EVERY, "dwordx3", "b96", 12),
    *loads(EVERY, "dwordx4", "b128", 16),
    *stores(EVERY, "byte", "b32", 1),
    *stores(EVERY, "byte_d16_hi", "b32", 1),
    *stores(EVERY, "short", "b32", 2),
    *stores(EVERY, "short_d16_hi", "b32", 2),
    *stores(EVERY, "dword", "b32", 4),
    *stores(EVERY, "dwordx2", "b64", 8),
    *stores(EVERY, "dwordx3", "b96", 12),
    *stores(EVERY, "dwordx4", "b128", 16),
    *buffer_load("buffer_load_ubyte", "b32", 1),
    *buffer_load("buffer_load_sbyte", "b32", 1),
    *buffer_load("buffer_load_ushort", "b32", 2),
    *buffer_load("buffer_load_sshort", "b32", 2),
    *buffer_load("buffer_load_ubyte_d16", "b32", 1, half=True),
    *buffer_load("buffer_load_ubyte_d16_hi", "b32", 1, half=True),
    *buffer_load("buffer_load_sbyte_d16", "b32", 1, half=True),
    *buffer_load("buffer_load_sbyte_d16_hi", "b32", 1, half=True),
    *buffer_load("buffer_load_short_d16", "b32", 2, half=True),
    *buffer_load("buffer_load_short_d16_hi", "b32", 2, half=True),
    *buffer_load("buffer_load_dword", "b32", 4),
    *buffer_load("buffer_load_dwordx2", "b64", 8),
    *buffer_load("buffer_load_dwordx3", "b96", 12),
    *buffer_load("buffer_load_dwordx4", "b128", 16),
    *buffer_store("buffer_store_byte", "b32", 1),
    *buffer_store("buffer_store_byte_d16_hi", "b32", 1),
    *buffer_store("buffer_store_short", "b32", 2),
    *buffer_store("buffer_store_short_d16_hi", "b32", 2),
    *buffer_store("buffer_store_dword", "b32", 4),
    *buffer_store("buffer_store_dwordx2", "b64", 8),
    *buffer_store("buffer_store_dwordx3", "b96", 12),
    *buffer_store("buffer_store_dwordx4", "b128", 16),
    *integer_atomics(),
    *atomics("global flat", "cmpswap", "b64", "b32"),
    *atomics("global flat", "cmpswap_x2", "b128", "b64"),
    *atomics("global flat", "add_f64", "f64"),
    *atomics("global flat", "min_f64", "f64"),
    *atomics("global flat", "max_f64", "f64"),
    *buffer_atomic("buffer_atomic_cmpswap", "b64"),
    *buffer_atomic("buffer_atomic_cmpswap_x2", "b128"),
    *buffer_atomic("buffer_atomic_add_f32", "f32"),
    *buffer_atomic("buffer_atomic_add_f64", "f64"),
    *buffer_atomic("buffer_atomic_min_f64", "f64"),
    *buffer_atomic("buffer_atomic_max_f64", "f64"),
    *buffer_atomic("buffer_atomic_pk_add_f16", "f16x2"),
    *lds_dma_buffer("buffer_load_dword", 4),
    *lds_dma_buffer("buffer_load_ubyte", 1),
    *lds_dma_buffer("buffer_load_ushort", 2),
    *lds_dma_buffer("buffer_load_sbyte", 1),
    *lds_dma_buffer("buffer_load_sshort", 2),
)

GFX90A: tuple[Declaration, ...] = (
    *atomics("global", "add_f32", "f32"),
    *atomics("global", "pk_add_f16", "f16x2"),
    *lds_dma_flags(),
)

SINCE_GFX942: tuple[Declared, ...] = (
    *atomics("flat", "add_f32", "f32"),
    *atomics("global", "add_f32", "f32", old_kinds=V),
    *atomics("flat", "pk_add_f16", "f16x2"),
    *atomics("global", "pk_add_f16", "f16x2", old_kinds=V),
    *atomics("global flat", "pk_add_bf16", "bf16x2"),
    *lds_dma_lanes("global scratch", "dword", 4),
    *lds_dma_lanes("global scratch", "ubyte", 1),
    *lds_dma_lanes("global scratch", "ushort", 2),
    *lds_dma_lanes("global scratch", "sbyte", 1),
    *lds_dma_lanes("global scratch", "sshort", 2),
    cache_control("buffer_wbl2", SC0, SC1, counted=True),
    cache_control("buffer_inv", SC0, SC1),
)

GFX950: tuple[Declaration, ...] = (
    *buffer_atomic("buffer_atomic_pk_add_bf16", "bf16x2"),
    *lds_dma_buffer("buffer_load_dwordx3", 12),
    *lds_dma_buffer("buffer_load_dwordx4", 16),
    *lds_dma_lanes("global", "dwordx3", 12),
    *lds_dma_lanes("global", "dwordx4", 16),
)

ROWS: tuple[Declared, ...] = (
    *before_gfx942((*COMMON, *GFX90A)),
    *on("gfx90a", cache_control("buffer_wbl2", counted=True), cache_control("buffer_invl2")),
    *on(
        "gfx90a",
        cache_control("buffer_wbinvl1", after_loads=True),
        cache_control("buffer_wbinvl1_vol", after_loads=True),
    ),
    *on("gfx942 gfx950", *COMMON, *SINCE_GFX942),
    *on("gfx950", *GFX950),
)
