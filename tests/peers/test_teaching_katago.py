"""Labels by a network file of KataGo, against what the engine said while it played the games.

The games hold with each move the engine's chances and lead at four visits, in White's view.
"""

from __future__ import annotations

import re
import tarfile
from pathlib import Path

import numpy as np
import pytest

from mariago.board.points import BLACK, WHITE
from mariago.nets import load_katago_net
from mariago.records import BuildOptions, build_records, read_labels, read_manifest, read_table
from mariago.records.stored import read_games
from mariago.teaching import LabelSettings, label_data_set
from mariago.teaching.search_teacher import positions_of_table

NETWORK = "nets/g170-b6c96-s175395328-d26788732.bin.gz"
ARCHIVE = "records/engine_games.tar.gz"
GAMES = ("0001_13x13", "0244_19x19", "0006_9x9")
TRAIN = "train-00000.parquet"
SAID = re.compile(r";[BW]\[\w*\](?:C\[(\S+) (\S+) (\S+) (\S+) v=)?")  # win, loss, no result, lead
VALUES_AGREE, LEADS_AGREE = 0.9, 0.9  # correlations


@pytest.fixture(scope="module")
def labelled(peer_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("teaching")
    with tarfile.open(peer_data / ARCHIVE) as archive:
        members = [m for m in archive.getmembers() if any(name in m.name for name in GAMES)]
        archive.extractall(place, members, filter="data")
    options = BuildOptions(size="any", validation=0, test=0)
    source = str(place / "engine_games")
    build_records([source], origin="o", terms="t", out=place / "set", options=options)
    teacher = f'katago:"{peer_data / NETWORK}"'
    settings = LabelSettings(teacher=teacher, name="k", every=3)
    assert label_data_set(place / "set", settings).rows > 100
    return place


def test_labels_are_in_the_view_of_the_side_to_move_as_the_engine_told(labelled: Path) -> None:
    folder = labelled / "set"
    labels = read_labels(folder, TRAIN, "k")
    assert labels.value is not None
    assert labels.lead is not None
    rows = read_table(folder, "train", ["game", "move_number", "to_move"]).take(labels.rows)
    paths = read_games(read_manifest(folder), ["path"]).column("path").to_pylist()
    told = [SAID.findall((labelled / "engine_games" / path).read_text()) for path in paths]
    known: list[list[float]] = []
    for row, value, lead in zip(rows.to_pylist(), labels.value, labels.lead, strict=True):
        win, loss, _, white_lead = told[row["game"]][row["move_number"] - 1]
        if win:
            sign = 1 if row["to_move"] == WHITE else -1
            engine = [sign * (float(win) - float(loss)), sign * float(white_lead)]
            known.append([row["to_move"], value, lead, *engine])
    sides, *figures = np.array(known).T
    for side in (BLACK, WHITE):
        value, lead, engine_value, engine_lead = (figure[sides == side] for figure in figures)
        assert len(value) > 30
        assert np.corrcoef(value, engine_value)[0, 1] > VALUES_AGREE
        assert np.corrcoef(lead, engine_lead)[0, 1] > LEADS_AGREE


def test_labels_of_three_sizes_are_what_the_file_says_of_the_live_positions(
    labelled: Path, peer_data: Path
) -> None:
    folder = labelled / "set"
    labels = read_labels(folder, TRAIN, "k")
    assert labels.policy is not None
    assert labels.value is not None
    assert labels.ownership is not None
    table = read_table(folder, "train").take(labels.rows)
    positions = positions_of_table(read_manifest(folder), table)
    numbers = table["move_number"].to_pylist()
    assert [len(position.moves) + 1 for position in positions] == numbers
    cells = np.array([position.size.cells for position in positions])
    policies = np.split(labels.policy, np.cumsum(cells + 1)[:-1])
    owned = np.split(labels.ownership, np.cumsum(cells)[:-1])
    chosen = range(0, len(positions), 5)
    assert len({cells[i] for i in chosen}) == 3
    net = load_katago_net(peer_data / NETWORK)
    for i, said in zip(chosen, net.evaluate_positions([positions[i] for i in chosen]), strict=True):
        assert labels.value[i] == pytest.approx(said.value, abs=1e-4)
        np.testing.assert_allclose(policies[i], said.policy, atol=2e-3)
        np.testing.assert_allclose(owned[i], said.ownership.ravel(), atol=0.5 / 127 + 1e-4)
