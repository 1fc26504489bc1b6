"""Connections: can two chains be joined, and can they be kept apart.

The distance of two chains is the number of own stones that would join them if the opponent
passed: an empty point costs one, own chains nothing, a chain of the opponent one for each of its
liberties. With the owner to move a distance of one joins them, with the opponent to move a
distance of zero. Above that an AND-OR search plays on the shortest ways: own moves along them, and
captures of what lies in them; the opponent's moves there and beside, and captures of what they lead
over. What lies farther than the moves left, or takes too many positions, counts as not joined.
"""

from collections import deque
from dataclasses import dataclass, field
from typing import Literal

from mariago.board.points import Move, opponent
from mariago.errors import BadInputError
from mariago.rules import Position
from mariago.tactics.neighbours import near_moves
from mariago.tactics.reading import attack

NODES = 400  # positions that one search may look at
FARTHEST = 4  # own stones needed, above which chains count as apart
READING_NODES = 400  # positions that the reading of one chain may look at
_FAR = 99
_BESIDE = 2  # points of the ways whose neighbours the opponent tries too


@dataclass(frozen=True)
class Connection:
    """What the search found.

    Attributes:
        result: for the side that moves first, who joins the chains or keeps them apart: 1 succeeds,
            0 fails, 3 only where the other side may not take back a ko.
        move: the first move; None where none is needed or none does it.
    """

    result: Literal[0, 1, 3]
    move: Move | None


@dataclass
class _Search:
    """A search for two chains of ``color``."""

    color: int
    first: Move
    second: Move
    free: bool = False  # the owner may take back a ko at once, as if it always had a threat
    left: int = NODES
    known: dict[int, bool] = field(default_factory=dict[int, bool])


def _distances(position: Position, color: int, source: Move, most: int) -> dict[Move, int]:
    """Return the distance from a chain to each point within ``most``; a chain is reached whole."""
    size = position.size
    counts = position.liberty_counts().ravel()
    stones = position.stones.ravel()
    reached: dict[Move, int] = dict.fromkeys(position.chain_at(source), 0)
    queue = deque(reached)
    layers: list[list[Move]] = [[] for _ in range(most + 8)]
    layers[0] = list(queue)
    for cost in range(most + 1):
        at = 0
        layer = layers[cost]
        while at < len(layer):
            point = layer[at]
            at += 1
            if reached[point] != cost:
                continue
            for near in near_moves(point, size):
                held = int(stones[near])
                step = 1 if held == 0 else 0 if held == color else int(counts[near])
                if held == 3 - color and stones[point] == held:
                    continue
                total = cost + step
                if total > most or total >= reached.get(near, _FAR):
                    continue
                points = (near,) if held == 0 else position.chain_at(near)
                for each in points:
                    reached[each] = total
                    layers[total].append(each)
    return reached


@dataclass(frozen=True)
class _Ways:
    """The shortest ways between the chains, or nearly so."""

    distance: int
    points: tuple[Move, ...]  # empty points on them
    own: tuple[Move, ...]  # first stones of own chains that they lead over
    other: tuple[Move, ...]  # first stones of the opponent's chains in them


def _ways(search: _Search, position: Position, slack: int) -> _Ways:
    color = search.color
    away = _distances(position, color, search.first, FARTHEST + 1)
    distance = away.get(search.second, _FAR)
    if distance > FARTHEST + 1:
        return _Ways(_FAR, (), (), ())
    back = _distances(position, color, search.second, FARTHEST + 1)
    points: list[tuple[int, Move]] = []
    own = {min(position.chain_at(search.first)), min(position.chain_at(search.second))}
    other: set[Move] = set()
    for point, cost in away.items():
        if point not in back:
            continue
        held = position.color_at(point)
        step = 1 if held == 0 else 0 if held == color else len(position.liberties_at(point))
        total = cost + back[point] - step
        if total > distance + slack:
            continue
        if held == 0:
            points.append((total, point))
        else:
            (own if held == color else other).add(min(position.chain_at(point)))
    ordered = tuple(point for _, point in sorted(points))
    return _Ways(distance, ordered, tuple(sorted(own)), tuple(sorted(other)))


def _captures(position: Position, chains: tuple[Move, ...]) -> list[Move]:
    """Return the moves that read as taking these chains."""
    moves: list[Move] = []
    for chain in chains:
        if len(position.liberties_at(chain)) <= 3:
            reading = attack(position, chain, READING_NODES)
            if reading.result == 1 and reading.move is not None:
                moves.append(reading.move)
    return moves


