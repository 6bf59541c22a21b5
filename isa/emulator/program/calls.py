"""Addresses of functions: the program counter plus a distance, which text spells as a symbol.

`s_getpc_b64 s[4:5]`, then `s_add_u32 s4, s4, f@rel32@lo+4` and `s_addc_u32 s5, s5, f@rel32@hi+12`: the
addends make up for the bytes between the counter and the two literals, so the sum of each pair is the address
of `f`.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from isa.diagnostics import InputError, Place
from isa.emulator.program.code import Code
from isa.instruction import Instr
from isa.objects.descriptor import Descriptor
from isa.semantics.control import CONTROLS, Control

_DISTANCE = re.compile(r"([A-Za-z_.$][\w.$]*)@(\w+)(?:@(lo|hi))?(?:\s*[+-]\s*\w+)?")
_DESTINATION = re.compile(r"\S+\s+s(\d+)\b")


def with_distances(text: str, code: Code, place: Place) -> str:
    """An instruction with numbers in place of `f@rel32@lo+N`; the code before it is decoded, and all labels
    are known.

    Raises InputError EMU018 if the symbol is not a function of the text, or if no s_getpc_b64 of that
    register comes before.
    """
    match = _DISTANCE.search(text)
    if match is None:
        return text
    symbol, relocation, part = match.groups()
    if relocation != "rel32" or part is None or symbol not in code.labels:
        raise InputError(
            place, "EMU018",
            f"got {match.group(0)}, wanted NAME@rel32@lo or @hi of a function in the same file",
            help="link it to a code object, which has its data and the distances to it",
        )  # fmt: skip
    distance = code.address(code.labels[symbol]) - _counter(text, code, place)
    value = distance >> (32 if part == "hi" else 0) & 0xFFFFFFFF
    return f"{text[: match.start()]}{value:#x}{text[match.end() :]}"


def with_some_distance(text: str, _code: Code, _place: Place) -> str:
    """An instruction with a number in place of a symbol's address or distance, for code that is not run."""
    return _DISTANCE.sub("0x7fffffff", text) if "@" in text else text


def _counter(text: str, code: Code, place: Place) -> int:
    """The value of the register before the distance is added, from the nearest s_getpc_b64 before."""
    destination = _DESTINATION.match(text.strip())
    unit = int(destination.group(1)) if destination else -1
    for index in range(len(code.operations) - 1, -1, -1):
        operation = code.operations[index]
        if (
            isinstance(operation, Instr)
            and reads_counter(operation)
            and any(unit in register.units for register in operation.defined())
        ):
            return code.following(index)
    raise InputError(
        place, "EMU018", f"got {text.strip()!r}, wanted an s_getpc_b64 before it that writes its destination"
    )


def deepening(descriptor: Descriptor, functions: list[Instr]) -> Descriptor:
    """The descriptor of a kernel that can call these functions. If they call functions too, they may be
    recursive, which clang's stack size does not cover."""
    calls = any(CONTROLS.get(instr.row.semantics) in (Control.SWAP_PC, Control.CALL) for instr in functions)
    return replace(descriptor, dynamic_stack=descriptor.dynamic_stack or calls)


def reads_counter(instr: Instr) -> bool:
    """Whether the instruction gives its own place to a register, so that other code and data can be reached
    from it."""
    return CONTROLS.get(instr.row.semantics) in (Control.GET_PC, Control.CALL)
