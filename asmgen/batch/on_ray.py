"""Pieces of work on the nodes of a Ray cluster: a host (`asmgen.batch.host`) on each node does them in
processes.

A node is lost if it ends, or is silent for a while; its pieces are then done on other nodes. Answers of a
node are given on after another node has repeated one of them with the same answer. If two nodes disagree,
this machine decides, and the node with another answer is lost, with all that it did since it last agreed.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from typing import Any

from msgspec import Struct, field, msgpack

from asmgen.batch.cluster import Cluster, Lost, Node
from asmgen.batch.host import Given
from asmgen.batch.pool import outcomes
from asmgen.batch.work import Outcomes, Work
from asmgen.batch.worker import CRASHED, Limits, Outcome
from asmgen.cache.answer import SECONDS
from isa.diagnostics import InputError

Tell = Callable[[str], None]
_EVERY = 64  # answers of a node, after which another node repeats one of them
_AHEAD = 4  # pieces that a node has for each of its processes
_MOST_LOSSES = 3  # nodes that are lost with a piece, after which it is given up


class OnRay:
    """An executor on the nodes of a cluster, with `jobs` processes on each, by default as many as it has
    CPUs. `tell` gets a line about each node that is lost. The first work starts a host on each node, and the
    others use it.

    Its generators raise `InputError` BAT020 for an address at which no cluster answers, BAT021 without Ray,
    BAT022 for a node with other versions, BAT023 if all nodes are lost.
    """

    def __init__(self, address: str, jobs: int | None, tell: Tell) -> None:
        self._address = address
        self._jobs = jobs
        self._tell = tell
        self._cluster: Cluster | None = None

    def __call__(self, pieces: Iterator[int], work: Work, limits: Limits) -> Outcomes:
        given = msgpack.encode(Given(work.entry, work.data, _contents(work.files()), limits))
        if self._cluster is None:
            self._cluster = Cluster(self._address, self._jobs)
        try:
            self._cluster.begin(given)
            self._tell_unusable(self._cluster)
            yield from _Run(self._cluster, pieces, work, limits, self._tell).outcomes()
        except BaseException:
            self.close()
            raise

    def _tell_unusable(self, cluster: Cluster) -> None:
        for name, reason in cluster.unusable:
            self._tell(f"the node {name} started no host ({reason}) and is not used")
        cluster.unusable.clear()

    def close(self) -> None:
        """End the hosts, and leave the cluster."""
        if self._cluster is not None:
            self._cluster.close()
            self._cluster = None


def _contents(names: Sequence[str]) -> dict[str, bytes]:
    """The files that hosts must have: those below the working directory."""
    contents: dict[str, bytes] = {}
    for name in names:
        is_below = not os.path.isabs(name) and not os.path.normpath(name).startswith("..")
        if is_below and os.path.isfile(name):
            with suppress(OSError), open(name, "rb") as file:  # a piece reports a file that cannot be read
                contents[name] = file.read()
    return contents


class _Share(Struct):
    """The pieces of a node: those that it is doing, with the number of its process that `repeats` another
    node's piece, and its answers that no other node has confirmed."""

    doing: set[int] = field(default_factory=set[int])
    repeats: dict[int, Node] = field(default_factory=dict[int, Node])
    unconfirmed: dict[int, Outcome] = field(default_factory=dict[int, Outcome])
    asked: int | None = None  # its piece that another node repeats

    @property
    def is_open(self) -> bool:
        return bool(self.doing or self.repeats or self.unconfirmed)


