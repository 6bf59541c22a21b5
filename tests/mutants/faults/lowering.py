"""Faults in the lowering of tiles to lanes: accesses, guards, numbers of lanes, reductions, loops."""

from __future__ import annotations

from tests.mutants.planting import fault

FAULTS = (
    fault(
        "_follows",
        "_difference(addresses[register | 1 << bit], addresses[register]) == step",
        "_difference(addresses[register | 1 << bit], addresses[register]) is not None",
        "registers that do not follow each other are one access", "abs transposed",
    ),
    fault(
        "_extracted", "1 << run.bits", "1 << run.bits - 1",
        "the highest bit of a lane's place is lost", "sum f32 {70,3,9} over {2}",
    ),
    fault(
        "_extracted", "builder.constant(run.first, U32)", "builder.constant(run.first + 1, U32)",
        "a lane's row is told by the bits from the next one on", "sum f32 {70,3,9} over {2}",
    ),
    fault(
        "_extracted", "run.first + run.bits < width", "run.first + run.bits < 0",
        "the bits above a lane's place count in it", "sum f32 {70,3,9} over {2}",
    ),
    fault(
        "context.COMBINES", "{Combine.MAX: MAX}", "{Combine.MAX: MIN}",
        "parts of a maximum are joined by the smaller", "max f32 {3,1026,4,3} over {1}",
    ),
    fault(
        "context.COMBINES", "{Combine.PROD: MUL}", "{Combine.PROD: ADD}",
        "parts of a product are added", "prod f32 {3,1026,4,3} over {1}",
    ),
    fault("Context.one_of_copies", "bits if is_last else 0", "0", "the first lane stores what the last one has", "row_sum()"),
    fault(
        "from_lane", "1 << bit", "1",
        "every step between lanes is with the neighbour", "softmax f32 {521,200} axis 0@gfx1100",
    ),
    fault(
        "from_last", "context.kernel.lanes - 1", "0",
        "what the last lane has is read from the first", "softmax f32 {16,4,107,6} axis 2",
    ),
    fault(
        "exchange._at", "length << kept.index(bit)", "1 << kept.index(bit)",
        "lanes write their vectors over those of others", "softmax f32 {521,200} axis 0@gfx1100",
    ),
    fault(
        "vectors_from_waves", "_deposited(count, bits)", "_deposited(0, bits)",
        "of all waves the first is read each time", "softmax f32 {521,200} axis 0@gfx1100",
    ),
    fault(
        "vectors_from_waves", "of_wave << wave", "of_wave * (wave == 0)",
        "waves beyond the second write where others do", "softmax f32 {521,200} axis 0@gfx1100",
    ),
    fault(
        "everywhere", "not tile.in_last", "tile.in_last",
        "what the last lane has is taken for everyone's", "softmax(rows=33,cols=50)",
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
        "an index is held above its limit", "vecadd(n=999,dtype=f16)",
    ),
    fault(
        "indices._smaller", "limit + lifted", "limit + lifted + 1",
        "an index is held one above its limit", "vecadd(n=999,dtype=f16)",
    ),
    fault(
        "conditions._less", "right + lift", "right + lift + 1",
        "a condition holds for one more", "vecadd(n=1000)",
    ),
    fault(
        "addresses.indices.Indices.address", "(index.constant - lift) * size", "0",
        "the constant of an address is forgotten", "row_sum(rows=3,cols=9000)",
    ),
    fault(
        "Indices.of_symbol", "self._kernel.grid.index(of)", "0",
        "every id of a workgroup is the first", "sum f32 {3,1026,4,3} over {1}",
    ),
    fault(
        "addresses.indices.Indices._sum", "self.multiple(self.value(smaller), factor, smaller)", "self.value(smaller)",
        "a multiple of what is computed anyway is that itself", "sum f32 {3,1026,4,3} over {1}",
    ),
    fault(
        "Places.image", "index * unit + (const & ~mask)", "index * unit",
        "what a register adds to its lane's place is left out", "sub i32 {2,3,4,5} by {4,5}",
    ),
    fault("Places._stepped", "steps[of][register]", "steps[of][0]", "all registers of a lane have the place of the first", "gelu(n=1000)"),
    fault(
        "_OF_ANY_LANE",
        "(ops.TileStore, ops.Pointwise, ops.Convert, ops.BitCast)",
        "(ops.TileStore, ops.Pointwise, ops.Convert, ops.BitCast, ops.Broadcast)",
        "what the last lane has is broadcast by every lane", "softmax f32 {16,4,107,6} axis 2",
    ),
    fault("loop.tiles", "rest = rest[count:]", "", "every tile that a loop carries is the first", "loop of three"),
    fault(
        "loop", "action.step", "2 * action.step",
        "a loop leaves out every second piece", "sum f32 {40,33,30,5} over {0,2}",
    ),
    fault(
        "_Reader._parts", "registers[lanes // 2 :]", "registers[: lanes // 2]",
        "the second half of elements is read where the first is", "abs transposed",
    ),
    fault(
        "global_memory.store",
        "context.one_of_copies(copies.lanes, copies.waves, tile.in_last)",
        "context.one_of_copies(copies.lanes, copies.waves)",
        "of copies in the last lane the first stores", "loop of three",
    ),
    fault(
        "global_memory.load", "len(set(places)) == 1", "places",
        "registers of one vector have the first one's element", "bias of channels",
    ),
    fault(
        "mask", "_masked(context, guards[0], value, otherwise)", "value",
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
        "reduction._registers",
        "_elements(context, action.op, total)",
        "builder.extract(total, 0) if lane_type(total).lanes > 1 else total",
        "of a lane's vector the first element alone counts", "row_sum(rows=5,cols=300)",
    ),
    fault(
        "tile.gathered", "element == first", "element.value is first.value",
        "a vector of a vector's elements is the first repeated", "vecadd(n=261)",
    ),
    fault(
        "vectors_from_waves", "builder.barrier()", "",
        "waves read what the others have not written yet", "softmax f32 {521,200} axis 0@gfx1100", timing=True,
    ),
)  # fmt: skip
