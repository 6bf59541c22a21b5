"""A kernel that cannot be analysed is named with its reason, and loses no other kernel of the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from asmgen.cli.main import main
from asmgen.report.sources import report_compiled
from isa.diagnostics import InputError
from tests.compiled.build import assembly_of, compiled_text

pytestmark = pytest.mark.needs_llvm("clang-22", "ld.lld-22")

SOURCE = """
__attribute__((noinline)) uint helper(uint x) { return x * 3 ^ 5; }
__constant uint table[8] = {1, 5, 2, 8, 3, 9, 4, 7};
__kernel void plain(__global uint *o) { o[__builtin_amdgcn_workitem_id_x()] = 1; }
__kernel void constants(__global uint *o) { o[__builtin_amdgcn_workitem_id_x()] = table[o[0] & 7]; }
"""
CALLER = SOURCE + "__kernel void calls(__global uint *o) { o[0] = helper(o[1]); }\n"


def kernels_of(found: dict[str, list[dict[str, str]]], key: str) -> list[str]:
    return [kernel["name"] for kernel in found[key] if not kernel["name"].startswith("__clang")]


def test_a_table_of_constants_beside_a_function_that_is_never_called() -> None:
    report = report_compiled(compiled_text(SOURCE, ".cl", "-O2", "gfx942"), "f.co", None)
    assert [kernel.name for kernel in report.kernels] == ["constants", "plain"]
    assert not report.refused


def test_text_with_a_table_of_constants() -> None:
    text = assembly_of(SOURCE, ".cl", "-O2", "gfx942")
    assert "@rel32@lo" in text
    assert [kernel.name for kernel in report_compiled(text, "f.s", None).kernels] == ["constants", "plain"]


@pytest.mark.parametrize("suffix", [".co", ".s"])
def test_a_kernel_that_calls_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str) -> None:
    path = tmp_path / f"f{suffix}"
    if suffix == ".co":
        path.write_bytes(compiled_text(CALLER, ".cl", "-O2", "gfx942"))
    else:
        path.write_text(assembly_of(CALLER, ".cl", "-O2", "gfx942"), encoding="utf-8")
    assert main(["report", str(path), "--format", "json"]) == 1
    shown = capsys.readouterr()
    document = json.loads(shown.out)
    assert kernels_of(document, "kernels") == ["constants", "plain"]
    assert kernels_of(document, "refused") == ["calls"]
    assert "error[EMU016]: calls is not in the report: s_swappc_b64 calls or returns" in shown.err


def test_a_file_without_any_kernel_that_can_be_analysed() -> None:
    source = CALLER[: CALLER.index("__constant")] + CALLER[CALLER.index("__kernel void calls") :]
    with pytest.raises(InputError, match="calls or returns"):
        _ = report_compiled(compiled_text(source, ".cl", "-O2", "gfx942"), "f.co", None)
