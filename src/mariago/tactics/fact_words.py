"""The sentences that say what a move does: only what has been checked, the most telling first."""

import re
from typing import TYPE_CHECKING

from mariago.tactics.fact_names import FACTS_IN_WORDS
from mariago.words import Texts

if TYPE_CHECKING:
    from mariago.tactics.facts import Facts

__all__ = ["sentences_of", "stones_in_words"]

_BEFORE_LATIN = re.compile(r"(?<=[\u3040-\u30ff\u4e00-\u9fff])(?=[A-Za-z0-9])")


def stones_in_words(count: int, _: Texts) -> str:
    """Return "1 stone" or "3 stones" in the language of ``_``."""
    return _("1 stone") if count == 1 else _("{n} stones", n=count)


def _own_stones(count: int, _: Texts) -> str:
    return _("1 own stone") if count == 1 else _("{n} own stones", n=count)


def _at(facts: "Facts", name: str, stones: str, _: Texts) -> str:
    """Return "3 stones at D14", or "3 stones" where the chains of the fact are not known."""
    places = _(", ").join(facts.places.get(name, ()))
    return _("{stones} at {places}", stones=stones, places=places) if places else stones


def _theirs(facts: "Facts", name: str, count: int, _: Texts) -> str:
    return _at(facts, name, stones_in_words(count, _), _)


def _own(facts: "Facts", name: str, count: int, _: Texts) -> str:
    return _at(facts, name, _own_stones(count, _), _)


def sentences_of(facts: "Facts", _: Texts) -> list[str]:
    """Return one plain sentence for each thing that is known of a move."""
    if facts.is_pass:
        return [_("Pass.")]
    if facts.is_suicide:
        return [_("It is suicide.")]
    said = [
        *_takes(facts, _),
        *_saves(facts, _),
        *_threatens(facts, _),
        *_ladders_elsewhere(facts, _),
        *_gives(facts, _),
        *_links(facts, _),
        *_faults(facts, _),
    ]
    if facts.shapes:
        names = _(", ").join(_(FACTS_IN_WORDS[name]) for name in facts.shapes)
        said.append(_("Shape: {names}.", names=names))
    return [_spaced(sentence, _) for sentence in said]


def _spaced(sentence: str, _: Texts) -> str:
    """Put a space between a Chinese or Japanese sign and a number or Latin letter after it."""
    return _BEFORE_LATIN.sub(" ", sentence) if _.lang in ("zh", "ja") else sentence


def _takes(facts: "Facts", _: Texts) -> list[str]:
    said: list[str] = []
    if facts.captures:
        said.append(
            _("It captures {stones}.", stones=_theirs(facts, "captures", facts.captures, _))
        )
        if facts.captures == facts.captures_caught == 1:
            said.append(_("It could not have got away in any case."))
        elif facts.captures == facts.captures_caught:
            said.append(_("They could not have got away in any case."))
    if facts.takes_ko:
        said.append(_("It takes a ko."))
    if facts.snapback:
        stones = stones_in_words(facts.snapback, _)
        said.append(_("It is a snapback that takes {stones}.", stones=stones))
    if facts.connect_and_die:
        stones = stones_in_words(facts.connect_and_die, _)
        said.append(_("It is connect-and-die: {stones} fall even if they connect.", stones=stones))
    if facts.net:
        said.append(_("It catches {stones} in a net.", stones=_theirs(facts, "net", facts.net, _)))
    if facts.closed_in:
        stones = _theirs(facts, "closed_in", facts.closed_in, _)
        said.append(_("It shuts in {stones}, which cannot get away any more.", stones=stones))
    return said


def _saves(facts: "Facts", _: Texts) -> list[str]:
    said: list[str] = []
    others = facts.saves - facts.saves_by_capturing
    by_extending = others - facts.saves_by_connecting
    if facts.saves_by_capturing:
        stones = _own(facts, "saves_by_capturing", facts.saves_by_capturing, _)
        said.append(_("It saves {stones} from atari by capturing.", stones=stones))
    if by_extending:
        stones = _own(facts, "saves_by_extending", by_extending, _)
        said.append(_("It saves {stones} from atari by extending.", stones=stones))
    if facts.saves_by_connecting:
        stones = _own(facts, "saves_by_connecting", facts.saves_by_connecting, _)
        said.append(_("It saves {stones} from atari by connecting.", stones=stones))
    if facts.averts_ladder:
        stones = _own(facts, "averts_ladder", facts.averts_ladder, _)
        said.append(_("It saves {stones} from a ladder.", stones=stones))
    return said


