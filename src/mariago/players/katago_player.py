"""``katago:FILE``: the policy of a KataGo network file, without search."""

from __future__ import annotations

from mariago.players.lesson_reader import reader_of
from mariago.players.net_player import NetOptions, NetPlayer
from mariago.players.registry import Kind

__all__ = ["KIND"]


class KatagoPlayer(NetPlayer):
    """Plays as :class:`NetPlayer` does, by the net of a file that KataGo uses."""

    kind = "katago"


def _build(name: str, target: str | None, options: NetOptions) -> KatagoPlayer:
    from mariago.nets import load_katago_net

    assert target is not None
    net = load_katago_net(target, device=options.device, precision=options.precision)
    return KatagoPlayer(name, net, options, reader_of(name, options))


KIND = Kind(
    "katago",
    "The policy of a KataGo network file (.bin.gz), without search.",
    NetOptions,
    _build,
    target="FILE",
)
