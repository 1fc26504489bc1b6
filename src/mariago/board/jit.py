"""The compiler of the kernels and where its output is kept.

Numba keeps compiled code per function but does not notice that a function or a constant in another
file, used by it, has changed; and a warm cache ignores compile settings such as bounds checks. So
each kernel file has a cache folder of its own whose name carries a hash of the file, of every file
of the package that it imports (and so on down), of the versions of Numba and Python, of the
processor and of the settings: any change starts a new folder, and a change in one room does not
make the others compile again. Kernel files are named ``kernels.py`` or ``*_kernels.py``.

``MARIAGO_CACHE_DIR`` moves the cache. Where no folder can be written the kernels work without one.
"""

import ast
import hashlib
import os
import platform
import tempfile
from collections.abc import Callable
from functools import cache
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


def _module_file(name: str, package: Path) -> "Path | None":
    """Return the file of ``mariago.a.b`` under ``package``, or None."""
    base = package.joinpath(*name.split(".")[1:])
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if path.is_file():
            return path
    return None


@cache
def _imported_files(source: Path, package: Path) -> tuple[Path, ...]:
    """Return the package's files that ``source`` imports by name."""
    found: set[Path] = set()
    for node in ast.walk(ast.parse(source.read_bytes())):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            path = _module_file(name, package) if name.split(".")[0] == "mariago" else None
            if path is not None and path.name != "__init__.py":
                found.add(path)
    return tuple(sorted(found))


def fingerprint(source: Path, package: Path = PACKAGE) -> str:
    """Return the hash of all that decides the compiled form of the kernels in ``source``."""
    pending, closure = [source], {source}
    while pending:
        for path in _imported_files(pending.pop(), package):
            if path not in closure:
                closure.add(path)
                pending.append(path)
    digest = hashlib.sha256()
    settings = [f"{name}={os.environ.get(name, '')}" for name in _SETTINGS]
    for part in (
        numba.__version__,
        platform.python_version(),
        llvm.get_host_cpu_name(),
        platform.machine(),
        *settings,
    ):
        digest.update(part.encode() + b"\0")
    for path in sorted(closure):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def cache_base() -> "Path | None":
    """Return the folder that holds all compiled kernels, or None where it cannot be written."""
    given = os.environ.get("MARIAGO_CACHE_DIR")
    base = (Path(given) if given else user_cache_path("mariago")) / "kernels"
    return base if _writable(base) else None


_BASE = cache_base()


@cache
def cache_folder(source: Path) -> "Path | None":
    """Return the cache folder of one kernel file, or None where nothing can be written."""
    if _BASE is None:
        return None
    return _BASE / f"{source.parent.name}-{source.stem}-{fingerprint(source)}"


def kernel(function: Callable[..., Any]) -> Any:
    """Compile ``function`` with Numba when first called; keep the code on disk if possible."""
    folder = cache_folder(Path(function.__code__.co_filename).resolve())
    if folder is None:
        return numba.njit(nogil=True)(function)
    setattr(config, "CACHE_DIR", str(folder))  # noqa: B010 - Numba reads it when it decorates
    return numba.njit(cache=True, nogil=True)(function)


def inlined(function: Callable[..., Any]) -> Any:
    """Compile ``function`` as a part of the kernels that call it; LLVM is told to inline it."""
    return numba.njit(nogil=True, forceinline=True)(function)


def warm_all(tell: "Callable[[str], None] | None" = None) -> int:
    """Compile every kernel file that offers ``warm()``; return how many there were.

    Args:
        tell: called with each module's name before it is compiled; not where the disk has it.
    """
    count = 0
    for source in kernel_sources():
        name = ".".join(["mariago", *source.relative_to(PACKAGE).with_suffix("").parts])
        warm = getattr(import_module(name), "warm", None)
        if warm is None:
            continue
        folder = cache_folder(source.resolve())
        if tell is not None and (folder is None or not any(folder.glob("**/*.nbc"))):
            tell(name)
        warm()
        count += 1
    return count
