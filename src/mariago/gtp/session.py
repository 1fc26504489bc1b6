"""What a controller plays on: a game, its terms, and the player behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from mariago.board.points import Move, Size, move_to_vertex, size_of
from mariago.errors import BadInputError, IllegalMoveError, PlayerError
from mariago.gtp.clock import Clock
from mariago.players import Decision, Limits, Player
from mariago.rules import Game, Position, RuleSet, free_handicap_start, rules_of

__all__ = ["Outlet", "Session"]

LARGEST_KOMI = 10_000


class Outlet(Protocol):
    """The way to the controller while a command is being answered."""

    def begin(self) -> None:
        """Begin the reply, as one that succeeds."""
        ...

    def say(self, line: str) -> None:
        """Add a line to the reply at once."""
        ...

    def is_interrupted(self) -> bool:
        """Say whether the controller has sent another line, or has gone."""
        ...


class Session:
    """One run of the server. Boards are cleared and sized again; the player stays.

    Attributes:
        game: what was played since the board was last cleared.
        rules, komi: hold for the game and for those that follow.
        clock: the time that was agreed.
        quitting: set by ``quit``.
        outlet: where a command says something before it ends; None where nobody listens.
    """

    def __init__(
        self,
        make: Callable[[], Player],
        name: str = "",
        *,
        size: int | str | Size = 19,
        rules: str | RuleSet = "chinese",
        komi: float | None = None,
        seed: int = 0,
    ) -> None:
        self._make = make
        self.name = name
        self.rules = rules_of(rules)
        self.komi = self.rules.komi if komi is None else komi
        self.seed = seed
        self.clock = Clock()
        self.quitting = False
        self.outlet: Outlet | None = None
        self._games = 0
        self._player_is_set = False
        self._to_move: int | None = None  # what a loaded record says of the next move
        self.game = Game()
        self.clear(size_of(size))

    @cached_property
    def player(self) -> Player:
        """The player, built when first asked for."""
        return self._make()

    def close(self) -> None:
        """Let go of the player."""
        if "player" in self.__dict__:
            self.player.close()

    # -- the board ---------------------------------------------------------------------------

    @property
    def size(self) -> Size:
        """The board's size."""
        return self.game.start.size

    @property
    def position(self) -> Position:
        """The position now, the side to move being whom the game or the record expects."""
        now = self.game.position
        return now if self._to_move is None else now.with_to_move(self._to_move)

    @property
    def is_empty(self) -> bool:
        """Whether no stone is on the board."""
        return not self.game.position.stones.any()

    def clear(self, size: Size | None = None) -> None:
        """Begin a new game on an empty board."""
        self.begin(Game(Position.empty(size or self.size, self.rules, self.komi)))

    def begin(self, game: Game, to_move: int | None = None) -> None:
        """Go on from another game; ``to_move`` goes before what its moves say."""
        self.game = game
        self.rules, self.komi = game.start.rules, game.start.komi
        self._to_move = to_move
        self._player_is_set = False
        self.clock.left.clear()

    def set_terms(self, *, rules: str | RuleSet | None = None, komi: float | None = None) -> None:
        """Change rules or komi in the middle of a game, which is replayed under them.

        Raises:
            BadInputError: a komi that no board has, or moves that the rules forbid.
            RulesError: unknown rules.
        """
        known = self.rules if rules is None else rules_of(rules)
        # Minus zero, and what is too small to be seen, are no komi.
        points = self.komi if komi is None else round(komi, 6) + 0.0
        if abs(points) > LARGEST_KOMI:
            raise BadInputError("komi out of range")
        try:
            self.game = self._replayed(known, points)
        except IllegalMoveError as error:
            raise BadInputError(f"the game breaks these rules: {error}") from None
        self.rules, self.komi = known, points

    def _replayed(self, rules: RuleSet, komi: float) -> Game:
        old = self.game
        start = old.start.with_rules(rules, komi=komi)
        setups = [(setup.ply, *stone) for setup in old.setups for stone in setup.points]
        return Game.from_moves(
            start, old.moves, setups=setups, players=old.players, properties=old.properties
        )

    # -- moves -------------------------------------------------------------------------------

    def play(self, color: int, move: int) -> None:
        """Play a move of either side.

        Raises:
            IllegalMoveError: the rules forbid it.
        """
        self.game.append(color, move)
        self._to_move = None

    def play_all(self, moves: Sequence[tuple[int, int]]) -> None:
        """Play moves, or none of them where one is illegal."""
        before = len(self.game)
        try:
            for color, move in moves:
                self.play(color, move)
        except IllegalMoveError:
            self.game.undo(len(self.game) - before)
            raise

    def undo(self, count: int = 1) -> None:
        """Take moves back.

        Raises:
            RulesError: there are fewer.
        """
        self.game.undo(count)
        self._to_move = None

    def handicap(self, points: Iterable[Move]) -> None:
        """Begin a game with handicap stones; they are no moves.

        Raises:
            RulesError: see ``free_handicap_start``.
        """
        self.begin(Game(free_handicap_start(self.size, points, self.rules, self.komi)))

    # -- the player --------------------------------------------------------------------------

    @property
    def guess(self) -> Callable[[Position], npt.NDArray[np.float64] | None] | None:
        """Return the player's own view of whose each point is, None where it has none."""
        return getattr(self.player, "ownership", None)

    def question(self, color: int) -> tuple[Position, Limits]:
        """Return what the player is asked for ``color``; a new game is told to it before."""
        if not self._player_is_set:
            words = np.random.SeedSequence((self.seed, self._games)).generate_state(1, np.uint64)
            self.player.new_game(int(words[0] >> np.uint64(1)))
            self._player_is_set, self._games = True, self._games + 1
        position = self.game.position.with_to_move(color)
        return position, Limits(time_s=self.clock.allowance_s(color))

    def forget(self) -> None:
        """Let the player begin again, as for a new game, at its next question."""
        self._player_is_set = False

    def decide(self, color: int) -> Decision:
        """Return the player's answer for ``color``, unchecked and not played.

        Raises:
            PlayerError: it fails.
        """
        position, limits = self.question(color)
        return self.player.choose(position, limits)

    def choose(self, color: int) -> Move | None:
        """Return the player's move for ``color``, which is not played; None where it resigns.

        Raises:
            PlayerError: it fails, or its move is illegal.
        """
        return self.checked(color, self.decide(color))

    def checked(self, color: int, decision: Decision) -> Move | None:
        """Return the move of a decision; None where the player resigns.

        Raises:
            PlayerError: its move is illegal.
        """
        if decision.resigned:
            return None
        move = decision.move
        if not 0 <= move <= self.size.cells:
            raise PlayerError(f"the player answers {move!r}, which is no move")
        reason = self.game.position.with_to_move(color).why_illegal(move)
        if reason is not None:
            where = move_to_vertex(move, self.size)
            raise PlayerError(f"the player answers {where}, which is illegal: {reason}")
        return Move(int(move))
