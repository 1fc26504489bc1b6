"""What kind of atari a move gives, and whether a stone that a ladder takes is worth running with.

The names are those of Pachi's unit tests; what they mean here is written down at ``AtariKind``.
Ladders are read by ``ladder_kernels``, life by ``life_reading``; the rest is played out.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from mariago.board.points import Move, opponent
from mariago.errors import BadInputError
from mariago.rules import Position
from mariago.tactics.ladders import reads_as_captured
from mariago.tactics.life_reading import life
from mariago.tactics.neighbours import near_moves

NODES = 30_000  # positions that one search of life may look at
BIG = 3  # stones from which a chain caught in a ladder is called big

AtariKind = Literal[
    "none",
    "some",
    "snapback",
    "double",
    "ladder",
    "ladder_big",
    "ladder_safe",
    "ladder_cut",
    "and_cap",
    "and_cap2",
]
"""The kinds, in the order in which they are tried:

* ``none``: no atari, or one that costs the stone played: it is left in atari, and no chain falls.
* ``snapback``: the stone played is left in atari; whoever takes it is taken back, with more stones.
* ``double``: two chains come into atari, neither falls in a ladder, and no answer saves both.
* A ladder takes one of the chains in atari: ``ladder_big`` of three stones or more, ``ladder_cut``
  where it parts own chains; a chain that is dead although its owner moves first is neither.
  ``ladder_safe`` where own stones beside the chain die if the opponent moves first, and have a move
  that makes them live once the ladder is over; ``ladder`` otherwise.
* ``and_cap``: the chain in atari can be saved, but then a second one falls in a ladder, which the
  move touches, which had three liberties, and which parts own chains.
* ``and_cap2``: the same for a chain of two liberties that the move does not touch, and that could
  not be caught before.
