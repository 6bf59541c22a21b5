"""`--verify` finds every wrong result and accepts right results."""

from __future__ import annotations

import pytest

import asmgen
from tests.mutants.builders import Subject
from tests.mutants.conformance import DEFAULTS
from tests.mutants.seam import opened
from tests.mutants.subjects import SUBJECTS, WRONG_SUBJECTS
from tests.mutants.verdict import fault_named
from tests.mutants.wrong_results import KINDS

# a program of each kind in the ordinary suite; `test_every_wrong_result_is_found` has all of them
_SAMPLE = (
    ("0", "row_sum(rows=5,cols=300)"), ("twice", "row_sum(rows=5,cols=300)"),
    ("one element lost", "sum f32 {512,300} over {1}"), ("one counted twice", "layernorm(rows=7,cols=40)"),
    ("neighbour's row", "row_max(rows=20,cols=64,dtype=f16)"),
    ("last tail lost", "rmsnorm(rows=7,cols=100)"), ("a wave's partial lost", "softmax(rows=5,cols=300)"),
    ("wrong axis", "abs transposed"), ("off by one row", "vecadd(n=70,dtype=i32)"),
    ("max for sum", "prod i32 {3,4,2,2} over {1}"), ("one element lost", "gemm(m=20,n=40,k=70)"),
    ("one element lost", "gemm(m=8,n=8,k=8192)"), ("one element lost", "swiglu_mlp(m=9,n=20,k=72,dtype=f16)"),
    ("one counted twice", "fp8_linear(m=9,n=32,k=128,block=32)"), ("one counted twice", "linear(m=20,n=24,k=72,dtype=f16)"),
)  # fmt: skip


@pytest.mark.parametrize(("kind", "name"), _SAMPLE)
def test_a_wrong_result_is_found(kind: str, name: str) -> None:
    program = asmgen.compile(SUBJECTS[name].graph())
    assert program.graph is not None
    ways = KINDS[kind](program.graph)
    assert not isinstance(ways, str)
    with opened(ways[-1].run, [program]):
        assert fault_named(program), f"{kind}: {ways[-1].name} is not found in {name}"


@pytest.mark.slow
@pytest.mark.parametrize("subject", WRONG_SUBJECTS, ids=lambda subject: subject.name)
def test_every_wrong_result_is_found(subject: Subject) -> None:
    missed = [f"{kind}: {name}" for kind, ways in found_ways(subject).items() if not isinstance(ways, str) for name, said in ways.items() if not said]
    assert not missed, f"{subject.name}: {len(missed)} wrong results are not found:\n" + "\n".join(missed)


def found_ways(subject: Subject) -> dict[str, dict[str, str] | str]:
    """For each kind of wrong result the verdict on each way to it, or the reason why there is no way."""
    program = asmgen.compile(subject.graph())
    assert program.graph is not None
    assert not fault_named(program), f"{subject.name} is right and has to be found so"
    found: dict[str, dict[str, str] | str] = {}
    for kind, ways_of in KINDS.items():
        ways = ways_of(program.graph)
        if isinstance(ways, str):
            found[kind] = ways
            continue
        said: dict[str, str] = {}
        for way in ways if subject not in DEFAULTS else ways[-1:]:
            with opened(way.run, [program]):
                said[way.name] = fault_named(program)
        found[kind] = said
    return found
