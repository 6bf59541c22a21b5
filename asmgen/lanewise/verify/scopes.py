"""The scope of each value of a lanewise module: the same in all lanes of the workgroup, in all lanes of a
wave, or different in each lane.

A value is the same over the lanes over which all its operands are. This includes a load from the same index:
a program has no races, so lanes that run a load together read the same number. The result of an `if` is the
same at most over the lanes over which its condition is, and the result of a loop at most over the lanes over
which its bounds are: lanes that leave a loop in different trips have different values.

Example, in workgroups of 256 lanes and waves of 64:

    lane = local_id                       different in each lane
    wave = shift_right(lane, six)         the same in a wave: 64 consecutive numbers
    first = equal(wave, zero)             the same in a wave
    group = workgroup_id                  the same in the workgroup
"""

from __future__ import annotations

from asmgen.graph.ops import DIV, GREATER, LESS, LITERAL
from asmgen.ir.program import Module, Scope, Statement, Value
from asmgen.lanewise import ops
from asmgen.lanewise.records import LaunchAttributes, axis_of, numbers_of
from isa.named_tuple import NamedTuple


class Common(NamedTuple):
    """The widest scope over which a value is the same, and the statement that keeps it from a wider scope."""

    scope: Scope
    cause: Statement | None = None


EVERYWHERE = Common(Scope.WORKGROUP)
_CHUNKS = frozenset({ops.SHIFT_RIGHT, DIV})  # give the same to a number of consecutive lanes
_HALVES = frozenset({LESS, GREATER, ops.LESS_EQUAL, ops.GREATER_EQUAL})
_ONE_MORE = {
    (ops.LESS_EQUAL, 1),
    (GREATER, 1),
    (ops.GREATER_EQUAL, 0),
    (LESS, 0),
}  # x <= c, x > c, c >= x and c < x part after c


