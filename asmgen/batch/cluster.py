"""The nodes of a Ray cluster, each with a host. Only this module imports Ray, when a cluster is used."""

from __future__ import annotations

import os
import queue
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, BinaryIO, cast

from msgspec import Struct, msgpack

from asmgen.batch.host import LAST, SIZE_BYTES, Ended, read_frame, write_frame
from asmgen.batch.worker import Outcome
from asmgen.cache.version import code_version, installed
from isa.diagnostics import InputError

AUTO = "auto"
_OPTION = "--ray"
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_ANSWER = 5.0  # seconds for a cluster to answer
_START = 90.0  # seconds for a node to start a host
SILENCE = 20.0  # seconds without an answer, after which a node is lost
_WAIT = 1.0  # seconds that a host waits for outcomes, and that we wait for hosts
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
_SETTINGS = 4  # the type of the first frame of a server of HTTP/2, in byte 3


class Lost(Struct, frozen=True):
    """A node that is lost, and why."""

    reason: str


class Node:
    """A node of the cluster, with `jobs` processes. `name` is its address."""

    def __init__(self, name: str, jobs: int, host: Any) -> None:
        self.name = name
        self.jobs = jobs
        self.host = host
        self.since = time.monotonic()

    def give(self, numbers: Sequence[int]) -> None:
        """Give the node pieces."""
        _ = self.host.give.remote(numbers)

    def take(self) -> Any:
        """Ask for outcomes: their reference."""
        self.since = time.monotonic()
        return self.host.take.remote(_WAIT)


class Cluster:
    """The nodes of the cluster at an address, HOST:PORT or `auto`, and the names of those that started no
    host for a work, each with the reason. Raises `InputError` as `OnRay` says."""

    def __init__(self, address: str, jobs: int | None) -> None:
        self._ray = _ray()
        self.nodes: list[Node] = []
        self.unusable: list[tuple[str, str]] = []
        self._asked: dict[Any, Node] = {}
        where = _answering(address)
        try:
            self._ray.init(
                where, logging_level="error", log_to_driver=False, configure_logging=False,
                runtime_env={"env_vars": {"PYTHONPATH": _ROOT}},
            )  # fmt: skip
        except (RuntimeError, ConnectionError, OSError, ValueError) as error:
            raise _refusal(address, error) from error
        try:
            self._start(jobs)
        except BaseException:
            self.close()
            raise

    def _start(self, jobs: int | None) -> None:
        """Start a host on each node, and compare versions."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        actor = self._ray.remote(num_cpus=0, max_restarts=0, max_concurrency=2)(RayHost)
        versions: dict[Any, Node] = {}
        for node in sorted(self._ray.nodes(), key=lambda each: each["NodeID"]):
            if not node["Alive"]:
                continue
            processes = jobs or max(1, int(node["Resources"].get("CPU", 1)))
            strategy = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            host = actor.options(scheduling_strategy=strategy).remote(processes)
            name = f"{node['NodeManagerAddress']} ({node['NodeID'][:8]})"
            versions[host.version.remote()] = Node(name, processes, host)
        for node, version in self._answers_of(versions, _START):
            check_version(node.name, version)
            self.nodes.append(node)
        self._require_a_node(len(versions))

    def _answers_of(self, asked: dict[Any, Node], seconds: float) -> list[tuple[Node, Any]]:
        """The answers of nodes; those without an answer become unusable."""
        ready, late = self._ray.wait(list(asked), num_returns=len(asked), timeout=seconds)
        for reference in late:
            self.unusable.append((asked[reference].name, f"silent for {seconds:g} seconds"))
            self.drop(asked[reference])
        answers: list[tuple[Node, Any]] = []
        for reference in ready:
            try:
                answers.append((asked[reference], self._ray.get(reference)))
            except self._ray.exceptions.RayError as error:
                self.unusable.append((asked[reference].name, _last_line(error)))
                self.drop(asked[reference])
        return answers

    def _require_a_node(self, count: int) -> None:
        if not self.nodes:
            why = self.unusable[-1][1] if self.unusable else "none is alive"
            message = f"no node of {count} started a host ({why}), wanted a node that has asmgen"
            raise InputError(_OPTION, "BAT023", message, help="`ray status` and Ray's logs say why")

    def begin(self, given: bytes) -> None:
        """Give each node a work, after the pieces of the work before."""
        work, count = self._ray.put(given), len(self.nodes)
        _ = self._answers_of({node.host.begin.remote(work): node for node in self.nodes}, _START)
        self._require_a_node(count)

    def answers(self) -> Iterator[tuple[Node, list[tuple[int, Outcome]] | Lost]]:
        """The answers of nodes within a second, and the nodes that are lost."""
        waiting = set(self._asked.values())
        for node in self.nodes:
            if node not in waiting:
                self._asked[node.take()] = node
        ready, _ = self._ray.wait(list(self._asked), num_returns=1, timeout=_WAIT)
        more, _ = self._ray.wait(list(self._asked), num_returns=len(self._asked), timeout=0)
        for reference in dict.fromkeys([*ready, *more]):
            node = self._asked.pop(reference, None)
            if node is None:  # it was dropped a moment ago
                continue
            try:
                frames: list[bytes] = self._ray.get(reference)
            except self._ray.exceptions.RayError as error:
                yield node, Lost(f"ended ({_last_line(error)})")
                continue
            yield node, [(ended.number, ended.outcome) for ended in _decoded(frames)]
        for node in list(self._asked.values()):
            silence = time.monotonic() - node.since
            if silence > SILENCE:
                yield node, Lost(f"is silent for {silence:.0f} seconds")

    def drop(self, node: Node) -> None:
        """Use a node no more."""
        self.nodes = [each for each in self.nodes if each is not node]
        self._asked = {reference: each for reference, each in self._asked.items() if each is not node}
        with suppress(Exception):  # it may be gone
            self._ray.kill(node.host)

    def close(self) -> None:
        """End the hosts, and leave the cluster."""
        for node in list(self.nodes):
            self.drop(node)
        self._ray.shutdown()


def _decoded(frames: Sequence[bytes]) -> Iterator[Ended]:
    for frame in frames:
        yield msgpack.decode(frame, type=Ended)


class RayHost:
    """The actor of a node: passes pieces to a host, and its outcomes back."""

    def __init__(self, jobs: int) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([_ROOT, os.environ.get("PYTHONPATH", "")])}
        self._host = subprocess.Popen(
            [sys.executable, "-m", "asmgen.batch.host", str(jobs)], env=environment, cwd=_ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )  # fmt: skip
        self._input = cast("BinaryIO", self._host.stdin)
        self._output = cast("BinaryIO", self._host.stdout)
        self._frames: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._doing = 0  # pieces of the host
        self._heard = time.monotonic()
        self._has_work = False
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        while (frame := read_frame(self._output)) is not None:
            self._frames.put(frame)
        self._frames.put(None)

    def version(self) -> dict[str, str]:
        """The versions that answers depend on, by name."""
        return versions()

    def begin(self, work: bytes) -> None:
        """Give the host a work, after all pieces of the work before have ended."""
        if self._has_work:
            _ = self._input.write(LAST.to_bytes(SIZE_BYTES))
        self._has_work = True
        write_frame(self._input, work)

    def give(self, numbers: Sequence[int]) -> None:
        """Give the host pieces, also while `take` waits."""
        with self._lock:
            self._heard = self._heard if self._doing else time.monotonic()
            self._doing += len(numbers)
        _ = self._input.write(b"".join([number.to_bytes(SIZE_BYTES) for number in numbers]))
        self._input.flush()

    def take(self, seconds: float) -> list[bytes]:
        """The outcomes that the host has, at least one unless `seconds` pass."""
        frames: list[bytes] = []
        end = time.monotonic() + seconds
        with suppress(queue.Empty):
            while not frames or not self._frames.empty():
                frame = self._frames.get(timeout=max(0.0, end - time.monotonic()))
                if frame is None:
                    raise RuntimeError(f"the host ended with status {self._host.wait()}")
                self._heard = time.monotonic()
                frames += [frame] if frame else []
        with self._lock:
            self._doing -= len(frames)
        if self._doing and time.monotonic() - self._heard > SILENCE:
            raise RuntimeError("the host is silent")
        return frames


def _last_line(error: Exception) -> str:
    """The last line of an error of Ray's, which has the stacks of other processes before it."""
    return (str(error).strip().splitlines() or [type(error).__name__])[-1].strip()


