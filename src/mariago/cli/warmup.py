"""``mariago warmup``: compile the kernels once, so that nothing waits later."""

from __future__ import annotations

from mariago.cli.options import JsonOption
from mariago.cli.progress import say


def warmup(as_json: JsonOption = False) -> None:
    """Compile the kernels and keep them on disk; a second call is quick.

    The first start after an installation, an update or a change of processor takes a minute or
    two without it.
    """
    import json
    import time

    from mariago.board import jit

    started_s = time.monotonic()
    count = jit.warm_all(tell=lambda module: say(f"compiling {module}"))
    seconds = time.monotonic() - started_s
    base = jit.cache_base()
    folder = None if base is None else str(base)
    if folder is None:
        say("no folder for compiled kernels can be written: they are compiled at every start")
        say("set MARIAGO_CACHE_DIR to a folder that can be written")
    if as_json:
        print(json.dumps({"modules": count, "seconds": round(seconds, 3), "cache": folder}))
    else:
        print(f"{count} kernel modules ready in {seconds:.1f} s, kept in {folder or 'memory only'}")
