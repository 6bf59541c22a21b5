"""Vector memory rows: global, flat, scratch and buffer (RDNA3 ISA, chapters 9 to 11; RDNA4 ISA, chapters 9
and 10).

Forms are those of CDNA: `global_*` has a 64-bit VGPR address and `off` (the plain form), or an SGPR base and
a 32-bit VGPR offset (`saddr`). `scratch_*` has a VGPR offset (plain), an SGPR offset (`saddr`), both (`both`)
or none (`none`). `buffer_*` has no VGPR address (plain), an offset (`offen`), an index (`idxen`) or index and
offset (`bothen`). The form of an atomic that returns the previous value ends in `return`; it has glc (RDNA3)
or a hint for it (RDNA4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Concatenate, ParamSpec

from msgspec import Struct
from msgspec.structs import replace

from isa.constants import BITS
from isa.instruction import Event, ExecMode, Kind, ModifierSpec, OperandSpec, Row, Trait, Unit
from isa.registers import EXEC, FLAT_SCRATCH, Register
from isa.table.declare import RDNA3, RDNA4, required_flag
from isa.table.declared import Declaration, Declared
from isa.table.rdna.cache import ATOMIC_TH, LOAD_TH, RETURN_TH, SCOPE, STORE_TH
from isa.table.rdna.declare import DLC, GLC, SGPR_OR_NULL, SLC, S, V, d, make, tied, u

Modifiers = tuple[ModifierSpec, ...]


def offset(low: int, high: int) -> ModifierSpec:
    return ModifierSpec("offset", "number", 0, low, high)


class Generation(Struct, frozen=True):
    """The differences of the two targets' encodings: cache modifiers, offsets, and the kinds of a buffer's
    scalar offset."""

    targets: frozenset[str]
    load: Modifiers
    store: Modifiers
    atomic: Modifiers
    returning: Modifiers
    signed: ModifierSpec
    flat: ModifierSpec
    buffer: ModifierSpec
    soffset: Kind


_WIDE = offset(-(1 << 23), (1 << 23) - 1)
_RDNA3 = Generation(
    RDNA3, (GLC, SLC, DLC), (GLC, SLC, DLC), (SLC, DLC), (required_flag("glc"), SLC, DLC),
    offset(-4096, 4095), offset(0, 4095), offset(0, 4095), SGPR_OR_NULL | Kind.M0 | Kind.INLINE,
)  # fmt: skip
_RDNA4 = Generation(
    RDNA4, (LOAD_TH, SCOPE), (STORE_TH, SCOPE), (ATOMIC_TH, SCOPE), (RETURN_TH, SCOPE), _WIDE, _WIDE,
    offset(0, (1 << 23) - 1), SGPR_OR_NULL | Kind.M0,
)  # fmt: skip
BOTH = (_RDNA3, _RDNA4)

OFFEN, IDXEN = required_flag("offen"), required_flag("idxen")
NO_ADDRESS = u("vaddr", Kind.OFF, "u32")
NO_BASE = u("saddr", Kind.OFF, "u64")
POINTER = u("vaddr", V, "u64")
OFFSET32 = u("vaddr", V, "u32")
BASE = u("saddr", S, "u64")
SCRATCH_BASE = u("saddr", S | Kind.M0, "u32")
NO_SCRATCH_BASE = u("saddr", Kind.OFF, "u32")
RESOURCE = u("srsrc", S, "b128")
GLOBAL_FORMS = (("", (POINTER, NO_BASE)), ("saddr", (OFFSET32, BASE)))
SCRATCH_FORMS = (
    ("", (OFFSET32, NO_SCRATCH_BASE)),
    ("saddr", (NO_ADDRESS, SCRATCH_BASE)),
    ("both", (OFFSET32, SCRATCH_BASE)),
    ("none", (NO_ADDRESS, NO_SCRATCH_BASE)),
)
BUFFER_FORMS: tuple[tuple[str, OperandSpec, Modifiers], ...] = (
    ("", NO_ADDRESS, ()),
    ("offen", OFFSET32, (OFFEN,)),
    ("idxen", OFFSET32, (IDXEN,)),
    ("bothen", u("vaddr", V, "b64"), (IDXEN, OFFEN)),
)
# names of loads: RDNA's, CDNA's, type, bytes
LOADS = (
    ("u8", "ubyte", "b32", 1), ("i8", "sbyte", "b32", 1), ("u16", "ushort", "b32", 2),
    ("i16", "sshort", "b32", 2), ("b32", "dword", "b32", 4), ("b64", "dwordx2", "b64", 8),
    ("b96", "dwordx3", "b96", 12), ("b128", "dwordx4", "b128", 16),
)  # fmt: skip
HALF_LOADS = (
    ("d16_u8", "ubyte_d16", 1), ("d16_hi_u8", "ubyte_d16_hi", 1), ("d16_i8", "sbyte_d16", 1),
    ("d16_hi_i8", "sbyte_d16_hi", 1), ("d16_b16", "short_d16", 2), ("d16_hi_b16", "short_d16_hi", 2),
)  # fmt: skip
STORES = (
    ("b8", "byte", "b32", 1), ("d16_hi_b8", "byte_d16_hi", "b32", 1), ("b16", "short", "b32", 2),
    ("d16_hi_b16", "short_d16_hi", "b32", 2), ("b32", "dword", "b32", 4), ("b64", "dwordx2", "b64", 8),
    ("b96", "dwordx3", "b96", 12), ("b128", "dwordx4", "b128", 16),
)  # fmt: skip
PREFIXES = ("global", "flat", "scratch")
Names = tuple[str, str]  # an instruction's own, and the operation's
P = ParamSpec("P")


def declared(
    generation: Generation, names: Names, make: Callable[Concatenate[Generation, Names, P], Iterator[Row]],
    *args: P.args, **kwargs: P.kwargs,
) -> Declaration:  # fmt: skip
    """An instruction of a generation."""
    return Declaration(
        names[0], partial(make, generation, names, *args, **kwargs), generation.targets, names[1]
    )


def memory(
    generation: Generation, names: Names, form: str, unit: Unit, operands: tuple[OperandSpec, ...],
    modifiers: Modifiers, size: int, traits: tuple[Trait, ...], is_load: bool,
    reads: tuple[Register, ...] = (),
) -> Row:  # fmt: skip
    """A vector memory instruction that moves `size` bytes for each lane; `names` are its own and the
    operation's."""
    event = Event.VMEM_LOAD if is_load else Event.VMEM_STORE
    events = (event, Event.FLAT_LDS) if unit is Unit.FLAT else (event,)
    return make(
        names[0], unit, operands, modifiers, reads=(EXEC, *reads), exec_mode=ExecMode.MASKED, events=events,
        traits=traits, memory_bytes=size, form=form, targets=generation.targets, operation=names[1],
    )  # fmt: skip


