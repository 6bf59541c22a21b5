"""Main loops of matrix products: AMD's tutorial kernels for gfx942 and gfx950 (ROCm/gfx950-gluon-tutorials,
kernels/gemm).

All compute a tile, most of 256x256, in steps of 64 halves along K. The tile is in quadrants: A has a top and
a bottom half, B a left and a right half, and a quarter of the loop multiplies two halves. Letters of the
skeletons:

    M matrix instruction   R ds_read_b128   W ds_write_b128   G load of global memory   V wait for loads
    B barrier after the wave's accesses of LDS   b barrier alone   L wait for LDS   r wait for reads of LDS
    P, p priority 1 and 0
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, cycle

from isa.named_tuple import NamedTuple
from isa.timing.trace import Access
from tools.validate_timing.loops.writing import Line, Loop, Skeleton, Where, lanes_at, lines

_LANES = range(64)
_ROW = 128  # bytes of a row of a tile
_HALF = _ROW * 128  # bytes of LDS for half of a tile
_LDS = 160 * 1024  # of gfx950
_GROUPS = 16  # workgroups in a row and in a column of the launch, which use the same lines
_GLOBAL = 1 << 32  # the address of A in global memory; each half begins a terabyte further
_HALVES = ("A top", "A bottom", "B left", "B right")
_FRAGMENT = {
    name: 32 * place for place, name in enumerate(_HALVES)
}  # the first register that a half is read to
_STAGING = 128  # the first register between global memory and LDS
_READ_AT, _WRITE_AT, _LOAD_AT = "v192", "v193", "v194"
_TILE_REGISTERS = 8  # of a half's 16 rows in each lane


class Gemm(NamedTuple):
    """A kernel.

    * `matrix`, `operand`: the matrix instruction, and the registers of its A
    * `across`: the waves along M and N, and `tile`: rows and columns of the tile
    * `quadrants`: the halves that each quarter of the loop multiplies
    * `reads`: the half that each quarter reads from LDS
    * `loads`: the first half and the instructions of each group of loads; writes to LDS have the same order
    * `rows_a_phase`: of the swizzle of LDS; 0 if it is padded and loads go to LDS directly
    * `stride`: bytes of a row in global memory
    """

    target: str
    matrix: str
    operand: int
    across: tuple[int, int]
    quadrants: tuple[tuple[str, str], ...]
    reads: tuple[str, ...]
    loads: tuple[tuple[str, int], ...]
    rows_a_phase: int
    stride: int
    tile: tuple[int, int] = (256, 256)

    @property
    def waves(self) -> int:
        return self.across[0] * self.across[1]

    def loop(self, skeleton: Skeleton, waits: Sequence[int] = (0,)) -> Loop:
        """The loop in the order of a skeleton. `waits` are the loads left by each V in turn."""
        left = cycle(waits)
        next_of: dict[str, Iterator[tuple[Line, ...]]] = {
            "M": self._matrices(), "R": self._reads(), "W": self._writes(), "G": self._loads(),
            "V": (lines(f"s_waitcnt vmcnt({next(left)})") for _ in count()),
        }  # fmt: skip
        body: list[Line] = []
        for kind in skeleton.kinds():
            body += next(next_of[kind]) if kind in next_of else _CONTROL[kind]
        return Loop(
            self.target, tuple(body), self.waves, shifted=4 if self.waves == 8 else None,
            groups=_GROUPS**2, together=_GROUPS,
        )  # fmt: skip

    def rows(self, half: str) -> int:
        """The rows of a half of A, or the columns of a half of B."""
        return self.tile[half.startswith("B")] // 2

    def _tiles(self, half: str) -> int:
        """The tiles of 16 rows that a wave has of a half."""
        return self.rows(half) // 16 // self.across[half.startswith("B")]

    def _matrices(self) -> Iterator[tuple[Line, ...]]:
        number = 0
        for left, right in cycle(self.quadrants):
            number %= len(self.quadrants) * self._tiles(left) * self._tiles(right)
            for column in range(self._tiles(right)):
                for row in range(self._tiles(left)):
                    sums = f"a[{4 * number}:{4 * number + 3}]"
                    for k in range(0, _TILE_REGISTERS, self.operand):
                        a, b = (
                            f"v[{first}:{first + self.operand - 1}]"
                            for first in (
                                _FRAGMENT[left] + row * _TILE_REGISTERS + k,
                                _FRAGMENT[right] + column * _TILE_REGISTERS + k,
                            )
                        )
                        yield lines(self.matrix.format(f"{sums}, {a}, {b}, {sums}"))
                    number += 1

    def _reads(self) -> Iterator[tuple[Line, ...]]:
        for half in cycle(self.reads):
            for quad in range(2 * self._tiles(half)):
                first = _FRAGMENT[half] + 4 * quad
                text = f"ds_read_b128 v[{first}:{first + 3}], {_READ_AT}"
                yield (Line(text, self._read_at(half, quad)),)

    def _read_at(self, half: str, quad: int) -> Where:
        """Lanes have 16 rows, and four of them a row; a quad of registers is half of it."""
        tile, part = divmod(quad, 2)
        base = _HALVES.index(half) * _HALF
        accesses: list[Access] = []
        for wave in range(self.waves):
            place = wave % self.across[1] if half.startswith("B") else wave // self.across[1]
            first = 16 * (place * self._tiles(half) + tile)
            at = [base + self._in_lds(half, first + lane % 16, 4 * part + lane // 16) for lane in _LANES]
            accesses.append(lanes_at(at, 16))
        return _of_wave(accesses)

    def _in_lds(self, half: str, row: int, chunk: int) -> int:
        """The LDS address of 16 bytes of a row: swizzled, or each sixteenth row together and padded."""
        if self.rows_a_phase:
            return row * _ROW + (chunk ^ row // self.rows_a_phase % 8) * 16
        return row % 16 * (self.rows(half) // 16 * _ROW + 32) + row // 16 * _ROW + chunk * 16

    def _groups(self) -> Iterator[tuple[str, int, int]]:
        """The half, the number in the group, and the number in the trip, of each load in turn."""
        for number, (half, part) in cycle(
            enumerate([(half, part) for half, parts in self.loads for part in range(parts)])
        ):
            yield half, part, number

    def _writes(self) -> Iterator[tuple[Line, ...]]:
        for half, part, number in self._groups():
            first = _STAGING + 4 * number
            base = _HALVES.index(half) * _HALF
            accesses = [
                lanes_at(
                    [base + self._in_lds(half, row, lane % 8) for lane, row in self._rows(half, wave, part)],
                    16,
                )
                for wave in range(self.waves)
            ]
            where = _of_wave(accesses)
            yield (Line(f"ds_write_b128 {_WRITE_AT}, v[{first}:{first + 3}]", where),)

    def _loads(self) -> Iterator[tuple[Line, ...]]:
        for half, part, number in self._groups():
            where = self._load_at(half, part)
            if not self.rows_a_phase:
                text = f"buffer_load_dwordx4 {_LOAD_AT}, s[0:3], 0 offen lds"
                yield (*lines("s_mov_b32 m0, s11", "s_nop 0"), Line(text, where))
                continue
            first = _STAGING + 4 * number
            text = f"buffer_load_dwordx4 v[{first}:{first + 3}], {_LOAD_AT}, s[0:3], 0 offen"
            yield (Line(text, where),)

    def _load_at(self, half: str, part: int) -> Where:
        base = _GLOBAL + (_HALVES.index(half) << 40)

        def where(wave: int, trip: int) -> Access:
            at = [
                base + row * self.stride + trip * _ROW + lane % 8 * 16
                for lane, row in self._rows(half, wave, part)
            ]
            return lanes_at(at, 16)

        return where

    def _rows(self, half: str, wave: int, part: int) -> Iterator[tuple[int, int]]:
        """Each lane with its row of a half (or of both halves); eight lanes have a row."""
        parts = dict(self.loads)[half]
        for lane in _LANES:
            if self.rows_a_phase:
                yield lane, 8 * (parts * wave + part) + lane // 8
            else:
                yield lane, lane // 8 * (self.rows(half) // 8) + parts * wave + part


def _of_wave(accesses: Sequence[Access]) -> Where:
    return lambda wave, trip: accesses[wave]


_CONTROL = {
    "B": lines("s_waitcnt lgkmcnt(0)", "s_barrier"),
    "b": lines("s_barrier"),
    "L": lines("s_waitcnt lgkmcnt(0)"),
    "r": lines("s_waitcnt lgkmcnt(4)"),  # the four writes after them may be under way
    "P": lines("s_setprio 1"),
    "p": lines("s_setprio 0"),
}


_QUARTERS = (("A top", "B left"), ("A bottom", "B left"), ("A top", "B right"), ("A bottom", "B right"))
_READS = ("A bottom", "B right", "B left", "A top")
_LOADS = ("B left", "A top", "A bottom", "B right")

GFX942_4_WAVES = Gemm(
    target="gfx942",
    matrix="v_mfma_f32_16x16x16_f16 {}",
    operand=2,
    across=(2, 2),
    quadrants=_QUARTERS,
    reads=_READS,
    loads=tuple([(half, 4) for half in _LOADS]),
    rows_a_phase=1,
    stride=2 * 8256,
)
GFX942_8_WAVES = GFX942_4_WAVES._replace(
    across=(2, 4),
    quadrants=(("A top", "B left"), ("A top", "B right"), ("A bottom", "B left"), ("A bottom", "B right")),
    reads=("A top", "B right", "A bottom", "B left"),
    loads=(("B left", 4), ("A top", 4)),
)
GFX950_4_WAVES = GFX942_4_WAVES._replace(
    target="gfx950", matrix="v_mfma_f32_16x16x32_f16 {}", operand=4, rows_a_phase=0, stride=2 * 8192
)
GFX950_8_WAVES = GFX950_4_WAVES._replace(across=(2, 4), loads=tuple([(half, 2) for half in _LOADS]))
_BF8 = "v_mfma_f32_16x16x128_f8f6f4 {} cbsz:1 blgp:1"
GFX950_BF8_4_WAVES = GFX950_4_WAVES._replace(matrix=_BF8, operand=8, stride=8192)
GFX950_BF8_8_WAVES = GFX950_8_WAVES._replace(matrix=_BF8, operand=8, stride=8192)

FIRST_VERSION = Skeleton(
    "B R4 M1 R4 M3 B M1 R3 M1 V W1 V W2 V W1 G2 M1 G2 W4 M1 G4 M23 R1 M1 R1 M46 "
    "R1 M1 R1 M1 R1 B W4 G3 W4 G5 M72 R3 M7 R3 M65 R3 M12 R3 M10 R3 M2 R1 M8"
)
"""The 4 waves of gfx942 as first compiled: intra_wave/note.md, section 0."""
FIRST_WAITS = (3, 1, 0)

_TUNED_READS = " ".join(["R M2"] * 7) + " R M23"
_TUNED_REST = "V W M1 V W M2 V W M2 V W M1 G M2 G M4 G M4 G M5"
TUNED = Skeleton(" ".join([f"r M6 {start} {_TUNED_READS} {_TUNED_REST}" for start in ("B", "", "B", "")]))
"""The same after tuning: sections 2.2 and 3.3, with two barriers, and waits that leave accesses under way."""
TUNED_WAITS = (15, 14, 13, 12)

PING_PONG = Skeleton("P G4 R8 L b p M32 b P G4 R4 L b p M32 b P R8 V W4 B p M32 b P R4 V W4 B p M32 b")
"""The 8 waves of gfx942: the eight regions of inter_wave/README.md, memory before the matrix."""
PING_PONG_WAITS = (4, 0)

V9 = Skeleton(" ".join(["L M2 V b R M2 R2 M2 R2 M2 R2 M2 R G M4 G M4 G M4 G M10"] * 8))
"""The 4 waves of gfx950, two steps of K: the order of v9's published listing."""
V9_WAITS = (20,)

