"""The rows of the rewritings: each changes its example, and no graph that lacks the ops that it needs."""

from __future__ import annotations

import pytest

from asmgen.gentext.parser import parse
from asmgen.graph.compose.decompose import decompose
from asmgen.graph.rewritings.rows import CONTRACTIONS, INTEGERS, REDUCED, Rewriting, ops_of, rewritten
from asmgen.ir.program import Module
from asmgen.kernels import CATALOGUE, build_kernel

ROWS = (*CONTRACTIONS, *INTEGERS, *REDUCED)

# A graph that each function changes, after PARAMS.
EXAMPLES = {
    "with_needed_elements": "a = dot(x, w)\ny = slice[axes={0}, starts={0}, ends={1}](a)",
    "with_whole_concats": "a = concat[axis=1](x, x)\ny = concat[axis=1](a, x)",
    "with_dots": "y = dot_general[lhs_contract={1}, rhs_contract={1}](x, z)",
    "with_batches_as_rows": "a = reshape[dims={2,2,8}](x)\ny = dot(a, w)",
    "with_turned_products": (
        "a = reshape[dims={120,2}](v)\nb = reshape[dims={2,16}](x)\np = dot(a, b)\ny = transpose[permutation={1,0}](p)"
    ),
    "with_products_once": "a = dot(x, w)\nb = dot(x, w)\ny = add(a, b)",
    "with_known_floats": "d = @literal{64.0} -> f32, {}\na = sqrt(d)\ny = div(x, a)",
    "with_short_sorts": "a = sort[axis=1, descending=false](x)\ny = slice[axes={1}, starts={0}, ends={2}](a)",
    "with_sort_keys": "y = sort[axis=1, descending=false](x)",
    "with_scatter_starts": "y = histogram[bins=5](i)",
    "with_known_integers": (
        "p = iota[axis=1, out_lens={4,8}]()\na = convert[target_type=i64](p)\nf = @literal{5} -> i64, {}\n"
        "y = div(a, f)"
    ),
    "without_negated_choices": "n = not(c)\ny = where(n, x, z)",
    "with_integer_sums": "a = convert[target_type=f64](byte)\ny = reduce_sum[axes={1}](a)",
    "without_trivial_reductions": "a = unsqueeze[axes={0}](x)\ny = reduce_sum[axes={0}](a)",
    "with_early_converts": (
        "t = transpose[permutation={1,0}](byte)\na = convert[target_type=i32](t)\ny = reduce_sum[axes={0}](a)"
    ),
    "with_plain_transposes": "a = unsqueeze[axes={0}](x)\ny = transpose[permutation={1,0,2}](a)",
    "with_chosen_elements": (
        "p = iota[axis=1, out_lens={4,8}]()\nh = equal(p, k)\no = @literal{0} -> f32, {}\n"
        "a = where(h, x, o)\ny = reduce_sum[axes={1}](a)"
    ),
    "with_early_choices": (
        "s = reduce_max[axes={1}](x)\na = sub(x, s)\nb = exp(a)\ny = take_along_axis[axis=1](b, k)"
    ),
    "with_window_slices": "a = windows[sizes={3}, axes={1}, strides={1}](x)\ny = reduce_sum[axes={2}](a)",
    "with_late_reshapes": "a = reduce_sum[axes={1}](x)\nb = squeeze[axes={1}](a)\ny = neg(b)",
    "without_undone_reshapes": "a = reshape[dims={32}](x)\nb = reshape[dims={4,8}](a)\ny = neg(b)",
    "with_mirrors": (
        "a = slice[axes={0}, starts={1}, ends={3}](x)\nb = reverse[axes={0}](a)\ny = concat[axis=0](b, x)"
    ),
    "with_rolls": (
        "a = slice[axes={1}, starts={3}, ends={8}](x)\nb = slice[axes={1}, starts={0}, ends={3}](x)\n"
        "y = concat[axis=1](a, b)"
    ),
    "with_windows": "\n".join(
        f"s{n} = slice[axes={{1}}, starts={{{n}}}, ends={{{n + 6}}}](x)\na{n} = unsqueeze[axes={{0}}](s{n})"
        for n in range(3)
    )
    + "\ny = concat[axis=0](a0, a1, a2)",
    "with_flat_stacks": "a = reshape[dims={4,1,8}](x)\nb = concat[axis=1](a, a)\ny = reshape[dims={4,16}](b)",
    "with_equal_lengths": (
        "a = slice[axes={1}, starts={1}, ends={8}](x)\ns = reduce_sum[axes={1}](a)\n"
        "t = reduce_sum[axes={1}](x)\ny = add(s, t)"
    ),
    "with_stacked_reductions": "\n".join(
        f"s{n} = slice[axes={{1}}, starts={{{n}}}, ends={{{n + 4}}}](x)\nr{n} = reduce_sum[axes={{1}}](s{n})" for n in range(4)
    )
    + "\ny = concat[axis=1](r0, r1, r2, r3)",
    "with_split_axes": (
        "a = transpose[permutation={0,2,1,3}](v)\nb = reshape[dims={8,30}](a)\ny = reduce_max[axes={1}](b)"
    ),
}  # fmt: skip
PARAMS = """x = @param:x -> f32, {4,8}
z = @param:z -> f32, {4,8}
w = @param:w -> f32, {8,3}
c = @param:c -> bool, {4,8}
i = @param:i -> i32, {4,8}
k = @param:k -> i32, {4,1}
v = @param:v -> f32, {8,3,5,2}
byte = @param:byte -> i8, {4,8}
"""


def example(function: str) -> Module:
    """The example of a function."""
    (module,) = parse(f"{PARAMS}{EXAMPLES[function]}\n@return(y)\n", f"{function}.gen").modules
    return module


@pytest.fixture(scope="module")
def graphs() -> list[Module]:
    catalogue = [decompose(module) for name in CATALOGUE for module in build_kernel(name).modules]
    return [*catalogue, *[example(row.function) for row in ROWS]]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.function)
def test_a_row_changes_its_example(row: Rewriting) -> None:
    module = example(row.function)
    assert row.may_change(ops_of(module))
    assert str(rewritten(module, [row])) != str(module)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.function)
def test_a_row_changes_no_graph_without_the_ops_that_it_needs(row: Rewriting, graphs: list[Module]) -> None:
    function = row.load()
    for graph in graphs:
        if not row.may_change(ops_of(graph)):
            assert str(function(graph)) == str(graph), graph.name


def test_a_graph_that_lacks_an_op_does_not_load_the_file() -> None:
    module = example("with_rolls")
    missing = Rewriting("no_such_file", "f", (frozenset(ops_of(module)), frozenset()))
    assert rewritten(module, [missing]) is module
