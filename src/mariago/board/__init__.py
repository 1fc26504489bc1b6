"""Points, geometry, kernels and text diagrams of the board; the lowest room that knows Go."""
