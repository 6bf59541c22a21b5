"""Reshapes that undo each other: the readers of each value, and the results of a module."""

from __future__ import annotations

from asmgen.gentext.parser import parse
from asmgen.graph.rewritings.reshapes import without_undone_reshapes

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


def test_a_slice_that_leaves_nothing_out_is_read_as_its_operand() -> None:
    lines = ("x = @param:x -> f32, {n,4}", "w = slice[axes=0, starts=0, ends=2147483647](x)", "p = slice[axes=0, starts=1, ends=2147483647](w)")
    (module,) = parse("\n".join([*lines, "@return(w, p)", ""]), "r.gen").modules
    after = without_undone_reshapes(module).statements
    assert [[value.name for value in statement.operands] for statement in after] == [[], ["x"], ["x"], ["w", "p"]]
