"""Certificates of orders: those of loops are right, and corrupted certificates are refused with a code and a
place."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from asmgen.cli.main import main
from asmgen.passes.schedule.modulo import loop_problems
from asmgen.passes.schedule.modulo.certificate import (
    FORMAT,
    Certificate,
    LoopCertificate,
    certified,
    parse_certificate,
    print_certificate,
    problem_record,
)
from asmgen.passes.schedule.modulo.certificate_checks import differences, flaws
from asmgen.passes.schedule.modulo.exact import exact_order, with_branch
from asmgen.passes.schedule.modulo.proof_text import proof
from asmgen.passes.schedule.modulo.values import loop_values
from isa.mir.parser import parse_kernel
from regalloc.liveness import compute_liveness
from tests.unit.passes.test_legal_orders import machine_text

SECONDS = 60.0
SUM = "v_add_f32_e32 %x, 1.0, %old"
LOOPS = {
    "issue": SUM,
    "chain": "ds_read_b32 %x, %old",
    "two trips": "ds_read_b32 %x, %older",
    "pair": "ds_read_b64 %w, %old | v_add_f32_e32 %y, 1.0, %w[0] | v_add_f32_e32 %x, %w[1], %y",
    "sums": "v_add_f32_e32 %x, 1.0, %old | v_add_f32_e32 %y, 1.0, %old | v_mul_f32_e32 %z, %y, %k",
    "rcp": "v_rcp_f32_e32 %y, %old | v_rcp_f32_e32 %z, %y | v_add_f32_e32 %x, %y, %z",
    "turns": "v_rcp_f32_e32 %y, %old | v_rcp_f32_e32 %z, %old | v_add_f32_e32 %x, %y, %z",
    "reads": "ds_read_b32 %y, v0 | ds_read_b32 %z, v0 offset:4 | v_add_f32_e32 %x, %y, %z",
    "mixed": "ds_read_b32 %y, v0 | v_rcp_f32_e32 %z, %y | v_mul_f32_e32 %x, %z, %older",
}  # fmt: skip
TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")
LANES = {target: 32 if target.startswith("gfx1") else 64 for target in TARGETS}


def text_of(name: str, target: str) -> str:
    text = machine_text(LOOPS[name]).replace("gfx942", target).replace("workgroup 64", f"workgroup {LANES[target]}")
    return (
        text
        if LANES[target] == 64
        else text.replace("ds_read_b", "ds_load_b").replace("s_add_u32", "s_add_co_u32" if target == "gfx1201" else "s_add_u32")
    )


def loop_of(name: str, target: str) -> LoopCertificate:
    return certificate_of(text_of(name, target))


def certificate_of(text: str) -> LoopCertificate:
    kernel = parse_kernel(text, "test.mir")
    (problem,) = map(with_branch, loop_problems(kernel))
    values = loop_values(kernel, problem.label, compute_liveness(kernel))
    made = certified(kernel, problem, values, exact_order(problem, values, SECONDS))
    assert made is not None
    assert not list(differences(made, problem_record(kernel, problem, values)))
    return made


@pytest.mark.broad
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", LOOPS)
def test_certificates_of_loops_are_right(name: str, target: str) -> None:
    loop = loop_of(name, target)
    assert not list(flaws(loop))
    written = print_certificate(Certificate(FORMAT, target, [loop]))
    assert parse_certificate(written.encode(), "x.order.json").loops == [loop]
    assert " because " in proof(loop) and " VGPRs, least" in proof(loop)


@cache
def right() -> str:
    return print_certificate(Certificate(FORMAT, "gfx942", [loop_of("pair", "gfx942"), loop_of("reads", "gfx942")]))


Corrupt = Callable[[Any], object]


def at(*path: str | int, to: object) -> Corrupt:
    def corrupt(document: Any) -> None:
        for key in path[:-1]:
            document = document[key]
        document[path[-1]] = to

    return corrupt


def without(*path: str | int) -> Corrupt:
    def corrupt(document: Any) -> None:
        for key in path[:-1]:
            document = document[key]
        del document[path[-1]]

    return corrupt


def add(amount: int, *path: str | int) -> Corrupt:
    def corrupt(document: Any) -> None:
        for key in path[:-1]:
            document = document[key]
        document[path[-1]] += amount

    return corrupt


def as_the_next(number: int) -> Corrupt:
    """An instruction issues with the next."""

    def corrupt(document: Any) -> None:
        start = document["loops"][0]["start"]
        start[number] = start[(number + 1) % len(start)]

    return corrupt


FIELDS = (
    "kernel", "loop", "problem", "interval", "start", "bound", "refuted", "least_interval", "registers", "least_vectors",
    "is_in_order", "copies", "seconds",
)  # fmt: skip
WRONG_TYPES: list[tuple[str, object]] = [
    ("kernel", 3), ("problem", []), ("interval", "52"), ("start", [1.5]), ("bound", None), ("refuted", 4),
    ("registers", {"v": None}), ("least_vectors", "7"), ("is_in_order", 2), ("seconds", "long"),
]  # fmt: skip


def one_vector_more(certificate: Any) -> None:
    """The least number of vector registers is one above those of the order."""
    loop = certificate["loops"][0]
    loop["least_vectors"] = 1 + sum(count for file, count in loop["registers"].items() if file in ("v", "av"))


def corruptions() -> Iterator[tuple[str, str, Corrupt]]:
    """A name, the code, and the corruption."""
    for field in FIELDS:
        yield f"without {field}", "ORD001", without("loops", 0, field)
    for field, value in WRONG_TYPES:
        yield f"type of {field}", "ORD001", at("loops", 0, field, to=value)
    yield "unknown field", "ORD001", at("loops", 0, "proof", to="yes")
    yield "loops of numbers", "ORD001", at("loops", to=[1])
    yield "edges of three", "ORD001", at("loops", 0, "problem", "edges", 0, to=[0, 1, 2])
    yield "format", "ORD002", at("format", to="asmgen order 0")
    yield "no loop", "ORD003", at("loops", to=[])
    problem = ("loops", 0, "problem")
    yield "edge to nowhere", "ORD003", at(*problem, "edges", 0, 1, to=99)
    yield "edge from nowhere", "ORD003", at(*problem, "edges", 0, 0, to=-1)
    yield "edge back in a trip", "ORD003", at(*problem, "edges", 0, to=[2, 1, 4, 0])
    yield "edge to itself in a trip", "ORD003", at(*problem, "edges", -1, to=[2, 2, 0, 0])
    yield "edge of many clocks", "ORD003", at(*problem, "edges", 0, 2, to=1 << 40)
    yield "edge of fewer clocks than none", "ORD003", at(*problem, "edges", 0, 2, to=-4)
    yield "no instructions", "ORD003", at(*problem, "instructions", to=[])
    yield "an instruction less", "ORD003", without(*problem, "instructions", 0)
    yield "uses of an instruction less", "ORD003", without(*problem, "uses", 0)
    yield "an unknown resource", "ORD003", at(*problem, "uses", 0, 0, 0, to="texture")
    yield "a use below 0", "ORD003", at(*problem, "uses", 0, 0, 1, to=-8)
    yield "a use without end", "ORD003", at(*problem, "uses", 0, 0, 1, to=1 << 40)
    yield "no sharers", "ORD003", at(*problem, "sharers", to={})
    yield "sharers below 1", "ORD003", at(*problem, "sharers", "lds", to=0)
    yield "a class of registers", "ORD003", at(*problem, "values", 1, "file", to="w")
    yield "a value without units", "ORD003", at(*problem, "values", 1, "units", to=0)
    yield "a maker that is not there", "ORD003", at(*problem, "values", 1, "maker", to=77)
    yield "a reader that is not there", "ORD003", at(*problem, "values", 1, "readers", 0, 0, to=-7)
    yield "a reader of an earlier trip", "ORD003", at(*problem, "values", 1, "readers", 0, 1, to=-1)
    yield "a value without a maker", "ORD003", at(*problem, "values", 1, "maker", to=None)
    yield "edges of no value", "ORD003", at(*problem, "edges", to=[])
    yield "an edge of another trip", "ORD003", at(*problem, "edges", to=[[0, 1, 52, 1]])
    yield "seconds below 0", "ORD003", at("loops", 0, "seconds", to=-1.0)
    for number in range(6):
        yield f"start {number} on another", "ORD004", as_the_next(number)
    yield "a start below 0", "ORD004", at("loops", 0, "start", 0, to=-4)
    yield "a start less", "ORD004", without("loops", 0, "start", 0)
    yield "an interval of 0", "ORD004", at("loops", 0, "interval", to=0)
    yield "a shorter interval", "ORD004", add(-4, "loops", 0, "interval")
    yield "an interval without end", "ORD004", at("loops", 0, "interval", to=1 << 50)
    yield "more waves", "ORD004", at(*problem, "sharers", "lds", to=100)
    yield "a longer edge", "ORD004", add(4, *problem, "edges", 0, 2)
    yield "a longer bound", "ORD005", add(4, "loops", 0, "bound", "interval")
    yield "a shorter bound", "ORD005", add(-4, "loops", 0, "bound", "interval")
    yield "no reason", "ORD005", at("loops", 0, "bound", "circuit", to=[])
    yield "an edge that is not there", "ORD005", at("loops", 0, "bound", "circuit", 0, to=999)
    yield "a circuit that is none", "ORD005", without("loops", 0, "bound", "circuit", 0)
    yield "an idle resource", "ORD005", at("loops", 0, "bound", "resource", to="matrix")
    yield "no resource", "ORD005", at("loops", 0, "bound", "resource", to="texture")
    yield "another busy resource", "ORD005", at("loops", 1, "bound", "resource", to="lds")
    yield "two reasons", "ORD005", at("loops", 1, "bound", "circuit", to=[0])
    yield "refuted above the order", "ORD005", at("loops", 0, "refuted", to=[1000])
    yield "a gap in what is refuted", "ORD005", at("loops", 1, "refuted", to=[16, 24])
    yield "nothing is below", "ORD005", add(4, "loops", 0, "least_interval")
    yield "fewer registers", "ORD006", add(-1, "loops", 0, "registers", "v")
    yield "another class of registers", "ORD006", at("loops", 0, "registers", to={"a": 4})
    yield "more than the order takes", "ORD006", at("loops", 0, "least_vectors", to=50)
    yield "one more than the order takes", "ORD006", one_vector_more
    yield "fewer than lives take", "ORD006", at("loops", 0, "least_vectors", to=1)
    yield "longer lives", "ORD006", add(1, "loops", 0, "least_of_lives")
    yield "shorter lives", "ORD006", add(-1, "loops", 0, "least_of_lives")


CORRUPTIONS = list(corruptions())
OTHER_TURNS: tuple[tuple[str, Corrupt], ...] = (
    ("got 20 clocks, by its reason there are 19", add(1, "bound", "interval")),
    ("got 19 clocks, by its reason there are 5", at("bound", "around", to=3)),
    ("got 9, wanted one of 6 instructions", at("bound", "around", to=9)),
    ("got -1, wanted one of 6 instructions", at("bound", "around", to=-1)),
    ("wanted one reason", at("bound", "resource", to="issue")),
    ("wanted one reason", at("bound", "circuit", to=[0])),
)


@pytest.mark.parametrize(("message", "corrupt"), OTHER_TURNS)
def test_a_corrupted_bound_by_turns_is_refused(message: str, corrupt: Corrupt) -> None:
    """Two reciprocals take turns in the transcendental pipe, and a sum waits for both."""
    loop = loop_of("turns", "gfx1100")
    assert "least because instruction 2 is 19 clocks before its next trip: " in proof(loop)
    document = msgspec.to_builtins(loop)
    _ = corrupt(document)
    found = list(flaws(msgspec.convert(document, LoopCertificate)))
    assert [flaw.code for flaw in found] == ["ORD005"]
    assert message in found[0].message


@cache
def product() -> LoopCertificate:
    """A trip takes 56 clocks: 52 for the load, 4 for the sum of its result. The clocks after the load belong to the sum and
    to the load of the next trip. So the product comes later, when two fragments are live."""
    text = machine_text("ds_read_b64 %w, %old | v_mfma_f32_4x4x4_16b_f16 %s, %w, %w, 0 | v_add_f32_e32 %x, 1.0, %w[0]")
    return certificate_of(text.replace("register %k vgpr\n", "register %k vgpr\nregister %s vgpr 4 align 2\n"))


OTHER_FRAGMENTS: tuple[tuple[str, Corrupt], ...] = (
    ("got 3, the order has 4 live at once", add(-1, "fragments")),
    ("got 5, the order has 4 live at once", add(1, "fragments")),
    ("got 3, they take 4 if matrix instructions keep their order", add(-1, "least_fragments")),
    ("got 5, they take 4 if matrix instructions keep their order", add(1, "least_fragments")),
    ("got 0, they take 4 if matrix instructions keep their order", at("least_fragments", to=0)),
    ("got 0, the order has 4 live at once", at("fragments", to=0)),
    (" if matrix instructions keep their order", add(1, "least_in_order")),
    (" if matrix instructions keep their order", add(-1, "least_in_order")),
    (" if matrix instructions keep their order", at("least_in_order", to=0)),
)


@pytest.mark.parametrize(("message", "corrupt"), OTHER_FRAGMENTS)
def test_corrupted_fragments_are_refused(message: str, corrupt: Corrupt) -> None:
    assert (product().fragments, product().least_fragments) == (4, 4)
    document = msgspec.to_builtins(product())
    _ = corrupt(document)
    found = list(flaws(msgspec.convert(document, LoopCertificate)))
    assert [flaw.code for flaw in found] == ["ORD006"]
    assert message in found[0].message


def test_fragments_that_a_certificate_does_not_state_are_no_flaw() -> None:
    assert not list(flaws(product()))
    assert not list(flaws(msgspec.structs.replace(product(), least_in_order=0, fragments=0, least_fragments=0)))


def refusal(data: bytes, folder: Path, capfd: pytest.CaptureFixture[str]) -> str:
    file = folder / "x.order.json"
    _ = file.write_bytes(data)
    assert main(["check-order", str(file)]) == 1
    told = capfd.readouterr().err
    assert told.startswith(f"{file}: error["), told
    return told


@pytest.mark.parametrize(("name", "code", "corrupt"), CORRUPTIONS, ids=[name for name, _, _ in CORRUPTIONS])
def test_corrupted_certificates_are_refused(name: str, code: str, corrupt: Corrupt, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    document = json.loads(right())
    _ = corrupt(document)
    told = refusal(json.dumps(document).encode(), tmp_path, capfd)
    assert f"error[{code}]: " in told, (name, told)


@pytest.mark.parametrize("data", [b"", b"{", b"null", b"\xff\xfe", b"[" * 100_000, b'{"format": "asmgen order 1"}'])
def test_files_that_are_no_certificates_are_refused(data: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert "error[ORD001]: no certificate of an order: " in refusal(data, tmp_path, capfd)


def test_a_right_certificate_is_verified(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file, document = tmp_path / "x.order.json", json.loads(right())
    document["loops"][1]["least_of_lives"] = 0  # not stated
    _ = file.write_text(json.dumps(document))
    assert main(["check-order", str(file)]) == 0
    lines = capfd.readouterr().out.splitlines()
    pair, reads = [line for line in lines if line.startswith("verified: ")]
    assert pair.startswith("verified: test: loop: 60 clocks a trip, least because a chain of dependences returns to its start after 60")
    assert reads.startswith("verified: test: loop: ")
    by_lives = [" VGPRs, least because the values of any such order live as long (" in line for line in (pair, reads)]
    assert by_lives == [True, False], "a bound that needs no search says so"
    repeated = [line for line in lines if line.startswith("  not repeated: ")]
    assert len(repeated) == 1 and "the search for fewer than " in repeated[0]


def test_more_than_sixty_certificates_are_corrupted() -> None:
    assert len(CORRUPTIONS) + len(OTHER_FRAGMENTS) >= 70 and len(LOOPS) * len(TARGETS) >= 40
