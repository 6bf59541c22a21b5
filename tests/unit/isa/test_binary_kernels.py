"""What clang compiles, decoded: each instruction of .text is what llvm-objdump reads, in its text but for the reasons listed."""

from __future__ import annotations

import pytest

from isa.binary import decode
from isa.diagnostics import Place
from isa.objects.elf import ElfObject
from isa.objects.kernels import object_kernel_names
from isa.table import table_named
from isa.text.printing import format_instr
from tests.rows import MACHINES
from tests.unit.isa.byte_corners import spells_it_otherwise
from tests.unit.isa.kernel_builds import SOURCES, compiled
from tests.unit.isa.machine_code import listing

pytestmark = [pytest.mark.broad, pytest.mark.needs_llvm("clang-22", "ld.lld-22", "llvm-objdump-22")]

FILES = tuple(sorted(path.stem for path in SOURCES.glob("*.cl")))
LEVELS = ("-O0", "-O1", "-O2", "-O3")


@pytest.mark.parametrize(("machine", "file"), [(machine, FILES[3 * i]) for i, machine in enumerate(MACHINES)])
def test_kernels_read_as_llvm_reads_them(machine: str, file: str) -> None:
    assert hold(machine, file, "-O2") > 0


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
def test_three_hundred_kernels_read_as_llvm_reads_them(machine: str) -> None:
    assert sum(hold(machine, file, level) for file in FILES for level in LEVELS) > 300


def hold(machine: str, file: str, level: str) -> int:
    """Compare the code of a file of kernels with what llvm-objdump reads; how many kernels it has."""
    code_object = compiled(file, level, False, machine)
    assert isinstance(code_object, bytes)
    table = table_named(machine)
    wrong: list[tuple[int, str, str]] = []
    lines = listing(code_object, machine)
    first, last = lines[0].address, lines[-1].address + lines[-1].size
    code = ElfObject(code_object, Place(file)).bytes_at(first, last - first)
    for line in lines:
        instr, size = decode(code, line.address - first, table)
        text = format_instr(instr)
        if size != line.size or (text != line.text and not spells_it_otherwise(line.text, instr, table)):
            wrong.append((line.address, text, line.text))
    assert wrong == []
    assert len(lines) > 50
    return len(object_kernel_names(code_object, file))
