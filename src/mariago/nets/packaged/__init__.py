"""The net that comes with the package: ``net`` and ``search`` play with it where none is named.

``tools/default_net.py`` makes it; ``docs/reference/packaged-net.md`` is its card.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

__all__ = ["NAME", "packaged_net"]

NAME = "b6c48"


def packaged_net() -> Path:
    """Return the folder of the packaged net."""
    return Path(str(files(__name__).joinpath(NAME)))
