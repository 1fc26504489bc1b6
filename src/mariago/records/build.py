"""Records in, a verified data set out: the two passes and what is counted on the way."""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from mariago.board.files import write_whole
from mariago.errors import RecordsError
from mariago.records import (
    answer_kernels,
    choice_kernels,
    duplicate_kernels,
    fact_row_kernels,
    opening_kernels,
    repeat_kernels,
    replay_kernels,
    sample_kernels,
)
from mariago.records.accounts import counts_of, removed_of, source_entry
from mariago.records.choice_kernels import choose, count_kept
from mariago.records.duplicates import game_repeats
from mariago.records.filters import GameFilter
from mariago.records.game_table import games_table, grouped
from mariago.records.intake import Intake, take_in
from mariago.records.journal import Journal, Judged, judged, order_of
from mariago.records.lesson_rows import LESSON_ROWS, LessonRows
from mariago.records.manifest import MANIFEST, Manifest, games_entry, read_manifest
from mariago.records.names import shown_text
from mariago.records.options import BuildOptions, sizes_of
from mariago.records.order import shown_path, what_stands
from mariago.records.papers import Paper, check_checksum, papers_of
from mariago.records.played import read_spooled
from mariago.records.pool import Workers
from mariago.records.repeated_games import lines_of, rows_of, settle_games
from mariago.records.repeats import Repeats
from mariago.records.schema import GAME_SCHEMA
from mariago.records.shards import Shard, close_spool, plan_shards
from mariago.records.sources import Source, SourceFile, open_source
from mariago.records.splits import split_of
from mariago.records.spool import Spool, SpooledGames
from mariago.records.workplace import (
    StoppedError,
    Workplace,
    append_whole,
    is_full,
    why_not_written,
)
from mariago.reports.origin import provenance

__all__ = ["BuildOptions", "build_records"]

KERNELS = (
    *(replay_kernels, sample_kernels, repeat_kernels, choice_kernels),
    *(duplicate_kernels, answer_kernels, opening_kernels),
)
BATCH_FILES = 512
BATCH_BYTES = 2 * 2**20
GAMES_AT_ONCE = 50_000
FAULTS_TOLD = 20
FEW = 3  # sources that an error names
GO_ON = "the same command with --resume goes on from there"


class Tell(Protocol):
    """Hears of progress: a stage (``read``, ``write``), units done just now, their total."""

    def __call__(self, stage: str, done: int, total: int | None) -> None: ...


def build_records(
    sources: "Sequence[str | Path]",
    *,
    origin: str = "",
    terms: str = "",
    out: "str | Path",
    catalogue: "str | Path | None" = None,
    allow_terms: Sequence[str] = (),
    options: BuildOptions | None = None,
    jobs: int = 1,
    resume: bool = False,
    overwrite: bool = False,
    command: str = "",
    tell: "Tell | None" = None,
    say: "Callable[[str], None] | None" = None,
) -> Manifest:
    """Build a data set of verified samples in the folder ``out`` and return its manifest.

    Args:
        sources: folders, tar or zip archives, SGF files, or names in the ``catalogue``, a file.
        origin: where the records come from; ``terms``: on what terms they may be used. The
            catalogue tells them for the sources that are named there.
        allow_terms: only sources whose terms pass are used; see ``terms.are_allowed``.
        jobs: worker processes. The result does not depend on it.
        resume: where ``out`` holds the data set of the same sources and options, return that;
            where a run of them was killed or stopped, go on from there.
        overwrite: replace a data set that stands in ``out``, once the new one is whole.
        command: what is noted as the command that made it.
        tell: hears of progress; ``say``: hears what a person should know, a line at a time.

    Raises:
        BadInputError: no origin or terms, a source that is missing or damaged, a wrong option.
        RecordsError: ``out`` is in the way, or no game could be used.
    """
    options = options or BuildOptions()
    place = Path(out)
    papers, left_out = papers_of(sources, origin, terms, catalogue, allow_terms)
    opened = [open_source(paper.path) for paper in papers]
    for paper, source in zip(papers, opened, strict=True):
        check_checksum(paper, source)
    for kernels in (*KERNELS, *((fact_row_kernels,) if options.facts else ())):
        kernels.warm()  # once, before workers start
    try:
        with Workplace(place, goes_on=True) as workplace, Workers(jobs) as workers:
            standing = what_stands(place, opened, options, papers, resume, overwrite)
            if standing is not None:
                workplace.leave()
                return standing
            say = say or (lambda line: None)
            order = order_of(opened, options)
            with Journal(workplace, order, resume, say) as journal:
                build = _Build(workplace, journal, opened, papers, options, workers, tell, say)
                build.left_out = [
                    paper.as_dict() | {"path": shown_text(str(paper.path))} for paper in left_out
                ]
                build.run(command or f"build_records(out={place.name!r})")
            workplace.finish()
    except KeyboardInterrupt:
        raise KeyboardInterrupt(GO_ON) from None
    except StoppedError as error:
        error.hint = f"{error.hint}; {GO_ON}" if error.hint else GO_ON
        raise
    except OSError as error:
        raise StoppedError(
            why_not_written(error),
            where=place,
            hint=f"make room; {GO_ON}" if is_full(error) else None,
        ) from error
    return read_manifest(place)