def address_forms(
    generation: Generation, prefix: str
) -> Iterator[tuple[str, Unit, tuple[OperandSpec, ...], ModifierSpec, tuple[Register, ...]]]:
    """The address operands of `global`, `flat` or `scratch`: form, unit, operands, offset, implicit reads."""
    if prefix == "flat":
        yield "", Unit.FLAT, (POINTER,), generation.flat, (FLAT_SCRATCH,)
    for form, operands in GLOBAL_FORMS if prefix == "global" else ():
        yield form, Unit.VMEM, operands, generation.signed, ()
    for form, operands in SCRATCH_FORMS if prefix == "scratch" else ():
        yield form, Unit.SCRATCH, operands, generation.signed, (FLAT_SCRATCH,)


def loads(
    generation: Generation, spelt: str, cdna: str, type_name: str, size: int, half: bool = False
) -> Iterator[Declaration]:
    """Loads of every kind; `half` keeps the other half of the destination."""
    for prefix in (*PREFIXES, "buffer"):
        names = f"{prefix}_load_{spelt}", f"{prefix}_load_{cdna}"
        yield declared(generation, names, load, prefix, type_name, size, half)


def load(
    generation: Generation, names: Names, prefix: str, type_name: str, size: int, half: bool
) -> Iterator[Row]:
    traits = (Trait.LOAD, Trait.HALF_WRITE) if half else (Trait.LOAD,)
    result, buffered = d("vdst", V, type_name), d("vdata", V, type_name)
    if prefix == "buffer":
        hidden = (tied("old", buffered),) if half else ()
        yield from buffer_forms(
            generation, names, buffered, size, traits, True, generation.load, hidden=hidden
        )
    for form, unit, address, displacement, reads in address_forms(generation, prefix):
        operands = (result, *address, *((tied("old", result),) if half else ()))
        yield memory(
            generation, names, form, unit, operands, (displacement, *generation.load), size, traits, True,
            reads,
        )  # fmt: skip


