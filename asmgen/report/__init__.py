"""Register-pressure reports: what is live where, what that costs, and what the next wave would need."""
