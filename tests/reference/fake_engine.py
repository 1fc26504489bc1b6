"""An engine for tests: ``python fake_engine.py HOW [MOVES]``. It knows no Go.

It passes unless MOVES ("b:D4,w:E5,...") names its answers in order. HOW is what it does wrong, at
``genmove`` where nothing else is said.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time

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


def main() -> None:
    how = sys.argv[1]
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