* ``some``: any other atari.
"""


@dataclass(frozen=True)
class _Atari:
    """A move, the board behind it, and the chains it put in atari: the first stone of each."""

    before: Position
    after: Position
    move: Move
    chains: tuple[Move, ...]


def _chains_beside(position: Position, stones: tuple[Move, ...], color: int) -> list[Move]:
    """Return the first stone of each chain of ``color`` that touches ``stones``."""
    found = {
        min(position.chain_at(near))
        for stone in stones
        for near in near_moves(stone, position.size)
        if position.color_at(near) == color
    }
    return sorted(found)


def _given_atari(position: Position, move: Move) -> _Atari | None:
    if not 0 <= move < position.size.cells or not position.is_legal(move):
        return None
    after = position.play(move)
    chains = tuple(
        chain
        for chain in _chains_beside(position, (move,), opponent(position.to_move))
        if after.color_at(chain) != 0 and len(after.liberties_at(chain)) == 1
    )
    return _Atari(position, after, move, chains) if chains else None


def _rescues(position: Position, chain: Move) -> Iterator[Position]:
    """Yield the boards behind every way out of atari: extending, and taking what surrounds it."""
    points = set(position.liberties_at(chain))
    for other in _chains_beside(position, position.chain_at(chain), opponent(position.to_move)):
        liberties = position.liberties_at(other)
        if len(liberties) == 1:
            points.add(liberties[0])
    for point in sorted(points):
        if not position.is_legal(point):
            continue
        after = position.play(point)
        if len(after.liberties_at(chain)) > 1 and not reads_as_captured(after, chain):
            yield after


def _lives(position: Position, stone: Move, to_move: int, nodes: int = NODES) -> bool:
    return life(position, stone, to_move, nodes=nodes).status == "alive"


def _is_dead(position: Position, chain: Move) -> bool:
    """Say whether the chain dies although its owner moves first."""
    return life(position, chain, position.color_at(chain), nodes=NODES).status == "dead"


def _parts(position: Position, chain: Move) -> bool:
    """Say whether the chain parts chains around it: they do not all hang together by liberties."""
    around = _chains_beside(position, position.chain_at(chain), opponent(position.color_at(chain)))
    joined, rest = set(position.liberties_at(around[0])) if around else set[Move](), around[1:]
    while rest:
        near = [other for other in rest if joined & set(position.liberties_at(other))]
        if not near:
            return True
        for other in near:
            joined |= set(position.liberties_at(other))
            rest.remove(other)
    return False


def _is_snapback(atari: _Atari) -> bool:
    """Say whether the stone played is given up and its taker is taken, whatever the taker does."""
    (way_out,) = atari.after.liberties_at(atari.move)
    if not atari.after.is_legal(way_out):
        return False
    taken = atari.after.play(way_out)
    if taken.color_at(atari.move) != 0 or len(taken.liberties_at(way_out)) != 1:
        return False
    given = len(atari.after.chain_at(atari.move))
    (back,) = taken.liberties_at(way_out)
    return len(taken.chain_at(way_out)) > given and taken.is_legal(back)


def _is_double(atari: _Atari) -> bool:
    if len(atari.chains) < 2:
        return False
    for chain in atari.chains:
        for saved in _rescues(atari.after, chain):
            if all(
                saved.color_at(other) != 0
                and len(saved.liberties_at(other)) > 1
                and not reads_as_captured(saved, other)
                for other in atari.chains
            ):
                return False
    return True


def _played_out(position: Position, chain: Move) -> Position:
    """Return the board when the ladder is over: the chain in atari runs to the end."""
    passing = Move(position.size.cells)
    color = position.color_at(chain)
    for _ in range(position.size.cells):
        (way_out,) = position.liberties_at(chain)
        position = position.play(way_out if position.is_legal(way_out) else passing)
        for point in filter(position.is_legal, position.liberties_at(chain)):
            after = position.play(point)
            if after.color_at(chain) != color:
                return after
            if len(after.liberties_at(chain)) == 1 and reads_as_captured(after, chain):
                position = after
                break
        else:
            break  # running is not the best line: no more is said
    return position


def _makes_safe(atari: _Atari, chain: Move) -> bool:
    """Say whether own stones beside the chain are dying, and can live once the ladder is over."""
    before = atari.before
    own_side, other = before.to_move, opponent(before.to_move)
    over = _played_out(atari.after, chain)
    for own in _chains_beside(before, before.chain_at(chain), own_side):
        if life(before, own, other, nodes=NODES).status not in ("dead", "ko"):
            continue
        if over.color_at(own) == own_side and _lives(over, own, own_side):
            return True
    return False


def _kind_of_ladder(atari: _Atari, chain: Move) -> AtariKind:
    big = len(atari.before.chain_at(chain)) >= BIG
    if (big or _parts(atari.before, chain)) and not _is_dead(atari.before, chain):
        return "ladder_big" if big else "ladder_cut"
    return "ladder_safe" if _makes_safe(atari, chain) else "ladder"


def _second_chains(atari: _Atari) -> Iterator[tuple[Move, AtariKind]]:
    """Yield chains that may fall second: beside the move, or within two steps of its stones."""
    before, after = atari.before, atari.after
    other = opponent(before.to_move)
    touched = set(_chains_beside(after, (atari.move,), other))
    for chain in sorted(touched - set(atari.chains)):
        if len(before.liberties_at(chain)) == 3 and len(after.liberties_at(chain)) == 2:
            yield chain, "and_cap"
    seen = set(touched)
    for stone in range(after.size.cells):
        if after.color_at(stone) != other:
            continue
        chain = min(after.chain_at(stone))
        if chain in seen:
            continue
        seen.add(chain)
        if len(after.liberties_at(chain)) == 2 and not reads_as_captured(before, chain):
            yield chain, "and_cap2"


def _falls_second(atari: _Atari, chain: Move) -> bool:
    """Say whether the chain falls in a ladder whichever way the ones in atari are saved."""
    ways = [after for first in atari.chains for after in _rescues(atari.after, first)]
    return bool(ways) and all(
        after.color_at(chain) != 0
        and len(after.liberties_at(chain)) <= 2
        and reads_as_captured(after, chain)
        for after in ways
    )


def kind_of_atari(position: Position, move: Move) -> AtariKind:
    """Return what kind of atari the side to move gives by playing at ``move``.

    An illegal move gives none.
    """
    atari = _given_atari(position, move)
    if atari is None:
        return "none"
    caught = [chain for chain in atari.chains if reads_as_captured(atari.after, chain)]
    if len(atari.after.liberties_at(move)) == 1:
        if not caught:
            return "none"
        if _is_snapback(atari):
            return "snapback"
    elif not caught and _is_double(atari):
        return "double"
    if caught:
        return _kind_of_ladder(atari, max(caught, key=lambda c: len(position.chain_at(c))))
    for chain, kind in _second_chains(atari):
        parts = _falls_second(atari, chain) and _parts(atari.after, chain)
        if parts and not _is_dead(position, chain):
            return kind
    return "some"


def is_useful_ladder(position: Position, move: Move, nodes: int = 3 * NODES) -> bool:
    """Say whether running out of atari at ``move`` pays, though a ladder takes the chain.

    It pays where an opponent's group beside the chain lives if its owner moves first, and does not
    once the chain has run: the ladder costs that group the move that it needs.

    Args:
        position: with the owner of the chain to move.
        move: the only liberty of a chain that a ladder takes.
        nodes: positions that one search of life may look at; what is not known then does not pay.

    Raises:
        BadInputError: ``move`` is not the only liberty of a chain that a ladder takes.
    """
    own, other = position.to_move, opponent(position.to_move)
    legal = 0 <= move < position.size.cells and position.is_legal(move)
    running = [
        chain
        for chain in (_chains_beside(position, (move,), own) if legal else [])
        if len(position.liberties_at(chain)) == 1 and reads_as_captured(position, chain)
    ]
    if not running:
        raise BadInputError("this move runs with no chain that a ladder takes", where=move)
    after = position.play(move)
    return any(
        _lives(position, group, other, nodes)
        and life(after, group, other, nodes=nodes).status in ("dead", "ko")
        for group in _chains_beside(after, after.chain_at(move), other)
    )


__all__ = ["BIG", "NODES", "AtariKind", "is_useful_ladder", "kind_of_atari"]