class _Run:
    """A run of pieces on a cluster."""

    def __init__(
        self, cluster: Cluster, pieces: Iterator[int], work: Work, limits: Limits, tell: Tell
    ) -> None:
        self._cluster = cluster
        self._pieces = pieces
        self._judge = partial(_done_here, work, limits)
        self._tell = tell
        self._again: deque[int] = deque()
        self._losses: dict[int, int] = {}
        self._shares: dict[Node, _Share] = {node: _Share() for node in cluster.nodes}
        self._ready: list[tuple[int, Outcome]] = []
        self._has_more = True

    def outcomes(self) -> Outcomes:
        """Each piece with its outcome, as other nodes confirm them."""
        while True:
            self._ask_for_repeats()
            for node, share in self._shares.items():
                self._feed(node, share)
            if self._ready:
                yield from self._taken()
                continue
            if not any(share.is_open for share in self._shares.values()):
                return
            for node, answers in self._cluster.answers():
                self._take(node, answers)
            yield None
            yield from self._taken()

    def _taken(self) -> Iterator[tuple[int, Outcome]]:
        ready, self._ready = self._ready, []
        yield from ready

    def _feed(self, node: Node, share: _Share) -> None:
        """Give a node pieces, so that its processes do not wait."""
        numbers: list[int] = []
        while len(share.doing) < _AHEAD * node.jobs:
            number = self._next()
            if number is None:
                break
            share.doing.add(number)
            numbers.append(number)
        if numbers:
            node.give(numbers)

    def _next(self) -> int | None:
        if self._again:
            return self._again.popleft()
        number = next(self._pieces, None) if self._has_more else None
        self._has_more = number is not None
        return number

    def _take(self, node: Node, answers: list[tuple[int, Outcome]] | Lost) -> None:
        """Take the answers of a node, unless it was lost before."""
        share = self._shares.get(node)
        if share is None:
            return
        if isinstance(answers, Lost):
            self._lose(node, answers.reason)
            return
        for number, outcome in answers:
            if number in share.repeats:
                self._compare(share.repeats.pop(number), node, number, outcome)
                if node not in self._shares:
                    return
            elif number in share.doing:
                share.doing.remove(number)
                share.unconfirmed[number] = outcome

    def _ask_for_repeats(self) -> None:
        """Let another node repeat a piece of each node with enough answers, or with its last pieces."""
        is_end = not self._has_more and not self._again
        for node, share in list(self._shares.items()):
            if len(self._shares) == 1:
                self._confirm(share)
            is_due = len(share.unconfirmed) >= _EVERY or (is_end and not share.doing)
            if not is_due or not share.unconfirmed or share.asked is not None:
                continue
            number = max(share.unconfirmed)
            others = [other for other in self._shares if other is not node]
            other = min(
                others, key=lambda each: len(self._shares[each].doing) + len(self._shares[each].repeats)
            )
            if number in self._shares[other].repeats:
                continue
            share.asked = number
            self._shares[other].repeats[number] = node
            other.give([number])

    def _confirm(self, share: _Share) -> None:
        self._ready += share.unconfirmed.items()
        share.unconfirmed = {}
        share.asked = None

    def _compare(self, node: Node, by: Node, number: int, outcome: Outcome) -> None:
        """Compare the answer of a node with that of another, which repeats it."""
        share = self._shares.get(node)
        if share is None or share.asked != number:
            return
        own = share.unconfirmed[number]
        if _is_same(own, outcome):
            self._confirm(share)
            return
        share.asked = None
        here = self._judge(number)
        if not _is_same(own, here):
            self._lose(node, "gives other answers than this machine")
        else:
            self._confirm(share)
        if not _is_same(outcome, here):
            self._lose(by, "gives other answers than this machine")

    def _lose(self, node: Node, reason: str) -> None:
        """Drop a node, and do its pieces again. `InputError` BAT023 if none is left."""
        share = self._shares.pop(node)
        self._cluster.drop(node)
        again = sorted({*share.doing, *share.unconfirmed})
        self._tell(f"the node {node.name} {reason}; {len(again)} pieces are done again on other nodes")
        if not self._shares:
            message = f"the last node, {node.name}, {reason}, wanted a node that does the rest"
            raise InputError("--ray", "BAT023", message)
        for number in share.doing:
            self._losses[number] = self._losses.get(number, 0) + 1
        for number in reversed(again):
            if self._losses.get(number, 0) >= _MOST_LOSSES:
                reason = f"{_MOST_LOSSES} nodes were lost while they did it"
                self._ready.append((number, Outcome(None, CRASHED, reason)))
            else:
                self._again.appendleft(number)
        for number, other in share.repeats.items():
            if other in self._shares and self._shares[other].asked == number:
                self._shares[other].asked = None


def _is_same(first: Outcome, second: Outcome) -> bool:
    """Whether two answers of a piece agree; a fault, such as a limit of time, may be the machine's."""
    return first.answer is None or second.answer is None or _of(first) == _of(second)


def _of(outcome: Outcome) -> Any:
    assert outcome.answer is not None
    return outcome.answer.status, [part for part in outcome.answer.parts if part.channel != SECONDS]


def _done_here(work: Work, limits: Limits, number: int) -> Outcome:
    """The outcome of a piece in a process of this machine."""
    with closing(outcomes(iter([number]), work.run, 1, limits)) as ended:
        return next(item[1] for item in ended if item is not None)
