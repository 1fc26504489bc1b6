"""What is in a data set: as numbers, as lines for a terminal, as one HTML page."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from mariago.board.points import BLACK, WHITE, Size
from mariago.records.manifest import Manifest, read_manifest
from mariago.records.schema import SPLITS, UNKNOWN_WINNER
from mariago.reports.boards import draw_board
from mariago.reports.charts import category_chart, histogram_chart
from mariago.reports.origin import Provenance
from mariago.reports.pages import page, write_page
from mariago.reports.sections import Block, Cards, Command, Definitions, Figures, Section, Table
from mariago.words import Texts, texts

__all__ = ["FLAGS_IN_WORDS", "REASONS_IN_WORDS", "describe", "summary_lines", "write_report"]

REASONS_IN_WORDS = {
    "unreadable": "cut off, or no game record",
    "not_go": "a record of another game",
    "board_size": "not a wanted board size",
    "bad_coordinate": "a move or stone off the board",
    "no_moves": "no move in it",
    "illegal_setup": "set-up stones without a liberty",
    "illegal_occupied": "a move on a stone",
    "illegal_suicide": "a move that takes only its own stones",
    "illegal_ko": "a ko taken back at once",
    "filtered_server": "played on another server than those asked for",
    "filtered_date": "played outside the days asked for, or on an unknown day",
    "filtered_rank": "a player's rank is outside the range asked for, or unknown",
    "filtered_handicap": "another number of handicap stones than asked for",
    "filtered_result": "ended in another way than asked for",
    "filtered_length": "shorter or longer than asked for",
    "duplicate_game": "the same game as an earlier one, turned or mirrored or as it is",
}
"""Reason code of a game that is not used -> what it means; the words have translations."""

FLAGS_IN_WORDS = {
    "captures": "takes stones",
    "saves": "saves own stones from atari",
    "gives_atari": "gives atari",
    "self_atari": "moves into atari",
    "in_atari": "own stones stand in atari before the move",
}
"""Tactical flag of a sample -> what it means; the words have translations."""

_SPLITS_IN_WORDS = {"train": "Training", "validation": "Validation", "test": "Test"}


def describe(folder: "str | Path") -> dict[str, Any]:
    """Return what a data set holds as plain values: counts, results, lengths, sizes, flags.

    Raises:
        RecordsError: no whole data set.
    """
    manifest = read_manifest(folder)
    games = _games(manifest)
    winners, lengths = games["winner"], games["moves"]
    sizes = [str(Size(r, c)) for r, c in zip(games["rows"], games["columns"], strict=True)]
    names, per_size = np.unique(sizes, return_counts=True)
    return {
        "folder": str(folder),
        "counts": manifest.counts,
        "sizes": {str(name): int(n) for name, n in zip(names, per_size, strict=True)},
        "results": {
            "black": int((winners == BLACK).sum()),
            "white": int((winners == WHITE).sum()),
            "draw": int((winners == 0).sum()),
            "unknown": int((winners == UNKNOWN_WINNER).sum()),
        },
        "moves_per_game": {
            "shortest": int(lengths.min()),
            "median": float(np.median(lengths)),
            "longest": int(lengths.max()),
        },
        "handicap_games": int((games["handicap"] >= 2).sum()),
        "flagged": _flagged(manifest),
        "sources": manifest.sources,
        "options": manifest.options,
        "provenance": manifest.provenance,
    }


def _games(manifest: Manifest) -> dict[str, NDArray[Any]]:
    names = ["winner", "moves", "rows", "columns", "handicap", "first_move"]
    table = pq.read_table(manifest.folder / "games.parquet", columns=names)
    return {name: table.column(name).to_numpy() for name in names}


def _flagged(manifest: Manifest) -> dict[str, int]:
    return {
        name: sum(int(shard["flagged"][name]) for shard in manifest.shards)
        for name in FLAGS_IN_WORDS
    }


def _accounted(counts: dict[str, Any]) -> list[tuple[str, int]]:
    """Return what became of the moves of the kept games, in order."""
    return [
        ("moves of the kept games", counts["moves"]),
        ("not by the winner", counts["not_winner"]),
        ("repeated positions removed", counts["repeats"]),
        ("shared with another split, removed", counts["leaks"]),
        ("not chosen", counts["not_chosen"]),
        ("samples", sum(counts["samples"].values())),
    ]


def summary_lines(manifest: Manifest) -> list[str]:
    """Return the outcome of a build as lines of text."""
    counts = manifest.counts
    dropped = {reason: n for reason, n in counts["dropped"].items() if n}
    skipped = {
        reason: sum(source["skipped"].get(reason, 0) for source in manifest.sources)
        for reason in sorted({reason for s in manifest.sources for reason in s["skipped"]})
    }
    entries: list[tuple[str, int]] = [("files", counts["files"])]
    entries += [(f"  skipped, {reason}", n) for reason, n in skipped.items()]
    entries += [("games read", counts["games_read"]), ("games kept", counts["games_kept"])]
    entries += [(f"  dropped, {reason}", n) for reason, n in dropped.items()]
    entries += [(name, n) for name, n in _accounted(counts) if n]
    entries += [
        (f"  {split}, of {counts['games'][split]:,} games", counts["samples"][split])
        for split in SPLITS
    ]
    width = max(len(name) for name, _ in entries)
    seconds = sum(counts["seconds"].values())
    return [*(f"{name:<{width}}  {n:>12,}" for name, n in entries), f"in {seconds:.1f} s"]


def write_report(folder: "str | Path", out: "str | Path | None" = None, lang: str = "en") -> Path:
    """Write the report of a data set as one HTML page and return where it is.

    Args:
        out: the file; ``report.html`` in the data set by default.

    Raises:
        RecordsError: no whole data set.
    """
    manifest = read_manifest(folder)
    facts = describe(folder)
    _ = texts(lang)
    place = Path(out) if out is not None else manifest.folder / "report.html"
    sections = [
        Section(_("Samples"), *_samples(facts, _)),
        Section(_("Games left out"), *_left_out(facts, _)),
        Section(_("Games"), *_about_games(manifest, facts, _)),
        Section(_("Sources"), *_sources(facts, _)),
    ]
    held = dict(facts["provenance"])
    known = {name: held.pop(name) for name in ("command", "seed", "date", "versions", "machine")}
    footer = Provenance(**known, extra={name: str(value) for name, value in held.items()})
    title = _("Samples from game records")
    write_page(place, page(title, sections, lang, footer, subtitle=manifest.folder.name))
    return place


def _samples(facts: dict[str, Any], _: Texts) -> list[Block]:
    counts = facts["counts"]
    total = sum(counts["samples"].values())
    shares = [
        (_(words), facts["flagged"][name], 100 * facts["flagged"][name] / max(1, total))
        for name, words in FLAGS_IN_WORDS.items()
    ]
    splits = [
        (
            _(_SPLITS_IN_WORDS[split]),
            f"{counts['samples'][split]:,}",
            _("{count} games", count=f"{counts['games'][split]:,}"),
        )
        for split in SPLITS
    ]
    accounted = [(_(name), n) for name, n in _accounted(counts)]
    return [
        Cards(
            (_("Samples"), f"{total:,}", _("from {n} games", n=f"{counts['games_kept']:,}")),
            *splits,
        ),
        Table((_("What became of the moves"), _("Number")), accounted),
        _(
            "Of a position that comes up again within a split, under any symmetry and with the "
            "colours swapped, the first in reading order stays, with the move played there. The "
            "splits are of games, not of samples; a position after move 30 that test or validation "
            "holds is taken out of train, and one that test holds out of validation."
        ),
        Table((_("The move"), _("Samples"), _("Of all, %")), shares, digits=1),
    ]


def _left_out(facts: dict[str, Any], _: Texts) -> list[Block]:
    counts = facts["counts"]
    rows = [(reason, _(REASONS_IN_WORDS[reason]), n) for reason, n in counts["dropped"].items()]
    return [
        _(
            "{lost} of {read} games are not used. Each one, with its file and the move where it "
            "stopped, is a line of dropped.jsonl.",
            lost=f"{sum(counts['dropped'].values()):,}",
            read=f"{counts['games_read']:,}",
        ),
        Table((_("Reason"), _("Meaning"), _("Games")), rows),
    ]


def _about_games(manifest: Manifest, facts: dict[str, Any], _: Texts) -> list[Block]:
    games = _games(manifest)
    names = {"black": _("Black"), "white": _("White"), "draw": _("Draws"), "unknown": _("Unknown")}
    results = [(names[name], n) for name, n in facts["results"].items()]
    lengths = histogram_chart(
        list(games["moves"]),
        title=_("Length of the games"),
        x_label=_("moves"),
        y_label=_("Number of games"),
        lang=_.lang,
    )
    won = category_chart(results, title=_("Who won"), x_label=_("Number of games"), lang=_.lang)
    heat, size, n = _first_moves(games)
    svg = draw_board(np.zeros(size, np.uint8), heat=np.sqrt(heat), lang=_.lang)
    caption = _(
        "First moves of {n} even games on {size} (shade: square root of the number)",
        n=f"{n:,}",
        size=size,
    )
    blocks: list[Block] = [Figures((lengths, ""), (won, "")), Figures((svg, caption))]
    if len(facts["sizes"]) > 1:
        blocks.append(Table((_("Board"), _("Games")), list(facts["sizes"].items())))
    return blocks


def _first_moves(games: dict[str, NDArray[Any]]) -> tuple[NDArray[Any], Size, int]:
    """Return how often each point is the first move of a game, on the commonest board size."""
    shapes, n = np.unique(np.stack([games["rows"], games["columns"]]), axis=1, return_counts=True)
    rows, columns = (int(side) for side in shapes[:, int(np.argmax(n))])
    size = Size(rows, columns)
    wanted = (games["rows"] == rows) & (games["columns"] == columns) & (games["handicap"] < 2)
    heat = np.bincount(games["first_move"][wanted], minlength=size.cells + 1)[: size.cells]
    return heat.reshape(size).astype(np.float64), size, int(wanted.sum())


def _sources(facts: dict[str, Any], _: Texts) -> list[Block]:
    blocks: list[Block] = []
    for source in facts["sources"]:
        files, size = f"{source['files']:,}", f"{source['size_bytes']:,}"
        blocks.append(
            Definitions(
                (_("Path"), str(source["path"])),
                (_("Origin"), str(source["origin"])),
                (_("Terms"), str(source["terms"])),
                ("SHA-256", str(source["sha256"])),
                (_("Files"), _("{count} files, {size} bytes", count=files, size=size)),
            )
        )
    return [*blocks, Command(f"mariago records sheet {facts['folder']} --n 20 --seed 1")]
