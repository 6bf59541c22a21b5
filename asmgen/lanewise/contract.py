"""What a text of lanewise or final must hold beyond what each statement says of itself: the contract of the
house's waist.

The stages before it make programs that hold it; a text that a user wrote is held to it where it is read
(`check_contract`).
"""

from __future__ import annotations

from asmgen.graph.ops import PARAM, RETURN
from asmgen.ir.program import Module, Program, Statement
from asmgen.ir.types import TensorType
from asmgen.lanewise.convergence import check_convergence
from asmgen.lanewise.matrix_ops import MATRIX
from isa.diagnostics import InputError


def check_contract(program: Program) -> None:
    """Raises `InputError`: GEN016 for results that are no buffers of the kernel's own, GEN122 for a matrix
    instruction that the target does not have for such operands, and what `check_convergence` raises."""
    for module in program.modules:
        _check_results(module)
        products = [statement for statement in module.walk() if statement.op is MATRIX]
        if products:
            _check_matrices(products, program.target)
    check_convergence(program)


def _check_matrices(products: list[Statement], target: str) -> None:
    from asmgen.lanewise.matrices import misfit
    from isa.table import table_named

    for statement in products:
        fault = misfit(statement, table_named(target))
        if fault is not None:
            raise InputError(statement.place or statement.op.name, "GEN122", fault.rule, help=fault.help)


def _check_results(module: Module) -> None:
    """What the kernel gives back are buffers that it is given, each once."""
    return_ = module.statements[-1]
    if return_.op is not RETURN:
        return
    buffers = {s.result for s in module.statements if s.op is PARAM and isinstance(s.result.type, TensorType)}
    for number, value in enumerate(return_.operands):
        if value not in buffers:
            raise InputError(
                return_.place or module.name,
                "GEN016",
                f"'@return' names {value.name}, wanted a buffer that is a parameter",
            )
        if value in return_.operands[:number]:
            raise InputError(
                return_.place or module.name,
                "GEN016",
                f"'@return' names {value.name} twice, wanted each buffer once",
            )
