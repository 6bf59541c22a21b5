"""The programs of examples/*.mlir next to the same in OpenCL C by clang -O3."""
