"""Running lanewise programs in numpy, all lanes of a workgroup at once: `run` walks the statements, `control`
has branches and loops, `lanes` the exchange between lanes, `memory` the accesses, `functions` the arithmetic.
"""

from asmgen.lanewise.interpret.run import interpret

__all__ = ["interpret"]
