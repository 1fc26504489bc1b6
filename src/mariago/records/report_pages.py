"""The sections of a data set's report, each of them tables, charts and boards."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mariago.records.game_facts import array_of
from mariago.records.loss_pages import left_out_blocks, repeated_blocks, shared_words
from mariago.records.lost_games import Losses
from mariago.records.manifest import Manifest
from mariago.records.opening_pages import opening_blocks
from mariago.records.report_words import (
    ENDINGS_IN_WORDS,
    FLAGS_IN_WORDS,
    SPLITS_IN_WORDS,
    WINNERS_IN_WORDS,
    damaged_words,
    in_words,
)
from mariago.records.row_facts import FLAGS, MOVES_A_STEP, Heat
from mariago.records.schema import SPLITS
from mariago.records.source_places import is_of_rows
from mariago.reports.charts import Series, category_chart, histogram_chart, line_chart
from mariago.reports.sections import Block, Cards, Command, Definitions, Figures, Section, Table
from mariago.sgf.repairs import REPAIRS
from mariago.tactics.fact_names import FACTS_IN_WORDS
from mariago.words import Texts

__all__ = ["Gathered", "accounted", "sections_of"]

LEAST_SAMPLES = 200  # of ten moves, for shares that mean something
MOST_YEARS = 30  # more are shown by decades
KOMI_SHOWN, KOMI_SHARE = 9, 0.002  # values, and share of the even games of each
MOST_RANKS = 16


@dataclass(frozen=True)
class Gathered:
    """What the sections show: the facts as plain values, and the arrays behind them."""

    manifest: Manifest
    facts: dict[str, Any]
    games: pa.Table
    heats: dict[int, Heat]
    by_move: NDArray[np.int64]
    losses: dict[str, Losses]
    is_folded: bool


def sections_of(held: Gathered, _: Texts) -> list[Section]:
    """Return the sections of the report; those of which the records tell nothing are left out."""
    lost = left_out_blocks(held.manifest, held.losses, _)
    sections = [
        Section(_("Samples"), *_samples(held, _)),
        Section(_("Flags by move number"), *_flags_by_move(held, _)),
        Section(_("Games left out"), *lost),
        Section(_("Games"), *_about_games(held, _)),
        Section(_("Openings"), *opening_blocks(held.heats, held.is_folded, _)),
        Section(_("Players and dates"), *_players(held.facts, _)),
        Section(_("Komi and handicap"), *_komi_and_handicap(held, _)),
        Section(_("Values repaired in reading"), *_repairs(held.facts, _)),
        Section(_("Repeats"), *repeated_blocks(held.manifest, held.losses, _)),
        Section(_("Sources"), *_sources(held.facts, _)),
    ]
    return [section for section in sections if section.blocks]


def accounted(manifest: Manifest) -> list[tuple[str, int]]:
    """Return what became of the moves of the kept games, in order."""
    counts = manifest.counts
    moves = "rows that can be used" if is_of_rows(manifest) else "moves of the kept games"
    return [
        (moves, counts["moves"]),
        ("not by the winner", counts["not_winner"]),
        ("repeated positions removed", counts["repeats"]),
        (shared_words(manifest), counts["leaks"]),
        ("not chosen", counts["not_chosen"]),
        ("samples", sum(counts["samples"].values())),
    ]


def _samples(held: Gathered, _: Texts) -> list[Block]:
    counts, flagged = held.facts["counts"], held.facts["flagged"]
    total = sum(counts["samples"].values())
    shares = [
        (_(words), flagged[name], 100 * flagged[name] / max(1, total))
        for name, words in FLAGS_IN_WORDS.items()
    ]
    splits = [
        (
            _(SPLITS_IN_WORDS[split]),
            f"{counts['samples'][split]:,}",
            _.several("{count} game", "{count} games", counts["games"][split]),
        )
        for split in SPLITS
    ]
    rows = [(_(name), n) for name, n in accounted(held.manifest)]
    return [
        Cards(
            (
                _("Samples"),
                f"{total:,}",
                _.several("from {count} game", "from {count} games", counts["games_kept"]),
            ),
            *splits,
        ),
        Table((_("What became of the moves"), _("Number")), rows),
        Table((_("The move"), _("Samples"), _("Of all, %")), shares, digits=1),
        *_move_facts(held, total, _),
        Command(f"mariago records sheet {held.manifest.folder} --n 20 --seed 1"),
    ]


def _move_facts(held: Gathered, total: int, _: Texts) -> list[Block]:
    """Return how often each fact of a move holds, where the data set tells; the commonest first."""
    counted = sorted(held.facts["move_facts"].items(), key=lambda entry: -entry[1])
    rows = [(_(FACTS_IN_WORDS[name]), n, 100 * n / max(1, total), name) for name, n in counted if n]
    if not rows:
        return []
    return [
        Table((_("Facts of the moves"), _("Samples"), _("Of all, %"), "--only"), rows, digits=2)
    ]


def _flags_by_move(held: Gathered, _: Texts) -> list[Block]:
    counts = held.by_move[:, 0]
    least = min(LEAST_SAMPLES, max(1, int(counts.max(initial=0)) // 4))
    enough = counts >= least
    steps = np.flatnonzero(enough)
    if len(steps) < 2:
        return []
    middles = (MOVES_A_STEP * steps + (MOVES_A_STEP + 1) / 2).tolist()
    series = [
        Series(
            _(FLAGS_IN_WORDS[name]),
            middles,
            (held.by_move[steps, at] / held.by_move[steps, 0]).tolist(),
        )
        for at, name in enumerate(FLAGS, 1)
        if name != "in_atari"
    ]
    standing = held.by_move[steps, 1 + FLAGS.index("in_atari")] / held.by_move[steps, 0]
    chart = line_chart(
        series,
        title=_("What the move does, by move number"),
        x_label=_("move number"),
        y_label=_("share of the samples"),
        percent=True,
        from_zero=True,
        lang=_.lang,
    )
    atari = line_chart(
        [Series("", middles, standing.tolist())],
        title=_("Positions in which own stones stand in atari"),
        x_label=_("move number"),
        y_label=_("share of the samples"),
        percent=True,
        from_zero=True,
        lang=_.lang,
    )
    every = (MOVES_A_STEP * np.arange(len(counts)) + (MOVES_A_STEP + 1) / 2).tolist()
    volume = line_chart(
        [Series("", every, counts.astype(float).tolist())],
        title=_("Samples by move number"),
        x_label=_("move number"),
        y_label=_("samples of ten moves"),
        from_zero=True,
        lang=_.lang,
    )
    shown = (
        ""
        if enough.all()
        else _(
            "Up to move {move}; of ten moves after it there are fewer than {n} samples.",
            move=MOVES_A_STEP * (int(steps[-1]) + 1),
            n=least,
        )
    )
    return [Figures((chart, shown), (atari, shown), (volume, ""))]


def _about_games(held: Gathered, _: Texts) -> list[Block]:
    facts, games = held.facts, held.games
    lengths = array_of(games, "moves")
    median = [(_("median"), float(np.median(lengths)))]
    figures = [
        histogram_chart(
            list(lengths),
            title=_("Length of the games"),
            x_label=_("moves"),
            y_label=_("Number of games"),
            lines=median,
            lang=_.lang,
        )
    ]
    results = [(_(WINNERS_IN_WORDS[name]), n) for name, n in facts["results"].items()]
    figures.append(
        category_chart(results, title=_("Who won"), x_label=_("Number of games"), lang=_.lang)
    )
    score = np.abs(array_of(games, "score").astype(np.float64))
    score = score[(score > 0) & (score <= 100)]
    if len(score):
        figures.append(
            histogram_chart(
                list(score),
                title=_("Margin of the games that were counted, up to 100 points"),
                x_label=_("points"),
                y_label=_("Number of games"),
                lang=_.lang,
            )
        )
    blocks: list[Block] = [Figures(*((svg, "") for svg in figures))]
    endings = facts["results_by_ending"]
    if endings:
        rows = [
            (_(WINNERS_IN_WORDS[winner]), _(ENDINGS_IN_WORDS[kind]), n)
            for winner, kinds in endings.items()
            for kind, n in sorted(kinds.items(), key=lambda pair: -pair[1])
        ]
        blocks.append(Table((_("Won by"), _("How"), _("Games")), rows))
    if len(facts["sizes"]) > 1:
        blocks.append(Table((_("Board"), _("Games")), list(facts["sizes"].items())))
    return blocks


def _players(facts: dict[str, Any], _: Texts) -> list[Block]:
    blocks: list[Block] = []
    figures: list[tuple[str, str]] = []
    for title, name, label in (
        (_("Ranks of the players"), "ranks", _("players, two a game")),
        (_("Years"), "years", _("Number of games")),
    ):
        items = (_by_decade if name == "years" else _by_steps)(facts[name])
        if items:
            shown = [(_("unknown") if value == "unknown" else value, n) for value, n in items]
            chart = category_chart(shown, title=title, x_label=label, lang=_.lang)
            figures.append((chart, ""))
    if figures:
        blocks.append(Figures(*figures))
    if facts["servers"]:
        rows = [(_("unknown") if n == "unknown" else n, k) for n, k in facts["servers"].items()]
        blocks.append(Table((_("Server"), _("Games")), rows))
    return blocks


def _by_decade(years: dict[str, int]) -> list[tuple[str, int]]:
    if len(years) <= MOST_YEARS:
        return list(years.items())
    found: dict[str, int] = {}
    for year, n in years.items():
        name = f"{year[:3]}0–{year[:3]}9" if year != "unknown" else year
        found[name] = found.get(name, 0) + n
    return list(found.items())


def _by_steps(ranks: dict[str, int]) -> list[tuple[str, int]]:
    """Return players by rank; where there are many ranks, kyu in steps of five."""
    if len(ranks) <= MOST_RANKS:
        return list(ranks.items())
    found: dict[str, int] = {}
    for rank, n in ranks.items():
        name = rank
        if rank.endswith("k"):
            strongest = (int(rank[:-1]) - 1) // 5 * 5 + 1
            name = f"{strongest + 4}k–{strongest}k"
        found[name] = found.get(name, 0) + n
    return list(found.items())


def _komi_and_handicap(held: Gathered, _: Texts) -> list[Block]:
    winners, handicap = array_of(held.games, "winner"), array_of(held.games, "handicap")
    komi = array_of(held.games, "komi").astype(np.float64)
    rows: list[tuple[object, ...]] = []
    for n in np.unique(handicap):
        rows.append((int(n), *_won(winners[handicap == n])))
    even, known = handicap < 2, ~np.isnan(komi)
    values, counts = np.unique(komi[even & known], return_counts=True)
    order = np.argsort(-counts, kind="stable")[:KOMI_SHOWN]
    commonest = sorted(values[order[counts[order] >= KOMI_SHARE * counts.sum()]])
    columns = (_("Games"), _("Won by Black"), _("Won by White"), _("Black, % of the won games"))
    by_komi: list[tuple[object, ...]] = [
        (f"{value:g}".replace("-", "−"), *_won(winners[even & (komi == value)]))
        for value in commonest
    ]
    others = even & known & ~np.isin(komi, commonest)
    if others.any():
        by_komi.append((_("others"), *_won(winners[others])))
    if (even & ~known).any():
        by_komi.append((_("unknown"), *_won(winners[even & ~known])))
    return [
        Table((_("Handicap stones"), *columns), rows, digits=1),
        Table((_("Komi of even games"), *columns), by_komi, digits=1),
    ]


def _won(winners: NDArray[Any]) -> tuple[object, ...]:
    """Return games, won by Black, won by White, Black's share of these in percent."""
    black, white = int((winners == 1).sum()), int((winners == 2).sum())
    return len(winners), black, white, 100 * black / (black + white) if black + white else None


