"""Barriers and exchanges between lanes are refused at places that some of their lanes do not reach, and
accepted everywhere else."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.lanewise.interpret import interpret
from asmgen.lanewise.verify.convergence import check_convergence
from isa.diagnostics import InputError, Place

WAVES = 4
LANES = 64 * WAVES
OPS = {
    "barrier": "barrier",
    "dpp_reduce": "r = dpp_reduce[op=sum](x) -> f32",
    "dpp_reduce of 16": "r = dpp_reduce[op=max, lanes=16](x) -> f32",
    "lane_shuffle": "r = lane_shuffle(x, five) -> f32",
    "reduce_waves": f"r = reduce_waves[op=sum, waves={WAVES}](x, lds) -> f32",
}
OF_WORKGROUP = ("barrier", "reduce_waves")
HEAD = f"""
a = @param:a -> f32, {{{2 * LANES}}}
n = @param:n -> u32, {{8}}
out = @param:out -> f32, {{{2 * LANES}}}
lds = lds_allocate[size={LANES}, type=f32]
words = lds_allocate[size={LANES}, type=u32]
lane = local_id -> u32
group = workgroup_id -> u32
zero = @literal{{0}} -> u32
one = @literal{{1}} -> u32
five = @literal{{5}} -> u32
six = @literal{{6}} -> u32
hundred = @literal{{100}} -> u32
wave_lanes = @literal{{128}} -> u32
nothing = @literal{{0}} -> f32
x = load(a, lane) -> f32
"""
TAIL = """
store(out, lane, x)
@return(out)
"""


class Guard(NamedTuple):
    """The region around an op: `before` makes its condition, `open` and `close` are the region's ends; `mark`
    is in the line of the statement that has the region, `made` in that of its condition."""

    before: str
    open: str
    close: str = "yield\n}"
    mark: str = ""
    made: str = ""


def branch(condition: str, close: str = "yield\n}") -> Guard:
    """An `if` of a condition, which the last of these lines makes as `c`."""
    return Guard(condition, "if(c) {", close, "if(c)", "c = ")


def loop(bounds: str, stop: str = "stop", start: str = "zero", step: str = "one") -> Guard:
    return Guard(bounds, f"for({start}, {stop}, {step}) (i) {{", mark=f"for({start}, {stop}, {step})", made="c = ")


DIVERGENT = {
    "number of the lane": branch("c = less(lane, five) -> bool"),
    "in the middle of a wave": branch("c = less(lane, hundred) -> bool"),
    "what each lane loads": branch("c = less(x, nothing) -> bool"),
    "what each lane loads from LDS": branch("y = lds_load(lds, lane) -> f32\nc = less(y, nothing) -> bool"),
    "logic": branch("d = equal(group, zero) -> bool\ne = less(lane, five) -> bool\nc = logical_and(d, e) -> bool"),
    "arithmetic": branch("d = bitwise_and(lane, one) -> u32\nc = equal(d, zero) -> bool"),
    "a choice": branch("d = less(x, nothing) -> bool\ne = where(d, one, zero) -> u32\nc = equal(e, one) -> bool"),
    "a part of a wave's sum": branch("d = dpp_reduce[op=sum](x) -> f32\nc = less(d, nothing) -> bool"),
    "results of a divergent if": branch("""
d = less(lane, five) -> bool
e = if(d) {
yield(one)
} {
yield(zero)
}
c = equal(e, one) -> bool"""),
    "results of a divergent loop": branch("""
