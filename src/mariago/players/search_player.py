"""``search``, ``search:FOLDER``, ``search:FILE.bin.gz``: tree search over a net."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field, field_validator, model_validator

from mariago.players.clock import time_for_move
from mariago.players.lesson_policy import PolicyLessonOptions, reranked
from mariago.players.lesson_reader import LessonReader, reader_of, said_of
from mariago.players.net_ownership import expected_ownership
from mariago.players.protocol import Candidate, Decision, Limits
from mariago.players.registry import Kind

if TYPE_CHECKING:
    from mariago.nets import Net
    from mariago.rules import Position
    from mariago.search import SearchResult, SearchSettings

    Pulse = Callable[[Callable[[], SearchResult]], bool]

__all__ = ["KIND", "SearchOptions", "SearchPlayer"]

SHOWN_CANDIDATES = 5
MOST_WATCHED = 100_000  # visits; the edges of a tree of so many take half a gigabyte on 19x19
WAIT_S = 0.02
LEAST_TO_STOP = 2  # moves left of the game from which on its end is looked at


class SearchOptions(PolicyLessonOptions):
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
    considered: int = Field(
        16,
        ge=1,
        le=1000,
        description="with gumbel: moves that the halving begins with, at most; unless sampled no"
        " more than half of the visits",
    )
    scale: float = Field(
        1.0, ge=0, le=100, description="with gumbel: how much a value counts against the policy"
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
    precision: str = Field(
        "float32", description="float32, or int8 where mariago net quantise has made it"
    )
    device: str = Field("auto", description="auto, cpu or cuda; where the net is asked")
    lesson_check: bool = Field(
        False, description="searches again without lessons, to say which moves they changed"
    )
    keep: bool = Field(True, description="keep the tree from move to move")
    transpositions: Literal["off", "exact", "on"] = Field(
        "off",
        description="on: one evaluation for a board, however it came about; exact: only where the"
        " net sees the same past too",
    )

    @field_validator("symmetries")
    @classmethod
    def _known(cls, symmetries: int) -> int:
        if symmetries not in (0, 1, 8):
            raise ValueError("0, 1 or 8 symmetries")
        return symmetries

    @model_validator(mode="after")
    def _repeatable(self) -> SearchOptions:
        if self.transpositions != "off" and self.symmetries == 0:
            raise ValueError("transpositions need 1 or 8 symmetries, not drawn ones")
        return self

    def settings(self) -> SearchSettings:
        """Return what the search is told."""
        from mariago.search import SearchSettings

        usual = SearchSettings()
        return replace(
            usual,
            root="gumbel" if self.gumbel else "puct",
            gumbel_noise=self.sampled,
            considered=self.considered,
            gumbel_scale=self.scale,
            batch=self.batch,
            noise=self.noise,
            forced_playouts=self.forced,
            choice="lcb" if self.lcb else "visits",
            static_score=usual.static_score * self.score,
            dynamic_score=usual.dynamic_score * self.score,
        )


class SearchPlayer:
    """Plays the move that a search over a net's evaluations finds best.

    Limits of a move go before the player's own visits and seconds. On a clock a move gets the share
    that :func:`time_for_move` states, the player's own seconds at most, whatever its visits. The
    search ends games as the arena does: after two passes the board is counted as it stands. A game
    that is stopped after a number of moves is counted by its rules there.

    Lessons raise the root's policy; see :mod:`mariago.players.lesson_policy`.
    """

    def __init__(
        self, name: str, net: Net, options: SearchOptions, lessons: LessonReader | None = None
    ) -> None:
        self.name = name
        self.net = net
        self.options = options
        self.lessons = lessons
        self.plain: SearchPlayer | None = None
        """The same player without lessons, where it is asked what they change."""
        if lessons is not None and options.lesson_check:
            self.plain = SearchPlayer(name, net, options)
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        """Forget the tree; draw noise, symmetries and moves from ``seed``; read the book again
        where it has changed."""
        from mariago.search import PlaneEvaluator, Remembered, Search

        moves, noise, turns = (np.random.default_rng([seed, part]) for part in range(3))
        share = self.options.transpositions
        kept = None if share == "off" else Remembered(with_past=share == "exact")
        evaluator = PlaneEvaluator(self.net, self.options.symmetries, turns, kept)
        raised = None if self.lessons is None else self._raised
        self.search = Search(evaluator, self.options.settings(), noise, raised)
        self._rng = moves
        if self.lessons is not None:
            self.lessons.refresh()
        if self.plain is not None:
            self.plain.new_game(seed)

    def _raised(
        self, position: Position, policy: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.float64]:
        """Return the priors of the root's moves."""
        assert self.lessons is not None
        return reranked(policy, self.lessons.table.counts_of(position), self.options)

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Return the move the search found best, or one drawn at the temperature."""
        decision = self.decided(self.analyse(position, limits))
        if self.plain is None:
            return decision
        other = self.plain.choose(position, limits).move
        if other == decision.move:
            return decision
        assert self.lessons is not None
        told = said_of(position, decision.move, other, self.lessons.table.counts_of(position))
        return replace(decision, facts={**decision.facts, **told})

    def decided(self, found: SearchResult) -> Decision:
        """Return the answer that a search comes to."""
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
        move = self._drawn(found)
        return Decision(
            move,
            best.value,
            tuple(Candidate(move, share) for share, move in candidates[:SHOWN_CANDIDATES]),
            {**facts, **self._lesson_facts(found, move)},
            resigned=(1 + best.value) / 2 < self.options.resign,
        )

    def _lesson_facts(self, found: SearchResult, move: int) -> dict[str, object]:
        """Return by how much lessons raised a move before the search looked at it, if they did.

        Whether it would have been chosen without them, another search has to tell.
        """
        if self.lessons is None:
            return {}
        counts = self.lessons.table.counts_of(found.position)
        if not counts[move]:
            return {}
        raised = reranked(found.policy, counts, self.options)
        told = {"count": float(counts[move]), "policy": round(float(found.policy[move]), 4)}
        return {"lesson_prior": {**told, "raised_to": round(float(raised[move]), 4)}}

    def analyse(
        self, position: Position, limits: Limits, pulse: Pulse | None = None
    ) -> SearchResult:
        """Search and return all that was found, for the side to move.

        ``pulse`` is called between batches; see :meth:`mariago.search.Search.run`.
        """
        if not self.options.keep:
            self.search.forget()
        visits = self.options.visits if limits.visits is None else max(1, limits.visits)
        own_s, given_s = self.options.seconds or None, limits.time_s
        if given_s is None and limits.clock is not None:
            own_moves = None if limits.moves_left is None else (limits.moves_left + 1) // 2
            given_s = time_for_move(limits.clock, own_moves)
            given_s = given_s if own_s is None else min(given_s, own_s)
        time_s = own_s if given_s is None else given_s
        if limits.visits is None and given_s is not None and own_s is None:
            visits = None  # the clock decides alone
        left = limits.moves_left
        last = None if left is None or left < LEAST_TO_STOP else position.move_number + left
        return self.search.run(
            position, visits=visits, time_s=time_s, last_move_number=last, pulse=pulse
        )

    def watch(self, position: Position, pulse: Pulse) -> SearchResult:
        """Search on until ``pulse`` answers true; see :meth:`mariago.search.Search.run`.

        By PUCT and without noise, whatever the player plays by; ownership is the mean over the
        search. What is found serves the next move. After ``MOST_WATCHED`` visits nothing is added
        any more, and the search only waits.
        """
        from mariago.search import Search

        calm = replace(self.search.settings, root="puct", noise=0.0, keep_ownership=True)
        looking = Search(self.search.evaluator, calm, root_prior=self.search.root_prior)
        looking.tree = self.search.tree
        looking.last_move_number = self.search.last_move_number
        found = looking.run(position, visits=MOST_WATCHED, pulse=pulse)
        self.search.tree, self.search.last_move_number = looking.tree, looking.last_move_number
        while not pulse(lambda: found):
            time.sleep(WAIT_S)
        return found

    def _drawn(self, found: SearchResult) -> int:
        heat, until = self.options.temperature, self.options.until_move
        if heat == 0 or (until and found.position.move_number >= until):
            return found.move
        shares = found.target
        with np.errstate(divide="ignore"):
            weights = np.exp(np.log(shares / shares.max()) / heat)
        return int(self._rng.choice(len(weights), p=weights / weights.sum()))

    def ownership(self, position: Position) -> npt.NDArray[np.float64] | None:
        """Return whose each point is, for Black; see :func:`expected_ownership`."""
        return expected_ownership(self.net, position)

    def describe(self) -> dict[str, object]:
        """Return name and keys, and the net with the hash of its weights."""
        net: dict[str, Any] = self.net.describe()
        told = {} if self.lessons is None else {"lessons": self.lessons.describe()}
        keys = self.options.described()
        return {"name": self.name, "kind": "search", **keys, "net": net} | told

    def close(self) -> None:
        """Let go of the tree."""
        self.search.forget()
        if self.plain is not None:
            self.plain.close()


def _build(name: str, target: str | None, options: SearchOptions) -> SearchPlayer:
    return SearchPlayer(name, _net_of(target, options), options, reader_of(name, options))


def _net_of(target: str | None, options: SearchOptions) -> Net:
    """Return the net of a folder, or of a network file of KataGo, or the packaged one."""
    from mariago.nets import load_katago_net, load_net, named_net

    path = named_net(target)
    load = load_katago_net if path.is_file() else load_net
    return load(path, device=options.device, precision=options.precision)


KIND = Kind(
    "search",
    "Tree search over a net: a folder, a network file of KataGo (.bin.gz), or the packaged net.",
    SearchOptions,
    _build,
    target="FOLDER",
    target_required=False,
)
