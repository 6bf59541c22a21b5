"""The rules for a program of lanewise or final as a whole, beyond those of each statement.

For example: a barrier is not inside an `if` that only some lanes of the workgroup enter, and `@return` names
buffers. The stages before lanewise make programs that keep the rules. A user's text is checked when it is
read (`check_rules`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asmgen.graph.ops import PARAM, RETURN
from asmgen.ir.program import Module, Program, Statement, argument_name, target_of
from asmgen.ir.relaunches import fault as relaunch_fault
from asmgen.ir.types import TensorType
from asmgen.lanewise.ops import LAUNCH, LDS_TRANSPOSE_LOAD, MATRIX
from asmgen.lanewise.records import NO_RESULT, LaunchAttributes
from asmgen.lanewise.verify.convergence import check_convergence
from asmgen.lanewise.verify.memories import check_memories
from asmgen.lanewise.verify.touched import check_touched
from isa.diagnostics import InputError
from isa.targets import TargetId

_HELP = "launch[..., results={1}] has for each buffer its result number, or -1 if only later kernels read it"


def check_rules(program: Program) -> None:
    """Raises `InputError`: GEN016 for results that are not buffers of the kernel's own, GEN123 for numbers of
    results that are not 0, 1, ... over the launches of the file, each once, and for an argument that states
    another result than the kernel writes in its memory, GEN122 for a matrix instruction
    or a transposing load that the target does not have for such operands, GEN125 for the memory that an
    access states (`check_touched`), GEN127 for a relaunch that does not fit its kernel, and the errors of
    `check_memories` and `check_convergence`."""
    for module in program.modules:
        _check_results(module)
        check_memories(module)
        check_touched(module)
        named = [statement for statement in module.walk() if statement.op in _NAMING]
        if named:
            _check_named(named, target_of(program))
    _check_relaunches(program)
    _check_numbers(program)
    _check_results_over(program)
    check_convergence(program)


_NAMING = frozenset({MATRIX, LDS_TRANSPOSE_LOAD})


def _check_named(statements: list[Statement], target: TargetId) -> None:
    """The target has the instructions that statements name, for such operands."""
    from asmgen.lanewise import matrices, transposes
    from isa.table import table_of

    for statement in statements:
        of = matrices if statement.op is MATRIX else transposes
        fault = of.misfit(statement, table_of(target.target))
        if fault is not None:
            raise InputError(statement.place or statement.op.name, "GEN122", fault.rule, help=fault.help)


def _check_results(module: Module) -> None:
    """`@return` names buffers that are parameters of the kernel, each once."""
    return_ = module.statements[-1]
    if return_.op is not RETURN:
        return
    buffers = {s.result for s in module.statements if s.op is PARAM and isinstance(s.result.type, TensorType)}
    for number, value in enumerate(return_.operands):
        if value not in buffers:
            raise InputError(
                return_.place or module.name,
                "GEN016",
                f"'@return' names {value.name}, wanted a buffer that is a parameter",
            )
        if value in return_.operands[:number]:
            raise InputError(
                return_.place or module.name,
                "GEN016",
                f"'@return' names {value.name} twice, wanted each buffer once",
            )


def _check_relaunches(program: Program) -> None:
    """A relaunch names parameters of its kernel, and results that the kernel writes. No result of the kernel
    is over an argument."""
    modules = {module.name: module for module in program.modules} if program.relaunches else {}
    for relaunch in program.relaunches:
        module = modules[relaunch.kernel]
        parameters = {each.result: argument_name(each) for each in module.statements if each.op is PARAM}
        written = [parameters[value] for value in module.statements[-1].operands]
        wrong = relaunch_fault(relaunch, [*parameters.values()], written)
        if not wrong and any("result" in each.attributes for each in module.statements if each.op is PARAM):
            wrong = f"a result of {relaunch.kernel} is over an argument, wanted a kernel for each launch"
        if wrong:
            raise InputError(relaunch.place or relaunch.kernel, "GEN127", wrong)


def _check_numbers(program: Program) -> None:
    """Each result of the file is given back by a single launch, and there is at least a result."""
    numbered = [
        (launch.place or launch.op.name, number)
        for launch, numbers in _launches(program)
        for number in numbers
    ]
    again = [(each.place or each.kernel, number) for each in program.relaunches for _, number in each.results]
    stated = [(place, number) for place, number in (*numbered, *again) if number != NO_RESULT]
    taken: set[int] = set()
    for place, number in stated:
        if number in taken or not 0 <= number < len(stated):
            again = "by two launches" if number in taken else f"of {len(stated)}"
            raise InputError(
                place,
                "GEN123",
                f"result {number} is given back {again}, wanted 0 to {len(stated) - 1}, each once",
                help=_HELP,
            )
        taken.add(number)
    if numbered and not stated:
        raise InputError(
            numbered[0][0],
            "GEN123",
            "no kernel gives a result back, wanted at least a result",
            help=_HELP,
        )


def _check_results_over(program: Program) -> None:
    """The result that an argument states is the result that the kernel writes in its memory."""
    for module in program.modules:
        over = [s for s in module.statements if s.op is PARAM and "result" in s.attributes]
        numbered = _numbered(module) if over else None
        written = dict(zip(module.statements[-1].operands, numbered[1], strict=True)) if numbered else {}
        for statement in over:
            name, stated = argument_name(statement), statement.attributes["result"]
            number = written.get(statement.result, NO_RESULT)
            if number != stated:
                why = "the kernel gives no result back there" if number == NO_RESULT else f"it is {number}"
                message = f"{name} states result {stated}, and {why}, wanted its number in `results`"
                help = "leave [result=...] out if the buffer is not an argument"
                raise InputError(statement.place or name, "GEN123", message, help=help)


def _launches(program: Program) -> Iterator[tuple[Statement, Sequence[int]]]:
    """The `launch` of each kernel, and the result number of each of its outputs."""
    numbered = [_numbered(module) for module in program.modules]
    return (each for each in numbered if each is not None)


def _numbered(module: Module) -> tuple[Statement, Sequence[int]] | None:
    """The `launch` of a kernel, and the result number of each of its outputs. `InputError` GEN123 if their
    number differs from the number of names in `@return`."""
    launch = next((statement for statement in module.statements if statement.op is LAUNCH), None)
    return_ = module.statements[-1]
    if launch is None or return_.op is not RETURN:
        return None
    numbers, outputs = LaunchAttributes.of(launch).results, len(return_.operands)
    if numbers and len(numbers) != outputs:
        raise InputError(
            launch.place or module.name,
            "GEN123",
            f"got {len(numbers)} numbers in `results`, wanted {outputs}: a number for each buffer that "
            f"'@return' names",
            help=_HELP,
        )
    return launch, numbers or range(outputs)
