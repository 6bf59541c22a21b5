"""Chooses VGPRs or AGPRs for values that may be in either file."""
