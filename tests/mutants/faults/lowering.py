"""Faults in the lowering of tiles to lanes: accesses, guards, numbers of lanes, reductions, loops."""

from __future__ import annotations

from tests.mutants.planting import faults_in

FAULTS = (
    *faults_in(
        "asmgen/blockwise/lowering/access.py",
        (
            "== step\n", "is not None\n",
            "registers that do not follow each other are one access", "abs transposed",
        ),
    ),
    *faults_in(
        "asmgen/blockwise/lowering/bits.py",
        (
            "(1 << run.bits) - 1", "(1 << run.bits - 1) - 1",
            "the highest bit of a lane's place is lost", "sum f32 {70,3,9} over {2}",
        ),
        (
            "builder.constant(run.first, U32)", "builder.constant(run.first + 1, U32)",
            "a lane's row is told by the bits from the next one on", "sum f32 {70,3,9} over {2}",
        ),
        (
            "if run.first + run.bits < width:", "if run.first + run.bits < 0:",
            "the bits above a lane's place count in it", "sum f32 {70,3,9} over {2}",
        ),
    ),
    *faults_in(
        "asmgen/blockwise/lowering/context.py",
        (
            "Combine.MAX: MAX,", "Combine.MAX: MIN,",
            "parts of a maximum are joined by the smaller", "max f32 {3,1026,4,3} over {1}",
        ),
        (
            "Combine.PROD: MUL,", "Combine.PROD: ADD,",
            "parts of a product are added", "prod f32 {3,1026,4,3} over {1}",
        ),
        (
            "lane=bits if is_last else 0", "lane=0",
            "the first lane stores what the last one has", "row_sum()",
        ),
    ),
    *faults_in(
        "asmgen/blockwise/lowering/exchange.py",
        (
            "builder.constant(1 << bit, U32))\n    return", "builder.constant(1, U32))\n    return",
            "every step between lanes is with the neighbour", "softmax f32 {521,200} axis 0@gfx1100",
        ),
        (
            "builder.constant(context.kernel.lanes - 1, U32)", "builder.constant(0, U32)",
            "what the last lane has is read from the first", "softmax f32 {16,4,107,6} axis 2",
        ),
        (
            "length << kept.index(bit)", "1 << kept.index(bit)",
            "lanes write their vectors over those of others", "softmax f32 {521,200} axis 0@gfx1100",
        ),
        (
            "of_wave * _deposited(count, bits)", "of_wave * _deposited(0, bits)",
            "of all waves the first is read each time", "softmax f32 {521,200} axis 0@gfx1100",
        ),
        (
            "[of_wave << wave for", "[of_wave * (wave == 0) for",
            "waves beyond the second write where others do", "softmax f32 {521,200} axis 0@gfx1100",
        ),
        (
            "if not tile.in_last:", "if tile.in_last:",
            "what the last lane has is taken for everyone's", "softmax(rows=33,cols=50)",
        ),
    ),
    *faults_in(
        "asmgen/blockwise/lowering/conditions.py",
        (
            "rounded = -(-room.constant // multiple) * multiple",
            "rounded = room.constant // multiple * multiple",
            "a condition ends a vector too early", "vecadd(n=261)",
        ),
    ),
    *faults_in(
        "asmgen/blockwise/lowering/atoms.py",
        (
            "builder.constant(atom.by - 1, U32)", "builder.constant(atom.by, U32)",
            "a remainder by a power of two has the next bit alone", "add f32 {2,3,4,4} by {4,4}",
        ),
        (
            "builder.sub(indices.value(positive), multiple)", "builder.add(indices.value(positive), multiple)",
            "a remainder adds the multiple", "sub i32 {2,3,4,5} by {4,5}",
        ),
        (
            "smaller = builder.min(", "smaller = builder.max(",
            "an index is held above its limit", "vecadd(n=999,dtype=f16)",
        ),
        (
            "at_most = indices.value(limit + lifted)",
            "at_most = indices.value(limit + lifted + 1)",
            "an index is held one above its limit", "vecadd(n=999,dtype=f16)",
        ),
    ),
    *faults_in(
        "asmgen/blockwise/lowering/comparisons.py",
        (
            "indices.builder.less(indices.value(left + lift), indices.value(right + lift))",
            "indices.builder.less(indices.value(left + lift), indices.value(right + lift + 1))",
            "a condition holds for one more", "vecadd(n=1000)",
        ),
    ),
    *faults_in(
        "asmgen/blockwise/lowering/indices.py",
        (
            "(index.constant - lift) * size", "0",
            "the constant of an address is forgotten", "row_sum(rows=3,cols=9000)",
        ),
        (
            "self._kernel.grid.index(of)", "0",
            "every id of a workgroup is the first", "sum f32 {3,1026,4,3} over {1}",
        ),
        (
            "total = self.multiple(self.value(smaller), factor, smaller)",
            "total = self.value(smaller)",
            "a multiple of what is computed anyway is that itself", "sum f32 {3,1026,4,3} over {1}",
        ),
    ),
    *faults_in(
        "asmgen/blockwise/lowering/places.py",
        (
            "return index * unit + (const & ~mask)", "return index * unit",
            "what a register adds to its lane's place is left out", "sub i32 {2,3,4,5} by {4,5}",
        ),
        (
            "whole + sum(steps[of][register] * stride for", "whole + sum(steps[of][0] * stride for",
            "all registers of a lane have the place of the first", "gelu(n=1000)",
        ),
    ),
    *faults_in(
        "asmgen/blockwise/lowering/kernel.py",
        (
            "(ops.TileStore, ops.Pointwise, ops.Convert, ops.BitCast)",
            "(ops.TileStore, ops.Pointwise, ops.Convert, ops.BitCast, ops.Broadcast)",
            "what the last lane has is broadcast by every lane", "softmax f32 {16,4,107,6} axis 2",
        ),
    ),
    *faults_in(
        "asmgen/blockwise/lowering/loops.py",
        (
            "            rest = rest[count:]\n", "",
            "every tile that a loop carries is the first", "loop of three",
        ),
        (
            "builder.constant(action.step, U32)", "builder.constant(2 * action.step, U32)",
            "a loop leaves out every second piece", "sum f32 {40,33,30,5} over {0,2}",
        ),
    ),
    *faults_in(
        "asmgen/blockwise/lowering/memory.py",
        (
            "yield from self._parts(registers[lanes // 2 :])",
            "yield from self._parts(registers[: lanes // 2])",
            "the second half of elements is read where the first is", "abs transposed",
        ),
        (
            "copies.waves, tile.in_last)", "copies.waves)",
            "of copies in the last lane the first stores", "loop of three",
        ),
        (
            "if len(set(places)) == 1:", "if places:",
            "registers of one vector have the first one's element", "bias of channels",
        ),
    ),
    *faults_in(
        "asmgen/blockwise/lowering/pointwise.py",
        (
            "_masked(context, guards[0], value, otherwise)", "value",
            "a mask leaves whole vectors as they are", "row_sum(rows=5,cols=300)",
        ),
    ),
    *faults_in(
        "asmgen/blockwise/lowering/reduction.py",
        (
            "ops.Combine.MIN: \"min\",", "ops.Combine.MIN: \"max\",",
            "the lanes of a minimum give the largest", "min f32 {3,4,2,2} over {1}",
        ),
        (
            "bits.lanes == tuple(range(len(tile.layout.lanes))) and", "len(bits.lanes) > 1 and",
            "lanes of several rows are combined as one", "row_sum(rows=33,cols=40)",
        ),
        (
            "for bit in bits[low:]:", "for bit in bits[low + 1 :]:",
            "a step between lanes is left out", "softmax f32 {521,200} axis 0@gfx1100",
        ),
        (
            "lanes=1 << low)", "lanes=1 << low - 1)",
            "neighbours are combined in half of their groups", "sum f32 {3,4,2,2} over {1}",
        ),
        (
            "op, waves=waves))", "op, waves=waves // 2))",
            "half of the waves are combined", "row_sum(rows=3,cols=9000)",
        ),
        (
            "is Scope.WORKGROUP and partial.bits.waves:", "is Scope.LANE and partial.bits.waves:",
            "waves are not combined", "row_sum(rows=5,cols=300)",
        ),
        (
            "            total = _elements(context, action.op, total)\n",
            "            total = builder.extract(total, 0) if lane_type(total).lanes > 1 else total\n",
            "of a lane's vector the first element alone counts", "row_sum(rows=5,cols=300)",
        ),
    ),
    *faults_in(
        "asmgen/blockwise/lowering/tile.py",
        (
            "all(element == first for element in elements)",
            "all(element.value is first.value for element in elements)",
            "a vector of a vector's elements is the first repeated", "vecadd(n=261)",
        ),
    ),
    *faults_in(
        "asmgen/blockwise/lowering/exchange.py",
        (
            "    builder.barrier()\n    waves", "    waves",
            "waves read what the others have not written yet", "softmax f32 {521,200} axis 0@gfx1100",
        ),
        timing=True,
    ),
)  # fmt: skip
