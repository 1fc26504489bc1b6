"""Weights of rows from a file, and what they make of a row."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mariago.errors import BadInputError
from mariago.records.options import BuildOptions
from mariago.records.told import RESULT_KINDS, UNKNOWN_LEVEL, level_of
from mariago.records.weights import RowWeights, read_weights, weights_of

TEXT = """
[winner]
loser = 0.5
draw = 0.25
[result]
time = 0.2
[rank]
"1d-5d" = 3
"6d-" = 4
unknown = 0.5
[tactical]
tactical = 2
"""


def weight(
    weights: RowWeights,
    winner: int = 1,
    to_move: int = 1,
    kind: str = "resign",
    rank: str = "1k",
    is_tactical: bool = False,
) -> float:
    """Return the weight of one row."""
    found = weights.of_rows(
        np.array([winner], np.int8),
        np.array([to_move], np.uint8),
        np.array([RESULT_KINDS.index(kind)], np.uint8),
        np.array([level_of(rank)], np.int8),
        np.array([is_tactical]),
    )
    assert found.dtype == np.float32
    return float(found[0])


def test_the_factors_of_a_row_are_multiplied(tmp_path: Path) -> None:
    (tmp_path / "w.toml").write_text(TEXT, encoding="utf-8")
    weights = read_weights(tmp_path / "w.toml")
    assert weight(weights) == 1
    assert weight(weights, to_move=2) == 0.5
    assert weight(weights, winner=0, kind="draw") == 0.25
    assert weight(weights, winner=-1, kind="unknown") == 1
    assert weight(weights, rank="5d") == 3
    assert weight(weights, rank="9p") == 4
    assert weight(weights, rank="") == 0.5
    assert weight(weights, is_tactical=True) == 2
    assert weight(weights, 1, 2, "time", "6d", True) == pytest.approx(0.5 * 0.2 * 4 * 2)


def test_plain_weights_are_all_one() -> None:
    assert RowWeights().are_plain
    assert weight(RowWeights(), 2, 1, "time", "", True) == 1
    assert level_of("") == UNKNOWN_LEVEL


def test_weighted_winners_are_short_for_the_usual_factors() -> None:
    weights = BuildOptions(winners="weighted").row_weights
    went = [weight(weights, winner, 1) for winner in (1, 2, 0, -1)]
    assert went == [1.0, 0.5, 0.75, 0.75]


def test_a_factor_for_tactical_moves_joins_a_file_that_has_none(tmp_path: Path) -> None:
    place = tmp_path / "w.toml"
    place.write_text("[winner]\nloser = 0.5\n", encoding="utf-8")
    assert weight(weights_of(place, 3.0), to_move=2, is_tactical=True) == 1.5
    assert weights_of(None).are_plain
    place.write_text("[tactical]\nquiet = 0.5\n", encoding="utf-8")
    with pytest.raises(BadInputError, match="tells already"):
        weights_of(place, 3.0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[winner]\nwinner = 0.5", 0.5),
        ("[result]\nresign = 0.3", 0.3),
        ("[rank]\n'6d-9d' = 1.5", 1.5),
        ("[tactical]\ntactical = 2", 2),
        ("[result]\nwon = 0.5", 1),
        ("[winner]\nwinner = 1e6\n[result]\nresign = 1e6\n[rank]\n'1k-' = 1e6", 1e18),
    ],
)
def test_one_part_alone_is_enough_and_no_weight_runs_over(
    tmp_path: Path, text: str, expected: float
) -> None:
    (tmp_path / "w.toml").write_text(text, encoding="utf-8")
    weights = read_weights(tmp_path / "w.toml")
    assert weight(weights, rank="7d", is_tactical=True) == pytest.approx(expected)


@pytest.mark.parametrize("factor", [1e300, float("inf"), float("nan"), -1.0])
def test_a_factor_for_tactical_moves_that_cannot_be_is_one_line(factor: float) -> None:
    with pytest.raises(BadInputError, match=r"--tactical-weight .*tactical"):
        weights_of(None, factor)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[winner]\nwinner = 1e300", "less than or equal to"),
        ("[winner]\nwinner = 0\nloser = 0\ndraw = 0\nunknown = 0", "every row would count 0"),
        ("x = " + "[" * 20_000, "brackets inside brackets"),
        ("#" * (5 << 20), "larger than 4 MB"),
        ("[winner]\nwiner = 1", "winner.winer"),
        ("[server]\nkgs = 1", "server"),
        ("[winner]\nloser = -1", "winner.loser"),
        ("[winner]\nloser = inf", "winner.loser"),
        ("[winner]\nloser = 'half'", "winner.loser"),
        ("[rank]\nstrong = 1", "'strong' is not a range of ranks"),
        ("[rank]\n'1d-5d' = 1\n'5d-7d' = 2", "shares a rank"),
        ("[winner", "no TOML"),
    ],
)
def test_a_file_that_cannot_be_meant_is_refused(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "w.toml").write_text(text, encoding="utf-8")
    with pytest.raises(BadInputError, match=words):
        read_weights(tmp_path / "w.toml")


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="cannot be read"):
        read_weights(tmp_path / "none.toml")