V9_BF8 = Skeleton(" ".join(["L M1 V b R2 M1 R2 M1 R2 M1 R2 M1 G M2 G M2 G M2 G M5"] * 8))
"""The same for bf8, with half as many matrix instructions of twice the length."""

PING_PONG_950 = Skeleton(" ".join(["V b P {} G2 L b p M16"] * 8).format(*["R8", "R4", "R4", "R8"] * 2))
PING_PONG_950_WAITS = (10,)
"""The 8 waves of gfx950, two steps of K: at most five groups of loads are under way (inter_wave/a16w16)."""
PING_PONG_BF8 = Skeleton(" ".join(["V b P {} G2 L b p M8"] * 8).format(*["R8", "R4", "R4", "R8"] * 2))


def small_tile(rows: int, columns: int) -> Loop:
    """The loop of v9 for another tile, with reads and loads spread evenly over the matrix instructions, and
    as many buffers as fit into LDS (docs/tcp_bound_tile_model.md, section 3)."""
    kernel = GFX950_4_WAVES._replace(tile=(rows, columns))
    parts = {half: kernel.rows(half) * _ROW // 1024 // kernel.waves for half in _HALVES}
    kernel = kernel._replace(loads=tuple([(half, parts[half]) for half in _LOADS]))
    matrices = rows * columns * 64 // (16 * 16 * 32) // kernel.waves
    buffers = _LDS // ((rows + columns) * _ROW)
    groups = [parts[half] for half in _LOADS]
    waits = [
        min(63, sum(groups[(quarter - 1 - i) % 4] for i in range(4 * (buffers - 1) + 1)))
        for quarter in range(4)
    ]
    quarters = [
        _spread(matrices // 4, 2 * kernel.rows(read) // 32, parts[load])
        for read, load in zip(_READS, _LOADS, strict=True)
    ]
    return kernel.loop(Skeleton(" ".join(quarters)), waits)._replace(trips=24)


def _spread(matrices: int, reads: int, loads: int) -> str:
    """A quarter of a step."""
    kinds = ["L V b"]
    soon = max(1, matrices // 2)  # reads come first, so that their data are there for the next quarter
    for i in range(matrices):
        kinds += ["M"] + ["R"] * _share(i, soon, reads) + ["G"] * _share(i, matrices, loads)
    return " ".join(kinds)


def _share(place: int, places: int, total: int) -> int:
    """How many of `total` things come to one of the places over which they are spread."""
    return total * (place + 1) // places - total * place // places if place < places else 0
