"""Game: a start, moves, players, a result and where it came from."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from mariago.board.points import BLACK, COLOR_NAMES, WHITE, Move, move_to_vertex, vertex_to_move
from mariago.errors import IllegalMoveError, RulesError
from mariago.rules.position import Position
from mariago.rules.result import Result


@dataclass(frozen=True)
class Player:
    """Who played one side."""

    name: str = ""
    rank: str = ""


class Setup(NamedTuple):
    """Points set by hand in the middle of a game, before the move with index ``ply``."""

    ply: int
    points: tuple[tuple[int, Move], ...]  # (colour or EMPTY, move)


@dataclass
class Game:
    """One game of Go.

    ``moves`` holds (colour, move) in order; colours need not alternate where a record says so.
    ``result`` is ``Result.unknown()`` until the game has one. ``properties`` holds other facts
    by SGF property name, ``source`` names where the game was read.
    """

    start: Position = field(default_factory=Position.empty)
    players: dict[int, Player] = field(default_factory=lambda: {BLACK: Player(), WHITE: Player()})
    result: Result = field(default_factory=Result.unknown)
    properties: dict[str, str] = field(default_factory=dict)
    source: "str | None" = None
    setups: list[Setup] = field(default_factory=list, init=False)
    _line: list[Position] = field(default_factory=list, init=False, repr=False)
    _moves: list[tuple[int, Move]] = field(default_factory=list, init=False, repr=False)

    def __post_init__(self) -> None:
        self._line = [self.start]

    @classmethod
    def from_moves(
        cls,
        start: Position,
        moves: "Iterable[tuple[int, int]]",
        *,
        setups: "Iterable[tuple[int, int, int]]" = (),
        players: "dict[int, Player] | None" = None,
        result: "Result | None" = None,
        properties: "dict[str, str] | None" = None,
        source: "str | None" = None,
    ) -> "Game":
        """Return the game that a record tells: moves go on past two passes or a repeated board.

        Args:
            start: the position before any move.
            moves: (colour, move), oldest first.
            setups: (ply, colour or EMPTY, move): points set by hand before the move with index ply.
            players, result, properties, source: see the class.

        Raises:
            IllegalMoveError: a move is illegal; ``.where`` holds its number.
            RulesError: set-up stones leave a chain without liberty.
        """
        game = cls(start, source=source)
        if players is not None:
            game.players = {**game.players, **players}
        if properties is not None:
            game.properties = dict(properties)
        by_ply: dict[int, list[tuple[int, int]]] = {}
        for ply, color, move in setups:
            by_ply.setdefault(ply, []).append((color, move))
        for ply, (color, move) in enumerate(moves):
            if ply in by_ply:
                game.set_up(by_ply.pop(ply))
            game.append(color, move)
        if len(game) in by_ply:
            game.set_up(by_ply.pop(len(game)))
        if by_ply:
            raise RulesError(f"set-up stones before move {min(by_ply) + 1}, which is not there")
        if result is not None:
            game.result = result
        return game

    # -- where the game stands -------------------------------------------------------------

    @property
    def moves(self) -> list[tuple[int, Move]]:
        """The moves (colour, move), oldest first; a copy."""
        return list(self._moves)

    @property
    def position(self) -> Position:
        """The position after the last move."""
        return self._line[-1]

    def positions(self) -> Iterator[Position]:
        """Yield the start and the position after each move: ``len(moves) + 1`` of them.

        The side to move is as the position before left it; ``moves`` tells who really moved.
        """
        yield from self._line

    def __len__(self) -> int:
        return len(self._moves)

    @property
    def is_over(self) -> bool:
        """Whether the game has a result, or two passes or a repeated board have ended it."""
        return self.result != Result.unknown() or self.position.is_over

    @property
    def awaits_count(self) -> bool:
        """Whether two passes have ended the game and it has no result yet."""
        return self.position.passes >= 2 and self.result == Result.unknown()

    # -- playing ---------------------------------------------------------------------------

    def play(self, move: "int | str", color: "int | None" = None) -> Position:
        """Play a move (a move index, ``"D4"`` or ``"pass"``) and return the position after it.

        Two passes in a row end the game, to be counted; a repeated board under simple ko ends it
        as no result (``Result.void()``).

        Raises:
            RulesError: the game is over.
            IllegalMoveError: occupied, suicide, ko or superko.
        """
        if self.is_over:
            raise RulesError("the game is over", hint="undo a move, or start a new game")
        if isinstance(move, str):
            move = vertex_to_move(move, self.start.size)
        after = self.append(self.position.to_move if color is None else color, move)
        if after.repeated:
            self.result = Result.void()
        return after

    def append(self, color: int, move: int) -> Position:
        """Play a move that was made, past two passes and a repeated board too, as records go on.

        Raises:
            IllegalMoveError: occupied, suicide, ko or superko; ``.where`` holds its number.
        """
        before = self.position.with_to_move(color)
        try:
            after = before.play(move)
        except IllegalMoveError as error:
            number = f"move {len(self._moves) + 1}"
            vertex = move_to_vertex(move, self.start.size)
            raise IllegalMoveError(error.reason, vertex, where=number) from error
        self._moves.append((color, Move(int(move))))
        self._line.append(after)
        return after

    def play_pass(self) -> Position:
        """Pass for the side to move."""
        return self.play(self.start.size.cells)

    def set_up(self, points: "Iterable[tuple[int, int]]") -> Position:
        """Set points (colour or EMPTY, move) by hand, as teachers and records do between moves.

        Raises:
            RulesError: a chain is left without liberty.
        """
        chosen = tuple((color, Move(int(move))) for color, move in points)
        self._line[-1] = self.position.with_setup(chosen)
        if self._moves:
            self.setups.append(Setup(len(self._moves), chosen))
        else:
            self.start = self._line[-1]
        return self.position

    def undo(self, count: int = 1) -> Position:
        """Take back ``count`` moves, and any result, and return the position before them.

        Raises:
            RulesError: fewer moves were played.
        """
        if not 0 <= count <= len(self._moves):
            raise RulesError(f"cannot take back {count} of {len(self._moves)} moves")
        if count > 0:
            del self._moves[-count:]
            del self._line[-count:]
            self.setups = [setup for setup in self.setups if setup.ply <= len(self._moves)]
        self.result = Result.unknown()
        return self.position

    def resign(self, color: "int | None" = None) -> Result:
        """End the game: ``color`` (the side to move where none is given) resigns."""
        return self._end(Result.by_resignation(self._side(color)))

    def lose_on_time(self, color: "int | None" = None) -> Result:
        """End the game: ``color`` (the side to move where none is given) has no time left."""
        return self._end(Result.by_time(self._side(color)))

    def forfeit(self, color: "int | None" = None) -> Result:
        """End the game: ``color`` (the side to move where none is given) forfeits it."""
        return self._end(Result.by_forfeit(self._side(color)))

    def count(self, black_margin: float) -> Result:
        """End the game with a count: Black's points less White's, komi and bonus included."""
        return self._end(Result.by_score(black_margin))

    # -- inside ----------------------------------------------------------------------------

    def _side(self, color: "int | None") -> int:
        side = self.position.to_move if color is None else color
        if side not in COLOR_NAMES:
            raise RulesError(f"{side} is not a side", hint="1 is Black, 2 is White")
        return side

    def _end(self, result: Result) -> Result:
        if self.result != Result.unknown():
            raise RulesError(f"the game is over: {self.result}")
        self.result = result
        return result
