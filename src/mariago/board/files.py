"""Files that appear whole or not at all, and small files that people write by hand."""

import os
import tempfile
import tomllib
from pathlib import Path
from typing import Any

MOST_BY_HAND = 4 << 20  # bytes of a file that a person writes


def write_whole(path: "str | Path", data: "bytes | str") -> None:
    """Write ``data`` to ``path`` so that a reader, or a crash, sees the old file or the new one.

    The bytes go to a new file beside the target, are flushed to disk, and take its name in one
    step. Text is written as UTF-8 with the line ends it has. A link stays: the file appears where
    it leads. A device or a pipe is written to.

    Raises:
        OSError: it cannot be written; ``filename`` says which.
    """
    target = Path(os.path.realpath(path)) if os.path.islink(path) else Path(path)
    raw = data.encode("utf-8") if isinstance(data, str) else data
    if target.exists() and not target.is_file() and not target.is_dir():
        with target.open("wb") as file:  # what is no file must not be replaced by one
            file.write(raw)
        return
    try:
        handle, name = tempfile.mkstemp(
            prefix=f".{target.name}.", suffix=".part", dir=target.parent
        )
    except OSError as error:
        error.filename = str(path)
        raise
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, target)
    except BaseException as error:
        os.unlink(name)
        if isinstance(error, OSError) and error.errno and error.filename is None:
            error.filename = str(path)
        raise


def read_toml(path: "str | Path") -> dict[str, Any]:
    """Return what a TOML file holds.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no TOML, not UTF-8, nested too deep or larger than any hand would write.
    """
    with Path(path).open("rb") as file:
        raw = file.read(MOST_BY_HAND + 1)
    if len(raw) > MOST_BY_HAND:
        raise ValueError(f"larger than {MOST_BY_HAND >> 20} MB")
    return parse_toml(raw)


def parse_toml(raw: bytes) -> dict[str, Any]:
    """Return what TOML holds; see :func:`read_toml`."""
    try:
        return tomllib.loads(raw.decode("utf-8"))
    except RecursionError:
        raise ValueError("brackets inside brackets") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
