"""``net``, ``net:FOLDER``: a trained net's policy, without search."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from pydantic import Field, field_validator

from mariago.board.points import Size
from mariago.players.eyes import own_eyes, solid_eyes
from mariago.players.lesson_policy import PolicyLessonOptions, reranked
from mariago.players.lesson_reader import LessonReader, reader_of, what_changed
from mariago.players.net_ownership import expected_ownership
from mariago.players.protocol import Candidate, Decision, Limits
from mariago.players.registry import Kind
from mariago.players.tidying import tidying_moves

if TYPE_CHECKING:
    from mariago.nets import Net
    from mariago.rules import Position

__all__ = ["KIND", "NetOptions", "NetPlayer"]

SHOWN_CANDIDATES = 5


class NetOptions(PolicyLessonOptions):
    """Keys of ``net``."""

    temperature: float = Field(
        0.0, ge=0, le=10, description="0: the likeliest move; 1: drawn as the net gives them"
    )
    until_move: int = Field(
        0, ge=0, description="after this many moves the likeliest one; 0: temperature to the end"
    )
    symmetries: int = Field(1, description="1, or 8: the mean over the board's symmetries")
    precision: str = Field(
        "float32", description="float32, or int8 where mariago net quantise has made it"
    )
    device: str = Field("auto", description="auto, cpu or cuda; where the net is asked")

    @field_validator("symmetries")
    @classmethod
    def _one_or_all(cls, symmetries: int) -> int:
        if symmetries not in (1, 8):
            raise ValueError("1 or 8 symmetries")
        return symmetries


class NetPlayer:
    """Plays by a net's policy.

    Illegal moves are masked, and so are its own solid one-point eyes: no record shows anybody
    filling those, so a net knows little of what happens then. A pass is thought of once half the
    board's points have been played, or where no other move is left; what the net says of it
    before (records that end by resignation hardly show a pass) is ignored. Where it would pass and
    lose only by dead stones that are still on the board, it takes those; see
    :func:`mariago.players.tidying.tidying_moves`.
    """

    kind = "net"

    def __init__(
        self, name: str, net: Net, options: NetOptions, lessons: LessonReader | None = None
    ) -> None:
        self.name = name
        self.net = net
        self.options = options
        self.lessons = lessons
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        """Begin a new stream of random numbers; read the book again where it has changed."""
        self._rng = np.random.default_rng(seed)
        if self.lessons is not None:
            self.lessons.refresh()

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Return the likeliest move, or one drawn at the temperature."""
        policy, value = self._evaluate(position)
        said = policy * _sensible(position)
        counts = None if self.lessons is None else self.lessons.table.counts_of(position)
        policy = said if counts is None else reranked(said, counts, self.options)
        order = np.argsort(-policy, kind="stable")
        best = [int(move) for move in order[:SHOWN_CANDIDATES] if policy[move] > 0]
        if not best:  # the net gives every sensible move exactly nothing
            return Decision(position.size.cells, value)
        shown = tuple(Candidate(move, float(policy[move] / policy.sum())) for move in best)
        move = self._drawn(policy, position.move_number, best[0])
        if move == position.size.cells:
            return Decision(self._instead_of_a_pass(position, policy), value, shown)
        if counts is None or move != best[0]:
            return Decision(move, value, shown)
        return Decision(move, value, shown, what_changed(position, move, said, counts))

    def _drawn(self, policy: npt.NDArray[np.float64], played: int, best: int) -> int:
        heat, until = self.options.temperature, self.options.until_move
        if heat == 0 or (until and played >= until):
            return best
        with np.errstate(divide="ignore"):
            logs = np.log(policy / policy.max()) / heat
        weights = np.exp(logs)
        return int(self._rng.choice(len(weights), p=weights / weights.sum()))

    def _instead_of_a_pass(self, position: Position, policy: npt.NDArray[np.float64]) -> int:
        moves = tidying_moves(position, self.ownership)
        likely = np.zeros(1) if moves is None else policy[:-1] * moves
        return int(likely.argmax()) if likely.any() else position.size.cells

    def _evaluate(self, position: Position) -> tuple[npt.NDArray[np.float64], float]:
        """Return the policy over legal moves (cells + 1,) and the value, for the side to move."""
        if self.options.symmetries == 1:
            found = self.net.evaluate_positions([position])[0]
            return found.policy.astype(np.float64), found.value
        from mariago.features import planes_of_position

        rows, columns = position.size
        cells = position.size.cells
        views = _views(position.size)
        planes, values = planes_of_position(position, max(rows, columns))
        board = np.asarray(planes)[0, :, :rows, :columns].reshape(-1, cells)
        legal = position.legal_mask()
        passes = np.full((len(views), 1), cells)
        found = self.net.evaluate(
            np.stack([board[:, view].reshape(-1, rows, columns) for view in views]),
            np.repeat(np.asarray(values), len(views), axis=0),
            legal[np.concatenate([views, passes], axis=1)],
        )
        policy = np.zeros(cells + 1)
        for view, seen in zip(views, found.policy, strict=True):
            policy[view] += seen[:-1]
            policy[cells] += seen[-1]
        return policy / len(views), float(found.value.mean())

    def ownership(self, position: Position) -> npt.NDArray[np.float64] | None:
        """Return whose each point is, for Black; see :func:`expected_ownership`."""
        return expected_ownership(self.net, position)

    def describe(self) -> dict[str, object]:
        """Return name and keys, and the net with the hash of its weights."""
        net: dict[str, Any] = self.net.describe()
        told = {} if self.lessons is None else {"lessons": self.lessons.describe()}
        return {"name": self.name, "kind": self.kind, **self.options.described(), "net": net} | told

    def close(self) -> None:
        """Nothing is held."""


@cache
def _views(size: Size) -> npt.NDArray[np.int64]:
    """Return (8, cells) orders in which a board is read; (4, cells) for a rectangle."""
    grid = np.arange(size.cells).reshape(size)
    views = [grid[::up, ::left] for up in (1, -1) for left in (1, -1)]
    if size.rows == size.columns:
        views += [view.T for view in views]
    return np.stack([view.ravel() for view in views])


def _sensible(position: Position) -> npt.NDArray[np.bool_]:
    """Return (cells + 1,) bool: the moves that are thought of; see :class:`NetPlayer`."""
    mask = position.legal_mask()
    cells = position.size.cells
    good = mask[:-1] & ~solid_eyes(position)
    if not good.any():
        good = mask[:-1] & ~own_eyes(position)
    late = 2 * position.move_number >= cells
    return np.append(good, late or not good.any())


def _build(name: str, target: str | None, options: NetOptions) -> NetPlayer:
    from mariago.nets import load_net, named_net

    net = load_net(named_net(target), device=options.device, precision=options.precision)
    return NetPlayer(name, net, options, reader_of(name, options))


KIND = Kind(
    "net",
    "A trained net's policy, without search; without a folder the packaged net.",
    NetOptions,
    _build,
    target="FOLDER",
    target_required=False,
)
