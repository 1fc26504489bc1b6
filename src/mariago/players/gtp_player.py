"""``gtp:"COMMAND"``: an outside engine that speaks the Go Text Protocol."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import Field

from mariago.board.points import (
    BLACK,
    COLOR_NAMES,
    WHITE,
    Move,
    Size,
    move_to_vertex,
    vertex_to_move,
)
from mariago.errors import BadInputError, CoordinateError, EngineError
from mariago.players.protocol import Decision, Limits
from mariago.players.registry import Kind, Options
from mariago.rules.result import Result

if TYPE_CHECKING:
    from mariago.gtpwire import Engine
    from mariago.players.clock import ClockLeft
    from mariago.rules import Position, RuleSet
    from mariago.rules.position_view import PositionView

__all__ = ["KIND", "GtpOptions", "GtpPlayer"]

LATER_THAN_THE_CLOCK_S = 5.0  # how long an engine that oversteps its clock is waited for
LARGEST_SEED = 2**31 - 1  # GNU Go reads seeds as int
LONGEST_NAME = 200  # characters of an engine's name, and of its version
MOST_HASHED = 1 << 28  # bytes of a program file

_KGS_RULES = {
    "chinese": "chinese",
    "japanese": "japanese",
    "korean": "japanese",
    "aga": "aga",
    "new_zealand": "new_zealand",
}
_KATA_BONUS = {"none": "0", "n": "N", "n-1": "N-1"}


class GtpOptions(Options):
    """Keys of ``gtp``."""

    timeout_s: float = Field(60, gt=0, description="seconds for one reply; more is a lost game")
    start_timeout_s: float = Field(
        60, gt=0, description="seconds for the first reply, as while a network loads"
    )
    fresh: bool = Field(
        True, description="a fresh process for every game, so that none leans on those before"
    )
    level: int | None = Field(None, ge=0, description="strength, sent as the command 'level'")
    commands: str = Field("", description="further commands at the start, divided by ';'")
    tell_rules: bool = Field(
        True, description="name the rules by kata-set-rules or kgs-rules, where it knows them"
    )


class GtpPlayer:
    """Plays what an outside engine answers.

    The engine follows the positions it is shown: it is sent the moves it has not seen, or, where
    the positions went another way, everything from the start. A fault ends its process and raises;
    the next game begins with a fresh one. Engines carry more from game to game than their seed:
    GNU Go 3.8 answers the same seed in its second game otherwise than in its first.
    """

    def __init__(self, name: str, command: str, options: GtpOptions) -> None:
        self.name = name
        self.command = command
        self.options = options
        self._engine: Engine | None = None
        self._said: dict[str, object] = {}
        self._seed = 0
        self._has_played = False
        self._start: tuple[object, ...] | None = None  # what the engine's board began with
        self._moves: list[tuple[int, Move]] = []  # and the moves on it since
        self._time_s: float | None = None
        self._clock_told = False

    # -- the protocol of players -------------------------------------------------------------

    def new_game(self, seed: int) -> None:
        """Start the engine where it is not running, and seed it where it can be seeded."""
        self._seed = seed
        if self.options.fresh and self._has_played:
            self.close()
        with _Closing(self):
            self._seed_engine(self._running())
        self._start, self._has_played, self._clock_told = None, True, False

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Return the engine's move or its resignation.

        Raises:
            EngineError: it ended, hung, refused a command or answered what is no move.
        """
        with _Closing(self):
            engine = self._running()
            self._follow(engine, position)
            color = position.to_move
            wait_s = None
            if limits.clock is None:
                self._tell_time(engine, limits.time_s)
            else:
                self._tell_clock(engine, limits.clock, COLOR_NAMES[color])
                wait_s = limits.clock.most_s + LATER_THAN_THE_CLOCK_S
            answer = engine.ask(f"genmove {COLOR_NAMES[color]}", wait_s)
            word = answer.split()[0] if answer.split() else ""
            if word.lower() == "resign":
                self._start = None
                return Decision(position.size.cells, resigned=True)
            try:
                move = vertex_to_move(word, position.size)
            except CoordinateError:
                shown = " ".join(answer.split())[:80]
                raise EngineError("garbage", f"the engine answers {shown!r} to genmove") from None
        if position.is_legal(move):
            self._moves.append((color, move))
        else:
            self._start = None  # what its board holds now is its own affair
        return Decision(int(move))

    def final_score(self, position: Position) -> float:
        """Return Black's lead as the engine counts the position, by its ``final_score``.

        Raises:
            EngineError: it ended, hung, refused a command or answered what is no count.
        """
        with _Closing(self):
            engine = self._running()
            self._follow(engine, position)
            said = engine.ask("final_score")
            try:
                lead = Result.parse(said).black_margin
            except BadInputError:
                lead = None
            if lead is None or abs(lead) > 2 * position.size.cells + abs(position.komi):
                shown = " ".join(said.split())[:80]
                raise EngineError("garbage", f"the engine answers {shown!r} to final_score")
        return lead

    def describe(self) -> dict[str, object]:
        """Return name, keys, the engine's own name and version, and how it is seeded.

        Raises:
            EngineError: the engine does not start.
        """
        if not self._said:
            with _Closing(self):
                self._running()
        return {
            "name": self.name,
            "kind": "gtp",
            **self.options.model_dump(),
            "command": self.command,
            "command_sha256": hashlib.sha256(self.command.encode()).hexdigest(),
            "program_sha256": _hash_of_program(self.command),
            **self._said,
        }

    def close(self) -> None:
        """End the engine."""
        if self._engine is not None:
            self._engine.close()
        self._engine, self._start, self._has_played = None, None, False

    def close_after(self, error: EngineError) -> None:
        """End the engine after a fault, and let the error have its last words.

        What it writes on standard error may come after its answer; at its end all is there.
        """
        engine = self._engine
        self.close()
        if engine is not None and not error.last_words and engine.last_words:
            error.last_words = engine.last_words
            error.hint = error.hint or f"its last words: {engine.last_words}"

    # -- the engine --------------------------------------------------------------------------

    def _running(self) -> Engine:
        """Return the engine, started where it is not running."""
        from mariago.gtpwire import Engine

        if self._engine is not None and self._engine.is_running:
            return self._engine
        self.close()
        self._time_s, self._clock_told = None, False
        engine = self._engine = Engine(self.command, timeout_s=self.options.timeout_s)
        name = engine.send("name", self.options.start_timeout_s)
        version = engine.send("version")
        self._said = {
            "engine": " ".join(name.text.split())[:LONGEST_NAME] if name.ok else "",
            "engine_version": " ".join(version.text.split())[:LONGEST_NAME] if version.ok else "",
            "seeded_by": "set_random_seed" if engine.knows("set_random_seed") else "nothing",
        }
        if self.options.level is not None:
            engine.ask(f"level {self.options.level}")
        for command in self.options.commands.split(";"):
            if command.strip():
                engine.ask(command.strip())
        self._seed_engine(engine)
        return engine

    def _seed_engine(self, engine: Engine) -> None:
        if self._said["seeded_by"] != "nothing":
            engine.ask(f"set_random_seed {self._seed % LARGEST_SEED}")

    def _follow(self, engine: Engine, position: Position) -> None:
        """Bring the engine's board to ``position``."""
        start, moves = position.start, position.moves
        begun = (
            *(start.size, start.stones.tobytes(), start.handicap),
            *(position.rules, position.komi),
        )
        known = len(self._moves)
        if begun != self._start or moves[:known] != self._moves:
            self._start, known = None, 0
            self._set_up(engine, start, position.rules, position.komi)
            self._start, self._moves = begun, []
        for color, move in moves[known:]:
            vertex = move_to_vertex(move, position.size)
            engine.ask(f"play {COLOR_NAMES[color]} {vertex}")
            self._moves.append((color, move))

    def _set_up(self, engine: Engine, start: PositionView, rules: RuleSet, komi: float) -> None:
        _set_size(engine, start.size)
        engine.ask("clear_board")
        if self.options.tell_rules:
            _set_rules(engine, rules)
        engine.ask(f"komi {komi:g}")
        _set_stones(engine, start)

    def _tell_time(self, engine: Engine, time_s: float | None) -> None:
        """Allow ``time_s`` for every move, as Canadian byo-yomi of one stone."""
        if time_s != self._time_s and time_s is not None and engine.knows("time_settings"):
            engine.ask(f"time_settings 0 {max(round(time_s), 1)} 1")
        self._time_s = time_s

    def _tell_clock(self, engine: Engine, left: ClockLeft, color: str) -> None:
        """Tell the terms once a game, in the form that the engine knows best, and what is left.

        Fischer's clock has no word in GTP: KataGo's is used where it is known, elsewhere the main
        time alone, to which ``time_left`` adds what was won.
        """
        if not self._clock_told:
            self._clock_told = True
            main_s, period_s = round(left.main_s), max(1, round(left.period_s))
            if left.increment_s and engine.knows("kata-time_settings"):
                engine.ask(f"kata-time_settings fischer {left.main_s:g} {left.increment_s:g}")
            elif left.periods and engine.knows("kgs-time_settings"):
                engine.ask(f"kgs-time_settings byoyomi {main_s} {period_s} {left.periods}")
            elif engine.knows("time_settings"):
                over = f"{period_s} 1" if left.periods else "0 0"
                engine.ask(f"time_settings {main_s} {over}")
        if engine.knows("time_left"):
            if left.main_s > 0 or not left.periods:
                engine.ask(f"time_left {color} {int(left.main_s)} 0")
            else:
                stones = left.periods if engine.knows("kgs-time_settings") else 1
                engine.ask(f"time_left {color} {int(left.period_s)} {stones}")


