"""The registers of a kernel by hand at its start: arguments in SGPRs, ids in SGPRs and VGPRs.

Registers that the hardware fills are read in place. Arguments that must be loaded and ids that must be
extracted are put before the first instruction of the kernel, if the kernel reads them.

Source: LLVM's AMDGPUUsage, "Initial Kernel Execution State" and "Preloaded Kernel Arguments".
"""

from __future__ import annotations

from collections.abc import Iterable

from asmgen.assembly.arguments import Formal
from asmgen.assembly.recorder import Recorder
from asmgen.emission.entry import PRELOAD, SYSTEM_ROLES, WORKGROUP_ID_BITS, WORKITEM, first_bit, system_places
from asmgen.ir.types import NumberKind
from asmgen.select.abi import KERNARG_POINTER, LOCAL_ID_BITS, POINTER_DWORDS
from isa.build import build
from isa.footprint import KERNEL_ARGUMENTS
from isa.instruction import Immediate, Instr, Origin
from isa.program import Abi, Argument
from isa.registers import DWORD, Register, sgpr, vgpr

_CHUNK = 4  # dwords of the kernarg segment that a load fills
_LOADS = {1: "s_load_dword", 2: "s_load_dwordx2", 4: "s_load_dwordx4"}
_WIDTH_BIT = 16  # in the operand of s_bfe: the width begins there, above the offset
_ORIGIN = Origin("entry")


class Entry:
    """The registers of a kernel's arguments and ids, and the code that fills them."""

    def __init__(self, recorder: Recorder, arguments: tuple[Argument, ...]) -> None:
        self._recorder = recorder
        self._arguments = arguments
        self._code: list[Instr] = []
        self._chunks: dict[int, Register] = {}
        self._used: dict[int, set[int]] = {}  # of each chunk, the dwords that the kernel reads
        self._groups: dict[int, Register] = {}  # the register of the workgroup id of each axis
        self._items: dict[int, Register] = {}
        last = arguments[-1] if arguments else None
        self._dwords = -(-(last.offset + last.size) // DWORD) if last is not None else 0
        target = recorder.target
        is_short = POINTER_DWORDS + self._dwords <= target.user_sgprs
        self._preloaded = self._dwords if target.preload and is_short else 0
        recorder.read_only.update(range(POINTER_DWORDS if self._dwords else 0))

    # Arguments

    def argument(self, formal: Formal, argument: Argument) -> Register:
        """The SGPRs of an argument; one of less than a dword is extracted from its dword."""
        register = self._dwords_at(argument.offset // DWORD, max(1, argument.size // DWORD), argument.name)
        self._recorder.read_only.update(register.units)
        if argument.size >= DWORD:
            return register
        result = self._recorder.sgpr(1, argument.name)
        is_signed = formal.element.kind is NumberKind.SIGNED
        bits = 8 * (argument.offset % DWORD) | formal.element.bits << _WIDTH_BIT
        self._put("s_bfe_i32" if is_signed else "s_bfe_u32", result, register, Immediate(bits))
        return result

    def _dwords_at(self, first: int, count: int, name: str) -> Register:
        if self._preloaded:
            return sgpr(POINTER_DWORDS + first, count)
        chunk = first // _CHUNK
        self._used.setdefault(chunk, set()).update(range(first % _CHUNK, first % _CHUNK + count))
        if chunk not in self._chunks:
            size = min(_CHUNK, self._dwords - chunk * _CHUNK)
            self._chunks[chunk] = self._recorder.sgpr(
                size if size < 3 else _CHUNK, name if size == count else f"arguments{chunk}"
            )
        return self._chunks[chunk].part(first % _CHUNK, count)

    # Ids

    def workgroup_id(self, axis: int) -> Register:
        """The SGPR of the id of the workgroup; its place is known when all ids are."""
        if axis not in self._groups:
            self._groups[axis] = self._recorder.sgpr(1, f"workgroup_id_{'xyz'[axis]}")
        self._recorder.read_only.update(self._groups[axis].units)
        return self._groups[axis]

    def thread_id(self, axis: int, workgroup: tuple[int, int, int]) -> Register:
        """The VGPR of the id of the work-item in its workgroup: v0 itself if a workgroup has one
        dimension."""
        if axis not in self._items:
            packed = vgpr(0)
            if axis == 0 and workgroup[1] == workgroup[2] == 1:
                self._items[axis] = packed
            else:
                self._items[axis] = self._recorder.vgpr(1, f"thread_id_{'xyz'[axis]}")
                first, width = Immediate(axis * LOCAL_ID_BITS), Immediate(LOCAL_ID_BITS)
                self._put("v_bfe_u32", self._items[axis], packed, first, width)
        self._recorder.read_only.update(self._items[axis].units)
        return self._items[axis]

    def _put(self, name: str, *operands: Register | Immediate | int) -> None:
        self._code.append(build(self._recorder.table.row(name), *operands, origin=_ORIGIN))

    # The end of the recording

    def finish(self) -> None:
        """Set the kernel's ABI, and put the code of the entry before the first instruction."""
        kernel, target = self._recorder.kernel, self._recorder.target
        entry: list[tuple[str, Register]] = []
        read = 0
        if self._dwords:
            entry.append((KERNARG_POINTER, sgpr(0, POINTER_DWORDS)))
            read = POINTER_DWORDS
            if self._preloaded:
                entry.append((PRELOAD, sgpr(read, self._preloaded)))
        roles = [SYSTEM_ROLES[axis] for axis in sorted(self._groups)]
        places = system_places(target, read + self._preloaded, roles)
        entry += places.items()
        if self._items:
            entry.append((WORKITEM, vgpr(0)))
        kernel.abi = Abi(tuple(entry), self._preloaded)
        loads = [*self._loads()]
        before = len(self._code)
        for axis, register in self._groups.items():
            self._place_id(register, SYSTEM_ROLES[axis], list(places.values()), places[SYSTEM_ROLES[axis]])
        ids, extracted = self._code[before:], self._code[:before]
        kernel.blocks[0].instructions[:0] = [*loads, *ids, *extracted]

    def _loads(self) -> Iterable[Instr]:
        """A load for each part of the kernarg segment that the kernel reads."""
        table = self._recorder.table
        for chunk, used in sorted(self._used.items()):
            for first, count in _pieces(used, self._dwords - chunk * _CHUNK):
                yield build(
                    table.row(_LOADS[count]), self._chunks[chunk].part(first, count), sgpr(0, POINTER_DWORDS),
                    DWORD * (chunk * _CHUNK + first), origin=_ORIGIN, touches=(KERNEL_ARGUMENTS,),
                )  # fmt: skip

    def _place_id(self, register: Register, role: str, places: list[Register], place: Register) -> None:
        """The id of a workgroup from the register that the hardware fills; two ids may share a register."""
        shift = first_bit(self._recorder.target, role)
        if shift:
            self._put("s_lshr_b32", register, place, Immediate(shift))
        elif places.count(place) > 1:
            self._put("s_and_b32", register, place, Immediate((1 << WORKGROUP_ID_BITS) - 1))
        else:
            self._put("s_mov_b32", register, place)


def _pieces(used: set[int], left: int) -> list[tuple[int, int]]:
    """The first dword and the number of dwords of each load that fetches some dwords of a chunk; `left` are
    the dwords of the segment from the chunk on."""
    if left >= _CHUNK and min(used) < 2 <= max(used):
        return [(0, _CHUNK)]
    pieces: list[tuple[int, int]] = []
    for first in (0, 2):
        half = sorted(used & {first, first + 1})
        pieces += [(half[0], len(half))] if half else []
    return pieces
