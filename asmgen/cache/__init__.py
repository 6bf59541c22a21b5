"""Results that are kept on disk by content: the folder and its entries, the answers of commands, the version
of the code, and the upkeep of the folder. An entry has data, never code."""
