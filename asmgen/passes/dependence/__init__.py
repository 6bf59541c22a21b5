"""The dependence graph of a block: which instructions have to come before which.

Whatever moves an instruction asks this graph, on virtual registers and on physical ones.
"""

from asmgen.passes.dependence.graph import Dependence, Dependences, Graph

__all__ = ["Dependence", "Dependences", "Graph"]
