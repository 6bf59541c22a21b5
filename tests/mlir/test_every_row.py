"""Every op that the frontend has a row for is in a kernel that a test runs."""

from __future__ import annotations

import re

from asmgen.mlir.dialects.table import TABLE
from tests.mlir import test_amdgpu, test_ops, test_rocdl_matrices
from tests.mlir.judge import EXAMPLES
from tests.mlir.random_programs import random_program
from tests.mlir.test_kernels import CASES, KERNELS


def _texts() -> list[str]:
    files = [*EXAMPLES.glob("*.mlir"), *[KERNELS / f"{case.name}.mlir" for case in CASES]]
    ops = [statement for type_ in ("i32", "index") for statement, _ in test_ops.integer_statements(type_)]
    ops += [test_amdgpu.BUFFERS, test_amdgpu.REVERSING, test_amdgpu.permuting(), test_amdgpu.product(*test_amdgpu.MATRICES[0][1:], 64)]
    ops.append(test_amdgpu.product(*test_amdgpu.MATRICES[-1][1:], 32))
    ops += [test_ops.ENDS, test_ops.LLVM_CONVERSIONS, *[name for _, name in test_rocdl_matrices.CASES]]
    llvm = [*test_ops.llvm_integers("i32"), *test_ops.llvm_floats("f32"), *test_ops.llvm_functions("f32")]
    ops += [statement for statement, _ in llvm]
    ops += [statement for statement, _ in [*test_ops.float_statements("f32"), *test_ops.functions("f32")]]
    return [*[one.read_text() for one in files], *ops, *[random_program(seed, 9).text for seed in range(20)]]


def test_every_row_is_in_a_kernel() -> None:
    text = re.sub(r"^( *)return\b", r"\1func.return", "\n".join(_texts()), flags=re.MULTILINE)
    written = set(re.findall(r"\b[a-z]+\.[a-z_0-9.]*[a-z_0-9]", text))
    assert set(TABLE) - written == set()
