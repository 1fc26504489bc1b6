"""Tree search on one core: what it costs beside the evaluations themselves, and batches.

The net is KataGo's b6c96 where the folder of real input (``MARIAGO_PEER_DATA``) holds it, else a
net of that size with random weights: the time is the same. One thread; CPU time throughout.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from benchmarks.frame import Row, told
from mariago.features import planes_of_positions
from mariago.nets import Net, NetConfig, NetInfo, load_katago_net, parameter_shapes
from mariago.nets.graph import build_graph
from mariago.rules import Position
from mariago.search import Evaluations, PlaneEvaluator, Search, SearchSettings, search_many
from mariago.search.evaluator import Evaluator

NETWORK = "nets/g170-b6c96-s175395328-d26788732.bin.gz"
SIDE = 19
VISITS = 257
BATCHES = (1, 2, 4, 8, 16)
GAMES = (4, 16)
STEP_VISITS = 33
KATAGO_SHARE = 63 / 92  # KataGo 1.17, Eigen, b6c96 on 19x19, one thread of one core of this kind
OPENING = ("D4", "Q16", "Q3", "D17", "C6", "F3", "R14", "O17")


def peer_network() -> Path | None:
    """Return KataGo's network file in the folder of real input, None where there is none."""
    named = os.environ.get("MARIAGO_PEER_DATA")
    folder = Path(named) if named else Path(__file__).parents[2] / "shared" / "data"
    return folder / NETWORK if (folder / NETWORK).is_file() else None


def a_net() -> tuple[Net, str]:
    """Return the net and what it is."""
    network = peer_network()
    if network is not None:
        return load_katago_net(network), "b6c96"
    rng = np.random.default_rng(0)
    config = NetConfig(
        blocks=("ordinary", "ordinary", "gpool", "ordinary", "gpool", "ordinary"),
        channels=96,
        mid_channels=96,
        regular_channels=64,
        gpool_channels=32,
    )
    weights = {
        name: np.abs(rng.normal(0, 0.05, shape)).astype(np.float32)
        for name, shape in parameter_shapes(config).items()
    }
    return Net(build_graph(config, weights), NetInfo(config=config), Path("random")), "random"


def a_position() -> Position:
    """Return an opening of a few moves."""
    position = Position.empty(SIDE, "tromp_taylor")
    for vertex in OPENING:
        position = position.play_vertex(vertex)
    return position


def spent(function: Callable[[], object]) -> float:
    """Return the CPU seconds of one call."""
    started = time.process_time()
    function()
    return time.process_time() - started


def _search(evaluator: Evaluator, position: Position, batch: int, visits: int) -> int:
    settings = SearchSettings(batch=batch)
    return Search(evaluator, settings).run(position, visits=visits).evaluations


def _against_bare(net: Net, what: str, position: Position, batch: int, repeats: int) -> Row:
    """Measure a search and as many bare evaluations in turn, so that both meet the same machine."""
    count = max(1, VISITS // batch) * batch
    after = [position.play(move) for move in position.legal_moves()[:count]]
    ready = [planes_of_positions(after[i : i + batch], SIDE) for i in range(0, count, batch)]
    evaluator = PlaneEvaluator(net)
    _search(evaluator, position, batch, 2 * batch)
    searched: list[float] = []
    bare: list[float] = []
    for _ in range(repeats):
        started = time.process_time()
        asked = _search(evaluator, position, batch, VISITS)
        searched.append(asked / (time.process_time() - started))
        bare.append(count / spent(lambda: [net.evaluate(*made) for made in ready]))
    ours, theirs = statistics.median(searched), statistics.median(bare)
    ratios = [one / other for one, other in zip(searched, bare, strict=True)]
    return Row(
        f"search, {what}, batches of {batch}",
        ours,
        "visits/s",
        theirs=theirs,
        ratio=statistics.median(ratios),
        required=0.9 if batch == SearchSettings().batch else None,
        spread=(max(ratios) - min(ratios)) / statistics.median(ratios),
        note="theirs: the net asked about as many positions, planes made beforehand",
    )


def _against_katago(usual: Row) -> Row:
    """Compare shares of the bare rate: KataGo's own tree with its own evaluations against ours."""
    assert usual.ratio is not None
    return Row(
        "search, its share of ONNX Runtime's bare rate",
        usual.ratio,
        "",
        theirs=KATAGO_SHARE,
        ratio=usual.ratio / KATAGO_SHARE,
        required=1.3,
        note="theirs: KataGo's Eigen build, 62 to 64 visits/s where ONNX Runtime made 92",
    )


def _in_step(net: Net, what: str, games: int, repeats: int) -> Row:
    """Measure searches of several games in step against the same searches one after another."""
    settings = SearchSettings(batch=1)
    starts = [a_position().play(move) for move in a_position().legal_moves()[:games]]
    evaluator = PlaneEvaluator(net)

    def searches() -> list[Search]:
        return [Search(evaluator, settings) for _ in starts]

    def together() -> None:
        search_many(searches(), starts, visits=STEP_VISITS)

    def apart() -> None:
        for search, position in zip(searches(), starts, strict=True):
            search.run(position, visits=STEP_VISITS)

    together()
    count = games * STEP_VISITS
    pairs = [(count / spent(together), count / spent(apart)) for _ in range(repeats)]
    ratios = [one / other for one, other in pairs]
    return Row(
        f"search, {what}, {games} games in step, a leaf each",
        statistics.median(one for one, _ in pairs),
        "visits/s",
        theirs=statistics.median(other for _, other in pairs),
        ratio=statistics.median(ratios),
        spread=(max(ratios) - min(ratios)) / statistics.median(ratios),
        note="theirs: the same searches one after another, batches of 1",
    )


def _tree_alone(repeats: int) -> Row:
    """Measure the search with an evaluator that costs nothing: tree, rules and legal moves."""
    position = a_position()
    moves = position.size.cells + 1
    rng = np.random.default_rng(1)
    policy = rng.dirichlet(np.full(moves, 0.03), 64)
    value = rng.normal(0, 0.1, 64)

    def free(positions: Sequence[Position]) -> Evaluations:
        count = len(positions)
        return Evaluations(policy[:count], value[:count])

    _search(free, position, 4, 100)
    visits = 5000
    times = [spent(lambda: _search(free, position, 4, visits)) for _ in range(repeats)]
    middle = statistics.median(times)
    spread = (max(times) - min(times)) / middle
    return Row("search, evaluations for nothing", middle / visits * 1e6, "us/visit", spread=spread)


def rows(repeats: int) -> list[Row]:
    """Measure batches against the bare net and KataGo, games in step, then the tree alone."""
    net, what = a_net()
    position = a_position()
    found = [told(_against_bare(net, what, position, batch, repeats)) for batch in BATCHES]
    usual = found[BATCHES.index(SearchSettings().batch)]
    step = [told(_in_step(net, what, games, repeats)) for games in GAMES]
    return [*found, _against_katago(usual), *step, _tree_alone(repeats)]
