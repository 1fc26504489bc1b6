"""``mariago players``: the kinds of players and what their names mean."""

from __future__ import annotations

from mariago.cli.options import JsonOption
from mariago.cli.terminal import tell


def players(as_json: JsonOption = False) -> None:
    """List the kinds of players, the keys of their names, and the aliases of players.toml.

    A player is named KIND[:TARGET][,key=value...], for instance random,seed=3 or
    net:FOLDER,temperature=0.5; quote what holds a comma: net:"my nets, old".
    """
    import json

    from mariago.players import kinds
    from mariago.players.aliases import load_aliases

    aliases = load_aliases()
    if as_json:
        found = {
            kind.name: {
                "help": kind.help,
                "target": kind.target,
                "target_required": kind.target is not None and kind.target_required,
                "keys": [key._asdict() for key in kind.list_keys()],
            }
            for kind in kinds()
        }
        print(json.dumps({"kinds": found, "aliases": aliases}, ensure_ascii=False))
        return
    for kind in kinds():
        tell(f"{kind.usage()}\n    {kind.help}")
        keys = kind.list_keys()
        width = max((len(f"{key.name}={key.default}") for key in keys), default=0)
        for key in keys:
            tell(f"      {f'{key.name}={key.default}':<{width}}  {key.type}: {key.help}")
    if aliases:
        width = max(map(len, aliases))
        tell("aliases")
        for alias, meant in aliases.items():
            tell(f"    {alias:<{width}}  {meant}")
