"""From the games of a match to its figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from statistics import median

from mariago.arena.clock import NOT_REPEATABLE
from mariago.arena.records import ENDINGS, Ending, GameRecord
from mariago.arena.schedule import start_position
from mariago.arena.settings import MatchSettings
from mariago.arena.statistics import (
    LEVEL,
    Estimate,
    SprtState,
    bootstrap_score,
    elo_estimate,
    median_lead,
    pair_score,
    pairs_to_tell,
    pentanomial_counts,
    wilson_interval,
)
from mariago.arena.stopping import complete_pairs, counted_games
from mariago.arena.symmetry import board_key, game_key, repeats_among
from mariago.board.points import BLACK

__all__ = [
    "DUPLICATE_AT_MOVE",
    "RULES_OF_COUNTING",
    "RULE_OF_STOPPING",
    "LeadFigures",
    "SideFigures",
    "Summary",
    "summarise",
]

DUPLICATE_AT_MOVE = 20

RULES_OF_COUNTING = (
    "A pair is two games from one opening with colours swapped. "
    "Score: win 1, draw and no result 1/2, loss 0.",
    "The score and its interval rest on complete pairs; "
    "the interval comes from the variance between pairs.",
    "An illegal move loses the game, and so does an error of a player's program; both are named.",
    "Wins that no such fault of the other side gave are counted apart.",
    "A game that is missing is no loss for anybody: its pair is left out of the score.",
    "Leads are counted at a game's end, all stones on the board as alive; "
    "area and territory are never mixed.",
    "Duplicates are equal up to the symmetries of the board.",
)
"""What the figures rest on, in words for every report."""

RULE_OF_STOPPING = (
    "A sequential test ended this match: the score of games that were stopped when they had said "
    "enough lies too far from one half, and so does its interval. The test's answer does not "
    "suffer from that."
)
"""What is added to them where a sequential test decided."""


@dataclass(frozen=True, slots=True)
class SideFigures:
    """One player's figures."""

    name: str
    wins: int
    wins_without_faults: int
    """Wins that no fault of the other side gave."""
    wins_as_black: int
    games_as_black: int
    wins_as_white: int
    games_as_white: int
    as_black: Estimate
    """Share of the points with this colour, draws and no result as halves; Wilson's interval."""
    as_white: Estimate
    illegal: int
    faults: int
    on_time: int
    """Games lost on time."""
    resigned: int
    seconds_a_move: float | None
    turns: int


@dataclass(frozen=True, slots=True)
class LeadFigures:
    """Player A's leads, in points, in the games that were counted one way."""

    counting: str
    """``"territory"`` or ``"area"``."""
    median: Estimate
    games: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of a match; scores and leads are Player A's."""

    planned: int
    played: int
    missing: tuple[int, ...]
    """Numbers of the games, from 0."""
    a: SideFigures
    b: SideFigures
    draws: int
    no_result: int
    score: Estimate
    """Mean over complete pairs."""
    pentanomial: tuple[int, ...]
    wilson: Estimate
    """The same share with games taken as independent."""
    bootstrap: Estimate
    """The score with an interval from draws of whole pairs."""
    elo: Estimate
    pairs_to_tell: int | None
    """About how many pairs tell a score of 55% from 50%; see ``statistics.pairs_to_tell``."""
    sprt: SprtState | None
    beyond: tuple[int, ...]
    """Numbers of games that were played beyond a sequential test's decision and are not counted."""
    leads: tuple[LeadFigures, ...]
    """One for each way of counting, that of the most games first; never mixed."""
    black_wins: int
    endings: dict[Ending, int]
    lengths: tuple[int, ...]
    duplicate_games: int
    duplicates_at_move_20: int
    """Games that are still within their openings there are left out."""
    level: float = LEVEL
    rules: tuple[str, ...] = field(default=RULES_OF_COUNTING)

    @property
    def tells(self) -> bool:
        """Say whether the interval of the score lies on one side of one half."""
        low, high = self.score.low, self.score.high
        return low is not None and high is not None and not low <= 0.5 <= high

    @property
    def lead(self) -> LeadFigures | None:
        """Return the leads of the way in which the most games were counted."""
        return self.leads[0] if self.leads else None

    @property
    def median_length(self) -> float | None:
        """Return the median number of moves."""
        return float(median(self.lengths)) if self.lengths else None

    def as_dict(self) -> dict[str, object]:
        """Return plain values for JSON."""
        sprt = None if self.sprt is None else self.sprt.as_dict()
        return {**asdict(self), "sprt": sprt, "median_length": self.median_length}


