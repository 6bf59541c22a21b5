"""Lane controls: the lanes that a DPP operand reads, and the patterns of ds_swizzle_b32.

Source: CDNA3 ISA, section 4.5 (DPP, table of DPP_CTRL) and the DS_SWIZZLE_B32 description; RDNA3 ISA, section
7.6 (DPP8 and DPP16); the spellings are those of LLVM's AMDGPU operand syntax. Two families may spell an
encoding differently (0x150 is row_newbcast:0 and row_share:0), so callers pass the spellings of the family.
"""

from __future__ import annotations

import re
from functools import cache

from isa.constants import parse_integer

IDENTITY = 0xE4  # quad_perm:[0,1,2,3]
DPP8_IDENTITY = 0xFAC688  # dpp8:[0,1,2,3,4,5,6,7], three bits a lane

# spelling: (encoding at the smallest number, smallest number, largest number)
_NUMBERED = {
    "row_shl": (0x101, 1, 15),
    "row_shr": (0x111, 1, 15),
    "row_ror": (0x121, 1, 15),
    "wave_shl": (0x130, 1, 1),
    "wave_rol": (0x134, 1, 1),
    "wave_shr": (0x138, 1, 1),
    "wave_ror": (0x13C, 1, 1),
    "row_newbcast": (0x150, 0, 15),
    "row_share": (0x150, 0, 15),
    "row_xmask": (0x160, 0, 15),
}
_PLAIN = {"row_mirror": 0x140, "row_half_mirror": 0x141}
_BROADCAST = {15: 0x142, 31: 0x143}  # row_bcast
# Patterns are text here: `re` compiles each at its first use and keeps it, and most compiles use none.
_QUAD = r"quad_perm:\[([0-3]),([0-3]),([0-3]),([0-3])\]\Z"
CDNA_CONTROLS = (
    "quad_perm", "row_shl", "row_shr", "row_ror", "wave_shl", "wave_rol", "wave_shr", "wave_ror",
    "row_mirror", "row_half_mirror", "row_bcast", "row_newbcast",
)  # fmt: skip
RDNA_CONTROLS = (
    "quad_perm", "row_shl", "row_shr", "row_ror", "row_mirror", "row_half_mirror", "row_share", "row_xmask",
)  # fmt: skip
_DPP8 = r"dpp8:\[([0-7](?:,[0-7]){7})\]\Z"


def quad_perm(a: int, b: int, c: int, d: int) -> int:
    """The control under which lanes 0-3 of each quad read lanes a, b, c, d of it."""
    return a | b << 2 | c << 4 | d << 6


def control(name: str, number: int = 0) -> int:
    """The 9-bit encoding of `row_shr:4`, `row_bcast:15`, `row_mirror` and the like; ValueError if there is
    none."""
    if name in _PLAIN:
        return _PLAIN[name]
    if name == "row_bcast" and number in _BROADCAST:
        return _BROADCAST[number]
    if name in _NUMBERED:
        base, low, high = _NUMBERED[name]
        if low <= number <= high:
            return base + number - low
    raise ValueError(f"{name}:{number} is not a DPP control")


def row_broadcast(lane: int) -> int:
    """The control under which each lane reads lane `lane` of its row."""
    return control("row_share", lane)


@cache
def parse_control(text: str) -> int | None:
    """The encoding of a control's spelling, or None."""
    if text in _PLAIN:
        return _PLAIN[text]
    quad = re.match(_QUAD, text, re.ASCII)
    if quad:
        return quad_perm(*(int(digit) for digit in quad.groups()))
    name, _, spelt = text.partition(":")
    number = parse_integer(spelt)
    if number is None or (name not in _NUMBERED and name != "row_bcast"):
        return None
    try:
        return control(name, number)
    except ValueError:
        return None


@cache
def format_control(value: int, names: tuple[str, ...]) -> str | None:
    """The spelling of an encoding by these names, or None if no name covers it."""
    if 0 <= value <= 0xFF:
        return f"quad_perm:[{value & 3},{value >> 2 & 3},{value >> 4 & 3},{value >> 6}]"
    for name in names:
        if _PLAIN.get(name) == value:
            return name
        base, low, high = _NUMBERED.get(name, (0, 0, -1))
        if base <= value <= base + high - low:
            return f"{name}:{value - base + low}"
    broadcast = next(
        (number for number, base in _BROADCAST.items() if value == base and "row_bcast" in names), None
    )
    return None if broadcast is None else f"row_bcast:{broadcast}"


def dpp8(*lanes: int) -> int:
    """The selector under which the lanes of each group of eight read these lanes of it."""
    return sum(lane << 3 * i for i, lane in enumerate(lanes))


