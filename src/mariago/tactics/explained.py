"""A move explained: the board before it, its facts, and what the position offered."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mariago.board.diagram import draw_diagram
from mariago.board.points import BLACK, WHITE, Move, Vertex, move_to_vertex
from mariago.reports.diagram import BoardPicture
from mariago.rules import Position
from mariago.tactics.fact_places import chains_beside, chains_told
from mariago.tactics.fact_words import stones_in_words
from mariago.tactics.facts import Facts, facts_of_move
from mariago.tactics.ladders import laddered_stones, working_ladder_moves
from mariago.tactics.position_facts import facts_of_position
from mariago.words import Texts, texts

__all__ = ["Explained", "Offered", "chains_beside", "explain_move", "offered_by"]

_COLORS = {BLACK: "Black", WHITE: "White"}


@dataclass(frozen=True)
class Offered:
    """What a position offers before a move: chains by one of their stones and their size."""

    in_atari: dict[int, list[tuple[Vertex, int]]]  # by colour
    laddered: dict[int, list[tuple[Vertex, int]]]  # not in atari; by colour
    ladder_moves: list[Vertex]  # of the side to move

    def lines(self, _: Texts) -> list[str]:
        """Return it in words, one line each."""
        said: list[str] = []
        for chains, sentences in (
            (self.in_atari, ("Black stones in atari: {chains}", "White stones in atari: {chains}")),
            (
                self.laddered,
                (
                    "Black stones that a ladder takes: {chains}",
                    "White stones that a ladder takes: {chains}",
                ),
            ),
        ):
            for color, sentence in zip((BLACK, WHITE), sentences, strict=True):
                if chains[color]:
                    said.append(_(sentence, chains=_chains(chains[color], _)))
        if self.ladder_moves:
            moves = _(", ").join(str(vertex) for vertex in self.ladder_moves)
            said.append(_("Moves that start a working ladder: {moves}", moves=moves))
        return said or [_("No stone in atari, and no ladder that works.")]

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        told: dict[str, Any] = {}
        for name, chains in (("in_atari", self.in_atari), ("laddered", self.laddered)):
            told[name] = {
                side.lower(): [{"vertex": str(v), "stones": n} for v, n in chains[color]]
                for color, side in _COLORS.items()
            }
        return told | {"ladder_moves": [str(vertex) for vertex in self.ladder_moves]}


def _chains(chains: list[tuple[Vertex, int]], _: Texts) -> str:
    return _(", ").join(
        _("{vertex} ({stones})", vertex=vertex, stones=stones_in_words(size, _))
        for vertex, size in chains
    )


def offered_by(position: Position) -> Offered:
    """Return the chains in atari and in ladders, and the ladders that the side to move may start.

    A chain in atari counts there alone. One of two liberties is in a ladder when its opponent,
    moving first, takes it.
    """
    caught = set(laddered_stones(position))
    in_atari: dict[int, list[tuple[Vertex, int]]] = {BLACK: [], WHITE: []}
    laddered: dict[int, list[tuple[Vertex, int]]] = {BLACK: [], WHITE: []}
    seen: set[int] = set()
    for move in range(position.size.cells):
        color = position.color_at(move)
        if color == 0 or move in seen:
            continue
        chain = position.chain_at(move)
        seen.update(chain)
        entry = move_to_vertex(min(chain), position.size), len(chain)
        if len(position.liberties_at(move)) == 1:
            in_atari[color].append(entry)
        elif move in caught:
            laddered[color].append(entry)
    moves = [move_to_vertex(move, position.size) for move in working_ladder_moves(position)]
    return Offered(in_atari, laddered, moves)


@dataclass(frozen=True)
class Explained:
    """A move of a game with all that is said of it."""

    number: int  # from 1
    before: Position  # with the mover to move
    facts: Facts
    last: "Move | None" = None  # the move before

    @cached_property
    def offered(self) -> Offered:
        """What the position offered before the move."""
        return offered_by(self.before)

    def title(self, _: Texts) -> str:
        """Return "Move 57: Black D4"."""
        vertex = _.term("pass") if self.facts.is_pass else str(self.facts.vertex)
        return _(
            "Move {n}: {color} {vertex}", n=self.number, color=_(_COLORS[self.facts.color]),
            vertex=vertex,
        )  # fmt: skip

    def lines(self, lang: str = "en", board: bool = True, position: bool = False) -> list[str]:
        """Return what is said for a terminal, the board before the move first.

        Args:
            position: all that is known of the position, and not only atari and ladders.
        """
        _ = texts(lang)
        said = self.facts.told(lang) or [_("Nothing is known of this move.")]
        drawn: list[str] = []
        if board:
            drawn = draw_diagram(self.before.stones, ko=self.before.ko, last=self.last).split("\n")
        known = facts_of_position(self.before).told(lang) if position else self.offered.lines(_)
        offered = [f"  {line}" for line in known]
        return [self.title(_), *drawn, *(f"  {line}" for line in said), _("Before the move:"),
                *offered]  # fmt: skip

    def as_dict(self, lang: str = "en", position: bool = False) -> dict[str, Any]:
        """Return everything as plain values; with ``position`` all that is known of it, too."""
        known: dict[str, Any] = {}
        if position:
            told = facts_of_position(self.before)
            known = {"position": {**told.as_dict(), "sentences": told.told(lang)}}
        return {
            "number": self.number,
            **self.facts.as_dict(),
            "facts": list(self.facts.names),
            "sentences": self.facts.told(lang),
            "beside": self._beside(),
            "before": self.offered.as_dict(),
            **known,
        }

    def _beside(self) -> dict[str, list[dict[str, Any]]]:
        """Return the chains that the stone touches, by a stone, size and liberties before it."""
        if self.facts.is_pass:
            return {"own": [], "opponent": []}
        own, theirs = chains_beside(self.before, self.facts.move, self.facts.color)
        return {
            side: [
                {
                    "vertex": str(move_to_vertex(min(chain), self.before.size)),
                    "stones": len(chain),
                    "liberties": len(self.before.liberties_at(chain[0])),
                }
                for chain in chains
            ]
            for side, chains in (("own", own), ("opponent", theirs))
        }

    def picture(self, lang: str = "en") -> BoardPicture:
        """Return the board before the move, the move and the stones it is about marked.

        Triangles: opponent stones of few liberties beside it, and those that it nets or that a
        ladder takes now. Squares: own stones that it saves, joins, or frees from a ladder.
        """
        _ = texts(lang)
        caption = (self.title(_), *self.facts.told(lang))
        return BoardPicture(
            self.before.stones,
            to_move=self.facts.color,
            last_move=self.last,
            answer=self.facts.move,
            marks=_marks(self.before, self.facts),
            caption=caption,
        )


def _marks(before: Position, facts: Facts) -> dict[int, str]:
    """Return the marks of the stones that the move is about, by move index."""
    if facts.is_pass or facts.is_suicide:
        return {}
    own, theirs = chains_beside(before, facts.move, facts.color)
    triangles = [chain for chain in theirs if len(before.liberties_at(chain[0])) <= 2]
    squares = [chain for chain in own if facts.connects or len(before.liberties_at(chain[0])) == 1]
    after = before.play(facts.move)
    if facts.net or facts.closed_in:
        counts = {"net": facts.net, "closed_in": facts.closed_in}
        for chains in chains_told(before, facts.move, counts).values():
            triangles += chains
    marks = {int(move): "triangle" for chain in triangles for move in chain}
    marks |= {int(move): "square" for chain in squares for move in chain}
    caught, still = set(laddered_stones(before)), set(laddered_stones(after))
    for stones, color, mark in (
        (caught - still, facts.color, "square" if facts.ladder_breaker else ""),
        (still - caught, 3 - facts.color, "triangle" if facts.ladder_made else ""),
    ):
        if mark:
            marks |= {
                int(m): mark
                for m in stones
                if before.color_at(m) == color and after.color_at(m) == color
            }
    return marks


def explain_move(before: Position, color: int, move: int, number: int) -> Explained:
    """Return a move of ``color`` explained; the side to move is set to it where it differs.

    Raises:
        IllegalMoveError: the rules forbid the move.
    """
    last = before.last_move
    shown = before if before.to_move == color else before.with_to_move(color)
    facts = facts_of_move(shown, move)
    on_board = last is not None and last < before.size.cells and before.color_at(last) != 0
    return Explained(
        number, shown, facts, Move(int(last)) if last is not None and on_board else None
    )
