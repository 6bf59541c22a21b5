"""The dependence graph of a block: the order that its instructions must keep.

Every pass that moves an instruction asks this graph, on virtual registers and on physical registers; or
`passed`, which decides single moves from the same facts.
"""

from asmgen.passes.dependence.graph import Dependence, Dependences, Graph

__all__ = ["Dependence", "Dependences", "Graph"]