def stores(generation: Generation, spelt: str, cdna: str, type_name: str, size: int) -> Iterator[Declaration]:
    for prefix in (*PREFIXES, "buffer"):
        names = f"{prefix}_store_{spelt}", f"{prefix}_store_{cdna}"
        yield declared(generation, names, store, prefix, type_name, size)


def store(generation: Generation, names: Names, prefix: str, type_name: str, size: int) -> Iterator[Row]:
    data, traits = u("vdata", V, type_name), (Trait.STORE, Trait.SIDE_EFFECT)
    if prefix == "buffer":
        yield from buffer_forms(generation, names, data, size, traits, False, generation.store)
    for form, unit, address, displacement, reads in address_forms(generation, prefix):
        operands = (address[0], data, *address[1:])
        yield memory(
            generation, names, form, unit, operands, (displacement, *generation.store), size, traits, False,
            reads,
        )  # fmt: skip


def buffer_forms(
    generation: Generation, names: Names, data: OperandSpec, size: int, traits: tuple[Trait, ...],
    is_load: bool, cache: Modifiers, form_end: str = "", hidden: tuple[OperandSpec, ...] = (),
) -> Iterator[Row]:  # fmt: skip
    scalar_offset = u("soffset", generation.soffset, "u32")
    for form, address, enables in BUFFER_FORMS:
        operands, modifiers = (
            (data, address, RESOURCE, scalar_offset, *hidden),
            (*enables, generation.buffer, *cache),
        )
        yield memory(
            generation, names, f"{form} {form_end}".strip(), Unit.VMEM, operands, modifiers, size, traits,
            is_load,
        )  # fmt: skip


def atomics(
    generation: Generation, prefixes: str, spelt: str, cdna: str, type_name: str, result: str = "",
) -> Iterator[Declaration]:  # fmt: skip
    """Atomics without and with a result; a compare-and-swap takes the new value and the compared value in a
    tuple."""
    for prefix in prefixes.split():
        names = f"{prefix}_atomic_{spelt}", f"{prefix}_atomic_{cdna}"
        yield declared(generation, names, atomic, prefix, type_name, result or type_name)


def atomic(generation: Generation, names: Names, prefix: str, type_name: str, result: str) -> Iterator[Row]:
    if prefix == "buffer":
        yield from buffer_atomic(generation, names, type_name)
    size, traits = BITS[type_name] // 8, (Trait.ATOMIC, Trait.SIDE_EFFECT)
    data, old = u("vdata", V, type_name), d("vdst", V, result)
    for form, unit, address, displacement, reads in address_forms(generation, prefix):
        operands, modifiers = (address[0], data, *address[1:]), (displacement, *generation.atomic)
        yield memory(generation, names, form, unit, operands, modifiers, size, traits, False, reads)
        operands, modifiers = (old, address[0], data, *address[1:]), (displacement, *generation.returning)
        yield memory(
            generation, names, f"{form} return".strip(), unit, operands, modifiers, size, traits, True, reads
        )


def buffer_atomic(generation: Generation, names: Names, type_name: str) -> Iterator[Row]:
    """Buffer atomics; the returned value takes the place of the data."""
    size, traits = BITS[type_name] // 8, (Trait.ATOMIC, Trait.SIDE_EFFECT)
    old = d("vdata", V, type_name)
    yield from buffer_forms(
        generation, names, u("vdata", V, type_name), size, traits, False, generation.atomic
    )
    yield from buffer_forms(
        generation, names, old, size, traits, True, generation.returning, "return", (tied("data", old),)
    )


EVERY = "global flat buffer"


def integer_atomics(generation: Generation) -> Iterator[Declaration]:
    for spelt, cdna, kind in (
        ("swap", "swap", "b"), ("add", "add", "u"), ("sub", "sub", "u"), ("min", "smin", "i"),
        ("min", "umin", "u"), ("max", "smax", "i"), ("max", "umax", "u"), ("and", "and", "b"),
        ("or", "or", "b"), ("xor", "xor", "b"), ("inc", "inc", "u"), ("dec", "dec", "u"),
    ):  # fmt: skip
        for suffix, width in (("", "32"), ("_x2", "64")):
            yield from atomics(generation, EVERY, f"{spelt}_{kind}{width}", cdna + suffix, kind + width)


