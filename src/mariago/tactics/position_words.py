"""The sentences that say what holds in a position: only what has been checked."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mariago.board.points import BLACK
from mariago.tactics.fact_words import stones_in_words
from mariago.words import Texts

if TYPE_CHECKING:
    from mariago.tactics.position_facts import Ladder, PositionFacts
    from mariago.tactics.races import Race, Seki

__all__ = ["sentences_of"]


def sentences_of(facts: "PositionFacts", _: Texts) -> list[str]:
    """Return one plain sentence for each thing that is known of a position, urgent ones first."""
    said = [_ladder(facts, ladder, _) for ladder in facts.ladders]
    said += [_race(facts, race, _) for race in facts.races]
    said += [_seki(facts, seki, _) for seki in facts.sekis]
    for chain in facts.chains:
        known = {
            "color": _color(chain.color, _),
            "stone": facts.vertex(chain.stones[0]),
            "stones": stones_in_words(len(chain.stones), _),
        }
        if chain.alive:
            said.append(_("{color}'s chain at {stone} ({stones}) lives unconditionally.", **known))
        elif chain.dead:
            said.append(_("{color}'s chain at {stone} ({stones}) is dead.", **known))
    for region in facts.territory:
        color, point = _color(region.color, _), facts.vertex(region.points[0])
        n = len(region.points)
        said.append(
            _("The region at {point} ({n}) is {color}'s territory.", point=point, n=n, color=color)
        )
    return said + _eyes(facts, _)


def _color(color: int, _: Texts) -> str:
    return _("Black") if color == BLACK else _("White")


def _vertices(facts: "PositionFacts", moves: Sequence[int], _: Texts) -> str:
    return _(", ").join(str(facts.vertex(move)) for move in moves)


def _ladder(facts: "PositionFacts", ladder: "Ladder", _: Texts) -> str:
    known = {
        "color": _color(ladder.color, _),
        "stone": facts.vertex(ladder.stone),
        "stones": stones_in_words(ladder.stones, _),
        "moves": _vertices(facts, ladder.moves, _),
        "line": " ".join(str(facts.vertex(move)) for move in ladder.line),
    }
    if ladder.attacker_first:
        if ladder.works:
            return _(
                "A ladder takes {color}'s chain at {stone} ({stones}) by {moves}: {line}.", **known
            )
        return _("No ladder takes {color}'s chain at {stone} ({stones}).", **known)
    if ladder.works:
        return _(
            "{color}'s chain at {stone} ({stones}) is in atari and cannot get away: {line}.",
            **known,
        )
    if ladder.moves:
        return _(
            "{color}'s chain at {stone} ({stones}) is in atari and gets away by {moves}.", **known
        )
    return _("{color}'s chain at {stone} ({stones}) is in atari.", **known)


def _race(facts: "PositionFacts", race: "Race", _: Texts) -> str:
    black, white = race.sides
    said = _(
        "Race of Black's chain at {black} ({mine} liberties of its own) and White's at {white} "
        "({theirs}), {shared} shared.",
        black=facts.vertex(black.stone),
        mine=black.outside + black.eye,
        white=facts.vertex(white.stone),
        theirs=white.outside + white.eye,
        shared=race.shared,
    )
    results = {"black": _("Black wins"), "white": _("White wins"), "seki": _("seki")}
    ends = _(
        "If Black moves first: {first}; if White does: {second}.",
        first=results[race.outcomes[0]],
        second=results[race.outcomes[1]],
    )
    return _("{one} {two}", one=said, two=ends)


def _seki(facts: "PositionFacts", seki: "Seki", _: Texts) -> str:
    return _(
        "Seki of the chains at {chains}: whoever plays at {shared} first loses.",
        chains=_vertices(facts, seki.chains, _),
        shared=_vertices(facts, seki.shared, _),
    )


def _eyes(facts: "PositionFacts", _: Texts) -> list[str]:
    said: list[str] = []
    for color in (1, 2):
        for real in (True, False):
            points = [eye.point for eye in facts.eyes if eye.color == color and eye.real == real]
            if not points:
                continue
            known = {"color": _color(color, _), "points": _vertices(facts, points, _)}
            if real:
                said.append(_("Eyes of {color}: {points}.", **known))
            else:
                said.append(_("False eyes of {color}: {points}.", **known))
    return said
