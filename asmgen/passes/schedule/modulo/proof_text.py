"""The proof of an order as a sentence.

loop: 512 clocks a trip, least because the matrix pipe is busy in all of them; 96 VGPRs, least by the search
loop: 196 clocks a trip, least because none is below 192 because LDS is busy in all of them, and a search ...
loop: 196 clocks a trip, no proof within 60 s: least between 192 and 196 clocks because LDS is busy in all ...
"""

from __future__ import annotations

from asmgen.passes.schedule.modulo.bound import Bound
from asmgen.passes.schedule.modulo.certificate import RESOURCES, LoopCertificate
from asmgen.passes.schedule.modulo.constraints import FEW_STAGES
from asmgen.passes.schedule.modulo.merged import VECTORS
from asmgen.passes.schedule.modulo.problem import Resource

_IN_ORDER = "that keeps the order of matrix instructions"


def proof(loop: LoopCertificate) -> str:
    """A loop's order, and why no order has a shorter interval and fewer VGPRs."""
    head = f"{loop.kernel}: {loop.loop}: {loop.interval:,} clocks a trip"
    return f"{head}, {_interval(loop)}; {_vectors(loop)}{_fragments(loop)} ({loop.seconds} s)"


def no_order(kernel: str, loop: str, bound: Bound, refuted: int, seconds: float) -> str:
    """A loop for which a search found no order in its time. `refuted` are the intervals that it refuted."""
    reason = _reason(bound.resource, bound.interval, bound.around)
    more = f", and {refuted} intervals from there on are refuted" if refuted else ""
    head = f"{kernel}: {loop}: no order found in {seconds:.0f} s"
    return f"{head}; none is below {bound.interval:,} clocks because {reason}{more}"


def _interval(loop: LoopCertificate) -> str:
    bound = loop.bound
    resource = None if bound.resource is None else RESOURCES[bound.resource]
    reason = _reason(resource, bound.interval, bound.around)
    refuted = f", and a search refuted {_span(loop.refuted)}" if loop.refuted else ""
    if loop.interval > loop.least_interval:
        below = f"none is below {bound.interval:,} because {reason}"
        between = f"least between {loop.least_interval:,} and {loop.interval:,} clocks"
        return f"{_no_proof(loop)}: {between}, as {below}{refuted}"
    if loop.interval == bound.interval:
        return f"least because {reason}"
    return f"least because none is below {bound.interval:,} because {reason}{refuted}"


def _no_proof(loop: LoopCertificate) -> str:
    return f"no proof within {loop.seconds:g} s"


def _span(refuted: list[int]) -> str:
    return f"{refuted[0]:,}" if len(refuted) == 1 else f"{refuted[0]:,} to {refuted[-1]:,}"


def _reason(resource: Resource | None, clocks: int, around: int | None) -> str:
    if resource is not None:
        return f"{resource.value} is busy in all of them"
    if around is None:
        return f"a chain of dependences returns to its start after {clocks:,} clocks a trip"
    return (
        f"instruction {around} is {clocks:,} clocks before its next trip: instructions between them depend "
        "on each other or take turns"
    )


def _vectors(loop: LoopCertificate) -> str:
    taken = sum(loop.registers.get(file.value, 0) for file in VECTORS)
    if loop.least_of_lives == taken:
        return f"{taken} VGPRs, least because the values of any such order live as long"
    of_lives = f"; in any order not fewer than {loop.least_of_lives}" if loop.least_of_lives else ""
    if loop.least_in_order == taken:
        return f"{taken} VGPRs, least because the values of any such order {_IN_ORDER} live as long{of_lives}"
    if loop.least_vectors == taken:
        return f"{taken} VGPRs, least by the search{_among(loop)}{of_lives}"
    between = f"{taken} VGPRs, {_no_proof(loop)}: least between {loop.least_vectors} and {taken} VGPRs"
    is_of_all = loop.least_vectors == loop.least_of_lives
    return between if is_of_all else f"{between}{_among(loop)}{of_lives}"


def _fragments(loop: LoopCertificate) -> str:
    if not loop.fragments:
        return ""
    taken = f"; {loop.fragments} VGPRs of fragments"
    if loop.fragments == loop.least_fragments:
        return f"{taken}, least because those of any such order {_IN_ORDER} live as long"
    return f"{taken}, not fewer than {loop.least_fragments} in any such order {_IN_ORDER}"


def _among(loop: LoopCertificate) -> str:
    """The orders that were searched for fewer registers, if not all."""
    kept = ["keep the order of matrix instructions"] if loop.is_in_order else []
    if loop.copies:
        kept.append(f"keep each value for at most {loop.copies} trip{'s' if loop.copies > 1 else ''}")
    if kept:
        kept.append(f"start each instruction within {FEW_STAGES} trips of the branch")
    return f" among orders that {', '.join(kept[:-1])} and {kept[-1]}" if kept else ""
