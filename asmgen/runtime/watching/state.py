"""Registers, LDS and memory as `--dump` names them: `v3,s[2:3],v[4:5]:f64,lds[0:64],mem[arg0+16:32]`.

Brackets after `lds` and `mem` have a start and a number of bytes. A type after an item says how its bits are
written; without a type, words are written in hexadecimal, registers as a trace writes them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.types import ELEMENT_TYPES, NumberKind
from asmgen.runtime.watching.columns import side_by_side
from asmgen.runtime.watching.fields import TextStyle, Words
from asmgen.runtime.watching.trace_lines import short_name
from isa.diagnostics import InputError, nearest_names
from isa.emulator.state.global_memory import Memory, MemoryRange
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Waves
from isa.registers import MODE, Register
from isa.text.operands import parse_register

_ITEM = re.compile(r"(?P<what>[^\[\]:]+(?:\[[^\]]*\])?)(?::(?P<type>\w+))?\Z")
_BYTES = re.compile(r"(?P<space>lds|mem)\[(?P<start>[^:\]]+):(?P<size>[^:\]]+)\]\Z")
_NUMBER = re.compile(r"0x[0-9a-fA-F]{1,16}|\d{1,18}\Z")
_WORDS_A_LINE = 8
_EXAMPLE = "wanted items such as v3,s[2:3],vcc,v[4:5]:f64,lds[0:64],mem[arg0+16:32]"


class RegisterItem(Struct, frozen=True):
    text: str
    register: Register
    dtype: np.dtype[Any] | None


class BytesItem(Struct, frozen=True):
    """`size` bytes of LDS (`base` is "") or of a buffer, from byte `start` on."""

    text: str
    base: str
    start: int
    size: int
    dtype: np.dtype[Any] | None


Item = RegisterItem | BytesItem


def parse_items(option: str, text: str) -> tuple[Item, ...]:
    """Raises InputError WAT005 at the option."""
    parts = re.split(r",(?![^\[]*\])", text)
    return tuple(_item(f"{option} {text}", part.strip()) for part in parts)


def _item(place: str, text: str) -> Item:
    match = _ITEM.match(text)
    if match is None:
        raise InputError(place, "WAT005", f"got {text!r}, {_EXAMPLE}")
    dtype = _type(place, match["type"])
    if (region := _BYTES.match(match["what"])) is not None:
        return _bytes(place, text, region, dtype)
    register = parse_register(match["what"])
    if register is None:
        raise InputError(place, "WAT005", f"{match['what']!r} is not a register, {_EXAMPLE}")
    if dtype is not None and 4 * register.count % dtype.itemsize:
        wanted = f"wanted a multiple of the {dtype.itemsize} of its type"
        message = f"{register} has {4 * register.count} bytes, {wanted}"
        raise InputError(place, "WAT005", message)
    return RegisterItem(text, register, dtype)


def _type(place: str, name: str | None) -> np.dtype[Any] | None:
    if name is None:
        return None
    element = ELEMENT_TYPES.get(name)
    if element is None or element.kind is NumberKind.BOOL:
        wanted = nearest_names(name, ELEMENT_TYPES)
        raise InputError(place, "WAT005", f"{name!r} is not a type, wanted {wanted}")
    return numpy_dtype(element)


def _bytes(place: str, text: str, match: re.Match[str], dtype: np.dtype[Any] | None) -> BytesItem:
    base, plus, offset = match["start"].partition("+")
    if match["space"] == "lds" or _NUMBER.match(base):
        base, offset = ("", match["start"]) if match["space"] == "lds" else (base, offset if plus else "0")
    elif not plus:
        offset = "0"
    if (
        not _NUMBER.match(offset)
        or not _NUMBER.match(match["size"])
        or (match["space"] == "mem" and not base)
    ):
        wanted = "lds[START:BYTES]" if match["space"] == "lds" else "mem[argN+START:BYTES]"
        raise InputError(place, "WAT005", f"got {text!r}, wanted {wanted}")
    start, size = int(offset, 0), int(match["size"], 0)
    if dtype is not None and size % dtype.itemsize:
        raise InputError(
            place, "WAT005", f"{size} bytes, wanted a multiple of the {dtype.itemsize} of the type"
        )
    return BytesItem(text, base, start, size, dtype)


def every_register(layout: RegisterLayout, registers: Sequence[Register]) -> tuple[Item, ...]:
    """These registers unit by unit, those that the kernel has."""
    units = sorted({unit for register in registers for unit in register.units if layout.has(Register(unit))})
    return tuple(RegisterItem(str(Register(unit)), Register(unit), None) for unit in units)


def check_items(
    place: str, items: Sequence[Item], layout: RegisterLayout, memory: Memory, lds_bytes: int
) -> None:
    """Raises InputError WAT006 for a register or bytes that the launch does not have."""
    for item in items:
        if isinstance(item, RegisterItem):
            if not layout.has(item.register):
                raise InputError(
                    place,
                    "WAT006",
                    f"the kernel has no {item.register}, wanted a register that its descriptor declares",
                )
            continue
        size, what = (lds_bytes, "LDS") if not item.base else _region_size(place, item, memory)
        if item.start + item.size > size:
            wanted = f"wanted at most the {size} bytes of {what}"
            message = f"{item.text} ends at byte {item.start + item.size}, {wanted}"
            raise InputError(place, "WAT006", message)


def _region_size(place: str, item: BytesItem, memory: Memory) -> tuple[int, str]:
    region = _region(item, memory)
    if region is None:
        known = [short_name(each.name) for each in memory.regions]
        raise InputError(place, "WAT006", f"no buffer {item.base}, wanted {nearest_names(item.base, known)}")
    return region.size - _within(item, region), region.name


def _region(item: BytesItem, memory: Memory) -> MemoryRange | None:
    """The buffer of an item: by its short name, by the name of its argument, or by an address."""
    if _NUMBER.match(item.base):
        address = int(item.base, 0)
        return memory.find(address, address)
    for region in memory.regions:
        if item.base in (short_name(region.name), region.name.partition("(")[2].rstrip(")")):
            return region
    return None


def _within(item: BytesItem, region: MemoryRange) -> int:
    return int(item.base, 0) - region.address if _NUMBER.match(item.base) else 0


def shown(item: Item, w: Waves, layout: RegisterLayout, wave: int) -> list[str]:
    """The lines of an item in a wave of the group."""
    if isinstance(item, RegisterItem):
        return _register_lines(item, w, layout, wave)
    if not item.base:
        content = w.lds[w.workgroup[w.indexes[wave]]]
        return _bytes_lines(item, "lds", content[item.start : item.start + item.size])
    region = _region(item, w.memory)
    assert region is not None, "check_items found it"
    start = _within(item, region) + item.start
    return _bytes_lines(item, f"mem {item.base}", w.memory.content(region)[start : start + item.size])


def _register_lines(item: RegisterItem, w: Waves, layout: RegisterLayout, wave: int) -> list[str]:
    words = np.stack([_words(unit, w, layout, wave) for unit in item.register.units], axis=1)
    if item.dtype is None:
        return [
            _word_line(str(Register(unit)), words[:, place][None, :])
            for place, unit in enumerate(item.register.units)
        ]
    values = np.ascontiguousarray(words).view(item.dtype)
    lanes = [_values_text(row) for row in (values[:1] if (words == words[0]).all() else values)]
    return [f"{item.text}={lanes[0]}" if len(lanes) == 1 else f"{item.text}=[{' '.join(lanes)}]"]


def _values_text(row: NDArray[Any]) -> str:
    return ",".join(str(value) for value in row)


def _word_line(name: str, words: NDArray[np.uint32]) -> str:
    style, field = TextStyle(), Words(words, np.ones(words.shape, np.bool_))
    parts = style.shown(int(style.keys(field)[0]), field)
    return f"{name}={side_by_side(1, parts).tobytes().decode()}"


def _words(unit: int, w: Waves, layout: RegisterLayout, wave: int) -> NDArray[np.uint32]:
    """A register in a wave: a word for each lane, or a single word."""
    if unit in MODE.units:
        return w.mode_bits[w.indexes[wave : wave + 1]]
    if layout.is_vector(Register(unit)):
        return np.array(w.rows[layout.row(unit)][wave])
    return np.atleast_1d(w.scalars[layout.place(unit)])[wave : wave + 1]


def _bytes_lines(item: BytesItem, name: str, content: NDArray[np.uint8]) -> list[str]:
    """Lines of eight words, or of as many values of a type, each after the offset of its first byte."""
    if item.dtype is not None:
        values = [str(value) for value in content.view(item.dtype)]
        each = item.dtype.itemsize
    else:
        whole = len(content) // 4 * 4
        values = [f"{word:08x}" for word in content[:whole].copy().view(np.uint32).tolist()]
        values += [f"{byte:02x}" for byte in content[whole:].tolist()]
        each = 4
    return [
        f"{name}+{item.start + each * first:#06x}: {' '.join(values[first : first + _WORDS_A_LINE])}"
        for first in range(0, len(values), _WORDS_A_LINE)
    ]
