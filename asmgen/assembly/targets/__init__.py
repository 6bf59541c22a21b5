"""The builder of each target, for type checkers: `def gemm(k: Gfx942, ...)`.

A file has a typed method for every instruction of its target; `python -m tools.assembly_stubs` writes them
from the rows. At run time each class is `Builder`.
"""

from asmgen.assembly.targets.gfx90a import Gfx90a
from asmgen.assembly.targets.gfx942 import Gfx942
from asmgen.assembly.targets.gfx950 import Gfx950
from asmgen.assembly.targets.gfx1100 import Gfx1100
from asmgen.assembly.targets.gfx1201 import Gfx1201

__all__ = ["Gfx90a", "Gfx942", "Gfx950", "Gfx1100", "Gfx1201"]
