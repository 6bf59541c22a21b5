"""The rules that code may meet (`rules_for`) ask for the same remedies in it as all rules of the target."""

from __future__ import annotations

from random import Random

import pytest

from asmgen.passes.waits.hazards import Remedies
from isa.hazards import RuleSet, Window, rules_for, touches_a0
from isa.instruction import Instr
from isa.program import Block
from isa.table import table_named
from isa.targets import TARGETS, TargetId, parse_target
from tests.unit.isa.samples import base
from tools.fuzz.draw import draw, drawn_rows, groups

SEED = 7
PROGRAMS, ROWS, LENGTH = 60, 6, 40


def with_remedies(target: TargetId, code: list[Instr], rules: RuleSet) -> list[Instr]:
    return Remedies(table_named(str(target))).put_in(Block("entry", instructions=code), Window(rules), "")


@pytest.mark.parametrize("machine", [*TARGETS, "gfx1100:wave64", "gfx1201:wave64"])
def test_the_rules_of_few_rows_ask_for_what_all_rules_ask(machine: str) -> None:
    target, random = parse_target(machine), Random(SEED)
    table = table_named(machine)
    rows, jump = drawn_rows(table), Remedies(table).jump
    kinds = groups(rows)
    others = [instr for row in rows if not touches_a0(instr := base(row))]
    remedies = fewer = 0
    for number in range(PROGRAMS):
        few = [random.choice(kind) for kind in random.sample(kinds, min(ROWS, len(kinds)))]
        code = [instr for _ in range(LENGTH) if (instr := draw(random.choice(few), random)) is not None]
        some, every = rules_for(target, [*code, jump]), rules_for(target, [*code, jump, *others])
        fewer += len(some.rules) < len(every.rules)
        found = with_remedies(target, code, some)
        assert found == with_remedies(target, code, every), f"seed {SEED}, program {number}"
        remedies += len(found) - len(code)
    assert remedies > 0
    assert fewer > 0
