"""``python -m mariago`` is ``mariago``."""

from mariago.cli.entry import run

if __name__ == "__main__":
    run()
