"""The opcode tables of `isa/binary/opcodes`, asked of llvm-mc.

`python -m tools.opcodes` assembles samples of every row for every target, finds the format whose fields give
LLVM's bytes, takes out the opcode and writes the table of each family. It lists the rows that no format
settles and fails where there is one. `--family cdna` does one family alone, `--target gfx942` says what it
finds and writes nothing.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from textwrap import wrap

from isa.binary.coder import encoded
from isa.binary.formats import Format, take
from isa.binary.opcodes import Table
from isa.binary.plan import plan_for
from isa.diagnostics import InternalError
from isa.instruction import Instr, Label, Row
from isa.table import Table as RowTable
from isa.table import table_of
from isa.target import Target
from isa.targets import TARGETS, with_wave_size
from isa.text import format_instr
from tests.unit.isa.samples import samples

_WIDTH = 110
_INDENT = 8 * " "
_ENCODING = re.compile(r"encoding: \[([0-9a-fx,A']*)\]")
_ERROR = re.compile(r"<stdin>:(\d+):\d+: error: (.*)")
_FOLDER = Path(__file__).parent.parent / "isa" / "binary" / "opcodes"
_MOST_SAMPLES = 6  # of a row: the plain one, and others that use other fields

Found = dict[tuple[str, str], int]  # list and name of a row to its opcode


def encodings(texts: Sequence[str], target: Target, features: tuple[str, ...]) -> list[bytes | None]:
    """The bytes of each text by llvm-mc, None where it refuses the text; a branch goes to itself."""
    command = ["llvm-mc-22", "-triple=amdgcn-amd-amdhsa", f"-mcpu={target.name}", "--show-encoding"]
    if len(target.wave_sizes) > 1:
        features = (f"+wavefrontsize{target.wave_size}", *features)
    if features:
        command.append(f"-mattr={','.join(features)}")
    source = "".join(f".Lq{i}:\n{text}\n" for i, text in enumerate(texts))
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    found: list[bytes | None] = [None] * len(texts)
    current = -1
    for line in done.stdout.splitlines():
        if label := re.match(r"\.Lq(\d+):", line):
            current = int(label[1])
        elif encoding := _ENCODING.search(line):
            parts = (part if part.startswith("0x") else "0" for part in encoding[1].split(","))
            found[current] = bytes(int(part.replace("A", "0").replace("'", ""), 16) for part in parts)
    return found


def chosen_samples(row: Row) -> list[Instr]:
    """A few samples of a row without labels, spread over what they vary."""
    plain = [
        instr for instr in samples(row) if not any(isinstance(operand, Label) for operand in instr.operands)
    ]
    return (
        plain
        if len(plain) <= _MOST_SAMPLES
        else [plain[i * (len(plain) - 1) // (_MOST_SAMPLES - 1)] for i in range(_MOST_SAMPLES)]
    )


def opcodes(target: Target, formats: tuple[Format, ...]) -> tuple[Found, list[str]]:
    """The opcodes of a target's rows, and the rows that were not settled, with the reason."""
    found: Found = {}
    unsettled: list[str] = []
    for lanes in target.wave_sizes:
        machine = with_wave_size(target, lanes)
        unsettled += _enter(table_of(machine), machine, (), formats, found)
        halves = table_of(machine).halves
        if halves is not None:
            unsettled += _enter(halves, machine, ("+real-true16",), formats, found)
    return found, unsettled


def _enter(
    table: RowTable, machine: Target, features: tuple[str, ...], formats: tuple[Format, ...], found: Found
) -> Iterator[str]:
    """Enter the opcodes of a table's rows; those that were not settled, with the reason."""
    picked = {row: chosen_samples(row) for row in table.rows}
    texts = list(dict.fromkeys(format_instr(instr) for instrs in picked.values() for instr in instrs))
    codes = dict(zip(texts, encodings(texts, machine, features), strict=True))
    for row, instrs in picked.items():
        judged = [(instr, code) for instr in instrs if (code := codes[format_instr(instr)]) is not None]
        why = settle(row, judged, formats, found) if judged else "llvm-mc takes none of its samples"
        if why:
            yield f"{machine.name} {row.mnemonic} {row.form}: {why}"


