"""Serves a bot of a file to Touchstone's `command` target: a line of JSON for each question, one for each reply."""
from __future__ import annotations

import importlib
import importlib.util
import inspect
import io
import json
import logging
import os
import sys
import threading
from pathlib import Path
from typing import Any, BinaryIO, List, Optional, Tuple

from .bots import Bot, BotError, to_bot
from .calling import Caller, write_reply

usage = "Usage: python -m touchstone_evals FILE.py[:FUNCTION] or MODULE:FUNCTION"


def main(arguments: List[str]) -> int:
    """Serves the bot that the arguments name until stdin ends. Returns the exit code."""
    if len(arguments) != 1 or arguments[0] in ("-h", "--help"):
        print(usage, file=sys.stderr)
        return 0 if arguments[:1] in (["-h"], ["--help"]) else 2
    questions, replies = _take_streams()
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    try:
        found = load_bot(arguments[0])
    except BotError as error:
        print(f"touchstone_evals: {error}", file=sys.stderr)
        return 2
    serve(found, questions, replies)
    return 0


def _take_streams() -> Tuple[BinaryIO, BinaryIO]:
    """Takes stdin and stdout for the questions and replies; what a bot prints goes to stderr, which is kept as logs."""
    questions, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.stdout = io.TextIOWrapper(os.fdopen(1, "wb", closefd=False), "utf-8", "backslashreplace", write_through=True)
    return questions, replies


def serve(bot: Bot, questions: BinaryIO, replies: BinaryIO) -> None:
    """Answers each line of JSON with a line of JSON with the same id, in any order."""
    caller, lock = Caller(bot), threading.Lock()

    def write(value: Any) -> None:
        with lock:
            replies.write(write_reply(value).encode() + b"\n")
            replies.flush()

    def answer(request_id: Any, future: Any) -> None:
        write({**future.result(), "id": request_id})

    write({"ready": True})
    for line in questions:
        if line.strip():
            request = json.loads(line)
            caller.submit(request).add_done_callback(lambda future, id=request["id"]: answer(id, future))
    caller.close()


def load_bot(named: str) -> Bot:
    """Loads `FILE.py`, `FILE.py:FUNCTION` or `MODULE:FUNCTION`. Raises BotError when there is no such bot."""
    source, name = _split(named)
    if source.endswith(".py") or os.sep in source:
        module = _load_file(Path(source))
    else:
        sys.path.insert(0, os.getcwd())
        try:
            module = importlib.import_module(source)
        except ModuleNotFoundError as error:
            raise BotError(f"{error}; it is needed by {source}. Install it, or correct the name.") from error
    return _find_bot(module, name, source)


def _split(named: str) -> Tuple[str, Optional[str]]:
    source, separator, name = named.rpartition(":")
    return (source, name) if separator and name.isidentifier() else (named, None)


def _load_file(file: Path) -> Any:
    if not file.is_file():
        raise BotError(f"There is no file {file} in {os.getcwd()}.")
    sys.path.insert(0, str(file.resolve().parent))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise BotError(f"{file} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


def _find_bot(module: Any, name: Optional[str], source: str) -> Bot:
    if name is not None:
        if not callable(getattr(module, name, None)):
            raise BotError(f"{source} has no function {name}.")
        return to_bot(getattr(module, name))
    bots = {key: value for key, value in vars(module).items() if isinstance(value, Bot)}
    if len(bots) == 1:
        return next(iter(bots.values()))
    if not bots:
        return to_bot(_find_function(module, source))
    raise BotError(f"{source} has several bots ({', '.join(bots)}). Name one: {source}:{next(iter(bots))}.")


def _find_function(module: Any, source: str) -> Any:
    """Returns the function of a file without bots: `answer`, or the only one. Raises BotError."""
    functions = {
        key: value
        for key, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__ and not key.startswith("_")
    }
    if "answer" in functions:
        return functions["answer"]
    if len(functions) == 1:
        return next(iter(functions.values()))
    if functions:
        names = ", ".join(functions)
        raise BotError(f"{source} has several functions ({names}). Name the bot: {source}:{next(iter(functions))}.")
    raise BotError(f"{source} has no function. Write one that takes a question and returns the answer.")
