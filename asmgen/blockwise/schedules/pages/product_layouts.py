"""The layouts of a matrix product: of a, b and c in the product, and of a and b in loads from memory.

outer products    a lane has 4 by 4 elements of c, or 8 by 8; 8 lanes lie along the columns, the
                  others along the rows
an instruction    its own layouts; the registers of a wave have adjacent tiles, and the waves share the
                  columns of tiles and then the rows, as evenly as possible
"""

from __future__ import annotations

from msgspec.structs import replace

from asmgen.blockwise.layout.algebra import Part, product
from asmgen.blockwise.layout.layout import Layout, Sizes, join, layout, moved, split, without_axes
from asmgen.blockwise.matrix import Instruction
from asmgen.blockwise.schedules.choices import BLOCK, Contract, lane_of
from asmgen.blockwise.schedules.deals import Deal, dealt
from isa.named_tuple import NamedTuple
from isa.target import WIDEST_ACCESS, Target

_REQUEST = 4  # lanes of an access of memory that make a request together
_PHASE = 8  # lanes that LDS gives 16 bytes each at once
_LOADS = 2  # of a lane that has no elements from LDS, next to each other in memory
LONGEST_RUN = 4  # rows of b, of a column, that a lane has next to each other in LDS


class Operands(NamedTuple):
    """The layouts in which they are multiplied. `run` is how many elements of a column of b a lane has from
    memory, and `adjacent` how many a lane reads together from LDS.
    """

    a: Layout
    b: Layout
    c: Layout
    run: int
    adjacent: int


