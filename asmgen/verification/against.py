"""`--against`: code from below the graph, compared with a tensor program that should compute the same.

The reference program is compiled too. Its graph gives the expected results. Its kernels give the launch of
the code: the buffers and, unless given otherwise, the grid and workgroup. Its code is not run.

If the statements of the code are known, its bound follows from the height of its own sums. Of other code the
order of additions is unknown, and its bound is probabilistic: if roundings are independent and of mean zero,
a sum of n elements is within 8 sqrt(n) 2**-24 sum|x| of the exact sum but for a chance below 2 n exp(-32), in
whatever order it is computed (Higham and Mary, "A new approach to probabilistic rounding error analysis",
2019, theorem 2.4 with lambda = 8). For n up to 64 the certain bound is smaller and is taken.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from asmgen.artifact import CompiledKernel
from asmgen.compiled import CompiledProgram
from asmgen.emission.assemble import assemble, followed
from asmgen.graph.at_sizes import is_named, parameter_at
from asmgen.graph.reference import Rules
from asmgen.ir.program import Stage, Statement, argument_name
from asmgen.ir.types import TensorType
from asmgen.runtime.calls import program_parameters
from asmgen.verification.factors import long_factors
from asmgen.verification.inputs import seeded_inputs
from asmgen.verification.report import Verification
from asmgen.verification.runs import Subject, outcomes, up_to_a_fault, way_of, worst
from asmgen.verification.settings import Setting, emulated, settings
from asmgen.verification.sizes import launch_sizes
from asmgen.verification.verify import SEED, rules_of
from isa.diagnostics import InputError
from isa.emulator import load
from isa.emulator.program.assembly_file import kernel_names, read_assembly
from isa.objects.kernels import object_kernel_names
from isa.semantics.mode import Approximation

_LAMBDA = 8.0

Sizes = tuple[int, int, int]


class LaunchSizes(Struct, frozen=True):
    """The grid, in workgroups, and the workgroup of the only kernel; None to take the reference's."""

    grid: Sizes | None = None
    block: Sizes | None = None


def verify_program_against(program: CompiledProgram, reference: CompiledProgram) -> Verification:
    """Compare a program that was compiled from a later stage with the graph of `reference`.

    Raises `InputError` VER010 if its parameters are not the reference's, VER011 if its kernels are not.
    """
    if Stage.FINAL in program.compilation.stages.programs:
        _check_parameters(program_parameters(program), program_parameters(reference))
        chosen, notes = settings(program)
        return _compared(program, chosen, notes, reference, rules_of(program))
    stated = _matched([kernel.name for kernel in program.kernels], reference)
    kernels = [
        replace(
            kernel,
            name=name,
            assembly=own.assembly,
            block=own.block,
            preload_dwords=own.preload_dwords,
            _code_object=b"",
        )
        for kernel, name in zip(reference.kernels, stated, strict=True)
        for own in program.kernels
        if own.name == name
    ]
    code = replace(reference, kernels=tuple(kernels))
    chosen, notes = settings(code)
    return _compared(code, chosen, notes, reference, _unknown_order(reference))


def verify_code_against(
    source: str | bytes,
    name: str,
    reference: CompiledProgram,
    launch: LaunchSizes,
    allow_include: bool = False,
) -> Verification:
    """Compare assembly text or a code object, called `name` in messages, with the graph of `reference`.

    Text runs as text and, if there is a clang, as the code object made of it. Raises `InputError` VER011 if
    its kernels are not the reference's, VER012 if a launch is given for several kernels.
    """
    code = followed(source, name, allow_include) if isinstance(source, str) else source
    names = (
        kernel_names(read_assembly(code, name)) if isinstance(code, str) else object_kernel_names(code, name)
    )
    if len(reference.kernels) > 1 and (launch.grid or launch.block):
        message = (
            f"the program has {len(reference.kernels)} kernels, wanted a single kernel if a launch is given"
        )
        raise InputError("--grid", "VER012", message)
    kernels = [
        _with_code(kernel, code, own, name, launch, allow_include)
        for kernel, own in zip(reference.kernels, _matched(names, reference), strict=True)
    ]
    program = replace(reference, kernels=tuple(kernels))
    if isinstance(code, str):
        chosen, notes = settings(program)
    else:
        chosen, notes = [Setting(approximation, from_object=True) for approximation in Approximation], ()
    return _compared(program, chosen, notes, reference, _unknown_order(reference))


