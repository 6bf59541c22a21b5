"""Linear scan, and its parts: registers that save copies, copies, and room for tuples."""
