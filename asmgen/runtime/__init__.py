"""Running kernels on the emulator, or on a GPU through HIP.

    (y,) = program(x, device="emulator")            a compiled program
    after = asmgen.run(                             a kernel of any assembly or code object
        "double.s", kernel="double", grid=(1, 1, 1), block=(256, 1, 1), args=[x, y], device="emulator"
    )

- `run` runs one kernel with arrays and numbers as arguments; `calls` runs the kernels of a compiled program
  in their order, with the buffers between them.
- `kernel_launch` launches a kernel of a program by itself, and `host_function` runs a host function of MLIR.
- `hip` runs a code object on a GPU and says whether there is a GPU.
"""
