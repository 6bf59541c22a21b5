"""Functions that the hardware does not have, made of those it has: what `final` replaces exp, tanh, div, ...
by.

`expand_module` is the whole of it; docs/numerics.md gives each function's largest error.
"""

from asmgen.lanewise.math.expand import expand_module
from asmgen.lanewise.math.options import MathOptions

__all__ = ["MathOptions", "expand_module"]