def versions() -> dict[str, str]:
    """The versions that answers depend on."""
    return {
        "Python": ".".join(map(str, sys.version_info[:3])),
        **dict(name.removesuffix(".dist-info").rsplit("-", 1) for name in installed()),
        "asmgen's files": code_version(None)[:12],
    }


def check_version(node: str, theirs: dict[str, str]) -> None:
    """`InputError` BAT022 for a node with other versions than this machine."""
    ours = versions()
    for name in (*ours, *theirs):
        mine, other = ours.get(name, "none"), theirs.get(name, "none")
        if mine != other:
            message = f"the node {node} has {name} {other}, wanted {mine} as on this machine"
            raise InputError(_OPTION, "BAT022", message)


def _ray() -> Any:
    try:
        ray: Any = import_module("ray")
        worker: Any = import_module("ray._private.worker")
    except ImportError as error:
        help = "python -m pip install 'asmgen[ray]'"
        raise InputError(_OPTION, "BAT021", "the package ray is not installed", help=help) from error
    worker._worker_logs_enabled = False  # Ray prints errors of nodes on our standard output
    return ray


def _answering(address: str) -> str:
    """HOST:PORT of a cluster that answers."""
    where = address
    if address == AUTO:
        from ray._private.services import canonicalize_bootstrap_address

        where = _found(canonicalize_bootstrap_address)
    host, colon, port = where.rpartition(":")
    if not colon or not port.isdecimal():
        raise _silent(address, f"got {where!r}")
    try:
        with socket.create_connection((host, int(port)), _ANSWER) as connection:
            connection.sendall(_PREFACE)
            if connection.recv(9)[3:4] != bytes([_SETTINGS]):
                raise _silent(address, f"at {where} is another server")
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _silent(address, f"nothing answers at {where} ({reason.lower()})") from error
    return where


def _found(find: Any) -> str:
    try:
        return find(AUTO) or ""
    except ConnectionError as error:
        raise _silent(AUTO, "no cluster runs on this machine") from error


def _silent(address: str, what: str) -> InputError:
    help = "`ray start --head` starts a cluster and prints its address"
    return InputError(
        _OPTION, "BAT020", f"{what}, wanted the HOST:PORT of a cluster's head, or auto", help=help
    )


def _refusal(address: str, error: Exception) -> InputError:
    first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    if "ersion" in first:
        help = "install the versions of Python and Ray that the cluster has"
        return InputError(
            _OPTION, "BAT022", f"the cluster at {address} has other versions: {first}", help=help
        )
    return _silent(address, f"the cluster at {address} refuses us ({first})")