def exchanges(generation: Generation) -> Iterator[Declaration]:
    yield from atomics(generation, EVERY, "cmpswap_b32", "cmpswap", "b64", "b32")
    yield from atomics(generation, EVERY, "cmpswap_b64", "cmpswap_x2", "b128", "b64")


def float_atomics() -> Iterator[Declaration]:
    for generation in BOTH:
        yield from atomics(generation, EVERY, "add_f32", "add_f32", "f32")
    for which in ("min", "max"):
        yield from atomics(_RDNA3, EVERY, f"{which}_f32", f"{which}_f32", "f32")
        for declaration in atomics(_RDNA4, EVERY, f"{which}_num_f32", f"{which}_f32", "f32"):
            # minNum and maxNum, which differ in NaNs and zeros
            yield declaration.changed(lambda row: replace(row, semantics=row.name))
    yield from atomics(_RDNA3, EVERY, "cmpswap_f32", "cmpswap_f32", "f32x2", "f32")
    yield from atomics(_RDNA4, EVERY, "pk_add_f16", "pk_add_f16", "f16x2")
    yield from atomics(_RDNA4, EVERY, "pk_add_bf16", "pk_add_bf16", "bf16x2")


def subtractions() -> Iterator[Declaration]:
    """Subtraction that stops at zero, and subtraction that is skipped if it would go below."""
    yield from atomics(_RDNA3, "global buffer", "csub_u32", "sub_clamp_u32", "u32")
    yield from atomics(_RDNA4, EVERY, "sub_clamp_u32", "sub_clamp_u32", "u32")
    yield from atomics(_RDNA4, EVERY, "cond_sub_u32", "cond_sub_u32", "u32")


def transposing() -> Iterator[Row]:
    """Loads that transpose a matrix of 8-bit (b64) or 16-bit (b128) elements among the lanes. A lane of a
    wave of 64 has half as many elements as a lane of a wave of 32."""
    for bits in (64, 128):
        for lanes, share in ((32, bits), (64, bits // 2)):
            for form, unit, address, displacement, reads in address_forms(_RDNA4, "global"):
                name, operands = f"global_load_tr_b{bits}", (d("vdst", V, f"b{share}"), *address)
                traits = (Trait.LOAD, Trait.CROSS_LANE)
                row = memory(
                    _RDNA4, (name, name), form, unit, operands, (displacement, *_RDNA4.load), share // 8,
                    traits, True, reads,
                )  # fmt: skip
                yield replace(row, waves=frozenset({lanes}))


def cache_control(name: str, generation: Generation, event: Event | None, modifiers: Modifiers = ()) -> Row:
    """An invalidation counts as a load, a write-back as a store; RDNA3's invalidations do not count, and come
    after the loads."""
    traits = (
        (Trait.CACHE, Trait.SIDE_EFFECT) if event else (Trait.CACHE, Trait.AFTER_LOADS, Trait.SIDE_EFFECT)
    )
    return make(
        name, Unit.VMEM, (), modifiers, events=() if event is None else (event,), traits=traits,
        targets=generation.targets, semantics="buffer_inv",
    )  # fmt: skip


def _every() -> Iterator[Declaration]:
    for generation in BOTH:
        for spelt, cdna, type_name, size in LOADS:
            yield from loads(generation, spelt, cdna, type_name, size)
        for spelt, cdna, size in HALF_LOADS:
            yield from loads(generation, spelt, cdna, "b32", size, half=True)
        for spelt, cdna, type_name, size in STORES:
            yield from stores(generation, spelt, cdna, type_name, size)
        yield from integer_atomics(generation)
        yield from exchanges(generation)
    yield from float_atomics()
    yield from subtractions()


ROWS: tuple[Declared, ...] = (
    *_every(),
    *transposing(),
    cache_control("buffer_gl0_inv", _RDNA3, None),
    cache_control("buffer_gl1_inv", _RDNA3, None),
    cache_control("global_inv", _RDNA4, Event.VMEM_LOAD, (SCOPE,)),
    cache_control("global_wb", _RDNA4, Event.VMEM_STORE, (SCOPE,)),
    cache_control("global_wbinv", _RDNA4, Event.VMEM_STORE, (SCOPE,)),
)
