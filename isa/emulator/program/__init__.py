"""The code that runs, whatever it was loaded from, and what follows from the code alone."""
