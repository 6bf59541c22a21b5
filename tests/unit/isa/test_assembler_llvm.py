"""The built-in assembler's code objects are those of clang and lld."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

import asmgen
from asmgen.emission.emit import emit_file
from asmgen.kernels import CATALOGUE, build_kernel
from isa.assembler.assembling import assemble_text
from isa.diagnostics import InputError
from isa.emulator import run
from isa.targets import parse_target
from tests.unit.isa.code_objects import LLVM, differences, of_llvm
from tests.unit.isa.kernel_builds import SOURCES, compiled

pytestmark = pytest.mark.needs_llvm(*LLVM)

TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1100:wave64", "gfx1201", "gfx90a:xnack-", "gfx942:sramecc+:xnack+")
KERNELS = tuple(CATALOGUE)


def check(text: str, target: str) -> None:
    machine = parse_target(target)
    assert differences(assemble_text(text, machine, "kernel.s"), of_llvm(text, machine)) == []


def one_file(names: tuple[str, ...], target: str) -> str:
    """Kernels of the catalogue as one file."""
    programs = [asmgen.compile(build_kernel(name), target=target) for name in names]
    return emit_file([kernel for program in programs for kernel in program.compilation.stages.finished], parse_target(target))


@pytest.mark.broad
@pytest.mark.parametrize(("index", "target"), [*enumerate(TARGETS)])
def test_some_of_the_catalogue_in_one_file(index: int, target: str) -> None:
    check(one_file(tuple(name for at, name in enumerate(KERNELS) if at % 4 == index % 4), target), target)


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_the_whole_catalogue(target: str) -> None:
    check(one_file(KERNELS, target), target)
    for name in KERNELS:
        check(asmgen.compile(build_kernel(name), target=target).kernels[0].assembly, target)


def printed_by_clang(name: str, level: str, target: str) -> str:
    made = compiled(name, level, True, target)
    assert isinstance(made, str), "assembly was asked for"
    return made


@pytest.mark.parametrize(("name", "level", "target"), [("functions", "-O1", "gfx90a"), ("scratch", "-O0", "gfx942"), ("calls", "-O2", "gfx1100")])
def test_what_clang_prints(name: str, level: str, target: str) -> None:
    """Functions, constants, symbols by .set, distances to symbols, expressions in descriptors."""
    check(printed_by_clang(name, level, target), target)


@pytest.mark.slow
@pytest.mark.parametrize("target", [target for target in TARGETS if ":" not in target])
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_every_kernel_as_clang_prints_it(level: str, target: str) -> None:
    for path in sorted(SOURCES.glob("*.cl")):
        printed = printed_by_clang(path.stem, level, target)
        if path.stem != "data":
            check(printed, target)
            continue
        with pytest.raises(InputError, match="OBJ001"):  # addresses of functions, which a loader writes
            _ = assemble_text(printed, parse_target(target), "data.s")


MANY = """
\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
\t.amdhsa_code_object_version 4
\t.text
\t.set width, 5
\t.globl b
\t.protected b
\t.p2align 8
\t.type b,@function
b:
again: s_nop 1 ; a label that no other file sees
\ts_branch again
\ts_cbranch_scc1 .Lend
\ts_getpc_b64 s[4:5]
\ts_add_u32 s4, s4, helper@rel32@lo+4
\ts_addc_u32 s5, s5, helper@rel32@hi+12
\ts_movk_i32 s6, width
\ts_endpgm
.Lend:
\t.size b, .Lend-b
\t.p2align 3
\t.type helper,@function
helper:
\ts_getpc_b64 s[4:5]
\ts_add_u32 s4, s4, table@rel32@lo+4
\ts_addc_u32 s5, s5, table@rel32@hi+12
\ts_setpc_b64 s[30:31]
\t.byte 1, 2, 'A', 0
\t.p2align 5
\t.p2align 6, , 4
\t.balign 16, 0x41
\t.p2alignl 6, 0xbf800000
\t.fill 3, 4, 0xbf9f0000
\t.fill 1, 8, -1
\t.globl a
\t.hidden a
\t.p2align 8
a:
\ts_endpgm
\t.size a, .-a
\t.globl twice
\t.weak thrice
\t.set twice, 2 * (width + 3) / 1 - -1
thrice = width << 2 | 1
\t.section .rodata,"a",@progbits
\t.p2align 6
\t.amdhsa_kernel b
\t\t.amdhsa_next_free_vgpr max(b.num_vgpr, 1)
\t\t.amdhsa_next_free_sgpr 8
\t\t.amdhsa_accum_offset 8
\t.end_amdhsa_kernel
table:\t.long 1, width, .-table, 0xffffffff
\t.short -2
\t.quad after-table, max(3, 9), alignto(5, 8)
\t.ascii "a;b\\n\\"\\\\\\101\\0"
\t.asciz "end"
after:
\t.zero 3
\t.data
\t.globl var
\t.protected var
var:\t.long 7
\t.bss
\t.p2align 4
zeros:\t.zero 100
\t.text
\ts_nop 3
\t.set b.num_vgpr, max(8, most)
\t.set most, 5
"""


def test_what_directives_do() -> None:
    check(MANY, "gfx942")


def test_many_symbols_are_found_by_their_hash() -> None:
    """Enough of them for several buckets and words of the filter."""
    functions = "".join(f"\t.globl f{i}\n\t.protected f{i}\nf{i}:\n\ts_endpgm\n" for i in range(60))
    check(MANY + functions, "gfx942")


def test_source_lines() -> None:
    """Steps of lines and of code that take each form of an opcode; a directory of its own; a statement that is none."""
    lines = ["\t.text", '\t.file\t1 "here/one.cl"', '\t.file\t2 "/there" "two.cl"', "f:"]
    for step, (line, count) in enumerate([(1, 1), (2, 1), (2, 17), (40, 1), (3, 40), (4, 300), (4, 2), (9, 0), (11, 1), (70000, 18), (70001, 34)]):
        lines += [f"\t.loc\t{1 + step % 2} {line} {step % 3}", *["\ts_nop 0"] * count]
    lines += ["\t.loc 1 5 0 prologue_end is_stmt 0", "\ts_nop 1", "\t.loc 1 6", "\ts_endpgm"]
    text = "\n".join([*lines, ""])
    machine = parse_target("gfx90a")
    found = differences(assemble_text(text, machine, "kernel.s"), of_llvm(text, machine), frozenset())
    assert set(found) <= {".debug_line", ".debug_line_str"}, found
    ours, theirs = (decoded_lines(data) for data in (assemble_text(text, machine, "kernel.s"), of_llvm(text, machine)))
    assert ours == theirs and len(ours) > 12


def decoded_lines(data: bytes) -> list[str]:
    dump = subprocess.run(["llvm-dwarfdump-22", "--debug-line", "-"], input=data, capture_output=True, check=True).stdout.decode()
    return [line for line in dump.splitlines() if "include_directories" in line or "name:" in line or line.startswith("0x")]


@pytest.mark.needs_llvm("llvm-readelf-22", "llvm-objdump-22")
@pytest.mark.parametrize("command", [("llvm-readelf-22", "--all"), ("llvm-objdump-22", "-d", "-s", "-t")])
def test_llvm_reads_it_without_a_warning(command: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "many.hsaco"
    path.write_bytes(assemble_text(MANY, parse_target("gfx942"), "kernel.s"))
    done = subprocess.run([*command, str(path)], capture_output=True, text=True, check=True)
    assert "helper" in done.stdout
    assert "warning" not in done.stdout + done.stderr


@pytest.mark.parametrize("target", ["gfx90a", "gfx1201"])
def test_a_code_object_runs(target: str) -> None:
    program = asmgen.compile(build_kernel("softmax", [("rows", "3"), ("cols", "70")]), target=target, assembler="builtin")
    kernel = program.kernels[0]
    assert kernel.grid is not None
    x = np.linspace(-3, 3, 210, dtype=np.float32)
    _, got = run(kernel.code_object, kernel.name, kernel.workgroups, kernel.block, [x, np.zeros_like(x)], sanitize=True)
    powers = np.exp(x.reshape(3, 70).astype(np.float64))
    np.testing.assert_allclose(got.reshape(3, 70), powers / powers.sum(axis=1, keepdims=True), rtol=1e-5)
