"""``python -m mariago`` is ``mariago``."""

from mariago.cli.main import run

if __name__ == "__main__":
    run()
