"""Sessions of ONNX Runtime: where a net runs, and on how many threads.

Work is spread over processes, one thread each: a session has one thread unless told otherwise, none
that waits by spinning, and asks for no more than that of CUDA's card either.
"""

from __future__ import annotations

import os

import onnxruntime

from mariago.errors import NetError

__all__ = ["DEVICES", "DEVICE_VARIABLE", "new_session", "providers_of"]

DEVICES = ("auto", "cpu", "cuda")
DEVICE_VARIABLE = "MARIAGO_DEVICE"
_CPU, _CUDA = "CPUExecutionProvider", "CUDAExecutionProvider"


def providers_of(device: str | None = None) -> list[str]:
    """Return ONNX Runtime's names of where a net is to run, the first choice first.

    ``device`` is cpu, cuda or auto. auto and None are what ``MARIAGO_DEVICE`` says, and CUDA where
    it is offered if that is not set.

    Raises:
        NetError: no such device, or CUDA is asked for and not offered.
    """
    wanted = _wanted(device)
    if wanted not in DEVICES:
        raise NetError(f"unknown device {wanted!r:.40}", hint=f"choose from {', '.join(DEVICES)}")
    offered = _CUDA in onnxruntime.get_available_providers()
    if wanted == "cuda" and not offered:
        raise NetError(
            "nets cannot run on CUDA: the installed ONNX Runtime does not offer it",
            hint="install onnxruntime-gpu in place of onnxruntime, or use device=cpu",
        )
    return [_CUDA, _CPU] if offered and wanted != "cpu" else [_CPU]


def new_session(
    model: bytes, *, threads: int = 1, device: str | None = None
) -> onnxruntime.InferenceSession:
    """Return a session of a model, running as the module says.

    Raises:
        NetError: see :func:`providers_of`; or CUDA was asked for and did not start.
        Exception: ONNX Runtime cannot load the model; its errors have no common name.
    """
    providers = providers_of(device)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # A waiting thread must not burn a neighbour's core.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.inter_op.allow_spinning", "0")
    # Errors are raised with all they say; only why a card does not start is told nowhere else.
    options.log_severity_level = 4 if providers == [_CPU] else 3
    session = onnxruntime.InferenceSession(model, options, providers=providers)
    if (
        _wanted(device) == "cuda" and _CUDA not in session.get_providers()
    ):  # ONNX Runtime goes on without a word
        raise NetError(
            "nets cannot run on CUDA: no card, or no driver and libraries that fit",
            hint="look at nvidia-smi, or use device=cpu",
        )
    return session


def _wanted(device: str | None) -> str:
    own = None if device == "auto" else device
    return own or os.environ.get(DEVICE_VARIABLE) or "auto"
