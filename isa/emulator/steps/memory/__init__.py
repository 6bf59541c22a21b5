"""Steps of instructions that access memory: global memory, scratch, LDS and the scalar cache."""
