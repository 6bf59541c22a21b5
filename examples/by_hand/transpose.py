"""The transpose of a matrix through LDS. A swizzle spreads the columns over the banks: the 16-byte pieces of
row r are exchanged by the bits of r, so that neither the rows nor the columns of the tile conflict."""

from typing import Annotated

import numpy as np

from asmgen.assembly import Builder, below, f32, global_pointer, kernel, pseudo, u32

SIDE = 32  # elements of a side of the tile
PIECE = 4  # elements of a lane, neighbours in a row


@kernel(workgroup=(SIDE * SIDE // PIECE, 1, 1), most_workgroups=(512, 512, 1))
def transpose(
    k: Builder, x: global_pointer[f32], y: global_pointer[f32], rows: Annotated[u32, below(1 << 14)],
    cols: Annotated[u32, below(1 << 14)],
) -> None:  # fmt: skip
    tile = k.lds(4 * SIDE * SIDE)
    row, piece = k.thread_id.x // (SIDE // PIECE), k.thread_id.x % (SIDE // PIECE)
    above, left = SIDE * k.workgroup_id.y, SIDE * k.workgroup_id.x  # rows and cols are multiples of SIDE
    place = SIDE * row + PIECE * pseudo.bits(k, "xor", piece, row // PIECE)
    k.ds_write_b128(
        tile, 4 * place, k.global_load_dwordx4(x, 4 * ((above + row) * cols + left + PIECE * piece))
    )
    k.barrier()
    out = k.vgpr(PIECE)
    for part in range(PIECE):
        source = PIECE * piece + part  # a row of the tile; its column is this lane's row
        column = PIECE * pseudo.bits(k, "xor", row // PIECE, source // PIECE) + row % PIECE
        k.ds_read_b32(tile, 4 * (SIDE * source + column), into=out[part])
    k.global_store_dwordx4(y, 4 * ((left + row) * rows + above + PIECE * piece), out)


def verify(target: str) -> float:
    """The largest error on the emulator: 0, since nothing is computed."""
    x = np.arange(64 * 96, dtype=np.float32).reshape(64, 96)
    return transpose.compile(target).verify(
        lambda x, y, rows, cols: {"y": x.T},
        grid=(3, 2, 1),
        x=x,
        y=np.zeros((96, 64), np.float32),
        rows=64,
        cols=96,
    )
