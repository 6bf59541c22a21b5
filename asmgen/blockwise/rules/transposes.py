"""The rules of an `lds_load` that names a transposing load of the target.

The lanes' addresses are those of another layout than the tile's (`asmgen.blockwise.transposes`), and each
names a few elements that follow each other in LDS:

    lds    offset(0:1 0:2 0:4 0:8 0:16 1:0 2:0 4:0 8:0)            f16, rows of 32 columns
    tile   reg(1:0 2:0) lane(0:1 0:2 0:4 0:8 4:0 8:0)              by ds_read_b64_tr_b16
    read   reg(0:1 0:2) lane(0:4 0:8 1:0 2:0 4:0 8:0)              four columns of a row

No other bit of a register, a lane, a wave or the origin changes the offset within such an access.
"""

from __future__ import annotations

from asmgen.blockwise.actions import LdsLoad
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.layout.placement import offset_columns, origin_columns
from asmgen.blockwise.layout.text import basis_text, print_bases, print_layout
from asmgen.blockwise.rules.codes import broken
from asmgen.blockwise.transposes import TransposingLoad, transposing_load, transposing_loads
from asmgen.blockwise.types import LdsType, TileType
from isa.diagnostics import close_names
from isa.target import Target

INSTEAD = (
    "leave `by` out, and relayout the tile before lds_store, so that the elements that a lane reads follow "
    "each other in LDS"
)


def check_transposing(action: LdsLoad, tile: TileType, lds: LdsType, target: Target) -> None:
    """The target has the load that an `lds_load` names, for such a tile. Raises `BrokenRule`."""
    load = transposing_load(action.by, target) or _unknown(action.by, target)
    if not load.loads(tile.element):
        bits = f"elements of {load.bits} bits"
        broken(f"{load.name} loads {bits}, and the tile is of {tile.element}; {INSTEAD}")
    named = load.addresses(tile.layout)
    if named is None:
        broken(
            f"a lane gets {load.elements} elements from {load.name}, and the tile has "
            f"{len(tile.layout.registers)} register bits, wanted at least {load.own}"
        )
    _check_addresses(action, load, named, lds)


def _unknown(name: str, target: Target) -> TransposingLoad:
    names = [load.name for load in transposing_loads(target)]
    if not names:
        broken(f"{target.name} has no loads from LDS that transpose; {INSTEAD}")
    close = close_names(name, names)
    wanted = f"wanted {' or '.join(names)}" + (f"; {close}" if close else "")
    broken(f"{name} is not a load from LDS of {target.name} that transposes, {wanted}")


def _check_addresses(action: LdsLoad, load: TransposingLoad, named: Layout, lds: LdsType) -> None:
    """The elements that an address names follow each other in LDS, from a multiple of their number on."""
    size, count = lds.element.bytes, load.elements
    columns = offset_columns(lds.placement, named)
    own, others = columns[: load.own], list(columns[load.own :])
    for step, column in enumerate(own):
        if column != 1 << step:
            basis, wanted = basis_text(named.registers[step], named.sizes), 1 << step
            broken(
                f"by {load.name} the address of a lane names {count} elements that follow each other in LDS, "
                f"{print_layout(named._replace(waves=()))}, and {basis} is {column * size} bytes into the "
                f"LDS, wanted {wanted * size}; wanted {_wanted(named, load)}"
            )
    for axis in range(named.rank if action.origin else 0):
        others += origin_columns(lds.placement, named.sizes, axis)
    mixed = next((column for column in others if column & count - 1), None)
    if mixed is not None:
        broken(
            f"by {load.name} the address of a lane names {count} elements that follow each other in LDS, and "
            f"a bit of registers, lanes, waves or origin adds {mixed} to the offset by XOR, wanted multiples "
            f"of {count}; wanted {_wanted(named, load)}"
        )
    if not lds.is_aligned(count):
        every, extra = lds.placement.padding
        broken(
            f"by {load.name} an address is a multiple of {count} elements, and a slot has "
            f"{lds.placement.elements} elements with {extra} left free after every {every}; wanted multiples "
            f"of {count}"
        )


def _wanted(named: Layout, load: TransposingLoad) -> str:
    """The beginning of a placement that an address needs."""
    return print_bases("offset", named.registers[: load.own], named.sizes)[:-1] + " ...)"
