"""A program on the GPU, compared with the reference of its graph; nothing runs on the emulator."""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.compiled import CompiledProgram
from asmgen.graph.at_sizes import is_named, parameter_at
from asmgen.runtime.calls import program_parameters, signatures
from asmgen.verification.factors import long_factors
from asmgen.verification.inputs import seeded_inputs
from asmgen.verification.large import is_large
from asmgen.verification.report import Verification
from asmgen.verification.runs import Subject, Way, check_size, outcomes, up_to_a_fault, worst
from asmgen.verification.verify import SEED, no_graph, rules_of


def verify_on_gpu(program: CompiledProgram, sizes: Mapping[str, int]) -> Verification:
    """Compare a program on the GPU, at `sizes` of its named dims, with its reference: on all kinds of inputs,
    or on the first if it is large. Raises `InputError` VER003 if its buffers are too large, and HIP00x."""
    graph = program.graph
    if graph is None:
        raise no_graph()
    check_size([signature.at(sizes) for signature in signatures(program)])
    parameters = [parameter_at(parameter, sizes) for parameter in program_parameters(program)]
    sets = seeded_inputs(parameters, SEED, long_factors(graph, parameters))
    way = Way("hip", lambda arrays: program(*arrays, device="hip"))
    if not is_named(graph) and is_large(graph):
        sets = sets[:1]
    runs = outcomes(Subject(graph, rules_of(program), (way,)), sets)
    bounds_hold = not program.compilation.options.fast_math
    comparisons = up_to_a_fault(runs, bounds_hold)
    return Verification(worst(comparisons, bounds_hold, graph), (), len(comparisons))
