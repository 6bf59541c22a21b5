"""Concats of a value with mirrored and repeated parts of itself, which become pads."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.ops import CONCAT, PAD, RETURN
from asmgen.graph.rewritings.concats import with_whole_concats
from asmgen.graph.rewritings.mirrors import with_mirrors
from asmgen.ir.program import definitions

X = "x = @param:x -> f32, {5,4}\n"
REVERSED = "a = slice[axes={0}, starts={1}, ends={3}](x)\nb = reverse[axes={0}](a)\n"
BEFORE = f"{X}{REVERSED}y = concat[axis=0](b, x)\n"


def made(text: str) -> list[tuple[str, object, object]]:
    """The op that computes each result, with its mode and its pads if it is a pad."""
    module = with_mirrors(with_whole_concats(parse(text, "mirrors.gen").modules[0]))
    defined = definitions(module)
    (end,) = [statement for statement in module.statements if statement.op is RETURN]
    found = [defined[value] for value in end.operands]
    return [(each.op.name, each.attributes.get("mode"), each.attributes.get("pads")) for each in found]


AFTER = "c = slice[axes={0}, starts={4}, ends={6}](y)\nd = reverse[axes={0}](c)\nz = concat[axis=0](y, d)\n"
BOTH = f"{BEFORE}{AFTER}"
COLUMNS = f"{BOTH}e = slice[axes={{1}}, starts={{-2}}, ends={{-1}}](z)\nw = concat[axis=1](z, e)\n@return(w)\n"
FIRST, LAST = "a = slice[axes={0}, starts={0}, ends={1}](x)\n", "b = slice[axes={0}, starts={-1}, ends={5}](x)\n"
EDGE = f"{X}{FIRST}{LAST}r = multibroadcast[out_lens={{3,4}}](a)\ny = concat[axis=0](r, x, b)\n@return(y)\n"


@pytest.mark.parametrize(
    ("text", "mode", "pads"),
    [
        (f"{BEFORE}@return(y)\n", "reflect", (2, 0, 0, 0)),
        (f"{BOTH}@return(z)\n", "reflect", (2, 0, 2, 0)),
        (COLUMNS, "reflect", (2, 0, 2, 1)),
        (EDGE, "edge", (3, 0, 1, 0)),
    ],
)
def test_mirrored_parts_are_a_pad(text: str, mode: str, pads: tuple[int, ...]) -> None:
    assert made(text) == [(PAD.name, mode, pads)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("starts={1}, ends={3}", "starts={0}, ends={2}"),
        ("starts={1}, ends={3}", "starts={2}, ends={4}"),
        ("b = reverse[axes={0}](a)", "b = identity(a)"),
        ("b = reverse[axes={0}](a)", "b = reverse[axes={1}](a)"),
        ("concat[axis=0](b, x)", "concat[axis=0](x, b)"),
        ("axes={0}, starts={1}, ends={3}](x)", "axes={0}, starts={1}, ends={3}](o)\nr = sub(o, x)"),
    ],
)
def test_other_parts_are_none(before: str, after: str) -> None:
    assert before in BEFORE
    text = f"o = @param:o -> f32, {{5,4}}\n{BEFORE.replace(before, after)}@return(y)\n"
    assert made(text) == [(CONCAT.name, None, None)]


def test_a_pad_of_the_edge_has_a_single_element_of_it() -> None:
    assert made(EDGE.replace("starts={0}, ends={1}", "starts={1}, ends={2}"))[0][0] == CONCAT.name


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_results_are_those_of_numpy(target: str) -> None:
    x = np.arange(20, dtype=np.float32).reshape(5, 4)
    (reflected,) = asmgen.compile(COLUMNS, target=target)(x, device="emulator")
    assert np.array_equal(reflected, np.pad(x, ((2, 2), (0, 1)), mode="reflect"))
    (edge,) = asmgen.compile(EDGE, target=target)(x, device="emulator")
    assert np.array_equal(edge, np.pad(x, ((3, 1), (0, 0)), mode="edge"))
