"""Compiled programs as bytes, for `pickle`: the kernels and the programs of all stages.

Rows (ops, element types) and targets are compared by identity, so the bytes store their names. Index
expressions are compared by identity too, and are made again. An MLIR file has linked operations, and is read
again.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from types import ModuleType
from typing import TYPE_CHECKING, Any

from asmgen.artifact import Artifact, CompiledKernel
from asmgen.compilation import Compilation
from asmgen.graph.block_dots import BLOCK_DOT
from asmgen.graph.ops import FORMS, GRAPH_OPS
from asmgen.graph.rounded import ROUNDED_OPS
from asmgen.index import recipes
from asmgen.index.nodes import Index, Symbol
from asmgen.index.size import Size, size_of
from asmgen.ir.program import Op, Program
from asmgen.ir.types import ELEMENT_TYPES, ElementType
from asmgen.lanewise.math import definitions, rewrite
from asmgen.lanewise.ops import STAGE_OPS
from isa.diagnostics import InternalError
from isa.targets import TargetId, parse_target

if TYPE_CHECKING:
    from asmgen.mlir.file import KernelFile

Parts = tuple[TargetId, tuple[CompiledKernel, ...], Program | None, Compilation]
_OP, _ELEMENT, _TARGET, _FILE = "op", "element", "target", "file"


def dumped(program: Artifact) -> bytes:
    """The bytes of a program."""
    stream = BytesIO()
    parts = (program.target, program.kernels, program.graph, program.compilation)
    _Pickler(stream, program.compilation.stages.mlir).dump(parts)
    return stream.getvalue()


def loaded(data: bytes) -> Parts:
    """The target, the kernels, the graph and the compilation of a program from its bytes."""
    return _Unpickler(BytesIO(data)).load()


@cache
def _ops() -> dict[str, Op]:
    of_graph = (*GRAPH_OPS.values(), *ROUNDED_OPS.values(), *FORMS.values(), BLOCK_DOT)
    return {op.name: op for op in (*of_graph, *STAGE_OPS.values(), *_of(definitions), *_of(rewrite))}


def _of(module: ModuleType) -> Iterator[Op]:
    return (each for each in vars(module).values() if isinstance(each, Op))


class _Pickler(pickle.Pickler):
    def __init__(self, stream: BytesIO, file: KernelFile | None) -> None:
        super().__init__(stream, pickle.HIGHEST_PROTOCOL)
        self._file = file

    def persistent_id(self, obj: Any) -> tuple[str | None, ...] | None:
        if isinstance(obj, Op):
            if _ops().get(obj.name) is not obj:
                raise InternalError("pickle", obj.name, "is an op of no table")
            return _OP, obj.name
        if isinstance(obj, ElementType):
            return _ELEMENT, obj.name
        if isinstance(obj, TargetId):
            return _TARGET, str(obj)
        file = self._file
        if file is not None and obj is file:
            return _FILE, file.text, file.module.file, file.entry
        return None

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, Size):
            return size_of, (obj.expression,)
        if isinstance(obj, Index):
            return recipes.index, recipes.recipe(obj)
        if isinstance(obj, Symbol):
            return recipes.symbol_again, (recipes.fields_of(obj),)
        return NotImplemented


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, pid: Any) -> object:
        kind, name, *more = pid
        if kind == _FILE:
            from asmgen.mlir.file import read_kernels

            place, entry = more
            file = read_kernels(name, place)
            return file if entry is None else file.only(entry)
        if kind == _OP:
            return _ops()[name]
        return ELEMENT_TYPES[name] if kind == _ELEMENT else parse_target(name)