def _side(player: str, name: str, games: Sequence[GameRecord]) -> SideFigures:
    as_black = [game for game in games if game.black == player]
    as_white = [game for game in games if game.black != player]
    lost = [game for game in games if game.winner not in (0, game.color_of(player))]
    endings = Counter(game.ending for game in lost)
    seconds = sum(game.seconds.get(player, 0.0) for game in games)
    turns = sum(game.turns.get(player, 0) for game in games)
    black_wins = sum(game.points_of(player) == 1 for game in as_black)
    white_wins = sum(game.points_of(player) == 1 for game in as_white)
    given = sum(game.by_fault and game.winner == game.color_of(player) for game in games)
    return SideFigures(
        name=name,
        wins=black_wins + white_wins,
        wins_without_faults=black_wins + white_wins - given,
        wins_as_black=black_wins,
        games_as_black=len(as_black),
        wins_as_white=white_wins,
        games_as_white=len(as_white),
        as_black=wilson_interval(sum(game.points_of(player) for game in as_black), len(as_black)),
        as_white=wilson_interval(sum(game.points_of(player) for game in as_white), len(as_white)),
        illegal=endings["illegal"],
        faults=endings["fault"],
        on_time=endings["time"],
        resigned=endings["resign"],
        seconds_a_move=seconds / turns if turns else None,
        turns=turns,
    )


def _pairs(games: Sequence[GameRecord]) -> dict[int, list[GameRecord]]:
    pairs: dict[int, list[GameRecord]] = {}
    for game in games:
        pairs.setdefault(game.pair, []).append(game)
    return pairs


def _duplicates_at(games: Sequence[GameRecord], settings: MatchSettings, move: int) -> int:
    keys: list[bytes] = []
    for game in games:
        if len(game.moves) < move or len(game.opening) >= move:
            continue
        position = start_position(settings, game.start)
        for played in game.moves[:move]:
            position = position.play(played)
        keys.append(board_key(position.stones, position.to_move))
    return repeats_among(keys)


def _game_key(game: GameRecord, settings: MatchSettings) -> bytes:
    return game_key(start_position(settings, game.start).stones, game.moves)


def _leads(pairs: Iterable[Sequence[GameRecord]], counting: str) -> LeadFigures:
    found = [[lead for game in pair for lead in _lead(game, counting)] for pair in pairs]
    return LeadFigures(counting, median_lead(found), tuple(lead for pair in found for lead in pair))


def _lead(game: GameRecord, counting: str) -> list[float]:
    lead = game.lead_of("a") if game.counting == counting else None
    return [] if lead is None else [lead]


def _endings(games: Sequence[GameRecord]) -> dict[Ending, int]:
    counts = Counter(game.ending for game in games)
    return {ending: counts[ending] for ending in ENDINGS if counts[ending]}


def summarise(settings: MatchSettings, games: Sequence[GameRecord]) -> Summary:
    """Return the figures of a match from its games, in any order."""
    counted = counted_games(settings, games)
    games = counted.games
    pairs = _pairs(games)
    complete = complete_pairs(games)
    scores = [sum(game.points_of("a") for game in pair) / 2 for pair in complete.values()]
    ways = Counter(game.counting for game in games if game.counting)
    points = sum(game.points_of("a") for game in games)
    score = pair_score(scores)
    played = {game.number for game in games}
    decided = counted.sprt is not None and counted.sprt.decision is not None
    return Summary(
        planned=settings.games,
        played=len(games),
        missing=tuple(n for n in range(counted.last + 1) if n not in played),
        a=_side("a", settings.names["a"], games),
        b=_side("b", settings.names["b"], games),
        draws=sum(game.winner == 0 and game.ending != "no_result" for game in games),
        no_result=sum(game.ending == "no_result" for game in games),
        score=score,
        pentanomial=tuple(pentanomial_counts(scores)),
        wilson=wilson_interval(points, len(games)),
        bootstrap=bootstrap_score(scores),
        elo=elo_estimate(score),
        pairs_to_tell=pairs_to_tell(scores),
        sprt=counted.sprt,
        beyond=tuple(game.number for game in counted.beyond),
        leads=tuple(_leads(pairs.values(), way) for way, _ in ways.most_common()),
        black_wins=sum(game.winner == BLACK for game in games),
        endings=_endings(games),
        lengths=tuple(len(game.moves) for game in games),
        duplicate_games=repeats_among(_game_key(game, settings) for game in games),
        duplicates_at_move_20=_duplicates_at(games, settings, DUPLICATE_AT_MOVE),
        rules=(
            *RULES_OF_COUNTING,
            *((RULE_OF_STOPPING,) if decided else ()),
            *((NOT_REPEATABLE,) if settings.time else ()),
        ),
    )
