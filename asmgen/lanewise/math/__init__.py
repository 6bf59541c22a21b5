"""Functions that the hardware does not have, computed by its instructions. `y = sqrt(x)` of f32 becomes

    r = hw_rsq(x)                 the hardware's 1/sqrt(x), which is off by up to 1 ULP
    s = mul(x, r)                 nearly sqrt(x)
    e = fma(-s, s, x)             the error of its square
    y = fma(e, mul(r, 0.5), s)    corrected by a Newton step

and instructions that scale a denormal x. `expand_module` does this for a whole module; docs/numerics.md has
each function's method and its largest error.
"""

from asmgen.lanewise.math.expand import expand_module
from asmgen.options import MathOptions

__all__ = ["MathOptions", "expand_module"]
