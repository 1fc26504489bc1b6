"""Games that are not used: how many for which reason, and where the first ones went wrong."""

from pathlib import Path
from typing import Any

import numpy as np

from mariago.board.points import EMPTY, Size
from mariago.records.lost_games import Losses
from mariago.records.manifest import Manifest
from mariago.records.originals import Originals, Place, read_originals
from mariago.records.replayed import replayed
from mariago.records.report_words import REASONS_IN_WORDS, in_words
from mariago.records.source_places import NO_RECORDS, is_of_rows
from mariago.reports.diagram import BoardPicture
from mariago.reports.sections import Block, BoardGrid, Callout, Table
from mariago.sgf.games import ReadGame
from mariago.words import Texts

__all__ = ["left_out_blocks", "place_in_words", "repeated_blocks", "shared_words"]

EXAMPLES = 3  # of a reason, in the table
BOARDS = 6
_ON_THE_BOARD = ("illegal_occupied", "illegal_suicide", "illegal_ko")
_NOT_WORTH_NAMING = ("duplicate_game",)  # they have a section of their own


def place_in_words(manifest: Manifest, line: dict[str, Any]) -> str:
    """Return source, path and number of a game in its file, as captions show them."""
    source = line["source"]  # an index, or of another data set its path
    path = source if isinstance(source, str) else manifest.sources[source]["path"]
    source = Path(str(path)).name
    number = f" #{line['index_in_file'] + 1}" if line["index_in_file"] else ""
    return f"{source}: {line['path']}{number}"


def shared_words(manifest: Manifest) -> str:
    """Return what the moves are that count as leaks: a copy lacks those of another set, too."""
    if "without" in manifest.provenance:
        return "shared with another split or set, removed"
    return "shared with another split, removed"


def left_out_blocks(manifest: Manifest, losses: dict[str, Losses], _: Texts) -> list[Block]:
    """Return the reasons with their numbers, examples of each, and boards of illegal moves."""
    counts = manifest.counts
    rows = [(reason, in_words(reason, REASONS_IN_WORDS, _), n)
            for reason, n in counts["dropped"].items() if n]  # fmt: skip
    lost = sum(counts["dropped"].values())
    if is_of_rows(manifest):
        words = _(
            "{lost} of {read} rows are not used. Each one, with its file, is a line of "
            "dropped.jsonl.",
            lost=f"{lost:,}",
            read=f"{counts['moves'] + lost:,}",
        )
    else:
        words = _(
            "{lost} of {read} records are not used. Each one, with its file and the move where it "
            "stopped, is a line of dropped.jsonl.",
            lost=f"{lost:,}",
            read=f"{counts['games_read']:,}",
        )
    blocks: list[Block] = [words]
    if rows:
        counted = _("Rows") if is_of_rows(manifest) else _("Records")
        blocks.append(Table((_("Reason"), _("Meaning"), counted), rows))
    examples = [
        (
            reason,
            place_in_words(manifest, line),
            line["move_number"] or None,
            _(line["text"]) if line["text"] else "",
        )
        for reason, lost in losses.items()
        if reason not in _NOT_WORTH_NAMING
        for line in lost.examples[:EXAMPLES]
    ]
    if examples:
        columns = [_("Reason"), _("Game"), _("Move"), _("What was found")]
        width = 4 if any(text for *_more, text in examples) else 3
        caption = _("The first games of each reason")
        blocks.append(Table(columns[:width], [row[:width] for row in examples], caption=caption))
    return blocks + _boards(manifest, losses, _)


