"""A graph with a module for each launch, and the reasons why the launches are separate.

    # s is read by main_2, which reduces {6,1} over {0}; main_1 reduces {6,40} over {1}
    module @main_1 { ... @return(s) }
    module @main_2 { ... }
    module @main {
      x = @param:x -> f32, {6,40}
      s = op[module=main_1](x)
      t = op[module=main_2](s)
      @return(t)
    }

Launches that compute the same have one module, which is called for each.

The statements are those of the graph if the values between launches have names in it. Otherwise they are the
statements that the graph's ops expand to, such as the reductions and pointwise ops of a softmax. Pointwise
statements that several launches need are repeated in each. Large reductions become further launches; their
number depends on the target.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

from msgspec import Struct, field

from asmgen.graph.fusion.fuse import FusedKernel, Partition
from asmgen.graph.ops import PARAM, REDUCTIONS, RETURN
from asmgen.graph.printer import print_module, print_statement, statement_lines
from asmgen.gridwise.prepare import Multiplying, prepare
from asmgen.gridwise.sharing import Form, form_of
from asmgen.ir.builder import fresh_name
from asmgen.ir.program import Module, Program, Statement, Value, argument_name, definitions, tensor_type
from asmgen.ir.shapes import format_list
from isa.named_tuple import NamedTuple


class _Group(Struct):
    """A launch; `inputs` come from other launches, `outputs` go to other launches or to the program."""

    kernel: FusedKernel
    inputs: dict[Value, None] = field(default_factory=dict)
    outputs: dict[Value, None] = field(default_factory=dict)


class _Call(NamedTuple):
    """The module of a launch, and the value for each of its arguments."""

    module: str
    given: dict[str, str]


def outline_text(program: Program, shows_places: bool = False) -> str:
    """The text of a graph with a module for each group of its launches; a graph with a single launch is
    unchanged. The text parses to a graph that computes the same. `shows_places` adds the places of statements
    in their source.
    """
    taken = {module.name for module in program.modules}
    return "".join([_outlined(module, taken, shows_places) for module in program.modules])


def _in_one_part(_defined: Mapping[Value, Statement]) -> Callable[[Statement], int]:
    return lambda _dot: 1


def _outlined(module: Module, taken: set[str], shows_places: bool) -> str:
    simple = prepare(module, products=Multiplying(_in_one_part))
    kernels = Partition(simple, set()).kernels()
    if len(kernels) == 1:
        return print_module(module, shows_places)
    known, maker = definitions(module), _makers(kernels)
    shown = (
        module if all(value in known for kernel in kernels for value in _received(kernel, maker)) else simple
    )
    groups = _groups(shown, kernels)
    names = [fresh_name(f"{module.name}_{number}", taken) for number in range(1, len(groups) + 1)]
    text = ""
    first: dict[Hashable, tuple[Form, _Call]] = {}
    calls: list[_Call] = []
    for number, group in enumerate(groups):
        function = _function(shown, group, names[number])
        value_of = {argument_name(each): each.result.name for each in function.statements if each.op is PARAM}
        form = form_of(function, ())
        if form is not None and form.key in first:
            earlier, call = first[form.key]
            given = dict(zip(earlier.buffers, form.buffers, strict=True))
            calls.append(_Call(call.module, {name: value_of[given[name]] for name in call.given}))
            continue
        for line in _reasons(groups, names, number):
            text += f"# {line}\n"
        text += print_module(function, shows_places)
        calls.append(_Call(function.name, value_of))
        if form is not None:
            first[form.key] = form, calls[-1]
    return text + "\n".join(_main(shown, groups, calls)) + "\n"


def _groups(module: Module, kernels: Sequence[FusedKernel]) -> list[_Group]:
    """The kernels in the order of their launches, each with what comes from others and what goes to them,
    without those that only copy parameters to results: the graph returns these itself."""
    maker = _makers(kernels)
    groups = [_Group(kernel) for kernel in kernels]
    results = maker.keys() & module.statements[-1].operands
    for group in groups:
        for value in _received(group.kernel, maker):
            group.inputs[value] = None
            groups[maker[value]].outputs[value] = None
        group.outputs |= {each.value: None for each in group.kernel.outputs if each.value in results}
    return [group for group in groups if group.outputs]


def _makers(kernels: Sequence[FusedKernel]) -> dict[Value, int]:
    """The number of the kernel that makes a value, for each value that is stored."""
    return {
        each.value: number
        for number, kernel in enumerate(kernels)
        for each in kernel.outputs
        if definitions(kernel.module)[each.value].op is not PARAM
    }


def _received(kernel: FusedKernel, maker: dict[Value, int]) -> list[Value]:
    """The values that a kernel gets from other kernels."""
    return [each.result for each in kernel.module.statements if each.op is PARAM and each.result in maker]


def _reached(module: Module, group: _Group) -> set[Value]:
    """The values of the graph in a group, up to its inputs."""
    known = definitions(module)
    reached: set[Value] = set()
    pending = list(group.outputs)
    while pending:
        value = pending.pop()
        if value not in reached:
            reached.add(value)
            if value not in group.inputs:
                pending.extend(known[value].operands)
    return reached


def _function(module: Module, group: _Group, name: str) -> Module:
    reached = _reached(module, group)
    statements: list[Statement] = []
    for statement in module.statements[:-1]:
        value = statement.result
        if value not in reached:
            continue
        is_given = value in group.inputs
        given = Statement(PARAM, (), (value,), {"name": value.name}, (), statement.place)
        statements.append(given if is_given else statement)
    return Module(name, (*statements, Statement(RETURN, tuple(group.outputs), (), {}, ())))


def _main(module: Module, groups: Sequence[_Group], calls: Sequence[_Call]) -> Iterator[str]:
    yield f"module @{module.name} {{"
    for statement in module.statements:
        if statement.op is PARAM:
            yield from statement_lines(statement, "  ")
    for group, call in zip(groups, calls, strict=True):
        results = ", ".join([value.name for value in group.outputs])
        yield f"  {results} = op[module={call.module}]({', '.join(call.given.values())})"
    yield f"  {print_statement(module.statements[-1])}"
    yield "}"


def _reasons(groups: Sequence[_Group], names: Sequence[str], number: int) -> Iterator[str]:
    """The reasons why a group is not part of an earlier group."""
    group = groups[number]
    for earlier, name in zip(groups[:number], names, strict=False):
        shared = [value for value in group.inputs if value in earlier.outputs]
        if shared:
            listed = ", ".join([value.name for value in shared])
            yield f"{names[number]} reads {listed} of {name} from memory: {_why(group, earlier, shared)}"
    if number and not group.inputs:
        yield f"{names[number]} reads nothing of {names[0]}: {_other_rows(group, groups[0])}"


def _why(group: _Group, earlier: _Group, shared: Sequence[Value]) -> str:
    moving = _moving(group, shared)
    if moving is not None:
        what = print_statement(moving)
        return f"{what} moves elements, and a workgroup has its own rows alone"
    return _other_rows(group, earlier)


def _moving(group: _Group, shared: Sequence[Value]) -> Statement | None:
    """The first statement that moves elements of values derived from the given values."""
    made = set(shared)
    for statement in group.kernel.module.statements:
        if made.isdisjoint(statement.operands) or statement.op is RETURN:
            continue
        if statement.op.moves_elements:
            return statement
        made.update(statement.results)
    return None


def _other_rows(group: _Group, earlier: _Group) -> str:
    return f"it {_rows(group)}, and that launch {_rows(earlier)}"


def _rows(group: _Group) -> str:
    """The work of a group: `reduces {6,40} over {1}`, or `computes {6,40}`."""
    lines: dict[str, None] = {}
    for statement in group.kernel.module.statements:
        if statement.op in REDUCTIONS:
            before, after = (tensor_type(value).dims for value in (statement.operands[0], statement.result))
            axes = [axis for axis, size in enumerate(before) if size != after[axis]]
            lines[f"reduces {format_list(before)} over {format_list(axes)}"] = None
    if lines:
        return " and ".join(lines)
    dims = dict.fromkeys([format_list(tensor_type(value).dims) for value in group.outputs])
    return f"computes {' and '.join(dims)}"
