"""Finds and runs Touchstone's command line."""
from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

Folder = Union[str, "os.PathLike[str]", None]
_SHOWN = 20_000


class CommandError(Exception):
    """Touchstone could not do what was asked: wrong usage, configuration or data, or it is not installed."""

    def __init__(self, message: str, exit_code: Optional[int] = None):
        super().__init__(message)
        self.exit_code = exit_code


def find_command(folder: Folder = None) -> List[str]:
    """Returns the command of Touchstone: that of the environment variable TOUCHSTONE; of the `node_modules` of the
    folder or of one above it; of the PATH. Raises CommandError when there is none."""
    given = os.environ.get("TOUCHSTONE")
    if given:
        return [given] if os.path.isfile(given) else shlex.split(given)
    start = Path(folder or ".").resolve()
    for parent in (start, *start.parents):
        found = shutil.which("touchstone", path=str(parent / "node_modules" / ".bin"))
        if found:
            return [found]
    found = shutil.which("touchstone")
    if found:
        return [found]
    raise CommandError(
        "Touchstone's command line is not installed here. Install it with `npm install --save-dev touchstone-evals`, "
        "or let the environment variable TOUCHSTONE name its command."
    )


def run_json(
    arguments: Sequence[str],
    *,
    folder: Folder = None,
    environment: Optional[Mapping[str, str]] = None,
    standard_input: Optional[str] = None,
    shows_progress: bool = False,
) -> Tuple[Any, int]:
    """Runs a command with `--json`, and returns its document and its exit code. Raises CommandError without one."""
    command = [*find_command(folder), *arguments, "--json"]
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1", **(environment or {})},
        stdin=subprocess.DEVNULL if standard_input is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    said: List[str] = []
    listener = threading.Thread(target=_listen, args=(process.stderr, said, shows_progress), daemon=True)
    listener.start()
    output = _communicate(process, standard_input)
    listener.join(5)
    return _read(output, process.returncode, "".join(said), arguments[0])


def _communicate(process: "subprocess.Popen[bytes]", standard_input: Optional[str]) -> bytes:
    writer = threading.Thread(target=_write, args=(process.stdin, standard_input), daemon=True)
    writer.start()
    assert process.stdout is not None
    try:
        output = process.stdout.read()
        process.wait()
        return output
    except BaseException:
        # Ctrl-C reaches Touchstone, too, which then stores what it has received.
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.terminate()
            process.wait()
        raise


def _write(stream: Any, text: Optional[str]) -> None:
    if stream is None or text is None:
        return
    try:
        stream.write(text.encode("utf-8", "backslashreplace"))
        stream.close()
    except OSError:
        pass  # It has ended; its exit code says why.


def _listen(stream: Any, said: List[str], shows: bool) -> None:
    for line in stream:
        text = without_controls(line.decode("utf-8", "replace"))
        said.append(text)
        if len(said) > 400:
            del said[:200]
        if shows:
            sys.stderr.write(text)


def without_controls(text: str) -> str:
    """Replaces control characters, such as those of terminal escapes, but for tabs and line ends."""
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]", "\ufffd", text)


def _read(output: bytes, code: int, said: str, name: str) -> Tuple[Any, int]:
    if code in (0, 1, 2, 3) and output.strip():
        try:
            return json.loads(output), code
        except ValueError:
            pass
    reason = said.strip()[-_SHOWN:] or "it said nothing"
    if code == 130:
        raise CommandError(f"touchstone {name} was interrupted; answers are kept, and resume=True continues.", code)
    raise CommandError(f"touchstone {name} ended with exit code {code}:\n{reason}", code)


def to_flags(options: Mapping[str, Any]) -> List[str]:
    """Returns options as flags: `fail_under=85` is `--fail-under 85`, True a flag alone, a list a repeated flag."""
    flags: List[str] = []
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        for item in value if isinstance(value, (list, tuple)) else [value]:
            if item is None or item is False:
                continue
            flags += [flag] if item is True else [f"{flag}={item}"]
    return flags