def _boards(manifest: Manifest, losses: dict[str, Losses], _: Texts) -> list[Block]:
    """Return the boards on which the first illegal moves were played, where the files are there."""
    lines = [
        (reason, line)
        for reason in _ON_THE_BOARD
        if reason in losses
        for line in losses[reason].examples[: BOARDS // len(_ON_THE_BOARD)]
    ]
    found = read_originals(manifest, [_place(line) for _, line in lines])
    pictures = [
        _picture(reason, line, found.games[_place(line)], manifest, _)
        for reason, line in lines
        if _place(line) in found.games
    ]
    undrawn = _undrawn(manifest, lines, found, _)
    if not pictures:
        return undrawn
    words = _(
        "The orange ring is the move that cannot be; a cross in it: there is a stone already. One "
        "such game among thousands is a slip of its record. Many mean that the reader has mixed up "
        "axes or colours."
    )
    return [*undrawn, words, BoardGrid(pictures)]


def _undrawn(
    manifest: Manifest, lines: list[tuple[str, dict[str, Any]]], found: Originals, _: Texts
) -> list[Block]:
    """Return a remark on the boards that cannot be drawn, and why."""
    lost = [line for _reason, line in lines if _place(line) not in found.games]
    if not lost:
        return []
    if is_of_rows(manifest):
        return [Callout(_("Boards of illegal moves are not drawn: {why}.", why=_(NO_RECORDS)))]
    gone = _("the file is gone or has changed")
    why = sorted({found.missing.get(line["source"], gone) for line in lost})
    words = _("Boards of illegal moves that could not be drawn: {n} ({why}).", n=len(lost),
              why=_("; ").join(why))  # fmt: skip
    return [Callout(words, "warning")]


def _place(line: dict[str, Any]) -> Place:
    return line["source"], line["path"], line["index_in_file"]


def _picture(
    reason: str, line: dict[str, Any], game: ReadGame, manifest: Manifest, _: Texts
) -> BoardPicture:
    steps = replayed(game.size, game.moves, game.setup, stop=line["move_number"] - 1)
    stones = np.zeros(Size(*game.size).cells, np.uint8)
    for step in steps:
        for point, color in step.changes:
            stones[point] = color
    color, move = game.moves[line["move_number"] - 1]
    last = game.moves[line["move_number"] - 2][1] if line["move_number"] > 1 else None
    return BoardPicture(
        stones.reshape(game.size),
        to_move=color,
        last_move=None if last is None or _is_bare(stones, last) else last,
        answer=move,
        caption=(
            place_in_words(manifest, line),
            _("{reason}, move {number}", reason=in_words(reason, REASONS_IN_WORDS, _),
              number=line["move_number"]),
        ),
    )  # fmt: skip


def _is_bare(stones: "np.ndarray[Any, Any]", move: int) -> bool:
    return move < len(stones) and stones[move] == EMPTY


def repeated_blocks(manifest: Manifest, losses: dict[str, Losses], _: Texts) -> list[Block]:
    """Return how much was said twice: positions, and games with the first of them."""
    counts = manifest.counts
    games = losses.get("duplicate_game", Losses())
    share = 100 * counts["repeats"] / max(1, counts["moves"])
    rows = [
        (_("games that repeat another one"), games.games, 100 * games.games
         / max(1, counts["games_read"])),
        (_("repeated positions removed"), counts["repeats"], share),
        (_(shared_words(manifest)), counts["leaks"],
         100 * counts["leaks"] / max(1, counts["moves"])),
    ]  # fmt: skip
    blocks: list[Block] = [
        _(
            "Of a position that comes up again within a split, under any symmetry and with the "
            "colours swapped, the first in reading order stays, with the move played there. The "
            "splits are of games, not of samples; a position after move 30 that test or validation "
            "holds is taken out of train, and one that test holds out of validation."
        ),
        Table((_("Repeats"), _("Number"), _("Of all, %")), rows),
    ]
    pairs = [
        (place_in_words(manifest, line), place_in_words(manifest, line["same_as"]), line["text"])
        for line in games.examples
        if "same_as" in line
    ]
    if pairs:
        columns = (_("The game that goes"), _("The same as"), _("What they have in common"))
        blocks.append(Table(columns, pairs, caption=_("The first repeated games")))
    return blocks
