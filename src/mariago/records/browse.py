"""The games of a data set as a page to look through: search, sort, and play each game."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mariago.board.points import Size, size_of
from mariago.errors import BadInputError, RecordsError
from mariago.records.game_facts import WINNERS, has_damaged_text
from mariago.records.game_view import GameView, view_games
from mariago.records.manifest import Manifest, read_manifest
from mariago.records.report_words import FLAGS_IN_WORDS, WINNERS_IN_WORDS, damaged_words
from mariago.records.row_facts import FLAGS
from mariago.records.schema import SPLITS, TACTICAL_COLUMNS
from mariago.records.source_places import NO_RECORDS, is_of_rows
from mariago.records.stored import read_games
from mariago.records.told import level_of
from mariago.records.workplace import made_folder
from mariago.reports.browser import BrowsedGame, BrowserColumn, GameBrowser, PlayedSteps
from mariago.reports.origin import Provenance, provenance
from mariago.reports.pages import page, write_page
from mariago.reports.sections import Block, Section
from mariago.words import Texts, texts

__all__ = ["Browsed", "GameChoice", "write_browser"]

ONE_FILE = 2_000  # games of a page, about 1 kB each
ONE_FILE_MOST = 20_000
FOLDER_MOST = 200_000  # games of a folder, whose list takes about 200 bytes each
NOTABLE = sum(1 << k for k, name in enumerate(FLAGS) if name in TACTICAL_COLUMNS)

_RANKS, _BOARD = (3, 5), 8  # places among the columns of the list

Tell = Callable[[int, int], None]
"""Hears how many of how many games are written."""


@dataclass(frozen=True)
class GameChoice:
    """The wanted games; an empty text asks for nothing.

    ``games`` at most, drawn at random where there are more; 0 for as many as fit.

    Raises:
        BadInputError: not a split.
        CoordinateError: not a board size.
    """

    split: str = ""
    size: str = ""
    player: str = ""
    games: int = 0

    def __post_init__(self) -> None:
        if self.split and self.split not in SPLITS:
            raise BadInputError(
                f"{self.split!r} is not a split", where="--split", hint=", ".join(SPLITS)
            )
        if self.size:
            size_of(self.size)

    def of(self, manifest: Manifest) -> NDArray[np.int64]:
        """Return the indices of all games that are as wanted, whatever their number.

        Raises:
            RecordsError: no game is.
        """
        names = ["split", "rows", "columns", *(("black", "white") if self.player else ())]
        table = read_games(manifest, names)
        wanted = np.ones(table.num_rows, np.bool_)
        if self.split:
            wanted &= np.array(table.column("split").to_pylist()) == self.split
        if self.size:
            size = size_of(self.size)
            wanted &= table.column("rows").to_numpy() == size.rows
            wanted &= table.column("columns").to_numpy() == size.columns
        if self.player:
            part = self.player.casefold()
            sides = [table.column(side).to_pylist() for side in ("black", "white")]
            wanted &= np.array(
                [any(part in n.casefold() for n in pair) for pair in zip(*sides, strict=True)]
            )
        if not wanted.any():
            raise RecordsError("no game is as wanted", where=manifest.folder, hint="ask for less")
        return np.flatnonzero(wanted)


@dataclass(frozen=True)
class Browsed:
    """The page to open, how many games it shows, of how many that are as wanted."""

    page: Path
    games: int
    matching: int
    without_record: int  # games whose record could not be read again: samples alone are shown


def write_browser(
    folder: "str | Path",
    out: "str | Path",
    choice: GameChoice | None = None,
    seed: int = 1,
    lang: str = "en",
    command: str = "",
    tell: "Tell | None" = None,
) -> Browsed:
    """Write the games of a data set as one page, or as a folder of pages.

    ``out`` with the ending ``.html`` is one self-contained file of at most 2,000 games, drawn at
    random where there are more, unless ``choice.games`` asks for up to 20,000. Any other name is a
    folder: ``index.html`` lists all games, and the pages beside it hold 2,000 each.

    Raises:
        RecordsError: no whole data set, no game as wanted, or too many.
    """
    manifest, choice = read_manifest(folder), choice or GameChoice()
    matching, place = choice.of(manifest), Path(out)
    is_one = place.suffix.lower() in (".html", ".htm")
    most = ONE_FILE_MOST if is_one else FOLDER_MOST
    wanted = choice.games or (ONE_FILE if is_one else len(matching))
    games = matching
    if wanted < len(matching):
        drawn = np.random.default_rng(seed).choice(len(matching), wanted, replace=False)
        games = matching[np.sort(drawn)]
    if len(games) > most:
        raise RecordsError(
            f"{len(games):,} games are too many for {'a page' if is_one else 'a folder'}",
            where=place,
            hint=f"--games N draws up to {most:,}"
            + (", or write a folder: a name without .html" if is_one else ""),
        )
    origin = provenance(command or f"write_browser(out={place.name!r})", seed)
    writer = _Writer(manifest, texts(lang), origin, len(matching), tell or (lambda n, all_: None))
    with made_folder(place.parent if is_one else place):
        shown = writer.write_one(place, games) if is_one else writer.write_folder(place, games)
    return Browsed(shown, len(games), len(matching), writer.seen["without_record"])


class _Writer:
    """Writes the pages of one browser."""

    def __init__(
        self, manifest: Manifest, _: Texts, origin: Provenance, matching: int, tell: Tell
    ) -> None:
        self.manifest = manifest
        self._ = _
        self.origin = origin
        self.matching = matching
        self.tell = tell
        self.seen: Counter[str] = Counter()
        self.on_page: Counter[str] = Counter()
        self.done = 0
        self.total = 0
        self.with_boards = False

    def _begin(self, games: NDArray[np.int64]) -> None:
        self.total = len(games)
        sizes = read_games(self.manifest, ["rows", "columns"]).take(pa.array(games))
        self.with_boards = sizes.group_by(["rows", "columns"]).aggregate([]).num_rows > 1

    def write_one(self, place: Path, games: NDArray[np.int64]) -> Path:
        self._begin(games)
        write_page(place, self._page(self._browsed(games), self._about(len(games))))
        return place

    def write_folder(self, place: Path, games: NDArray[np.int64]) -> Path:
        """Write the parts, then the list that leads to them."""
        self._begin(games)
        rows: list[BrowsedGame] = []
        for part, start in enumerate(range(0, len(games), ONE_FILE), 1):
            name = f"games-{part:04}.html"
            held = self._browsed(games[start : start + ONE_FILE])
            write_page(place / name, self._page(held, self._about(len(games), part)))
            rows += [BrowsedGame(game.key, game.values, link=f"{name}#{game.key}") for game in held]
        write_page(place / "index.html", self._page(rows, self._about(len(games))))
        return place / "index.html"

    def _browsed(self, games: NDArray[np.int64]) -> list[BrowsedGame]:
        views = view_games(self.manifest, games.tolist())
        self.on_page = Counter(
            without_record=sum(view.record is None for view in views),
            damaged=sum(has_damaged_text(view.entry) for view in views),
        )
        self.seen += self.on_page
        held = [_browsed_game(self.manifest, view, self.with_boards, self._) for view in views]
        self.done += len(held)
        self.tell(self.done, self.total)
        return held

    def _about(self, shown: int, part: int = 0) -> list[Block]:
        """Return the words above the list."""
        _ = self._
        words: list[Block] = []
        if part:
            words.append(_("Page {part} of the games; index.html lists them all.", part=part))
        elif shown < self.matching:
            words.append(
                _("{shown} of {all} games, drawn at random.",
                  shown=f"{shown:,}", all=f"{self.matching:,}")
            )  # fmt: skip
        words.append(
            _(
                "Bars over the moves: samples; the tall ones take, save or threaten stones. Moves "
                "without a bar are not in the data set: their positions came up before, or were "
                "not chosen."
            )
        )
        seen = self.on_page if part else self.seen
        if seen["damaged"]:
            words.append(damaged_words(seen["damaged"], _))
        if seen["without_record"] and is_of_rows(self.manifest):
            words.append(_("The samples alone are shown: {why}.", why=_(NO_RECORDS)))
        elif seen["without_record"]:
            words.append(
                _("The records of {n} games could not be read again: of these the samples alone "
                  "are shown.", n=f"{seen['without_record']:,}")
            )  # fmt: skip
        return words

    def _page(self, games: Sequence[BrowsedGame], about: list[Block]) -> str:
        _ = self._
        browser = GameBrowser(
            _columns(games, self.with_boards, len(self.manifest.sources) > 1, _),
            games,
            details=_detail_names(_),
            flags=[_(FLAGS_IN_WORDS[name]) for name in FLAGS],
            notable=NOTABLE,
            unmarked=_("not a sample"),
        )
        name = self.manifest.folder.resolve().name
        section = Section(_("Games"), *about, browser)
        return page(_("Games of {name}", name=name), [section], _.lang, self.origin)


def _columns(
    games: Sequence[BrowsedGame], with_boards: bool, with_sources: bool, _: Texts
) -> list[BrowserColumn]:
    ranks = {str(game.values[at]) for game in games for at in _RANKS}
    by_level = sorted(ranks, key=lambda rank: (level_of(rank), rank))
    winners = [_(words) for words in WINNERS_IN_WORDS.values()]
    boards: list[BrowserColumn] = []
    if with_boards:
        sizes = {str(game.values[_BOARD]) for game in games}
        by_size = sorted(sizes, key=lambda size: (size_of(size).cells, size_of(size)))
        boards = [BrowserColumn(_("Board"), has_choices=True, order=by_size)]
    return [
        BrowserColumn(_("Game"), "number"),
        BrowserColumn(_("Date")),
        BrowserColumn(_("Black")),
        BrowserColumn(_("Rank"), order=by_level),
        BrowserColumn(_("White")),
        BrowserColumn(_("Rank"), order=by_level),
        BrowserColumn(_("Result")),
        BrowserColumn(_("Winner"), has_choices=True, order=winners),
        *boards,
        BrowserColumn(_("Handicap"), "number", has_choices=True),
        BrowserColumn(_("Komi"), "number"),
        BrowserColumn(_("Moves"), "number"),
        BrowserColumn(_("Samples"), "number"),
        BrowserColumn(_("Split"), has_choices=True, order=SPLITS),
        *([BrowserColumn(_("Source"), has_choices=True)] if with_sources else []),
        BrowserColumn(_("File"), "path"),
    ]


def _detail_names(_: Texts) -> list[str]:
    names = (
        "Players",
        "Result",
        "Date",
        "Board",
        "Handicap",
        "Komi",
        "Rules",
        "Event",
        "Server",
        "File",
        "Game id",
        "Origin",
        "Terms",
        "Repaired",
        "Problems",
        "Command",
    )
    return [_(name) for name in names]


def _browsed_game(manifest: Manifest, view: GameView, with_boards: bool, _: Texts) -> BrowsedGame:
    entry = view.entry
    source = manifest.sources[entry["source"]]
    number = f" #{entry['index_in_file'] + 1}" if entry["index_in_file"] else ""
    komi = entry["komi"]
    values = (
        entry["game"],
        entry.get("played") or entry["date"],
        entry["black"],
        entry["black_rank"],
        entry["white"],
        entry["white_rank"],
        entry["result"],
        _(WINNERS_IN_WORDS[WINNERS[entry["winner"]]]),
        *([str(view.size)] if with_boards else []),
        entry["handicap"],
        None if komi is None else (int(komi) if komi == int(komi) else float(komi)),
        entry["moves"],
        entry["samples"],
        entry["split"],
        *([Path(str(source["path"])).name] if len(manifest.sources) > 1 else []),
        entry["path"] + number,
    )
    return BrowsedGame(entry["game"], values, _details(manifest, entry, source, _), _steps(view))


def _details(
    manifest: Manifest, entry: dict[str, Any], source: dict[str, Any], _: Texts
) -> list[str]:
    repairs = [
        f"{repair['name']} {repair['raw']!r} → {repair['value'] or '?'}"
        for repair in entry.get("repairs") or ()
    ]
    players = [
        f"{entry[side]} {entry[f'{side}_rank']}".strip() or "?" for side in ("black", "white")
    ]
    unknown = _("unknown")
    number = f" #{entry['index_in_file'] + 1}" if entry["index_in_file"] else ""
    return [
        f"{players[0]} ({_('Black')}) – {players[1]} ({_('White')})",
        entry["result"] or unknown,
        entry["date"] or unknown,
        str(Size(entry["rows"], entry["columns"])),
        str(entry["handicap"]),
        unknown if entry["komi"] is None else f"{entry['komi']:g}",
        entry["rules"] or unknown,
        entry["event"],
        entry.get("server") or "",
        f"{Path(str(source['path'])).name}: {entry['path']}{number}",
        entry["game_id"],
        str(entry.get("origin") or source["origin"]),
        str(entry.get("terms") or source["terms"]),
        "; ".join(repairs),
        _("damaged characters (\ufffd)") if has_damaged_text(entry) else "",
        f"mariago records show {manifest.folder} {entry['game']}",
    ]


def _steps(view: GameView) -> PlayedSteps:
    moves = [(step.color, step.move, step.changes) for step in view.steps[1:]]
    numbers = [] if view.record is not None else view.numbers
    return PlayedSteps(view.size, view.steps[0].changes, moves, view.marks(), numbers)
