"""The judges of `tune`: the clock model, or the device.

The model times candidates in all processes at once. For the device all processes compile candidates, then a
single process times them in turn. HIP cannot be used after a fork of a process that has used it, so
only processes that are started for it use HIP. If a piece fails there, its process ends with it, since HIP
answers every later call with the same error.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from importlib.util import find_spec
from typing import Protocol

from msgspec import Struct, json, msgpack

from asmgen.batch.pool import outcomes
from asmgen.batch.work import Executor, Outcomes, Processes, Work
from asmgen.batch.worker import Limits, Outcome
from asmgen.blockwise.schedules.choices import choice_text
from asmgen.cache.answer import ERROR, OUT, Answer, Part
from asmgen.cli.batch.each import fault_of
from asmgen.cli.expansion import files_named
from asmgen.cli.grammar.parser import refuse_given
from asmgen.compiled import CompiledProgram
from asmgen.gridwise.stated import read_stated
from asmgen.runtime.hip import HOW_TO_GET_HIP, hip_status, serves
from asmgen.tuning.build import Build
from asmgen.tuning.candidates import Candidate, Measured
from asmgen.tuning.device import (
    DeviceLaunch,
    check_on_device,
    device_launches,
    time_on_device,
)
from asmgen.tuning.judge import Judge
from asmgen.tuning.kept import MODEL
from asmgen.tuning.subject import ByModel, Subject, Whole
from isa.diagnostics import InputError
from isa.targets import TargetId

BY_MODEL, DEVICE = "model", "device"
_OPTION = "--judge"
_PROBE_SECONDS = 60.0  # to load HIP and to ask for the GPU
_DEVICE_SECONDS = 60.0  # of a candidate on the device without --max-seconds
DEVICE_FAILS = 2  # the status of an answer
_CHECK_LIMITS = 10  # limits of a candidate, in which the results of a program are compared
_LEAST_GAIN = 0.01  # of a program's time, below which two times of the device are the same
_LAUNCHES = msgpack.Decoder(tuple[DeviceLaunch, ...])


class Judging(Protocol):
    """Times candidates and whole programs. `name` describes it in words; with `has_clocks`, times are also in
    clocks."""

    @property
    def name(self) -> str: ...

    @property
    def has_clocks(self) -> bool: ...

    @property
    def whole(self) -> Whole: ...

    def outcomes(self, candidates: Sequence[Candidate], missing: Sequence[int], is_whole: bool) -> Outcomes:
        """The outcomes of the candidates with the numbers `missing`. An answer is a time as JSON, or an error
        as `error_of` reads it."""
        ...


def device_of(arguments: argparse.Namespace, target: TargetId) -> str:
    """The name of the device that is the judge; empty for the clock model. `InputError` DEV002 if --judge
    wants a device and none of the target is there, CLI005 for --ray with it."""
    is_wanted = arguments.judge == DEVICE
    if is_wanted:
        refuse_given(arguments, ("--ray",), "candidates are timed on the device of this machine")
    if (
        arguments.judge == BY_MODEL
        or arguments.ray is not None
        or (find_spec("hip") is None and not is_wanted)
    ):
        return ""
    device, problem = _status()
    if device and serves(device, target):
        return device
    if not is_wanted:
        return ""
    if device:
        message = f"the device is {device}, wanted {target}, for which the program is tuned"
        help = f"--target {device.partition(':')[0]}, or --judge model"
        raise InputError(_OPTION, "DEV002", message, help=help)
    help = f"--judge model, or: {HOW_TO_GET_HIP}"
    raise InputError(_OPTION, "DEV002", f"no device of {target} is there: {problem}", help=help)


def _status() -> tuple[str, str]:
    """The name of the device, or why there is none."""

    def status() -> bytes:
        found = hip_status()
        return msgpack.encode((found.device, found.problem))

    try:
        return msgpack.decode(_in_process(status, Limits(_PROBE_SECONDS)), type=tuple[str, str])
    except InputError as error:
        return "", f"HIP {error.message}"


def _in_process(make: Callable[[], bytes], limits: Limits) -> bytes:
    """The result of a function in a process of its own. Raises its `InputError`, and BAT010 to BAT012."""
    with closing(outcomes(iter((0,)), lambda _: answered(make, 1), 1, limits)) as ended:
        outcome = next(item for item in ended if item is not None)[1]
    if outcome.answer is None or outcome.answer.status:
        raise error_of(outcome, "the device")
    return outcome.answer.parts[0].data


def answered(make: Callable[[], bytes], status: int) -> Answer:
    """The answer of a function in a worker, with `status` if it raises an `InputError`."""
    try:
        return Answer(0, (Part(OUT, make()),))
    except InputError as error:
        return Answer(status, (Part(ERROR, json.encode((error.code, error.message))),))


def error_of(outcome: Outcome, place: str) -> InputError:
    """The error of a piece without a result."""
    if outcome.answer is None:
        return fault_of(place, outcome.fault, outcome.reason)
    code, message = json.decode(outcome.answer.parts[0].data, type=tuple[str, str])
    return InputError(place, code, message)


class Asked(Struct, frozen=True):
    """The candidates of a round. `words` are the command line; a candidate is the number of its launch, its
    schedule as text, and its build."""

    words: tuple[str, ...]
    candidates: tuple[tuple[int, str, Build], ...]
    is_whole: bool

    @staticmethod
    def of(data: bytes) -> Asked:
        return msgpack.decode(data, type=Asked)

    def answer(self, judge: Judge, number: int) -> Answer:
        """The answer of a candidate."""
        launch, text, build = self.candidates[number]
        return _by_model(judge, Candidate(launch, read_stated((text,))[""], build), self.is_whole)


def _by_model(judge: Judge, candidate: Candidate, is_whole: bool) -> Answer:
    def time() -> bytes:
        return json.encode(judge.measure(candidate) if is_whole else judge.estimate(candidate))

    return answered(time, 1)


class Model(Struct, frozen=True):
    """The clock model."""

    subject: Subject
    executor: Executor
    limits: Limits
    arguments: argparse.Namespace

    @property
    def name(self) -> str:
        return MODEL

    @property
    def has_clocks(self) -> bool:
        return True

    @property
    def whole(self) -> Whole:
        return ByModel(self.subject)

    def outcomes(self, candidates: Sequence[Candidate], missing: Sequence[int], is_whole: bool) -> Outcomes:
        words = tuple(vars(self.arguments).get("words", ()))
        texts = tuple([(each.launch, choice_text(each.choice), each.build) for each in candidates])
        work = Work(
            lambda number: _by_model(self.subject.judge, candidates[number], is_whole),
            "asmgen.cli.tune:answers",
            msgpack.encode(Asked(words, texts, is_whole)),
            lambda: files_named(self.arguments),
        )
        return self.executor(iter(missing), work, self.limits)


class Device(Struct, frozen=True):
    """The device with a name. It keeps the launches of the last estimates: it times the best again."""

    subject: Subject
    executor: Executor
    limits: Limits
    device: str
    compiled: dict[Candidate, bytes]

    @property
    def name(self) -> str:
        return f"the device {self.device}"

    @property
    def has_clocks(self) -> bool:
        return False

    @property
    def whole(self) -> Whole:
        return _WholeOnDevice(self._device_limits, self.subject.sizes)

    @property
    def _device_limits(self) -> Limits:
        return Limits(self.limits.seconds or _DEVICE_SECONDS)

    def outcomes(self, candidates: Sequence[Candidate], missing: Sequence[int], is_whole: bool) -> Outcomes:
        if not is_whole:
            self.compiled.clear()
        yield from self._compile(candidates, missing)
        ready = [number for number in missing if candidates[number] in self.compiled]

        def run(number: int) -> Answer:
            launches = _LAUNCHES.decode(self.compiled[candidates[number]])
            return answered(lambda: json.encode(time_on_device(launches, is_whole)), DEVICE_FAILS)

        executor = Processes(1, renews=True)
        with closing(executor(iter(ready), Work(run, "", b""), self._device_limits)) as ended:
            yield from ended

    def _compile(self, candidates: Sequence[Candidate], missing: Sequence[int]) -> Outcomes:
        """Compile candidates; the outcomes of those that have no launches."""
        judge = self.subject.judge

        def run(number: int) -> Answer:
            return answered(lambda: msgpack.encode(judge.for_device(candidates[number])), 1)

        wanted = (number for number in missing if candidates[number] not in self.compiled)
        with closing(self.executor(wanted, Work(run, "", b""), self.limits)) as ended:
            for item in ended:
                if item is None:
                    yield None
                    continue
                number, outcome = item
                if outcome.answer is None or outcome.answer.status:
                    yield item
                else:
                    self.compiled[candidates[number]] = outcome.answer.parts[0].data


class _WholeOnDevice(Struct, frozen=True):
    """Whole programs on the device."""

    limits: Limits
    sizes: Mapping[str, int]

    @property
    def least_gain(self) -> float:
        return _LEAST_GAIN

    def time(self, program: CompiledProgram) -> float:
        launches = device_launches(program, self.sizes)
        data = _in_process(lambda: json.encode(time_on_device(launches, is_whole=True)), self.limits)
        return json.decode(data, type=Measured).microseconds

    def check(self, program: CompiledProgram) -> None:
        limits = Limits(_CHECK_LIMITS * (self.limits.seconds or _DEVICE_SECONDS))
        note = _in_process(lambda: check_on_device(program, self.sizes).encode(), limits)
        if note:
            print(f"note: {note.decode()}", file=sys.stderr)


def judging_of(
    arguments: argparse.Namespace, subject: Subject, device: str, executor: Executor, limits: Limits
) -> Judging:
    """The judge of a command: the device with this name, or the clock model."""
    if device:
        return Device(subject, executor, limits, device, {})
    return Model(subject, executor, limits, arguments)
