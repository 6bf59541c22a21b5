"""Loads that transpose a matrix between lanes: which element of which lane's bytes goes to which lane.

AMD's manuals say that these instructions transpose, and name the matrix (CDNA4 ISA, 11.4; RDNA4 ISA, 11.6.2),
but not the elements of each lane. The places here are those that programs on the hardware rely on: for CDNA4
the tiles by which AMD's kernel libraries load with these instructions; for RDNA4 and 16 bits the example of
AMD's HIP documentation ("RDNA4 WMMA transpose load builtins"), for 8 bits the measurements of two published
probes of gfx1201.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

_SIXTEEN = tuple(range(16))
_EIGHT = tuple(range(8))
_HALVES = (0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15)


class TransposedLoad(Struct, frozen=True):
    """Each lane's address names `size` bytes, which are elements of `bits` bits, the lowest first.

    Groups of lanes exchange them. The elements of a group's lanes, taken in the order `sources`, fill
    matrices row by row, `columns` elements a row; a matrix has as many rows as a lane has elements. The
    group's lanes take a column each, in the order of their numbers. This is so for waves of `lanes` lanes,
    and is not known for others.
    """

    size: int
    bits: int
    columns: int
    sources: tuple[int, ...]
    lanes: int
    alignment: int = 1  # in bytes, of every address

    @property
    def elements(self) -> int:
        """Elements that a lane has."""
        return 8 * self.size // self.bits

    def origins(self) -> NDArray[np.intp]:
        """intp[lane, element]: the place in the wave, counted in elements through its lanes, that an element
        comes from."""
        lanes, count, group = self.lanes, self.elements, len(self.sources)
        lane, row = np.arange(lanes)[:, None], np.arange(count)[None, :]
        matrix, column = np.divmod(lane % group, self.columns)
        source, element = np.divmod((matrix * count + row) * self.columns + column, count)
        return (lane // group * group + np.array(self.sources)[source]) * count + element


TRANSPOSES: dict[str, TransposedLoad] = {
    "ds_read_b64_tr_b16": TransposedLoad(8, 16, 16, _SIXTEEN, 64, 8),
    "ds_read_b64_tr_b8": TransposedLoad(8, 8, 16, _SIXTEEN, 64, 8),
    "ds_read_b64_tr_b4": TransposedLoad(8, 4, 16, _SIXTEEN, 64, 8),
    "ds_read_b96_tr_b6": TransposedLoad(12, 6, 16, _SIXTEEN, 64, 16),
    "global_load_tr_b128": TransposedLoad(16, 16, 8, _EIGHT, 32),
    "global_load_tr_b64": TransposedLoad(8, 8, 8, _HALVES, 32),
}
