"""Makes the opcode tables of `isa/binary/opcodes` from llvm-mc's output.

`python -m tools.opcodes` assembles samples of every row for every target, finds the format with fields that
give LLVM's bytes, extracts the opcode, and writes the table of each family. It lists the rows that fit no
format, and then fails. `--family cdna` does only that family; `--target gfx942` prints the count for that
target and writes nothing.
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
from isa.text.printing import format_instr
from tests.unit.isa.samples import samples

_WIDTH = 110
_INDENT = 8 * " "
_ENCODING = re.compile(r"encoding: \[([0-9a-fx,A']*)\]")
_FOLDER = Path(__file__).parent.parent / "isa" / "binary" / "opcodes"
_MOST_SAMPLES = 6  # of a row: the plain form, and others that use other fields

Opcodes = dict[tuple[str, str], int]  # list and name of a row to its opcode


def encodings(texts: Sequence[str], target: Target, features: tuple[str, ...]) -> list[bytes | None]:
    """llvm-mc's bytes of each text, None if llvm-mc refuses it; a branch goes to itself."""
    command = ["llvm-mc-22", "-triple=amdgcn-amd-amdhsa", f"-mcpu={target.name}", "--show-encoding"]
    if len(target.wave_sizes) > 1:
        features = (f"+wavefrontsize{target.wave_size}", *features)
    if features:
        command.append(f"-mattr={','.join(features)}")
    source = "".join(f".Lq{i}:\n{text}\n" for i, text in enumerate(texts))
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    codes: list[bytes | None] = [None] * len(texts)
    current = -1
    for line in done.stdout.splitlines():
        if label := re.match(r"\.Lq(\d+):", line):
            current = int(label[1])
        elif encoding := _ENCODING.search(line):
            parts = (part if part.startswith("0x") else "0" for part in encoding[1].split(","))
            codes[current] = bytes(int(part.replace("A", "0").replace("'", ""), 16) for part in parts)
    return codes


def chosen_samples(row: Row) -> list[Instr]:
    """A few samples of a row without labels, spread over the varied fields."""
    plain = [
        instr for instr in samples(row) if not any(isinstance(operand, Label) for operand in instr.operands)
    ]
    return (
        plain
        if len(plain) <= _MOST_SAMPLES
        else [plain[i * (len(plain) - 1) // (_MOST_SAMPLES - 1)] for i in range(_MOST_SAMPLES)]
    )


def opcodes(target: Target, formats: tuple[Format, ...]) -> tuple[Opcodes, list[str]]:
    """The opcodes of a target's rows, and the rows without an opcode, with the reason."""
    entered: Opcodes = {}
    unsettled: list[str] = []
    for lanes in target.wave_sizes:
        machine = with_wave_size(target, lanes)
        unsettled += _enter(table_of(machine), machine, (), formats, entered)
        halves = table_of(machine).halves
        if halves is not None:
            unsettled += _enter(halves, machine, ("+real-true16",), formats, entered)
    return entered, unsettled


def _enter(
    table: RowTable, machine: Target, features: tuple[str, ...], formats: tuple[Format, ...], entered: Opcodes
) -> Iterator[str]:
    """Enter the opcodes of a table's rows. Yields the rows without an opcode, with the reason."""
    picked = {row: chosen_samples(row) for row in table.rows}
    texts = list(dict.fromkeys(format_instr(instr) for instrs in picked.values() for instr in instrs))
    codes = dict(zip(texts, encodings(texts, machine, features), strict=True))
    for row, instrs in picked.items():
        judged = [(instr, code) for instr in instrs if (code := codes[format_instr(instr)]) is not None]
        why = settle(row, judged, formats, entered) if judged else "llvm-mc refuses all of its samples"
        if why:
            yield f"{machine.name} {row.mnemonic} {row.form}: {why}"


def settle(row: Row, judged: list[tuple[Instr, bytes]], formats: tuple[Format, ...], entered: Opcodes) -> str:
    """Enter the opcode of a row by the formats that give LLVM's bytes for its samples, the best format first.
    Returns the reason if that fails, otherwise an empty text."""
    left = list(judged)
    for layout, opcode, given in sorted(suited(row, judged, formats), key=lambda choice: -len(choice[2])):
        if not any(pair in left for pair in given):
            continue
        if entered.setdefault((layout.opcodes, row.name), opcode) != opcode:
            return f"two opcodes in {layout.opcodes}: {entered[layout.opcodes, row.name]} and {opcode}"
        left = [pair for pair in left if pair not in given]
    return "" if not left else f"no format gives {left[0][1].hex(' ')} for {format_instr(left[0][0])}"


def suited(
    row: Row, judged: list[tuple[Instr, bytes]], formats: tuple[Format, ...]
) -> Iterator[tuple[Format, int, list[tuple[Instr, bytes]]]]:
    """Each format with an opcode that gives LLVM's bytes for some samples of a row, and these samples.
    Formats with the most fixed bits come first."""
    for layout in sorted(formats, key=lambda layout: -layout.mask.bit_count()):
        if row.encoding not in layout.encodings:
            continue
        for opcode in sorted(
            {opcode for _, code in judged if (opcode := read_opcode(layout, code)) is not None}
        ):
            if given := [pair for pair in judged if gives(layout, row, opcode, *pair)]:
                yield layout, opcode, given


def read_opcode(layout: Format, code: bytes) -> int | None:
    """The opcode of the bytes, or None if they do not have this format."""
    bits = int.from_bytes(code, "little")
    if len(code) < layout.size or bits & layout.mask != layout.value:
        return None
    return take(bits, layout.opcode)


def gives(layout: Format, row: Row, opcode: int, instr: Instr, code: bytes) -> bool:
    """True if the format encodes the instruction as these bytes."""
    plan = plan_for(row, layout, opcode)
    if plan is None or any(name in plan.unplaced for name, _ in instr.modifiers):
        return False
    try:
        return encoded(plan, instr) == code
    except InternalError:
        return False


def merged(by_target: dict[str, Opcodes]) -> Table:
    """A table for several targets; common opcodes are entered once."""
    targets_of: dict[tuple[str, str, int], list[str]] = {}
    for target, entered in by_target.items():
        for (listed, name), opcode in entered.items():
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
    """The entries as lines; a name and its number stay together."""
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
        "--target", choices=sorted(TARGETS), help="print the count for this target, and write nothing"
    )
    given = parser.parse_args(arguments)
    unsettled: list[str] = []
    for family in given.family or ("cdna", "rdna"):
        formats: dict[str, tuple[Format, ...]] = import_module(f"isa.binary.{family}").FORMATS
        targets: Iterable[Target] = [
            target
            for target in TARGETS.values()
            if target.family == family and given.target in (None, target.name)
        ]
        by_target: dict[str, Opcodes] = {}
        for target in targets:
            by_target[target.name], problems = opcodes(target, formats[target.generation])
            unsettled += problems
        if given.target is None:
            (_FOLDER / f"{family}.py").write_text(written(merged(by_target), family))
        counts = ", ".join(f"{name} {len(each)} opcodes" for name, each in by_target.items())
        print(f"{family}: {counts}")
    for line in unsettled:
        print(line, file=sys.stderr)
    return 1 if unsettled else 0


if __name__ == "__main__":
    sys.exit(main())
