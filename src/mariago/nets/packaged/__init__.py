"""The net that comes with the package: ``net`` and ``search`` play with it where none is named.

``tools/default_net.py`` makes it; ``docs/reference/packaged-net.md`` is its card.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

__all__ = ["NAME", "WORD", "named_net", "packaged_net"]

NAME = "b6c48"
WORD = "packaged"


def packaged_net() -> Path:
    """Return the folder of the packaged net."""
    return Path(str(files(__name__).joinpath(NAME)))


def named_net(name: str | Path | None) -> Path:
    """Return the folder or file that is meant: the packaged net by no name, or the word
    ``packaged`` where nothing is called so."""
    if name is None or (str(name) == WORD and not Path(name).exists()):
        return packaged_net()
    return Path(name)
