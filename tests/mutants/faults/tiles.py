"""Faults of the schedules and of index expressions: the distribution of work to tiles, and their elements."""

from __future__ import annotations

from tests.mutants.planting import fault

FAULTS = (
    fault(
        "_Division.groups", "-(-self.elements // self.tile)", "max(1, self.elements // self.tile)",
        "the last workgroup of a pointwise kernel is not launched", "relu(n=1030,dtype=i32)",
    ),
    fault(
        "pointwise._of_vectors", "elements - vector", "elements - vector - 1",
        "the last vector begins an element too early", "vecadd(n=999,dtype=f16)",
    ),
    fault(
        "_Division.at", "self.section.at(first + within, ids[1:], places.copy)", "self.section.at(first, ids[1:], places.copy)",
        "the elements of a vector are its first element", "vecadd(n=999,dtype=f16)",
    ),
    fault(
        "_Division.at", "self.section.merged[-1] - self.vector", "self.section.merged[-1] - self.vector - 1",
        "the last vector of a chosen row begins an element too early", "chosen rows",
    ),
    fault(
        "Copies.joined", "next(left) * factor + next(left)", "next(left) * factor",
        "all copies are stored to the place of the first", "rows three times",
    ),
    fault(
        "maps._chosen", "of_data.dims[axis]", "of_data.dims[axis] - 1",
        "indices are clamped to the element before the last", "chosen along the first axis",
    ),
    fault(
        "maps._resampled", "place // over", "(place + over) // over",
        "the element after a place is taken", "an image of other sizes",
    ),
    fault(
        "resample._between", "write.apply(ops.MUL, after, t)", "write.apply(ops.MUL, before, t)",
        "the element after a place counts for nothing", "an image of other sizes",
    ),
    fault(
        "choices.nll_loss", "write.apply(ops.WHERE, is_ignored, write.number(0, loss), loss)", "loss",
        "ignored targets have a loss", "loss by index",
    ),
    fault(
        "choices.one_hot", "write.apply(ops.UNSQUEEZE, indices, axes=(axis,))",
        "write.apply(ops.ABS, write.apply(ops.UNSQUEEZE, indices, axes=(axis,)))",
        "negative indices have a place", "one hot",
    ),
    fault(
        "Stored.at", "_moved(indices, self.first)", "indices",
        "every operand of a concat is stored from the first column on", "rows beside rows",
    ),
    fault(
        "Stretch.reached", "within(first, own, self.step, self.limit)", "within(first, own, self.step, self.limit - 1)",
        "a row's last piece ends an element too early", "softmax(rows=5,cols=300)",
    ),
    fault(
        "stretches", "trips * main.shape[axis]", "(trips - 1) * main.shape[axis]",
        "the piece of the last trip counts twice", "sum f16 {512,301} over {0}",
    ),
    fault(
        "stretches", "Stretch(layout, done, 1, step)", "Stretch(layout, 0, 1, step)",
        "the rest after a loop begins at the start of the row", "max f32 {300,301} over {0}",
    ),
    fault(
        "stretches", "Stretch(layout, whole, 1, 1, limit)", "Stretch(layout, whole - 1, 1, 1, limit)",
        "the rest after whole accesses begins an element too early", "softmax(rows=3,cols=9001)",
    ),
    fault(
        "stretches", "Stretch(tiling.piece(1), done, 1, step, whole)", "Stretch(tiling.piece(1), done, 1, step, whole - step)",
        "the last access of a row is left out", "row_sum(rows=5,cols=300)",
    ),
    fault(
        "pieces.Places.__init__", "ids[1]", "ids[0]",
        "the inner id counts the outer rows", "sum f32 {3,1026,4,3} over {1}",
    ),
    fault(
        "pieces.Places.__init__", "first + tile[axis]", "first",
        "all rows of a workgroup are its first row", "sum f32 {70,3,9} over {2}",
    ),
    fault(
        "Reduction._joined", "carried[number]", "carried[0]",
        "every reduction continues from the first reduction's result", "loop of three",
    ),
    fault(
        "Reduction._reduced", "coordinates(of_lane.type.shape)[axis] * stretch.step", "coordinates(of_lane.type.shape)[axis]",
        "the next elements of a lane are taken at a wrong stride", "row_sum(rows=5,cols=300)",
    ),
    fault(
        "divided", "1.0 / count", "1.0 / (count + 1)",
        "a mean divides by one element more", "mean f32 {3,4,2,2} over {1}",
    ),
    fault(
        "divided", "builder.fill(count, type_)", "builder.fill(count - 1, type_)",
        "a mean of integers divides by one element less", "mean i32 {5,7} over {1}",
    ),
    fault(
        "Reduction._over",
        'self._builder.for_("j", 0, self._work.dims[axis], 1, carried, turn)',
        'self._builder.for_("j", 1, self._work.dims[axis], 1, carried, turn)',
        "a loop over an outer axis leaves out its first element", "sum f32 {15,33,300,5} over {0,2}",
    ),
    fault(
        "_Scans._over.turn", "counter + stretch.first", "constant(stretch.first)",
        "every trip of a scan's loop has the first piece", "recurrence {400,300}",
    ),
    fault(
        "_Scans._piece", "carried[number : number + 1]", "[self._nothing(scan)][: len(carried)]",
        "a scan restarts with each piece", "recurrence {20,300}",
    ),
    fault(
        "ScanState._waves", "before if carry is None else self._value(before, carry)", "nothing if carry is None else carry",
        "a wave's scan leaves out the waves before", "cumsum(rows=3,cols=1024)",
    ),
    fault(
        "ScanState._row_of_lanes", "elements.of_lane_before(up_to, nothing, lanes)", "elements.of_lane_before(total, nothing, lanes)",
        "a lane's scan includes only the lane before", "cumsum(rows=3,cols=256)",
    ),
    fault(
        "Pairs.combined", "builder.mul(b, factor)", "builder.mul(b, a)",
        "the earlier summand is multiplied by the earlier factor", "recurrence {3,300}",
    ),
    fault(
        "Pairs.over_lanes", "self.combined(tuple(early), element)", "self.combined(element, tuple(early))",
        "lanes are combined in the wrong order", "recurrence {3,300}",
    ),
    fault(
        "ScanState._in_turn", "self._start[self._row[registers[0]]] if self._start else None", "None",
        "a lane with a whole row begins again with each piece", "recurrence {20,300}",
    ),
    fault(
        "Body._pointwise", "forms.converted(forms.narrowed(operands[0], source), target)", "forms.converted(operands[0], target)",
        "a value computed in f32 is converted without rounding to its type", "rounded sum",
    ),
    fault(
        "_from_axis", "at[first : first + operand.rank]", "at[first : first + operand.rank][::-1]",
        "a broadcast from an axis exchanges the axes", "add broadcast axis 0",
    ),
    fault(
        "index.quotients.quotient", "rest.high // divisor", "0",
        "a quotient that begins with zero is zero", "add f32 {2,3,4,4} by {4,4}",
    ),
    fault(
        "index.quotients.remainder", "remainder(smaller, divisor // common) * common", "remainder(smaller, divisor // common)",
        "a remainder lacks its common factor", "sub i32 {2,3,4,5} by {4,5}",
    ),
    fault(
        "Index.substitute", "self.constant", "0",
        "substitution drops the constant of an index", "vecadd(n=261)",
    ),
    fault(
        "_interned", "atom.low if coefficient > 0 else atom.high", "atom.high",
        "the lower bound of an index is its upper bound", "vecadd(n=261)",
    ),
    fault(
        "_interned", "atom.high if coefficient > 0 else atom.low", "atom.low",
        "the upper bound of an index is its lower bound", "vecadd(n=261)",
    ),
    fault(
        "index.minimums.minimum", "of.high", "of.low",
        "an index whose lower bound is below a limit is not clamped", "vecadd(n=999,dtype=f16)",
    ),
    fault(
        "index.quotients.joined", "atom.by * gone[0].by", "atom.by",
        "two joined remainders become the inner remainder", "sub i32 {2,3,4,5} by {4,5}",
    ),
)  # fmt: skip
