"""Loops of one block as problems of modulo scheduling, and the least interval between their trips."""

from asmgen.passes.schedule.modulo.bound import Bound, least_interval
from asmgen.passes.schedule.modulo.order import LoopOrder
from asmgen.passes.schedule.modulo.problem import DependenceEdge, LoopProblem, Resource, loop_problems

__all__ = [
    "Bound",
    "DependenceEdge",
    "LoopOrder",
    "LoopProblem",
    "Resource",
    "least_interval",
    "loop_problems",
]
