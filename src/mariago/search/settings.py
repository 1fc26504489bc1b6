"""What a search can be told."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

import numpy as np
import numpy.typing as npt

from mariago.errors import BadInputError
from mariago.search import tree_kernels as k

__all__ = ["SearchSettings"]


@dataclass(frozen=True)
class SearchSettings:
    """How a search chooses. Utilities are in [-1, 1].

    Figures without a source here are those that KataGo publishes as its defaults
    (``cpp/configs/gtp_example.cfg``); none has been tuned for the nets of this package.

    Raises:
        BadInputError: a value that makes no sense.
    """

    root: Literal["puct", "gumbel"] = "puct"
    """``"gumbel"``: Gumbel sampling and sequential halving at the root, for few visits."""
    batch: int = 4
    """Leaves evaluated together, at most; few at first, so that small searches stay sharp."""

    cpuct: float = 1.0
    cpuct_log: float = 0.45
    cpuct_base: float = 500.0
    spread_scale: float = 0.85
    """How much of cPUCT follows the spread of the utilities below a node; 0: none."""
    spread_prior: float = 0.40
    spread_weight: float = 2.0
    fpu_reduction: float = 0.2
    root_fpu_reduction: float = 0.1
    virtual_loss: float = 1.0
    """Losses that a leaf under evaluation counts as."""

    noise: float = 0.0
    """Share of Dirichlet noise in the root's policy; self-play: 0.25 (Silver et al. 2017)."""
    noise_total: float = 10.83
    """Sum of the Dirichlet parameters over the legal moves: 0.03 * 361."""
    forced_playouts: float = 0.0
    """k of Wu 2019, section 3.2; self-play: 2."""

    static_score: float = 0.1
    """Weight of the score itself beside winning, where the evaluator gives one."""
    dynamic_score: float = 0.3
    """Weight of the score against what the root expects."""

    choice: Literal["visits", "lcb"] = "lcb"
    """The most visited move, or the one whose utility is surely highest."""
    lcb_spreads: float = 5.0
    lcb_least_share: float = 0.15
    """Share of the most visited move's visits that a move needs to be chosen by its bound."""

    considered: int = 16
    """Gumbel: moves that sequential halving begins with, at most; without noise no more than half
    of the visits, so that the better ones are looked at again."""
    gumbel_visit: float = 50.0
    gumbel_scale: float = 1.0
    gumbel_noise: bool = True
    """False: the top moves of the policy take the sampled ones' places."""

    keep_ownership: bool = False
    """Average the evaluator's ownership over the search instead of giving the root's own."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, int | float) and not (0 <= value < 1e9):
                raise BadInputError(f"{field.name} cannot be {value!r}")
        if self.root not in ("puct", "gumbel") or self.choice not in ("visits", "lcb"):
            raise BadInputError("root is puct or gumbel, choice visits or lcb")
        if self.batch < 1 or self.considered < 1 or self.noise > 1 or self.cpuct_base <= 0:
            raise BadInputError("batch and considered are 1 or more, noise 0 to 1")

    def knobs(self) -> npt.NDArray[np.float64]:
        """Return what the kernels are handed: (KNOBS,) float64."""
        out = np.zeros(k.KNOBS)
        out[k.C_INIT], out[k.C_LOG], out[k.C_BASE] = self.cpuct, self.cpuct_log, self.cpuct_base
        out[k.SPREAD_SCALE], out[k.SPREAD_PRIOR] = self.spread_scale, max(self.spread_prior, 1e-6)
        out[k.SPREAD_WEIGHT] = self.spread_weight
        out[k.FPU], out[k.ROOT_FPU] = self.fpu_reduction, self.root_fpu_reduction
        out[k.VIRTUAL_LOSS], out[k.FORCED] = self.virtual_loss, self.forced_playouts
        out[k.IMPROVED] = float(self.root == "gumbel")
        out[k.GUMBEL_VISIT], out[k.GUMBEL_SCALE] = self.gumbel_visit, self.gumbel_scale
        return out
