"""The main loop of attention on gfx950: AMD's tutorial kernels fav3 and fav4 (kernels/attention/README.md,
sections 4 and 5).

Eight waves of 32 rows each; two tiles of 64 columns a trip. Each tile has four clusters with a barrier
between them: dot1 (QK and a part of softmax), a memory cluster (V from LDS, K from global memory), dot2 (PV
and the rest of softmax), and another memory cluster (K from LDS, V from global memory). The waves of a SIMD
are a cluster apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import cycle

from isa.timing.trace import Access
from tools.validate_timing.loops.writing import Line, Loop, lanes_at, lines, same

_MATRICES = 16  # of a cluster
_ROW = 256  # bytes of a row of K and V
_GLOBAL = 1 << 32
_BLOCKS = 64  # of rows of a head, which use the same K and V; there are 64 heads

# The vector instructions of each cluster, in their order: those of the table of section 5. fav4 rescales
# seldom, and has moved 3/8 of the subtractions and exponentials to dot1.
EAGER = (
    {"v_add_f32": 32, "v_cvt_pk_f16_f32": 16, "v_mul_f32": 64},
    {"v_max3_f32": 16, "v_sub_f32": 32, "v_exp_f32": 32},
)
LAZY = (
    {"v_sub_f32": 12, "v_exp_f32": 12, "v_add_f32": 32, "v_cvt_pk_f16_f32": 16},
    {"v_max3_f32": 16, "v_sub_f32": 20, "v_exp_f32": 20},
)
_SOURCES = {"v_exp_f32": 1, "v_max3_f32": 3}


def attention(vectors: tuple[Mapping[str, int], Mapping[str, int]]) -> Loop:
    """The loop with the vector instructions of both dot clusters, spread evenly over their matrix
    instructions."""
    clusters = (
        *_dot(vectors[0], accumulators=2, first=0),
        *_memory("ds_read_b64_tr_b16 v[{0}:{1}], v250", 32, 2),
        *_dot(vectors[1], accumulators=4, first=32),
        *_memory("ds_read_b128 v[{0}:{1}], v250", 16, 4),
    )
    return Loop("gfx950", clusters * 2, waves=8, shifted=4, groups=64 * _BLOCKS, together=_BLOCKS)


def _dot(vectors: Mapping[str, int], accumulators: int, first: int) -> Iterator[Line]:
    work = list(_vector_lines(vectors))
    yield from lines("s_setprio 0")
    for number, accumulator in zip(range(_MATRICES), cycle(range(accumulators)), strict=False):
        sums = f"v[{first + 16 * accumulator}:{first + 16 * accumulator + 15}]"
        yield from lines(f"v_mfma_f32_32x32x16_f16 {sums}, v[128:131], v[132:135], {sums}")
        yield from lines(*work[len(work) * number // _MATRICES : len(work) * (number + 1) // _MATRICES])
    yield from lines("s_barrier")


def _vector_lines(vectors: Mapping[str, int]) -> Iterator[str]:
    """Instructions without dependences between neighbours."""
    registers = cycle(range(192, 224))
    for name, number in vectors.items():
        for _ in range(number):
            register = next(registers)
            sources = ", ".join([f"v{register}", "v240", "v241"][: _SOURCES.get(name, 2)])
            yield f"{name} v{register}, {sources}"


def _memory(read: str, reads: int, registers: int) -> Iterator[Line]:
    """A tile from LDS, without conflicts, and two loads of another tile to LDS."""
    yield from lines("s_setprio 1", "s_waitcnt vmcnt(4)")
    for number in range(reads):
        first = 128 + registers * number % 64
        size = 4 * registers
        text = read.format(first, first + registers - 1)
        yield Line(text, same(lanes_at(range(size * 64 * number, size * 64 * (number + 1), size), size)))
    for number in range(2):
        yield from lines("s_mov_b32 m0, s11", "s_nop 0")
        yield _load(number)
    yield from lines("s_waitcnt lgkmcnt(0)", "s_barrier")


def _load(number: int) -> Line:
    def where(wave: int, trip: int) -> Access:
        first = _GLOBAL + (trip * 64 + wave * 8 + number * 4) * _ROW
        return lanes_at(range(first, first + 1024, 16), 16)

    return Line("buffer_load_dwordx4 v251, s[0:3], 0 offen lds", where)
