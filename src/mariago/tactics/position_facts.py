"""Facts of a position: chains, ladders with their whole lines, eyes, life, races and sekis.

What is written here has been checked: ladders are read to the end (``ladder_kernels``), life and
territory hold whatever is played (``territory_kernels``), races are counted only where the count is
exact (``races``). What is not said is not known.
"""

from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from mariago.board.kernels import AREA, HEAD, HEADER, LIBERTIES
from mariago.board.points import (
    BLACK,
    EMPTY,
    WHITE,
    Move,
    Size,
    Vertex,
    move_to_point,
    move_to_vertex,
    opponent,
    point_to_move,
)
from mariago.rules import Position
from mariago.tactics.ladder_kernels import caught_in_atari, ladder_workspace, working_moves
from mariago.tactics.neighbours import near_moves
from mariago.tactics.position_words import sentences_of
from mariago.tactics.races import Race, Seki, races_of, sekis_of
from mariago.tactics.shape_kernels import EYE, FALSE_EYE, eye_at
from mariago.tactics.territory_kernels import unconditional_area
from mariago.words import texts

__all__ = ["Chain", "EyePoint", "Ladder", "PositionFacts", "Territory", "facts_of_position"]

LONGEST_LINE = 400  # moves of a ladder


@dataclass(frozen=True)
class Chain:
    """Stones of one colour that stand together."""

    color: int
    stones: tuple[Move, ...]
    liberties: tuple[Move, ...]
    alive: bool  # never taken, though its owner always passes (Benson 1976)
    dead: bool  # in the other side's unconditional territory

    @property
    def in_atari(self) -> bool:
        """Whether it has one liberty."""
        return len(self.liberties) == 1


@dataclass(frozen=True)
class Ladder:
    """A chase in which every attacking move is atari, read to its end.

    A chain with two liberties is read with the attacker to move, a chain in atari with its owner.
    """

    color: int  # of the chain that is chased
    stone: Move  # the first of its stones from the top left
    stones: int
    works: bool
    attacker_first: bool
    moves: tuple[Move, ...]  # those that catch it, or that save it from atari
    line: tuple[Move, ...]  # the whole line of play, by turns, to the capture; empty where it fails


@dataclass(frozen=True)
class EyePoint:
    """An empty point that only stones of one colour touch, alone or with the edge."""

    color: int
    point: Move
    real: bool  # False: the opponent holds too many of the diagonal points


@dataclass(frozen=True)
class Territory:
    """A region in which the other side can never live, though the owner always passes."""

    color: int
    points: tuple[Move, ...]  # whatever stands there


@dataclass(frozen=True)
class PositionFacts:
    """What is known of a position. Moves are indices, row 0 at the top."""

    size: Size
    to_move: int
    chains: tuple[Chain, ...]
    ladders: tuple[Ladder, ...]
    eyes: tuple[EyePoint, ...]
    territory: tuple[Territory, ...]
    races: tuple[Race, ...]
    sekis: tuple[Seki, ...]

    def vertex(self, move: int) -> Vertex:
        """Return a move as people write it, ``D4``."""
        return move_to_vertex(move, self.size)

    def as_dict(self) -> dict[str, object]:
        """Return all of it as plain lists and dictionaries; moves stay indices."""
        return asdict(self)

    @property
    def sentences(self) -> list[str]:
        """What holds, one plain English sentence each, the most urgent first."""
        return self.told("en")

    def told(self, lang: str) -> list[str]:
        """Return the sentences in a language.

        Raises:
            UnknownLanguage: no catalogue of it.
        """
        return sentences_of(self, texts(lang))

    def __str__(self) -> str:
        return "\n".join(self.sentences)


def facts_of_position(position: Position) -> PositionFacts:
    """Return what can be checked about a position; the colour to move matters to nothing but ko."""
    alive, ground = _life(position)
    chains = _chains(position, alive, ground)
    settled = {int(c.stones[0]) for c in chains if c.alive or c.dead}
    return PositionFacts(
        size=position.size,
        to_move=position.to_move,
        chains=chains,
        ladders=tuple(_ladders(position, chains)),
        eyes=_eyes(position),
        territory=_territory(position, ground),
        races=tuple(races_of(position, settled)),
        sekis=tuple(sekis_of(position, settled)),
    )


Marks = npt.NDArray[np.uint8]


def _life(position: Position) -> tuple[Marks, Marks]:
    """Return (alive, ground) by move; see ``unconditional_area``."""
    alive, ground = np.zeros((2, int(position.state[AREA])), np.uint8)
    unconditional_area(position.state, position.rules.suicide, alive, ground)
    points = [int(move_to_point(move, position.size)) for move in range(position.size.cells)]
    return alive[points], ground[points]


