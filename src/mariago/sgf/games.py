"""The plain reader: the main line of each game of a file, in numbers.

This is the reference for the fast reader in ``scan_kernels``. What it puts up with is listed in
``docs/reference/sgf.md``; each leniency leaves a ``Problem``.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from mariago.board.points import BLACK, WHITE, Size
from mariago.rules.result import Result
from mariago.sgf.dates import GameDate, read_date
from mariago.sgf.encodings import Decoded
from mariago.sgf.formats import format_of, read_other
from mariago.sgf.grammar import Collection, GameTree, parse_collection, unescaped
from mariago.sgf.main_line import MainLine
from mariago.sgf.names import one_line
from mariago.sgf.problems import REFUSALS, Problem, raise_first
from mariago.sgf.ranks import Rank, read_rank
from mariago.sgf.repairs import DEPARTURES, Repair, handicap_of, repairs_of_texts
from mariago.sgf.results import largest_score, read_result
from mariago.sgf.values import read_komi, read_rules

if TYPE_CHECKING:
    from mariago.rules.game import Game
    from mariago.rules.rule_sets import RuleSet

__all__ = ["REFUSALS", "ReadGame", "assemble", "read_games"]


@dataclass(slots=True)
class ReadGame:
    """The main line of one game as it stands in a file; nothing has been replayed.

    ``moves`` are (color, move) with move = row * columns + column and rows * columns for a pass;
    ``setup`` are (ply, color, move): before the move with index ``ply``, the point gets a stone of
    ``color`` or, with 0, is cleared. ``komi`` is in points, None where unknown; ``result`` is None
    where RE says nothing that is known. ``info`` holds the texts of the
    properties in ``INFO_NAMES`` as they stand. ``refusal`` is None, or one of ``REFUSALS``: why the
    game cannot be used as a record; what could be read is there all the same.
    ``repairs`` tells what was taken for something else than it says.
    """

    size: Size
    moves: list[tuple[int, int]]
    setup: list[tuple[int, int, int]]
    first_player: int
    handicap: int
    komi: float | None
    rules: str | None
    result: Result | None
    info: dict[str, str]
    refusal: str | None = None
    problems: list[Problem] = field(default_factory=list[Problem], compare=False)
    source: str = field(default="", compare=False)
    is_fox: bool = False  # bears the marks of the Fox server
    repairs: list[Repair] = field(default_factory=list[Repair])
    encoding: str = "utf-8"  # the codec of the file's text

    @property
    def players(self) -> tuple[str, str]:
        """The names of Black and White, "" where there is none."""
        return self.info.get("PB", ""), self.info.get("PW", "")

    @property
    def ranks(self) -> tuple[str, str]:
        """The ranks of Black and White as written, "" where there is none."""
        return self.info.get("BR", ""), self.info.get("WR", "")

    @property
    def date(self) -> str:
        """The text of DT."""
        return self.info.get("DT", "")

    def rank_of(self, color: int) -> Rank | None:
        """Return the rank of a side, None where its text tells none."""
        return read_rank(self.ranks[0 if color == BLACK else 1])

    @property
    def played_on(self) -> GameDate | None:
        """When the game was played, None where DT does not tell."""
        return read_date(self.date)

    def to_game(self, rules: "str | RuleSet | None" = None) -> "Game":
        """Return the game played through; see ``conversion.game_of`` for what it raises."""
        from mariago.sgf.conversion import game_of

        return game_of(self, rules)

    @property
    def komi_text(self) -> str:
        """The text of KM, before any repair."""
        return self.info.get("KM", "")

    @property
    def rules_text(self) -> str:
        """The text of RU."""
        return self.info.get("RU", "")

    @property
    def result_text(self) -> str:
        """The text of RE."""
        return self.info.get("RE", "")


def read_games(data: bytes | str | PathLike[str], strict: bool = False) -> list[ReadGame]:
    """Read every game of a file, given as its bytes or its path: SGF, GIB, NGF, UGF or UGI.

    Always returns at least one game: a file without a game gives one whose refusal is
    ``unreadable``. A game whose main line is cut off by the end of the file is ``unreadable`` too.

    Raises:
        SgfError: strict, and the file departs from the format.
        OSError: the path cannot be read.
    """
    source = "" if isinstance(data, bytes) else str(data)
    raw = data if isinstance(data, bytes) else Path(data).read_bytes()
    kind = format_of(raw)
    if kind != "sgf":
        game = read_other(raw, kind, source)
        if strict:
            raise_first(game.problems, source)
        return [game]
    collection = parse_collection(raw)
    games = [_read_tree(tree, collection, source) for tree in collection.trees]
    _place_in_file(collection.decoded, games)
    if not games:
        games = [assemble(Size(19, 19), [], [], {}, refusal="unreadable", source=source)]
    _share_out(collection, games)
    if strict:
        raise_first([problem for game in games for problem in game.problems], source)
    return games


def assemble(
    size: Size,
    moves: list[tuple[int, int]],
    setup: list[tuple[int, int, int]],
    raw_info: dict[str, bytes],
    *,
    is_fox: bool = False,
    stones_moved: bool = False,
    refusal: str | None = None,
    where: int = 0,
    source: str = "",
) -> ReadGame:
    """Make a ReadGame of its numbers and the raw values of its texts.

    Both readers end here, so that they give the same game.
    """
    info = {name: one_line(name, unescaped(raw)) for name, raw in raw_info.items()}
    handicap, said, repairs = handicap_of(info.get("HA", ""), moves, setup, stones_moved)
    komi_text = info.get("KM", "")
    komi = read_komi(komi_text, is_fox=is_fox, handicap=said, cells=size.cells)
    largest = largest_score(size.cells, komi.points)
    result = read_result(info["RE"], largest) if info.get("RE") else None
    if komi.repair is not None:
        value = "" if komi.points is None else f"{komi.points:g}"
        repairs.append(Repair(komi.repair, "KM", komi_text, value))
    repairs = [*repairs, *repairs_of_texts(info, result, largest)]
    problems = [
        Problem(code, f"{name} {raw[:40]!r} is read as {value or 'unknown'}", where)
        for code, name, raw, value in repairs
        if code in DEPARTURES
    ]
    if refusal is None and not moves:
        refusal = "no_moves"
    return ReadGame(
        size=size,
        moves=moves,
        setup=setup,
        first_player=_first_player(info, moves, handicap),
        handicap=handicap,
        komi=komi.points,
        rules=read_rules(info["RU"]) if info.get("RU") else None,
        result=result,
        info=info,
        refusal=refusal,
        problems=problems,
        source=source,
        is_fox=is_fox,
        repairs=repairs,
    )


def _first_player(info: dict[str, str], moves: list[tuple[int, int]], handicap: int) -> int:
    """Return the color of the first move; without moves what PL says, or the handicap."""
    if moves:
        return moves[0][0]
    said = info.get("PL", "").upper()
    if said[:1] in ("B", "1"):
        return BLACK
    if said[:1] in ("W", "2"):
        return WHITE
    return WHITE if handicap >= 2 else BLACK


def _place_in_file(decoded: Decoded, games: list[ReadGame]) -> None:
    """Place the problems of all games in the original file, in one pass over its text."""
    placed = iter(decoded.in_file([problem for game in games for problem in game.problems]))
    for game in games:
        if game.problems:
            game.problems = [next(placed) for _ in game.problems]


def _share_out(collection: Collection, games: list[ReadGame]) -> None:
    """Give each game the problems of the file that lie in it, those before the first to it."""
    marks = [Problem("", "", tree.offsets[0]) for tree in collection.trees]
    starts = [mark.where for mark in collection.decoded.in_file(marks)] or [0]
    for problem in collection.problems:
        owner = max(bisect_right(starts, problem.where) - 1, 0)
        games[owner].problems.append(problem)
    for game in games:
        game.problems.sort(key=lambda problem: problem.where)


def _read_tree(tree: GameTree, collection: Collection, source: str) -> ReadGame:
    reader = MainLine(tree)
    reader.read_info()
    reader.read_moves()
    refusal = reader.refusal if tree.is_whole else "unreadable"
    if tree.is_garbled and not reader.moves:
        reader.note("garbled", "more stray text than properties, and no moves", 0)
        refusal = "unreadable"
    game = assemble(
        reader.size,
        reader.moves,
        reader.setup,
        reader.raw_info,
        is_fox=reader.is_fox,
        stones_moved=reader.stones_moved,
        refusal=refusal,
        where=tree.offsets[0],
        source=source,
    )
    game.problems = [*reader.problems, *game.problems]
    game.repairs = [*reader.repairs, *game.repairs]
    _note_encoding(game, collection)
    return game


def _note_encoding(game: ReadGame, collection: Collection) -> None:
    """Record the encoding, and that it was guessed where it was."""
    decoded = collection.decoded
    game.encoding = decoded.encoding
    if any(problem.code == "guessed_encoding" for problem in decoded.problems):
        guess = Repair("encoding_guessed", "CA", decoded.declared, decoded.encoding)
        game.repairs = [guess, *game.repairs]
