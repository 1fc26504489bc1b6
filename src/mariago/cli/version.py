"""``mariago version``: what a result depends on."""

from __future__ import annotations

from mariago.cli.options import JsonOption

LIBRARIES = ("numpy", "numba", "onnxruntime", "pyarrow", "scipy", "matplotlib", "torch")


def version(as_json: JsonOption = False) -> None:
    """Show the versions of MariaGO, Python and the libraries that a result depends on."""
    import json
    import platform
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as version_of

    from mariago import __version__

    found = {"mariago": __version__, "python": platform.python_version()}
    for library in LIBRARIES:
        try:
            found[library] = version_of(library)
        except PackageNotFoundError:
            found[library] = "not installed"
    if as_json:
        print(json.dumps(found))
    else:
        width = max(map(len, found))
        for name, number in found.items():
            print(f"{name:<{width}}  {number}")
