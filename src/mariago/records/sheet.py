"""A sheet of random samples to look at: counts alone never show a mirrored board."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from mariago.board.files import write_whole
from mariago.board.points import Size
from mariago.errors import BadInputError
from mariago.records.load import read_table
from mariago.records.manifest import Manifest, read_manifest
from mariago.records.schema import SPLITS, unpack_board
from mariago.reports.boards import sample_caption, sheet_png
from mariago.reports.diagram import BoardPicture
from mariago.reports.fonts import writable_lang
from mariago.reports.origin import Provenance, provenance
from mariago.reports.pages import page, write_page
from mariago.reports.sections import BoardGrid, Section
from mariago.words import texts

__all__ = ["Sheet", "draw_samples", "sample_picture", "write_sheet"]


@dataclass(frozen=True)
class Sheet:
    """The written sheet, and the samples on it."""

    png: Path
    html: Path
    samples: list[dict[str, Any]]  # split, source, path, index_in_file, move_number, ...


def write_sheet(
    folder: "str | Path",
    n: int = 20,
    seed: int = 1,
    out: "str | Path | None" = None,
    lang: str = "en",
    command: str = "",
) -> Sheet:
    """Draw ``n`` random samples with their answers, as one PNG and one HTML page.

    Both are in ``lang``; where no font of the machine can write it, the PNG is in English and
    says so.

    Args:
        out: folder for ``sheet.png`` and ``sheet.html``; the data set itself by default.

    Raises:
        RecordsError: no whole data set.
    """
    if n < 1:
        raise BadInputError("a sheet shows at least one sample", where="--n")
    manifest = read_manifest(folder)
    samples = draw_samples(manifest, n, seed)
    place = Path(out) if out is not None else manifest.folder
    place.mkdir(parents=True, exist_ok=True)
    name = manifest.folder.resolve().name
    origin = provenance(command or f"write_sheet(n={n}, seed={seed})", seed)
    write_whole(place / "sheet.png", _png(samples, name, lang))
    write_page(place / "sheet.html", _html(samples, name, lang, origin))
    return Sheet(place / "sheet.png", place / "sheet.html", samples)


def _title(samples: list[dict[str, Any]], name: str, lang: str) -> str:
    return texts(lang)("{n} random samples of {name}", n=len(samples), name=name)


def _marks_in_words(samples: list[dict[str, Any]], lang: str) -> str:
    _ = texts(lang)
    words = _("Ring in a stone: last move. Orange ring: the answer, in the mover's colour.")
    if any(sample["ko"] >= 0 for sample in samples):
        square = _("Square: where a ko may not be taken back at once.")
        return _("{sentence} {more}", sentence=words, more=square)
    return words


def _html(samples: list[dict[str, Any]], name: str, lang: str, origin: Provenance) -> str:
    grid = BoardGrid([sample_picture(sample, lang) for sample in samples])
    section = Section(texts(lang)("Samples"), _marks_in_words(samples, lang), grid)
    return page(_title(samples, name, lang), [section], lang, origin)


def _png(samples: list[dict[str, Any]], name: str, lang: str) -> bytes:
    shown = writable_lang(lang)
    foot = _marks_in_words(samples, shown)
    if shown != lang:
        foot += f" No font on this machine can write --lang {lang}; the page sheet.html is in it."
    pictures = [sample_picture(sample, shown) for sample in samples]
    return sheet_png(pictures, 4, _title(samples, name, shown), foot=foot, lang=shown)


def draw_samples(manifest: Manifest, n: int, seed: int) -> list[dict[str, Any]]:
    """Return ``n`` samples at random over all splits, each with the file it is from.

    Beside the stored columns there are ``stones`` (rows, columns), ``path`` and ``index_in_file``.
    """
    rng = np.random.default_rng(seed)
    sizes = [manifest.samples(split) for split in SPLITS]
    chosen = np.sort(rng.choice(sum(sizes), min(n, sum(sizes)), replace=False))
    per_split = np.histogram(chosen, [0, *np.cumsum(sizes)])[0]
    tables = [
        read_table(manifest.folder, split, limit=int(wanted), rng=rng)
        for split, wanted in zip(SPLITS, per_split, strict=True)
        if wanted
    ]
    samples = [sample for table in tables for sample in table.to_pylist()]
    games = pq.read_table(
        manifest.folder / "games.parquet", columns=["game", "source", "path", "index_in_file"]
    ).take(pa.array([sample["game"] for sample in samples]))
    for sample, game in zip(samples, games.to_pylist(), strict=True):
        size = Size(sample["rows"], sample["columns"])
        sample |= {name: game[name] for name in ("path", "index_in_file")}
        sample["source"] = manifest.sources[game["source"]]["path"]
        sample["stones"] = unpack_board(sample["board"], size.cells).reshape(size)
    order = rng.permutation(len(samples))
    return [samples[at] for at in order]


def sample_picture(sample: dict[str, Any], lang: str) -> BoardPicture:
    """Return the board of a drawn sample, the answer marked, with its caption."""
    size = Size(sample["rows"], sample["columns"])
    source = f"{Path(sample['source']).name}: {sample['path']}"
    if sample["index_in_file"]:
        source += f" #{sample['index_in_file'] + 1}"
    last = sample["last_moves"][0]
    return BoardPicture(
        sample["stones"],
        to_move=sample["to_move"],
        last_move=None if last < 0 else last,
        answer=sample["move"],
        marks={} if sample["ko"] < 0 else {sample["ko"]: "square"},
        caption=sample_caption(
            source, sample["move_number"], sample["to_move"], sample["move"], size, lang
        ),
    )
