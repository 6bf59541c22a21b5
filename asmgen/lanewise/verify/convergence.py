"""Checks convergence: all lanes of the workgroup must reach a barrier, and all lanes of the wave an exchange
between lanes.

A lane at a barrier waits for every wave of its workgroup, and a lane that reads another lane's value reads
its current value. Neither works in a branch that some of these lanes do not take: the lanes of a wave share a
program counter, and the result would differ from the text. The row of an op says which lanes must reach
it together (`Op.together`). Whether they do follows from the conditions of the branches and loops around it
(`asmgen.lanewise.verify.scopes`).

    if(odd) {              odd differs between the lanes of a wave
      s = dpp_reduce[op=sum](x)       GEN120: refused
      yield
    }
"""

from __future__ import annotations

from asmgen.index.size import number
from asmgen.ir.program import Module, Program, Scope, Statement, Value, target_of
from asmgen.ir.types import TensorType
from asmgen.lanewise.ops import IF, LAUNCH, LDS_TRANSPOSE_LOAD, MATRIX, STAGGER
from asmgen.lanewise.records import Reduction, lanes_together
from asmgen.lanewise.reduction_ops import DPP_REDUCE, DPP_SCAN, LANE_BEFORE, REDUCE_WAVES
from asmgen.lanewise.verify.scopes import Common, Scopes
from isa.diagnostics import InputError, Place
from isa.named_tuple import NamedTuple

_LANES = {Scope.WAVE: "every lane of the wave", Scope.WORKGROUP: "every wave of the workgroup"}
_DIFFERS = {
    Scope.LANE: "differs between the lanes of a wave",
    Scope.WAVE: "differs between the waves of a workgroup",
}
_SAME = {Scope.WAVE: "the same in a wave", Scope.WORKGROUP: "the same in the workgroup"}


class _Guard(NamedTuple):
    """A branch or a loop around a place: the value that decides it, and over which lanes that value is
    the same.
    """

    statement: Statement
    condition: Value
    common: Common


def check_convergence(program: Program) -> None:
    """Raises `InputError`: GEN120 for an op that some of the lanes it needs do not reach, GEN121 for an op
    that needs lanes which the workgroup does not have, and GEN124 for a `stagger` without its counterpart.
    """
    wave = target_of(program).target.wave_size
    for module in program.modules:
        if module.statements[0].op is LAUNCH and any(
            statement.op.together is not Scope.LANE for statement in module.walk()
        ):
            _Check(module, wave).run()


