"""What one lane does: the ops of the late stages, their interpreter, and the expansion of mathematics."""
