"""The sentence of a proof: it says which part of an order is proven, and between which numbers the least is if no search
decided."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from asmgen.passes.schedule.modulo.certificate import BoundRecord, LoopCertificate, ProblemRecord
from asmgen.passes.schedule.modulo.proof_text import proof

LDS = BoundRecord(192, "lds", [])
CHAIN = BoundRecord(192, None, [0])
LOOP = LoopCertificate("gemm", "loop", ProblemRecord([], [], [], {}, []), 192, [], LDS, [], 192, {"v": 20, "av": 13, "s": 9}, 33, False, 0, 60.04, 33)
BELOW = "none is below 192 because LDS is busy in all of them"


@pytest.mark.parametrize(
    ("changes", "interval"),
    [
        ({}, "192 clocks a trip, least because LDS is busy in all of them"),
        ({"bound": CHAIN}, "192 clocks a trip, least because a chain of dependences returns to its start after 192 clocks a trip"),
        ({"interval": 196, "least_interval": 196, "refuted": [192]},
         f"196 clocks a trip, least because {BELOW}, and a search refuted 192"),
        ({"interval": 200},
         f"200 clocks a trip, no proof within 60.04 s: least between 192 and 200 clocks, as {BELOW}"),
        ({"interval": 208, "least_interval": 200, "refuted": [192, 196]},
         f"208 clocks a trip, no proof within 60.04 s: least between 200 and 208 clocks, as {BELOW}, and a search refuted 192 to 196"),
    ],
)  # fmt: skip
def test_the_interval(changes: dict[str, Any], interval: str) -> None:
    told = proof(msgspec.structs.replace(LOOP, **changes))
    assert told == f"gemm: loop: {interval}; 33 VGPRs, least because the values of any such order live as long (60.04 s)"


ANY = "least because the values of any such order live as long"
IN_ORDER = "that keeps the order of matrix instructions"
NEAR = "start each instruction within 6 trips of the branch"
KEPT = f" among orders that keep the order of matrix instructions, keep each value for at most 1 trip and {NEAR}"


@pytest.mark.parametrize(
    ("changes", "vectors"),
    [
        ({"least_of_lives": 30}, "33 VGPRs, least by the search; in any order not fewer than 30"),
        ({"least_of_lives": 0}, "33 VGPRs, least by the search"),
        ({"least_of_lives": 30, "is_in_order": True, "copies": 1}, f"33 VGPRs, least by the search{KEPT}; in any order not fewer than 30"),
        ({"least_of_lives": 0, "copies": 2}, f"33 VGPRs, least by the search among orders that keep each value for at most 2 trips and {NEAR}"),
        ({"least_of_lives": 30, "least_vectors": 30, "copies": 2}, "33 VGPRs, no proof within 60.04 s: least between 30 and 33 VGPRs"),
        ({"least_of_lives": 30, "least_in_order": 33, "is_in_order": True, "copies": 1},
         f"33 VGPRs, least because the values of any such order {IN_ORDER} live as long; in any order not fewer than 30"),
        ({"least_of_lives": 30, "least_in_order": 31, "is_in_order": True, "copies": 1},
         f"33 VGPRs, least by the search{KEPT}; in any order not fewer than 30"),
        ({"fragments": 16, "least_fragments": 16},
         f"33 VGPRs, {ANY}; 16 VGPRs of fragments, least because those of any such order {IN_ORDER} live as long"),
        ({"fragments": 16, "least_fragments": 12},
         f"33 VGPRs, {ANY}; 16 VGPRs of fragments, not fewer than 12 in any such order {IN_ORDER}"),
        ({"least_of_lives": 30, "least_vectors": 31, "is_in_order": True, "copies": 1},
         f"33 VGPRs, no proof within 60.04 s: least between 31 and 33 VGPRs{KEPT}; in any order not fewer than 30"),
    ],
)  # fmt: skip
def test_the_registers(changes: dict[str, Any], vectors: str) -> None:
    told = proof(msgspec.structs.replace(LOOP, **changes))
    assert told == f"gemm: loop: 192 clocks a trip, least because LDS is busy in all of them; {vectors} (60.04 s)"
