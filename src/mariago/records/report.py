"""What is in a data set: as numbers, as lines for a terminal, as one HTML page."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from mariago.records.game_facts import (
    GAME_FACTS,
    array_of,
    commonest_size,
    facts_of_games,
    read_games_table,
)
from mariago.records.label_lookup import labelled_rows
from mariago.records.lost_games import gather_losses
from mariago.records.manifest import Manifest, read_manifest
from mariago.records.report_pages import Gathered, accounted, sections_of
from mariago.records.report_words import (
    FLAGS_IN_WORDS,
    REASONS_IN_WORDS,
    WINNERS_IN_WORDS,
    width_of,
)
from mariago.records.row_facts import FLAGS, MOVES_A_STEP, Heat, RowFacts, folded, gather_rows
from mariago.records.schema import SPLITS
from mariago.records.source_places import is_of_rows
from mariago.reports.origin import Provenance
from mariago.reports.pages import page, write_page
from mariago.tactics.fact_names import FACT_NAMES, FACTS_IN_WORDS
from mariago.words import Texts, texts

__all__ = [
    "FLAGS_IN_WORDS",
    "REASONS_IN_WORDS",
    "Report",
    "describe",
    "make_report",
    "summary_lines",
    "write_report",
]


_NO_FILTERS = {("rank_of", "both"), ("handicap", "any")}  # what these are where nothing is asked


class Report:
    """All that a report shows, gathered in one reading; ``write`` and ``lines`` say it in words."""

    def __init__(self, manifest: Manifest, *, fold: bool = False) -> None:
        games = read_games_table(manifest, GAME_FACTS)
        size = commonest_size(games)
        is_size = (array_of(games, "rows") == size.rows) & (
            array_of(games, "columns") == size.columns
        )
        is_even = is_size & (array_of(games, "handicap") < 2)
        rows = gather_rows(manifest, size, is_even)
        first = np.bincount(array_of(games, "first_move")[is_even], minlength=size.cells + 1)
        heats = {1: Heat(first[: size.cells].reshape(size).astype(np.float64), int(is_even.sum()))}
        heats |= rows.openings
        if fold:
            heats = {limit: folded(heat) for limit, heat in heats.items()}
        losses = gather_losses(manifest)
        self.manifest = manifest
        self.facts = _plain(manifest, facts_of_games(games), rows, heats, fold) | {
            "losses": {reason: asdict(lost) for reason, lost in losses.items()}
        }
        self.gathered = Gathered(manifest, self.facts, games, heats, rows.by_move, losses, fold)

    def lines(self, lang: str = "en") -> list[str]:
        """Return the numbers as lines for a terminal."""
        _ = texts(lang)
        entries = _entries(self.manifest, _) + _more_entries(self.facts, _)
        return _aligned(entries) + _asked_lines(self.manifest, _)

    def write(self, out: "str | Path | None" = None, lang: str = "en") -> Path:
        """Write the page, ``report.html`` in the data set by default, and return where it is."""
        _ = texts(lang)
        place = Path(out) if out is not None else self.manifest.folder / "report.html"
        held = dict(self.manifest.provenance)
        names = ("command", "seed", "date", "versions", "machine")
        known = {name: held.pop(name) for name in names}
        footer = Provenance(**known, extra={name: str(value) for name, value in held.items()})
        title = _("Samples from game records")
        name = self.manifest.folder.resolve().name
        write_page(place, page(title, sections_of(self.gathered, _), lang, footer, subtitle=name))
        return place


def make_report(folder: "str | Path", *, fold: bool = False) -> Report:
    """Read a data set once for its report.

    Args:
        fold: fold the heat maps over the symmetries of the board.

    Raises:
        RecordsError: no whole data set.
    """
    return Report(read_manifest(folder), fold=fold)


def describe(folder: "str | Path", *, fold: bool = False) -> dict[str, Any]:
    """Return what a data set holds as plain values; ``docs/reference/looking.md`` lists them.

    Raises:
        RecordsError: no whole data set.
    """
    return make_report(folder, fold=fold).facts


def write_report(
    folder: "str | Path", out: "str | Path | None" = None, lang: str = "en", *, fold: bool = False
) -> Path:
    """Write the report of a data set as one HTML page and return where it is.

    Args:
        out: the file; ``report.html`` in the data set by default.
        fold: fold the heat maps over the symmetries of the board.

    Raises:
        RecordsError: no whole data set.
    """
    return make_report(folder, fold=fold).write(out, lang)


def _plain(
    manifest: Manifest,
    about_games: dict[str, Any],
    rows: RowFacts,
    heats: dict[int, Heat],
    fold: bool,
) -> dict[str, Any]:
    steps = range(1, MOVES_A_STEP * len(rows.by_move), MOVES_A_STEP)
    return {
        "folder": str(manifest.folder),
        "counts": manifest.counts,
        **about_games,
        "flagged": {
            name: sum(int(shard["flagged"][name]) for shard in manifest.shards)
            for name in FLAGS_IN_WORDS
        },
        "move_facts": facts_counted(manifest),
        "flags_by_move": {
            "from": list(steps),
            "samples": rows.by_move[:, 0].tolist(),
            **{name: rows.by_move[:, at].tolist() for at, name in enumerate(FLAGS, 1)},
        },
        "openings": {
            "folded": fold,
            "maps": {
                str(limit): {"games": heat.games, "shares": np.round(heat.shares, 5).tolist()}
                for limit, heat in heats.items()
            },
        },
        "labelled": labelled_rows(manifest),
        "sources": manifest.sources,
        "options": manifest.options,
        "provenance": manifest.provenance,
    }


def facts_counted(manifest: Manifest) -> dict[str, int]:
    """Return in how many samples each fact holds; nothing where a shard does not tell."""
    names = {name: f"facts.{name}" for name in FACT_NAMES}
    shards = [shard["flagged"] for shard in manifest.shards]
    if not all(key in flagged for flagged in shards for key in names.values()):
        return {}
    return {name: sum(int(held[key]) for held in shards) for name, key in names.items()}


def _entries(manifest: Manifest, _: Texts) -> list[tuple[str, object]]:
    """Return what became of files, games and moves."""
    counts = manifest.counts
    skipped = {
        reason: sum(source["skipped"].get(reason, 0) for source in manifest.sources)
        for reason in sorted({reason for s in manifest.sources for reason in s["skipped"]})
    }
    entries: list[tuple[str, object]] = [(_("files"), counts["files"])]
    entries += [(_("  skipped, {reason}", reason=reason), n) for reason, n in skipped.items()]
    dropped = [
        (_("  dropped, {reason}", reason=reason), n) for reason, n in counts["dropped"].items() if n
    ]
    if is_of_rows(manifest):
        rows = counts["moves"] + sum(counts["dropped"].values())
        entries += [(_("games"), counts["games_kept"]), (_("rows read"), rows), *dropped]
    else:
        entries += [(_("records read"), counts["games_read"]), *dropped]
        entries.append((_("games kept"), counts["games_kept"]))
    entries += [(_(name), n) for name, n in accounted(manifest) if n]
    return entries + [
        (_("  {split}, of {games} games", split=split, games=f"{counts['games'][split]:,}"),
         counts["samples"][split])
        for split in SPLITS
    ]  # fmt: skip


def _more_entries(facts: dict[str, Any], _: Texts) -> list[tuple[str, object]]:
    """Return what a report tells beyond the outcome of the build."""
    lengths = facts["moves_per_game"]
    span = f"{lengths['shortest']:,} – {lengths['median']:,.0f} – {lengths['longest']:,}"
    entries: list[tuple[str, object]] = [
        *((_(WINNERS_IN_WORDS[name]), n) for name, n in facts["results"].items()),
        (_("moves: shortest, median, longest"), span),
        (_("games with handicap"), facts["handicap_games"]),
        *(
            (_("samples: {flag}", flag=_(w)), facts["flagged"][f])
            for f, w in FLAGS_IN_WORDS.items()
        ),
    ]
    entries += [
        (_("samples: {flag}", flag=_(FACTS_IN_WORDS[name])), n)
        for name, n in facts["move_facts"].items()
        if n and name not in FLAGS_IN_WORDS
    ]
    for title, name in ((_("ranks"), "ranks"), (_("years"), "years")):  # both in order
        known = [value for value in facts[name] if value != "unknown"]
        if known:
            told = ", ".join(known) if len(known) <= 4 else f"{known[0]} – {known[-1]}"
            entries.append((title, told))
    servers = [f"{name} {n:,}" for name, n in facts["servers"].items() if name != "unknown"]
    if servers:
        entries.append((_("servers"), ", ".join(servers)))
    entries += [(_("repaired: {code}", code=code), n) for code, n in facts["repairs"].items()]
    entries += [
        (_("labelled by {teacher}", teacher=name), n) for name, n in facts["labelled"].items()
    ]
    if facts["damaged_texts"]:
        entries.append((_("games with damaged characters in a text"), facts["damaged_texts"]))
    return entries


def _aligned(entries: list[tuple[str, object]]) -> list[str]:
    """Return names and values in two columns; a Chinese character is two columns wide."""
    shown = [(name, f"{v:,}" if isinstance(v, int) else str(v)) for name, v in entries]
    wide = max(width_of(name) for name, _ in shown)
    right = max(12, *(width_of(value) for _, value in shown))
    return [
        name + " " * (wide - width_of(name) + 2 + right - width_of(value)) + value
        for name, value in shown
    ]


def _asked_lines(manifest: Manifest, _: Texts) -> list[str]:
    """Return the filters and the weights that the set was made with, where there were any."""
    filters: dict[str, Any] = manifest.options.get("filters") or {}
    weights: dict[str, dict[str, float]] = manifest.options.get("weights") or {}
    asked = [f"{n} {v}" for n, v in filters.items() if v and (n, v) not in _NO_FILTERS]
    factors = [f"{n} {v:g}" for part in weights.values() for n, v in part.items() if v != 1]
    lines = [_("filters: {asked}", asked=", ".join(asked))] if asked else []
    if factors:
        lines.append(_("weights: {factors}", factors=", ".join(factors)))
    return lines + _lesson_lines(manifest, _)


def _lesson_lines(manifest: Manifest, _: Texts) -> list[str]:
    """Return how many of the lessons that a set was built with found their rows."""
    counts: dict[str, int] = manifest.counts.get("lessons") or {}
    if not counts:
        return []
    said = _(
        "lessons: {found} of {moves} found their row; {rows} rows weigh more",
        found=f"{counts['found']:,}",
        moves=f"{counts['moves']:,}",
        rows=f"{counts['rows']:,}",
    )
    return [said]


def summary_lines(manifest: Manifest, lang: str = "en") -> list[str]:
    """Return the outcome of a build as lines of text."""
    seconds = sum(manifest.counts["seconds"].values())
    _ = texts(lang)
    return [
        *_aligned(_entries(manifest, _)),
        *_asked_lines(manifest, _),
        _("in {seconds} s", seconds=f"{seconds:.1f}"),
    ]
