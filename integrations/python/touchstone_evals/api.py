"""Runs, scores and compares: each function is a command of Touchstone's command line."""
from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from .bots import Bot, BotError, to_bot
from .cli import Folder, run_json, to_flags
from .loopback import Loopback, target_of
from .report import Report

Dataset = Union[str, "os.PathLike[str]", Iterable[Mapping[str, Any]], None]
Config = Union[str, "os.PathLike[str]", Mapping[str, Any], None]


def run(
    bot: Union[Bot, Callable[..., Any], None] = None,
    dataset: Dataset = None,
    *,
    config: Config = None,
    folder: Folder = None,
    progress: bool = False,
    **options: Any,
) -> Report:
    """Asks a bot every question of a dataset, as `touchstone run` does, and returns the report.

    `bot` is a function of this process, or a bot of `@bot`. Without it, `config` names the targets. `dataset` is a
    file, or the rows themselves. `config` is a config file, or the fields of one. `folder` is where relative paths
    begin and the run is stored; the current one by default. Further options are those of the command line:
    `fail_under=85`, `attempts=5`, `filter="category=tax"`, `limit=20`, `baseline="main"`, `max_cost=2`,
    `output="report.html"`.
    Raises CommandError for problems with the config or the data. A failed gate is no error: see `Report.check`.
    """
    with _prepared(bot, dataset, config, folder) as (arguments, needs):
        document, code = run_json(
            ["run", *arguments, *to_flags(options)], folder=folder, shows_progress=progress, **needs
        )
    return Report(document, code)


def plan(
    bot: Union[Bot, Callable[..., Any], None] = None,
    dataset: Dataset = None,
    *,
    config: Config = None,
    folder: Folder = None,
    **options: Any,
) -> Dict[str, Any]:
    """Returns what a run would ask, with the id and the title of each question. Calls nothing."""
    with _prepared(bot, dataset, config, folder) as (arguments, needs):
        flags = to_flags({**options, "dry_run": True, "verbose": True})
        return run_json(["run", *arguments, *flags], folder=folder, **needs)[0]


def score(
    answers: Union[str, "os.PathLike[str]", Iterable[Mapping[str, Any]]],
    *,
    dataset: Union[str, "os.PathLike[str]", None] = None,
    folder: Folder = None,
    **options: Any,
) -> Report:
    """Scores recorded answers, a file or rows with question, expectations and answer; calls no bot."""
    with contextlib.ExitStack() as stack:
        if not isinstance(answers, (str, os.PathLike)):
            file = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "answers.jsonl"
            file.write_text(to_lines(answers), "utf-8")
            answers = file
        flags = to_flags({"dataset": None if dataset is None else os.fspath(dataset), **options})
        document, code = run_json(["score", os.fspath(answers), *flags], folder=folder)
    return Report(document, code)


def compare(*runs: Union[str, Report], folder: Folder = None, **options: Any) -> Dict[str, Any]:
    """Compares runs with the first, paired by question: reports, ids, baselines or exported files."""
    if len(runs) < 2:
        raise BotError("compare needs two runs or more: compare('main', report).")
    return run_json(["compare", *map(_name, runs), *to_flags(options)], folder=folder)[0]


def gate(run: Union[str, Report] = "latest", *, folder: Folder = None, **options: Any) -> Dict[str, Any]:
    """Decides on a stored run again, such as with `fail_under=90`; its `decision` has the arithmetic of each rule."""
    return run_json(["gate", _name(run), *to_flags(options)], folder=folder)[0]


def show(run: Union[str, Report] = "latest", *, folder: Folder = None, **options: Any) -> Report:
    """Returns the report of a stored run."""
    document, code = run_json(["show", _name(run), *to_flags(options)], folder=folder)
    return Report(document, code)


def _name(run: Union[str, Report]) -> str:
    return run.id if isinstance(run, Report) else run


@contextlib.contextmanager
def _prepared(
    bot: Union[Bot, Callable[..., Any], None], dataset: Dataset, config: Config, folder: Folder
) -> Iterator[Tuple[List[str], Dict[str, Any]]]:
    """Yields the arguments and the surroundings of a run, with the bot served and the config written meanwhile."""
    served = None if bot is None else to_bot(bot)
    fields = _fields(served, dataset, config)
    arguments: List[str] = []
    standard_input = None
    if fields is None:
        arguments.append(os.fspath(config))  # type: ignore[arg-type]
    if isinstance(dataset, (str, os.PathLike)):
        arguments.append(f"--dataset={os.fspath(dataset)}")
    elif dataset is not None:
        standard_input = to_lines(dataset)
        arguments += ["--dataset=-", "--dataset-format=jsonl"]
    with Loopback(served) as environment, _written(fields, folder) as file:
        yield [*file, *arguments], {"environment": environment, "standard_input": standard_input}


def _fields(bot: Optional[Bot], dataset: Dataset, config: Config) -> Optional[Dict[str, Any]]:
    """Returns the fields of the config to write; None when there is a config file."""
    if bot is not None and isinstance(config, (str, os.PathLike)):
        raise BotError(
            "A config file names its own targets. Leave `bot` out, and let the file start it: "
            "{ use: command, command: [python3, -m, touchstone_evals, bot.py] }; or give `config` as a dict."
        )
    if isinstance(config, (str, os.PathLike)):
        return None
    if bot is None and config is None:
        raise BotError("Give a bot, or `config` with its targets: run(answer, 'golden.jsonl') or run(config='.').")
    fields = dict(config or {})
    if bot is not None:
        fields["targets"] = [target_of(bot, "tools" in fields)]
    if "dataset" not in fields:
        if dataset is None:
            raise BotError("There are no questions. Give `dataset`: a file such as golden.jsonl, or rows.")
        fields["dataset"] = os.fspath(dataset) if isinstance(dataset, (str, os.PathLike)) else "-"
    return fields


@contextlib.contextmanager
def _written(fields: Optional[Mapping[str, Any]], folder: Folder) -> Iterator[Sequence[str]]:
    """Writes a config beside the project's files, where its paths begin, and removes it at the end."""
    if fields is None:
        yield []
        return
    handle, name = tempfile.mkstemp(".json", ".touchstone-config-", os.fspath(folder or "."))
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(fields, file)
        yield [os.path.basename(name)]
    finally:
        os.unlink(name)


def to_lines(rows: Iterable[Mapping[str, Any]]) -> str:
    """Writes rows as lines of JSON."""
    return "".join(json.dumps(dict(row), allow_nan=False, default=str) + "\n" for row in rows)
