"""Finds and runs Touchstone's command line."""
from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Set, Tuple, Union

from .find_node import CommandError, find_node

Folder = Union[str, "os.PathLike[str]", None]
_SHOWN = 20_000
_PACKAGE = "touchstone-evals"
# The package of npm, as the wheel brings it; there is none beside the sources.
_OWN = Path(__file__).resolve().parent / "_npm"
_told: Set[str] = set()


def find_command(folder: Folder = None) -> List[str]:
    """Returns the command of Touchstone: that of the environment variable TOUCHSTONE; of the `node_modules` of the
    folder or of one above it; of this package. It is never looked for on the PATH, where this package's script has its
    name. Raises CommandError when there is none."""
    given = os.environ.get("TOUCHSTONE")
    if given:
        return [given] if os.path.isfile(given) else split_command(given, os.name == "nt")
    start = Path(folder or ".").resolve()
    for parent in (start, *start.parents):
        found = shutil.which("touchstone", path=str(parent / "node_modules" / ".bin"))
        if found:
            return _use_installed(found, parent / "node_modules" / _PACKAGE)
    program = _OWN / "bin" / "touchstone.js"
    if program.is_file():
        return [find_node(), str(program)]
    raise CommandError(
        f"Touchstone's command line is not installed here. → Install it with `npm install --save-dev {_PACKAGE}`, "
        "or let the environment variable TOUCHSTONE name its command"
    )


def split_command(text: str, is_windows: bool) -> List[str]:
    """Splits a command into its words. On Windows a backslash is a part of a path."""
    words = shlex.split(text, posix=not is_windows)
    return [word.strip('"') for word in words] if is_windows else words


def _use_installed(command: str, package: Path) -> List[str]:
    """Returns the command of a project's `node_modules`; says once when it is of another minor version."""
    own, theirs = _version_in(_OWN), _version_in(package)
    if own and theirs and own.split(".")[:2] != theirs.split(".")[:2] and theirs not in _told:
        _told.add(theirs)
        print(f"Touchstone {theirs} of node_modules is used; the Python package is {own}.", file=sys.stderr)
    program = package / "bin" / "touchstone.js"
    if shutil.which("node") is None and program.is_file():
        return [find_node(), str(program)]
    return [command]


def _version_in(package: Path) -> Optional[str]:
    try:
        return json.loads((package / "package.json").read_text("utf-8"))["version"]
    except (OSError, ValueError, KeyError):
        return None


def main() -> int:
    """Runs the command line with the arguments of this process: the script `touchstone`. Except on Windows, the process
    becomes it, so that signals reach it and its exit code is that of the process."""
    try:
        command = find_command()
        script = os.path.abspath(sys.argv[0])
        started = shutil.which(command[0])
        if started is not None and os.path.exists(script) and os.path.samefile(started, script):
            raise CommandError(f"TOUCHSTONE is {command[0]}, which is this script. → Unset it, or let it name another one")
        # What it advises to call next is this script.
        os.environ["TOUCHSTONE_SCRIPT"] = script
        return _become([*command, *sys.argv[1:]])
    except CommandError as error:
        print(f"✗ {error}", file=sys.stderr)
        return 4


def _become(command: List[str]) -> int:
    try:
        if os.name == "nt":
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            return subprocess.call(command)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, and a program inherits that.
        sys.stdout.flush()
        os.execvp(command[0], command)
    except OSError as error:
        raise _not_started(command, error) from error


def _not_started(command: Sequence[str], error: OSError) -> CommandError:
    return CommandError(
        f"{command[0]} cannot be started: {error.strerror or error}. → Install Touchstone again, or correct TOUCHSTONE", 4
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
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "NO_COLOR": "1", **(environment or {})},
            stdin=subprocess.DEVNULL if standard_input is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except OSError as error:
        raise _not_started(command, error) from error
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


def without_warnings(said: str) -> str:
    """Leaves out the warnings of Node.js itself, such as of an experimental feature: they are not the cause of an error."""
    return re.sub(r"^\((?:node:\d+\)|Use `node --trace).*\n?", "", said, flags=re.MULTILINE)


def _read(output: bytes, code: int, said: str, name: str) -> Tuple[Any, int]:
    if code in (0, 1, 2, 3) and output.strip():
        try:
            return json.loads(output), code
        except ValueError:
            pass
    reason = without_warnings(said).strip()[-_SHOWN:] or "it said nothing"
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
