"""The properties that both readers keep."""

__all__ = ["INFO_NAMES"]

# Those whose first text on the main line is kept in ``ReadGame.info``.
INFO_NAMES = (
    "KM", "RE", "RU", "HA", "PB", "PW", "BR", "WR", "DT",
    "EV", "RO", "GN", "PC", "SO", "AP", "TM", "PL", "BT", "WT",
    "OT", "US", "AN", "CP", "ON", "GC",
)  # fmt: skip
