"""Faults in the schedules: how a graph's work is dealt out to tiles, and which elements each has."""

from __future__ import annotations

from tests.mutants.planting import faults_in

FAULTS = (
    *faults_in(
        "asmgen/blockwise/schedules/pointwise.py",
        (
            "[-(-one.of_block // layout.shape[0]) for", "[max(1, one.of_block // layout.shape[0]) for",
            "the last workgroup of a pointwise kernel is not launched", "relu(n=1030,dtype=i32)",
        ),
        (
            "first.at_most(elements - vector)", "first.at_most(elements - vector - 1)",
            "the last vector begins an element too early", "vecadd(n=999,dtype=f16)",
        ),
        (
            "place // vector * vector", "place",
            "each element of the last vector is held back by itself", "vecadd(n=999,dtype=f16)",
        ),
    ),
    *faults_in(
        "asmgen/blockwise/schedules/pieces.py",
        (
            "place, below = within(first, own, self.step, self.limit)",
            "place, below = within(first, own, self.step, self.limit - 1)",
            "a row's last piece ends an element too early", "softmax(rows=5,cols=300)",
        ),
        (
            "done = trips * main.shape[axis]", "done = (trips - 1) * main.shape[axis]",
            "what the last trip of a loop has counts twice", "sum f16 {1,100001} over {1}",
        ),
        (
            "Stretch(layout, done, 1, step))", "Stretch(layout, 0, 1, step))",
            "what comes after a loop begins where the row does", "max f32 {300,301} over {0}",
        ),
        (
            "Stretch(layout, whole, 1, 1, limit)", "Stretch(layout, whole - 1, 1, 1, limit)",
            "what whole accesses leave over begins an element too early", "softmax(rows=3,cols=9001)",
        ),
        (
            "Stretch(tiling.piece(1), done, 1, step, whole)",
            "Stretch(tiling.piece(1), done, 1, step, whole - step)",
            "the last access of a row is left out", "row_sum(rows=5,cols=300)",
        ),
    ),
    *faults_in(
        "asmgen/blockwise/schedules/places.py",
        (
            "(unflattened(ids[1], counts[:-1])", "(unflattened(ids[0], counts[:-1])",
            "the outer rows are those that the inner id counts", "sum f32 {3,1026,4,3} over {1}",
        ),
        (
            "= first + tile[axis]\n", "= first\n",
            "all rows of a workgroup are its first", "sum f32 {70,3,9} over {2}",
        ),
    ),
    *faults_in(
        "asmgen/blockwise/schedules/reduction.py",
        (
            "carried[number], partial) if", "carried[0], partial) if",
            "every reduction goes on from the first one's result", "loop of three",
        ),
        (
            "coordinates(of_lane.type.shape)[axis] * stretch.step", "coordinates(of_lane.type.shape)[axis]",
            "a lane's elements are looked for an element further on", "row_sum(rows=5,cols=300)",
        ),
        (
            "builder.fill(1.0 / count, total.type)", "builder.fill(1.0 / (count + 1), total.type)",
            "a mean is of an element more", "mean f32 {3,4,2,2} over {1}",
        ),
        (
            "builder.fill(count, total.type)", "builder.fill(count - 1, total.type)",
            "a mean of integers is of an element less", "mean i32 {5,7} over {1}",
        ),
        (
            "0, stretch.trips * size, count * size", "0, (stretch.trips - count) * size, count * size",
            "a loop along a row takes a trip less", "sum f16 {1,100001} over {1}",
        ),
        (
            "\"j\", 0, self._work.dims[axis], 1", "\"j\", 1, self._work.dims[axis], 1",
            "a loop over an outer axis leaves out its first element", "sum f32 {40,33,30,5} over {0,2}",
        ),
        (
            "pieces(counter + stretch.first, frozenset",
            "pieces(constant(stretch.first), frozenset",
            "every trip of a loop has the first piece", "sum f16 {1,100001} over {1}",
        ),
    ),
    *faults_in(
        "asmgen/blockwise/schedules/scan.py",
        (
            "constant(last) - counter if self._reverse else counter + stretch.first",
            "constant(last) - counter if self._reverse else constant(stretch.first)",
            "every trip of a scan's loop has the first piece", "cumsum(rows=3,cols=9000)",
        ),
        (
            "*carried[number : number + 1])", "*[self._nothing(scan)][: len(carried)])",
            "a scan begins anew with each piece", "cumsum(rows=3,cols=9000)",
        ),
    ),
    *faults_in(
        "asmgen/blockwise/lowering/scan.py",
        (
            "before if carry is None else self._value(before, carry)\n\n    def _has_turns",
            "nothing if carry is None else carry\n\n    def _has_turns",
            "a wave's scan leaves out the waves before", "cumsum(rows=3,cols=1024)",
        ),
        (
            "builder.apply(LANE_BEFORE, (up_to, nothing), whole)", "builder.apply(LANE_BEFORE, (total, nothing), whole)",
            "a lane's scan has the lane before alone", "cumsum(rows=3,cols=256)",
        ),
    ),
    *faults_in(
        "asmgen/blockwise/schedules/body.py",
        (
            "exact = operands[0] if source is target else forms.widened(forms.narrowed(operands[0], source))",
            "exact = operands[0]",
            "what is computed in f32 is converted without its rounding", "rounded sum",
        ),
    ),
    *faults_in(
        "asmgen/blockwise/schedules/maps.py",
        (
            "at[first : first + operand.rank]", "at[first : first + operand.rank][::-1]",
            "a broadcast from an axis on has its axes exchanged", "add broadcast axis 0",
        ),
    ),
)  # fmt: skip
