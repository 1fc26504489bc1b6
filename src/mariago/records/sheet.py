"""A sheet of samples to look at: counts alone never show a mirrored board."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from mariago.board.files import write_whole
from mariago.board.points import Size, move_to_vertex
from mariago.errors import BadInputError
from mariago.records.choosing import SampleFilter, draw_table
from mariago.records.manifest import Manifest, read_manifest
from mariago.records.report_words import flags_line
from mariago.records.schema import unpack_board
from mariago.records.stored import read_games
from mariago.records.workplace import made_folder
from mariago.records.worst import Judge, Judged, judge_samples, worst_of
from mariago.reports.boards import sample_caption, sheet_png
from mariago.reports.diagram import BoardPicture
from mariago.reports.fonts import writable_lang
from mariago.reports.origin import Provenance, provenance
from mariago.reports.pages import page, write_page
from mariago.reports.sections import BoardGrid, Section
from mariago.words import Texts, texts

__all__ = [
    "Question",
    "Sheet",
    "draw_samples",
    "sample_picture",
    "samples_of",
    "write_sheet",
]

MOST = 400  # boards of a picture, which is then 50,000 pixels high


@dataclass(frozen=True)
class Question:
    """A net that is asked which samples it gets wrong.

    ``judge`` is as in ``worst.Judge``; ``among`` samples are drawn, and the worst of them shown.
    """

    judge: Judge
    name: str
    among: int = 2000


@dataclass(frozen=True)
class Sheet:
    """The written sheet, and the samples on it."""

    png: Path
    html: Path
    samples: list[dict[str, Any]]  # split, source, path, index_in_file, move_number, ...
    matching: int = 0  # samples that are as wanted
    judged: tuple[Judged, ...] = ()  # what the net says of each, where one is asked


def write_sheet(
    folder: "str | Path",
    n: int = 20,
    seed: int = 1,
    out: "str | Path | None" = None,
    lang: str = "en",
    command: str = "",
    wanted: SampleFilter | None = None,
    question: Question | None = None,
) -> Sheet:
    """Draw ``n`` samples with their answers, as one PNG and one HTML page.

    They are drawn at random; with a ``question`` they are those that the net gets most wrong, its
    first choices marked. Both pictures are in ``lang``; where no font of the machine can write it,
    the PNG is in English and says so.

    Args:
        out: folder for ``sheet.png`` and ``sheet.html``; the data set itself by default.
        wanted: which samples are drawn from, all by default.

    Raises:
        RecordsError: no whole data set, or no sample is as wanted.
    """
    if n < 1:
        raise BadInputError("a sheet shows at least one sample", where="--n")
    if n > MOST:
        raise BadInputError(
            f"a picture of {n:,} boards is too large, {MOST} are the most",
            where="--n" if question is None else "--worst",
            hint="mariago records export --format sgf-positions writes any number",
        )
    manifest = read_manifest(folder)
    wanted = wanted or SampleFilter()
    rng = np.random.default_rng(seed)
    judged: list[Judged] = []
    if question is None:
        table, matching = draw_table(manifest, n, rng, wanted)
    else:
        table, matching = draw_table(manifest, max(n, question.among), rng, wanted)
        judged = judge_samples(table, question.judge)
        worst = worst_of(judged, n)
        table, judged = table.take(worst), [judged[i] for i in worst]
    samples = samples_of(manifest, table)
    place = Path(out) if out is not None else manifest.folder
    origin = provenance(command or f"write_sheet(n={n}, seed={seed})", seed)
    drawn = _Drawn(manifest, wanted, question, samples, judged, matching)
    with made_folder(place):
        write_whole(place / "sheet.png", drawn.png(lang))
        write_page(place / "sheet.html", drawn.html(lang, origin))
    return Sheet(place / "sheet.png", place / "sheet.html", samples, matching, tuple(judged))


def draw_samples(
    manifest: Manifest, n: int, seed: int, wanted: SampleFilter | None = None
) -> list[dict[str, Any]]:
    """Return ``n`` of the wanted samples at random, each with the file it is from.

    Beside the stored columns there are ``stones`` (rows, columns), ``path`` and ``index_in_file``.
    """
    table, _ = draw_table(manifest, n, np.random.default_rng(seed), wanted)
    return samples_of(manifest, table)


def samples_of(manifest: Manifest, table: pa.Table) -> list[dict[str, Any]]:
    """Return stored rows as dictionaries, with ``stones``, source, ``path``, ``index_in_file``."""
    samples = table.to_pylist()
    games = read_games(manifest, ["game", "source", "path", "index_in_file"]).take(
        pa.array([sample["game"] for sample in samples])
    )
    for sample, game in zip(samples, games.to_pylist(), strict=True):
        size = Size(sample["rows"], sample["columns"])
        sample |= {name: game[name] for name in ("path", "index_in_file")}
        sample["source"] = manifest.sources[game["source"]]["path"]
        sample["stones"] = unpack_board(sample["board"], size.cells).reshape(size)
    return samples


def sample_picture(sample: dict[str, Any], lang: str, judged: Judged | None = None) -> BoardPicture:
    """Return the board of a sample, the answer marked, with its caption.

    The net's first choices, where given, are marked with their probabilities in percent.
    """
    _ = texts(lang)
    size = Size(sample["rows"], sample["columns"])
    source = f"{Path(sample['source']).name}: {sample['path']}"
    if sample["index_in_file"]:
        source += f" #{sample['index_in_file'] + 1}"
    last, answer = sample["last_moves"][0], sample["move"]
    caption = sample_caption(source, sample["move_number"], sample["to_move"], answer, size, lang)
    flags = flags_line(sample, _)
    labels: dict[int, str] = {}
    more = [flags] if flags else []
    if judged is not None:
        labels = {move: _percent(p) for move, p in judged.choices if move < size.cells}
        more.append(_in_words(judged, answer, size, _))
    return BoardPicture(
        sample["stones"],
        to_move=sample["to_move"],
        last_move=None if last < 0 else last,
        answer=answer,
        labels=labels,
        marks={} if sample["ko"] < 0 else {sample["ko"]: "square"},
        caption=(*caption, f"{_('Game')} {sample['game']}:{sample['move_number']}", *more),
    )


def _percent(probability: float) -> str:
    return f"{100 * probability:.0f}" if probability >= 0.005 else "<1"


def _in_words(judged: Judged, move: int, size: Size, _: Texts) -> str:
    def named(choice: int) -> str:
        return _.term("pass") if choice == size.cells else str(move_to_vertex(choice, size))

    choices = ", ".join(f"{named(choice)} {100 * p:.1f}%" for choice, p in judged.choices)
    return _(
        "Net: {choices}; played {move} {share}, loss {loss}",
        choices=choices,
        move=named(move),
        share=f"{100 * judged.played:.2f}%" if judged.played >= 1e-4 else "<0.01%",
        loss=f"{judged.loss:.2f}",
    )


@dataclass(frozen=True)
class _Drawn:
    """What a sheet shows, to be written twice."""

    manifest: Manifest
    wanted: SampleFilter
    question: Question | None
    samples: list[dict[str, Any]]
    judged: list[Judged]
    matching: int

    def title(self, _: Texts) -> str:
        n, name = len(self.samples), self.manifest.folder.resolve().name
        if self.question is not None:
            return _("The {n} samples of {name} that {net} gets most wrong",
                     n=n, name=name, net=self.question.name)  # fmt: skip
        return _("{n} random samples of {name}", n=n, name=name)

    def words(self, _: Texts) -> str:
        parts = [_("Ring in a stone: last move. Orange ring: the answer, in the mover's colour.")]
        if any(sample["ko"] >= 0 for sample in self.samples):
            parts.append(_("Square: where a ko may not be taken back at once."))
        if self.question is not None:
            parts.append(_("Numbers: the net's first choices, in percent."))
            among = min(max(self.question.among, len(self.samples)), self.matching)
            parts.append(_("The worst of {n} samples drawn at random.", n=f"{among:,}"))
        chosen = self.wanted.in_words(_)
        if chosen:
            count = f"{self.matching:,}"
            parts.append(_("Chosen: {filter} ({n} samples).", filter=chosen, n=count))
        words = parts[0]
        for part in parts[1:]:
            words = _("{sentence} {more}", sentence=words, more=part)
        return words

    def pictures(self, lang: str) -> list[BoardPicture]:
        judged = self.judged or [None] * len(self.samples)
        return [sample_picture(s, lang, j) for s, j in zip(self.samples, judged, strict=True)]

    def html(self, lang: str, origin: Provenance) -> str:
        _ = texts(lang)
        section = Section(_("Samples"), self.words(_), BoardGrid(self.pictures(lang)))
        return page(self.title(_), [section], lang, origin)

    def png(self, lang: str) -> bytes:
        shown = writable_lang(lang)
        _ = texts(shown)
        foot = self.words(_)
        if shown != lang:
            foot += (
                f" No font on this machine can write --lang {lang}; the page sheet.html is in it."
            )
        return sheet_png(self.pictures(shown), 4, self.title(_), foot=foot, lang=shown)
