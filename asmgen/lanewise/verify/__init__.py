"""Rules that a text of lanewise or final has to keep beyond those of each statement: `rules` and `convergence`, for
which `scopes` knows over which lanes a value is the same.
"""
