"""`--verify`: a program runs on the emulator, sanitizer on, and is held against the float64 reference of its graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from asmgen.arrays import Array, tensor_type
from asmgen.calls import Signature, program_parameters, run_kernels, signatures
from asmgen.runtime import resolve_device
from asmgen.samples import ordinary_inputs, sample_inputs
from asmgen.tensor.reference import Comparison, Rules, compare, evaluate
from isa.diagnostics import InputError
from isa.emulator import run as emulate
from isa.emulator.disassembly import HOW_TO_GET_OBJDUMP, find_objdump
from isa.semantics.mode import Approximation

if TYPE_CHECKING:
    from asmgen.artifact import CompiledKernel
    from asmgen.compiled import CompiledProgram

_SEED = 20240
_LARGEST = 1 << 28  # elements of inputs and outputs together


@dataclass(frozen=True, slots=True)
class Setting:
    """One way to run: what approximate instructions return, where the kernel is entered, and what is run."""

    approximation: Approximation = Approximation.NEAREST
    entry: str = "preload"
    from_object: bool = False

    def __str__(self) -> str:
        parts = [self.approximation.value]
        if self.entry == "prologue":
            parts.append("entered at the prologue")
        if self.from_object:
            parts.append("code object")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Check:
    """The worst run of one output: its largest error, and the bounds there."""

    output: str
    setting: str
    comparison: Comparison
    bounds_hold: bool = True

    @property
    def is_broken(self) -> bool:
        return self.bounds_hold and self.comparison.is_broken

    def __str__(self) -> str:
        found = self.comparison
        verdict = "BROKEN" if self.is_broken else "ok" if self.bounds_hold else "not held to the bounds under --fast-math"
        text = f"{self.output}: {verdict}, {found}"
        if found.index is not None and not found.is_broken:
            text += f", bounds {found.low!r} to {found.high!r}"
        return f"{text} ({self.setting})"


@dataclass(frozen=True, slots=True)
class Report:
    """What was checked, one entry an output, and what could not be."""

    checks: tuple[Check, ...]
    notes: tuple[str, ...]
    runs: int

    @property
    def is_broken(self) -> bool:
        return any(check.is_broken for check in self.checks)


def verify(program: CompiledProgram, device: str = "auto", seed: int = _SEED, inputs: Sequence[Array] | None = None) -> Report:
    """Run a program in every setting, on seeded inputs or on those given, and hold each output against the reference.

    Seeded inputs are two sets: one with every magnitude and the corners of the type, one of ordinary values. The
    emulator runs the assembly text with approximate instructions at nearest and at both ends of their documented
    error, preloading kernels from both entries, and the code object where LLVM can disassemble it; `device` "hip" adds
    a run on the GPU. Raises `InputError` where the program has no graph, and what the sanitizer finds.
    """
    if program.graph is None:
        raise InputError("--verify", "VER002", "the source starts behind the graph, wanted a graph, which states what is right")
    parameters = [statement for _, statement in program_parameters(signatures(program))]
    _check_size(signatures(program))
    sets = [sample_inputs(parameters, seed), ordinary_inputs(parameters, seed)] if inputs is None else [list(inputs)]
    chosen, notes = settings(program)
    found = [comparison for arrays in sets for comparison in _comparisons(program, arrays, chosen, device)]
    names = [value.name for module in program.graph.modules for value in module.statements[-1].operands]
    checks: list[Check] = []
    for position, name in enumerate(names):
        label, outputs = max(found, key=lambda run: (run[1][position].broken, run[1][position].largest))
        checks.append(Check(name, label, outputs[position], bounds_hold=not program.compilation.options.fast_math))
    return Report(tuple(checks), notes, len(found))


def _comparisons(
    program: CompiledProgram, arrays: list[Array], chosen: Sequence[Setting], device: str
) -> list[tuple[str, list[Comparison]]]:
    """Every output of every run on one set of inputs, held against the reference; a run is labelled by its setting."""
    assert program.graph is not None, "a program without a graph has no reference"
    options = program.compilation.options
    expected = evaluate(program.graph, arrays, Rules(options.contract, options.nan))
    runs = [(str(setting), _emulated(program, arrays, setting)) for setting in chosen]
    if device == "hip":
        runs.append((resolve_device(device, program.target), program(*arrays, device=device)))
    return [(label, [compare(reference, output) for reference, output in zip(expected, outputs, strict=True)]) for label, outputs in runs]


def _check_size(found: Sequence[Signature]) -> None:
    elements = sum(tensor_type(statement.result).span for signature in found for statement in (*signature.inputs, *signature.outputs))
    if elements > _LARGEST:
        raise InputError("--verify", "VER003", f"the buffers have {elements} elements, wanted at most {_LARGEST} to emulate", help="a smaller shape")


def settings(program: CompiledProgram) -> tuple[list[Setting], tuple[str, ...]]:
    """The ways to run a program, and a note where the code object is not among them."""
    chosen = [Setting(approximation) for approximation in Approximation]
    if any(preloads(kernel) for kernel in program.kernels):
        chosen.append(Setting(entry="prologue"))
    objdump = find_objdump(program.target.target)
    if not objdump.path:
        return chosen, (f"the emitted text was run, not the code object: {objdump.problem} ({HOW_TO_GET_OBJDUMP})",)
    try:
        _ = [kernel.code_object for kernel in program.kernels]
    except InputError as error:
        return chosen, (f"the emitted text was run, not the code object: {error.message}",)
    return [*chosen, Setting(from_object=True)], ()


def preloads(kernel: CompiledKernel) -> bool:
    """Whether firmware that preloads kernel arguments enters the kernel behind its prologue."""
    return kernel.preload_dwords > 0


def _emulated(program: CompiledProgram, arrays: Sequence[Array], setting: Setting) -> list[Array]:
    """The results of a program, sanitizer on; what no kernel has written yet counts as undefined."""

    def execute(kernel: CompiledKernel, signature: Signature, buffers: list[Array]) -> list[Array]:
        assert kernel.grid is not None, "a kernel of a graph has a grid"
        source = kernel.code_object if setting.from_object else kernel.assembly
        first = len(signature.inputs)
        return emulate(
            source, kernel.name, kernel.grid, kernel.block, buffers, sanitize=True, approximation=setting.approximation, entry=setting.entry,
            undefined=range(first, first + len(signature.outputs)), name=f"{kernel.name}.s",
        )  # fmt: skip

    return run_kernels(program, signatures(program), arrays, execute)