def _chains(position: Position, alive: Marks, ground: Marks) -> tuple[Chain, ...]:
    found: list[Chain] = []
    seen: set[int] = set()
    for move in range(position.size.cells):
        color = position.color_at(move)
        if color == EMPTY or move in seen:
            continue
        stones = tuple(sorted(position.chain_at(move)))
        seen.update(map(int, stones))
        found.append(
            Chain(
                color,
                stones,
                tuple(sorted(position.liberties_at(move))),
                alive=bool(alive[move]),
                dead=int(ground[move]) == opponent(color),
            )
        )
    return tuple(found)


def _eyes(position: Position) -> tuple[EyePoint, ...]:
    found: list[EyePoint] = []
    for move in range(position.size.cells):
        if position.color_at(move) != EMPTY:
            continue
        point = move_to_point(move, position.size)
        for color in (BLACK, WHITE):
            kind = eye_at(position.state, point, color)
            if kind in (EYE, FALSE_EYE):
                found.append(EyePoint(color, Move(move), real=kind == EYE))
    return tuple(found)


def _territory(position: Position, ground: Marks) -> tuple[Territory, ...]:
    left = {move for move in range(position.size.cells) if ground[move]}
    found: list[Territory] = []
    while left:
        start = min(left)
        color = int(ground[start])
        region, edge = {start}, [start]
        while edge:
            for near in near_moves(edge.pop(), position.size):
                if near not in region and int(ground[near]) == color:
                    region.add(near)
                    edge.append(near)
        left -= region
        found.append(Territory(color, tuple(Move(move) for move in sorted(region))))
    return tuple(found)


class _Reader:
    """Reads ladders of positions of one size."""

    def __init__(self, size: Size) -> None:
        self.size = size
        self.work = ladder_workspace(*size)

    def liberties(self, position: Position, stone: int) -> int:
        state = position.state
        head = int(state[HEADER + HEAD * int(state[AREA]) + move_to_point(stone, self.size)])
        return int(state[HEADER + LIBERTIES * int(state[AREA]) + head])

    def catching(self, position: Position, stone: int) -> list[Move]:
        """Return the attacker's moves that catch a chain of two liberties."""
        out = np.zeros(2, np.int64)
        n = working_moves(position.state, move_to_point(stone, self.size), self.work, out)
        return [point_to_move(int(point), self.size) for point in out[:n]]

    def is_caught(self, position: Position, stone: int) -> bool:
        """Say whether a chain in atari falls though its owner moves."""
        return bool(caught_in_atari(position.state, move_to_point(stone, self.size), self.work))

    def escapes(self, position: Position, stone: int) -> list[Move]:
        """Return the moves of its owner that save a chain in atari, extending first."""
        color = position.color_at(stone)
        owner = position.with_to_move(color)
        tried = [*position.liberties_at(stone), *self._captures(position, stone)]
        found: list[Move] = []
        for move in dict.fromkeys(tried):
            if not owner.is_legal(move):
                continue
            after = owner.play(move)
            liberties = self.liberties(after, stone)
            if liberties >= 3 or (liberties == 2 and not self.catching(after, stone)):
                found.append(move)
        return found

    def _captures(self, position: Position, stone: int) -> list[Move]:
        """Return the points that take a chain in atari beside the chain of ``stone``."""
        found: list[Move] = []
        for own in position.chain_at(stone):
            for near in near_moves(own, self.size):
                if position.color_at(near) == opponent(position.color_at(stone)):
                    liberties = position.liberties_at(near)
                    if len(liberties) == 1:
                        found.append(liberties[0])
        return found

    def line(self, position: Position, stone: int, attacking: bool) -> list[Move]:
        """Return the line that takes the chain: the owner extends as long as it can."""
        color = position.color_at(stone)
        line: list[Move] = []
        while len(line) < LONGEST_LINE:
            mover = opponent(color) if attacking else color
            position = position.with_to_move(mover)
            liberties = position.liberties_at(stone)
            if attacking:
                moves = list(liberties) if len(liberties) == 1 else self.catching(position, stone)
            else:
                moves = [*liberties, *self._captures(position, stone)]
            legal = [move for move in moves if position.is_legal(move)]
            if not legal:
                if attacking:
                    return line
                legal = [Move(self.size.cells)]  # nothing prolongs it: a pass
            line.append(legal[0])
            position = position.play(legal[0])
            if position.color_at(stone) != color:
                return line
            attacking = not attacking
        return line


def _ladders(position: Position, chains: tuple[Chain, ...]) -> list[Ladder]:
    reader = _Reader(position.size)
    found: list[Ladder] = []
    for chain in chains:
        if chain.alive or chain.dead or not 1 <= len(chain.liberties) <= 2:
            continue
        stone = chain.stones[0]
        attacker_first = len(chain.liberties) == 2
        if attacker_first:
            moves = reader.catching(position, stone)
            works = bool(moves)
        else:
            works = reader.is_caught(position, stone)
            moves = [] if works else reader.escapes(position, stone)
        line = reader.line(position, stone, attacker_first) if works else []
        found.append(
            Ladder(
                chain.color,
                stone,
                len(chain.stones),
                works,
                attacker_first,
                tuple(moves),
                tuple(line),
            )
        )
    return found