e = for(zero, lane, one, zero) (j, total) {
next = add(total, one) -> u32
yield(next)
}
c = equal(e, one) -> bool"""),
    "stop of a loop": loop("c = bitwise_and(lane, five) -> u32", "c"),
    "start of a loop": loop("c = bitwise_and(lane, five) -> u32", "hundred", "c"),
    "step of a loop": loop("c = add(lane, one) -> u32", "hundred", "zero", "c"),
    "the other side": Guard("c = less(lane, five) -> bool", "if(c) {\nyield\n} {", mark="if(c)", made="c = "),
    "a uniform loop in it": Guard("c = less(lane, five) -> bool", "if(c) {\nfor(zero, five, one) (i) {", "yield\n}\nyield\n}", "if(c)", "c = "),
    "a uniform if in it": Guard(
        "c = less(lane, five) -> bool\nd = less(group, one) -> bool", "if(c) {\nif(d) {", "yield\n}\nyield\n}", "if(c)", "c = "
    ),
    "it in a uniform if": Guard(
        "c = less(lane, five) -> bool\nd = less(group, one) -> bool", "if(d) {\nif(c) {", "yield\n}\nyield\n}", "if(c)", "c = "
    ),
}  # fmt: skip
CARRIED = """
k = for(zero, five, one, zero) (i, carried) {{
c = equal(carried, zero) -> bool
if(c) {{
{op}
yield
}}
yield(lane)
}}
"""
OF_WAVES = {
    "number of the wave": branch("w = shift_right(lane, six) -> u32\nc = equal(w, zero) -> bool"),
    "whole waves": branch("c = less(lane, wave_lanes) -> bool"),
    "the first lane's": branch("w = read_first_lane(x) -> f32\nc = less(w, nothing) -> bool"),
    "a shuffle from one lane": branch("w = lane_shuffle(x, five) -> f32\nc = less(w, nothing) -> bool"),
    "trips of a wave": loop("c = shift_right(lane, six) -> u32", "c"),
}
UNIFORM = {
    "nothing": Guard("", "", ""),
    "number of the workgroup": branch("c = equal(group, zero) -> bool"),
    "the other side": Guard("c = less(group, one) -> bool", "if(c) {\nyield\n} {"),
    "what is loaded at one place": branch("d = load(n, group) -> u32\nc = less(d, five) -> bool"),
    "what is loaded from LDS at one place": branch("""
lds_store(words, zero, five)
barrier
d = lds_load(words, zero) -> u32
c = equal(d, five) -> bool"""),
    "the sum of the waves": branch(f"d = reduce_waves[op=max, waves={WAVES}](x, lds) -> f32\nc = less(nothing, d) -> bool"),
    "trips that are loaded": loop("stop = load(n, zero) -> u32"),
    "trips of a literal": loop("stop = add(group, one) -> u32"),
    "a loop in an if": Guard("c = less(group, five) -> bool", "if(c) {\nfor(zero, five, one) (i) {", "yield\n}\nyield\n}"),
    "a carried number": Guard("", "k = for(zero, five, one, zero) (i, carried) {\nc = less(carried, five) -> bool\nif(c) {", """yield
}
next = add(carried, i) -> u32
yield(next)
}"""),
}  # fmt: skip


def text_of(op: str, guard: Guard, head: str = HEAD, target: str = "gfx942", block: int = LANES) -> str:
    launch = f"stage lanewise {target}\nlaunch[grid={{2,1,1}}, block={{{block},1,1}}]"
    return f"{launch}\n{head}\n{guard.before}\n{guard.open}\n{op}\n{guard.close}\n{TAIL}"


def line_of(text: str, part: str, last: bool = False) -> int:
    """The number of the first line, or of the last, that has `part`."""
    found = [number for number, line in enumerate(text.splitlines(), 1) if part in line]
    return found[-1 if last else 0]


def refusal(text: str) -> InputError:
    with pytest.raises(InputError) as caught:
        check_convergence(parse(text, "bad.gen"))
    return caught.value


def check_refused(text: str, op: str, guard: Guard) -> None:
    """The error is at the op's line, and names the line of the guard and that of its condition."""
    fault = refusal(text)
    assert fault.code == "GEN120" and isinstance(fault.place, Place)
    assert fault.place.line == line_of(text, op, last=True)
    assert f"at bad.gen:{line_of(text, guard.mark)}:" in fault.message
    assert "differs between" in fault.message
    told = " ".join((fault.message, *fault.notes))
    assert f"bad.gen:{line_of(text, guard.made)}:" in told
    assert "out of the" in fault.help or "before barrier and begin another" in fault.help


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("guard", DIVERGENT)
def test_divergent_places_are_refused(op: str, guard: str) -> None:
    """85 places, each under a condition or in a loop that parts the lanes of a wave."""
    check_refused(text_of(OPS[op], DIVERGENT[guard]), OPS[op], DIVERGENT[guard])


