"""A net as a teacher: rows of one board size are asked about in batches, without replaying games.

Axes: B rows, H rows and W columns of their boards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from mariago.board import kernels, setup_kernels
from mariago.board.legality_kernels import legal_mask
from mariago.board.points import Size, move_to_point
from mariago.errors import NetError
from mariago.features import apply_symmetry, apply_symmetry_to_policy, planes_of_rows
from mariago.features.symmetries import turned_back
from mariago.records.labels import Labels
from mariago.records.load import rows_of_table
from mariago.rules import RULE_SETS
from mariago.teaching.teachers import hash_of, stored_shares, told_net

if TYPE_CHECKING:
    import pyarrow as pa

    from mariago.features import Rows
    from mariago.nets import Net
    from mariago.records.manifest import Manifest

__all__ = ["NetTeacher", "legal_moves"]

BATCH_ROWS = 16  # on a CPU no size of batch was faster
ROWS_AT_ONCE = 256
HALF_TURN = 3
MOST_POINTS = 1000.0  # a lead that labels can hold

Array = npt.NDArray[Any]


class NetTeacher:
    """Tells policy over the legal moves, value, lead and ownership, as the net alone sees them."""

    def __init__(self, net: Net, kind: str, symmetries: int = 1) -> None:
        self.net = net
        self.symmetries = symmetries
        self.rows_at_once = max(BATCH_ROWS, ROWS_AT_ONCE // symmetries)
        described = net.describe()
        sha256 = hash_of(described)
        self.name = f"{kind}.{sha256[:8]}" + (f".s{symmetries}" if symmetries > 1 else "")
        self.about = f"{kind} {told_net(described)}, sha256 {sha256}, symmetries {symmetries}"

    def label(self, manifest: Manifest, table: pa.Table, rows: npt.NDArray[np.uint32]) -> Labels:
        """Return labels of the stored rows ``table``; see ``Teacher``."""
        positions, _ = rows_of_table(table)
        count = len(positions)
        policies: list[Array] = [np.empty(0)] * count
        ownerships: list[Array] = [np.empty(0)] * count
        value, lead = np.empty(count, np.float32), np.empty(count, np.float32)
        shapes = np.stack([positions.rows, positions.columns], axis=1).astype(np.int64)
        for shape in np.unique(shapes, axis=0):
            members = np.flatnonzero((shapes == shape).all(axis=1))
            for start in range(0, len(members), BATCH_ROWS):
                batch = members[start : start + BATCH_ROWS]
                policy, value[batch], lead[batch], ownership = self._ask(positions.take(batch))
                for at, row in enumerate(batch):
                    policies[row], ownerships[row] = policy[at], ownership[at].ravel()
        flat = np.concatenate(policies) if count else np.empty(0, np.float32)
        if not (np.isfinite(flat).all() and np.isfinite(value).all() and np.isfinite(lead).all()):
            raise NetError("gives what is no number", where=self.net.folder)
        owned = np.concatenate(ownerships) if count else np.empty(0, np.float32)
        return Labels(
            rows=rows,
            visits=np.zeros(count, np.uint32),
            policy=flat.astype(np.float32),
            value=np.clip(value, -1, 1),
            lead=np.clip(lead, -MOST_POINTS, MOST_POINTS),
            ownership=np.clip(owned, -1, 1).astype(np.float32),
        )

    def _ask(self, rows: Rows) -> tuple[Array, Array, Array, Array]:
        """Return policy (B, H * W + 1), value (B,), lead (B,) and ownership (B, H, W)."""
        size = Size(int(rows.rows[0]), int(rows.columns[0]))
        planes, values = planes_of_rows(rows, max(size))
        board = planes[:, :, : size.rows, : size.columns]
        legal = legal_moves(rows)
        seen = [self._under(turn, board, values, legal, size) for turn in self._turns(size)]
        policy, value, lead, ownership = (
            np.mean(np.stack(parts).astype(np.float64), axis=0) for parts in zip(*seen, strict=True)
        )
        return stored_shares(policy), value, lead, ownership

    def _turns(self, size: Size) -> list[int]:
        if self.symmetries == 1:
            return [0]
        if self.symmetries == 2:
            return [0, HALF_TURN]
        return list(range(8 if size.rows == size.columns else 4))

    def _under(
        self, turn: int, board: Array, values: Array, legal: Array, size: Size
    ) -> tuple[Array, Array, Array, Array]:
        if not turn:
            said = self.net.evaluate(board, values, legal)
            return said.policy, said.value, said.score, said.ownership
        turned = apply_symmetry_to_policy(turn, legal, size)
        said = self.net.evaluate(apply_symmetry(turn, board), values, turned)
        policy, owned = turned_back(turn, said.policy, said.ownership, size)
        return policy, said.value, said.score, owned


def legal_moves(rows: Rows) -> npt.NDArray[np.bool_]:
    """Return the legal moves (B, H * W + 1) of rows of one board size, pass last.

    As ``Position.legal_mask``, superko as far as the rows tell it.
    """
    size = Size(int(rows.rows[0]), int(rows.columns[0]))
    suicide = [rules.suicide for rules in RULE_SETS.values()]
    out = np.empty((len(rows), size.cells + 1), np.uint8)
    state = kernels.new_state(size.rows, size.columns)
    for i in range(len(rows)):
        setup_kernels.set_stones(state, np.ascontiguousarray(rows.board[i, : size.cells]))
        state[kernels.TO_MOVE] = rows.to_move[i]
        ko = int(rows.ko[i])
        state[kernels.KO] = 0 if ko < 0 else move_to_point(ko, size)
        legal_mask(state, suicide[int(rows.rules[i])], out[i])
        out[i, rows.banned[rows.banned_offsets[i] : rows.banned_offsets[i + 1]]] = 0
    return out.astype(np.bool_)