def dpp8_lanes(selector: int) -> tuple[int, ...]:
    """The lane of its group of eight that each lane reads."""
    return tuple(selector >> 3 * i & 7 for i in range(8))


@cache
def parse_dpp8(text: str) -> int | None:
    """The selector of `dpp8:[7,6,5,4,3,2,1,0]`, or None."""
    match = re.match(_DPP8, text, re.ASCII)
    return dpp8(*(int(lane) for lane in match[1].split(","))) if match else None


def format_dpp8(selector: int) -> str:
    return f"dpp8:[{','.join(map(str, dpp8_lanes(selector)))}]"


_BITS = 5
_LANES = 31
_QUAD_MODE, _ROTATE_MODE, _FFT_MODE = 0x8000, 0xC000, 0xE000


def format_swizzle(offset: int) -> str:
    """How LLVM spells the pattern of a ds_swizzle_b32 offset."""
    if offset >= _FFT_MODE:
        return f"swizzle(FFT,{offset & _LANES})"
    if offset >= _ROTATE_MODE:
        return f"swizzle(ROTATE,{offset >> 10 & 1},{offset >> 5 & _LANES})"
    if offset & 0xFF00 == _QUAD_MODE:
        return f"swizzle(QUAD_PERM,{offset & 3},{offset >> 2 & 3},{offset >> 4 & 3},{offset >> 6 & 3})"
    if offset >= _QUAD_MODE:
        return str(offset)
    keep, put, flip = offset & _LANES, offset >> 5 & _LANES, offset >> 10 & _LANES
    if keep == _LANES and not put and flip.bit_count() == 1:
        return f"swizzle(SWAP,{flip})"
    if keep == _LANES and not put and flip and not flip & (flip + 1):
        return f"swizzle(REVERSE,{flip + 1})"
    group = _LANES - keep + 1
    if group > 1 and not group & (group - 1) and put < group and not flip:
        return f"swizzle(BROADCAST,{group},{put})"
    return f'swizzle(BITMASK_PERM,"{_mask_letters(keep, put, flip)}")'


def _mask_letters(keep: int, put: int, flip: int) -> str:
    """A letter per lane-number bit, the highest first: it becomes 0, 1, is preserved or inverted."""
    from_zero, from_one = put ^ flip, ((_LANES & keep) | put) ^ flip
    letters = {(0, 0): "0", (1, 1): "1", (0, 1): "p", (1, 0): "i"}
    return "".join(letters[from_zero >> bit & 1, from_one >> bit & 1] for bit in reversed(range(_BITS)))


@cache
def parse_swizzle(text: str) -> int | None:
    """The offset of `swizzle(MODE,...)` or of a plain number, or None."""
    if not (text.startswith("swizzle(") and text.endswith(")")):
        return parse_integer(text)
    mode, *given = text[len("swizzle(") : -1].split(",")
    if mode == "BITMASK_PERM" and len(given) == 1:
        return _parse_mask(given[0].strip('"'))
    values = [value for element in given if (value := parse_integer(element)) is not None and value >= 0]
    if len(values) != len(given):
        return None
    if mode == "QUAD_PERM" and len(values) == 4 and max(values) < 4:
        return _QUAD_MODE | quad_perm(*values)
    if mode == "SWAP" and values in ([1], [2], [4], [8], [16]):
        return _LANES | values[0] << 10
    if mode == "REVERSE" and values in ([2], [4], [8], [16], [32]):
        return _LANES | (values[0] - 1) << 10
    if mode == "BROADCAST" and len(values) == 2 and values[0] in (2, 4, 8, 16, 32) and values[1] < values[0]:
        return (_LANES - values[0] + 1) | values[1] << 5
    if mode == "FFT" and len(values) == 1 and values[0] <= _LANES:
        return _FFT_MODE | values[0]
    if mode == "ROTATE" and len(values) == 2 and values[0] <= 1 and values[1] <= _LANES:
        return _ROTATE_MODE | values[0] << 10 | values[1] << 5
    return None


def _parse_mask(letters: str) -> int | None:
    if not re.fullmatch(r"[01pi]{5}", letters):
        return None
    keep = int("".join("1" if letter in "pi" else "0" for letter in letters), 2)
    put = int("".join("1" if letter == "1" else "0" for letter in letters), 2)
    flip = int("".join("1" if letter == "i" else "0" for letter in letters), 2)
    return keep | put << _BITS | flip << 2 * _BITS


def swizzle_exchange(mask: int) -> int:
    """The ds_swizzle_b32 offset with which a lane of a group of 32 reads the lane with the same number except
    for the bits of a mask."""
    return mask << 2 * _BITS | _LANES
