"""Options of runs of lessons that are over in a moment."""

from __future__ import annotations

SMALL_RUN = (
    *("--size", "5", "--move-limit", "10", "--third", "random"),
    *("--jobs", "1", "--looked-at", "0"),
)
