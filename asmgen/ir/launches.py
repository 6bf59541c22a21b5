"""The limit of every launch."""

from __future__ import annotations

MOST_WORK_ITEMS = 1 << 31  # along an axis of a grid that the launch says: numbers of them are those of an i32