def _threatens(facts: "Facts", _: Texts) -> list[str]:
    said: list[str] = []
    if facts.is_double_atari:
        said.append(_("It is a double atari on {n} chains.", n=facts.chains_in_atari))
    if facts.ladder_works:
        stones = _theirs(facts, "ladder_works", facts.ladder_works, _)
        said.append(_("It catches {stones}: no escape works.", stones=stones))
    if facts.gives_atari > facts.ladder_works + facts.ladder_broken:
        stones = _theirs(facts, "gives_atari", facts.gives_atari, _)
        said.append(_("It puts {stones} into atari.", stones=stones))
    if facts.ladder_broken:
        stones = _theirs(facts, "ladder_broken", facts.ladder_broken, _)
        said.append(_("It chases {stones} in a ladder that does not work.", stones=stones))
    return said


def _ladders_elsewhere(facts: "Facts", _: Texts) -> list[str]:
    said: list[str] = []
    if facts.ladder_breaker:
        stones = _own(facts, "ladder_breaker", facts.ladder_breaker, _)
        said.append(
            _("It is a ladder breaker: the ladder that took {stones} fails now.", stones=stones)
        )
    if facts.ladder_made:
        stones = _theirs(facts, "ladder_made", facts.ladder_made, _)
        said.append(_("It makes a ladder work, on {stones}.", stones=stones))
    if facts.ladder_lost:
        stones = _theirs(facts, "ladder_lost", facts.ladder_lost, _)
        said.append(_("It spoils its own ladder, on {stones}.", stones=stones))
    if facts.exposed:
        stones = _own(facts, "exposed", facts.exposed, _)
        said.append(_("It lets a ladder work, on {stones}.", stones=stones))
    return said


def _gives(facts: "Facts", _: Texts) -> list[str]:
    said: list[str] = []
    if facts.throw_in:
        said.append(_("It is a throw-in."))
    if facts.offers_ko:
        said.append(_("The opponent can take it only as a ko."))
    if facts.fills_ko:
        said.append(_("It fills a ko."))
    if facts.nakade:
        said.append(_("It is the vital point of an eye of {n} points.", n=facts.nakade))
    if facts.self_atari:
        stones = _own_stones(facts.self_atari, _)
        said.append(_("It leaves {stones} in atari.", stones=stones))
    if facts.own_caught:
        stones = _own_stones(facts.own_caught, _)
        said.append(_("A ladder can take {stones}.", stones=stones))
    return said


def _links(facts: "Facts", _: Texts) -> list[str]:
    said: list[str] = []
    if facts.could_be_cut:
        said.append(_("It connects {n} chains, which could be cut here.", n=facts.connects))
    elif facts.connects:
        said.append(_("It joins {n} chains.", n=facts.connects))
    if facts.cuts:
        said.append(_("It cuts {n} opponent chains apart.", n=facts.cuts))
    if facts.makes_tigers_mouths:
        said.append(_("It makes a tiger's mouth."))
    return said


def _faults(facts: "Facts", _: Texts) -> list[str]:
    told = [
        (facts.enters_tigers_mouth, "It enters a tiger's mouth."),
        (facts.fills_tigers_mouth, "It fills its own tiger's mouth."),
        (facts.risks_double_atari, "It allows a double atari."),
        (facts.fills_own_eye, "It fills its own eye."),
        (facts.fills_false_eye and not facts.fills_ko, "It fills a false eye of its own."),
        (facts.fills_own_territory and not facts.fills_own_eye, "It fills its own territory."),
        (facts.futile, "It is futile: only the opponent can live there."),
    ]
    return [_(text) for holds, text in told if holds]