def _repairs(facts: dict[str, Any], _: Texts) -> list[Block]:
    rows = [(code, in_words(code, REPAIRS, _), n) for code, n in facts["repairs"].items()]
    damaged: list[Block] = []
    if facts["damaged_texts"]:
        damaged.append(damaged_words(facts["damaged_texts"], _))
    if not rows:
        return damaged
    return [
        *damaged,
        _(
            "Values of game records that were not taken as they stand. The column repairs of "
            "games.parquet holds, for each game, what the file said and what it was taken for."
        ),
        Table((_("Code"), _("Meaning"), _("Games")), rows),
    ]


def _sources(facts: dict[str, Any], _: Texts) -> list[Block]:
    blocks: list[Block] = []
    for source in facts["sources"]:
        files, size = f"{source['files']:,}", f"{source['size_bytes']:,}"
        told = [
            (_(words), str(source[name]))
            for words, name in (("URL", "url"), ("Trust", "trust"), ("Note", "note"))
            if source.get(name)
        ]
        blocks.append(
            Definitions(
                (_("Path"), str(source["path"])),
                (_("Origin"), str(source["origin"])),
                (_("Terms"), str(source["terms"])),
                *told,
                ("SHA-256", str(source["sha256"])),
                (_("Files"), _("{count} files, {size} bytes", count=files, size=size)),
            )
        )
    return blocks
