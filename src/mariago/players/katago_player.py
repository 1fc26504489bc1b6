"""``katago:FILE``: the policy of a KataGo network file, without search."""

from __future__ import annotations

from pydantic import Field

from mariago.players.lesson_reader import reader_of
from mariago.players.net_player import NetOptions, NetPlayer
from mariago.players.registry import Kind

__all__ = ["KIND"]


class KatagoOptions(NetOptions):
    """Keys of ``katago``."""

    profile: str = Field(
        "", description="of a net trained on people's games: rank_5k, preaz_1d, proyear_1985"
    )


class KatagoPlayer(NetPlayer):
    """Plays as :class:`NetPlayer` does, by the net of a file that KataGo uses."""

    kind = "katago"


def _build(name: str, target: str | None, options: KatagoOptions) -> KatagoPlayer:
    from mariago.nets import load_katago_net

    assert target is not None
    return KatagoPlayer(
        name,
        load_katago_net(
            target,
            device=options.device,
            precision=options.precision,
            profile=options.profile,
        ),
        options,
        reader_of(name, options),
    )


KIND = Kind(
    "katago",
    "The policy of a KataGo network file (.bin.gz), without search.",
    KatagoOptions,
    _build,
    target="FILE",
)
