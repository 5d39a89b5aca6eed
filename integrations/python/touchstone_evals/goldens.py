"""Golden questions as tests: the plan of a run, the run made once, and the outcome of each question."""
from __future__ import annotations

import os
import tempfile
import threading
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

from . import api
from .bots import Bot
from .cli import Folder, without_controls
from .report import Report, question_of, reasons_of

_LONGEST = 2_000
_LONGEST_FILTER = 60_000


@dataclass(frozen=True)
class Outcome:
    """The outcome of a question for a target, over all attempts: `passed`, `failure`, `error` or `skipped`."""

    kind: str
    message: str = ""


class Golden:
    """Golden questions for pytest; see `golden`. The run is made when the first test needs it, and only once."""

    def __init__(self, arguments: Dict[str, Any], folder: Folder, fail_on: str):
        self._arguments = arguments
        self.folder = folder
        self.fail_on = fail_on
        self.selected: Optional[List[str]] = None
        """The ids to ask; None for all questions."""
        self._lock = threading.Lock()
        self._finished: Union[Tuple[Report, Dict[Tuple[str, str], Outcome]], BaseException, None] = None

    def plan(self, folder: Folder) -> Dict[str, Any]:
        """Returns the questions and targets of the run. Calls nothing."""
        self.folder = self.folder or folder
        return api.plan(folder=self.folder, **self._arguments)

    def finish(self) -> Tuple[Report, Dict[Tuple[str, str], Outcome]]:
        """Returns the report and the outcomes by target and title; makes the run if it was not made yet."""
        with self._lock:
            if self._finished is None:
                try:
                    self._finished = self._run()
                except Exception as error:
                    self._finished = error
        if isinstance(self._finished, BaseException):
            raise self._finished
        return self._finished

    def _run(self) -> Tuple[Report, Dict[Tuple[str, str], Outcome]]:
        with tempfile.TemporaryDirectory() as temporary:
            file = os.path.join(temporary, "outcomes.xml")
            given = {**self._arguments}
            output = given.pop("output", None) or []
            given["output"] = [*([output] if isinstance(output, str) else output), file]
            chosen = to_filter(self.selected)
            if chosen is not None:
                own = given.pop("filter", None) or []
                given["filter"] = [*([own] if isinstance(own, str) else own), chosen]
            report = api.run(folder=self.folder, **given)
            return report, read_outcomes(Path(file))

    def describe(self, target: str, case_id: str, message: str) -> str:
        """Describes why a question did not pass: with question, answer and every verdict that is not a pass."""
        report, _ = self.finish()
        lines = [message]
        for result in report.results:
            if result["trial"]["target"] == target and result["case"]["id"] == case_id:
                lines += _describe_result(result)
        return without_controls("\n".join(lines))


def golden(
    bot: Union[Bot, Callable[..., Any], None] = None,
    dataset: api.Dataset = None,
    *,
    config: api.Config = None,
    folder: Folder = None,
    fail_on: str = "cases",
    **options: Any,
) -> Golden:
    """Makes each golden question a test of pytest, and the gate the last one: `test_golden = golden(answer, "golden.jsonl")`.

    The arguments are those of `run`; relative paths begin at the folder of the test file. With `fail_on="gate"`,
    questions that did not pass are skipped with their explanation, and only the gate fails.
    """
    if fail_on not in ("cases", "gate"):
        raise ValueError(f"fail_on is {fail_on!r}; it must be 'cases' or 'gate'")
    if dataset is not None and not isinstance(dataset, (str, os.PathLike)):
        dataset = list(dataset)
    return Golden({"bot": bot, "dataset": dataset, "config": config, **options}, folder, fail_on)


def to_filter(ids: Optional[Sequence[str]]) -> Optional[str]:
    """Returns the filter that selects some questions; None when all have to be asked."""
    if ids is None or any('"' in one or "\\" in one or "\n" in one for one in ids):
        return None
    text = "id=" + "|".join('"' + one.replace("*", "\\*") + '"' for one in ids)
    return text if len(text) < _LONGEST_FILTER else None


def read_outcomes(file: Path) -> Dict[Tuple[str, str], Outcome]:
    """Reads the outcomes by target and title from a report in the format of JUnit."""
    outcomes: Dict[Tuple[str, str], Outcome] = {}
    for suite in ElementTree.parse(file).getroot().iter("testsuite"):
        for test in suite.iter("testcase"):
            outcomes[suite.get("name", ""), test.get("name", "")] = _read_test(test)
    return outcomes


def _read_test(test: "ElementTree.Element") -> Outcome:
    for kind in ("failure", "error", "skipped"):
        found = test.find(kind)
        if found is not None:
            return Outcome(kind, found.get("message") or found.text or kind)
    return Outcome("passed")


def _describe_result(result: Dict[str, Any]) -> List[str]:
    trial = result["trial"]
    error = trial.get("error")
    lines = [f"  question: {_shorten(question_of(result['case']))}"]
    lines.append(f"  answer:   {_shorten(trial.get('answer'))}" if error is None else f"  error:    {_shorten(error['message'])}")
    lines += [f"  {_shorten(reason)}" for reason in reasons_of(result)]
    return lines


def _shorten(value: Any) -> str:
    text = "(none)" if value is None else str(value)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + " …"
