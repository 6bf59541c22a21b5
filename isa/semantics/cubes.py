"""The faces of a cube map and coordinates on them (CDNA3 ISA and RDNA3 ISA, V_CUBEID_F32 and its kin)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from isa.semantics.lane import LaneFunction, pure
from isa.semantics.mode import Array, where

_OfVector = Callable[[Any, Any, Any], Any]


def _on_major_axis(
    of_x: _OfVector, of_y: _OfVector, of_z: _OfVector
) -> Callable[[Array, Array, Array], Array]:
    """A function of a vector, chosen by the axis on which it reaches farthest: z before y before x."""

    def call(x: Array, y: Array, z: Array) -> Array:
        along_z = (np.abs(z) >= np.abs(x)) & (np.abs(z) >= np.abs(y))
        return where(
            along_z, of_z(x, y, z), where(np.abs(y) >= np.abs(x), of_y(x, y, z), of_x(x, y, z))
        ).astype(np.float32)

    return call


CUBES: dict[str, LaneFunction] = {  # CDNA3 ISA and RDNA3 ISA, V_CUBEID_F32 and its kin
    "v_cubeid_f32": pure(
        _on_major_axis(
            lambda x, y, z: where(x < 0, 1, 0),
            lambda x, y, z: where(y < 0, 3, 2),
            lambda x, y, z: where(z < 0, 5, 4),
        )
    ),
    "v_cubesc_f32": pure(
        _on_major_axis(
            lambda x, y, z: where(x < 0, z, -z), lambda x, y, z: x, lambda x, y, z: where(z < 0, -x, x)
        )
    ),
    "v_cubetc_f32": pure(
        _on_major_axis(lambda x, y, z: -y, lambda x, y, z: where(y < 0, -z, z), lambda x, y, z: -y)
    ),
    "v_cubema_f32": pure(
        _on_major_axis(
            lambda x, y, z: x * np.float32(2),
            lambda x, y, z: y * np.float32(2),
            lambda x, y, z: z * np.float32(2),
        )
    ),
}
