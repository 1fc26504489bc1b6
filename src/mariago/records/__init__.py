"""Game records in, verified samples out: sources, replay, repeats, splits, Parquet, reading back.

Names are loaded when first used, so that importing the room costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mariago.records.browse import GameChoice, write_browser
    from mariago.records.build import BuildOptions, build_records
    from mariago.records.catalogue import Catalogue, CatalogueEntry, read_catalogue
    from mariago.records.choosing import SampleFilter
    from mariago.records.filters import GameFilter
    from mariago.records.hashing import position_hash
    from mariago.records.katago_export import export_katago
    from mariago.records.katago_import import import_katago
    from mariago.records.labels import Labels, read_labels, write_labels
    from mariago.records.leak_drop import copy_without
    from mariago.records.leaks import Leaks, find_leaks
    from mariago.records.load import Batch, Targets, iter_batches, load_rows, read_table
    from mariago.records.manifest import Manifest, read_manifest
    from mariago.records.plane_store import PlaneStore, make_plane_store
    from mariago.records.report import describe, write_report
    from mariago.records.schema import SCHEMA_VERSION, SPLITS
    from mariago.records.sgf_export import export_positions, export_sgf
    from mariago.records.sheet import Question, Sheet, write_sheet
    from mariago.records.show import Shown, find_shown
    from mariago.records.stream import PlaneBatch, SampleStream
    from mariago.records.weights import RowWeights, read_weights

_HOMES = {
    "browse": ("GameChoice", "write_browser"),
    "build": ("BuildOptions", "build_records"),
    "catalogue": ("Catalogue", "CatalogueEntry", "read_catalogue"),
    "choosing": ("SampleFilter",),
    "filters": ("GameFilter",),
    "hashing": ("position_hash",),
    "katago_export": ("export_katago",),
    "katago_import": ("import_katago",),
    "labels": ("Labels", "read_labels", "write_labels"),
    "leak_drop": ("copy_without",),
    "leaks": ("Leaks", "find_leaks"),
    "load": ("Batch", "Targets", "iter_batches", "load_rows", "read_table"),
    "manifest": ("Manifest", "read_manifest"),
    "plane_store": ("PlaneStore", "make_plane_store"),
    "report": ("describe", "write_report"),
    "schema": ("SCHEMA_VERSION", "SPLITS"),
    "sgf_export": ("export_positions", "export_sgf"),
    "sheet": ("Question", "Sheet", "write_sheet"),
    "show": ("Shown", "find_shown"),
    "stream": ("PlaneBatch", "SampleStream"),
    "weights": ("RowWeights", "read_weights"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "SCHEMA_VERSION",
    "SPLITS",
    "Batch",
    "BuildOptions",
    "Catalogue",
    "CatalogueEntry",
    "GameChoice",
    "GameFilter",
    "Labels",
    "Leaks",
    "Manifest",
    "PlaneBatch",
    "PlaneStore",
    "Question",
    "RowWeights",
    "SampleFilter",
    "SampleStream",
    "Sheet",
    "Shown",
    "Targets",
    "build_records",
    "copy_without",
    "describe",
    "export_katago",
    "export_positions",
    "export_sgf",
    "find_leaks",
    "find_shown",
    "import_katago",
    "iter_batches",
    "load_rows",
    "make_plane_store",
    "position_hash",
    "read_catalogue",
    "read_labels",
    "read_manifest",
    "read_table",
    "read_weights",
    "write_browser",
    "write_labels",
    "write_report",
    "write_sheet",
]


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
