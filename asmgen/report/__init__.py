"""Register-pressure reports: the live registers at each point, their cost, and the step to the next wave."""
