"""Reshapes that undo each other: what reads which value, and what a module returns."""

from __future__ import annotations

from asmgen.gentext.parser import parse
from asmgen.graph.reshapes import without_undone_reshapes

TEXT = """x = @param:x -> f32, {6,1}
q = squeeze[axes={1}](x)
u = unsqueeze[axes={1}](q)
n = neg(x)
y = add(u, n)
@return(u, y)
"""


def test_operands_are_read_where_they_were_and_results_keep_their_names() -> None:
    (module,) = parse(TEXT, "r.gen").modules
    after = without_undone_reshapes(module).statements
    operands = [[value.name for value in statement.operands] for statement in after]
    assert operands == [[], ["x"], ["q"], ["x"], ["x", "n"], ["u", "y"]]
    assert [one is before for one, before in zip(after, module.statements, strict=True)] == [True, True, True, True, False, True]
