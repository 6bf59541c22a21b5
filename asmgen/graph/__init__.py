"""The graph: tensor ops, how their result types follow, their reference in float64, and fusion into
kernels."""
