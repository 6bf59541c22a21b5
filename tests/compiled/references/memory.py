"""Accesses of every width, gathers, bounded buffers, copies into LDS."""

from __future__ import annotations

import numpy as np

from isa.targets import TargetId
from tests.compiled.case import Case, Changed, Out, case, is_cdna, kernels_of, random, words
from tests.compiled.references.calls import MASK


def all_widths(target: TargetId) -> Case:
    x = words(51, 6016 // 4).view(np.uint8)
    out = x.copy()
    out[:128] = x[:128] + np.uint8(1)
    for first, last, kind in ((128, 384, np.uint16), (384, 896, np.uint32)):
        part = x[first:last].view(kind)
        out[first:last] = (part * kind(3) if kind is np.uint16 else part ^ kind(0x55)).view(np.uint8)
    out[896:1920] = x[896:1920].view(np.uint32).reshape(-1, 2)[:, ::-1].ravel().view(np.uint8)
    out[1920:3968] = x[1920:3968].view(np.uint32).reshape(-1, 4)[:, ::-1].ravel().view(np.uint8)
    four = x[3968:6016].view(np.uint32).reshape(-1, 4)
    # the fourth word of each row is not the kernel's
    out[3968:6016] = np.concatenate([four[:, [2, 0, 1]], np.zeros((128, 1), np.uint32)], 1).ravel().view(np.uint8)
    return case(1, 128, x, Changed(np.zeros(6016, np.uint8), out))


def unaligned_words(target: TargetId) -> Case:
    x = words(52, 66).view(np.uint8)
    out = np.zeros(512 + 64 * 9 + 8, np.uint8)
    for i in range(64):
        word = int.from_bytes(x[i * 4 + 1 : i * 4 + 5].tobytes(), "little")
        long = int.from_bytes(x[i * 3 : i * 3 + 8].tobytes(), "little") ^ word
        out[i * 4 + 3 : i * 4 + 7] = np.frombuffer((word + 1 & MASK).to_bytes(4, "little"), np.uint8)
        out[512 + i * 9 : 520 + i * 9] = np.frombuffer(long.to_bytes(8, "little"), np.uint8)
    return case(1, 64, x, Changed(np.zeros_like(out), out))


def gathered(target: TargetId) -> Case:
    table, where = random(53).random(200, np.float32), random(54).integers(-40, 199, 128).astype(np.int32)
    out = np.where(where < 0, np.float32(-1), table[where] + table[np.maximum(where, 0) // 2 + 1])
    return case(2, 64, table, where, Out(out))


def scattered(target: TargetId) -> Case:
    x, where = words(55, 128), random(56).permutation(128).astype(np.uint32)
    out = np.zeros(256, np.uint32)
    out[where * 2 + 1] = x + np.arange(128, dtype=np.uint32) % 64
    return case(2, 64, x, where, Changed(np.zeros(256, np.uint32), out))


def volatile_accesses(target: TargetId) -> Case:
    cells = 5 + np.arange(128, dtype=np.uint32) % 64
    return case(2, 64, Changed(words(57, 128), cells), Out(cells * 3))


def streamed(target: TargetId) -> Case:
    x = random(58).standard_normal((128, 4)).astype(np.float32)
    return case(2, 64, x, Out(x * np.float32(2) - x[:, ::-1]))


def bounded_buffers(target: TargetId) -> Case:
    x = words(59, 128)
    kept = np.append(x[:90], np.zeros(300, np.uint32))
    halves = kept.view(np.uint16)
    i = np.arange(128)
    out = kept[i] + kept[i * 2 + 1] * np.uint32(3) + kept[i * 2 + 2] * np.uint32(5) + halves[i]
    after = np.where(i < 100, out, 7).astype(np.uint32)
    return case(2, 64, Changed(x, x), Changed(np.full(128, 7, np.uint32), after), np.uint32(360))


def generic_pointers(target: TargetId) -> Case:
    x, lane = words(60, 128), np.arange(128, dtype=np.uint32) % 64
    rows = [x + np.uint32(1001), x + (lane & 3) * np.uint32(10) + np.uint32(2000), x]
    return case(2, 64, x, Out(np.choose(x % 3, rows)))


def wide_lds(target: TargetId) -> Case:
    x, i = words(61, 2, 64, 4), np.arange(64)
    flat = x.reshape(2, 256)
    longs = np.ascontiguousarray(x[:, ::-1, 1::-1])  # low word first
    shorts = longs.view(np.uint16).reshape(2, 256)
    more = np.stack([flat[:, i * 4 + 1], flat[:, 255 - i * 4], longs[:, :, 1], shorts[:, i].astype(np.uint32)], -1)
    return case(2, 64, x, Out(x[:, i ^ 3] + more))


def bytes_in_lds(target: TargetId) -> Case:
    x, i = words(62, 2, 256).astype(np.uint8), np.arange(256)
    row, shorts = np.zeros((2, 256), np.uint8), np.zeros((2, 128), np.uint16)
    row[:, i * 67 & 255] = x
    shorts[:, i[:128] * 35 & 127] = x[:, :128] * np.uint16(3)
    return case(2, 256, x, Out(row + shorts[:, i // 2].astype(np.uint8)))


def fenced_message(target: TargetId) -> Case:
    x, i = words(63, 2, 128), np.arange(128)
    out = np.stack([x[:, (i + 64 + k) & 127] * np.uint32(k + 1) for k in range(3)], -1)
    return case(2, 128, x, Out(x * np.uint32(3)), Out(out))


def clocks(target: TargetId) -> Case:
    return case(1, 64, Out(np.ones(64, np.uint32)))


def copied_into_lds(target: TargetId) -> Case:
    x = words(64, 2, 256)
    return case(2, 128, x, Out(np.concatenate([x[:, :127:-1], x[:, :128] * np.uint32(2)], 1)))


def buffer_into_lds(target: TargetId) -> Case:
    x = words(65, 128)
    return case(2, 64, Changed(x, x), Out(x[np.arange(128) ^ 1] + np.uint32(1)), np.uint32(512))


def wide_into_lds(target: TargetId) -> Case:
    x = words(66, 2, 64, 4)
    return case(2, 64, x, Out(np.ascontiguousarray(x[:, ::-1])))


KERNELS = (
    kernels_of(
        "memory.cl",
        all_widths,
        unaligned_words,
        gathered,
        scattered,
        volatile_accesses,
        streamed,
        bounded_buffers,
        generic_pointers,
        wide_lds,
        bytes_in_lds,
        fenced_message,
        clocks,
    )
    | kernels_of("memory.cl", copied_into_lds, buffer_into_lds, runs_on=is_cdna)
    | kernels_of("memory.cl", wide_into_lds, runs_on=lambda target: target.target.name == "gfx950")
)