@pytest.mark.parametrize("op", OF_WORKGROUP)
@pytest.mark.parametrize("guard", OF_WAVES)
def test_places_that_part_waves_are_refused(op: str, guard: str) -> None:
    text = text_of(OPS[op], OF_WAVES[guard])
    check_refused(text, OPS[op], OF_WAVES[guard])
    assert "between the waves" in refusal(text).message


@pytest.mark.parametrize("op", OPS)
def test_a_carried_value_that_comes_to_differ(op: str) -> None:
    """The condition is the same in the first trip, and differs in the second."""
    text = text_of(CARRIED.format(op=OPS[op]), Guard("", "", ""))
    fault = refusal(text)
    assert fault.code == "GEN120" and isinstance(fault.place, Place) and fault.place.line == line_of(text, OPS[op])


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("guard", [*UNIFORM, *OF_WAVES])
def test_places_where_lanes_are_together(op: str, guard: str) -> None:
    """They are accepted; one op of each place compiles and, with the sanitizer on, has the interpreter's
    results."""
    if guard in OF_WAVES and op in OF_WORKGROUP:
        return
    text = text_of(OPS[op], UNIFORM[guard] if guard in UNIFORM else OF_WAVES[guard])
    program = parse(text, "good.gen")
    check_convergence(program)
    chosen = [*UNIFORM, *OF_WAVES].index(guard)
    if op == [*OPS][chosen % len(OPS) if guard in UNIFORM else 1 + chosen % 3]:
        a, n, wanted = np.arange(2 * LANES, dtype=np.float32), np.full(8, 3, np.uint32), np.zeros(2 * LANES, np.float32)
        interpret(program.modules[0], [a, n, wanted])
        (got,) = asmgen.compile(text)(a, n, device="emulator")
        np.testing.assert_array_equal(got, wanted)


def test_the_message() -> None:
    text = text_of(OPS["dpp_reduce"], DIVERGENT["stop of a loop"])
    assert (
        str(refusal(text))
        == """\
bad.gen:22:1: error[GEN120]: dpp_reduce is in the for at bad.gen:21:1, and the bound c differs between the lanes of a wave; wanted \
dpp_reduce in a place that every lane of the wave reaches
  note: c is made by bitwise_and at bad.gen:20:1
  note: it differs between the lanes of a wave because of lane, local_id at bad.gen:9:1
  help: move dpp_reduce out of the for, and give lanes that must not count the identity element; or make c the same in a wave: of \
workgroup_id, literals, scalar parameters, and numbers loaded at indices made of these, or by read_first_lane"""
    )


def test_compile_refuses() -> None:
    with pytest.raises(InputError, match="GEN120"):
        _ = asmgen.compile(text_of(OPS["barrier"], DIVERGENT["number of the lane"]))


def test_one_wave_is_the_workgroup() -> None:
    """A value that is uniform in a wave is uniform in a workgroup of one wave; 128 lanes are two waves of
    64."""
    guard = branch("w = read_first_lane(lane) -> u32\nc = equal(w, zero) -> bool")
    check_convergence(parse(text_of(OPS["barrier"], guard, block=64), "good.gen"))
    assert refusal(text_of(OPS["barrier"], guard, block=128)).code == "GEN120"


def test_waves_of_32_part_elsewhere() -> None:
    """Lanes below 32 are a wave on one target and half a wave on the other."""
    guard = branch("half = @literal{32} -> u32\nc = less(lane, half) -> bool")
    check_convergence(parse(text_of("r = dpp_reduce[op=sum, lanes=32](x) -> f32", guard, target="gfx1100"), "good.gen"))
    assert refusal(text_of("r = dpp_reduce[op=sum, lanes=32](x) -> f32", guard)).code == "GEN120"