def _owner_moves(position: Position, ways: _Ways) -> list[Move]:
    moves = [*_captures(position, ways.other), *ways.points]
    for chain in ways.own:
        liberties = position.liberties_at(chain)
        if len(liberties) <= 2:
            moves += liberties
    return list(dict.fromkeys(moves))


def _cutter_moves(position: Position, ways: _Ways) -> list[Move]:
    moves = [*_captures(position, ways.own), *ways.points]
    for chain in ways.other:
        liberties = position.liberties_at(chain)
        if len(liberties) <= 2:
            moves += liberties
    for point in ways.points[:_BESIDE]:
        moves += [near for near in near_moves(point, position.size) if position.color_at(near) == 0]
    return list(dict.fromkeys(moves))


def _joined(search: _Search, position: Position, mover: int, depth: int) -> bool:
    """Say whether the chains are joined in the end with ``mover`` to play."""
    if position.color_at(search.first) != search.color:
        return False
    if position.color_at(search.second) != search.color:
        return False
    if search.second in position.chain_at(search.first):
        if mover == search.color:
            return True
        return attack(position, search.first, READING_NODES).result != 1
    key = hash((position.hash_with_side, depth))
    if key in search.known:
        return search.known[key]
    search.left -= 1
    if search.left < 0 or depth <= 0:
        return False
    owner = mover == search.color
    if owner and search.free and position.ko is not None:
        position = position.with_to_move(mover)  # lifts the ban
    ways = _ways(search, position, 0)
    if ways.distance > min(FARTHEST, (depth + 1) // 2):
        result = False
    elif owner:
        result = any(
            _joined(search, after, 3 - mover, depth - 1)
            for move in _owner_moves(position, ways)
            if (after := _played(position, move)) is not None
        )
    else:
        passed = position.play_pass()
        result = _joined(search, passed, 3 - mover, depth - 1) and all(
            _joined(search, after, 3 - mover, depth - 1)
            for move in _cutter_moves(position, ways)
            if (after := _played(position, move)) is not None
        )
    search.known[key] = result
    return result


def _played(position: Position, move: Move) -> Position | None:
    return position.play(move) if position.is_legal(move) else None


def _begin(position: Position, first: Move, second: Move) -> int:
    color = position.color_at(first)
    if color == 0 or position.color_at(second) != color:
        raise BadInputError("two stones of one colour are needed")
    return color


def connect(position: Position, first: Move, second: Move, depth: int = 9) -> Connection:
    """Read whether the owner, moving first, joins the chains of two stones; kos count against it.

    Raises:
        BadInputError: the stones are not of one colour.
    """
    color = _begin(position, first, second)
    if second in position.chain_at(first):
        return Connection(1, None)
    start = position.with_to_move(color)
    for deep in range(1, depth + 1, 2):
        search = _Search(color, first, second)
        for move in _owner_moves(start, _ways(search, start, 1)):
            after = _played(start, move)
            if after is not None and _joined(search, after, opponent(color), deep - 1):
                return Connection(1, move)
        if search.left < 0:
            break
    return Connection(0, None)


def disconnect(position: Position, first: Move, second: Move, depth: int = 8) -> Connection:
    """Read whether the opponent, moving first, keeps the chains of two stones apart.

    Raises:
        BadInputError: the stones are not of one colour.
    """
    color = _begin(position, first, second)
    if second in position.chain_at(first):
        return Connection(0, None)
    start = position.with_to_move(opponent(color))

    def joins(board: Position, mover: int, depths: range, free: bool = False) -> bool:
        return any(
            _joined(_Search(color, first, second, free), board, mover, deep) for deep in depths
        )

    if joins(start, opponent(color), range(2, depth + 1, 2)):
        return Connection(0, None)
    search = _Search(color, first, second)
    ways = _ways(search, start, 1)
    if ways.distance > FARTHEST:
        return Connection(1, None)
    by_ko: Move | None = None
    for move in _cutter_moves(start, ways):
        after = _played(start, move)
        if after is None or joins(after, color, range(1, depth, 2)):
            continue
        if not joins(after, color, range(1, depth, 2), free=True):
            return Connection(1, move)
        by_ko = move if by_ko is None else by_ko
    return Connection(0 if by_ko is None else 3, by_ko)
