"""MariaGO: a workshop in which players of Go are made, taught and measured.

Importing this package does no work and loads no heavy library; import the room you need, for
instance :mod:`mariago.rules` for positions and games.
"""

__all__ = ["__version__"]

__version__ = "0.1.0"
"""The version of the package; ``pyproject.toml`` reads it from here."""