class _Build:
    """One build: the first pass reads and judges, the second writes."""

    def __init__(
        self,
        workplace: Workplace,
        journal: Journal,
        sources: list[Source],
        papers: list[Paper],
        options: BuildOptions,
        workers: Workers,
        tell: "Tell | None",
        say: Callable[[str], None],
    ) -> None:
        self.folder = workplace.folder
        self.out = workplace.out
        self.spool_folder = workplace.spool
        self.journal = journal
        self.say = say
        self.faults = 0
        self.sources = sources
        self.papers = papers
        self.left_out: list[dict[str, Any]] = []
        self.options = options
        self.workers = workers
        self.tell: Tell = tell or (lambda stage, done, total: None)
        self.dropped: Counter[str] = Counter()
        self.boards: Counter[str] = Counter()
        self.games_read = 0
        lessons = options.lessons
        self.lessons = None if lessons is None else LessonRows(lessons, self.spool_folder)

    def run(self, command: str) -> None:
        """Make every file of the data set, the manifest last."""
        started_s = time.monotonic()
        numbers, codes, gone = self._first_pass()
        read_s = time.monotonic() - started_s
        kept = self._choose(numbers, codes)[~gone]
        if self.lessons is not None:
            self.lessons.settle(numbers, codes)
        numbers = settle_games(self.spool_folder, numbers, gone, self.options.opening_balance)
        shards = self._second_pass(numbers, kept)
        self._write_games(
            numbers, kept, gone, removed_of(codes, numbers["first"], numbers["length"])
        )
        counts = {
            "files": sum(source.files for source in self.sources),
            "games_read": self.games_read,
            **counts_of(numbers, codes, kept, self.dropped),
        }
        if self.lessons is not None:
            counts["lessons"] = self.lessons.counts
        counts["seconds"] = {
            "read": round(read_s, 2),
            "write": round(time.monotonic() - started_s - read_s, 2),
        }
        manifest = Manifest(
            sources=[
                source_entry(source, paper, self.out)
                for source, paper in zip(self.sources, self.papers, strict=True)
            ],
            left_out=self.left_out,
            options=self.options.as_dict(),
            counts=counts,
            shards=[asdict(shard) for shard in shards],
            provenance=provenance(command, self.options.seed).as_dict(),
            games_file=games_entry(self.folder),
        )
        write_whole(self.folder / MANIFEST, manifest.to_json())

    # -- first pass ------------------------------------------------------------------------

    def _first_pass(self) -> tuple[NDArray[Any], NDArray[np.uint8], NDArray[np.bool_]]:
        """Read and judge all games; return their numbers, a code for each move, which are gone."""
        spool, repeats = Spool(self.spool_folder), Repeats(self.spool_folder)
        work = partial(
            _take_in_batch,
            sizes=sizes_of(self.options.size),
            want_tactical=self.options.wants_tactical,
            wanted=self.options.filters,
            want_answers=self.options.wants_answers,
        )
        with (self.folder / "dropped.jsonl").open("w", encoding="utf-8", newline="\n") as dropped:
            judged_games = self.journal.judged_in_order(self.workers, work, self._batches())
            for source, intake in judged_games:
                self._accept(source, intake, spool, repeats, dropped)
                self.tell("read", intake.files, None)
        for paper, source in zip(self.papers, self.sources, strict=True):
            check_checksum(paper, source)
        numbers = spool.close()
        if not len(numbers):
            reasons = ", ".join(f"{n} {reason}" for reason, n in self.dropped.items())
            boards = ", ".join(f"{n} on {board}" for board, n in self.boards.most_common(FEW))
            taken = f"--size {self.options.size} is taken"
            reasons += f"; {taken}, which left out {boards}" if boards else ""
            raise RecordsError(
                "no game could be used",
                where=_named(self.sources),
                hint=f"dropped: {reasons}" if reasons else "no SGF file was found",
            )
        gone = self._drop_repeats(numbers)
        answers = None
        if self.options.max_per_position > 1:
            answers = np.fromfile(self.spool_folder / "answers.bin", np.uint16)
        codes = repeats.codes(rows_of(gone, numbers), answers, self.options.max_per_position)
        return numbers, codes, gone

    def _drop_repeats(self, numbers: NDArray[Any]) -> NDArray[np.bool_]:
        """Tell of the games that repeat others, behind those that cannot be used; return them."""
        repeats = game_repeats(self.spool_folder)
        if self.lessons is not None:
            self.lessons.close(repeats)
        with (self.folder / "dropped.jsonl").open("a", encoding="utf-8", newline="\n") as dropped:
            for line in lines_of(self.spool_folder, repeats):
                self.dropped["duplicate_game"] += 1
                dropped.write(json.dumps(line, ensure_ascii=False) + "\n")
        return repeats.are_gone(len(numbers))

    def _batches(self) -> Iterator[tuple[int, list[SourceFile]]]:
        for index, source in enumerate(self.sources):
            batch: list[SourceFile] = []
            size = 0
            for file in source.read():
                if file.data is None:
                    self._tell_fault(source, file)
                batch.append(file)
                size += len(file.data or b"")
                if len(batch) >= BATCH_FILES or size >= BATCH_BYTES:
                    yield index, batch
                    batch, size = [], 0
            if batch:
                yield index, batch

    def _tell_fault(self, source: Source, file: SourceFile) -> None:
        self.faults += 1
        if self.faults <= FAULTS_TOLD:
            self.say(f"{shown_path(source)}: {file.path}: {file.why}")
        elif self.faults == FAULTS_TOLD + 1:
            self.say("and more that cannot be read; dropped.jsonl lists them all")

    def _accept(
        self, source: int, intake: Intake, spool: Spool, repeats: Repeats, dropped: Any
    ) -> None:
        self.games_read += len(intake.facts) + len(intake.drops)
        # In the order of reading, which does not depend on how files are dealt out to workers.
        for drop in sorted(intake.drops, key=lambda drop: (drop.file, drop.index_in_file)):
            self.dropped[drop.reason] += 1
            if drop.reason == "board_size":
                self.boards[drop.text] += 1
            entry = {"source": source, **asdict(drop)}
            del entry["file"]
            dropped.write(json.dumps(entry, ensure_ascii=False) + "\n")
        splits = split_of(intake.identities, self.options)
        repeats.add(intake.hashes, splits, intake.first, self._wanted(intake))
        if self.lessons is not None:
            self.lessons.add(intake)
        spool.add(intake, splits, [source] * len(intake.facts))

    def _wanted(self, intake: Intake) -> "NDArray[np.bool_] | None":
        """Return which rows (M,) are the winner's, None where all are wanted."""
        if self.options.winners != "only":
            return None
        winners = np.array([facts.winner for facts in intake.facts], np.int8)
        return np.repeat(winners, np.diff(intake.first)) == intake.colors

    # -- second pass -----------------------------------------------------------------------

    def _choose(self, numbers: NDArray[Any], codes: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Apply the limits per game to ``codes``; return how many rows (G,) each game keeps."""
        options = self.options
        first = np.append(numbers["first"], len(codes))
        if options.max_per_game or options.tactical_only:
            tactical = np.fromfile(self.spool_folder / "tactical.bin", np.uint8)
            choose(
                first, tactical, options.max_per_game, options.tactical_half,
                options.tactical_only, options.pick == "random",
                numbers["identity"] ^ np.uint64(options.seed), codes,
            )  # fmt: skip
        with (self.spool_folder / "codes.bin").open("wb", buffering=0) as file:
            append_whole(file, codes.data)
        kept = np.zeros(len(numbers), np.int64)
        count_kept(first, codes, kept)
        return kept

    def _second_pass(self, numbers: NDArray[Any], kept: NDArray[np.int64]) -> list[Shard]:
        jobs = plan_shards(
            self.spool_folder, self.folder, numbers["split"], kept,
            self.options.shard_rows, self.options.row_weights, self.options.facts,
        )  # fmt: skip
        total = int(kept.sum())
        if total == 0:
            raise RecordsError(
                "no sample is left", hint="ask for less with --winners and --tactical-only"
            )
        shards: list[Shard] = []
        close_spool()
        decides = ("numbers.npy", "codes.bin", *((LESSON_ROWS,) if self.lessons else ()))
        self.journal.decide_shards_by([self.spool_folder / name for name in decides])
        for shard in self.journal.shards_in_order(self.workers, jobs):
            shards.append(shard)
            self.tell("write", shard.rows, total)
        close_spool()
        return shards

    def _write_games(
        self,
        numbers: NDArray[Any],
        kept: NDArray[np.int64],
        gone: NDArray[np.bool_],
        removed: dict[str, NDArray[np.int64]],
    ) -> None:
        """Write ``games.parquet``, batch by batch."""
        spooled = SpooledGames(self.spool_folder)
        start = 0
        with pq.ParquetWriter(
            self.folder / "games.parquet", GAME_SCHEMA, compression="zstd"
        ) as writer:
            for texts in grouped(spooled.texts(~gone), GAMES_AT_ONCE):
                stop = start + texts.num_rows
                part, played = slice(start, stop), read_spooled(spooled, np.arange(start, stop))
                rows = {"samples": kept[part]}
                rows |= {name: values[part] for name, values in removed.items()}
                writer.write_table(
                    games_table(numbers[part], rows, texts, start, self.papers, played)
                )
                start = stop


def _named(sources: Sequence[Source]) -> str:
    """Return the paths of the sources, a few of many."""
    names = [shown_path(source) for source in sources[:FEW]]
    more = len(sources) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


def _take_in_batch(
    batch: tuple[int, list[SourceFile]],
    sizes: Any,
    want_tactical: bool,
    wanted: GameFilter,
    want_answers: bool,
) -> Judged:
    source, files = batch
    return judged(source, files, take_in(files, sizes, want_tactical, wanted, want_answers))