class _Check:
    def __init__(self, module: Module, wave: int) -> None:
        self._module = module
        self._wave = wave
        self._scopes = Scopes(module, wave)
        self._defined = {result: statement for statement in module.walk() for result in statement.results}

    def run(self) -> None:
        self._check(self._module.statements, ())
        self._check_steps(self._module.statements)

    def _check_steps(self, statements: tuple[Statement, ...]) -> None:
        """The waves for which a condition is true pass a barrier in an `if`, and the other waves in the other
        side of a later `if`, or the other way round."""
        ahead: dict[Value, tuple[int, Statement]] = {}  # by condition, the side that passed another barrier
        for statement in statements:
            if statement.op is STAGGER:
                raise _unpaired(statement, "is in no `if`")
            for side, region in enumerate(statement.regions):
                own = [one for one in region.statements if one.op is STAGGER]
                if len(own) > 1 or (own and statement.op is not IF):
                    raise _unpaired(own[-1], f"is in the {statement.op.name} a second time, or in a loop")
                self._check_steps(tuple([one for one in region.statements if one.op is not STAGGER]))
                if not own:
                    continue
                condition = statement.operands[0]
                before, _ = ahead.pop(condition, (None, own[0]))
                if before == side:
                    raise _unpaired(own[0], "is in the same side as the stagger before it")
                if before is None:
                    ahead[condition] = side, own[0]
        for _, first in ahead.values():
            raise _unpaired(first, "is the only stagger of its condition")

    def _check(self, statements: tuple[Statement, ...], guards: tuple[_Guard, ...]) -> None:
        for statement in statements:
            if statement.op.together is not Scope.LANE:
                self._check_place(statement, guards)
            for region in statement.regions:
                self._check(region.statements, (*guards, self._guard(statement)))

    def _guard(self, statement: Statement) -> _Guard:
        """A branch goes by its condition, a loop by its test or by the least common of start, stop and
        step."""
        first = statement.op.carried_from
        if statement.op.tests_first:
            conditions = statement.regions[0].yielded
        else:
            conditions = statement.operands[:1] if first is None else statement.operands[:first]
        condition = min(conditions, key=lambda value: self._scopes.of(value).scope)
        return _Guard(statement, condition, self._scopes.of(condition))

    def _check_place(self, statement: Statement, guards: tuple[_Guard, ...]) -> None:
        for guard in reversed(guards):
            if guard.common.scope < statement.op.together:
                raise self._refused(statement, guard)
        if statement.op in (DPP_REDUCE, DPP_SCAN, LANE_BEFORE):
            self._check_groups(statement)
        if statement.op is REDUCE_WAVES:
            self._check_waves(statement)
        if statement.op in (MATRIX, LDS_TRANSPOSE_LOAD):
            self._check_whole(statement)

    def _refused(self, statement: Statement, guard: _Guard) -> InputError:
        wanted, around = statement.op.together, guard.statement
        kind = "bound" if around.op.has_counter else "condition"
        message = (
            f"{statement.op.name} is in the {around.op.name}{_at(around)}, and the {kind} "
            f"{guard.condition.name} {_DIFFERS[guard.common.scope]}; wanted {statement.op.name} in a place "
            f"that {_LANES[wanted]} reaches"
        )
        return InputError(
            statement.place or statement.op.name,
            "GEN120",
            message,
            self._notes(guard),
            _way_out(statement, guard),
        )

    def _notes(self, guard: _Guard) -> tuple[str, ...]:
        """The definition of the condition, and the reason why it differs."""
        notes: list[str] = []
        made = self._defined.get(guard.condition)
        if made is not None:
            notes.append(f"{guard.condition.name} is made by {made.op.name}{_at(made)}")
        cause = guard.common.cause
        if cause is not None and cause is not made:
            notes.append(f"it {_DIFFERS[guard.common.scope]} because of {_shown(cause)}{_at(cause)}")
        return tuple(notes)

    def _check_groups(self, statement: Statement) -> None:
        """The groups of lanes that a reduction combines are within a wave, and whole in the workgroup."""
        lanes, size = lanes_together(statement), self._scopes.lanes
        if lanes > self._wave or size % lanes or self._scopes.has_any_block:
            what = (
                f"a wave has {self._wave}"
                if lanes > self._wave
                else "only the launch knows how many the workgroup has"
                if self._scopes.has_any_block
                else f"the workgroup has {size}, no multiple of them"
            )
            message = f"{statement.op.name} combines {lanes} lanes and {what}, wanted groups that are whole"
            help = (
                "the lanes of a wave that has fewer take no part: make the block of the launch a "
                "multiple, or combine fewer lanes"
            )
            raise InputError(statement.place or statement.op.name, "GEN121", message, help=help)

    def _check_whole(self, statement: Statement) -> None:
        """Every wave of the workgroup has all its lanes."""
        if self._scopes.lanes % self._wave or self._scopes.has_any_block:
            size = "any number" if self._scopes.has_any_block else self._scopes.lanes
            message = (
                f"{statement.op.name} takes whole waves of {self._wave} lanes and the workgroup has "
                f"{size}, wanted a multiple"
            )
            help = "make the block of the launch a multiple of a wave"
            raise InputError(statement.place or statement.op.name, "GEN121", message, help=help)

    def _check_waves(self, statement: Statement) -> None:
        """Every wave of the workgroup takes part, each with all its lanes, and has a place in LDS."""
        waves, size = Reduction.of(statement).over, self._scopes.lanes
        lds = statement.operands[1].type
        assert isinstance(lds, TensorType), "the row has checked it"
        if waves * self._wave != size or number(lds.elements) < waves or self._scopes.has_any_block:
            message = (

                        f"{statement.op.name} combines {waves} waves of {self._wave} lanes through LDS "
                        f"of {lds.elements} elements in a workgroup of "
                f"{size} lanes, wanted every wave of the workgroup and an element for each"
            )  # fmt: skip
            raise InputError(statement.place or statement.op.name, "GEN121", message)


def _unpaired(stagger: Statement, what: str) -> InputError:
    message = (
        f"stagger {what}, so that waves would pass different numbers of barriers, wanted it in an `if`, and "
        f"again in the other side of a later `if` of the same condition, in the same region"
    )
    return InputError(stagger.place or stagger.op.name, "GEN124", message)


def _at(statement: Statement) -> str:
    return f" at {statement.place}" if isinstance(statement.place, Place) else ""


def _shown(statement: Statement) -> str:
    return (
        f"{statement.results[0].name}, {statement.op.name}"
        if len(statement.results) == 1
        else statement.op.name
    )


def _way_out(statement: Statement, guard: _Guard) -> str:
    """The help of the error: move the op out of the region, or use a condition that the lanes share."""
    wanted, around = statement.op.together, guard.statement
    name = around.op.name
    sources = "workgroup_id, literals, scalar parameters, and numbers loaded at indices made of these"
    if wanted is Scope.WAVE:
        sources += ", or by read_first_lane"
    if statement.results:
        moved = (
            f"move {statement.op.name} out of the {name}, and give lanes that must not count the identity "
            f"element"
        )
    else:
        moved = f"end the {name} before {statement.op.name} and begin another after it"
    return f"{moved}; or make {guard.condition.name} {_SAME[wanted]}: of {sources}"
