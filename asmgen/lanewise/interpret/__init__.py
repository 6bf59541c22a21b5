"""Running lanewise programs in numpy, all lanes of a workgroup at once: `run` walks the statements, branches
and loops, `lanes` exchanges between lanes, `memory` has the accesses, `functions` the arithmetic.
"""

from asmgen.lanewise.interpret.run import interpret

__all__ = ["interpret"]
