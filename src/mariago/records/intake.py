"""From the bytes of files to judged games: the first pass, run in workers.

Files go through the fast reader; those that it hands over, through the plain one. Both end in the
same arrays and the same replay.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mariago.board.points import MAX_SIZE, WHITE, Size
from mariago.records.archives import SourceFile
from mariago.records.filters import GameFilter, GameTraits
from mariago.records.replay_kernels import BAD_SETUP, KO_TAKEN, OCCUPIED, SUICIDE, judge
from mariago.records.schema import UNKNOWN_WINNER
from mariago.records.told import server_of
from mariago.rules.rule_sets import rules_of
from mariago.sgf.conversion import DEFAULT_RULES
from mariago.sgf.dates import read_date
from mariago.sgf.fast import ScannedBatch, scan_files
from mariago.sgf.games import ReadGame, read_games
from mariago.sgf.scan_kernels import OK, SIZE

__all__ = ["MAX_MOVES", "Drop", "GameFacts", "Intake", "take_in"]

LONGEST_TEXT = 1_000  # characters of a name, a date or a result that the table of games keeps
MAX_MOVES = 10_000  # a longer "game" is no game; move numbers are int16
# Problems for which a game is unreadable.
_UNREADABLE = ("no_game", "cut_off", "garbled", "too_many_stones")
_ILLEGAL = {
    OCCUPIED: "illegal_occupied",
    SUICIDE: "illegal_suicide",
    KO_TAKEN: "illegal_ko",
    BAD_SETUP: "illegal_setup",
}


@dataclass(frozen=True)
class GameFacts:
    """What is known of a game beside its moves; ``score`` and ``winner`` as in the schema."""

    file: int  # index among the files taken in
    path: str
    index_in_file: int
    size: Size
    winner: int
    score: float | None
    komi: float | None
    rules: str | None
    handicap: int
    handicap_bonus: int
    result_kind: str  # one of told.RESULT_KINDS
    texts: tuple[str, ...]  # in the order of spool.TEXT_NAMES


@dataclass(frozen=True)
class Drop:
    """A game that is not used: where it stood, why, and at which move (1-based, 0 none)."""

    file: int  # index among the files taken in
    path: str
    index_in_file: int
    reason: str
    move_number: int
    text: str


@dataclass
class Intake:
    """The judged games of a few files; arrays as in ``replay_kernels.judge``."""

    rows: NDArray[np.int64]  # (G,)
    columns: NDArray[np.int64]  # (G,)
    first: NDArray[np.int64]  # (G + 1,)
    colors: NDArray[np.uint8]  # (M,)
    moves: NDArray[np.int16]  # (M,)
    setup_first: NDArray[np.int64]  # (G + 1,)
    setup: NDArray[np.int16]  # (S, 3)
    identities: NDArray[np.uint64]  # (G,)
    hashes: NDArray[np.uint64]  # (M,)
    tactical: NDArray[np.uint8]  # (M,)
    answers: NDArray[np.uint16]  # (M,), or (0,) where they were not asked for
    facts: list[GameFacts]  # G
    drops: list[Drop] = field(default_factory=list[Drop])
    files: int = 0
    handed_over: int = 0


def take_in(
    files: Sequence[SourceFile],
    sizes: frozenset[Size] | None,
    want_tactical: bool,
    wanted: GameFilter | None = None,
    want_answers: bool = False,
) -> Intake:
    """Read and judge the games of ``files``.

    Args:
        sizes: the wanted boards, None for any from 1x1 to 25x25.
        want_tactical: also find the tactical moves, which takes half as long again.
        wanted: games that it does not want are dropped before they are replayed.
        want_answers: also find the moves as symmetric positions see them.
    """
    scanned = scan_files([file.data or b"" for file in files])
    gathered = _Gathered(sizes, wanted)
    for i, file in enumerate(files):
        if scanned.codes[i] == OK:
            gathered.add_scanned(i, file.path, scanned)
        else:
            gathered.add_plain(i, file)
    return gathered.judged(len(files), want_tactical, want_answers)


class _Gathered:
    """Games on their way from the readers to the replay."""

    def __init__(self, sizes: frozenset[Size] | None, wanted: GameFilter | None) -> None:
        self.sizes = sizes
        self.wanted = None if wanted is None or wanted.asks_nothing else wanted
        self.facts: list[GameFacts] = []
        self.drops: list[Drop] = []
        self.colors: list[NDArray[np.uint8]] = []
        self.moves: list[NDArray[np.int16]] = []
        self.setup: list[NDArray[np.int16]] = []
        self.handed_over = 0

    def drop(
        self, file: int, path: str, index: int, reason: str, move_number: int = 0, text: str = ""
    ) -> None:
        self.drops.append(Drop(file, path, index, reason, move_number, text))

    def why_not(self, size: Size, moves: int) -> tuple[str, int, str] | None:
        """Return reason, move number and words for a board or a length that is not taken."""
        if moves > MAX_MOVES:
            return "unreadable", MAX_MOVES, f"more than {MAX_MOVES} moves"
        if max(size) > MAX_SIZE or (self.sizes is not None and size not in self.sizes):
            return "board_size", 0, f"a board of {size}"
        return None

    def is_filtered(self, facts: GameFacts, moves: int) -> bool:
        """Drop a game that is not wanted, and tell so."""
        if self.wanted is None:
            return False
        _, _, _, black_rank, white_rank, date, _, _, server, _ = facts.texts
        traits = GameTraits(
            (black_rank, white_rank), date, server, facts.handicap, facts.result_kind, moves
        )
        refused = self.wanted.why_not(traits)
        if refused is None:
            return False
        reason, text = refused
        self.drop(facts.file, facts.path, facts.index_in_file, reason, 0, text)
        return True

    def add_scanned(self, i: int, path: str, scanned: ScannedBatch) -> None:
        side = int(scanned.info[i, SIZE])
        span = scanned.span(i)
        refused = self.why_not(Size(side, side), span.stop - span.start)
        if refused is not None:
            self.drop(i, path, 0, *refused)
            return
        facts = _facts(i, path, 0, scanned.game(i, with_moves=False))
        if self.is_filtered(facts, span.stop - span.start):
            return
        self.facts.append(facts)
        self.colors.append(scanned.colors[span])
        self.moves.append(scanned.moves[span])
        self.setup.append(scanned.setup[scanned.setup_span(i)])

    def add_plain(self, i: int, file: SourceFile) -> None:
        self.handed_over += 1
        if file.data is None:
            self.drop(i, file.path, 0, "unreadable", 0, file.why)
            return
        games = read_games(file.data)
        for index, game in enumerate(games):
            refused = self.why_not(game.size, len(game.moves))
            if game.refusal is not None:
                refused = (game.refusal, *_place(game))
            if refused is not None:
                self.drop(i, file.path, index, *refused)
                continue
            facts = _facts(i, file.path, index, game)
            if self.is_filtered(facts, len(game.moves)):
                continue
            pairs = np.array(game.moves, np.int16).reshape(-1, 2)
            self.facts.append(facts)
            self.colors.append(pairs[:, 0].astype(np.uint8))
            self.moves.append(np.ascontiguousarray(pairs[:, 1]))
            self.setup.append(np.array(game.setup, np.int16).reshape(-1, 3))
        left_out = [problem for problem in games[-1].problems if problem.code == "too_many_games"]
        for problem in left_out:
            self.drop(i, file.path, len(games), "unreadable", 0, f"{problem.text} are left out")

    def judged(self, files: int, want_tactical: bool, want_answers: bool) -> Intake:
        """Replay all games, and take the impossible ones out."""
        n = len(self.facts)
        first = _starts(self.moves)
        setup_first = _starts(self.setup)
        colors = np.concatenate([np.empty(0, np.uint8), *self.colors])
        moves = np.concatenate([np.empty(0, np.int16), *self.moves])
        setup = np.concatenate([np.empty((0, 3), np.int16), *self.setup])
        rows = np.array([facts.size.rows for facts in self.facts], np.int64)
        columns = np.array([facts.size.columns for facts in self.facts], np.int64)
        codes, stopped = np.zeros(n, np.uint8), np.zeros(n, np.int32)
        identities, hashes = np.zeros(n, np.uint64), np.zeros(len(moves), np.uint64)
        tactical = np.zeros(len(moves), np.uint8)
        answers = np.zeros(len(moves) if want_answers else 0, np.uint16)
        judge(
            rows, columns, first, colors, moves, setup_first, setup, want_tactical,
            codes, stopped, identities, hashes, tactical, answers,
        )  # fmt: skip
        intake = Intake(
            rows, columns, first, colors, moves, setup_first, setup, identities, hashes, tactical,
            answers, self.facts, self.drops, files, self.handed_over,
        )  # fmt: skip
        if codes.any():
            for g in np.flatnonzero(codes):
                facts = self.facts[g]
                reason, at = _ILLEGAL[int(codes[g])], int(stopped[g]) + 1
                self.drop(facts.file, facts.path, facts.index_in_file, reason, at)
            intake = only_games(intake, codes == 0)
        return intake


def only_games(intake: Intake, kept: NDArray[np.bool_]) -> Intake:
    """Return the intake with only the games where ``kept`` (G,) is true."""
    if kept.all():
        return intake
    moved = np.repeat(kept, np.diff(intake.first))
    put_up = np.repeat(kept, np.diff(intake.setup_first))
    return Intake(
        rows=intake.rows[kept],
        columns=intake.columns[kept],
        first=_from_lengths(np.diff(intake.first)[kept]),
        colors=intake.colors[moved],
        moves=intake.moves[moved],
        setup_first=_from_lengths(np.diff(intake.setup_first)[kept]),
        setup=intake.setup[put_up],
        identities=intake.identities[kept],
        hashes=intake.hashes[moved],
        tactical=intake.tactical[moved],
        answers=intake.answers[moved] if len(intake.answers) else intake.answers,
        facts=[facts for facts, keep in zip(intake.facts, kept, strict=True) if keep],
        drops=intake.drops,
        files=intake.files,
        handed_over=intake.handed_over,
    )


def _from_lengths(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])


def _starts(parts: "Sequence[NDArray[np.int16]]") -> NDArray[np.int64]:
    return _from_lengths(np.array([len(part) for part in parts], np.int64))


def _place(game: ReadGame) -> tuple[int, str]:
    """Return the move number where reading stopped, and the words of what refused the game."""
    codes = _UNREADABLE if game.refusal == "unreadable" else (game.refusal,)
    texts = [found.text for code in codes for found in game.problems if found.code == code]
    at = len(game.moves) + 1 if game.refusal in ("bad_coordinate", "unreadable") else 0
    return at, texts[0] if texts else ""


def _facts(file: int, path: str, index: int, game: ReadGame) -> GameFacts:
    winner, score = UNKNOWN_WINNER, None
    if game.result is not None:
        said, points = game.result.winner, game.result.score
        winner = UNKNOWN_WINNER if said is None else said
        score = None if points is None else (-points if said == WHITE else points)
    info = game.info
    day = read_date(game.date) if game.date else None
    told = (
        game.result_text,
        *game.players,
        *game.ranks,
        game.date,
        info.get("EV", ""),
        "" if day is None else day.first,
        "fox" if game.is_fox else _server(info),
    )
    texts = (*map(_cut, told), json.dumps(game.repairs) if game.repairs else "")
    return GameFacts(
        file=file,
        path=path,
        index_in_file=index,
        size=game.size,
        winner=winner,
        score=score,
        komi=game.komi,
        rules=game.rules,
        handicap=game.handicap,
        handicap_bonus=_bonus(game.rules, game.handicap),
        result_kind="unknown" if game.result is None else game.result.how,
        texts=texts,
    )


def _cut(text: str) -> str:
    """Return a text of a record as a table keeps it; no name or date is longer."""
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


def _server(info: dict[str, str]) -> str:
    """Return the server that place, source, program or name of a game tell, "" for none."""
    told = (server_of(info[name]) for name in ("PC", "SO", "AP", "GN", "US") if name in info)
    return next((server for server in told if server), "")


@lru_cache(maxsize=1024)
def _bonus(rules: str | None, handicap: int) -> int:
    """Return White's points for handicap stones; unknown rules count as for a Game."""
    return rules_of(rules or DEFAULT_RULES).bonus_for(handicap)
