"""The sanitizer: watches a run and stops it at the first fault."""
