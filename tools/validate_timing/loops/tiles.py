"""Main loops of smaller tiles on gfx950, which the loads under way of a compute unit bound: AMD's tutorial
(docs/tcp_bound_tile_model.md, section 3)."""

from __future__ import annotations

from isa.timing.trace import Access
from tools.validate_timing.loops.writing import Line, Loop, Where, lanes_at, lines, same

_LDS = 160 * 1024
_WAVES = 4
_GLOBAL = 1 << 32
_STRIDE = 2 * 8192
_LOAD = "buffer_load_dwordx4 v194, s[0:3], 0 offen lds"


def tile(rows: int, columns: int) -> Loop:
    """A step of K of 64 halves for a tile, with reads and loads spread evenly over the matrix instructions,
    and as many buffers of LDS as fit."""
    matrices = rows * columns * 64 // (16 * 16 * 32 * _WAVES)
    reads = (rows + columns) // 2 // 16 * 2
    loads = (rows + columns) * 128 // 1024 // _WAVES
    buffers = _LDS // ((rows + columns) * 128)
    body = list(lines(f"s_waitcnt vmcnt({min(63, (buffers - 2) * loads)})", "s_barrier"))
    for number in range(matrices):
        body += _matrix(number)
        body += [_read(i) for i in _share(number, matrices, reads)]
        for i in _share(number, matrices, loads):
            body += [*lines("s_mov_b32 m0, s11", "s_nop 0"), Line(_LOAD, _load_at(i))]
    body += lines("s_waitcnt lgkmcnt(0)")
    return Loop("gfx950", tuple(body), _WAVES, trips=24)


def _share(number: int, of: int, total: int) -> range:
    """Of `total` things spread over `of` places, those at place `number`."""
    return range(total * number // of, total * (number + 1) // of)


def _matrix(number: int) -> tuple[Line, ...]:
    first = 4 * (number % 32)
    sums = f"a[{first}:{first + 3}]"
    return lines(f"v_mfma_f32_16x16x32_f16 {sums}, v[0:3], v[4:7], {sums}")


def _read(number: int) -> Line:
    first = 16 + 4 * (number % 32)
    where = same(lanes_at(range(1024 * number, 1024 * (number + 1), 16), 16))
    return Line(f"ds_read_b128 v[{first}:{first + 3}], v192", where)


def _load_at(number: int) -> Where:
    def where(wave: int, trip: int) -> Access:
        first = (_WAVES * number + wave) * 8
        at = [_GLOBAL + (first + lane // 8) * _STRIDE + trip * 128 + lane % 8 * 16 for lane in range(64)]
        return lanes_at(at, 16)

    return where
