"""Real archives: what is dropped and why, and that the samples are those made the plain way."""

from __future__ import annotations

import tarfile
from collections import Counter
from pathlib import Path

import pytest
from tests.reference.compare_samples import check_against_plain

from mariago.records.intake import take_in
from mariago.records.sources import open_source

# Files, and games dropped before duplicates are looked for. Source: README.md beside the archives,
# a strict reader with simple ko and no suicide.
DROPPED = {
    "fox_pro_2013_2018": (
        9669,
        {"unreadable": 4, "illegal_suicide": 16, "illegal_occupied": 9, "illegal_ko": 1},
    ),
    "kgs_6d_2001": (2298, {"no_moves": 29}),
    "kgs_6d_2002": (3646, {"no_moves": 3}),
    "kgs_6d_2003": (7582, {"no_moves": 1}),
    "kgs_6d_2006": (10388, {"no_moves": 8}),
    "engine_games": (494, {}),
}


@pytest.mark.parametrize("name", sorted(DROPPED))
def test_an_archive_loses_the_games_that_a_strict_reader_finds(peer_data: Path, name: str) -> None:
    files, dropped = DROPPED[name]
    source = open_source(peer_data / "records" / f"{name}.tar.gz")
    intake = take_in(list(source.read()), None, False)
    assert source.files == files
    assert Counter(drop.reason for drop in intake.drops) == dropped
    assert len(intake.facts) == files - sum(dropped.values())


def some_files(peer_data: Path, every: int) -> list[bytes]:
    """Return every so many-th record of each archive, and all Fox records that are dropped."""
    files: list[bytes] = []
    for name in ("fox_pro_2013_2018", "kgs_6d_2001", "kgs_clamshell_2019", "engine_games"):
        path = peer_data / "records" / f"{name}.tar.gz"
        found = list(open_source(path).read())
        files += [file.data for file in found[::every] if file.data is not None]
        if name == "fox_pro_2013_2018":
            bad = {drop.path for drop in take_in(found, None, False).drops}
            files += [file.data for file in found if file.path in bad and file.data is not None]
    return files


def openings(peer_data: Path) -> list[bytes]:
    """Return start positions at 9x9 and 19x19 with their stones set up and no or few moves."""
    with tarfile.open(peer_data / "records" / "openings_gogui.tar.gz") as tar:
        members = [member for member in tar if member.name.endswith(".sgf")][::20]
        found = [tar.extractfile(member) for member in members]
        return [file.read() for file in found if file is not None]


def test_samples_of_real_games_equal_the_plain_ones(peer_data: Path, tmp_path: Path) -> None:
    files = some_files(peer_data, 2500) + openings(peer_data)
    samples, dropped = check_against_plain(files, tmp_path)
    assert samples > 1000
    assert dropped >= 30


@pytest.mark.slow
def test_samples_of_hundreds_of_real_games_equal_the_plain_ones(
    peer_data: Path, tmp_path: Path
) -> None:
    samples, dropped = check_against_plain(some_files(peer_data, 50), tmp_path)
    assert samples > 40_000
    assert dropped >= 30


@pytest.mark.slow
def test_awkward_files_never_stop_a_build(peer_data: Path, tmp_path: Path) -> None:
    files = [path.read_bytes() for path in sorted((peer_data / "sgf_awkward").rglob("*.sgf"))]
    samples, _ = check_against_plain(files, tmp_path)
    assert samples > 0
