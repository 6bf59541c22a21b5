"""Pieces on a Ray cluster: the same bytes as in processes, even if nodes fail; and a line for addresses that
cannot be used."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from asmgen.batch import cluster as clusters
from asmgen.batch.cluster import Cluster, Lost, Node
from asmgen.batch.on_ray import OnRay
from asmgen.batch.work import Work
from asmgen.batch.worker import Limits, Outcome
from asmgen.cli.main import main
from isa.diagnostics import InputError
from tests.unit.asmgen.ray_tasks import honest
from tools.corpus.__main__ import main as corpus
from tools.corpus.files import read
from tools.corpus.record import Record

pytestmark = [pytest.mark.broad, pytest.mark.xdist_group("processes")]

GEN = "x = @param:x -> f32, {{{n}}}\ny = relu(x)\nz = exp(y)\n@return(z)\n"
RAY = Path(sys.executable).parent / "ray"
ENTRY = "tests.unit.asmgen.ray_tasks:answers"
COMMON = (
    "--num-cpus=1", "--disable-usage-stats", "--object-store-memory=80000000", "--min-worker-port=0", "--max-worker-port=0",
    "--include-log-monitor=false",
)  # fmt: skip


def free_port() -> int:
    """A port below those that Ray gives to workers."""
    for port in range(6400, 9000):
        with closing(socket.socket()) as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


class Machines:
    """A cluster of three nodes, each with one CPU. The first is the head, on which commands run."""

    def __init__(self, folder: Path) -> None:
        self.address = f"127.0.0.1:{free_port()}"
        self._environment = {**os.environ, "PATH": f"{RAY.parent}:{os.environ['PATH']}", "RAY_USAGE_STATS_ENABLED": "0"}
        self.processes: set[int] = set()
        self.raylets: list[int] = []
        port = self.address.rpartition(":")[2]
        self._start("--head", f"--port={port}", "--include-dashboard=false", f"--temp-dir={folder}")
        for _ in range(2):
            self._start(f"--address={self.address}")

    def _start(self, *words: str) -> None:
        started = subprocess.Popen(
            [RAY, "start", *words, *COMMON], env=self._environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True,
        )  # fmt: skip
        output, _ = started.communicate(timeout=120)
        assert started.returncode == 0, output
        (raylet,) = [pid for pid in of_session(started.pid) if Path(f"/proc/{pid}/comm").read_text().strip() == "raylet"]
        self.processes |= {started.pid}
        self.raylets.append(raylet)

    def signal(self, node: int, number: signal.Signals) -> None:
        """Send a signal to all processes of a node."""
        for pid in tree(self.raylets[node]):
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def close(self) -> None:
        for raylet in self.raylets:
            for pid in tree(raylet):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        for session in self.processes:
            for pid in of_session(session):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


def status_of(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the name: state, parent, group, session, ..."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return ["X", "0", "0", "0"]


def all_processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").glob("[0-9]*")]


def of_session(session: int) -> list[int]:
    return [pid for pid in all_processes() if status_of(pid)[3] == str(session)]


def tree(root: int) -> list[int]:
    """A process and all processes below it."""
    parents = {pid: int(status_of(pid)[1]) for pid in all_processes()}
    found = [root]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found


@pytest.fixture(scope="module")
def machines() -> Iterator[Machines]:
    folder = Path(f"/tmp/asmgen-ray-{os.getpid()}")  # Ray's sockets must have short names
    made = Machines(folder)
    try:
        yield made
    finally:
        made.close()
        subprocess.run(["rm", "-rf", folder], check=True)


def done_on(machines: Machines, count: int, data: dict[str, object], told: list[str]) -> dict[int, Outcome]:
    """The outcomes of pieces on the cluster."""
    encoded = json.dumps(data).encode()
    work = Work(honest(encoded), ENTRY, encoded)
    with closing(OnRay(machines.address, None, told.append)) as executor, closing(executor(iter(range(count)), work, Limits())) as ended:
        items = [item for item in ended if item is not None]
    assert len(items) == len(dict(items)), "no piece ends twice"
    return dict(items)


def texts(outcomes: dict[int, Outcome]) -> dict[int, str]:
    return {number: outcome.answer.parts[0].data.decode() for number, outcome in outcomes.items() if outcome.answer is not None}


def test_a_node_that_disagrees_is_found_and_its_pieces_are_done_again(machines: Machines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("asmgen.batch.on_ray._EVERY", 16)
    told: list[str] = []
    outcomes = done_on(machines, 150, {"seconds": 0.01, "liar": str(tmp_path / "liar")}, told)
    assert texts(outcomes) == {number: f"{number * number} by {number}" for number in range(150)}
    assert len(told) == 1
    assert "gives other answers than this machine" in told[0]


def test_a_node_with_other_versions_is_refused(
    machines: Machines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = clusters.versions()
    monkeypatch.setattr(clusters, "versions", lambda: ours | {"numpy": "99.0"})
    (tmp_path / "k.gen").write_text(GEN.format(n=5), encoding="utf-8")
    assert main(["kernel", str(tmp_path / "k.gen"), "--ray", machines.address]) == 1
    message = capsys.readouterr().err
    assert message.startswith("--ray: error[BAT022]: the node ")
    assert message.endswith(f" has numpy {ours['numpy']}, wanted 99.0 as on this machine\n")


def test_tune_on_a_cluster_prints_the_same_table(
    machines: Machines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its rounds use the hosts that the first round started. The program is sent to them."""
    monkeypatch.chdir(tmp_path)
    Path("k.gen").write_text(GEN.format(n=3000), encoding="utf-8")
    words = ["tune", "k.gen", "--target", "gfx1201", "--candidates", "12"]
    left: list[Cluster] = []
    close = Cluster.close
    monkeypatch.setattr(Cluster, "close", lambda cluster: (left.append(cluster), close(cluster)))
    answers: list[list[str]] = []
    outputs: list[str] = []
    for more in (["--jobs", "1"], ["--ray", machines.address]):
        results = f"{len(outputs)}.jsonl"
        assert main([*words, *more, "--results", results]) == 0
        outputs.append(capsys.readouterr().out)
        lines = [json.loads(line) for line in Path(results).read_text().splitlines()[1:]]
        answers.append(sorted(f"{line['key']} {line['output']}" for line in lines))
    assert outputs[0] == outputs[1]
    assert answers[0] == answers[1]
    assert len(answers[0]) > 12
    assert len(left) == 1


