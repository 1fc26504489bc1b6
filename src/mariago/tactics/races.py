"""Capturing races counted, and plain sekis: where two chains of few liberties stand together.

The count is Müller's ("Race to Capture: Analyzing Semeai in Go", Game Programming Workshop 1999)
for its simple classes: one chain against one, each without eye or with one small eye (three empty
points at the most), all other liberties *outside* ones that the other side can fill one by one, or
*shared*. What is not so simple is not counted: a chain that could gain liberties by extending or by
taking something, a liberty where the other side's stone would be in atari itself.

With outside and eye liberties counted by side, s shared liberties, and the winner's chain first,
the winner needs moves = the loser's outside liberties + its eye's + s, the last of which takes:

* neither has an eye: the winner's outside liberties must be moves - 1 or more (s > 0), or moves or
  more (s = 0); one more where the loser moves first. If neither can do it, it is seki (s > 1).
* both have one: the same count with the eyes' liberties, and seki if neither can do it (s > 0).
* one has one: shared liberties help the eye. The side without it must have as many outside
  liberties as all of the other's and s; otherwise it loses.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from mariago.board.points import BLACK, EMPTY, Move, opponent
from mariago.rules import Position
from mariago.tactics.neighbours import near_moves

__all__ = ["Race", "Seki", "outcome_of", "races_of", "sekis_of"]

MOST_LIBERTIES = 12  # chains with more are in no race
SMALL_EYE = 3  # points; liberties and points of an eye this small are the same number


@dataclass(frozen=True)
class Side:
    """One chain of a race."""

    stone: Move  # the first of its stones from the top left
    color: int
    stones: int
    outside: int  # liberties that only the other side wants to fill
    eye: int  # liberties of its small eye


@dataclass(frozen=True)
class Race:
    """Two chains that can only be saved by taking the other."""

    sides: tuple[Side, Side]  # Black's first
    shared: int
    outcomes: tuple[str, str]  # if Black moves first, if White does: black, white, seki, unknown


@dataclass(frozen=True)
class Seki:
    """Chains that leave each other alone: the side that fills a shared liberty loses its own."""

    chains: tuple[Move, ...]  # one stone each, the first from the top left
    shared: tuple[Move, ...]
    eyes: tuple[Move, ...]  # liberties that only one side has
    false_eye: bool  # chains of one side hang together only by a false eye


def outcome_of(first: tuple[int, int], second: tuple[int, int], shared: int) -> str:
    """Return "first", "second" or "seki": how a race ends that ``first`` begins.

    Each side is (outside liberties, eye liberties).
    """
    (outside, eye), (their_outside, their_eye) = first, second
    if bool(eye) == bool(their_eye):
        mine, theirs = outside + eye, their_outside + their_eye
        # With eyes the last move is in the eye, and every shared liberty has to be filled before.
        burden = shared if eye else max(shared - 1, 0)
        if mine >= theirs + burden:
            return "first"
        return "second" if theirs >= mine + burden + 1 else "seki"
    if their_eye:
        return "first" if outside >= their_outside + their_eye + shared else "second"
    return "second" if their_outside >= outside + eye + shared + 1 else "first"


class _Board:
    """A position with its chains looked up once."""

    def __init__(self, position: Position) -> None:
        self.position = position
        cells = position.size.cells
        self.color = [position.color_at(move) for move in range(cells)]
        self.near = [near_moves(move, position.size) for move in range(cells)]
        self.head = [-1] * cells
        self.chains: dict[int, tuple[Move, ...]] = {}
        self.liberties: dict[int, frozenset[int]] = {}
        for move in range(cells):
            if self.color[move] != EMPTY and self.head[move] < 0:
                stones = position.chain_at(move)
                self.chains[move] = stones
                self.liberties[move] = frozenset(position.liberties_at(move))
                for stone in stones:
                    self.head[stone] = move

    def beside(self, head: int) -> set[int]:
        """The other side's chains that touch a chain."""
        color = self.color[head]
        return {
            self.head[q]
            for stone in self.chains[head]
            for q in self.near[stone]
            if self.color[q] == opponent(color)
        }

    def joined(self, move: int, color: int) -> tuple[set[int], set[int]]:
        """Return the liberties of a stone put at ``move`` (captures apart) and what it joins."""
        heads = {self.head[q] for q in self.near[move] if self.color[q] == color}
        liberties: set[int] = {q for q in self.near[move] if self.color[q] == EMPTY}
        for head in heads:
            liberties |= self.liberties[head]
        return liberties - {move}, heads

    def region(self, move: int) -> set[int]:
        """Return the empty points connected with an empty one, as far as an eye may be."""
        found: set[int] = {move}
        edge = [move]
        while edge and len(found) <= SMALL_EYE + 1:
            for q in self.near[edge.pop()]:
                if self.color[q] == EMPTY and q not in found:
                    found.add(q)
                    edge.append(q)
        return found

    def eye_of(self, head: int) -> "set[int] | None":
        """Return the points of a chain's one small eye, empty where it has none.

        None where it has several, or one that this count does not know.
        """
        eyes: list[set[int]] = []
        for move in self.liberties[head]:
            if any(move in eye for eye in eyes):
                continue
            region = self.region(move)
            walls = {self.head[q] for p in region for q in self.near[p] if self.color[q] != EMPTY}
            if walls == {head}:
                if len(region) > SMALL_EYE or not region <= self.liberties[head]:
                    return None
                eyes.append(region)
        if len(eyes) > 1:
            return None
        return eyes[0] if eyes else set()

    def is_plain_outside(self, move: int, head: int) -> bool:
        """Say whether filling this liberty of a chain is one move for the other side, and gains
        the chain's owner nothing."""
        color = self.color[head]
        gained, joins = self.joined(move, color)
        if joins != {head} or len(gained) >= len(self.liberties[head]):
            return False
        liberties, _ = self.joined(move, opponent(color))
        return len(liberties) >= 2


