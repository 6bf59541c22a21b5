"""The kernels of the catalogue that tests may give any sizes and f32."""

from asmgen.kernels import CATALOGUE

# a kernel with blocks of scales wants n and k as multiples of a block, and narrow floats
OF_ANY_SIZE = tuple(name for name, kernel in CATALOGUE.items() if "block" not in kernel.parameters)
