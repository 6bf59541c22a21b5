"""Spellings of MLIR's first years, which today's parser does not read: each with what is written now."""

from __future__ import annotations

import re

from isa.diagnostics import InputError, Place

# The old spelling as a pattern, what it is, and today's.
_SPELLINGS: tuple[tuple[str, str, str], ...] = (
    (
        r"\bkernel_module\s*=",
        "gpu.launch_func with the kernel as attributes `kernel` and `kernel_module`",
        "gpu.launch_func @module::@kernel blocks in (%x, %y, %z) threads in (%x, %y, %z) args(%a : type)",
    ),
    (
        r"\bgpu\.kernel_module\b",
        "a module with gpu.kernel_module",
        "gpu.module @name { gpu.func @f() kernel }",
    ),
    (r"\bnvvm\.kernel\s*=", "a function with nvvm.kernel", "gpu.func @f() kernel, in a gpu.module"),
    (
        r'"gpu\.(thread_id|block_id|block_dim|grid_dim)"\(\)\s*\{\s*dimension\s*=\s*"',
        "an id with its dimension as a string",
        "gpu.thread_id x",
    ),
    (
        r'"gpu\.all_reduce".*\bop\s*=\s*"',
        "gpu.all_reduce with its op as a string",
        "gpu.all_reduce add %v uniform {} : (f32) -> (f32)",
    ),
    (
        r"\bgpu\.launch\b[^{]*\bargs\(",
        "gpu.launch with args",
        "gpu.launch, whose body reads the values around it",
    ),
    (r'!llvm<"', 'a type !llvm<"...">', "!llvm.ptr, and the LLVM dialect's own types"),
    (r"!llvm\.ptr<[a-z]", "a pointer with the type that it points to", "!llvm.ptr or !llvm.ptr<3>"),
    (r'"?\bstd\.(\w+)', "the dialect std", "arith, cf, func, math or memref: std.addf is arith.addf"),
    (
        r"(?<== )(addf|mulf|subf|divf|addi|muli|subi|cmpi|cmpf)\b",
        "an op of std",
        "arith.addf and the like",
    ),
    (r"(?<![.\w])(load|store|alloc|dealloc|dim)\s+%", "an op of std", "memref.load and the like"),
    (r"^\s*func\s+@", "func as an op of builtin", "func.func @name(...)"),
    (r"(?<![.\w])(br|cond_br)\b\s*[%^]", "a branch of std", "cf.br and cf.cond_br"),
    (r"(?<== )constant\s", "constant of std", "arith.constant"),
    (r"\bloop\.(for|if|parallel)\b", "the dialect loop", "scf.for, scf.if, scf.parallel"),
    (
        r"\bllvm\.(load|store)\b[^\n]*\{alignment =",
        "an alignment among the attributes, as LLVM 22 and before have it",
        "llvm.load %p <alignment = 4> : !llvm.ptr -> f32",
    ),
    (
        r"\bmemref\.alloca?\b[^\n]*\{alignment =",
        "an alignment among the attributes, as LLVM 22 and before have it",
        "memref.alloc() alignment = 64 : memref<4xf32>",
    ),
    (r"\bllvm\.mlir\.null\b", "llvm.mlir.null", "llvm.mlir.zero : !llvm.ptr"),
)
_COMMENT = re.compile(r"//[^\n]*")


def refuse_old_spellings(text: str, file: str, refused: Place | str) -> None:
    """`InputError` MLIR003 at the first old spelling of the line that the parser has refused."""
    if not isinstance(refused, Place) or refused.file != file:
        return
    code = _COMMENT.sub(lambda found: " " * len(found[0]), text)
    first: tuple[int, str, str] | None = None
    for pattern, what, now in _SPELLINGS:
        for found in re.finditer(pattern, code, re.MULTILINE):
            start = found.start() + len(found[0]) - len(found[0].lstrip())
            is_refused = _line(code, start) <= refused.line <= _line(code, found.end() - 1)
            if is_refused and (first is None or start < first[0]):
                first = start, what, now
    if first is None:
        return
    start, what, now = first
    raise InputError(
        Place(file, _line(code, start), start - code.rfind("\n", 0, start)),
        "MLIR003",
        f"{what} is MLIR of former years, wanted today's",
        help=f"write {now}",
    )


def _line(code: str, position: int) -> int:
    return code.count("\n", 0, position) + 1
