"""gfx1201's spelling with halves of VGPRs, which LLVM 22 reads and writes with `-mattr=+real-true16` and newer compilers by default."""

from __future__ import annotations

import pytest

from isa.binary import decode, encode
from isa.diagnostics import InputError
from isa.emulator import run
from isa.instruction import Label, Row
from isa.table import Table, table_named
from isa.targets import parse_target
from isa.text.parsing import parse_instr
from isa.text.printing import format_instr
from tests.unit.isa.kernel_builds import compiled
from tests.unit.isa.kernel_cases import agrees
from tests.unit.isa.kernel_cases_halves import KERNELS
from tests.unit.isa.machine_code import assembled_or_refused, listing
from tests.unit.isa.samples import IN_ONE_PROCESS, samples, some_samples

TRUE16 = ("+real-true16",)
OPTIONS = ("-Xclang", "-target-feature", "-Xclang", "+real-true16")
EVERY = 5  # of the rows


def table_with_halves(machine: str) -> Table:
    table = table_named(machine).halves
    assert table is not None
    return table


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("v_mov_b16_e32 v0.l, v1.h", "81 39 00 7e"),
        ("v_mov_b16_e64 v0.h, 1 op_sel:[0,1]", "00 40 9c d5 81 00 00 00"),
        ("v_swap_b16 v0.l, v1.h", "81 cd 00 7e"),
        ("v_add_f16_e32 v0.l, v1.h, v2.l", "81 05 00 64"),
        ("v_cndmask_b16 v0.l, v1.h, v2.l, vcc_lo", "00 08 5d d6 01 05 aa 01"),
        ("v_cmp_lt_f16_e64 s0, v1.h, v2.l op_sel:[1,0,0]", "00 08 01 d4 01 05 02 00"),
        ("v_cmpx_lt_f16_e64 v1.h, v2.l op_sel:[1,0]", "7e 08 81 d4 01 05 02 00"),
    ],
)
def test_stated_instructions_have_llvms_bytes(text: str, code: str) -> None:
    table = table_named("gfx1201")
    instr = parse_instr(text, table, text)
    assert encode(instr, table.target).hex(" ") == code
    assert decode(bytes.fromhex(code), 0, table) == (instr, len(bytes.fromhex(code)))
    assert format_instr(instr) == text


def test_other_spellings_stay_as_they_are() -> None:
    """A low half has no suffix, other targets have one spelling, and the compiler's rows are those of the target's own."""
    table = table_named("gfx1201")
    for text in ("v_add_f16_e32 v0, v1, v2", "v_add_nc_u16 v0, v1, v2 op_sel:[1,0,0]"):
        instr = parse_instr(text, table, text)
        assert format_instr(instr) == text
        assert format_instr(decode(encode(instr, table.target), 0, table)[0]) == text
    assert table.find("v_mov_b16") is None
    assert [table_named(name).halves for name in ("gfx90a", "gfx942", "gfx950", "gfx1100")] == [None] * 4
    with pytest.raises(InputError, match="v_mov_b16 is an instruction of"):
        _ = parse_instr("v_mov_b16 v0.l, v1.l", table_named("gfx942"), "line")


def hold(machine: str, rows: list[Row], every: bool) -> None:
    """LLVM gives our bytes for our text, and we read them back; it may refuse a sample, of no row all."""
    table = table_named(machine)
    chosen = {row: samples(row) if every else some_samples(row, len(row.mnemonic)) for row in rows}
    plain = [(row, instr) for row, instrs in chosen.items() for instr in instrs if not any(isinstance(o, Label) for o in instr.operands)]
    codes = assembled_or_refused([format_instr(instr) for _, instr in plain], machine, TRUE16)
    held = {row for (row, _), code in zip(plain, codes, strict=True) if code is not None}
    assert [row.mnemonic for row in rows if row not in held] == []
    for (_, instr), code in zip(plain, codes, strict=True):
        if code is not None:
            assert encode(instr, table.target) == code, format_instr(instr)
            assert encode(decode(code, 0, table)[0], table.target) == code, format_instr(instr)
            # without a suffix the text is that of the other spelling, which means the same
            assert encode(parse_instr(format_instr(instr), table, "sample"), table.target) == code, format_instr(instr)


@pytest.mark.broad
@IN_ONE_PROCESS
@pytest.mark.needs_llvm("llvm-mc-22")
@pytest.mark.parametrize("machine", ["gfx1201", "gfx1201:wave64"])
def test_samples_have_llvms_bytes(machine: str) -> None:
    hold(machine, [*table_with_halves(machine).rows][machine.endswith("64") :: EVERY], every=False)


@pytest.mark.slow
@pytest.mark.needs_llvm("llvm-mc-22")
@pytest.mark.parametrize("machine", ["gfx1201", "gfx1201:wave64"])
def test_every_sample_has_llvms_bytes(machine: str) -> None:
    hold(machine, [*table_with_halves(machine).rows], every=True)


@pytest.mark.broad
@pytest.mark.needs_llvm("clang-22", "ld.lld-22", "llvm-objdump-22")
def test_compiled_kernels_are_read_as_llvm_reads_them() -> None:
    code = compiled("halves", "-O2", False, "gfx1201", OPTIONS)
    assert isinstance(code, bytes)
    listed = [line.text for line in listing(code, "gfx1201", TRUE16)]
    assert sum(".h" in text for text in listed) > 50
    table = table_named("gfx1201")
    spelt = [format_instr(parse_instr(text, table, text)) for text in listed if ".l" in text or ".h" in text]
    assert spelt == [text for text in listed if ".l" in text or ".h" in text]


@pytest.mark.broad
@pytest.mark.needs_llvm("clang-22", "ld.lld-22")
@pytest.mark.parametrize("name", [name for name, kernel in KERNELS.items() if kernel.runs_on(parse_target("gfx1201"))])
def test_kernels_agree_with_numpy(name: str) -> None:
    """As text and as a code object, in turn."""
    kernel = KERNELS[name]
    case = kernel.reference(parse_target("gfx1201"))
    is_text = len(name) % 2 == 0
    source = compiled(kernel.file, "-O2", is_text, "gfx1201", (*kernel.options, *OPTIONS))
    results = run(source, kernel.entry or name, case.grid, case.block, case.args, undefined=case.undefined, sanitize=True)
    agrees(case, results)
