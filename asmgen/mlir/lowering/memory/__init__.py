"""The memory of MLIR kernels: buffers, parameters, and memory that is read as another type."""
