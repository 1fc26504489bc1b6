"""Commands that say what holds in a position: reading, life and death, eyes.

Each module here has a table ``COMMANDS``: a name, and a function that takes the position and the
argument words and returns the text of the reply. What cannot be used raises ``BadInputError``.
"""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pkgutil import iter_modules

from mariago.rules import Position

Command = Callable[[Position, Sequence[str]], str]


def analysis_commands() -> Mapping[str, Command]:
    """Return every command of the modules of this package, by name."""
    found: dict[str, Command] = {}
    for module in sorted(iter_modules(__path__), key=lambda entry: entry.name):
        found |= getattr(import_module(f"{__name__}.{module.name}"), "COMMANDS", {})
    return found
