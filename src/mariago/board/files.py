"""Files that appear whole or not at all."""

import os
import tempfile
from pathlib import Path


def write_whole(path: "str | Path", data: "bytes | str") -> None:
    """Write ``data`` to ``path`` so that a reader, or a crash, sees the old file or the new one.

    The bytes go to a new file beside the target, are flushed to disk, and take its name in one
    step. Text is written as UTF-8 with the line ends it has.
    """
    target = Path(path)
    raw = data.encode("utf-8") if isinstance(data, str) else data
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
