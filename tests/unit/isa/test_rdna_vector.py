"""Combinations that RDNA's vector rows allow, compared with LLVM's verdict: dual pairs, scalar reads,
literals, halves, lane controls."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from isa.diagnostics import InputError
from isa.dpp import dpp8, dpp8_lanes
from isa.instruction import Encoding, Instr
from isa.table import table_named
from isa.text.parsing import parse_instr
from isa.text.printing import format_instr
from isa.verify import reads_one_twice
from tests.unit.isa.assembler import assemble_lines

MACHINES = ("gfx1100", "gfx1201", "gfx1100:wave64", "gfx1201:wave64")
each_machine = pytest.mark.parametrize("machine", MACHINES)
llvm = pytest.mark.needs_llvm("llvm-mc-22")


def read(text: str, machine: str) -> Instr | None:
    try:
        return parse_instr(text, table_named(machine), "text")
    except InputError:
        return None


def spelt(text: str, machine: str) -> str:
    """Our spelling of a text, empty if it is refused."""
    instr = read(text, machine)
    return format_instr(instr) if instr is not None else ""


def disagreements(texts: list[str], machine: str, features: tuple[str, ...] = ()) -> list[tuple[str, str, str]]:
    """Texts that LLVM spells or refuses otherwise than we do."""
    seen = zip(texts, assemble_lines(texts, machine, features), strict=True)
    return [(text, ours, found.error or found.text) for text, found in seen if (ours := spelt(text, machine)) != found.text]


def dual_texts(machine: str, count: int) -> list[str]:
    """Pairs of operations on operands that break a rule about half of the time."""
    random = Random(machine)
    vectors = [f"v{number}" for number in range(12)]
    anything = [*vectors, *vectors, "s1", "s2", "vcc_lo", "0x42", "0x43", "1.0", "null", "m0"]
    rows = [row for row in table_named(machine).rows if row.encoding is Encoding.DUAL]
    texts: list[str] = []
    for _ in range(count):
        parts: list[str] = []
        for component in random.choice(rows).components:
            visible = [spec for spec in component.operands if not spec.hidden]
            operands = [random.choice(anything if spec.name == "src0" else vectors) for spec in visible]
            fixed = literals(component.name)
            operands = ["0x42" if spec.name in fixed else text for spec, text in zip(visible, operands, strict=True)]
            parts.append(f"{component.mnemonic} {', '.join(operands)}")
        texts.append(" :: ".join(parts))
    return texts


def literals(name: str) -> tuple[str, ...]:
    """The source of a literal fma that is its literal."""
    return ("src2",) if "fmaak" in name else ("src1",) if "fmamk" in name else ()


@llvm
@pytest.mark.broad
@pytest.mark.parametrize("machine", ["gfx1100", "gfx1201"])
def test_pairs_are_legal_where_llvm_takes_them(machine: str) -> None:
    texts = dual_texts(machine, 2000)
    wrong = disagreements(texts, machine)
    # LLVM forgets the VCC that Y reads when it counts scalars, and LLVM 22 that gfx1201 reads one VGPR for both
    assert [case for case in wrong if "scalar" not in reason(case[0], machine) and not is_one_vgpr(case[0], machine)] == []
    accepted = sum(bool(spelt(text, machine)) for text in texts)
    assert 300 < accepted < 1700


def is_one_vgpr(text: str, machine: str) -> bool:
    instr = read(text, machine)
    return instr is not None and instr.row.reads_one_twice and reads_one_twice(instr.row, instr.operands)


def reason(text: str, machine: str) -> str:
    try:
        _ = parse_instr(text, table_named(machine), "text")
    except InputError as fault:
        return str(fault) if "v_dual_cndmask_b32" in text.partition("::")[2] else ""
    return ""


@llvm
@each_machine
def test_scalars_and_literals_are_counted_as_llvm_counts_them(machine: str) -> None:
    pool = ("v1", "s2", "s3", "0x42", "0x43", "1.0", "vcc_lo", "m0", "null", "src_scc")
    texts = [f"v_fma_f32 v0, {', '.join(sources)}" for sources in product(pool, repeat=3)]
    texts += [f"v_add_f32_e64 v0, {', '.join(sources)}" for sources in product(pool, repeat=2)]
    texts += [f"v_div_fmas_f32 v0, {', '.join(sources)}" for sources in product(pool[:6], repeat=3)]
    wide = ("v[2:3]", "s[2:3]", "s[4:5]", "0x42", "5", "null")
    texts += [f"v_lshrrev_b64 v[0:1], {first}, {second}" for first, second in product(pool[:6], wide)]
    texts += [f"v_fma_f64 v[0:1], {', '.join(sources)}" for sources in product(("v[3:4]", "s[2:3]", "s[3:4]", "0x40590000", "1.0"), repeat=3)]
    assert disagreements(texts, machine) == []


@llvm
@each_machine
def test_halves_are_told_by_suffix_or_by_op_sel(machine: str) -> None:
    registers = ("v1.l", "v1.h", "v127.h", "v128.l", "s2")
    texts = [f"{name} {', '.join(operands)}" for name in ("v_add_f16", "v_add_f16_e32") for operands in product(registers, repeat=3)]
    lists = [f"op_sel:[{','.join(bits)}]" for bits in product("01", repeat=3)]
    halves = [" ".join(parts) for parts in product(("v_add_nc_u16 v0.h, v1.l,", "v_add_nc_u16 v0.l, s1,"), ("v2.h", "v2.l", "s2"), lists)]
    whole = [f"v_add_nc_u16 v0, v1, v2 {list_}" for list_ in lists] if machine.startswith("gfx1201") else []
    features = ("+real-true16",) if whole else ()
    assert disagreements([*texts, *halves], machine, features) == []
    assert disagreements(whole, machine) == []


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("v_add_f16 v0, v1, v2", "v_add_f16_e32 v0.l, v1.l, v2.l"),
        ("v_add_nc_u16 v0, v1, v2 op_sel:[1,0,1]", "v_add_nc_u16 v0.h, v1.h, v2.l op_sel:[1,0,1]"),
    ],
)
def test_a_whole_register_is_read_as_its_low_half(text: str, printed: str) -> None:
    """As compilers write without real true16: the same bytes."""
    assert spelt(text, "gfx1100") == printed


@llvm
@each_machine
def test_lane_controls_are_those_of_the_target(machine: str) -> None:
    controls = (
        "row_shl:1", "row_shr:15", "row_ror:16", "row_mirror", "row_half_mirror", "quad_perm:[3,2,1,0]", "row_share:0", "row_share:15",
        "row_xmask:15", "row_xmask:16", "row_bcast:15", "row_newbcast:3", "wave_shl:1", "dpp8:[7,6,5,4,3,2,1,0]", "dpp8:[8,6,5,4,3,2,1,0]",
        "dpp8:[7,6,5,4,3,2,1]",
    )  # fmt: skip
    forms = ("v_mov_b32_dpp v0, v1", "v_add_f32_e64_dpp v0, v1, v2", "v_add_f32_e64_dpp v0, v1, s2", "v_cmp_lt_f32 vcc_lo, v0, v1")
    texts = [f"{form} {control}{tail}" for form in forms for control in controls for tail in ("", " fi:1")]
    texts = [text for text in texts if machine[-6:] != "wave64" or "vcc_lo" not in text]
    assert disagreements(texts, machine) == []


def test_a_pair_is_its_two_operations() -> None:
    text = "v_dual_fmac_f32 v0, s1, v2 :: v_dual_cndmask_b32 v3, v4, v5"
    instr = parse_instr(text, table_named("gfx1100"), "text")
    first, second = instr.parts()
    assert (first.row.operation, second.row.operation) == ("v_fmac_f32", "v_cndmask_b32")
    assert first.operands[-1] == first.operands[0]
    assert set(first.used()) | set(second.used()) == set(instr.used())
    assert first.defined() + second.defined() == instr.defined()


def test_the_selector_of_dpp8_is_three_bits_a_lane() -> None:
    assert dpp8(7, 6, 5, 4, 3, 2, 1, 0) == 0o01234567
    assert dpp8_lanes(dpp8(7, 0, 5, 4, 3, 2, 1, 6)) == (7, 0, 5, 4, 3, 2, 1, 6)
