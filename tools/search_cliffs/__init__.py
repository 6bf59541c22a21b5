"""A search for programs that take far longer than the bytes that they read and write."""
