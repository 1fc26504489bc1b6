"""Combinations: forcing moves after which one of several chains falls, though none did before.

A *threat* is a move after which a chain could be taken that could not be before. A combination is
a threat to which no reply of the opponent saves every chain, or after each reply of which the next
threat leads on. Every single chain is read by ``reading``, with few nodes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from mariago.board.points import Move, opponent
from mariago.rules import Position
from mariago.tactics.neighbours import near_moves
from mariago.tactics.reading import attack

NODES = 600  # positions that the reading of one chain may look at
DEPTH = 4  # threats, one after the other
READINGS = 9_000  # chains that one search may read
_MOST_LIBERTIES = 3  # of a chain that is threatened
_LOCAL = 6  # lines from the last threat within which the next one is looked for


@dataclass
class _Search:
    """What one search has read: by position and chain, whether the chain can be taken."""

    color: int  # attacks
    left: int = READINGS
    known: dict[tuple[int, int], bool] = field(default_factory=dict[tuple[int, int], bool])

    def falls(self, position: Position, chain: Move) -> bool:
        """Say whether ``color``, moving first, takes the chain without ko."""
        key = (position.hash, chain)
        if key not in self.known:
            self.left -= 1
            self.known[key] = self.left >= 0 and attack(position, chain, NODES).result == 1
        return self.known[key]


def _weak_chains(position: Position, color: int) -> list[Move]:
    """Return the first stone of each chain of ``color`` with few liberties."""
    counts = position.liberty_counts().ravel()
    stones = position.stones.ravel()
    return sorted(
        {
            min(position.chain_at(move))
            for move in range(position.size.cells)
            if stones[move] == color and counts[move] <= _MOST_LIBERTIES
        }
    )


def _lines_between(a: int, b: int, columns: int) -> int:
    return max(abs(a // columns - b // columns), abs(a % columns - b % columns))


def _changed(before: Position, after: Position, chains: list[Move], move: Move) -> list[Move]:
    """Return the chains whose liberties a move has changed, or that it comes close to."""
    columns = before.size.columns
    return [
        chain
        for chain in chains
        if after.color_at(chain) == before.color_at(chain)
        and any(_lines_between(stone, move, columns) <= 2 for stone in before.chain_at(chain))
    ]


def _threats(
    search: _Search, position: Position, last: Move | None
) -> Iterator[tuple[Move, Position, list[Move]]]:
    """Yield moves that threaten chains that do not fall as yet: (move, board behind it, chains)."""
    columns = position.size.columns
    chains = [
        chain
        for chain in _weak_chains(position, opponent(search.color))
        if last is None
        or any(_lines_between(stone, last, columns) <= _LOCAL for stone in position.chain_at(chain))
    ]
    standing = [chain for chain in chains if not search.falls(position, chain)]
    points = {liberty for chain in standing for liberty in position.liberties_at(chain)}
    found: list[tuple[int, Move, Position, list[Move]]] = []
    beside = {near for point in points for near in near_moves(point, position.size)}
    for move in sorted(points | beside):
        if not position.is_legal(move):
            continue
        after = position.play(move)
        if len(after.liberties_at(move)) == 1 and len(after.chain_at(move)) > 2:
            continue
        threatened = [
            chain
            for chain in _changed(position, after, standing, move)
            if search.falls(after, chain)
        ]
        if threatened:
            found.append((-len(threatened), move, after, threatened))
    for _, move, after, threatened in sorted(found, key=lambda each: each[:2]):
        yield move, after, threatened


def _replies(position: Position, chain: Move, threat: Move) -> Iterator[Move]:
    """Yield the moves that may save a chain: its liberties, points beside them, and captures."""
    size = position.size
    points = set(position.liberties_at(chain)) | set(position.liberties_at(threat))
    for liberty in position.liberties_at(chain):
        points |= {near for near in near_moves(liberty, size) if position.color_at(near) == 0}
    other = opponent(position.color_at(chain))
    for stone in position.chain_at(chain):
        for near in near_moves(stone, size):
            if position.color_at(near) == other:
                liberties = position.liberties_at(near)
                if len(liberties) <= 2:
                    points |= set(liberties)
    yield from sorted(points)


def _wins(
    search: _Search, threat: Move, after: Position, threatened: list[Move], depth: int
) -> bool:
    """Say whether no reply to a threat saves all that is threatened, now or by the next threat."""
    target = min(threatened, key=lambda chain: len(after.liberties_at(chain)))
    for reply in _replies(after, target, threat):
        if not after.is_legal(reply):
            continue
        answered = after.play(reply)
        if any(
            answered.color_at(chain) != 0 and search.falls(answered, chain) for chain in threatened
        ):
            continue
        if search.left < 0:
            return False
        if depth <= 1 or not any(
            _wins(search, move, then, chains, depth - 1)
            for move, then, chains in _threats(search, answered, reply)
        ):
            return False
    return search.left >= 0


def combination_attack(position: Position, color: int, depth: int = DEPTH) -> Move | None:
    """Return the first move of a combination of ``color``, whoever's turn it is; None without one.

    A chain that can be taken as it stands is no part of it. Kos count against ``color``, and what
    takes more than ``READINGS`` readings is not found.
    """
    position = position.with_to_move(color)
    for deep in range(1, depth + 1):
        search = _Search(color)
        for move, after, threatened in _threats(search, position, None):
            if _wins(search, move, after, threatened, deep):
                return move
    return None


def combination_defenses(position: Position, color: int, depth: int = DEPTH) -> list[Move]:
    """Return the moves of ``color`` after which its opponent has no combination, of those near one.

    Tried are the first move of the combination, the points beside it, and the liberties of the
    chains beside it.
    """
    first = combination_attack(position, opponent(color), depth)
    if first is None:
        return []
    position = position.with_to_move(color)
    points = {first, *near_moves(first, position.size)}
    for near in near_moves(first, position.size):
        if position.color_at(near) != 0:
            points |= set(position.liberties_at(near))
    return [
        move
        for move in sorted(points)
        if position.is_legal(move)
        and combination_attack(position.play(move), opponent(color), depth) is None
    ]
