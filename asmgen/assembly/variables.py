"""Variables of a kernel by hand: virtual registers that may be written several times."""

from __future__ import annotations

from typing import Any

from asmgen.assembly.instructions import pattern
from asmgen.assembly.recorder import Recorder
from asmgen.assembly.values import Registers, Scalar, is_whole, registers, require_own
from isa.instruction import Immediate
from isa.moves import copy_row
from isa.registers import RegisterClass


def new_variable(recorder: Recorder, file: RegisterClass, count: int, align: int) -> Registers[Any]:
    """Registers of a file, from a multiple of `align` and of the target's own alignment. `InputError` HND004
    for a number or an alignment that no registers have."""
    recorder.at("variable")
    if (
        not (is_whole(count) and is_whole(align))
        or not 1 <= count <= 256
        or align < 0
        or align & align - 1
        or align > 16
    ):
        got, wanted = (f" aligned to {align}", ", and a power of two up to 16") if align else ("", "")
        raise recorder.fault("HND004", f"got {count} registers{got}, wanted 1 to 256{wanted}")
    if file is RegisterClass.SGPR:
        least = 4 if count > 2 else count
    else:
        least = min(count, recorder.target.vgpr_alignment)
    place = recorder.origin.place if recorder.origin else None
    register = recorder.kernel.new_register(file, count, max(align, least), "", place)
    return registers(recorder, register, file)


def assign(recorder: Recorder, target: Registers[Any], source: Registers[Any] | int | float) -> None:
    """Write a variable. `InputError` HND005 for another number of registers, or VGPRs for SGPRs."""
    recorder.at("assign")
    recorder.require_open()
    require_own(recorder, target)
    recorder.require_writable(target.register)
    if isinstance(source, int | float):
        bits = pattern(source)
        recorder.move(target.register, Immediate(sum(bits << 32 * i for i in range(len(target)))))
        return
    require_own(recorder, source)
    if len(source) != len(target):
        raise recorder.fault("HND005", f"got {len(source)} registers, wanted {len(target)}")
    if isinstance(target, Scalar) and not isinstance(source, Scalar):
        message = "got a VGPR for an SGPR, wanted a value that is the same for the wave"
        raise recorder.fault("HND005", message, "k.v_readfirstlane_b32(v) takes that of the first lane")
    row = copy_row(recorder.table, target.register_class, source.register_class)
    for i in range(len(target)):
        recorder.put(row, target.register.part(i), source.register.part(i))


def variable_of(recorder: Recorder, value: Registers[Any]) -> Registers[Any]:
    """A variable with the value of registers."""
    require_own(recorder, value)
    result = new_variable(recorder, value.register_class, len(value), 0)
    assign(recorder, result, value)
    return result
