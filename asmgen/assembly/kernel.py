"""`@kernel`: a Python function that writes a kernel, compiled for a target like any other program."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from math import prod
from numbers import Integral
from typing import Any, cast

import numpy as np

from asmgen.assembly.arguments import Formal, arguments_of, formals_of
from asmgen.assembly.builder import Builder
from asmgen.assembly.entry import Entry
from asmgen.assembly.explicit_waits import check_waits
from asmgen.assembly.python_use import misuse
from asmgen.assembly.recorder import Recorder
from asmgen.assembly.ssa import construct
from asmgen.assembly.values import Pointer, Scalar, is_whole
from asmgen.compilation import Source, Stages
from asmgen.compiled import CompiledProgram
from asmgen.compiler import compile_read
from asmgen.index.interval import Interval
from asmgen.options import make_options
from asmgen.runtime.kernel_launch import three_sizes
from isa.diagnostics import InputError, Place
from isa.footprint import Space
from isa.instruction import Trait
from isa.program import Argument, Kernel
from isa.registers import RegisterClass
from isa.targets import TargetId, parse_target
from regalloc.verify import broken_rule

Array = np.ndarray[Any, Any]
Sizes = tuple[int, int, int]
_MOST_ITEMS = 1024
_FEWER_ITEMS = "launch more workgroups, or give each work-item several elements"
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


class HandProgram(CompiledProgram):
    """A compiled kernel by hand: `print` shows its assembly, `launch` and `verify` take arguments by name.

    `most_workgroups` is the largest grid that the kernel is written for, if it says so, and `formals` are its
    arguments.
    """

    most_workgroups: Sizes | None = None
    formals: tuple[Formal, ...] = ()

    def __str__(self) -> str:
        return self.kernels[0].assembly

    def launch(self, grid: Sequence[int], device: str = "auto", **arguments: object) -> dict[str, Array]:
        """Run the kernel on `grid` workgroups; the arrays by their argument's name as they are afterwards.

        `InputError` LNC002 for arguments that are missing or unknown, HND041 and HND042 for a grid or a
        number that the kernel is not written for, and as
        `asmgen.runtime.kernel_launch` for arrays and numbers that do not fit.
        """
        kernel = self.kernels[0]
        names = [argument.name for argument in kernel.arguments]
        if set(arguments) != set(names):
            message = (
                f"got the arguments {', '.join(arguments) or 'none'}, wanted {', '.join(names) or 'none'}"
            )
            raise InputError("launch", "LNC002", message)
        grid = three_sizes("grid", grid)
        if self.most_workgroups is not None and any(
            some > most for some, most in zip(grid, self.most_workgroups, strict=True)
        ):
            message = f"got a grid of {grid}, wanted at most {self.most_workgroups}"
            raise InputError("grid", "HND041", message, help="most_workgroups of @kernel")
        for formal in self.formals:
            _require_bounds(formal, arguments[formal.name])
        given = [arguments[name] for name in names]
        after = self.kernel(kernel.name).launch(grid=grid, block=kernel.block, args=given, device=device)
        arrays = [name for name, argument in zip(names, kernel.arguments, strict=True) if argument.is_buffer]
        return dict(zip(arrays, after, strict=True))

    def verify(
        self, reference: Callable[..., Mapping[str, object]], grid: Sequence[int] | None = None,
        rtol: float = 1e-5, atol: float = 1e-6, **arguments: object,
    ) -> float:  # fmt: skip
        """Run the kernel on the emulator with the sanitizer, and compare each array that the reference
        returns: the largest relative error.

        `reference` takes the arguments by name and returns the arrays that the kernel should write. Without
        `grid` there are as many workgroups along x as it takes to have a work-item for each element of the
        largest array.
        `InputError` HND040 if one differs by more than `atol + rtol * |wanted|`.
        """
        after = self.launch(grid or self._grid_for(arguments), "emulator", **arguments)
        largest = 0.0
        expected = reference(**arguments)
        if not isinstance(cast("object", expected), Mapping):
            message = f"got {type(expected).__name__}, wanted a dict with an array for each name"
            raise InputError("reference", "HND040", message)
        for name, wanted in expected.items():
            if name not in after:
                raise InputError("reference", "HND040", f"got {name}, wanted one of {', '.join(after)}")
            error = _error(name, after[name], np.asarray(wanted), rtol, atol)
            largest = max(largest, error)
        return largest

    def _grid_for(self, arguments: Mapping[str, object]) -> Sizes:
        """A workgroup for each part of the largest array, an element for each work-item."""
        sizes = [cast("Array", value).size for value in arguments.values() if isinstance(value, np.ndarray)]
        elements = max(sizes, default=1)
        x, y, z = self.kernels[0].block
        return max(1, -(-elements // (x * y * z))), 1, 1


def _require_bounds(formal: Formal, value: object) -> None:
    """`InputError` HND042 for a number that the kernel is not written for."""
    if formal.bounds is not None and isinstance(value, Integral):
        least, most = formal.bounds
        if not least <= int(value) <= most:
            message = f"got {formal.name}={value}, wanted {least} to {most}"
            raise InputError("launch", "HND042", message, help="the bounds of the argument in the kernel")


def _error(name: str, got: Array, wanted: Array, rtol: float, atol: float) -> float:
    """The largest relative error; `InputError` HND040 at the first element that is too far off."""
    if got.shape != wanted.shape:
        raise InputError("reference", "HND040", f"{name} has the shape {wanted.shape}, wanted {got.shape}")
    if got.dtype.kind in "iub" and not np.array_equal(got, wanted):
        far = got != wanted
    else:
        exact = wanted.astype(np.float64)
        far = ~np.isclose(got.astype(np.float64), exact, rtol=rtol, atol=atol, equal_nan=True)
    if far.any():
        at = tuple(int(i) for i in np.argwhere(far)[0])
        message = f"{name}{list(at)} is {got[at]}, wanted {wanted[at]}; {int(far.sum())} of {far.size} differ"
        raise InputError("verify", "HND040", message)
    difference = np.abs(got.astype(np.float64) - wanted.astype(np.float64))
    scale = np.maximum(np.abs(wanted.astype(np.float64)), np.finfo(np.float32).tiny)
    return float(np.nan_to_num(difference / scale).max(initial=0.0))


def _are_sizes(given: object) -> bool:
    """Whether this is three numbers from 1 on."""
    if not isinstance(given, list | tuple):
        return False
    sizes = list(cast("Sequence[object]", given))
    return len(sizes) == 3 and all(is_whole(size) and size >= 1 for size in sizes)


class HandKernel:
    """A kernel by hand, for any target that has its instructions."""

    def __init__(
        self, function: Callable[..., object], workgroup: Sizes, name: str, most_workgroups: Sizes | None
    ) -> None:
        code = function.__code__
        self.place = Place(code.co_filename, code.co_firstlineno)
        self.name = name or function.__name__
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self._function = function
        self._workgroup = workgroup
        self._most_workgroups = most_workgroups
        if not _NAME.fullmatch(self.name):
            raise InputError(
                self.place, "HND002", f"got the name {self.name!r}, wanted letters, digits and _"
            )
        if not _are_sizes(workgroup) or prod(workgroup) > _MOST_ITEMS:
            message = f"got the workgroup {workgroup}, wanted (x, y, z) of at most {_MOST_ITEMS} work-items"
            raise InputError(self.place, "HND003", message, help=_FEWER_ITEMS)
        if most_workgroups is not None and not _are_sizes(most_workgroups):
            message = f"got most_workgroups {most_workgroups}, wanted three numbers from 1 on"
            raise InputError(self.place, "HND003", message)
        self.formals = formals_of(function, self.place)

    def __repr__(self) -> str:
        return f"<kernel {self.name}({', '.join(formal.name for formal in self.formals)})>"

    def source(self) -> Source:
        """The kernel as a source of the compiler, for whatever target it is compiled for."""
        return Source(str(self.place), None, Stages(recorded=lambda target: [self.program(target)]))

    def program(self, target: TargetId) -> Kernel:
        """The machine program on virtual registers. `InputError` at the line of the function at fault."""
        arguments = arguments_of(self.formals)
        kernel = Kernel(self.name, target, arguments, self._workgroup)
        recorder = Recorder(kernel, self._function.__code__)
        entry = Entry(recorder, arguments)
        builder = Builder(recorder, entry, self._most_workgroups)
        values = [_value(builder, entry, *both) for both in zip(self.formals, arguments, strict=True)]
        self._write(builder, values)
        builder.finish()
        finished = construct(_reachable(kernel))
        finished.arguments = tuple(_with_access(argument, finished) for argument in arguments)
        self._require_rules(finished)
        return finished

    def _write(self, builder: Builder, values: list[object]) -> None:
        """Call the function. `InputError` if it takes a symbol for a value of Python."""
        try:
            self._function(builder, *values)
        except TypeError as fault:
            told = misuse(fault, self._function.__code__.co_filename)
            if told is None:
                raise
            raise told from None

    def _require_rules(self, finished: Kernel) -> None:
        """`InputError` HND010 at the line that breaks a rule of machine programs: it reads what some way
        there does not write, for instance."""
        broken = broken_rule(finished)
        if broken is None:
            return
        block = finished.block(broken.block)
        code = block.code
        instr = (
            code[int(broken.where)] if broken.where.isdecimal() and int(broken.where) < len(code) else None
        )
        place = instr.origin.place if instr is not None and instr.origin else None
        name = instr.origin.op if instr is not None and instr.origin else broken.where
        made = [
            f"%{owner.name} is made at line {owner.place.line}"
            for owner in dict.fromkeys(finished.owners)
            if owner.place is not None and re.search(rf"%{owner.name}\b", broken.message)
        ]
        raise InputError(
            place or self.place, "HND010", f"{name}: {broken.message}", tuple(made),
            help="write a register before the branch or the loop, with k.assign for instance",
        )  # fmt: skip

    def compile(self, target: str = "gfx942", **options: object) -> HandProgram:
        """Compile the kernel; `options` are the fields of `asmgen.options.Options`. `InputError` for a
        feature that the target lacks, at the line of the function."""
        program = compile_read(self.source(), parse_target(target, "target"), make_options(options))
        for allocated in program.compilation.stages.allocated:
            check_waits(allocated)
        return HandProgram(
            program.target,
            program.kernels,
            program.graph,
            program.compilation,
            self._most_workgroups,
            self.formals,
        )


def _value(builder: Builder, entry: Entry, formal: Formal, argument: Argument) -> object:
    """The value that the function receives for an argument: a pointer, a symbol, or SGPRs."""
    register = entry.argument(formal, argument)
    if formal.is_pointer:
        return Pointer(builder.recorder, register, formal.name)
    if formal.bounds is not None:
        return builder.symbols.argument(formal.name, register, Interval(*formal.bounds))
    return Scalar[Any](builder.recorder, register, RegisterClass.SGPR)


def _reachable(kernel: Kernel) -> Kernel:
    """The kernel without blocks that nothing leads to."""
    blocks = {block.label: block for block in kernel.blocks}
    seen: set[str] = set()
    left = [kernel.blocks[0].label]
    while left:
        label = left.pop()
        if label not in seen:
            seen.add(label)
            left += [edge.target for edge in blocks[label].linear]
    return kernel.with_blocks([block for block in kernel.blocks if block.label in seen])


def _with_access(argument: Argument, kernel: Kernel) -> Argument:
    """A pointer, with how the kernel accesses its memory."""
    if not argument.is_buffer:
        return argument
    kinds: set[str] = set()
    for instr in kernel.instructions():
        if any(one.space is Space.GLOBAL and one.object == argument.name for one in instr.touches):
            kinds |= {"read"} if Trait.LOAD in instr.row.traits else {"write"}
            kinds |= {"read"} if Trait.ATOMIC in instr.row.traits else set()
    access = {frozenset({"read"}): "read_only", frozenset({"write"}): "write_only"}
    return argument._replace(access=access.get(frozenset(kinds), "read_write"))


def kernel(
    workgroup: Sizes = (256, 1, 1), name: str = "", most_workgroups: Sizes | None = None
) -> Callable[[Callable[..., object]], HandKernel]:
    """Make a function a kernel: its first argument is the `Builder`, the others are annotated with their
    types. `workgroup` counts work-items along x, y and z; `name` is the kernel's, by default the function's.
    `most_workgroups` is the largest grid that a launch may have: it bounds the ids of workgroups, and so the
    width of indices.

    `InputError` HND001 to HND003 for annotations, a name or a workgroup that no kernel has.
    """

    def made(function: Callable[..., object]) -> HandKernel:
        return HandKernel(function, workgroup, name, most_workgroups)

    return made