class _Closing:
    """Ends a player's engine where an EngineError passes through."""

    def __init__(self, player: GtpPlayer) -> None:
        self.player = player

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, EngineError):
            self.player.close_after(error)


def _set_size(engine: Engine, size: Size) -> None:
    if size.rows == size.columns:
        engine.ask(f"boardsize {size.rows}")
    elif engine.knows("rectangular_boardsize"):
        engine.ask(f"rectangular_boardsize {size.columns} {size.rows}")
    else:
        raise EngineError("refused", f"the engine has no board of {size}, only square ones")


def _set_rules(engine: Engine, rules: RuleSet) -> None:
    """Name the rules; an engine that has others keeps its own."""
    if engine.knows("kata-set-rules"):
        terms = {
            "ko": rules.ko.upper(),
            "scoring": rules.scoring.upper(),
            "tax": "SEKI" if rules.scoring == "territory" else "NONE",
            "suicide": rules.suicide,
            "hasButton": False,
            "whiteHandicapBonus": _KATA_BONUS[rules.handicap_bonus],
        }
        engine.send(f"kata-set-rules {json.dumps(terms)}")
    elif rules.name in _KGS_RULES and engine.knows("kgs-rules"):
        engine.send(f"kgs-rules {_KGS_RULES[rules.name]}")


