"""The search of tiles for the table of measured tiles (`blockwise/schedules/choosing/product_table.py`)."""
