"""Contract: a matrix product, a tile of the result a workgroup, through LDS.

    {256,128} x {128,192} of f32 on gfx942    contract[m=64, n=64, k=16, waves=4, buffers=2]
    a lane has 4 rows by 4 columns of the result, 16 lanes lie along the columns, 4 along the rows

For each `k` products a tile of both operands is read as memory has it, 16 bytes a lane, goes to LDS with a
swizzle for which neither side conflicts, and comes back as the outer products want it: a lane has its rows of
a and its columns of b. While one of the buffers is read the other is written, so that one barrier a trip is
enough.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.blockwise.actions import Below
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.algebra import Part
from asmgen.blockwise.layout.layout import Layout, join, layout, split
from asmgen.blockwise.layout.swizzle import chosen
from asmgen.blockwise.program import Kernel
from asmgen.blockwise.program import Value as Tile
from asmgen.blockwise.schedules.body import Body, Buffers, element_of
from asmgen.blockwise.schedules.choices import Contract
from asmgen.blockwise.schedules.maps import Conditions, Indices, tensor_of
from asmgen.blockwise.schedules.outputs import output_buffers
from asmgen.blockwise.schedules.tiling import Deal, dealt
from asmgen.blockwise.schedules.work import Graph
from asmgen.blockwise.types import LdsType, TileType, coordinates
from asmgen.graph.ops import DOT
from asmgen.index import Index, constant
from asmgen.ir.program import Value
from isa.target import Target

ACCESS = 4  # elements of f32 of an access, rows and columns of a lane's block


def schedule(graph: Graph, choice: Contract, target: Target) -> Kernel:
    """The kernel of a graph with one `dot` of matrices, and what is pointwise before and after it."""
    return _Product(graph, choice, target).kernel()


class _Product:
    def __init__(self, graph: Graph, choice: Contract, target: Target) -> None:
        (self._dot,) = [statement for statement in graph.module.statements if statement.op is DOT]
        self._graph, self._choice, self._target = graph, choice, target
        (self._m, self._k), (_, self._n) = [tensor_of(value).dims for value in self._dot.operands]
        grid = {"column": -(-self._n // choice.n), "row": -(-self._m // choice.m)}
        self._builder = TileBuilder(graph.module.name, grid, choice.waves, target.wave_size)
        self._buffers = Buffers(self._builder, graph.defined)

    def kernel(self) -> Kernel:
        builder, choice = self._builder, self._choice
        outputs = output_buffers(builder, self._graph)
        result = builder.layout("c_tile", self._of_result())
        column, row = builder.ids
        tile = coordinates(result.shape)
        at = (row * choice.m + tile[0], column * choice.n + tile[1])
        a, b = self._operand(result, 0), self._operand(result, 1)
        a_in, b_in = self._as_read(choice.m, choice.k), self._as_read(choice.k, choice.n)
        lds = [self._lds(*pair) for pair in ((a_in, a), (b_in, b))]

        def turn(counter: Index, carried: Sequence[Tile]) -> list[Tile]:
            (total,) = carried
            slot = counter // choice.k % choice.buffers
            of_a, of_b = coordinates(a_in.shape), coordinates(b_in.shape)
            read = [
                self._read(self._dot.operands[0], a_in, (row * choice.m + of_a[0], counter + of_a[1])),
                self._read(self._dot.operands[1], b_in, (counter + of_b[0], column * choice.n + of_b[1])),
            ]
            for tile_, memory in zip(read, lds, strict=True):
                builder.lds_store(tile_, memory, slot=slot)
            builder.barrier()
            ready = [
                builder.lds_load(memory, TileType(element_of(total), held), slot=slot)
                for memory, held in zip(lds, (a, b), strict=True)
            ]
            if choice.buffers == 1:
                builder.barrier()
            return [builder.contract(ready[0], ready[1], total, choice.by)]

        element = element_of(self._probe(a_in))
        zero = builder.fill(0, TileType(element, result))
        (total,) = builder.for_("k", 0, -(-self._k // choice.k) * choice.k, choice.k, (zero,), turn)
        body = Body(builder, self._buffers, result, self._where(at, (self._m, self._n)))
        body.define(self._dot.result, at, total)
        for value, output in zip(self._graph.returns, outputs, strict=True):
            body.store(value, at, output)
        return builder.kernel()

    # Layouts

    def _of_result(self) -> Layout:
        """Blocks of 4 by 4, where there are so many elements; lanes along the columns, as far as they go,
        then along the rows, as all waves.
        """
        choice, wave = self._choice, self._target.wave_size
        along = min(wave, choice.n // ACCESS)
        across = min(wave // along, choice.m)
        of_waves = min(choice.waves, choice.m // across)
        rows = choice.m // (across * of_waves)
        deals = (
            Deal(Part.REGISTERS, 1, ACCESS),
            Deal(Part.LANES, 1, along),
            Deal(Part.REGISTERS, 1, choice.n // (ACCESS * along)),
            Deal(Part.REGISTERS, 0, min(ACCESS, rows)),
            Deal(Part.LANES, 0, across),
            Deal(Part.WAVES, 0, of_waves),
            Deal(Part.REGISTERS, 0, max(1, rows // ACCESS)),
        )
        return dealt(2, deals, wave, choice.waves)

    def _operand(self, result: Layout, number: int) -> Layout:
        """What each holder of the result needs of an operand: all products, for its rows or columns."""
        k, rows, columns = self._choice.k, *result.sizes
        sizes = (rows, k) if number == 0 else (k, columns)
        summed = 1 - number

        def kept(bases: tuple[int, ...]) -> list[int]:
            places = [split(basis, result.sizes) for basis in bases]
            return [
                join(tuple([0 if axis == summed else place[axis] for axis in (0, 1)]), sizes)
                for place in places
            ]

        products = [
            join(tuple([1 << bit if axis == summed else 0 for axis in (0, 1)]), sizes)
            for bit in range(k.bit_length() - 1)
        ]
        own = [basis for basis in kept(result.registers) if basis]
        registers = (*products, *own) if number == 0 else (*own, *products)
        return layout(sizes, registers, tuple(kept(result.lanes)), tuple(kept(result.waves)))

    def _as_read(self, rows: int, columns: int) -> Layout:
        """16 bytes a lane, lanes along the columns and then along the rows, as far as the tile goes."""
        wave, waves = self._target.wave_size, self._choice.waves
        along = min(wave, columns // ACCESS)
        across = min(wave // along, rows)
        of_waves = min(waves, rows // across)
        deals = (
            Deal(Part.REGISTERS, 1, ACCESS),
            Deal(Part.LANES, 1, along),
            Deal(Part.REGISTERS, 1, columns // (ACCESS * along)),
            Deal(Part.LANES, 0, across),
            Deal(Part.WAVES, 0, of_waves),
            Deal(Part.REGISTERS, 0, rows // (across * of_waves)),
        )
        return dealt(2, deals, wave, waves)

    def _lds(self, written: Layout, read: Layout) -> Tile:
        element = element_of(self._probe(written))
        _, _, placement = chosen(written, read, element.bytes, self._target)
        return self._builder.lds(LdsType(element, placement, self._choice.buffers))

    # Elements

    def _probe(self, of: Layout) -> Tile:
        """A tile of the type that the operands are computed in; of a builder that is thrown away."""
        builder = TileBuilder("probe", {"row": 1}, self._choice.waves, self._target.wave_size)
        body = Body(builder, Buffers(builder, self._graph.defined), of)
        return body.value(self._dot.operands[0], (constant(0), constant(0)))

    def _read(self, value: Value, of: Layout, at: Indices) -> Tile:
        body = Body(self._builder, self._buffers, of, self._where(at, tensor_of(value).dims))
        tile = body.value(value, at)
        return tile if not body.where or body.is_buffer(value) else self._builder.mask(tile, body.where, 0)

    def _where(self, at: Indices, dims: tuple[int, ...]) -> Conditions:
        return tuple(
            [Below(index, constant(dim)) for index, dim in zip(at, dims, strict=True) if index.high >= dim]
        )
