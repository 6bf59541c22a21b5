"""LLVM's judgement of the shipped kernels: the golden assembly of every catalogue kernel and program; and the
judge itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from isa.targets import parse_target
from tools.judge import STRONGER, Judge, functions_of, judge, missing

pytestmark = [pytest.mark.broad, pytest.mark.needs_llvm("llvm-mc-22", "llc-22")]

GOLDEN = Path(__file__).parents[2] / "golden"
FILES = sorted(GOLDEN.glob("*/gfx942.s"))

LOOP = """
f:
  global_load_dword v0, v1, s[0:1]
.Lloop:
  s_waitcnt vmcnt(0)
  v_add_f32_e32 v2, v2, v0
  v_rcp_f32_e32 v3, v2
  s_nop 0
  v_add_f32_e32 v4, v4, v3
  global_load_dword v0, v1, s[0:1]
  s_cbranch_scc1 .Lloop
  s_endpgm
"""


def test_golden_assembly_is_never_weaker() -> None:
    """Every file in one run of LLVM."""
    functions = [(path.parent.name, lines) for path in FILES for lines in functions_of(path.read_text(encoding="utf-8"))]
    assert {name for name, _ in functions} == {path.parent.name for path in FILES}
    judgements = Judge(parse_target("gfx942")).judge_weaker([lines for _, lines in functions])
    for (name, _), judgement in zip(functions, judgements, strict=True):
        findings = [str(finding) for finding in missing(judgement.findings)]
        assert not findings, (name, findings)


def test_every_catalogue_kernel_has_golden_assembly() -> None:
    assert {"vecadd", "relu", "muladd", "gelu", "gelu_erf"} <= {path.parent.name for path in FILES}


def test_a_right_loop_has_no_findings() -> None:
    assert not judge(LOOP, "gfx942:xnack-")


@pytest.mark.parametrize(
    ("taken_out", "put_in", "what"),
    [("  s_waitcnt vmcnt(0)\n", "", "vmcnt"), ("vmcnt(0)", "vmcnt(1)", "vmcnt"), ("  s_nop 0\n", "", "states")],
)
def test_what_is_missing_is_found(taken_out: str, put_in: str, what: str) -> None:
    found = missing(judge(LOOP.replace(taken_out, put_in), "gfx942:xnack-"))
    assert [finding.what for finding in found] == [what]


def test_what_is_wasted_is_found() -> None:
    wasteful = LOOP.replace("s_nop 0", "s_nop 3")
    findings = judge(wasteful, "gfx942:xnack-")
    assert [(finding.kind, finding.what, finding.ours, finding.wanted) for finding in findings] == [(STRONGER, "states", 4, 1)]


def test_what_llvm_cannot_read_is_said() -> None:
    (finding,) = missing(judge("f:\n  v_no_such_thing v0, v1\n", "gfx942"))
    assert finding.kind == "refused"
    assert "v_no_such_thing" in finding.reason
