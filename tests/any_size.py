"""The kernels of the catalogue that tests may give any sizes and f32."""

from asmgen.kernels import CATALOGUE

# a kernel with blocks of scales wants n and k as multiples of a block, and narrow floats
OF_ANY_SIZE = tuple(name for name, kernel in CATALOGUE.items() if "block" not in kernel.parameters)

# the sizes of products other than n; without them a product takes its default sizes, which are large
PRODUCT_SIZES = {"m": "9", "k": "140", "batch": "2", "group": "70"}
