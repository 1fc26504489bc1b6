"""The card of the data set of our own: ``README.md`` in the form that Hugging Face reads."""

from collections.abc import Iterable

import pyarrow as pa

from mariago.records.labels import LABEL_SCHEMA
from mariago.records.manifest import Manifest
from mariago.records.schema import GAME_SCHEMA, SAMPLE_SCHEMA, SPLITS

__all__ = ["SAMPLE_MEANINGS", "card_of"]

SAMPLE_MEANINGS = {
    "game": "index of the game in `games.parquet`",
    "game_id": "the same for the same game under any symmetry",
    "move_number": "number of the move about to be played, from 1",
    "rows": "rows of the board",
    "columns": "columns of the board",
    "board": "the board before the move, 2 bits a point: point i in byte i // 4 at bits "
    "2 * (i % 4); 0 empty, 1 black, 2 white",
    "to_move": "1 Black, 2 White",
    "ko": "the point that may not be taken back at once, -1 none",
    "superko_banned": "further forbidden moves; empty here",
    "last_moves": "the last five moves, most recent first, -1 none",
    "taken_1": "stones taken by the last move",
    "taken_2": "stones taken by the move before it",
    "move": "the move played: row * columns + column from the top left, rows * columns for a pass",
    "winner": "1 Black, 2 White, 0 draw, -1 unknown",
    "score": "points by which Black won, null without a count",
    "komi": "points to White",
    "rules": "the rule set",
    "handicap": "handicap stones",
    "handicap_bonus": "points that White gets for them",
    "stone_lead": "stones that Black has put on the board less White's, taken ones included",
    "captures": "stones that the move takes",
    "saves": "own stones that it saves from atari",
    "gives_atari": "opponent stones that it puts into atari",
    "self_atari": "own stones that it puts into atari",
    "in_atari": "own stones in atari before it",
    "facts": "bits of what else was checked about the move, null where nothing was",
    "weight": "what the row counts",
    "position_hash": "the same for the same position under any symmetry",
    "split": "train, validation or test",
}
LABEL_MEANINGS = {
    "shard": "the file of samples, `train-00000.parquet`",
    "row": "number of the row in it, from 0",
    "visits": "visits of the teacher's search, 0 for its net alone",
    "policy": "rows * columns + 1 shares that sum to 1, by move, the last for a pass",
    "value": "-1 lost to 1 won",
    "lead": "points ahead",
    "ownership": "rows * columns numbers, -127 the opponent's to 127 own",
}

_CARD = """\
---
license: cc0-1.0
pretty_name: MariaGO, positions of engine games of Go
task_categories:
- other
tags:
- go
- baduk
- weiqi
- igo
- board-games
size_categories:
- {size_category}
configs:
- config_name: samples
  default: true
  data_files:
{splits}
- config_name: games
  data_files:
  - split: games
    path: games.parquet
---

# Positions of engine games of Go

{samples:,} positions, each with the move played there, of {games:,} games on boards of 9x9, 13x13
and 19x19. The games were made for MariaGO, so that samples of Go can be given to anybody.

- **Games**: {origin}.
- **Licence**: CC0 1.0, see `LICENSE`; do with them what you like.
- **Made by**: `mariago records own --out DIR`; the same versions of MariaGO, NumPy and PyArrow
  give the same bytes. `manifest.json` names the versions, and the SHA-256 of each file of samples.
- **Records**: the games themselves, as SGF, are in `{archive}`.

## How it was made

Every game was replayed from its first move, with captures and a check of every move. Games that are
impossible or repeat another one are left out and listed in `dropped.jsonl` ({dropped} of them). One
row is one move: the board before it, and what was played. A position that comes up again in a
split, under any symmetry and with colours swapped, is held once. Splits are of games; a position
after move 30 that validation or test holds too was taken out of train, and one that test holds out
of validation.

| split | games | samples |
|---|---|---|
{counts}

## Files

| file | holds |
|---|---|
| `train-*.parquet`, `validation-*.parquet`, `test-*.parquet` | samples, one row a move |
| `games.parquet` | one row a game |
| `dropped.jsonl` | games that are not used |
| `manifest.json` | where it is from, how it was made, what it holds |
| `labels-TEACHER-SHARD.parquet` | labels of a teacher, where there are any |

```python
from datasets import load_dataset

samples = load_dataset("parquet", data_files={{"train": "train-*.parquet"}})["train"]
```

## Columns of a sample

| column | type | meaning |
|---|---|---|
{sample_columns}

## Columns of a game

{game_columns}.

## Labels of a teacher

A file `labels-TEACHER-SHARD.parquet` beside `SHARD.parquet` holds what a stronger player says of
its rows, for the side to move. Rows without a label are left out; what a teacher does not tell is
null.

| column | type | meaning |
|---|---|---|
{label_columns}

## Limits

The games are an engine's at few visits, with some randomness in the opening: its moves are no
model, openings are of one style, and results go by that engine's count. Handicap games are few.
"""


def card_of(manifest: Manifest) -> str:
    """Return the card of a data set made by ``own.build_own``."""
    counts = manifest.counts
    total = sum(counts["samples"].values())
    sizes = ((10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M"))
    return _CARD.format(
        size_category=next((words for most, words in sizes if total < most), "1M<n<10M"),
        splits="\n".join(
            f"  - split: {split}\n    path: {split}-*.parquet"
            for split in SPLITS
            if counts["samples"][split]
        ),
        samples=total,
        games=counts["games_kept"],
        origin=manifest.sources[0]["origin"],
        archive=manifest.sources[0]["path"],
        dropped=sum(counts["dropped"].values()),
        counts="\n".join(
            f"| {split} | {counts['games'][split]:,} | {counts['samples'][split]:,} |"
            for split in SPLITS
        ),
        sample_columns="\n".join(_rows(SAMPLE_SCHEMA, SAMPLE_MEANINGS)),
        game_columns=", ".join(f"`{field.name}`" for field in GAME_SCHEMA),
        label_columns="\n".join(_rows(LABEL_SCHEMA, LABEL_MEANINGS)),
    )


def _rows(schema: pa.Schema, meanings: dict[str, str]) -> Iterable[str]:
    for field in schema:
        yield f"| `{field.name}` | {_kind(field.type)} | {meanings[field.name]} |"


def _kind(kind: pa.DataType) -> str:
    if pa.types.is_dictionary(kind):
        return str(kind.value_type)
    if pa.types.is_fixed_size_list(kind):
        return f"{kind.list_size} x {kind.value_type}"
    return f"list of {kind.value_type}" if pa.types.is_list(kind) else str(kind)