def of_outer_products(choice: Contract, target: Target) -> Operands:
    """A lane has about as many rows as columns, so that it reads the fewest factors for its products. Lanes
    of a phase of LDS lie along the columns, and read whole rows of its banks.
    """
    wave, waves = target.wave_size, choice.waves
    _, own = lane_of(choice, target)
    places = choice.n // own  # of lanes, along the columns
    along = min(_PHASE, places, wave)
    across = min(wave // along, choice.m)
    along = min(wave // across, places)
    of_rows = min(waves, choice.m // across, max(1, waves * along // places))
    of_columns = min(waves // of_rows, places // along)
    rows = choice.m // (across * of_rows)
    deals = (
        Deal(Part.REGISTERS, 1, BLOCK),
        Deal(Part.LANES, 1, along),
        Deal(Part.WAVES, 1, of_columns),
        Deal(Part.REGISTERS, 1, choice.n // (BLOCK * along * of_columns)),
        Deal(Part.REGISTERS, 0, min(BLOCK, rows)),
        Deal(Part.LANES, 0, across),
        Deal(Part.WAVES, 0, of_rows),
        Deal(Part.REGISTERS, 0, max(1, rows // BLOCK)),
    )
    c = dealt(2, deals, wave, waves)
    return Operands(of_lanes(c, choice.k, 0), of_lanes(c, choice.k, 1), c, 1, 1)


def of_instruction(choice: Contract, by: Instruction, stored: int = 0, of_load: int = 1) -> Operands:
    """A lane has as many adjacent k as an access of LDS reads, if a trip has that many; several instructions
    multiply them. With `stored`, the bytes of a result in memory, it also has as many adjacent results of a
    row as an access of memory stores, if the instruction numbers columns alike in b and c: those of several
    tiles of c, which then have columns that are not adjacent. If waves have columns of their own, a lane has
    the adjacent k of two loads, of `of_load` each, and the next lane along k those after them: the four lanes
    of v_mfma_f32_16x16x16_f16 along k then load whole lines of 128 bytes.
    """
    m, n, k = by.sizes
    run = _run(by.layouts[1])
    of_access = max(1, WIDEST_ACCESS // by.factor_bytes // run)
    wanted = max(of_access, _LOADS * of_load // run) if choice.apart else of_access
    wider = min(wanted, choice.k // k)
    a, b, c = by.layouts
    own = (_longer(a, 1, run, wider), _longer(b, 0, run, wider), _along_rows(c, by.turned))
    k *= wider
    rows, columns = choice.m // m, choice.n // n
    along = _waves_along(choice, rows, columns)
    beside = _beside(own[2])
    if stored and own[2] != c:
        times = max(1, min(WIDEST_ACCESS // (stored * beside), columns // along))
        joined = _longer(own[1], 1, beside, times), _longer(own[2], 1, beside, times)
        if by.n_order(1, joined[0]) == by.n_order(2, joined[1]):
            own, columns = (own[0], *joined), columns // times
    placed = _placed(choice, rows, columns, along)
    a, b, c = [
        product(own, outer)
        for own, outer in zip(
            own,
            (of_outer(placed, choice.k // k, 0), of_outer(placed, choice.k // k, 1), placed),
            strict=True,
        )
    ]
    return Operands(a, b, c, min(LONGEST_RUN, run), run * min(of_access, wider))


def of_slices(choice: Contract, by: Instruction, stored: int = 0, of_load: int = 1) -> Operands:
    """The same if a trip is read in slices along k: a lane reads the elements of a slice together."""
    if choice.slices is None:
        return of_instruction(choice, by, stored, of_load)
    own = of_instruction(replace(choice, k=choice.k // choice.slices), by, stored)
    a, b = [
        product(each, dealt(2, (Deal(Part.REGISTERS, 1 - number, choice.slices),), 1, 1))
        for number, each in enumerate((own.a, own.b))
    ]
    return own._replace(a=a, b=b)


def of_scales(choice: Contract, by: Instruction) -> tuple[Layout, Layout]:
    """The layouts of the scales of a trip, beside those of `of_instruction`."""
    assert by.scales is not None, "the choice fits the product"
    m, n, k = by.sizes
    rows, columns = choice.m // m, choice.n // n
    placed = _placed(choice, rows, columns, _waves_along(choice, rows, columns))
    of_a, of_b = [
        product(own, of_outer(placed, choice.k // k, number)) for number, own in enumerate(by.scales)
    ]
    return of_a, of_b


def _waves_along(choice: Contract, rows: int, columns: int) -> int:
    """How many waves have columns of their own, of so many rows and columns of tiles."""
    along = min(columns, 1 << (choice.waves.bit_length() - 1) // (1 if choice.apart else 2))
    return max(along, min(columns, choice.waves // min(rows, choice.waves)))


def _placed(choice: Contract, rows: int, columns: int, along: int) -> Layout:
    """The places of the tiles of c: the registers of a wave have adjacent tiles."""
    across = min(rows, choice.waves // along)
    deals = (
        Deal(Part.REGISTERS, 1, columns // along),
        Deal(Part.WAVES, 1, along),
        Deal(Part.REGISTERS, 0, rows // across),
        Deal(Part.WAVES, 0, across),
    )
    return dealt(2, deals, 1, choice.waves)


def _along_rows(own: Layout, turned: Layout | None) -> Layout:
    """The layout of c, if any, in which a lane has adjacent elements of a row: they are stored together."""
    return own if turned is None or join((0, 1), turned.sizes) not in turned.registers else turned


def _longer(own: Layout, axis: int, run: int, times: int) -> Layout:
    """The layout of an operand with runs of k, which is `axis`, that are `times` as long: a run of each
    instruction after the other.
    """
    sizes = tuple([size * times if at == axis else size for at, size in enumerate(own.sizes)])

    def move(at: Sizes) -> Sizes:
        step = at[axis] * times if at[axis] >= run else at[axis]
        return (*at[:axis], step, *at[axis + 1 :])

    bases = moved(own, sizes, move)
    added = [
        join(tuple([run << bit if at == axis else 0 for at in (0, 1)]), sizes)
        for bit in range(times.bit_length() - 1)
    ]
    return layout(sizes, (*bases.registers, *added), bases.lanes)


def _beside(of: Layout) -> int:
    """How many elements of a row a lane has next to each other."""
    run = 1
    while join((0, run), of.sizes) in of.registers:
        run *= 2
    return run


def _run(of: Layout) -> int:
    """How many elements of a column a lane has next to each other."""
    run = 1
    while join((run, 0), of.sizes) in of.registers:
        run *= 2
    return run


def of_outer(result: Layout, k: int, number: int) -> Layout:
    """The layout of an operand in which each lane has what its elements of the result need: whole rows of a,
    or whole columns of b.
    """
    rows, columns = result.sizes
    sizes = (rows, k) if number == 0 else (k, columns)
    summed = 1 - number
    kept = moved(result, sizes, lambda at: without_axes(at, (summed,)))
    products = [
        join(tuple([1 << bit if axis == summed else 0 for axis in (0, 1)]), sizes)
        for bit in range(k.bit_length() - 1)
    ]
    own = [basis for basis in kept.registers if basis]
    registers = (*products, *own) if number == 0 else (*own, *products)
    return layout(sizes, registers, kept.lanes, kept.waves)


def of_lanes(result: Layout, k: int, number: int) -> Layout:
    """The layout of a factor of outer products. The first registers are the elements of a product along k,
    which a lane reads from LDS together: it needs them until that product is done."""
    held = of_outer(result, k, number)
    own = [basis for basis in held.registers if split(basis, held.sizes)[number]]
    others = [basis for basis in held.registers if basis not in own]
    return layout(held.sizes, (*own, *others), held.lanes, held.waves)


def of_lines(c: Layout, size: int, choice: Contract, target: Target) -> Layout:
    """The layout of c in which lanes next to each other have whole lines of results of `size` bytes."""
    rows, columns = c.sizes
    return as_read(rows, columns, WIDEST_ACCESS // size, 1, 1, choice, target)


def as_read(
    rows: int, columns: int, access: int, run: int, adjacent: int, choice: Contract, target: Target
) -> Layout:
    """A lane has `access` elements of a row and up to `run` rows. Lanes lie along the columns and then along
    the rows, as far as the tile goes. If a lane has several rows, the next lanes have the rest of `adjacent`
    rows: they fill whole accesses of LDS together.
    """
    wave, waves = target.wave_size, choice.waves
    each = max(1, rows * columns // (wave * waves))
    whole = min(adjacent, access)
    if 1 < run < whole <= min(rows, each // access):
        run = whole
    run = min(run, rows, each)
    access = min(access, columns) if run == 1 else min(access, columns, each // run)
    beside = min(adjacent, rows) // run if run > 1 else 1
    along = min(wave // beside, columns // access)
    across = min(wave // (beside * along), rows // (run * beside))
    together = min(_REQUEST, along)
    of_waves = min(waves, rows // (run * beside * across))
    teams = min(waves // of_waves, columns // (access * along))
    deals = (
        Deal(Part.REGISTERS, 1, access),
        Deal(Part.REGISTERS, 0, run),
        Deal(Part.LANES, 1, together),
        Deal(Part.LANES, 0, beside),
        Deal(Part.LANES, 1, along // together),
        Deal(Part.WAVES, 1, teams),
        Deal(Part.REGISTERS, 1, columns // (access * along * teams)),
        Deal(Part.LANES, 0, across),
        Deal(Part.WAVES, 0, of_waves),
        Deal(Part.REGISTERS, 0, rows // (run * beside * across * of_waves)),
    )
    return dealt(2, deals, wave, waves)
