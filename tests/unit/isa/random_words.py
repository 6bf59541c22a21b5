"""Words that may be an instruction: drawn at random, and made from instructions by changing bits, so that every format is met."""

from __future__ import annotations

from random import Random

from isa.instruction import Label
from isa.table import table_named
from isa.text.printing import format_instr
from tests.unit.isa.machine_code import LONGEST, assembled
from tests.unit.isa.samples import samples

_WORD = 32
_EACH = 10  # records of one instruction on the average
_TOP = 16  # bits of the first word with format and opcode, or most of them


def random_records(machine: str, count: int, seed: int) -> list[bytes]:
    """Records of `LONGEST` bytes for the machine of a target id: the same records for the same seed."""
    random = Random(f"{seed}/{machine}")
    rows = table_named(machine).rows
    chosen = [random.choice(samples(row)) for row in random.choices(rows, k=min(count // _EACH, len(rows)))]
    plain = [sample for sample in chosen if not any(isinstance(operand, Label) for operand in sample.operands)]
    codes = assembled([format_instr(sample) for sample in plain], machine)
    return [_record(random, random.choice(codes)) for _ in range(count)]


def _record(random: Random, code: bytes) -> bytes:
    """Changed bytes of an instruction, and a word after them."""
    bits, size = int.from_bytes(code, "little"), 8 * len(code)
    way = random.randrange(8)
    if way == 0:
        bits = random.getrandbits(size)
    elif way <= 4:
        for _ in range(random.choice((1, 1, 2, 3))):
            bits ^= 1 << random.randrange(size)
    elif way <= 6:
        first = _WORD * random.randrange(size // _WORD)
        bits ^= random.getrandbits(_WORD if first else _WORD - _TOP) << first
    else:
        bits ^= random.getrandbits(_TOP // 2) << _WORD - _TOP
    literal = random.getrandbits(_WORD) << size if size < 8 * LONGEST else 0
    return (bits | literal).to_bytes(LONGEST, "little")
