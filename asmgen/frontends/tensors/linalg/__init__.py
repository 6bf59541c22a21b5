"""The rules of linalg on tensors, and of the dialects next to it: tensor, arith, math and bufferization."""
