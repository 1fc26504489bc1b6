"""``mariago records leak``: what a set to be tested on shares with one that is trained on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mariago.cli.invocation import command_line
from mariago.cli.options import JsonOption
from mariago.cli.terminal import tell
from mariago.words import counted

if TYPE_CHECKING:
    from mariago.records.leaks import Lost

LEAKS_FOUND = 1


def leak(
    a: Annotated[
        Path, typer.Argument(metavar="A", help="What is trained on: a data set, or SGF records.")
    ],
    b: Annotated[
        Path | None,
        typer.Argument(metavar="[B]", help="What is tested on; without it A's own splits."),
    ] = None,
    train: Annotated[
        str, typer.Option(metavar="SPLITS", help="Splits of A that count, or all; train.")
    ] = "",
    test: Annotated[
        str, typer.Option(metavar="SPLITS", help="Splits of B that count, or all; test.")
    ] = "",
    after: Annotated[
        int, typer.Option(metavar="MOVE", help="Positions up to this move are openings.")
    ] = 30,
    listed: Annotated[
        int, typer.Option("--list", metavar="N", min=0, help="Games to list at most.")
    ] = 20,
    strict: Annotated[
        bool, typer.Option("--strict", help="End with code 1 where there is a leak.")
    ] = False,
    drop_from: Annotated[
        str, typer.Option("--drop-from", metavar="SIDE", help="A or B: copy it without the leaks.")
    ] = "",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where the copy goes.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Count the games and the positions that two data sets, or the splits of one, share.

    Games are the same also under other names, turned, mirrored, cut short or with other komi.
    """
    import json

    from mariago.records.leaks import find_leaks

    side = _side(drop_from, b, out)
    found = find_leaks(
        a, b, trained=_names(train), tested=_names(test), after=after, most=listed, lost_of=side
    )
    facts = found.facts
    if found.lost is not None and out is not None:
        own, other = (a, b or a) if side == "A" else (b or a, a)
        facts["copy"] = _copy(own, out, found.lost, other)
    if as_json:
        print(json.dumps(facts, ensure_ascii=False))
    else:
        tell("\n".join(_lines(facts)))
    if strict and found.is_leak:
        raise typer.Exit(LEAKS_FOUND)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _side(drop_from: str, b: Path | None, out: Path | None) -> Any:
    from mariago.errors import BadInputError, RecordsError
    from mariago.records.workplace import where_it_leads

    side = drop_from.strip().upper()
    if side not in ("", "A", "B"):
        raise BadInputError(f"{drop_from!r} is not a side", where="--drop-from", hint="A or B")
    if bool(side) != (out is not None):
        raise BadInputError(
            "--drop-from and --out belong together", hint="say --drop-from A --out DIR"
        )
    if side == "B" and b is None:
        raise BadInputError("there is no B", where="--drop-from", hint="drop from A")
    if out is not None and where_it_leads(out).exists():  # before the long comparison
        raise RecordsError("is in the way", where=out, hint="choose another --out")
    return side or None


def _copy(folder: Path, out: Path, lost: Lost, other: Path) -> dict[str, Any]:
    from mariago.records.leak_drop import copy_without

    manifest = copy_without(folder, out, lost, other=str(other), command=command_line())
    return {"out": str(out), "games": manifest.counts["games"], **manifest.counts["samples"]}


def _lines(facts: dict[str, Any]) -> list[str]:
    """Return the outcome as lines of text."""
    lines = [_about(name, facts[name]) for name in ("a", "b") if facts[name]]
    games, found = facts["games"], facts["verdict"]
    lines += [
        "",
        f"games in common               {games['in_common']:>10,}",
        f"  the same moves              {games['same_moves']:>10,}",
        f"  cut short, or with slips    {games['alike']:>10,}",
        f"  turned or mirrored          {games['turned_or_mirrored']:>10,}",
        f"  {_joined(found['trained'])} of A against {_joined(found['tested'])} of "
        f"{'B' if facts['b'] else 'A'}: {found['games']:,}",
        f"too short to tell             {games['too_short_to_tell']:>10,}",
        "",
        *_table(facts),
        "",
        f"{_joined(found['tested'])} of {'B' if facts['b'] else 'A'}, seen in "
        f"{_joined(found['trained'])} of A:",
        _share("games", found["games"], found["tested_games"]),
        _share("samples", found["rows"], found["tested_rows"]),
        _share(f"samples after {facts['after']}", found["late_rows"], found["tested_late_rows"]),
    ]
    for pair in facts["listed_games"]:
        lines += [f"  {pair['how']}, {pair['text']}", *(_game(pair[name]) for name in ("a", "b"))]
    if facts["games_by_late_rows"]:
        lines.append("games with the most positions in common after that move:")
    lines += [f"  {game['late_rows']:>5}{_game(game)}" for game in facts["games_by_late_rows"]]
    if "copy" in facts:
        lines.append(f"copy without them: {facts['copy']['out']}")
    lines.append("leak" if found["is_leak"] else "no leak")
    return lines


def _about(name: str, side: dict[str, Any]) -> str:
    games, samples = sum(side["games"].values()), sum(side["samples"].values())
    held = f"{counted(games, 'game')}, {counted(samples, 'position')}"
    text = f"{name.upper()}  {side['path']}: {held} ({side['kind']})"
    if not side["knows_moves"]:
        text += "; its games.parquet holds no moves: games are compared by game_id alone"
    return text


def _table(facts: dict[str, Any]) -> list[str]:
    """Return the positions in common as a table: a line for each band of move numbers."""
    held = facts["positions"]
    lines = [f"{'positions in common, moves':<30}{'distinct':>10}"]
    return lines + [f"  {band:<28}{n:>10,}" for band, n in held["distinct"].items()]


def _share(name: str, n: int, total: int) -> str:
    return f"  {name:<28}{n:>10,} of {total:>10,}  {100 * n / max(1, total):6.2f} %"


def _game(game: dict[str, Any]) -> str:
    players = f"{game['black']} - {game['white']}" if game["black"] or game["white"] else ""
    parts = [game["path"], counted(game["moves"], "move"), game["split"], players, game["date"]]
    return "    " + ", ".join(part for part in parts if part)


def _joined(names: list[str]) -> str:
    return " and ".join(names)
