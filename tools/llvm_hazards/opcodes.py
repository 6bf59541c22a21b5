"""LLVM 22.1's own description of its instructions, extracted once to `opcodes.json.gz`."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

_FILE = Path(__file__).with_name("opcodes.json.gz")


class Opcode(NamedTuple):
    """A code-generation opcode.

    `operands`: the number of explicit operands. `defines`: the number of them that are written, which come
    first. `reads`, `writes`: the implicit registers. `ties`: for each operand the define that shares its
    register, or -1.
    """

    operands: int
    defines: int
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    ties: tuple[int, ...]


@cache
def _data() -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
    with gzip.open(_FILE, "rt") as file:
        by_name, by_encoded = json.load(file)
    return by_name, by_encoded


@cache
def opcode(name: str) -> Opcode | None:
    """The opcode of this name, or None."""
    entry = _data()[0].get(name)
    if entry is None:
        return None
    return Opcode(entry["nops"], entry["ndef"], tuple(entry["iu"]), tuple(entry["id"]), tuple(entry["tied"]))


def flags(name: str) -> int:
    """LLVM's TSFlags of an opcode: a bit for each property of the instruction."""
    return int(_data()[0][name]["sf"])


@cache
def generating_opcodes(encoded: str) -> tuple[str, ...]:
    """The code-generation opcodes that are encoded as this opcode of the machine-code layer."""
    names = _data()[1].get(encoded)
    if names:
        return tuple(names)
    return (encoded,) if opcode(encoded) is not None else ()