def _compared(
    program: CompiledProgram,
    chosen: Sequence[Setting],
    notes: tuple[str, ...],
    reference: CompiledProgram,
    rules: Rules,
) -> Verification:
    assert reference.graph is not None, "the caller has read a graph"
    ways = tuple(
        way_of(setting, lambda arrays, setting: emulated(program, arrays, setting)) for setting in chosen
    )
    bounds_hold = not reference.compilation.options.fast_math
    parameters = program_parameters(reference)
    if is_named(reference.graph):
        rules, first = replace(rules, adds_to_zero=True), launch_sizes(parameters)[0]
        parameters = [parameter_at(parameter, first) for parameter in parameters]
    sets = seeded_inputs(parameters, SEED, long_factors(reference.graph, parameters))
    runs = outcomes(Subject(reference.graph, rules, ways), sets)
    comparisons = up_to_a_fault(runs, bounds_hold)
    return Verification(worst(comparisons, bounds_hold, reference.graph), notes, len(comparisons))


def _with_code(
    kernel: CompiledKernel, code: str | bytes, own: str, name: str, launch: LaunchSizes, allow_include: bool
) -> CompiledKernel:
    """The reference's kernel with other code, which may state its workgroup."""
    image = load(code, own, name)
    block = launch.block or image.required or kernel.block
    if block != kernel.block and launch.grid is None:
        message = f"{own} has workgroups of {block}, the program's kernel {kernel.block}"
        help = "compile both with the same sizes (--set), or say how many workgroups to launch: --grid X,Y,Z"
        raise InputError(name, "VER013", message, help=help)
    made = code
    if isinstance(code, str):
        made = assemble(code, kernel.target, name, allow_include=allow_include, assembler=kernel.assembler)
    return replace(
        kernel, name=own, assembly=code if isinstance(code, str) else "", _code_object=made,
        grid=launch.grid or kernel.grid,
        block=block, preload_dwords=image.descriptor.preload_dwords,
    )  # fmt: skip


def _matched(names: Sequence[str], reference: CompiledProgram) -> list[str]:
    """For each kernel of the reference the name of the kernel that takes its place: the same name, or the
    only kernel."""
    wanted = [kernel.name for kernel in reference.kernels]
    if len(wanted) == len(names) == 1:
        return list(names)
    if not set(wanted) <= set(names):
        message = f"the source has {', '.join(names) or 'no kernel'}, wanted {', '.join(wanted)}"
        raise InputError(
            "--against",
            "VER011",
            message,
            help="kernels are matched by their names; a single kernel always matches",
        )
    return wanted


def _check_parameters(own: Sequence[Statement], wanted: Sequence[Statement]) -> None:
    own_types, needed = ([_described(parameter) for parameter in parameters] for parameters in (own, wanted))
    if own_types != needed:
        message = (
            f"the source takes {'; '.join(own_types) or 'nothing'}, wanted {'; '.join(needed) or 'nothing'}"
        )
        raise InputError("--against", "VER010", message)


def _described(parameter: Statement) -> str:
    type_ = parameter.result.type
    dims = f", {{{', '.join(map(str, type_.shape))}}}" if isinstance(type_, TensorType) else ""
    return f"{argument_name(parameter)}: {type_.element}{dims}"


def _unknown_order(reference: CompiledProgram) -> Rules:
    options = reference.compilation.options
    return Rules(
        options.contract,
        options.nan_rule,
        lambda elements: min(float(elements), _LAMBDA * math.sqrt(elements)),
    )
