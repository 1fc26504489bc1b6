"""Game records that come with the package, so that everything can be tried at once."""

from pathlib import Path

__all__ = ["BUNDLED_LICENCE", "BUNDLED_ORIGIN", "BUNDLED_TERMS", "bundled_records"]

BUNDLED_ORIGIN = (
    "494 games made for MariaGO in November 2026: KataGo 1.17 (CPU build) with its network "
    "g170-b6c96-s175395328-d26788732 against itself at 4 to 16 visits a move, and against "
    "GNU Go 3.8"
)
BUNDLED_TERMS = "CC0 1.0"
BUNDLED_LICENCE = Path(__file__).with_name("CC0-1.0.txt")


def bundled_records() -> Path:
    """Return the archive of the packaged games: 360 at 19x19, 50 at 13x13, 84 at 9x9."""
    return Path(__file__).with_name("engine_games.tar.gz")
