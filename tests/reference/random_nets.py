"""Nets of random numbers."""

from __future__ import annotations

import numpy as np

from mariago.nets import NetConfig, parameter_shapes


def random_weights(config: NetConfig, seed: int = 0) -> dict[str, np.ndarray]:
    """Return arrays of a net's shapes; variances are above 0."""
    rng = np.random.default_rng(seed)
    return {
        name: (
            rng.random(shape) + 0.1 if name.endswith("variance") else rng.normal(0, 0.2, shape)
        ).astype(np.float32)
        for name, shape in parameter_shapes(config).items()
    }
