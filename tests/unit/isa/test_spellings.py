"""Odd spellings of operands and modifiers, next to llvm-mc: what both read has the same bytes, and some
spellings that LLVM refuses are refused."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from isa.binary import encode
from isa.diagnostics import InputError
from isa.table import table_named
from isa.text.parsing import parse_instr
from isa.text.printing import format_instr
from tests.rows import MACHINES
from tests.unit.isa.machine_code import assembled_or_refused
from tests.unit.isa.samples import IN_ONE_PROCESS, samples

pytestmark = [pytest.mark.broad, IN_ONE_PROCESS, pytest.mark.needs_llvm("llvm-mc-22")]

COUNT = 600  # texts of a machine
# LLVM encodes literal floats of the first as f32, a slip, and takes the mask of the second as an f16, so 0x3c00 as 1.0
HALF_COMPARES = re.compile(r"s_cmp_\w+_f16|v_cmpx?_class_f16")
REFUSED_BY_LLVM = (
    "--v1", "|-v1|", "abs(neg(v1))", "neg(-v1)", "-neg(v1)", "1e-10", "1e40", "flat_scratch_lo", "flat_scratch_hi", "xnack_mask_lo", "xnack_mask_hi",
)  # fmt: skip
OPERANDS = (
    *REFUSED_BY_LLVM, "-|v1|", "neg(|v1|)", "-abs(v1)", "|-1.0|", "neg(-1.0)", "1.0", "-4.0", "0.15915494", "1e0", ".5", "3.14", "100.0",
    "0b101", "-0x1", "64", "65", "-16", "0xb800", "0x3c00", "0x3f800000", "0x3e22f983", "v[1]", "v[1:1]", "v[2:3]", "s[2:3]", "ttmp[0:1]",
    "vcc_hi", "exec_lo", "m0", "src_vccz", "src_scc",
)  # fmt: skip
MODIFIERS = (
    "bound_ctrl:0", "bound_ctrl:1", "fi:0", "fi:1", "row_mask:0", "bank_mask:5", "clamp", "mul:2", "div:2", "offset:-1", "op_sel:[0,1,0]",
    "op_sel_hi:[0,1]", "neg_lo:[1,0]", "quad_perm:[0,0,0,0]", "row_ror:3", "src0_sel:WORD_1", "nt", "slc", "sc1", "cbsz:1", "abid:3", "blgp:2", "lds",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("machine", MACHINES)
def test_odd_spellings_have_llvms_bytes(machine: str, seed: int) -> None:
    table = table_named(machine)
    texts = list(dict.fromkeys(drawn(machine, seed)))
    wrong: list[tuple[str, str, str]] = []
    for text, code in zip(texts, assembled_or_refused(texts, machine), strict=True):
        try:
            instr = parse_instr(text, table, text)
        except InputError:
            continue
        ours = encode(instr, table.target, 0)
        is_refused = code is None and any(each in re.split(r",?\s", text) for each in REFUSED_BY_LLVM)
        if is_refused or (code is not None and ours != code):
            wrong.append((text, ours.hex(" "), "refused" if code is None else code.hex(" ")))
    assert wrong == []


def drawn(machine: str, seed: int) -> Iterator[str]:
    """Samples of random rows, with another operand or a modifier more."""
    draw, rows = random.Random(seed), table_named(machine).rows
    for _ in range(COUNT):
        found = samples(draw.choice(rows))
        if not found or HALF_COMPARES.match(found[0].row.mnemonic):
            continue
        text = format_instr(draw.choice(found))
        mnemonic, _, rest = text.partition(" ")
        parts = re.split(r",\s*(?![^\[(]*[\])])", rest)
        if draw.random() < 0.3 or not rest:
            yield f"{text} {draw.choice(MODIFIERS)}"
            continue
        place = draw.randrange(len(parts))
        parts[place] = draw.choice(OPERANDS) + parts[place][len(parts[place].split(" ")[0]) :]
        yield f"{mnemonic} {', '.join(parts)}"
