"""Faults of the lowering of tiles to lanes: accesses, guards, numbers of lanes, reductions, loops."""

from __future__ import annotations

from tests.mutants.planting import fault

FAULTS = (
    fault(
        "_follows",
        "_difference(addresses[register | 1 << bit], addresses[register]) == step",
        "_difference(addresses[register | 1 << bit], addresses[register]) is not None",
        "registers that are not consecutive form one access", "abs transposed",
    ),
    fault(
        "_extracted", "1 << run.bits", "1 << run.bits - 1",
        "the highest bit of a lane's place is lost", "sum f32 {70,3,9} over {2}",
    ),
    fault(
        "_extracted", "builder.constant(run.first, U32)", "builder.constant(run.first + 1, U32)",
        "the bits of a lane's row start one too high", "sum f32 {70,3,9} over {2}",
    ),
    fault(
        "_extracted", "run.first + run.bits < width", "run.first + run.bits < 0",
        "the bits above a lane's place count in it", "sum f32 {70,3,9} over {2}",
    ),
    fault(
        "context.COMBINES", "{Combine.MAX: MAX}", "{Combine.MAX: MIN}",
        "parts of a maximum are joined by minimum", "max f32 {3,1026,4,3} over {1}",
    ),
    fault(
        "context.COMBINES", "{Combine.PROD: MUL}", "{Combine.PROD: ADD}",
        "parts of a product are added", "prod f32 {3,1026,4,3} over {1}",
    ),
    fault("Context.one_of_copies", "bits if is_last else 0", "0", "the first lane stores instead of the last lane", "row_sum()"),
    fault(
        "from_lane", "1 << bit", "1",
        "every step between lanes is with the neighbour", "softmax f32 {521,200} axis 0@gfx1100",
    ),
    fault(
        "from_last", "context.kernel.lanes - 1", "0",
        "the value of the last lane is read from the first lane", "softmax f32 {16,4,107,6} axis 2",
    ),
    fault(
        "exchange._at", "length << kept.index(bit)", "1 << kept.index(bit)",
        "lanes write their vectors over those of others", "softmax f32 {521,200} axis 0@gfx1100",
    ),
    fault(
        "vectors_from_waves", "_deposited(count, bits)", "_deposited(0, bits)",
        "the first wave is read for every wave", "softmax f32 {521,200} axis 0@gfx1100",
    ),
    fault(
        "vectors_from_waves", "of_wave << wave", "of_wave * (wave == 0)",
        "waves after the second overwrite others", "softmax f32 {521,200} axis 0@gfx1100",
    ),
    fault(
        "everywhere", "not tile.in_last", "tile.in_last",
        "a value of the last lane is used as if every lane had it", "softmax(rows=33,cols=50)",
    ),
    fault(
        "canonical", "-(-room.constant // multiple)", "room.constant // multiple",
        "a condition ends a vector too early", "vecadd(n=261)",
    ),
    fault(
        "_atom_value", "builder.constant(atom.by - 1, U32)", "builder.constant(atom.by, U32)",
        "a remainder by a power of two has the next bit alone", "add f32 {2,3,4,4} by {4,4}",
    ),
    fault(
        "_atom_value", "builder.sub(indices.value(positive), multiple)", "builder.add(indices.value(positive), multiple)",
        "a remainder adds the multiple", "sub i32 {2,3,4,5} by {4,5}",
    ),
    fault(
        "indices._smaller", "builder.min", "builder.max",
        "an index is clamped from below", "vecadd(n=999,dtype=f16)",
    ),
    fault(
        "indices._smaller", "limit + lifted", "limit + lifted + 1",
        "an index is clamped one above its limit", "vecadd(n=999,dtype=f16)",
    ),
    fault(
        "conditions._less", "indices.value(right)", "indices.value(right + 1)",
        "a condition is true for one more element", "vecadd(n=1000)",
    ),
    fault(
        "addresses.indices.IndexValues.address", "(index.constant - lift) * size", "0",
        "the constant of an address is forgotten", "row_sum(rows=3,cols=9000)",
    ),
    fault(
        "IndexValues.of_symbol", "self._kernel.grid.index(of)", "0",
        "every id of a workgroup is the first id", "sum f32 {3,1026,4,3} over {1}",
    ),
    fault(
        "addresses.indices.IndexValues._sum", "self.multiple(self.value(smaller), factor, smaller)", "self.value(smaller)",
        "a multiple of a computed value is the value itself", "sum f32 {3,1026,4,3} over {1}",
    ),
    fault(
        "Places.image", "index * unit + (const & ~mask)", "index * unit",
        "the offset of a register within its lane is dropped", "gemm(m=20,n=40,k=70)",
    ),
    fault("Places._stepped", "steps[of][register]", "steps[of][0]", "all registers of a lane have the place of the first", "exp f32 {500}"),
    fault(
        "_OF_ANY_LANE",
        "(ops.TileStore, ops.Pointwise, ops.Convert, ops.BitCast)",
        "(ops.TileStore, ops.Pointwise, ops.Convert, ops.BitCast, ops.Broadcast)",
        "every lane broadcasts a value that only the last lane has", "softmax f32 {16,4,107,6} axis 2",
    ),
    fault("loop.tiles", "rest = rest[count:]", "", "every carried tile of a loop is the first tile", "loop of three"),
    fault(
        "loop", "builder.constant(action.step, U32)", "builder.constant(2 * action.step, U32)",
        "a loop leaves out every second piece", "sum f32 {15,33,300,5} over {0,2}",
    ),
    fault(
        "_Reader._parts", "registers[lanes // 2 :]", "registers[: lanes // 2]",
        "the second half of the elements is read at the first half", "mul f32 {3,3} by {3,1}",
    ),
    fault(
        "global_memory.store",
        "context.one_of_copies(copies.lanes, copies.waves, tile.in_last)",
        "context.one_of_copies(copies.lanes, copies.waves)",
        "the first copy stores, but the last lane has the value", "loop of three",
    ),
    fault(
        "global_memory.load", "len(set(places)) == 1", "places",
        "all registers of a vector have the first element", "bias of channels",
    ),
    fault(
        "pointwise._masked", "context.chosen(guard, value, other)", "value",
        "a mask leaves whole vectors as they are", "row_sum(rows=5,cols=300)",
    ),
    fault(
        "reduction.KINDS", '{ops.Combine.MIN: "min"}', '{ops.Combine.MIN: "max"}',
        "the lanes of a minimum give the largest", "min f32 {3,4,2,2} over {1}",
    ),
    fault(
        "within_waves", "bits.lanes == tuple(range(len(tile.layout.lanes)))", "len(bits.lanes) > 1",
        "lanes of several rows are combined as one", "row_sum(rows=33,cols=40)",
    ),
    fault(
        "reduction._lanes", "bits[low:]", "bits[low + 1 :]",
        "a step between lanes is left out", "softmax f32 {521,200} axis 0@gfx1100",
    ),
    fault(
        "reduction._lanes", "1 << low", "1 << low - 1",
        "neighbours are combined in half of their groups", "sum f32 {3,4,2,2} over {1}",
    ),
    fault(
        "reduction._waves",
        "_applied(context, REDUCE_WAVES, (value, lds), op, waves=waves)",
        "_applied(context, REDUCE_WAVES, (value, lds), op, waves=waves // 2)",
        "half of the waves are combined", "row_sum(rows=3,cols=9000)",
    ),
    fault("across_waves", "Scope.WORKGROUP", "Scope.LANE", "waves are not combined", "row_sum(rows=5,cols=300)"),
    fault(
        "reduction._within",
        "_applied(context, LANE_REDUCE, (vector,), op)",
        "builder.extract(vector, 0)",
        "only the first element of a lane's vector counts", "row_sum(rows=5,cols=300)",
    ),
    fault(
        "tile.gathered", "element == first", "element.value is first.value",
        "a vector of another vector's elements repeats the first element", "vecadd(n=261)",
    ),
    fault(
        "vectors_from_waves", "builder.barrier()", "",
        "waves read what the others have not written yet", "softmax f32 {521,200} axis 0@gfx1100", timing=True,
    ),
)  # fmt: skip
