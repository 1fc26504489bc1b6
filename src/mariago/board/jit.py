"""The compiler of the kernels and where its output is kept.

Numba keeps compiled code per function but does not notice that a function in another file, called by
it, has changed; and a warm cache ignores compile settings such as bounds checks. So the cache folder's name carries a
hash of every kernel source, of Numba's version, of the processor and of the settings: any change
starts a new folder. Kernel sources are the files named ``kernels.py`` or ``*_kernels.py``.
"""

import hashlib
import os
import platform
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding as llvm
from numba.core import config
from platformdirs import user_cache_path

PACKAGE = Path(__file__).resolve().parent.parent
_SETTINGS = (
    "NUMBA_BOUNDSCHECK",
    "NUMBA_OPT",
    "NUMBA_CPU_NAME",
    "NUMBA_CPU_FEATURES",
    "NUMBA_DEBUG",
)


def kernel_sources() -> list[Path]:
    """Return the kernel files of the package, sorted."""
    found = [*PACKAGE.rglob("kernels.py"), *PACKAGE.rglob("*_kernels.py")]
    return sorted(set(found))


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for part in (
        numba.__version__,
        platform.python_version(),
        llvm.get_host_cpu_name(),
        platform.machine(),
        *(f"{name}={os.environ.get(name, '')}" for name in _SETTINGS),
    ):
        digest.update(part.encode() + b"\0")
    for source in kernel_sources():
        digest.update(source.relative_to(PACKAGE).as_posix().encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _choose_cache() -> "Path | None":
    """Return a writable folder for this exact set of kernels, or None."""
    given = os.environ.get("MARIAGO_CACHE_DIR")
    base = Path(given) if given else user_cache_path("mariago")
    folder = base / "kernels" / _fingerprint()
    return folder if _writable(folder) else None


CACHE_DIR = _choose_cache()
if CACHE_DIR is not None:
    config.CACHE_DIR = str(CACHE_DIR)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile ``function`` with Numba when first called, cached on disk where a folder can be written."""
    return numba.njit(cache=CACHE_DIR is not None, nogil=True)(function)


def inlined(function: Callable[..., Any]) -> Any:
    """Compile ``function`` for use inside other kernels; LLVM is asked to inline it."""
    return numba.njit(cache=False, nogil=True, forceinline=True)(function)


def warm_all(tell: "Callable[[str], None] | None" = None) -> int:
    """Compile every kernel file that offers ``warm()``; return how many there were.

    Args:
        tell: called with each module's name before it is compiled.
    """
    count = 0
    for source in kernel_sources():
        name = ".".join(["mariago", *source.relative_to(PACKAGE).with_suffix("").parts])
        warm = getattr(import_module(name), "warm", None)
        if warm is None:
            continue
        if tell is not None:
            tell(name)
        warm()
        count += 1
    return count
