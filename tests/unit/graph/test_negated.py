"""Choices by negated conditions."""

from __future__ import annotations

from asmgen.gentext.parser import parse
from asmgen.graph.rewritings.negated import without_negated_choices
from asmgen.ir.program import definitions

HEAD = "c = @param:c -> bool, {8}\na = @param:a -> f32, {8}\nb = @param:b -> f32, {8}\nn = not(c)\nm = not(n)\n"


def chosen(condition: str) -> list[str]:
    """The operands of the choice."""
    (module,) = parse(f"{HEAD}y = where({condition}, a, b)\n@return(y)\n", "negated.gen").modules
    made = without_negated_choices(module)
    return [operand.name for operand in definitions(made)[made.statements[-1].operands[0]].operands]


def test_numbers_are_exchanged_for_each_negation() -> None:
    assert chosen("c") == ["c", "a", "b"]
    assert chosen("n") == ["c", "b", "a"]
    assert chosen("m") == ["c", "a", "b"]