@pytest.mark.slow
def test_the_corpus_on_a_cluster_has_the_same_records(machines: Machines, tmp_path: Path) -> None:
    runs: list[list[Record]] = []
    for more in (["--jobs", "1"], ["--ray", machines.address]):
        path = str(tmp_path / f"{len(runs)}.parquet")
        assert corpus(["run", "-o", path, "--small", "--count", "24", *more]) == 0
        runs.append([replace(record, compile_seconds=0.0) for record in read(path).records])
    assert runs[0] == runs[1]
    assert len(runs[0]) == 24


def test_a_cluster_gives_the_same_bytes_although_nodes_die_and_freeze(
    machines: Machines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The nodes have the files from here: the sources are relative, and hosts work in folders of their own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(clusters, "SILENCE", 12.0)
    Path("in").mkdir()
    for n in range(60):
        Path(f"in/k{n:02}.gen").write_text(GEN.format(n=n + 1) if n != 7 else "x = wrong\n", encoding="utf-8")
    words = ["kernel", "in", "--emit", "asm"]
    status = main([*words, "-o", "one/", "--jobs", "1"])
    here = capsys.readouterr()
    monkeypatch.setattr(Cluster, "answers", ends_two(machines))
    status_there = main([*words, "-o", "two/", "--ray", machines.address])
    there = capsys.readouterr()
    notes = [line for line in there.err.splitlines() if line.startswith("note: the node")]
    assert (status_there, there.out) == (status, here.out), there.err
    assert there.err.replace("".join(f"{note}\n" for note in notes), "").replace("two/", "one/") == here.err
    files = [{path.name: path.read_bytes() for path in Path(name).iterdir()} for name in ("one", "two")]
    assert files[0] == files[1]
    assert len(files[0]) == 59
    assert len(notes) == 2
    assert sorted("is silent for" in note for note in notes) == [False, True]
    assert not any("; 0 pieces" in note for note in notes)


def ends_two(machines: Machines) -> Callable[[Cluster], Iterator[tuple[Node, list[tuple[int, Outcome]] | Lost]]]:
    """The answers of nodes. After the first answers, when each node has pieces, a node is killed and another is frozen."""
    answers = Cluster.answers
    numbers = iter([signal.SIGKILL, signal.SIGSTOP])

    def ending(cluster: Cluster) -> Iterator[tuple[Node, list[tuple[int, Outcome]] | Lost]]:
        for node, answered in answers(cluster):
            yield node, answered
            if answered and not isinstance(answered, Lost):
                for at, number in zip((1, 2), numbers, strict=False):
                    machines.signal(at, number)

    return ending


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("127.0.0.1:1", "nothing answers at 127.0.0.1:1 (connection refused)"),
        ("nowhere", "got 'nowhere'"),
        ("nowhere.invalid:6379", "nothing answers at nowhere.invalid:6379"),
        ("silent", "nothing answers at {address} (timed out)"),
        ("http", "at {address} is another server"),
    ],
)
def test_an_address_without_a_cluster_is_a_line(
    address: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(clusters, "_ANSWER", 0.5)
    (tmp_path / "k.gen").write_text(GEN.format(n=5), encoding="utf-8")
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        if address in ("silent", "http"):
            if address == "http":
                threading.Thread(target=answer, args=(server,), daemon=True).start()
            address = f"127.0.0.1:{server.getsockname()[1]}"
        assert main(["kernel", str(tmp_path / "k.gen"), "--ray", address]) == 1
    first, *others = capsys.readouterr().err.splitlines()
    assert first.startswith(f"--ray: error[BAT020]: {message.format(address=address)}")
    assert first.endswith(", wanted the HOST:PORT of a cluster's head, or auto")
    assert others == ["  help: `ray start --head` starts a cluster and prints its address"]


def answer(server: socket.socket) -> None:
    connection, _ = server.accept()
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


def test_without_ray_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match="package ray is not installed"):
        clusters.Cluster("auto", None)


def test_a_command_without_a_cluster_imports_no_ray() -> None:
    """Neither does a batch."""
    code = "import sys; from asmgen.cli.main import main; main(['kernel', 'relu', 'gelu']); print('ray' in sys.modules, file=sys.stderr)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stderr.splitlines()[-1] == "False"
