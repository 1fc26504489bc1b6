"""From what openings a match was played, in figures."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from mariago.arena.match import MatchResult
from mariago.arena.opening_terms import left_out_in_words
from mariago.arena.schedule import start_position
from mariago.arena.start import Opening, hash_of_openings
from mariago.arena.symmetry import game_key
from mariago.words import counted

__all__ = ["HASH_DIGITS", "OpeningFigures", "figures_of_openings", "opening_lines", "span"]

SHOWN = 5  # files that cannot be used, in the table
HASH_DIGITS = 16


@dataclass(frozen=True, slots=True)
class OpeningFigures:
    """The openings of the pairs of a match that count."""

    source: str
    """``random``, ``folder`` or ``balanced``."""
    name: str
    """The last part of a folder's path."""
    pairs: int
    distinct: int
    """Different openings among them, turned and mirrored ones being one."""
    stones: tuple[int, int]
    """Fewest and most stones that were put up."""
    moves: tuple[int, int]
    """Fewest and most moves that nobody chose."""
    sha256: str
    """Of all of them in the order of the pairs."""
    judge: str
    within: float | None
    temperature: float | None
    tried: int | None
    """Balanced ones: how many were drawn until there were enough."""
    least: float | None
    """Black's least and most chance, as the judge saw it."""
    most: float | None
    other_boards: int
    equal: int
    unusable: tuple[str, ...]

    @property
    def repeated(self) -> int:
        """Pairs whose opening another pair had before."""
        return self.pairs - self.distinct

    @property
    def rejected(self) -> int | None:
        """How many were drawn and not taken: not balanced, or equal to one before."""
        return None if self.tried is None else self.tried - self.pairs

    def as_dict(self) -> dict[str, object]:
        """Return plain values for JSON."""
        return {**asdict(self), "repeated": self.repeated, "rejected": self.rejected}


def figures_of_openings(result: MatchResult) -> OpeningFigures:
    """Return the figures; for a match without games, of nothing."""
    settings, terms = result.settings, result.settings.openings
    by_pair = {game.pair: Opening(game.opening, game.start) for game in result.games}
    used = [by_pair[pair] for pair in sorted(by_pair)]
    keys = {game_key(start_position(settings, one.start).stones, one.moves) for one in used}
    stones = [0 if one.start is None else one.start.stones for one in used] or [0]
    moves = [len(one.moves) for one in used] or [0]
    balanced = terms is not None and terms.source == "balanced"
    judged = [result.openings[pair] for pair in by_pair if pair < len(result.openings)]
    chances = [one.black_wins for one in judged if one.black_wins is not None]
    tried = max((one.tried for one in judged), default=0)
    return OpeningFigures(
        source="random" if terms is None else terms.source,
        name="" if terms is None else terms.name,
        pairs=len(used),
        distinct=len(keys),
        stones=(min(stones), max(stones)),
        moves=(min(moves), max(moves)),
        sha256=hash_of_openings(used),
        judge="" if terms is None else terms.judge,
        within=terms.within if terms is not None and balanced else None,
        temperature=terms.temperature if terms is not None and balanced else None,
        tried=tried if balanced else None,
        least=min(chances, default=None),
        most=max(chances, default=None),
        other_boards=0 if terms is None else terms.other_boards,
        equal=0 if terms is None else terms.equal,
        unusable=() if terms is None else terms.unusable,
    )


def span(ends: tuple[int, int], between: str) -> str:
    """Return least and most, with ``between`` between them; one number where they are equal."""
    return f"{ends[0]}" if ends[0] == ends[1] else f"{ends[0]}{between}{ends[1]}"


def opening_lines(figures: OpeningFigures) -> list[tuple[str, str]]:
    """Return (name, text) lines for the table that the command line shows."""
    kind = {"random": "short random ones", "balanced": "balanced ones"}
    stones = f"{span(figures.stones, ' to ')} stones and " if figures.stones[1] else ""
    length = f"{stones}{span(figures.moves, ' to ')} moves"
    again = (
        f" ({counted(figures.repeated, 'pair repeats', 'pairs repeat')} one)"
        if figures.repeated
        else ""
    )
    digits = figures.sha256[:HASH_DIGITS]
    pairs = counted(figures.pairs, "pair")
    said = f"{figures.distinct} distinct in {pairs}{again}, {length}; {digits}"
    lines = [("Openings", f"{kind.get(figures.source, figures.name)}: {said}")]
    if figures.least is not None and figures.most is not None:
        chance = f"Black's chance {figures.least:.1%} to {figures.most:.1%}"
        rejected = f"{figures.rejected} of {figures.tried} drawn were rejected"
        lines.append(("  Judged", f"by {figures.judge}: {chance}; {rejected}"))
    left_out = left_out_in_words(figures.other_boards, figures.equal, len(figures.unusable))
    if left_out:
        lines.append(("  Left out", left_out))
    return [*lines, *(("  Unusable", text) for text in figures.unusable[:SHOWN])]
