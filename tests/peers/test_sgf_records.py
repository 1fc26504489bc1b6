"""Whole archives of records: what is refused, and that both readers give the same games."""

from __future__ import annotations

import tarfile
from collections import Counter
from pathlib import Path

import pytest

from mariago.sgf import ReadGame, read_games, read_many, scan_files
from mariago.sgf import scan_kernels as scan

# Files; games refused, by reason; moves in all; files that the fast reader hands over. Sources:
# README.md beside the archives for the first two; moves counted by this reader, which may not
# change in silence.
ARCHIVES = {
    "fox_pro_2013_2018": (9669, {"unreadable": 4}, 1_935_895, 4),
    "kgs_6d_2001": (2298, {"no_moves": 29}, 434_858, 29),
    "kgs_6d_2002": (3646, {"no_moves": 3}, 714_037, 3),
    "kgs_6d_2003": (7582, {"no_moves": 1}, 1_502_476, 1),
    "kgs_6d_2006": (10388, {"no_moves": 8}, 2_110_339, 8),
    "kgs_clamshell_2019": (63, {}, 11_267, 0),
    "engine_games": (494, {}, 118_757, 0),
}


def files_of(archive: Path) -> list[bytes]:
    """Return the records of an archive, in its order."""
    with tarfile.open(archive) as tar:
        found = [tar.extractfile(member) for member in tar if member.name.endswith(".sgf")]
        return [file.read() for file in found if file is not None]


@pytest.mark.parametrize("name", sorted(ARCHIVES))
def test_an_archive_is_refused_as_counted(peer_data: Path, name: str) -> None:
    count, refused, moves, handed_over = ARCHIVES[name]
    files = files_of(peer_data / "records" / f"{name}.tar.gz")
    batch = scan_files(files)
    left = [read_games(files[i])[0] for i in range(len(files)) if batch.codes[i] != scan.OK]
    assert len(files) == count
    assert len(left) == handed_over
    assert Counter(game.refusal for game in left if game.refusal) == refused
    assert len(batch.moves) + sum(len(game.moves) for game in left) == moves


def test_fox_komi_and_handicap_are_told_apart(peer_data: Path) -> None:
    """The counts of the README of the archives: HA >= 2 in 6,047 games, 132 of them without AB."""
    files = files_of(peer_data / "records" / "fox_pro_2013_2018.tar.gz")
    batch = scan_files(files)
    games = [
        batch.game(i, with_moves=False) for i in range(len(batch)) if batch.codes[i] == scan.OK
    ]
    games += [read_games(files[i])[0] for i in range(len(batch)) if batch.codes[i] != scan.OK]
    handicaps = [game for game in games if game.handicap >= 2]
    assert len(handicaps) == 6047
    assert sum(1 for game in handicaps if not game.setup) == 132
    assert all(game.first_player == 2 for game in handicaps)
    assert sum(1 for game in games if game.info.get("HA") == "1") == 56
    assert sum(1 for game in games if game.komi_text == "0") == 7944
    # HA[1] means that Black moves first without komi.
    alone = [game for game in games if game.info.get("HA") == "1"]
    assert {(game.handicap, game.komi) for game in alone} == {(0, 0.0)}
    even = {game.komi for game in games if game.handicap == 0 and game.info.get("HA") != "1"}
    assert even == {None, 6.5, 7.5}
    assert {game.komi for game in games if game.handicap > 0} == {0.0, 4.5, 5.5, 6.5, 7.5}
    how = Counter(game.result.how for game in games if game.result)
    # Of the 1,063 that the file gives by points, 363 read W+0.0 or B+0.0: won, and not counted.
    assert (how["resign"], how["score"], how["won"], how["draw"]) == (8504, 700, 363, 102)
    assert sum(1 for game in games if game.result_text in ("B+0.0", "W+0.0")) == 363


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(ARCHIVES))
def test_both_readers_give_the_same_games(peer_data: Path, name: str) -> None:
    files = files_of(peer_data / "records" / f"{name}.tar.gz")
    batch = scan_files(files)
    different: list[tuple[ReadGame, list[ReadGame]]] = []
    for i, data in enumerate(files):
        if batch.codes[i] == scan.OK:
            fast, plain = batch.game(i), read_games(data)
            if [fast] != plain:
                different.append((fast, plain))
    assert different == []


def test_repairs_of_fox_are_those_that_its_description_counts(peer_data: Path) -> None:
    """The archives' README: AB in the second node in 5,915 games, none in 132, HA[1] in 56."""
    files = files_of(peer_data / "records" / "fox_pro_2013_2018.tar.gz")
    games = [game for found in read_many(files) for game in found]
    counted = Counter(repair.code for game in games for repair in game.repairs)
    assert counted == {
        "handicap_moved": 5915,
        "handicap_unplaced": 132,
        "handicap_one": 56,
        "komi_unknown": 2656,
        "komi_hundredths": 1725,
        "result_uncounted": 363,
        "result_words": 102,  # draw
        "rank_words": 19338,  # P9段, 9段
    }
    assert all(game.played_on is not None for game in games)
    assert Counter(game.encoding for game in games) == {"utf-8": len(games)}
