"""Waves and workgroups that wait for each other."""

from __future__ import annotations

import numpy as np

from isa.targets import TargetId
from tests.compiled.case import Case, Changed, Left, Out, case, kernels_of, words, zeros


def spin_lock(target: TargetId) -> Case:
    x = words(1, 9, below=1000)
    totals = np.array([x.sum(), np.bitwise_xor.reduce(x * 7), 9], np.uint32)
    return case(9, 64, Changed(zeros(1), zeros(1)), Changed(zeros(3), totals), x)


def group_lock(target: TargetId) -> Case:
    x = words(2, 514, below=1000)
    wave, out = target.target.wave_size, zeros(2, 2)
    for group in range(2):
        taken = [x[i + k] for i in range(256 * group, 256 * group + 256, wave) for k in range(3)]
        out[group] = sum(int(value) for value in taken), max(taken)
    return case(2, 256, x, Out(out))


def ticket_lock(target: TargetId) -> Case:
    x = words(3, 7, below=1000)
    after = np.array([x.sum(), *(3 * k for k in range(7))], np.uint32)
    return case(7, 64, Changed(zeros(2), np.array([7, 7], np.uint32)), Changed(zeros(8), after), x)


def lane_locks(target: TargetId) -> Case:
    x = words(4, 192, below=10000)
    sums = np.array([x[x % 5 == k].sum() for k in range(5)], np.uint32)
    return case(
        3,
        64,
        x,
        Changed(zeros(5), zeros(5)),
        Changed(zeros(5), sums),
        Changed(zeros(5), np.bincount(x % 5).astype(np.uint32)),
    )


def look_back_scan(target: TargetId) -> Case:
    x = words(5, 12 * 64)
    sums = np.cumsum(x, dtype=np.uint32)
    tiles = (np.uint64(2) << np.uint64(32)) | sums[63::64].astype(np.uint64)
    return case(
        12,
        64,
        x,
        Out(sums),
        Changed(zeros(12, dtype=np.uint64), tiles),
        Changed(zeros(1), np.array([12], np.uint32)),
    )


def look_back_flags(target: TargetId) -> Case:
    x = words(6, 10, 128, below=1000)
    wholes = x.sum(1, dtype=np.uint32)
    sums = np.cumsum(wholes, dtype=np.uint32)
    out = (sums - wholes)[:, None] + x
    return case(10, 128, x, Out(out), Changed(zeros(10), np.full(10, 2, np.uint32)), Out(wholes), Out(sums))


def producer_consumer(target: TargetId) -> Case:
    x, rounds = words(7, 11, 64), np.arange(11, dtype=np.uint32)
    made = x * np.uint32(3) + rounds[:, None]
    ring = np.stack([made[8], made[9], made[10], made[7]])
    count = np.array([11], np.uint32)
    return case(
        2,
        64,
        x,
        Out(made + np.uint32(1)),
        Out(ring),
        Changed(zeros(1), count),
        Changed(zeros(1), count),
        np.uint32(11),
    )


def last_group_sums(target: TargetId) -> Case:
    x = words(8, 13, 64)
    partial = x.sum(1, dtype=np.uint32)
    total = np.array([partial.sum(dtype=np.uint32)])
    return case(13, 64, x, Out(partial), Changed(zeros(1), np.array([13], np.uint32)), Out(total))


def grid_barrier(target: TargetId) -> Case:
    start = words(9, 6 * 64)
    i = np.arange(len(start))
    x, y = start, zeros(len(start))
    for round_ in range(3):
        y = x[(i + 64) % len(x)] + x[i * 5 % len(x)]
        x = y[(i + 1) % len(x)] ^ np.uint32(round_)
    return case(6, 64, Changed(start, x), Out(y), Changed(zeros(2), np.array([0, 6], np.uint32)))


def wave_messages(target: TargetId) -> Case:
    x = words(10, 4, 32)
    return case(1, 128, x, Out((x * np.uint32(5))[:, np.arange(32) ^ 1]))


def work_queue(target: TargetId) -> Case:
    x = words(11, 9, 32, below=300)
    steps = np.zeros_like(x)
    for at, start in np.ndenumerate(x):
        value, count = int(start), 0
        while value > 1:
            value, count = (3 * value + 1 if value & 1 else value // 2), count + 1
        steps[at] = count
    waves = 4 * (128 // target.target.wave_size)
    return case(4, 128, x, Out(steps), Changed(zeros(1), np.array([9 + waves], np.uint32)), np.uint32(9))


def lock_free_stack(target: TargetId) -> Case:
    x = words(12, 192, below=1 << 24)
    done, out = np.array([192], np.uint32), np.array([x.sum(dtype=np.uint32), 192], np.uint32)
    return case(3, 64, x, Left(zeros(192)), Left(zeros(1)), Changed(zeros(1), done), Out(out), np.uint32(192))


def sequence_lock(target: TargetId) -> Case:
    out = np.array([5, 0] * 3, np.uint32)
    pair = np.array([5, 35], np.uint32)
    return case(4, 64, Changed(zeros(1), np.array([10], np.uint32)), Changed(zeros(2), pair), Out(out), np.uint32(5))


def peterson(target: TargetId) -> Case:
    total = np.array([2 * sum(range(1, 9))], np.uint32)
    return case(2, 64, Changed(zeros(2), zeros(2)), Left(zeros(1)), Changed(zeros(1), total))


def turns(target: TargetId) -> Case:
    waves = 256 // target.target.wave_size
    return case(1, 256, Out(np.array([*reversed(range(waves))] * 2, np.uint32)))


def initialised_once(target: TargetId) -> Case:
    table = np.arange(64, dtype=np.uint32) ** 2 + np.uint32(1)
    out = table[np.arange(5 * 64) * 7 % 64]
    return case(5, 64, Changed(zeros(1), np.array([2], np.uint32)), Out(table), Out(out))


def ping_pong(target: TargetId) -> Case:
    log = [1]
    while len(log) < 12:
        log.append(log[-1] * 3 + 1)
    return case(2, 64, Changed(zeros(1), np.array([12], np.uint32)), Out(np.array(log, np.uint32)), np.uint32(6))


KERNELS = kernels_of(
    "locks.hip",
    spin_lock,
    group_lock,
    ticket_lock,
    lane_locks,
    look_back_scan,
    look_back_flags,
    producer_consumer,
    last_group_sums,
    grid_barrier,
    wave_messages,
    work_queue,
    lock_free_stack,
    sequence_lock,
    peterson,
    turns,
    initialised_once,
    ping_pong,
)
