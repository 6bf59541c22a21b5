"""Rules that a text of lanewise or final has to keep beyond the rules of each statement: `rules` and
`convergence`. `scopes` finds over which lanes each value is the same.
"""