def _set_stones(engine: Engine, start: PositionView) -> None:
    """Put up the stones of the start: as a handicap, as a set-up, or move by move.

    No order of playing the stones of a position captures any: a part of a chain has the rest of it,
    or the chain's own liberty, for a liberty.
    """
    stones = start.stones.ravel()
    placed = [(int(color), Move(move)) for move, color in enumerate(stones) if color]
    if not placed:
        return
    vertices = [(color, move_to_vertex(move, start.size)) for color, move in placed]
    handicap = start.handicap == len(placed) and all(color == BLACK for color, _ in placed)
    if handicap and start.to_move == WHITE and engine.knows("set_free_handicap"):
        engine.ask("set_free_handicap " + " ".join(vertex for _, vertex in vertices))
    elif engine.knows("set_position"):
        engine.ask("set_position " + " ".join(f"{'.bw'[c]} {vertex}" for c, vertex in vertices))
    else:
        for color, vertex in vertices:
            engine.ask(f"play {COLOR_NAMES[color]} {vertex}")


def _hash_of_program(command: str) -> str | None:
    """Return the hash of the program's file, None where it is no file of a usual size."""
    from mariago.gtpwire import split_command

    found = shutil.which(split_command(command)[0])
    path = Path(found) if found else None
    if path is None or not path.is_file() or path.stat().st_size > MOST_HASHED:
        return None
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _build(name: str, target: str | None, options: GtpOptions) -> GtpPlayer:
    from mariago.gtpwire import split_command

    assert target is not None
    split_command(target)
    return GtpPlayer(name, target, options)


KIND = Kind(
    "gtp",
    'An outside engine that speaks GTP, as gtp:"gnugo --mode gtp --chinese-rules". '
    "The command is run as given, with your rights.",
    GtpOptions,
    _build,
    target="COMMAND",
)
