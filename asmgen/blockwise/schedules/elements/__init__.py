"""The elements of outputs: the element that each reads, and the copies, parts and neighbours among them."""