def _race(board: _Board, black: int, white: int, safe: "set[int]") -> "Race | None":
    """Count the race of two chains that touch; None where it is not of the simple classes."""
    eyes = board.eye_of(black), board.eye_of(white)
    if eyes[0] is None or eyes[1] is None:
        return None
    liberties = board.liberties[black], board.liberties[white]
    shared = liberties[0] & liberties[1]
    sides: list[Side] = []
    for head, eye, own, other in (
        (black, eyes[0], liberties[0], white),
        (white, eyes[1], liberties[1], black),
    ):
        outside = own - shared - eye
        if not all(board.is_plain_outside(move, head) for move in outside):
            return None
        for move in shared:
            gained, joins = board.joined(move, board.color[head])
            if joins != {head} or len(gained) >= len(own):
                return None
        # Nothing else to take: every other chain that touches it has liberties to spare.
        if any(
            len(board.liberties[near]) <= len(own) + 1
            for near in board.beside(head)
            if near != other and near not in safe
        ):
            return None
        sides.append(
            Side(Move(head), board.color[head], len(board.chains[head]), len(outside), len(eye))
        )
    counts = [(side.outside, side.eye) for side in sides]
    names = {"first": "black", "second": "white", "seki": "seki"}
    black_first = names[outcome_of(counts[0], counts[1], len(shared))]
    names = {"first": "white", "second": "black", "seki": "seki"}
    white_first = names[outcome_of(counts[1], counts[0], len(shared))]
    return Race((sides[0], sides[1]), len(shared), (black_first, white_first))


def _pairs(board: _Board, safe: "set[int]") -> Iterator[tuple[int, int]]:
    for head in board.chains:
        if board.color[head] != BLACK or head in safe:
            continue
        if len(board.liberties[head]) > MOST_LIBERTIES:
            continue
        for other in sorted(board.beside(head)):
            if other not in safe and len(board.liberties[other]) <= MOST_LIBERTIES:
                yield head, other


def races_of(position: Position, safe: "set[int]") -> list[Race]:
    """Return the races of the simple classes; ``safe`` holds moves of stones that are in none."""
    board = _Board(position)
    found = (_race(board, black, white, safe) for black, white in _pairs(board, safe))
    return [race for race in found if race is not None]