@pytest.mark.parametrize(("axis", "block", "same"), [(1, "64,4,1", True), (1, "32,8,1", False), (2, "8,8,4", True), (1, "256,1,1", True)])
def test_an_axis_of_whole_waves(axis: int, block: str, same: bool) -> None:
    text = text_of(OPS["dpp_reduce"], branch(f"y = local_id[axis={axis}] -> u32\nc = equal(y, zero) -> bool"))
    program = parse(text.replace(f"block={{{LANES},1,1}}", f"block={{{block}}}"), "axis.gen")
    if same:
        check_convergence(program)
    else:
        with pytest.raises(InputError, match="GEN120"):
            check_convergence(program)


@pytest.mark.parametrize(("target", "block", "lanes"), [("gfx1100", 64, 64), ("gfx942", 96, 64), ("gfx942", 72, 16)])
def test_groups_of_lanes_are_whole(target: str, block: int, lanes: int) -> None:
    fault = refusal(text_of(f"r = dpp_reduce[op=sum, lanes={lanes}](x) -> f32", Guard("", "", ""), target=target, block=block))
    assert fault.code == "GEN121" and "wanted groups that are whole" in fault.message


@pytest.mark.parametrize(("waves", "block", "elements"), [(4, 512, 256), (4, 224, 256), (8, 512, 4)])
def test_every_wave_takes_part(waves: int, block: int, elements: int) -> None:
    op = f"m = lds_allocate[size={elements}]\nr = reduce_waves[op=sum, waves={waves}](x, m) -> f32"
    assert refusal(text_of(op, Guard("", "", ""), block=block)).code == "GEN121"


STEP, NO_STEP = "stagger\nyield\n}", "yield\n}"
SECOND = "w = shift_right(lane, six) -> u32\nc = greater(w, one) -> bool\nd = greater(w, five) -> bool\n"
IN_PAIRS = {
    "around a barrier": f"if(c) {{\n{STEP}\nbarrier\nif(c) {{\n{NO_STEP} {{\n{STEP}",
    "the other half first": f"if(c) {{\n{NO_STEP} {{\n{STEP}\nif(c) {{\n{STEP}",
    "in a loop": f"for(zero, five, one) (i) {{\nif(c) {{\n{STEP}\nbarrier\nif(c) {{\n{NO_STEP} {{\n{STEP}\nyield\n}}",
}
UNPAIRED = {
    "in no if": "stagger",
    "alone": f"if(c) {{\n{STEP}",
    "twice in the same side": f"if(c) {{\n{STEP}\nif(c) {{\n{STEP}",
    "by another condition": f"if(c) {{\n{STEP}\nif(d) {{\n{NO_STEP} {{\n{STEP}",
    "two in a side": f"if(c) {{\nstagger\n{STEP}\nif(c) {{\n{NO_STEP} {{\nstagger\n{STEP}",
    "one of the two in a loop": f"if(c) {{\n{STEP}\nfor(zero, five, one) (i) {{\nif(c) {{\n{NO_STEP} {{\n{STEP}\nyield\n}}",
    "in a loop of the waves": f"for(zero, w, one) (i) {{\n{STEP}",
}


@pytest.mark.parametrize("name", list(IN_PAIRS))
def test_waves_pass_as_many_barriers_in_all(name: str) -> None:
    check_convergence(parse(text_of(SECOND + IN_PAIRS[name], Guard("", "", "")), "good.gen"))


@pytest.mark.parametrize("name", list(UNPAIRED))
def test_a_step_without_its_counterpart_is_refused(name: str) -> None:
    assert refusal(text_of(SECOND + UNPAIRED[name], Guard("", "", ""))).code == "GEN124"


def test_a_part_of_a_wave_takes_no_step() -> None:
    text = (SECOND + IN_PAIRS["around a barrier"]).replace("greater(w, one)", "greater(lane, one)")
    assert refusal(text_of(text, Guard("", "", ""))).code == "GEN120"
