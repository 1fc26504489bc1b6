"""A net folder made of a KataGo network file."""

from __future__ import annotations

import hashlib
from pathlib import Path

from mariago.errors import NetError
from mariago.nets.config import parameter_count
from mariago.nets.folder import NetInfo, write_net
from mariago.nets.katago_files import net_of_file
from mariago.nets.katago_layers import read_file

__all__ = ["import_katago_net"]


def import_katago_net(file: str | Path, folder: str | Path, *, origin: str, terms: str) -> NetInfo:
    """Write the net of ``file`` as a net folder, and return its info.

    ``origin`` and ``terms`` say where the file comes from and under which terms it may be used;
    both go into ``net.json`` and the card, with the file's name and SHA-256.

    Raises:
        NetError: the file cannot be read or holds what a net folder cannot; ``folder`` exists;
            or origin or terms are empty.
    """
    file, folder = Path(file), Path(folder)
    for name, text in (("origin", origin), ("terms", terms)):
        if not text.strip():
            raise NetError(f"the {name} of a net must be told", where=file)
    if folder.exists():
        raise NetError("is there already", where=folder, hint="name another folder for the net")
    found = read_file(file)
    config, weights = net_of_file(found)
    with file.open("rb") as opened:
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
    imported = {
        "file": file.name,
        "sha256": digest,
        "name": found.name,
        "format_version": found.version,
        "terms": terms,
    }
    info = NetInfo(config=config, origin=f"{origin} (terms: {terms})", imported=imported)
    card = f"""# {folder.name}

A net for the game of Go: {config}, {parameter_count(config):,} numbers. It plays every board size.
It was not trained here: it is the network `{found.name}` of KataGo.

- Origin: {origin}
- Terms: {terms}
- File: `{file.name}`, format version {found.version}, SHA-256 `{digest}`
- Use, from the folder that holds this one: `mariago match net:{folder.name} random`
"""
    return write_net(folder, info, weights, card=card)
