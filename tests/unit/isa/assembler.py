"""llvm-mc as the judge of instruction text: one batch in, per line what LLVM prints back, or why it refuses."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from typing import NamedTuple

from isa.target import Target
from isa.targets import parse_target

_LABEL = re.compile(r"\.Lq(\d+):")
_ERROR = re.compile(r"<stdin>:(\d+):\d+: error: (.*)")


class Assembled(NamedTuple):
    """LLVM's view of one line: its text; or why it was refused."""

    text: str
    error: str = ""


def features_of(target: Target) -> str:
    """Options of llvm-mc beside the processor's name: the wave size, if there is a choice."""
    return f"+wavefrontsize{target.wave_size}" if len(target.wave_sizes) > 1 else ""


def assemble_lines(lines: Sequence[str], machine: str = "gfx942", features: Sequence[str] = ()) -> list[Assembled]:
    """Assemble each line by itself with llvm-mc-22 for the machine of a target id (`gfx942`, `gfx1100:wave64`), with further features of it."""
    target = parse_target(machine).target
    command = ["llvm-mc-22", "-triple=amdgcn-amd-amdhsa", f"-mcpu={target.name}", f"-mattr={','.join((features_of(target), *features))}"]
    source = "".join(f".Lq{i}:\n{line}\n" for i, line in enumerate(lines))
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    errors = {(int(number) - 2) // 2: message for number, message in _ERROR.findall(done.stderr)}
    texts: dict[int, str] = {}
    current = -1
    for line in done.stdout.splitlines():
        if label := _LABEL.match(line):
            current = int(label.group(1))
        elif current not in texts:
            texts[current] = line.split(";")[0].strip()
    return [_read(texts.get(i, ""), errors.get(i, "")) for i in range(len(lines))]


def _read(text: str, error: str) -> Assembled:
    return Assembled("", error or "nothing was assembled") if error or not text else Assembled(text)
