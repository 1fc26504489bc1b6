"""Fixtures that every kind of test shares."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

DEFAULT_PEER_DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data"


def find_peer_data() -> Path | None:
    """Return the folder of real input, or ``None`` where there is none.

    ``MARIAGO_PEER_DATA`` names it (default ``../shared/data``).

    Raises:
        FileNotFoundError: the variable is set but the folder is absent, so that a check against
            real input is never left out in silence.
    """
    named = os.environ.get("MARIAGO_PEER_DATA")
    if named:
        folder = Path(named)
        if not folder.is_dir():
            raise FileNotFoundError(f"MARIAGO_PEER_DATA names {named}, which is not a folder")
        return folder
    return DEFAULT_PEER_DATA if DEFAULT_PEER_DATA.is_dir() else None


@pytest.fixture(scope="session")
def peer_data() -> Path:
    """The folder of real input; skips where it is absent and not asked for by name."""
    folder = find_peer_data()
    if folder is None:
        pytest.skip(f"no real input: {DEFAULT_PEER_DATA} is absent, MARIAGO_PEER_DATA is not set")
    return folder