def _fill_loses(position: Position, move: int, color: int, *, shapes: bool = True) -> bool:
    """Say whether ``color``'s stone at ``move`` leaves its chain to be taken at once.

    True also where the rules forbid the move. With ``shapes``, what is taken must not be of a shape
    that would kill in the eye that it leaves.
    """
    before = position.with_to_move(color)
    if not before.is_legal(move):
        return True
    after = before.play(move)
    liberties = after.liberties_at(move)
    if len(liberties) != 1 or len(after.last_taken) > 0 or not after.is_legal(liberties[0]):
        return False
    return not (shapes and _is_killing_shape(after.chain_at(move), position))


def _is_killing_shape(chain: "tuple[Move, ...]", position: Position) -> bool:
    """Say whether an eye of this shape holds one eye only when the other side moves first."""
    columns = position.size.columns
    cells = {divmod(int(move), columns) for move in chain}
    degrees = sorted(
        sum((r + dr, c + dc) in cells for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)))
        for r, c in cells
    )
    edges = sum(degrees) // 2
    if len(cells) <= 3:
        return True
    if len(cells) == 4:
        return edges == 4 or degrees[-1] == 3
    if len(cells) == 5:
        return edges == 5 or degrees[-1] == 4
    return len(cells) == 6 and edges == 6 and degrees[-1] == 4


def _plain_seki(board: _Board, black: int, white: int, safe: "set[int]") -> "Seki | None":
    liberties = board.liberties[black], board.liberties[white]
    shared = liberties[0] & liberties[1]
    if not shared or len(liberties[0]) != 2 or len(liberties[1]) != 2:
        return None
    position = board.position
    for head, own, other in ((black, liberties[0], white), (white, liberties[1], black)):
        color = board.color[head]
        if any(board.joined(move, color)[1] != {head} for move in own):
            return None
        around = board.beside(head) - {other} - safe
        if any(len(board.liberties[near]) < 3 for near in around):
            return None  # one side might take something and be out of it
        if not all(_fill_loses(position, move, color) for move in shared):
            return None
        if not all(_is_barred(position, move, opponent(color)) for move in own - shared):
            return None
    eyes = (liberties[0] | liberties[1]) - shared
    return Seki((Move(black), Move(white)), _moves(shared), _moves(eyes), false_eye=False)


def _is_barred(position: Position, move: int, color: int) -> bool:
    """Say whether ``color`` may not play at ``move``, an eye of the other side."""
    return not position.with_to_move(color).is_legal(move)


def _false_eye_seki(board: _Board, eye: int, color: int) -> "Seki | None":
    """A seki whose chains of ``color`` are held together by the false eye at ``eye``."""
    heads = {board.head[q] for q in board.near[eye]}
    if len(heads) < 2 or any(board.color[q] != color for q in board.near[eye]):
        return None
    if any(len(board.liberties[head]) != 2 for head in heads):
        return None
    shared = frozenset[int]().union(*(board.liberties[head] for head in heads)) - {eye}
    if len(shared) != 2:
        return None
    theirs = [
        head
        for head in set[int]().union(*(board.beside(head) for head in heads))
        if board.liberties[head] == shared
    ]
    if len(theirs) != 1:
        return None
    position = board.position
    # What is taken joins the chains, which makes the false eye a real one.
    if not all(_fill_loses(position, m, opponent(color), shapes=False) for m in shared):
        return None
    return Seki(_moves({*heads, theirs[0]}), _moves(shared), (Move(eye),), false_eye=True)


def _moves(moves: "frozenset[int] | set[int]") -> tuple[Move, ...]:
    return tuple(Move(move) for move in sorted(moves))


def sekis_of(position: Position, safe: "set[int]") -> list[Seki]:
    """Return the plain sekis: filling a shared liberty has been played out for both sides."""
    board = _Board(position)
    found: list[Seki | None] = [
        _plain_seki(board, black, white, safe) for black, white in _pairs(board, safe)
    ]
    for move, color in enumerate(board.color):
        if color == EMPTY:
            around = {board.color[q] for q in board.near[move]}
            if len(around) == 1 and EMPTY not in around:
                found.append(_false_eye_seki(board, move, around.pop()))
    return [seki for seki in found if seki is not None]
