"""What must hold for any bytes that are handed to the readers of records."""

from __future__ import annotations

from mariago.errors import MariagoError, SgfError
from mariago.sgf import (
    REFUSALS,
    parse_collection,
    read_games,
    scan_files,
    write_collection,
    write_numbers,
)
from mariago.sgf import scan_kernels as scan
from mariago.sgf.formats import format_of
from mariago.sgf.repairs import REPAIRS

LONGEST_REPLAY = 500


def check(data: bytes) -> None:
    """Assert that no reader breaks on ``data``, that both agree, and that writing is stable."""
    games = read_games(data)
    assert games
    batch = scan_files([data])
    if batch.codes[0] == scan.OK:
        assert [batch.game(0)] == games
        assert games[0].refusal is None
    try:
        strict = read_games(data, strict=True)
    except SgfError:
        assert any(game.problems for game in games)
    else:
        assert strict == games
    for game in games:
        assert game.refusal is None or game.refusal in REFUSALS
        assert all(repair.code in REPAIRS for repair in game.repairs)
        assert all(0 <= problem.where <= len(data) for problem in game.problems)
        assert all(0 <= move <= game.size.cells for _, move in game.moves)
        written = write_numbers(game)
        [again] = read_games(written)
        assert again.moves == game.moves
        assert write_numbers(again) == written
        if len(game.moves) <= LONGEST_REPLAY:
            try:
                game.to_game()
            except MariagoError:
                continue
    if format_of(data) == "sgf":
        once = write_collection(parse_collection(data))
        assert write_collection(parse_collection(once)) == once
