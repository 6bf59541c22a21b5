"""llvm-mc as the judge of instruction text: one batch in, per line what LLVM prints back and its opcode."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from typing import NamedTuple

_LABEL = re.compile(r"\.Lq(\d+):")
_OPCODE = re.compile(r"<MCInst #\d+ (\w+)")
_OPERAND = re.compile(r"<MCOperand (Reg|Imm|Expr|DFPImm|SFPImm):?([^>]*)>")
_ERROR = re.compile(r"<stdin>:(\d+):\d+: error: (.*)")


class Assembled(NamedTuple):
    """LLVM's view of one line: its text, opcode and operands; or why it was refused."""

    text: str
    opcode: str = ""
    operands: tuple[tuple[str, str], ...] = ()
    error: str = ""


def assemble_lines(lines: Sequence[str], cpu: str = "gfx942") -> list[Assembled]:
    """Assemble each line by itself with llvm-mc-22 for `cpu`."""
    source = "".join(f".Lq{i}:\n{line}\n" for i, line in enumerate(lines))
    command = ["llvm-mc-22", "-triple=amdgcn-amd-amdhsa", f"-mcpu={cpu}", "--show-inst"]
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    errors = {(int(number) - 2) // 2: message for number, message in _ERROR.findall(done.stderr)}
    blocks: dict[int, list[str]] = {}
    current: list[str] = []
    for line in done.stdout.splitlines():
        label = _LABEL.match(line)
        if label:
            current = blocks.setdefault(int(label.group(1)), [])
        else:
            current.append(line)
    return [_read(blocks.get(i, []), errors.get(i, "")) for i in range(len(lines))]


def _read(block: list[str], error: str) -> Assembled:
    if error or not block:
        return Assembled("", error=error or "nothing was assembled")
    opcode = next((found.group(1) for line in block if (found := _OPCODE.search(line))), "")
    operands = tuple((kind, value) for line in block for kind, value in _OPERAND.findall(line))
    return Assembled(block[0].split(";")[0].strip(), opcode, operands)
