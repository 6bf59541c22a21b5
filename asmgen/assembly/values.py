"""The values of a kernel by hand: registers, and the other kinds of operands.

    v = k.global_load_dword(x, 4 * i)      a `Vector` of one VGPR
    r = k.vgpr(4, align=2)                 four VGPRs; r[0] is the first of them, r[1:3] the next two
    k.v_fma_f32(-a, abs(v), r[0])          source modifiers

Each class is a register file. The type parameter is the number of 32-bit registers, for type checkers.
"""

from __future__ import annotations

import typing
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeGuard, cast, overload

from msgspec import Struct

from isa.instruction import Immediate
from isa.named_tuple import NamedTuple
from isa.registers import Register, RegisterClass, register_name

if TYPE_CHECKING:
    import sympy

    from asmgen.assembly.recorder import Recorder

    Offset = sympy.Expr | int

if TYPE_CHECKING:
    from typing_extensions import TypeVar  # with a default: `Vector` alone has any number of registers

    Count = TypeVar("Count", bound=int, covariant=True, default=Any)
else:
    Count = typing.TypeVar("Count", bound=int, covariant=True)
One = Literal[1]


class Registers(Generic[Count]):
    """Registers of one file: virtual, until the allocator chooses them, or physical."""

    __slots__ = ("_recorder", "register", "register_class")
    # numpy must not take a range of registers for a sequence of numbers
    __array_ufunc__ = None

    def __init__(self, recorder: Recorder, register: Register, register_class: RegisterClass) -> None:
        self._recorder = recorder
        self.register = register
        self.register_class = register_class

    def __len__(self) -> int:
        return self.register.count

    def __iter__(self) -> Iterator[Registers[One]]:
        for i in range(len(self)):
            yield self[i]

    @overload
    def __getitem__(self, place: int) -> Registers[One]: ...
    @overload
    def __getitem__(self, place: slice) -> Registers[Any]: ...
    def __getitem__(self, place: int | slice) -> Registers[Any]:
        """A register of the range, or a part of it; `InputError` HND006 if the range does not reach so
        far."""
        first, count = self._part(place)
        return type(self)(self._recorder, self.register.part(first, count), self.register_class)

    def _part(self, place: object) -> tuple[int, int]:
        if isinstance(place, slice):
            inside = range(len(self))[place]
            if inside.step != 1 or not inside:
                raise self._recorder.fault(
                    "HND006", f"got {place}, wanted neighbouring registers, at least a single register"
                )
            return inside.start, len(inside)
        if not is_whole(place) or not -len(self) <= place < len(self):
            message = (
                f"got register {place} of a range of {len(self)}, wanted a number from 0 to {len(self) - 1}"
            )
            raise self._recorder.fault("HND006", message)
        return place % len(self), 1

    def __neg__(self) -> Modified:
        return Modified(self, frozenset({"neg"}))

    def __abs__(self) -> Modified:
        return Modified(self, frozenset({"abs"}))

    def __bool__(self) -> bool:
        message = "got a register as a condition of Python, wanted a condition of the kernel"
        help = "with k.where(mask): ... for lanes, with k.uniform_if(...): ... for the wave"
        raise self._recorder.fault("HND007", message, help)

    def __repr__(self) -> str:
        return f"<{register_name(self.register)}>"

    def made_by(self, recorder: Recorder) -> bool:
        """Whether the registers belong to the kernel that a recorder writes."""
        return self._recorder is recorder


class Vector(Registers[Count]):
    """VGPRs: a 32-bit number for each lane in each of them."""

    __slots__ = ()

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, place: int) -> Vector[One]: ...
        @overload
        def __getitem__(self, place: slice) -> Vector[Any]: ...
        def __getitem__(self, place: int | slice) -> Vector[Any]: ...
        def __iter__(self) -> Iterator[Vector[One]]: ...


class Scalar(Registers[Count]):
    """SGPRs: the same for the whole wave. A lane mask is in SGPRs too."""

    __slots__ = ()

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, place: int) -> Scalar[One]: ...
        @overload
        def __getitem__(self, place: slice) -> Scalar[Any]: ...
        def __getitem__(self, place: int | slice) -> Scalar[Any]: ...
        def __iter__(self) -> Iterator[Scalar[One]]: ...


class Pointer(Scalar[Literal[2]]):
    """The pointer of an argument, in an SGPR pair."""

    __slots__ = ("name",)

    def __init__(self, recorder: Recorder, register: Register, name: str) -> None:
        super().__init__(recorder, register, RegisterClass.SGPR)
        self.name = name

    def __add__(self, offset: Offset) -> Address:
        return Address(self, offset)


class Lds(Struct, frozen=True):
    """A part of the workgroup's LDS: its name, its first byte and its size in bytes."""

    name: str
    first: int
    bytes: int

    def __add__(self, offset: Offset) -> Address:
        return Address(self, offset)


class Address(NamedTuple):
    """An object and an offset in bytes: `x + 4 * i`."""

    base: Pointer | Lds
    offset: Offset

    def __add__(self, offset: Offset) -> Address:  # pyright: ignore[reportIncompatibleMethodOverride]
        return Address(self.base, self.offset + offset)


class Accumulator(Registers[Count]):
    """AGPRs, on targets that have them."""

    __slots__ = ()

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, place: int) -> Accumulator[One]: ...
        @overload
        def __getitem__(self, place: slice) -> Accumulator[Any]: ...
        def __getitem__(self, place: int | slice) -> Accumulator[Any]: ...
        def __iter__(self) -> Iterator[Accumulator[One]]: ...


class Modified(NamedTuple):
    """A source with its modifiers: `-x`, `abs(x)`, `-abs(x)`, `sext(x)`."""

    registers: Registers[Any]
    names: frozenset[str]

    def __neg__(self) -> Modified:
        return Modified(self.registers, self.names ^ {"neg"})


def sext(value: Registers[Any]) -> Modified:
    """The sign-extended part of a register, as a source of SDWA."""
    return Modified(value, frozenset({"sext"}))


def bits(pattern: int) -> Immediate:
    """A constant by its bits: `bits(0x3f800000)` is 1.0 in an f32 operand."""
    return Immediate(pattern)


class Target(NamedTuple):
    """A label of the kernel, for branches by hand."""

    name: str


_FILES: dict[RegisterClass, type[Registers[Any]]] = {
    RegisterClass.VGPR: Vector,
    RegisterClass.AV: Vector,
    RegisterClass.AGPR: Accumulator,
    RegisterClass.SGPR: Scalar,
    RegisterClass.SPECIAL: Scalar,
}


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value of Python is an integer."""
    return isinstance(value, int) and not isinstance(value, bool)


def registers(recorder: Recorder, register: Register, register_class: RegisterClass) -> Registers[Any]:
    """The value of a register, by its file."""
    return _FILES[register_class](recorder, register, register_class)


def require_own(recorder: Recorder, value: object) -> None:
    """`InputError` HND005 for a value that is not in registers, HND008 if it belongs to another kernel."""
    if not isinstance(value, Registers):
        raise recorder.fault("HND005", f"got {value!r}, wanted registers")
    if not cast("Registers[Any]", value).made_by(recorder):
        raise recorder.fault("HND008", f"{value!r} is a value of another kernel, wanted one of this kernel")
