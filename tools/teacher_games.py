"""Play games by a teacher's policy alone: positions of every kind for a smaller net to learn from.

::

    python tools/teacher_games.py FILE.bin.gz --out runs/teacher --games 19x19=900 9x9=400

No search: a game costs one evaluation a move, and many games are evaluated together. What makes
the games differ is drawn for each of them: rules, komi, handicap, how freely the first and the
later moves follow the policy, slips (a move drawn evenly from all that are sensible), and in one
of six games the rule-based player takes one colour. So the positions hold bad moves as well as
good ones; what the teacher says of them is the lesson, not what was played.

What the teacher said of every position is kept beside the record (``NAME.npz``), so that
``tools/teacher_labels.py`` need not ask again.

A game ends by two passes and is counted with the dead stones that the teacher's ownership names,
or, in nine of ten games, by resignation once the side to move has seen little hope for a while.
Every game is a file of its own, written whole; a second run goes on where the first one stopped.
"""

from __future__ import annotations

import argparse
import io
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mariago.board.files import write_whole
from mariago.board.points import BLACK, WHITE, Size, opponent, size_of
from mariago.errors import MariagoError
from mariago.heuristic import choose, weights_of
from mariago.nets import Net, PositionEvaluation, load_katago_net, load_net
from mariago.players.eyes import solid_eyes
from mariago.records.labels import OWNERSHIP_STEPS
from mariago.rules import Game, Position, Result, fixed_handicap_start
from mariago.rules.handicap import most_fixed_handicap
from mariago.scoring import dead_of_ownership, score_area, score_territory
from mariago.sgf import write_game

RULES = {"chinese": (0.6, 7.5), "japanese": (0.25, 6.5), "tromp_taylor": (0.15, 7.5)}
LEAST_SHARE = 1e-4  # moves with less are not kept
HOPELESS = -0.95  # the value below which a side thinks of resigning
PATIENCE = 5  # so many turns of it in a row


@dataclass
class Table:
    """One game that is being played, and what was drawn for it."""

    number: int
    rng: np.random.Generator
    start: Position
    early: float
    late: float
    slips: float
    rule_based: int
    resigns: bool
    position: Position = field(init=False)
    moves: list[tuple[int, int]] = field(default_factory=list)
    said: list[PositionEvaluation] = field(default_factory=list)
    hopeless: dict[int, int] = field(default_factory=lambda: {BLACK: 0, WHITE: 0})
    result: Result | None = None

    def __post_init__(self) -> None:
        self.position = self.start

    @classmethod
    def laid(cls, number: int, size: Size, seed: int) -> Table:
        """Return a game's start, everything drawn from ``seed``, the size and its number."""
        rng = np.random.default_rng((seed, *size, number))
        names = list(RULES)
        rules = names[int(rng.choice(len(names), p=[RULES[name][0] for name in names]))]
        komi = RULES[rules][1]
        if rng.random() < 0.2:
            komi += float(rng.integers(-6, 7))
        most = min(5, most_fixed_handicap(size))
        handicap = int(rng.integers(2, most + 1)) if min(size) >= 13 and rng.random() < 0.05 else 0
        start = (
            fixed_handicap_start(size, handicap, rules)
            if handicap
            else Position.empty(size, rules, komi)
        )
        return cls(
            number,
            rng,
            start,
            early=float(rng.uniform(0.7, 1.2)),
            late=float(rng.choice([0.2, 0.5, 0.8, 1.0])),
            slips=float(rng.choice([0.0, 0.01, 0.04])),
            rule_based=int(rng.choice([BLACK, WHITE])) if rng.random() < 1 / 6 else 0,
            resigns=bool(rng.random() < 0.9),
        )

    def go_on(self, seen: PositionEvaluation, weights: Any) -> None:
        """Play one move, or end the game."""
        position = self.position
        side = position.to_move
        self.hopeless[side] = self.hopeless[side] + 1 if seen.value < HOPELESS else 0
        if self.resigns and self.hopeless[side] >= PATIENCE:
            self.result = Result.by_resignation(side)
            return
        if side == self.rule_based:
            move = int(choose(position, self.rng, weights))
        else:
            move = self._drawn(seen.policy.astype(np.float64))
        self.moves.append((side, move))
        self.said.append(seen)
        self.position = position.play(move)
        if self.position.repeated:
            self.result = Result.void()
        elif self.position.is_over:
            self.result = _counted(self.position, seen)
        elif len(self.moves) >= 2 * position.size.cells:
            self.result = Result.unknown()

    def _drawn(self, policy: npt.NDArray[np.float64]) -> int:
        position = self.position
        cells = position.size.cells
        if int(policy.argmax()) == cells:
            return cells
        policy = policy.copy()
        policy[cells] = 0.0
        if self.rng.random() < self.slips:
            sensible = position.legal_mask()[:-1] & ~solid_eyes(position)
            if sensible.any():
                return int(self.rng.choice(np.flatnonzero(sensible)))
        heat = self.early if len(self.moves) < cells // 9 else self.late
        policy[policy < 0.01 * policy.max()] = 0.0
        weights = (policy / policy.max()) ** (1 / heat)
        return int(self.rng.choice(len(weights), p=weights / weights.sum()))

    def labels(self) -> bytes:
        """Return what the teacher said ahead of every move, as the bytes of an npz file.

        ``counts`` (n,) moves with a share, ``moves`` and ``shares`` of all positions one after the
        other, ``value`` (n,), ``lead`` (n,), ``ownership`` (n, rows, columns) in 127ths; all for
        the side to move.
        """
        kept = [np.flatnonzero(seen.policy >= LEAST_SHARE) for seen in self.said]
        shares = [seen.policy[moves] for seen, moves in zip(self.said, kept, strict=True)]
        file = io.BytesIO()
        np.savez_compressed(
            file,
            counts=np.array([len(moves) for moves in kept], np.int32),
            moves=np.concatenate(kept).astype(np.int16),
            shares=np.concatenate(shares).astype(np.float32),
            value=np.array([seen.value for seen in self.said], np.float32),
            lead=np.array([seen.score for seen in self.said], np.float32),
            ownership=np.rint(
                np.stack([seen.ownership for seen in self.said]) * OWNERSHIP_STEPS
            ).astype(np.int8),
        )
        return file.getvalue()

    def sgf(self, teacher: str) -> bytes:
        """Return the record; players are named by what drew their moves."""
        words = f"{teacher}, policy, temperature {self.early:.2f} then {self.late:g}"
        game = Game.from_moves(self.start, self.moves, result=self.result)
        for color in (BLACK, WHITE):
            name = "heuristic" if color == self.rule_based else words
            game.players[color] = type(game.players[color])(name=name)
        return write_game(game)


