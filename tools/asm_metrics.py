"""Static figures of one kernel: `python -m tools.asm_metrics FILE(.s|code object) TARGET [--kernel NAME]
[--no-mca]` prints JSON.

The measure is the one that tools/peers.json was taken with, so that any compiler's output is next to ours.
Counted are the instructions of the kernel's symbol, from the entry that preloading firmware takes where the
descriptor asks for it, to the last one that is not padding. Every instruction is classed by its row.
`tools.mca` says how one pass is priced. Needs LLVM's own tools.
"""

from __future__ import annotations

import argparse
import json
import re
import struct
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgpack
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import NoteSection, SymbolTableSection
from msgspec import Struct
from msgspec.structs import asdict

from asmgen.emission.assemble import assemble
from asmgen.emission.prologue import PROLOGUE_BYTES
from isa.diagnostics import InputError
from isa.instruction import Instr, Trait, Unit
from isa.table import Table, table_of
from isa.targets import TargetId, parse_target
from isa.text import parse_instr
from tools.mca import PricedLine, cycles, nop_states

OBJDUMP = "llvm-objdump-22"
_LINE = re.compile(r"\t(?P<text>\S.*?)\s*// (?P<address>[0-9A-F]{12}): ")
_UNITS = {
    Unit.SALU: "salu",
    Unit.SMEM: "smem",
    Unit.VALU: "valu",
    Unit.TRANS: "valu",
    Unit.MATRIX: "mma",
    Unit.VMEM: "vmem",
    Unit.FLAT: "vmem",
    Unit.SCRATCH: "vmem",
    Unit.LDS: "lds",
    Unit.BRANCH: "branch",
    Unit.CONTROL: "control",
}


class Metrics(Struct, frozen=True):
    """`vgpr` counts architectural VGPRs; `nop_states` the states that NOPs take; `mca_once` is llvm-mca's
    price of one pass."""

    kernel: str
    vgpr: int
    agpr: int
    sgpr: int
    lds_bytes: int
    spills: int
    instructions: int
    waits: int
    nop_states: int
    units: dict[str, int]
    mca_once: float | None = None


class _Line(PricedLine, frozen=True):
    """A disassembled instruction at its address."""

    address: int


def measure(data: bytes, target: TargetId, kernel: str = "", price: bool = True) -> Metrics:
    """The figures of a code object's kernel, of its first where none is named. Raises `InputError` for an
    unknown name."""
    elf = ELFFile(BytesIO(data))
    notes = _kernel_notes(elf)
    note = next((entry for entry in notes if kernel in ("", entry[".name"])), None)
    if note is None:
        raise InputError(
            "--kernel",
            "MET001",
            f"no kernel {kernel!r}, wanted one of {', '.join(entry['.name'] for entry in notes)}",
        )
    body = _body(elf, data, note[".name"], target)
    instrs = [line.instr for line in body]
    units = Counter(_UNITS[instr.row.unit] if instr else "other" for instr in instrs)
    agprs = note.get(".agpr_count", 0)
    return Metrics(
        kernel=note[".name"],
        vgpr=note[".vgpr_count"] - agprs,
        agpr=agprs,
        sgpr=note[".sgpr_count"],
        lds_bytes=note[".group_segment_fixed_size"],
        spills=note.get(".vgpr_spill_count", 0) + note.get(".sgpr_spill_count", 0),
        instructions=len(body),
        waits=sum(instr is not None and Trait.WAIT in instr.row.traits for instr in instrs),
        nop_states=sum(nop_states(instr) for instr in instrs),
        units=dict(sorted(units.items())),
        mca_once=cycles(body, target) if price else None,
    )


def _kernel_notes(elf: ELFFile) -> list[dict[str, Any]]:
    """The metadata map of every kernel (AMDGPUUsage, NT_AMDGPU_METADATA)."""
    for section in elf.iter_sections():
        if isinstance(section, NoteSection):
            for note in section.iter_notes():
                if note["n_name"] == "AMDGPU":
                    return _decoded(note["n_descdata"])["amdhsa.kernels"]
    return []


def _decoded(data: bytes) -> dict[str, Any]:
    return msgpack.unpackb(data)


def _symbol(elf: ELFFile, name: str) -> tuple[int, int, int]:
    """Address, size and section of a symbol."""
    for section in elf.iter_sections():
        if isinstance(section, SymbolTableSection):
            for symbol in section.get_symbol_by_name(name) or ():
                return symbol["st_value"], symbol["st_size"], symbol["st_shndx"]
    raise InputError(
        name, "MET002", "the object has no such symbol, wanted the kernel's and its descriptor's"
    )


def _preloads(elf: ELFFile, name: str) -> bool:
    """Whether the descriptor asks for preloaded arguments: KERNARG_PRELOAD_SPEC_LENGTH, the low bits of byte
    58."""
    address, _, index = _symbol(elf, f"{name}.kd")
    section = elf.get_section(index)
    (spec,) = struct.unpack_from("<H", section.data(), address - section["sh_addr"] + 58)
    return bool(spec & 0x7F)


def _body(elf: ELFFile, data: bytes, name: str, target: TargetId) -> list[_Line]:
    """The kernel's instructions, without the prologue for old firmware and without padding after the end."""
    start, size, _ = _symbol(elf, name)
    first = start + PROLOGUE_BYTES if target.target.preload and _preloads(elf, name) else start
    lines = [
        line
        for line in _disassemble(data, name, target)
        if first <= line.address < start + (size or len(data))
    ]
    while lines and lines[-1].instr is not None and Trait.NOP in lines[-1].instr.row.traits:
        lines.pop()
    return lines


def _disassemble(data: bytes, name: str, target: TargetId) -> list[_Line]:
    with TemporaryDirectory(prefix="asmgen-") as directory:
        path = Path(directory, "kernel.hsaco")
        path.write_bytes(data)
        command = [OBJDUMP, "-d", f"--mcpu={target.target.name}", f"--disassemble-symbols={name}", str(path)]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    table = table_of(target.target)
    return [
        _Line(found["text"], _parsed(found["text"], table), int(found["address"], 16))
        for found in _LINE.finditer(text)
    ]


def _parsed(text: str, table: Table) -> Instr | None:
    """The instruction, or None where no row reads it: other compilers' output may hold what asmgen never
    makes."""
    try:
        return parse_instr(text, table, "disassembly")
    except InputError:
        return None


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.asm_metrics", description="Static figures of one kernel, as JSON."
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("target")
    parser.add_argument("--kernel", default="")
    parser.add_argument("--no-mca", action="store_true")
    given = parser.parse_args(arguments)
    target = parse_target(given.target, "TARGET")
    data = given.file.read_bytes()
    if given.file.suffix == ".s":
        data = assemble(data.decode(), target, str(given.file))
    print(json.dumps(asdict(measure(data, target, given.kernel, not given.no_mca)), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
