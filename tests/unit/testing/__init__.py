"""What the tests of a user's own kernels use."""
