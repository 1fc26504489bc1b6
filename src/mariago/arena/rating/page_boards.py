"""The boards of a rating's page: where a player's answer costs most by the teacher's judgement."""

from __future__ import annotations

from pathlib import PurePath

import numpy as np

from mariago.arena.rating.rate import RatedPlayer, Rating
from mariago.board.points import BLACK, move_to_vertex
from mariago.players import PlayerName, parse_name
from mariago.reports import BoardGrid, BoardPicture, Section
from mariago.words import Texts

__all__ = ["BOARDS_A_PLAYER", "boards_section", "costliest", "short_names"]

BOARDS_A_PLAYER = 6
_MOST_PLAYERS = 8


def costliest(player: RatedPlayer, count: int = BOARDS_A_PLAYER) -> list[int]:
    """Return the positions, one a game at most, in which a player's answer costs most.

    By points where they are known, else by the chance to win; only answers that cost something.
    """
    columns = player.columns
    losses = columns.win_loss if np.isnan(columns.lead_loss).all() else columns.lead_loss
    order = [int(n) for n in np.argsort(-np.nan_to_num(losses, nan=-np.inf), kind="stable")]
    found: list[int] = []
    games: set[str] = set()
    for n in order:
        game = player.answers[n].at.partition(":")[0]
        if len(found) == count or not losses[n] > 0:
            break
        if game not in games:
            games.add(game)
            found.append(n)
    return found


def short_names(rating: Rating) -> dict[str, str]:
    """Return players' names with paths cut to their last parts, where they stay apart."""
    short: dict[str, str] = {}
    for player in rating.players:
        name = parse_name(player.name)
        if name.target is not None and name.kind != "gtp":
            name = PlayerName(name.kind, PurePath(name.target).name, name.keys)
        short[player.name] = str(name)
    twice = len(set(short.values())) < len(short)
    return {name: name for name in short} if twice else short


def boards_section(rating: Rating, _: Texts) -> list[Section]:
    """Return the section of the boards; none where nothing was judged."""
    blocks: list[str | BoardGrid] = []
    names = short_names(rating)
    for player in rating.players[:_MOST_PLAYERS]:
        chosen = costliest(player)
        if chosen:
            blocks += [
                names[player.name],
                BoardGrid([_picture(rating, player, n, _) for n in chosen]),
            ]
    if not blocks:
        return []
    legend = _(
        "In the orange ring the teacher's best move, crossed the player's, a triangle on the move "
        "of the record where it is a third one. One position a game at most."
    )
    return [Section(_("Where answers cost most"), legend, *blocks)]


def _picture(rating: Rating, player: RatedPlayer, n: int, _: Texts) -> BoardPicture:
    positions, teacher, answer = rating.positions, rating.teacher, player.answers[n].move
    assert teacher is not None
    assert answer is not None
    position = positions.position(n)
    best, record = teacher.judged[n].moves[0], positions.move_of_record(n)
    size = position.size
    marks: dict[int, str] = {}
    if record not in (best, answer) and record < size.cells:
        marks[record] = "triangle"
    if answer < size.cells:
        marks[answer] = "cross"
    played = positions.game_of(n).moves[: positions.spots[n].ply]
    last = played[-1][1] if played else size.cells
    side = _("Black to play") if position.to_move == BLACK else _("White to play")
    number = _("Move number {number}", number=positions.move_number(n))
    return BoardPicture(
        position.stones,
        to_move=position.to_move,
        last_move=last if last < size.cells and position.stones.ravel()[last] else None,
        answer=best,
        marks=marks,
        caption=(
            f"{number} · {side}",
            _(
                "player {answer}, teacher {best}",
                answer=_named(answer, size, _),
                best=_named(best, size, _),
            ),
            _cost(player, n, _),
        ),
    )


def _cost(player: RatedPlayer, n: int, _: Texts) -> str:
    points, win = float(player.columns.lead_loss[n]), float(player.columns.win_loss[n])
    share = _("{percent}% of winning", percent=f"{100 * win:.0f}")
    if points != points:
        return _("loses {share}", share=share)
    return _("loses {points} points, {share}", points=f"{points:.1f}", share=share)


def _named(move: int, size: tuple[int, int], _: Texts) -> str:
    from mariago.board.points import Size

    board = Size(*size)
    return _.term("pass") if move == board.cells else move_to_vertex(move, board)
