"""``.npy`` files whose want of room is told as an error of the system, with its number and place.

NumPy writes an array by C's streams, which lose the number of the error; and a file that is mapped
before it has room on the disk ends the process by SIGBUS where it is first written to.
"""

import os
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from mariago.records.workplace import append_whole

__all__ = ["map_new_array", "save_array"]

BLOCK = 2**20


def save_array(path: Path, array: NDArray[Any]) -> None:
    """Write an array of numbers or records, as ``numpy.save`` does.

    Raises:
        OSError: there is no room.
    """
    held = np.ascontiguousarray(array)
    with path.open("wb", buffering=0) as file:
        append_whole(file, _header(held.dtype, held.shape))
        append_whole(file, held.reshape(-1).view(np.uint8).data)


def map_new_array(
    path: Path, kind: "np.dtype[Any]", shape: tuple[int, ...]
) -> "np.memmap[Any, Any]":
    """Make a file of zeros that has its room on the disk, and return it as an array to write to.

    Raises:
        OSError: there is no room.
    """
    header = _header(kind, shape)
    length = kind.itemsize * int(np.prod(shape, dtype=np.int64))
    try:
        with path.open("wb", buffering=0) as file:
            append_whole(file, header)
            _reserve(file.fileno(), len(header), length)
    except OSError as error:
        error.filename = error.filename or str(path)
        raise
    return npy.open_memmap(path, "r+")


def _header(kind: "np.dtype[Any]", shape: tuple[int, ...]) -> bytes:
    head = BytesIO()
    told = {"descr": npy.dtype_to_descr(kind), "fortran_order": False, "shape": shape}
    npy.write_array_header_1_0(head, told)
    return head.getvalue()


def _reserve(handle: int, start: int, length: int) -> None:
    """Take the room of ``length`` bytes behind ``start``: by writing where there is no other way.

    Some file systems, and some systems, cannot reserve; a system that fails for want of room
    fails so again when it writes.
    """
    if not length:
        return
    if hasattr(os, "posix_fallocate"):
        try:
            os.posix_fallocate(handle, start, length)
        except OSError:
            pass
        else:
            return
    os.lseek(handle, start, os.SEEK_SET)
    zeros = memoryview(bytes(min(BLOCK, length)))
    while length:
        length -= os.write(handle, zeros[:length])
