"""What a function's first argument may be, as files and options of the command."""
from __future__ import annotations

import contextlib
import json
import os
import tempfile


def _metadata(kernel, name):
    metadata = kernel.metadata
    return metadata[name] if isinstance(metadata, dict) else getattr(metadata, name)


def _is_text(kernel):
    return isinstance(kernel, str) and ("\n" in kernel or kernel.lstrip().startswith(".version"))


@contextlib.contextmanager
def as_arguments(kernel, options: dict):
    """The positional argument, and the options, which a compiled Triton kernel completes.

    `kernel` is a workload's name, a path (workload.toml, its folder, .ptx), the text of PTX, or what
    Triton compiled: an object with `asm["ptx"]` and `metadata`.
    """
    compiled = hasattr(kernel, "asm")
    if not compiled and not _is_text(kernel):
        yield os.fspath(kernel), options
        return
    with tempfile.TemporaryDirectory(prefix="flagstone-") as folder:
        # An entry of Triton's cache: the command knows which scratch memory its kernels end with.
        path = os.path.join(folder, "kernel.ptx")
        with open(path, "w", encoding="utf-8") as file:
            file.write(kernel.asm["ptx"] if compiled else kernel)
        if compiled:
            known = {name: _metadata(kernel, name) for name in ("name", "num_warps", "shared")}
            with open(os.path.join(folder, "kernel.json"), "w", encoding="utf-8") as file:
                json.dump(known, file)
            path, options = folder, {"triton": True, **options}
        yield path, options
