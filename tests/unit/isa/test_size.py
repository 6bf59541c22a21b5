"""How many bytes every row's samples take, as LLVM encodes them."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence

import pytest

from isa.instruction import Instr, Row
from isa.size import code_bytes
from isa.table import table_named
from isa.targets import parse_target
from isa.text.printing import format_instr
from tests.rows import MACHINES, rows_in_turn
from tests.unit.isa.assembler import features_of
from tests.unit.isa.samples import IN_ONE_PROCESS, samples

IN_EACH_ROW = 6


def encoded(texts: list[str], machine: str) -> list[int]:
    """How many bytes LLVM encodes each instruction in."""
    target = parse_target(machine).target
    command = ["llvm-mc-22", "-triple=amdgcn-amd-amdhsa", f"-mcpu={target.name}", f"-mattr={features_of(target)}", "--show-encoding"]
    done = subprocess.run(command, input="\n".join(texts), capture_output=True, text=True, check=True)
    return [found.count(",") + 1 for found in re.findall(r"encoding: \[([^\]]*)\]", done.stdout)]


@pytest.mark.broad
@IN_ONE_PROCESS
@pytest.mark.needs_llvm("llvm-mc-22")
@pytest.mark.parametrize("machine", MACHINES)
def test_every_row_takes_what_llvm_encodes(machine: str) -> None:
    """Each row on one of the machines that have it."""
    hold(machine, rows_in_turn(machine))


@pytest.mark.slow
@IN_ONE_PROCESS
@pytest.mark.needs_llvm("llvm-mc-22")
@pytest.mark.parametrize("machine", MACHINES)
def test_every_row_takes_what_llvm_encodes_on_each_machine(machine: str) -> None:
    hold(machine, table_named(machine).rows)


def hold(machine: str, rows: Sequence[Row]) -> None:
    instructions: list[Instr] = []
    for row in rows:
        found = samples(row)
        instructions += found[:: max(1, len(found) // IN_EACH_ROW)]
    sizes = encoded([format_instr(instr) for instr in instructions], machine)
    target = parse_target(machine).target
    ours = [code_bytes(instr, target) for instr in instructions]
    wrong = [(format_instr(instr), own, size) for instr, own, size in zip(instructions, ours, sizes, strict=True) if own != size]
    assert not wrong, (len(wrong), wrong[:8])
