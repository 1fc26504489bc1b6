"""Which games are for training, which for validation and which for test."""

import numpy as np
from numpy.typing import NDArray

from mariago.records.options import BuildOptions
from mariago.records.repeat_kernels import TEST, VALIDATION

__all__ = ["split_of"]


def split_of(identities: NDArray[np.uint64], options: BuildOptions) -> NDArray[np.uint8]:
    """Return the split (G,) of games: a hash of identity and seed against the shares.

    A game's split does not depend on the other games or on their order.
    """
    mask = 2**64 - 1
    seed = np.uint64(options.seed * 0x9E3779B97F4A7C15 & mask)
    value = identities ^ seed  # then splitmix64's finish (Steele et al. 2014)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    share = (value ^ (value >> np.uint64(31))).astype(np.float64) / 2.0**64
    splits = np.zeros(len(identities), np.uint8)
    splits[share < options.validation + options.test] = TEST
    splits[share < options.validation] = VALIDATION
    return splits
