"""How often the encoding of a file without CA is told: names re-encoded, two to a file.

Usage::

    python -m benchmarks.sgf_encodings [--fox ARCHIVE] [--names NAMES.json]

The names of real players in tests/reference, those of the Fox archive (Chinese, in GB 18030), and
any others from a JSON file {codec: [names]}: made with Faker 40.63.0 for the table in the
documentation, seed 7, locales zh_CN, zh_TW, ja_JP, ko_KR.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

from tests.reference.player_names import PLAYERS

from mariago.records.sources import open_source
from mariago.sgf import read_games, read_many

SEED = 1


def share_right(names: list[str], codec: str, *, single: bool) -> float:
    """Return the share of files whose names come out right; each name is Black's once."""
    rng = random.Random(SEED)
    right = 0
    for black in names:
        white = "" if single else rng.choice(names)
        [game] = read_games(f"(;SZ[19]PB[{black}]PW[{white}];B[pd];W[dp])".encode(codec))
        right += game.players == (black, white)
    return right / len(names)


def fox_names(archive: Path) -> list[str]:
    """Return the names of the Fox archive that are whole and not ASCII."""
    files = [file.data for file in open_source(archive).read() if file.data is not None]
    found = {name for games in read_many(files) for name in games[0].players}
    return sorted(name for name in found if not name.isascii() and "\ufffd" not in name)


def survives(name: str, codec: str) -> bool:
    """Tell whether a codec can hold a name."""
    return name.encode(codec, "replace").decode(codec) == name


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fox", type=Path)
    parser.add_argument("--names", type=Path)
    args = parser.parse_args()
    sets = [("players", codec, names) for codec, names in PLAYERS.items()]
    if args.fox:
        sets.append(("Fox", "gbk", fox_names(args.fox)))
    if args.names:
        made = json.loads(args.names.read_text("utf-8"))
        made["euc_jp"] = made["cp932"]
        sets += [("made", codec, names) for codec, names in made.items()]
    print("| names | codec | files | two names | one name |")
    print("|---|---|---|---|---|")
    for label, codec, names in sets:
        kept = [name for name in names if survives(name, codec)]
        two = share_right(kept, codec, single=False)
        one = share_right(kept, codec, single=True)
        print(f"| {label} | {codec} | {len(kept)} | {100 * two:.1f} % | {100 * one:.1f} % |")


if __name__ == "__main__":
    main()
