"""The results of a linalg module on the CPU of this machine, by LLVM's own lowering: the reference has no line of asmgen's."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from tests.tensors.case import Array

TOOLS = ("mlir-opt-22", "mlir-translate-22", "clang-22", "ld.lld-22")
_BOUNDARIES = "bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map"
_TO_BUFFERS = (
    "inline", "linalg-generalize-named-ops", "convert-elementwise-to-linalg", "convert-tensor-to-linalg",
    "linalg-generalize-named-ops", "empty-tensor-to-alloc-tensor", f"one-shot-bufferize={_BOUNDARIES}",
)  # fmt: skip
_TO_LLVM = (
    "convert-linalg-to-loops", "lower-affine", "convert-scf-to-cf", "memref-expand", "expand-strided-metadata",
    "lower-affine", "arith-expand", "convert-math-to-llvm", "convert-math-to-libm",
    "convert-index-to-llvm", "llvm-request-c-wrappers", "convert-func-to-llvm", "finalize-memref-to-llvm",
    "convert-arith-to-llvm", "convert-cf-to-llvm", "convert-ub-to-llvm", "reconcile-unrealized-casts",
)  # fmt: skip
_KIND = re.compile(r"linalg\.elementwise (?=<)")


def results(text: str, inputs: Sequence[Array], wanted: Sequence[tuple[tuple[int, ...], Any]]) -> list[Array]:
    """What `@main` of a module returns: arrays of the dims and types in `wanted`. `subprocess.CalledProcessError` if LLVM refuses it."""
    with TemporaryDirectory() as folder:
        main = _main_of(text, Path(folder) / "module.so")
        arrays = [np.ascontiguousarray(array).copy() for array in inputs]
        given = [_descriptor(array) for array in arrays]
        fields = [(f"r{i}", _memref(len(dims))) for i, (dims, _) in enumerate(wanted)]
        returned: Any = type("Returned", (ctypes.Structure,), {"_fields_": fields})()
        main(ctypes.byref(returned), *[ctypes.byref(each) for each in given])
        return [_array(getattr(returned, f"r{i}"), dims, np.dtype(dtype)) for i, (dims, dtype) in enumerate(wanted)]


def spelt_for_llvm(text: str) -> str:
    """LLVM names the kind of `linalg.elementwise` as an attribute; the parser that asmgen uses is of another version."""
    return _KIND.sub("linalg.elementwise kind=#linalg.elementwise_kind", text)


def bufferized(text: str) -> str:
    """The module with buffers for its tensors, named ops among those of linalg."""
    return _optimised(spelt_for_llvm(text), ("convert-elementwise-to-linalg", *_TO_BUFFERS[-2:]))


def _optimised(text: str, passes: Sequence[str]) -> str:
    return _run([TOOLS[0], *[f"--{each}" for each in passes]], text)


def _main_of(text: str, library: Path) -> Any:
    lowered = _optimised(spelt_for_llvm(text), (*_TO_BUFFERS, *_TO_LLVM))
    code = _run(["mlir-translate-22", "--mlir-to-llvmir"], lowered)
    # a product and a sum stay two roundings, as they are in asmgen
    flags = ["-O1", "-fPIC", "-shared", "-nostdlib", "-fuse-ld=lld", "-ffp-contract=off"]
    _ = _run(["clang-22", "-x", "ir", "-", *flags, "-o", str(library)], code)
    _ = _runtime()
    main = ctypes.CDLL(str(library))._mlir_ciface_main
    main.restype = None
    return main


def _run(command: list[str], text: str) -> str:
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


@cache
def _runtime() -> ctypes.CDLL:
    """MLIR's library of copies between buffers; the modules find its symbols in the process."""
    tool = shutil.which(TOOLS[0])
    assert tool is not None
    (library, *_) = sorted((Path(tool).resolve().parent.parent / "lib").glob("libmlir_c_runner_utils.so*"))
    return ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)


@cache
def _memref(rank: int) -> type[ctypes.Structure]:
    """MLIR's descriptor of a buffer: the allocated address, the aligned address, the offset, dims and strides in elements."""
    fields = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p), ("offset", ctypes.c_int64)]
    if rank:
        fields += [("dims", ctypes.c_int64 * rank), ("strides", ctypes.c_int64 * rank)]
    return type(f"Memref{rank}", (ctypes.Structure,), {"_fields_": fields})


def _descriptor(array: Array) -> Any:
    memref: Any = _memref(array.ndim)()
    memref.allocated = memref.aligned = array.ctypes.data
    if array.ndim:
        memref.dims[:] = array.shape
        memref.strides[:] = [stride // array.itemsize for stride in array.strides]
    return memref


def _array(memref: Any, dims: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    given = tuple(memref.dims) if dims else ()
    assert given == dims, f"LLVM returned dims {given}, wanted {dims}"
    if 0 in dims:
        return np.zeros(dims, dtype)
    strides = [stride * dtype.itemsize for stride in memref.strides] if dims else []
    extent = sum((dim - 1) * stride for dim, stride in zip(dims, strides, strict=True)) + dtype.itemsize
    memory = ctypes.string_at(memref.aligned + memref.offset * dtype.itemsize, extent)
    return np.lib.stride_tricks.as_strided(np.frombuffer(memory, dtype), dims, strides).copy()
