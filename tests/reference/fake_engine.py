"""An engine for tests: ``python fake_engine.py HOW [MOVES]``. It knows no Go.

It passes unless MOVES ("D4,E5,...") names its answers in order. HOW is what it does wrong, at
``genmove`` where nothing else is said. ``FAKE_ENGINE_PIDS`` names a file that gets the numbers of
all processes; with ``FAKE_ENGINE_ONCE=N`` only the Nth of them does anything wrong.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

KNOWN = ("name", "version", "list_commands", "boardsize", "clear_board", "komi", "play", "genmove")


def say(text: str, end: str = "\n\n") -> None:
    sys.stdout.write(text + end)
    sys.stdout.flush()


def answer(how: str, number: str, name: str, moves: list[str]) -> None:
    reply = {"name": "Fake", "version": "0", "list_commands": "\n".join(KNOWN)}.get(name, "")
    if name != "genmove":
        crlf = "\r\n\r\n" if how == "crlf" else "\n\n"
        say(f"={number} {reply}", crlf)
        return
    move = moves.pop(0) if moves else "pass"
    if how == "crash":
        print("segmentation fault, it seems", file=sys.stderr, flush=True)
        os._exit(7)
    elif how == "signal":
        os.kill(os.getpid(), 9)
    elif how == "stop":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif how == "close_input":
        os.close(0)
        say(f"={number} {move}")
        time.sleep(600)
    elif how == "long_reply":
        say(f"={number} {move}" + "x" * (1 << 20))
    elif how == "long_stray":
        say(f"{'x' * 65536}={number} resign\n" + "y" * 65536, "\n")
        say(f"={number} {move}")
    elif how == "not_utf8":
        sys.stderr.buffer.write(b"\xff\x00\x1b[31mcafe\xe9\n")
        sys.stderr.flush()
        sys.stdout.buffer.write(b"=%s \xff\xfe\x80\n\n" % number.encode())
        sys.stdout.flush()
    elif how == "hang":
        time.sleep(600)
    elif how == "hang_with_child":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        print("waiting", file=sys.stderr, flush=True)
        time.sleep(600)
    elif how == "garbage":
        say(f"={number} banana split")
    elif how == "off_board":
        say(f"={number} T19")
    elif how == "empty":
        say(f"={number} ")
    elif how == "refuse":
        say(f"?{number} I would rather not")
    elif how == "refuse_aloud":
        say(f"?{number} I would rather not")
        print("it is my birthday", file=sys.stderr, flush=True)
    elif how == "wrong_id":
        say("=99999 D4")
    elif how == "old_id":
        say("=1 D4")
        say(f"={number} {move}")
    elif how == "no_id":
        say(f"= {move}")
    elif how == "split":
        for piece in (f"={number}", f" {move[:1]}", move[1:], "\n", "\n"):
            say(piece, "")
            time.sleep(0.02)
    elif how == "stray":
        say("loading weights ...\n\n\nthinking, 20 % = done", "\n\n\n")
        say(f"={number} {move}", "\n\nstill here\n\n\n")
    elif how == "crlf":
        say(f"={number}\t{move}", "\r\n\r\n")
    elif how == "last_line_open":
        say(f"={number} {move}", "")
        os._exit(0)
    elif how == "close_output":
        os.close(1)
        time.sleep(600)
    elif how == "flood":
        while True:
            say("x" * 1000, "\n")
    elif how == "endless":
        say(f"={number} {move}", "\n")
        while True:
            say("x" * 1000, "\n")
    elif how == "noisy":
        for _ in range(3000):
            sys.stderr.write("y" * 1000 + "\n")
        say(f"={number} {move}")
    elif how == "raw":
        sys.stdout.buffer.write(bytes.fromhex(move))
        sys.stdout.flush()
        os._exit(0)
    elif how == "controls":
        say(f"\x07={number} \x00{move}\x7f")
    else:
        say(f"={number} {move}")


def _how(how: str) -> str:
    """Return what this process does wrong; "" where another one does."""
    pids, once = os.environ.get("FAKE_ENGINE_PIDS"), os.environ.get("FAKE_ENGINE_ONCE")
    if pids:
        with open(pids, "a", encoding="utf-8") as file:
            file.write(f"{os.getpid()}\n")
    if not pids or not once:
        return how
    return how if len(Path(pids).read_text().split()) == int(once) else ""


def main() -> None:
    how = _how(sys.argv[1])
    moves = sys.argv[2].split(",") if len(sys.argv) > 2 else []
    log = os.environ.get("FAKE_ENGINE_LOG")
    if how == "no_start":
        print("no licence found", file=sys.stderr, flush=True)
        sys.exit(4)
    for line in sys.stdin:
        if log:
            with open(log, "a", encoding="utf-8") as file:
                file.write(line)
        words = line.split()
        number = words.pop(0) if words[0].isdigit() else ""
        if words[0] == "quit":
            if how == "deaf":
                time.sleep(600)
            say(f"={number}")
            return
        if words[0] == "boardsize" and how == "small":
            say(f"?{number} unacceptable size")
        elif words[0] == "play" and how == "picky":
            say(f"?{number} illegal move")
        else:
            answer(how, number, words[0], moves)


if __name__ == "__main__":
    main()
