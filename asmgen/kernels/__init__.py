"""The catalogue: kernels by name, with their parameters."""

from __future__ import annotations

from asmgen.kernels.catalogue import CATALOGUE, build_kernel
from asmgen.kernels.entry import CatalogueKernel, Setting

__all__ = ["CATALOGUE", "CatalogueKernel", "Setting", "build_kernel"]
