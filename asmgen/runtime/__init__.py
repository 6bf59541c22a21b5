"""Running kernels: arrays that go in and come out, the emulator, and GPUs through HIP."""
