"""Where the program ``mariago`` begins: before anything of weight is imported.

Loading the command line takes tenths of a second, in which Ctrl-C is as welcome as later.
"""

import sys

__all__ = ["INTERRUPTED", "run"]

INTERRUPTED = 130  # what shells report for a process ended by Ctrl-C


def run() -> None:
    """Run ``mariago`` on this process's arguments and exit."""
    try:
        from mariago.cli.main import run as run_command_line

        run_command_line()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)
