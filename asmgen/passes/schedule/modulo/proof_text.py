"""The proof of an order as a sentence.

loop: 512 clocks a trip, least because the matrix pipe is busy in all of them; 96 VGPRs, least by the search
loop: 196 clocks a trip, least because a search refuted 192, below which the issue of the wave is busy ...
"""

from __future__ import annotations

from asmgen.passes.schedule.modulo.bound import Bound
from asmgen.passes.schedule.modulo.certificate import RESOURCES, LoopCertificate
from asmgen.passes.schedule.modulo.merged import VECTORS
from asmgen.passes.schedule.modulo.problem import Resource


def proof(loop: LoopCertificate) -> str:
    """A loop's order, and why no order has a shorter interval and fewer VGPRs."""
    head = f"{loop.kernel}: {loop.loop}: {loop.interval:,} clocks a trip"
    return f"{head}, {_interval(loop)}; {_vectors(loop)} ({loop.seconds} s)"


def no_order(kernel: str, loop: str, bound: Bound, refuted: int, seconds: float) -> str:
    """A loop for which a search found no order in its time. `refuted` are the intervals that it refuted."""
    reason = _busy(bound.resource) if bound.resource is not None else _chain(bound.interval)
    more = f", and {refuted} intervals from there on are refuted" if refuted else ""
    head = f"{kernel}: {loop}: no order found in {seconds:.0f} s"
    return f"{head}; none is below {bound.interval:,} clocks because {reason}{more}"


def _interval(loop: LoopCertificate) -> str:
    bound = loop.bound
    reason = _chain(bound.interval) if bound.resource is None else _busy(RESOURCES[bound.resource])
    if loop.interval == bound.interval:
        return f"least because {reason}"
    if not loop.refuted and loop.interval > loop.least_interval:
        return f"none below {loop.least_interval:,} because {reason}"
    below = f"none is below {bound.interval:,} because {reason}"
    least = "least" if loop.interval == loop.least_interval else f"none below {loop.least_interval:,}"
    return f"{least} because {below}, and a search refuted {_span(loop.refuted)}"


def _span(refuted: list[int]) -> str:
    return f"{refuted[0]:,}" if len(refuted) == 1 else f"{refuted[0]:,} to {refuted[-1]:,}"


def _busy(resource: Resource) -> str:
    return f"{resource.value} is busy in all of them"


def _chain(clocks: int) -> str:
    return f"a chain of dependences returns to its start after {clocks:,} clocks a trip"


def _vectors(loop: LoopCertificate) -> str:
    taken = sum(loop.registers.get(file.value, 0) for file in VECTORS)
    if loop.least_of_lives == taken:
        return f"{taken} VGPRs, least because the values of any such order live as long"
    of_lives = f"; in any order not fewer than {loop.least_of_lives}" if loop.least_of_lives else ""
    least = "least" if loop.least_vectors == taken else f"not fewer than {loop.least_vectors}"
    return f"{taken} VGPRs, {least} by the search{_among(loop)}{of_lives}"


def _among(loop: LoopCertificate) -> str:
    """The orders that were searched for fewer registers, if not all."""
    kept = ["keep the order of matrix instructions"] if loop.is_in_order else []
    if loop.copies:
        kept.append(f"keep each value for at most {loop.copies} trip{'s' if loop.copies > 1 else ''}")
    return f" among orders that {' and '.join(kept)}" if kept else ""
