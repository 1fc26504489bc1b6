"""``mariago gtp``: a player behind the Go Text Protocol."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, Annotated

import typer

from mariago.cli.options import KomiOption, RulesOption, SeedOption, SizeOption

PlayerArgument = Annotated[
    str, typer.Argument(metavar="PLAYER", help="Who plays; mariago players lists names.")
]
LogOption = Annotated[
    Path | None, typer.Option("--log", metavar="FILE", help="Add what is said on both sides here.")
]


@contextmanager
def _streams() -> Generator[tuple[IO[bytes], IO[bytes]]]:
    """Give the two ends of the protocol; what is printed meanwhile goes to standard error."""
    sys.stdout.flush()
    kept = os.dup(1)
    printed = sys.stdout
    try:
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        # Unbuffered: a buffer that a thread reads from cannot be closed, on Ctrl-C, by another.
        with (
            os.fdopen(os.dup(0), "rb", buffering=0) as source,
            os.fdopen(os.dup(kept), "wb", buffering=0) as target,
        ):
            yield source, target
    finally:
        sys.stdout = printed
        os.dup2(kept, 1)
        os.close(kept)


def gtp(
    player: PlayerArgument,
    size: SizeOption = "19",
    rules: RulesOption = "chinese",
    komi: KomiOption = None,
    seed: SeedOption = 0,
    log: LogOption = None,
) -> None:
    """Let a player be played from any program that speaks GTP (version 2).

    Programs start this command by themselves; give them the whole line, with
    full paths, for they rarely know your shell's. In Sabaki: Engines, Manage
    Engines, Add, path "mariago" and arguments "gtp heuristic". In GoGui:
    Program, New Program, command "mariago gtp heuristic"; its Analyze window
    shows what this player knows. In Lizzie and KGS's kgsGtp: as the engine's
    command. For gogui-twogtp: -black "mariago gtp heuristic". KaTrain speaks
    KataGo's analysis protocol, not GTP. With search:NET as PLAYER, Sabaki and
    Lizzie show its analysis as it goes on. By hand: type list_commands, genmove
    b, showboard, quit. Run mariago warmup once before, or the first move waits
    for kernels to compile.

    PLAYER may be gtp:"COMMAND" too, an engine behind this server; that command
    is run as given, with your rights. --size, --rules and --komi hold until
    the other side says otherwise.
    """
    from mariago.gtp import Session, serve
    from mariago.players import make_player, resolve_name

    name = resolve_name(player)
    session = Session(
        lambda: make_player(name), f"({name})", size=size, rules=rules, komi=komi, seed=seed
    )
    written = nullcontext() if log is None else log.open("ab")
    with written as file, _streams() as (source, target):
        try:
            _ = session.player  # what cannot be built is told before the first command
            serve(session, source, target, file)
        finally:
            session.close()
