"""`Builder`, the first argument of a kernel by hand.

It has a method for every instruction of the target, and the methods of this page: registers, index
expressions, memory and control flow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

import sympy
from sympy.logic.boolalg import Boolean

from asmgen.assembly.all_lanes import AllLanes
from asmgen.assembly.calls import Calls
from asmgen.assembly.conditions import Condition, Conditions, GivenCondition
from asmgen.assembly.control import Flow, UniformIf, Where
from asmgen.assembly.entry import Entry
from asmgen.assembly.explicit_waits import put_wait
from asmgen.assembly.instructions import Loose, ModifierGiven, rows_of
from asmgen.assembly.labels import Labels
from asmgen.assembly.loops import Loop, While
from asmgen.assembly.physical import Physical
from asmgen.assembly.recorder import Recorder
from asmgen.assembly.symbols import Symbols
from asmgen.assembly.values import Lds, Registers, Scalar, Target, Vector, is_whole, require_own
from asmgen.assembly.variables import assign, new_variable, variable_of
from asmgen.select.memory.lds import put_barrier
from isa.diagnostics import InputError
from isa.instruction import Trait
from isa.registers import RegisterClass

Some = TypeVar("Some", bound=Registers[Any])
_BRANCHES = frozenset({Trait.BRANCH, Trait.CONDITIONAL_BRANCH})
_OF_CONDITIONS = "wanted i < n, sympy.And(...), or the mask of a comparison"


class Axes:
    """The ids of the three axes; each has a register when it is first named."""

    def __init__(self, make: Callable[[int], sympy.Symbol]) -> None:
        self._make = make

    @property
    def x(self) -> sympy.Symbol:
        return self._make(0)

    @property
    def y(self) -> sympy.Symbol:
        return self._make(1)

    @property
    def z(self) -> sympy.Symbol:
        return self._make(2)


class KernelBuilder:
    """Writes a kernel: everything but the methods of instructions."""

    def __init__(
        self, recorder: Recorder, entry: Entry, most_workgroups: tuple[int, int, int] | None = None
    ) -> None:
        self.recorder = recorder
        self.symbols = Symbols(recorder, entry, most_workgroups)
        self.physical = Physical(recorder)
        self.workgroup_id = Axes(self.symbols.workgroup_id)
        self.thread_id = Axes(self.symbols.thread_id)
        self._entry = entry
        self._calls = Calls(recorder, self.symbols)
        self._flow = Flow(recorder, self.symbols, Conditions(recorder, self.symbols))
        self._labels = Labels(self._flow)

    @property
    def target(self) -> str:
        """The target's name: gfx942."""
        return self.recorder.target.name

    @property
    def wave_size(self) -> int:
        """Lanes of a wavefront."""
        return self.recorder.target.wave_size

    def call(
        self, name: str, operands: tuple[object, ...], modifiers: Mapping[str, ModifierGiven], into: object
    ) -> Any:
        """Append an instruction: None, its result, or a tuple of its results."""
        rows = rows_of(self.recorder.table, name)
        if rows and not rows[0].traits.isdisjoint(_BRANCHES):
            return self._labels.branch(rows[0], operands)
        return self._calls.call(name, operands, modifiers, into)

    # Registers

    def vgpr(self, count: int = 1, align: int = 0) -> Vector[Any]:
        """A variable of `count` VGPRs from a multiple of `align`."""
        return cast("Vector[Any]", new_variable(self.recorder, RegisterClass.VGPR, count, align))

    def sgpr(self, count: int = 1, align: int = 0) -> Scalar[Any]:
        """A variable of `count` SGPRs from a multiple of `align`."""
        return cast("Scalar[Any]", new_variable(self.recorder, RegisterClass.SGPR, count, align))

    def agpr(self, count: int = 1, align: int = 0) -> Registers[Any]:
        """A variable of `count` AGPRs. `InputError` HND004 on a target without them."""
        if not self.recorder.target.has_agprs:
            raise self.fault("HND004", f"{self.target} has no AGPRs, wanted VGPRs: k.vgpr({count})")
        return new_variable(self.recorder, RegisterClass.AGPR, count, align)

    def assign(self, target: Registers[Any], value: object) -> None:
        """Write a variable: registers of as many, a number, or an index expression. In a `where` the lanes
        that are off keep their value."""
        given = self._calls.given(value)
        source = given.value if isinstance(given, Loose) else given
        if not isinstance(source, Registers | int | float):
            raise self.fault("HND005", f"got {value!r}, wanted {len(target)} registers or a number")
        assign(self.recorder, target, source)

    def reserve(self, *given: Registers[Any]) -> None:
        """Keep physical registers free of the kernel's values: `k.reserve(k.physical.v[40:44])`. Only
        instructions that name them use them."""
        for value in given:
            require_own(self.recorder, value)
            if value.register.is_virtual:
                raise self.fault("HND004", f"got {value!r}, wanted physical registers: k.physical.v[40]")
            self.recorder.kernel.reserved += (value.register,)

    def variable(self, value: Some) -> Some:
        """A variable with the value of registers."""
        return cast("Some", variable_of(self.recorder, value))

    def index(self, value: Registers[Any], least: int, most: int) -> sympy.Symbol:
        """A symbol for a register that the kernel computed; the caller promises its bounds."""
        return self.symbols.index(value, least, most)

    # Memory

    def lds(self, bytes: int, align: int = 16) -> Lds:
        """LDS for the workgroup, from a multiple of `align`. `InputError` HND030 if the target has less."""
        kernel, most = self.recorder.kernel, self.recorder.target.lds_bytes
        is_size = is_whole(bytes) and is_whole(align)
        if not is_size or bytes < 1 or align < 1 or align & align - 1:
            raise self.fault("HND030", f"got {bytes} bytes aligned to {align}, wanted a power of two")
        first = -(-kernel.lds_bytes // align) * align
        if first + bytes > most:
            message = f"the kernel needs {first + bytes} bytes of LDS, wanted at most {most}"
            raise self.fault("HND030", message)
        kernel.lds_bytes = first + bytes
        return Lds(f"lds{first}", first, bytes)

    def barrier(self) -> None:
        """Wait for the waves of the workgroup and for their accesses of LDS. `InputError` HND024 if lanes are
        off."""
        self.recorder.at("barrier")
        self.recorder.require_open()
        self.require_every_lane("a barrier")
        put_barrier(self.recorder)

    def wait(self, **counts: int) -> None:
        """State a wait, `k.wait(vm=2)`: at most two vector loads are under way after it. The compiler inserts
        the waits that are needed; `InputError` HND026 if a stated wait is weaker than its reader needs."""
        put_wait(self.recorder, counts)

    # Control flow

    def where(self, condition: GivenCondition) -> Where:
        """`with k.where(i < n):` the lanes for which a condition is true."""
        return Where(self._flow, self._condition(condition))

    def all_lanes(self) -> AllLanes:
        """`with k.all_lanes():` in a `where`, code for every lane of the wave. The wave skips it if it skips
        the `where`. A register that the `where` has made is 0 in the other lanes. `InputError` HND024 in a
        loop or a branch of the `where`."""
        return AllLanes(self._flow)

    def uniform_if(self, condition: GivenCondition) -> UniformIf:
        """`with k.uniform_if(j < 4):` the wave, if a uniform condition is true; of a mask, if any lane is
        in it."""
        checked = self._condition(condition)
        if isinstance(checked, Boolean) and not self._flow.conditions.is_uniform(checked):
            message = f"{checked} differs between lanes, wanted a condition of the wave"
            raise self.fault("HND020", message, "with k.where(...): ... for lanes")
        return UniformIf(self._flow, checked)

    def loop(
        self, start: Any, stop: Any, step: int = 1, carry: Registers[Any] | tuple[Registers[Any], ...] = ()
    ) -> Loop:
        """`with k.loop(0, n, carry=(total,)) as (i, total):` a loop of the whole wave. `carry` are the
        first values of its variables; `k.assign` writes them for the next trip."""
        return Loop(self._flow, start, stop, step, carry if isinstance(carry, tuple) else (carry,))

    def while_(self, condition: Callable[[], GivenCondition]) -> While:
        """`with k.while_(lambda: k.v_cmp_lt_u32(a, b)):` a loop that lanes leave when their condition is
        false."""
        if not callable(condition):
            raise self.fault("HND020", f"got {condition!r}, wanted a function: k.while_(lambda: i < n)")
        return While(self._flow, lambda: self._condition(condition()))

    def label(self, name: str) -> Target:
        """Begin the code that branches to `name` go to, by `k.s_branch(name)` or `k.s_cbranch_scc1(name)`."""
        return self._labels.begin(name)

    def end(self) -> None:
        """End the program of the wave here. `InputError` HND016 if lanes are off."""
        self.recorder.at("end")
        self.recorder.require_open()
        if self._flow.divergent():
            message = "got the end of the program while lanes are off, wanted it for the whole wave"
            raise self.fault("HND016", message, "with k.where(...): ... around the rest of the kernel")
        self.recorder.end_program()

    @property
    def may_repeat(self) -> bool:
        """Whether the program may come here again: in a loop, or after a label."""
        return self._flow.may_repeat

    def require_every_lane(self, what: str) -> None:
        """`InputError` HND024 in a `where` or a `while_` of lanes."""
        if self._flow.divergent():
            message = f"got {what} while lanes are off, wanted it outside of k.where(...) and k.while_(...)"
            raise self.fault("HND024", message)

    def _condition(self, condition: object) -> Condition:
        if isinstance(condition, Registers):
            mask = cast("Registers[Any]", condition)
            require_own(self.recorder, mask)
            return mask
        if isinstance(condition, bool):
            message = f"got {condition}, which a comparison of Python gives, wanted a condition of the kernel"
            raise self.fault("HND020", message, "sympy.Eq(i, 0) and sympy.Ne(i, 0) compare indices")
        if isinstance(condition, Boolean):
            return condition
        raise self.fault("HND020", f"got {type(condition).__name__} as a condition, {_OF_CONDITIONS}")

    def finish(self) -> None:
        """Check the labels, and end the program. `InputError` HND015 and HND017 for labels at fault."""
        self._labels.check()
        self._flow.finish()
        if not self.recorder.is_ended:
            self.recorder.end_program()
        self._entry.finish()

    def fault(self, code: str, message: str, help: str = "", notes: tuple[str, ...] = ()) -> InputError:
        """The error for the line of the kernel's function."""
        return self.recorder.fault(code, message, help, notes)


class Builder(KernelBuilder):
    """Writes a kernel. Every instruction of the target is a method with its name (`instructions`).

    Type checkers know the instructions of the classes in `asmgen.assembly.targets`.
    """

    def __getattr__(self, name: str) -> Method:
        """The method of an instruction."""
        if name.startswith("_"):
            raise AttributeError(name)
        return Method(self, name)


class Method:
    """The method of an instruction; `help()` shows its forms."""

    def __init__(self, builder: KernelBuilder, name: str) -> None:
        self._builder = builder
        self.__name__ = name

    @property
    def __doc__(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        from asmgen.assembly.help import describe

        return describe(self.__name__, self._builder.recorder.table)

    def __call__(self, *operands: object, into: object = None, **modifiers: ModifierGiven) -> Any:
        return self._builder.call(self.__name__, operands, modifiers, into)
