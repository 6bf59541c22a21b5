"""Where programs come from: gen text, traced Python functions, files by their suffix."""
