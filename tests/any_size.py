"""The kernels of the catalogue that tests may give any sizes and f32."""

from collections.abc import Mapping

from asmgen.kernels import CATALOGUE

# a kernel with blocks of scales wants n and k as multiples of a block, and narrow floats
OF_ANY_SIZE = tuple(name for name, kernel in CATALOGUE.items() if "block" not in kernel.parameters)

# more than a tile along n and k
PRODUCT_SIZES = {"m": "9", "n": "70", "k": "140", "batch": "2", "group": "70"}


def settings_of(name: str, sizes: Mapping[str, str], of_products: Mapping[str, str] = PRODUCT_SIZES) -> tuple[tuple[str, str], ...]:
    """The parameters of a kernel with their sizes. A parameter without a size keeps its default, which is
    large."""
    parameters = CATALOGUE[name].parameters
    chosen = of_products if "k" in parameters else sizes
    return tuple([(size, chosen[size]) for size in parameters if size in chosen])
