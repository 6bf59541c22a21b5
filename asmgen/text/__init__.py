"""The tokens of gen text and of the stages' own texts. Every reader is above this package."""