def settle(row: Row, judged: list[tuple[Instr, bytes]], formats: tuple[Format, ...], found: Found) -> str:
    """Enter the opcode of a row by the formats that give LLVM's bytes for its samples, those that give most
    first; why it cannot be, empty where it was."""
    left = list(judged)
    for layout, opcode, given in sorted(suited(row, judged, formats), key=lambda one: -len(one[2])):
        if not any(pair in left for pair in given):
            continue
        if found.setdefault((layout.opcodes, row.name), opcode) != opcode:
            return f"two opcodes in {layout.opcodes}: {found[layout.opcodes, row.name]} and {opcode}"
        left = [pair for pair in left if pair not in given]
    return "" if not left else f"no format gives {left[0][1].hex(' ')} for {format_instr(left[0][0])}"


def suited(
    row: Row, judged: list[tuple[Instr, bytes]], formats: tuple[Format, ...]
) -> Iterator[tuple[Format, int, list[tuple[Instr, bytes]]]]:
    """Each format with an opcode that gives LLVM's bytes for samples of a row, and these samples; formats
    told by most bits first."""
    for layout in sorted(formats, key=lambda layout: -layout.mask.bit_count()):
        if row.encoding not in layout.encodings:
            continue
        for opcode in sorted(
            {opcode for _, code in judged if (opcode := read_opcode(layout, code)) is not None}
        ):
            if given := [pair for pair in judged if gives(layout, row, opcode, *pair)]:
                yield layout, opcode, given


def read_opcode(layout: Format, code: bytes) -> int | None:
    """The opcode of bytes that are of a format, or None."""
    bits = int.from_bytes(code, "little")
    if len(code) < layout.size or bits & layout.mask != layout.value:
        return None
    return take(bits, layout.opcode)


def gives(layout: Format, row: Row, opcode: int, instr: Instr, code: bytes) -> bool:
    """Whether an instruction has these bytes in a format."""
    plan = plan_for(row, layout, opcode)
    if plan is None or any(name in plan.unplaced for name, _ in instr.modifiers):
        return False
    try:
        return encoded(plan, instr) == code
    except InternalError:
        return False


def merged(by_target: dict[str, Found]) -> Table:
    """One table of several targets: what they have alike is entered once."""
    targets_of: dict[tuple[str, str, int], list[str]] = {}
    for target, found in by_target.items():
        for (listed, name), opcode in found.items():
            targets_of.setdefault((listed, name, opcode), []).append(target)
    sections: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for (listed, name, opcode), targets in targets_of.items():
        sections.setdefault((listed, " ".join(targets)), []).append((opcode, name))
    return tuple(
        (targets, listed, ", ".join(f"{name} {opcode}" for opcode, name in sorted(entries)))
        for (listed, targets), entries in sorted(sections.items())
    )


def written(table: Table, family: str) -> str:
    """The source text of a family's table."""
    lines = [
        f'"""The opcodes of {family} by target and list. Made by `python -m tools.opcodes`."""',
        "",
        "TABLE = (",
    ]
    for targets, listed, entries in table:
        lines.append(f'    ("{targets}", "{listed}", """')
        lines += _broken(entries)
        lines.append('    """),')
    return "\n".join((*lines, ")  # fmt: skip", ""))


def _broken(entries: str) -> list[str]:
    """Entries in lines; a name and its number stay together."""
    lines = wrap(
        entries.replace(" ", "\0").replace(",\0", ", "),
        _WIDTH,
        initial_indent=_INDENT,
        subsequent_indent=_INDENT,
    )
    return [line.replace("\0", " ") for line in lines]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.opcodes", description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument("--family", choices=("cdna", "rdna"), action="append")
    parser.add_argument(
        "--target", choices=sorted(TARGETS), help="say what is found for one target, and write nothing"
    )
    given = parser.parse_args(arguments)
    unsettled: list[str] = []
    for family in given.family or ("cdna", "rdna"):
        formats: dict[str, tuple[Format, ...]] = import_module(f"isa.binary.{family}").FORMATS
        targets: Iterable[Target] = [
            one for one in TARGETS.values() if one.family == family and given.target in (None, one.name)
        ]
        by_target: dict[str, Found] = {}
        for target in targets:
            by_target[target.name], problems = opcodes(target, formats[target.name])
            unsettled += problems
        if given.target is None:
            (_FOLDER / f"{family}.py").write_text(written(merged(by_target), family))
        print(f"{family}: {', '.join(f'{name} {len(found)} opcodes' for name, found in by_target.items())}")
    for line in unsettled:
        print(line, file=sys.stderr)
    return 1 if unsettled else 0


if __name__ == "__main__":
    sys.exit(main())
