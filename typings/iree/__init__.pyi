"""What is used of the package, which states no types of its own."""