class Scopes:
    """The scopes of the values of a module, for waves of `wave` lanes."""

    def __init__(self, module: Module, wave: int) -> None:
        self._wave = wave
        launch = LaunchAttributes.of(module.statements[0])
        self._block, self.lanes = launch.block, launch.lanes
        self.has_any_block = launch.has_any_block
        self._defined: dict[Value, Statement] = {}
        self._common: dict[Value, Common] = {}
        self._run(module.statements)

    def of(self, value: Value) -> Common:
        """Tensors are the same everywhere: they are memory."""
        return self._common.get(value, EVERYWHERE)

    def least(self, values: tuple[Value, ...]) -> Common:
        """The lanes over which all of some values are the same."""
        return min((self.of(value) for value in values), key=lambda common: common.scope, default=EVERYWHERE)

    def _run(self, statements: tuple[Statement, ...]) -> None:
        for statement in statements:
            self._defined.update(dict.fromkeys(statement.results, statement))
            if statement.op.tests_first:
                self._while(statement)
            elif statement.op.carried_from is not None:
                self._loop(statement, statement.op.carried_from)
            elif statement.regions:
                self._branch(statement)
            else:
                self._common.update(dict.fromkeys(statement.results, self._result(statement)))

    def _branch(self, statement: Statement) -> None:
        for region in statement.regions:
            self._run(region.statements)
        condition = self._because(statement, self.of(statement.operands[0]))
        yielded = [region.yielded for region in statement.regions]
        for result, *values in zip(statement.results, *yielded, strict=True) if statement.results else ():
            self._common[result] = _less(condition, self.least(tuple(values)))

    def _loop(self, statement: Statement, first: int) -> None:
        """Carried values count as the same everywhere at first. The scope is narrowed until nothing
        changes.
        """
        (region,) = statement.regions
        counter, *carried = region.parameters
        bounds = self._because(statement, self.least(statement.operands[:first]))
        self._common[counter] = self.least((statement.operands[0], statement.operands[2]))
        for parameter, initial in zip(carried, statement.operands[first:], strict=True):
            self._common[parameter] = self.of(initial)
        is_changed = True
        while is_changed:
            self._run(region.statements)
            is_changed = False
            for parameter, value in zip(carried, region.yielded, strict=True):
                if self.of(value).scope < self.of(parameter).scope:
                    self._common[parameter] = self.of(value)
                    is_changed = True
        for result, parameter in zip(statement.results, carried, strict=True):
            self._common[result] = _less(bounds, self.of(parameter))

    def _while(self, statement: Statement) -> None:
        """As a counted loop, with the yield of the first region as its bounds."""
        test, body = statement.regions
        for parameter, initial in zip(test.parameters, statement.operands, strict=True):
            self._common[parameter] = self.of(initial)
        is_changed = True
        while is_changed:
            self._run(test.statements)
            for inner, parameter in zip(body.parameters, test.parameters, strict=True):
                self._common[inner] = self.of(parameter)
            self._run(body.statements)
            is_changed = False
            for parameter, value in zip(test.parameters, body.yielded, strict=True):
                if self.of(value).scope < self.of(parameter).scope:
                    self._common[parameter] = self.of(value)
                    is_changed = True
        condition = self._because(statement, self.least(test.yielded))
        for result, parameter in zip(statement.results, test.parameters, strict=True):
            self._common[result] = _less(condition, self.of(parameter))

    def _because(self, statement: Statement, condition: Common) -> Common:
        """The effect of a branch or a loop on its results: they differ if its condition does."""
        return condition if condition.cause is not None else Common(condition.scope, statement)

    def _result(self, statement: Statement) -> Common:
        op = statement.op
        if op is ops.LOCAL_ID:
            return self._widened(self._local_id(statement))
        if self._tells_waves_apart(statement):
            return self._widened(Common(Scope.WAVE, statement))
        common = self.least(statement.operands)
        if op is ops.LANE_SHUFFLE:
            common = self._shuffled(statement)
        if common.scope > op.most:
            common = Common(op.most, statement)
        if common.scope < op.least:
            common = Common(op.least, statement if op.least is not Scope.WORKGROUP else None)
        return self._widened(common)

    def _widened(self, common: Common) -> Common:
        """If a workgroup is a single wave, or a single lane, a value that is the same in it is the same
        everywhere."""
        alone = Scope.LANE if self.lanes <= 1 else Scope.WAVE if self.lanes <= self._wave else Scope.WORKGROUP
        return EVERYWHERE if common.scope >= alone else common

    def _local_id(self, statement: Statement) -> Common:
        """An axis advances after all lanes of the axes before it: after whole waves, if these axes have so
        many."""
        axis = axis_of(statement)
        if self.has_any_block:
            return Common(Scope.LANE, statement)
        before = 1
        for size in self._block[:axis]:
            before *= size
        if self._block[axis] == 1:
            return EVERYWHERE
        return Common(Scope.WAVE if before % self._wave == 0 else Scope.LANE, statement)

    def _shuffled(self, statement: Statement) -> Common:
        """Lanes that read the same lane of their wave have the same."""
        value, lane = (self.of(operand) for operand in statement.operands)
        if value.scope is Scope.WORKGROUP or lane.scope < value.scope:
            return value
        return Common(max(value.scope, Scope.WAVE), statement) if lane.scope is not Scope.LANE else value

    def _tells_waves_apart(self, statement: Statement) -> bool:
        """Whether a statement parts the lanes of axis 0 at multiples of a wave alone: its number by 64, or
        whether it is below 128."""
        if statement.op not in _CHUNKS and statement.op not in _HALVES:
            return False
        for position, operand in enumerate(statement.operands):
            constant = self._constant(operand)
            if constant is not None and self._is_first_axis(statement.operands[1 - position]):
                return self._parts_at(statement, position, constant) % self._wave == 0
        return False

    @staticmethod
    def _parts_at(statement: Statement, position: int, constant: int) -> int:
        """A number that divides every place at which lanes are parted; 1 if none is known."""
        if statement.op in _CHUNKS:
            if position == 0:
                return 1
            return 1 << (constant & 31) if statement.op is ops.SHIFT_RIGHT else constant or 1
        return constant + ((statement.op, position) in _ONE_MORE)

    def _is_first_axis(self, value: Value) -> bool:
        """Whether a value counts the lanes of axis 0, and rows along it are whole waves or the workgroup."""
        statement = self._defined.get(value)
        if statement is None or statement.op is not ops.LOCAL_ID or axis_of(statement) != 0:
            return False
        return not self.has_any_block and (self._block[0] % self._wave == 0 or self._block[0] == self.lanes)

    def _constant(self, value: Value) -> int | None:
        statement = self._defined.get(value)
        if statement is None or statement.op is not LITERAL:
            return None
        values = numbers_of(statement)
        first = values[0] if len(values) == 1 else None
        return first if isinstance(first, int) else None


def _less(a: Common, b: Common) -> Common:
    return a if a.scope <= b.scope and a.scope is not Scope.WORKGROUP else b
