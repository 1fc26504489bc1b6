"""``search:FOLDER``, ``search:FILE.bin.gz``: tree search over a net."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import Field, field_validator

from mariago.players.protocol import Candidate, Decision, Limits
from mariago.players.registry import Kind, Options

if TYPE_CHECKING:
    from mariago.nets import Net
    from mariago.rules import Position
    from mariago.search import SearchResult, SearchSettings

__all__ = ["KIND", "SearchOptions", "SearchPlayer"]

SHOWN_CANDIDATES = 5
LEAST_TO_STOP = 2  # moves left of the game from which on its end is looked at


class SearchOptions(Options):
    """Keys of ``search``."""

    visits: int = Field(100, ge=1, le=10**7, description="positions looked at for a move")
    seconds: float = Field(
        0.0, ge=0, le=10**6, description="time for a move, beside the visits; 0: none"
    )
    gumbel: bool = Field(
        False, description="Gumbel sampling and sequential halving, for 2 to 64 visits"
    )
    sampled: bool = Field(
        False, description="with gumbel: moves drawn as for self-play, not the policy's top ones"
    )
    batch: int = Field(4, ge=1, le=128, description="positions evaluated together, at most")
    symmetries: int = Field(
        1, description="1; 8: the mean over the board's symmetries; 0: one drawn for each batch"
    )
    lcb: bool = Field(True, description="choose by the lower confidence bound, not by visits alone")
    temperature: float = Field(
        0.0, ge=0, le=10, description="0: the best move; 1: drawn as the visits are shared"
    )
    until_move: int = Field(
        0, ge=0, description="after this many moves the best one; 0: temperature to the end"
    )
    noise: float = Field(0.0, ge=0, le=1, description="share of Dirichlet noise at the root")
    forced: float = Field(0.0, ge=0, le=100, description="forced playouts at the root; usual: 2")
    score: float = Field(
        1.0, ge=0, le=10, description="how much points count beside winning; 0: not at all"
    )
    resign: float = Field(
        0.0, ge=0, le=0.5, description="gives up below this chance to win; 0: never"
    )
    keep: bool = Field(True, description="keep the tree from move to move")

    @field_validator("symmetries")
    @classmethod
    def _known(cls, symmetries: int) -> int:
        if symmetries not in (0, 1, 8):
            raise ValueError("0, 1 or 8 symmetries")
        return symmetries

    def settings(self) -> SearchSettings:
        """Return what the search is told."""
        from mariago.search import SearchSettings

        usual = SearchSettings()
        return replace(
            usual,
            root="gumbel" if self.gumbel else "puct",
            gumbel_noise=self.sampled,
            batch=self.batch,
            noise=self.noise,
            forced_playouts=self.forced,
            choice="lcb" if self.lcb else "visits",
            static_score=usual.static_score * self.score,
            dynamic_score=usual.dynamic_score * self.score,
        )


class SearchPlayer:
    """Plays the move that a search over a net's evaluations finds best.

    Limits of a move go before the player's own visits and seconds. The search ends games as the
    arena does: after two passes the board is counted as it stands. A game that is stopped after a
    number of moves is counted by its rules there.
    """

    def __init__(self, name: str, net: Net, options: SearchOptions) -> None:
        self.name = name
        self.net = net
        self.options = options
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        """Forget the tree; draw noise, symmetries and moves from ``seed``."""
        from mariago.search import PlaneEvaluator, Search

        moves, noise, turns = (np.random.default_rng([seed, part]) for part in range(3))
        evaluator = PlaneEvaluator(self.net, self.options.symmetries, turns)
        self.search = Search(evaluator, self.options.settings(), noise)
        self._rng = moves

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Return the move the search found best, or one drawn at the temperature."""
        found = self.analyse(position, limits)
        best = found.moves[0]
        shares = sorted(
            ((float(found.target[m.move]), m.move) for m in found.moves[1:]), reverse=True
        )
        candidates = [(float(found.target[best.move]), best.move), *shares]
        facts: dict[str, object] = {
            "visits": found.visits,
            "win_rate": round((1 + best.value) / 2, 4),
            "lead": None if best.score is None else round(best.score, 2),
            "line": best.line,
        }
        return Decision(
            self._drawn(found),
            best.value,
            tuple(Candidate(move, share) for share, move in candidates[:SHOWN_CANDIDATES]),
            facts,
            resigned=(1 + best.value) / 2 < self.options.resign,
        )

    def analyse(self, position: Position, limits: Limits) -> SearchResult:
        """Search and return all that was found, for the side to move."""
        if not self.options.keep:
            self.search.forget()
        visits = self.options.visits if limits.visits is None else max(1, limits.visits)
        own_s = self.options.seconds or None
        time_s = own_s if limits.time_s is None else limits.time_s
        if limits.visits is None and limits.time_s is not None and own_s is None:
            visits = None  # the clock decides alone
        left = limits.moves_left
        last = None if left is None or left < LEAST_TO_STOP else position.move_number + left
        return self.search.run(position, visits=visits, time_s=time_s, last_move_number=last)

    def _drawn(self, found: SearchResult) -> int:
        heat, until = self.options.temperature, self.options.until_move
        if heat == 0 or (until and found.position.move_number >= until):
            return found.move
        shares = found.target
        with np.errstate(divide="ignore"):
            weights = np.exp(np.log(shares / shares.max()) / heat)
        return int(self._rng.choice(len(weights), p=weights / weights.sum()))

    def describe(self) -> dict[str, object]:
        """Return name and keys, and the net with the hash of its weights."""
        net: dict[str, Any] = self.net.describe()
        return {"name": self.name, "kind": "search", **self.options.model_dump(), "net": net}

    def close(self) -> None:
        """Let go of the tree."""
        self.search.forget()


def _build(name: str, target: str | None, options: SearchOptions) -> SearchPlayer:
    assert target is not None
    return SearchPlayer(name, _net_of(target), options)


def _net_of(target: str) -> Net:
    """Return the net of a folder, or of a network file of KataGo."""
    from pathlib import Path

    from mariago.nets import load_katago_net, load_net

    path = Path(target)
    return load_katago_net(path) if path.is_file() else load_net(path)


KIND = Kind(
    "search",
    "Tree search over a net: a folder, or a network file of KataGo (.bin.gz).",
    SearchOptions,
    _build,
    target="FOLDER",
)
