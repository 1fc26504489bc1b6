"""Compile the message catalogues: every ``.po`` of ``mariago.words`` into the ``.mo`` beside it.

Run from the repository root after editing a ``.po`` file::

    .venv/bin/python tools/compile_words.py
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LOCALE_DIR = Path(__file__).resolve().parent.parent / "src" / "mariago" / "words" / "locale"


def compiled(source: Path) -> bytes:
    """Return the contents of the ``.mo`` file that belongs to the ``.po`` file ``source``."""
    with source.open("rb") as file:
        catalogue = read_po(file, abort_invalid=True)
    out = BytesIO()
    write_mo(out, catalogue)
    return out.getvalue()


def main() -> None:
    """Compile every catalogue and say which."""
    for source in sorted(LOCALE_DIR.glob("*/LC_MESSAGES/*.po")):
        source.with_suffix(".mo").write_bytes(compiled(source))
        print(source.with_suffix(".mo").relative_to(LOCALE_DIR))


if __name__ == "__main__":
    main()
