"""Make the packaged set of positions that ``mariago rate`` asks about by default.

::

    python tools/rating_positions.py g170-b6c96-s175395328-d26788732.bin.gz

The packaged game records are built into the data set that ``mariago demo`` makes (its shares, its
seed), and six positions of each game of the test split are drawn. The network, asked once and
without search, judges each of them, and of one a game what follows every legal move: some minutes
on a core of its own. What is judged is kept in ``--work``, so that a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from mariago.arena.rating.judging import judge_by_net, outlooks_by_net
from mariago.arena.rating.packaged import PACKAGED, set_bytes
from mariago.arena.rating.positions import Labels, PositionSet, thinned
from mariago.arena.rating.sampling import positions_of_data
from mariago.board.files import write_whole
from mariago.nets import Net, load_katago_net
from mariago.records.build import build_records
from mariago.records.bundled import BUNDLED_ORIGIN, BUNDLED_TERMS, bundled_records
from mariago.records.options import BuildOptions

NAME = "packaged games, test"
DEMO_SEED, SHARE = 1, 0.15
PER_GAME = 6
WHOLE_PER_GAME = 1
SET_SEED = 0


def drawn_positions(folder: Path) -> PositionSet:
    """Build the demo's data set in ``folder``, where it is not there yet, and draw from it."""
    if not (folder / "manifest.json").exists():
        build_records(
            [bundled_records()],
            origin=BUNDLED_ORIGIN,
            terms=BUNDLED_TERMS,
            out=folder,
            options=BuildOptions(size="any", seed=DEMO_SEED, validation=SHARE, test=SHARE),
        )
    return positions_of_data(folder, 0, PER_GAME, SET_SEED, NAME)


def outlooks_of(net: Net, positions: PositionSet, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (cells + 1,) the mover's win rate and lead after each move, NaN where illegal."""
    position = positions.position(number)
    moves = np.flatnonzero(position.legal_mask())
    found = outlooks_by_net(net, position, moves.tolist())
    win = np.full(position.size.cells + 1, np.nan, np.float32)
    lead = win.copy()
    win[moves] = [one.win_rate for one in found]
    lead[moves] = [one.lead for one in found]
    return win, lead


def wholly_judged(positions: PositionSet) -> list[int]:
    """Return the positions of which every move is judged, those of all games by turns."""
    owners = [spot.game for spot in positions.spots]
    rounds = [thinned(owners, 0, turn + 1, SET_SEED).tolist() for turn in range(WHOLE_PER_GAME)]
    return list(dict.fromkeys(number for turn in rounds for number in turn))


def labelled(net_file: Path, positions: PositionSet, work: Path) -> PositionSet:
    """Return the set with the network's judgements."""
    net = load_katago_net(net_file)
    told = net.describe()
    teacher: dict[str, object] = {
        "name": told["name"],
        "sha256": told["sha256"],
        "visits": 0,
        "symmetries": 1,
    }
    judged = [judge_by_net(net, positions.position(n)) for n in range(len(positions))]
    nothing = np.empty(0, np.float32)
    wins, leads = ([nothing] * len(positions) for _ in range(2))
    work.mkdir(parents=True, exist_ok=True)
    wanted = wholly_judged(positions)
    for done, number in enumerate(wanted, 1):
        digest = hashlib.sha256(f"{told['sha256']} {positions.key(number)}".encode()).hexdigest()
        kept = work / f"{digest[:24]}.npz"
        if not kept.exists():
            win, lead = outlooks_of(net, positions, number)
            np.savez(work / "part.npz", win=win, lead=lead)
            (work / "part.npz").replace(kept)
        held = np.load(kept)
        wins[number], leads[number] = held["win"], held["lead"]
        if done % 10 == 0:
            print(f"{done}/{len(wanted)}", file=sys.stderr, flush=True)
    labels = Labels(teacher, tuple(judged), tuple(wins), tuple(leads))
    return replace(positions, labels=labels)


def main() -> None:
    """Read the command line and write the file."""
    parser = argparse.ArgumentParser(description="Make the packaged set of positions.")
    parser.add_argument("net", type=Path, help="the network file of the teacher")
    parser.add_argument("--work", type=Path, help="a folder to keep what is done in")
    parser.add_argument("--out", type=Path, default=PACKAGED)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as aside:
        work = given.work or Path(aside)
        positions = drawn_positions(work / "samples")
        found = set_bytes(labelled(given.net, positions, work / "judged"))
    write_whole(given.out, found)
    print(f"{given.out}: {len(positions)} positions, {len(found):,} bytes")


if __name__ == "__main__":
    main()
