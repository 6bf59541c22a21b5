"""Checks a gridwise program by the rules of `asmgen.gridwise.rules`, and reports a broken rule with its
place.

If `cut` made the program from a graph, the only check is that an index of 32 bits reaches every element:

    r = concat[axis=0](x, x)      GRW018 if r has more than 2^32 elements
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from asmgen.graph.ops import PARAM, SCATTER_ADD
from asmgen.gridwise import rules
from asmgen.gridwise.buffer_kinds import kind_of
from asmgen.gridwise.program import Buffer, Launch, LaunchProgram, Parameter, Result, Sizes, Temporary
from asmgen.gridwise.rules import Fault
from asmgen.index import constant
from asmgen.index.expression import as_symbol
from asmgen.index.size import at_least, most, most_where_alone
from asmgen.ir.program import Module, Statement, Value, tensor_type
from asmgen.ir.shapes import format_type, same_layout
from asmgen.ir.types import TensorType, row_major
from isa.diagnostics import InputError, Place

LARGEST_BUFFER = 1 << 32  # elements that a u32 index reaches
LARGEST_GRID = (1 << 32) - 1
_MOST_AXES = 3


def check(program: LaunchProgram) -> None:
    """Raise `InputError` for the first broken rule of a text, `InternalError` for a broken rule of a program
    that was built.
    """
    fault = next(faults(program), None)
    if fault is not None:
        fault.raise_(program.name)


def faults(program: LaunchProgram) -> Iterator[Fault]:
    """The broken rules: of names, then of buffers, then of each launch, then of the buffers between launches.

    Later checks rely on earlier checks, so they need not check names and sizes again.
    """
    for check_ in (_names, _sizes, _launches, _runs, _order, _in_place, _lifetimes):
        broken = list(check_(program))
        yield from broken
        if broken:
            return


def _names(program: LaunchProgram) -> Iterator[Fault]:
    seen: dict[str, str] = {}
    named = (*program.dims, *program.buffers)
    for what, each in [("dim or buffer", each) for each in named] + [
        ("launch", each) for each in program.launches
    ]:
        if each.name in seen and seen[each.name] == what:
            yield Fault(rules.ONCE, f"{each.name} is the name of a second {what}", each.place)
        seen[each.name] = what


def _sizes(program: LaunchProgram) -> Iterator[Fault]:
    values = program.values
    for buffer in program.buffers:
        shape, fault = buffer.shape, partial(Fault, place=buffer.place)
        strange = _strange(program, (*shape.sizes, *(shape.strides or ())))
        if strange:
            yield fault(rules.SIZES, f"the sizes of {buffer.name} have {strange} in them, which is not a dim")
            continue
        type_ = shape.at(values)
        if not all(at_least(size, 0).is_possible for size in (*type_.dims, *type_.strides)):
            yield fault(rules.SIZES, f"{buffer.name} is {format_type(type_)}")
        elif most_where_alone(type_.span) > LARGEST_BUFFER:
            yield fault(
                rules.REACH,
                f"{buffer.name} reaches over {type_.span} elements, wanted at most {LARGEST_BUFFER}",
            )
        elif kind_of(buffer).written and not same_layout(type_.dims, type_.strides, row_major(type_.dims)):
            yield fault(rules.ROW_MAJOR, f"{buffer.name} is {format_type(type_)}")


def _strange(program: LaunchProgram, sizes: Sizes) -> str:
    """The names in expressions that are not dims of the program."""
    known = {as_symbol(dim.size) for dim in program.dims}
    return ", ".join(sorted({used.name for size in sizes for used in size.symbols if used not in known}))


def _launches(program: LaunchProgram) -> Iterator[Fault]:
    buffers = {buffer.name: buffer for buffer in program.buffers}
    types = program.types
    for launch in program.launches:
        unknown = [name for name in (*launch.reads, *launch.writes) if name not in buffers]
        if unknown:
            yield Fault(
                rules.KNOWN,
                f"{launch.name} has {unknown[0]}, which is not a buffer: "
                f"there is {', '.join(buffers) or 'none'}",
                launch.place,
            )
            continue
        yield from _grid(program, launch)
        yield from _read(launch, types)
        yield from _written(launch, types, buffers)


def _grid(program: LaunchProgram, launch: Launch) -> Iterator[Fault]:
    conditions = () if launch.when is None else (launch.when,)
    strange = _strange(program, (*launch.grid, *conditions))
    if strange:
        yield Fault(
            rules.GRID, f"the grid of {launch.name} has {strange} in it, which is not a dim", launch.place
        )
    elif launch.when is not None and not 0 <= launch.when.low <= launch.when.high <= 1:
        yield Fault(rules.WHEN, f"the condition of {launch.name} is {launch.when.text}", launch.place)
    elif not 1 <= len(launch.grid) <= _MOST_AXES:
        yield Fault(rules.GRID, f"the grid of {launch.name} has {len(launch.grid)} numbers", launch.place)
    elif not all(0 <= most_where_alone(count) <= LARGEST_GRID for count in program.grid_of(launch)):
        yield Fault(rules.GRID_SIZE, f"the grid of {launch.name} is {program.grid_of(launch)}", launch.place)


def parameters(launch: Launch) -> list[tuple[str, Statement]]:
    """The `@param` statements of a body, each with the name of its buffer."""
    return [
        (str(statement.attributes["name"]), statement)
        for statement in launch.body.statements
        if statement.op is PARAM
    ]


def _read(launch: Launch, types: dict[str, TensorType]) -> Iterator[Fault]:
    named = parameters(launch)
    names = [name for name, _ in named]
    for name, statement in named:
        if name not in launch.reads:
            yield Fault(
                rules.BOUND, f"{launch.name} does not read {name}, which its body does", statement.place
            )
    for number, name in enumerate(launch.reads):
        if name not in names:
            yield Fault(
                rules.BOUND, f"{launch.name} reads {name}, which is no @param of its body", launch.place
            )
        elif name in launch.reads[:number]:
            yield Fault(rules.BOUND, f"{launch.name} names {name} twice", launch.place)
    for name, statement in named:
        if name in launch.reads and not _agree(statement, types[name]):
            got, wanted = format_type(statement.result.type), format_type(types[name])
            yield Fault(
                rules.READ_SHAPE, f"{launch.name} reads {name} as {got}, and it is {wanted}", statement.place
            )


def _agree(statement: Statement, wanted: TensorType) -> bool:
    got = statement.result.type
    return (
        isinstance(got, TensorType)
        and got[:2] == wanted[:2]
        and same_layout(got.dims, got.strides, wanted.strides)
    )


def _written(launch: Launch, types: dict[str, TensorType], buffers: dict[str, Buffer]) -> Iterator[Fault]:
    return_ = launch.body.statements[-1]
    fault = partial(Fault, place=launch.place)
    if len(return_.operands) != len(launch.writes):
        yield fault(
            rules.RETURNED,
            f"{launch.name} writes {len(launch.writes)} buffers, and its body returns "
            f"{len(return_.operands)} values",
        )
        return
    for name, value in zip(launch.writes, return_.operands, strict=True):
        if not kind_of(buffers[name]).written:
            yield fault(rules.GIVEN, f"{launch.name} writes {name}, which is a {kind_of(buffers[name]).word}")
        elif value.type[:2] != types[name][:2]:
            got, wanted = format_type(value.type), format_type(types[name])
            yield Fault(
                rules.WRITTEN_SHAPE,
                f"{launch.name} returns {got} for {name}, which is {wanted}",
                return_.place or launch.place,
            )


def _runs(program: LaunchProgram) -> Iterator[Fault]:
    """A launch of the kernel of an earlier launch: the types of its buffers are checked by its body."""
    earlier: dict[str, Launch] = {}
    over = {name for result in program.results if result.over for name in (result.name, result.over)}
    for launch in program.launches:
        if not launch.runs:
            earlier[launch.name] = launch
            continue
        first = earlier.get(launch.runs)
        if first is None:
            words = f"{launch.name} runs {launch.runs}, which no launch before it is"
            yield Fault(rules.RUNS, words, launch.place)
            continue
        before, after = (*first.reads, *first.writes), (*launch.reads, *launch.writes)
        placed = over.intersection((*before, *after))
        if [before.index(name) for name in before] != [after.index(name) for name in after]:
            words = f"{launch.name} has {', '.join(after)} for {', '.join(before)} of {first.name}"
            yield Fault(rules.RUNS, words, launch.place)
        elif placed:
            words = f"{launch.name} runs {first.name}, and a result is over a parameter: {min(placed)}"
            yield Fault(rules.RUNS, words, launch.place)


def _added_to(launch: Launch) -> set[str]:
    """The buffers that a launch adds to."""
    starts = {statement.operands[0] for statement in launch.body.statements if statement.op is SCATTER_ADD}
    return {name for name, statement in parameters(launch) if statement.result in starts}


def _excludes(launch: Launch, other: Launch) -> bool:
    """Whether a launch runs if and only if another does not."""
    return launch.when is not None and other.when is not None and launch.when + other.when == constant(1)


def _runs_always(launches: Sequence[Launch]) -> bool:
    """Whether one of the launches runs in any case."""
    return any(each.when is None or any(_excludes(each, other) for other in launches) for each in launches)


def _runs_after(writers: Sequence[Launch], reader: Launch) -> bool:
    """Whether one of the launches runs whenever the reader does."""
    return _runs_always(writers) or any(each.when == reader.when for each in writers)


def _order(program: LaunchProgram) -> Iterator[Fault]:
    """Each buffer is written by a single launch of each case, before other launches read it, or add to it."""
    is_written = {buffer.name: kind_of(buffer).written for buffer in program.buffers}
    writer: dict[str, list[Launch]] = {}
    for launch in program.launches:
        for name in launch.reads:
            if is_written[name] and not _runs_after(writer.get(name, ()), launch):
                yield Fault(
                    rules.WRITTEN_FIRST,
                    f"{launch.name} reads {name}, which no launch before it writes",
                    launch.place,
                )
        for name in launch.writes:
            if name in _added_to(launch) and name in writer:
                continue
            both = next((each for each in writer.get(name, ()) if not _excludes(each, launch)), None)
            if both is not None:
                yield Fault(
                    rules.ONE_WRITER,
                    f"{launch.name} writes {name}, which {both.name} writes",
                    launch.place,
                )
            writer.setdefault(name, []).append(launch)
    read = {name for launch in program.launches for name in launch.reads}
    for buffer in program.buffers:
        kind, writers = kind_of(buffer), writer.get(buffer.name, [])
        if kind.written and not writers:
            yield Fault(rules.WRITTEN, f"no launch writes {buffer.name}", buffer.place)
        elif kind.is_kept and buffer.name not in read:
            yield Fault(rules.READ, f"no launch reads {buffer.name}", buffer.place)
        elif kind.written and not kind.is_kept and not _runs_always(writers):
            words = f"{writers[0].name} writes {buffer.name}, and does not run in every case"
            yield Fault(rules.WRITTEN, words, buffer.place)


def _in_place(program: LaunchProgram) -> Iterator[Fault]:
    """A result over a parameter: each parameter has one result at most."""
    over = [result.over for result in program.results if result.over]
    for result in program.results:
        if result.over:
            why = misplaced(program, result, result.over)
            why = f"two results are over {result.over}" if over.count(result.over) > 1 else why
            yield from [Fault(rules.IN_PLACE, why, result.place)] if why else []


def misplaced(program: LaunchProgram, result: Result, parameter: str) -> str:
    """Why no launches could write a result in the memory of a parameter; empty if some could."""
    given = next((each for each in program.buffers if each.name == parameter), None)
    if not isinstance(given, Parameter):
        return f"{result.name} is over {parameter}, which is not a parameter"
    if given.shape != result.shape:
        return f"{given.name} and {result.name} differ in type, sizes or strides"
    writers = [i for i, launch in enumerate(program.launches) if result.name in launch.writes]
    late = [each.name for each in program.launches[writers[0] + 1 :] if given.name in each.reads]
    if late:
        first = program.launches[writers[0]].name
        return f"{late[0]} reads {given.name} after {first} has written {result.name}"
    return ""


def _lifetimes(program: LaunchProgram) -> Iterator[Fault]:
    names = [launch.name for launch in program.launches]
    for temporary in program.temporaries:
        ends = (temporary.first, temporary.last)
        unknown = [name for name in ends if name not in names]
        if unknown:
            yield Fault(
                rules.LIFETIME,
                f"{temporary.name} is kept up to or from {unknown[0]}, which is not a launch",
                temporary.place,
            )
            continue
        first, last = (names.index(name) for name in ends)
        if first > last:
            yield Fault(
                rules.LIFETIME,
                f"{temporary.name} is kept from {temporary.first} to {temporary.last}, which is before it",
                temporary.place,
            )
            continue
        for number in sorted(uses(program, temporary)):
            if not first <= number <= last:
                message = (
                    f"{temporary.name} is kept from {temporary.first} to {temporary.last}, and "
                    f"{names[number]} uses it"
                )
                yield Fault(rules.COVERS, message, temporary.place)


def uses(program: LaunchProgram, temporary: Temporary) -> set[int]:
    """The numbers of the launches that write or read a temporary."""
    return {
        number
        for number, launch in enumerate(program.launches)
        if temporary.name in (*launch.reads, *launch.writes)
    }


def check_statements(module: Module) -> None:
    """`InputError` GRW018 for a parameter or literal that reaches over too many elements, and for a computed
    tensor with an axis that an index does not go along, though none of it is kept."""
    for statement in module.statements:
        for value in statement.results:
            _check_tensor(statement, value)


def check_outputs(module: Module, names: Mapping[Value, str]) -> None:
    """Raises `InputError` GRW018 for an output of a kernel's graph that has too many elements; `names` are
    those of its buffers."""
    places = {value: statement.place for statement in module.statements for value in statement.results}
    for value, name in names.items():
        count = tensor_type(value).elements
        if most_where_alone(count) > LARGEST_BUFFER:
            what = f"{name} reaches over {count} elements"
            raise _too_far(what, LARGEST_BUFFER, places.get(value) or name)


def _check_tensor(statement: Statement, value: Value) -> None:
    type_, place = tensor_type(value), statement.place or value.name
    if not statement.operands and most_where_alone(type_.span) > LARGEST_BUFFER:
        raise _too_far(f"{value.name} reaches over {type_.span} elements", LARGEST_BUFFER, place)
    longest = max(type_.dims, key=most, default=0)
    if most_where_alone(type_.elements) > LARGEST_BUFFER and most(longest) >= LARGEST_BUFFER:
        raise _too_far(f"{value.name} has an axis of {longest} elements", LARGEST_BUFFER - 1, place)


def _too_far(what: str, most: int, place: Place | str) -> InputError:
    return InputError(
        place,
        rules.REACH.code,
        f"{what}, wanted at most {most}",
        (f"the rule: {rules.REACH.says}",),
        rules.REACH.help,
    )
