"""Instruction selection: `final` lanewise SSA to machine SSA on virtual registers.

    kernel = select(module, target)

Uniform values go to SGPRs, divergent values to VGPRs (`uniformity`). Each op is selected by its record in
`table`: by `arithmetic`, `lanes`, `memory` or `control`, which makes EXEC masks of divergent control flow.
`abi` lays out the kernel's arguments and ABI registers. Registers that the hardware fills are read in place:
nothing else writes them, so copies would only cost instructions, and the allocator keeps them free until
their last use.
"""

from __future__ import annotations

from asmgen.ir.program import Module
from asmgen.select.abi import signature
from asmgen.select.arithmetic.mixed import find_mixed, find_rounded
from asmgen.select.emitter import Emitter
from asmgen.select.memory.arguments import load_arguments
from asmgen.select.memory.lds import lds_offsets, place_shared
from asmgen.select.selection import Selection, Unselectable
from asmgen.select.sharing import ordering_barriers
from asmgen.select.table import select_statements
from asmgen.select.uniformity import uniform_values
from asmgen.select.uses import find_uses
from asmgen.trace import OFF, Channel, Trace
from isa.diagnostics import InputError, InternalError
from isa.program import Kernel
from isa.targets import TargetId

__all__ = ["select", "select_input"]


def select(module: Module, target: TargetId, trace: Trace = OFF) -> Kernel:
    """The machine program of a `final` module; `InternalError` if a statement has no record for its types."""
    try:
        return _selected(module, target, trace)
    except Unselectable as fault:
        raise InternalError("select", str(fault.place), fault.message) from None


def select_input(module: Module, target: TargetId, trace: Trace = OFF) -> Kernel:
    """As `select`, for a stage's text that a user wrote: `InputError` SEL001 names the statement."""
    try:
        return _selected(module, target, trace)
    except Unselectable as fault:
        raise InputError(fault.place, "SEL001", f"{fault.message}, wanted ops and types of final") from None


def _selected(module: Module, target: TargetId, trace: Trace) -> Kernel:
    interface = signature(module, target.target)
    kernel = Kernel(
        module.name, target, interface.arguments, interface.workgroup, interface.abi, groups=interface.groups
    )
    emitter = Emitter(kernel)
    ordering = ordering_barriers(module, target.target.wave_size)
    uniform = uniform_values(module, interface.written)
    uses = find_uses(module, uniform)
    find_mixed(uses)
    find_rounded(uses)
    selection = Selection(emitter, interface, uses, uniform, ordering)
    place_shared(selection, module.statements)
    load_arguments(selection)
    select_statements(selection, module.statements)
    emitter.block.terminator = emitter.instr("s_endpgm")
    kernel.lds_bytes = selection.lds_bytes
    trace.tell(Channel.LDS_OFFSETS, lds_offsets, selection)
    if not selection.scratch_bytes:
        return kernel
    from asmgen.passes.scratch import prepare_scratch

    kernel.scratch_bytes = selection.scratch_bytes
    return prepare_scratch(kernel)