def _counted(position: Position, before: PositionEvaluation) -> Result:
    """Return the count after two passes; ``before`` judged the position ahead of the last pass."""
    own = before.ownership if opponent(position.to_move) == BLACK else -before.ownership
    count = score_area if position.rules.scoring == "area" else score_territory
    return Result.by_score(count(position, dead_of_ownership(position, own, 0.2)).margin)


def play(
    net: Net, teacher: str, size: Size, games: int, out: Path, seed: int, together: int
) -> None:
    """Play ``games`` games of one size, ``together`` at once."""
    weights = weights_of()
    out.mkdir(parents=True, exist_ok=True)
    waiting = [n for n in range(games) if not (out / f"{size}-{seed}-{n:05d}.sgf").exists()]
    tables: list[Table] = []
    begun, moves, done = time.monotonic(), 0, games - len(waiting)
    while waiting or tables:
        while waiting and len(tables) < together:
            tables.append(Table.laid(waiting.pop(0), size, seed))
        for table, seen in zip(
            tables, net.evaluate_positions([table.position for table in tables]), strict=True
        ):
            table.go_on(seen, weights)
            moves += 1
            if table.result is None:
                continue
            name = f"{size}-{seed}-{table.number:05d}"
            write_whole(out / f"{name}.npz", table.labels())
            write_whole(out / f"{name}.sgf", table.sgf(teacher))
            done += 1
            if done % 20 == 0 or done == games:
                rate = moves / (time.monotonic() - begun)
                print(f"{size}: {done} of {games} games, {rate:.0f} moves/s", file=sys.stderr)
        tables = [table for table in tables if table.result is None]


def main() -> None:
    """Read the arguments and play size after size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("net", help="a network file of KataGo or a net folder")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--games", nargs="+", metavar="SIZE=GAMES", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--together", type=int, default=16)
    asked = parser.parse_args()
    try:
        path = Path(asked.net)
        net = load_net(path) if path.is_dir() else load_katago_net(path)
        for part in asked.games:
            size, _, games = part.partition("=")
            play(net, net.name, size_of(size), int(games), asked.out, asked.seed, asked.together)
    except MariagoError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
