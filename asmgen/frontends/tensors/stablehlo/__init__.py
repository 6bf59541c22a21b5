"""The rules of StableHLO and CHLO, after the specification of StableHLO."""
