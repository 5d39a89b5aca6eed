"""The tests of pytest that golden questions become: one for each question, and one for the gate."""
from __future__ import annotations

from typing import Any, Dict, Iterable, Iterator, List, Optional

import pytest

from .cli import CommandError, without_controls
from .goldens import Golden


class GoldenFailure(Exception):
    """A golden question or a gate that did not pass. It has no stack trace: no line of code is the cause."""


class GoldenItem(pytest.Item):
    """One golden question for one target."""

    golden: Golden

    def __init__(self, *, golden: Golden, target: str, case_id: str, title: str, **named: Any):
        super().__init__(**named)
        self.golden = golden
        self.case_id: Optional[str] = case_id
        self._target, self._title = target, title
        self.add_marker(pytest.mark.xdist_group("touchstone"))

    def runtest(self) -> None:
        _, outcomes = self.golden.finish()
        outcome = outcomes.get((self._target, self._title))
        if outcome is None:
            raise GoldenFailure("not measured: it was not asked")
        if outcome.kind == "passed":
            return
        if outcome.kind == "skipped" or self.golden.fail_on == "gate":
            pytest.skip(without_controls(outcome.message))
        raise GoldenFailure(self.golden.describe(self._target, str(self.case_id), outcome.message))

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if isinstance(excinfo.value, (GoldenFailure, CommandError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> Any:
        return self.path, None, f"{self._target}: {self._title}"


class GateItem(GoldenItem):
    """The gate of the run, after its questions."""

    def __init__(self, **named: Any):
        super().__init__(target="gate", case_id="", title="gate", **named)
        self.case_id = None

    def runtest(self) -> None:
        report, _ = self.golden.finish()
        if report.outcome not in ("pass", "measured"):
            reasons = "\n".join(f"  {reason}" for reason in report.decision.get("reasons", []))
            raise GoldenFailure(without_controls(f"The gate did not pass: {report.outcome}\n{reasons}\n{report!r}"))
        if report.unread:
            # A gate would not be measured; here, where there is none, the questions are one.
            unread = without_controls("; ".join(report.unread))
            if self.golden.fail_on == "gate":
                pytest.skip(unread)
            raise GoldenFailure(f"The gate did not pass: not-measured\n  {unread}")
        if not report.is_gated:
            pytest.skip(f"there is no gate, such as fail_under=85: {report!r}")


class GoldenCollector(pytest.Collector):
    """The golden questions of one run."""

    golden: Golden

    def __init__(self, *, golden: Golden, **named: Any):
        super().__init__(**named)
        self.golden = golden

    def collect(self) -> Iterator[pytest.Item]:
        try:
            planned = self.golden.plan(self.path.parent)
        except CommandError as error:
            raise self.CollectError(str(error)) from error
        targets = planned["targets"]
        for target in targets:
            for question in planned["questions"]:
                name = question["id"] if len(targets) == 1 else f"{target}/{question['id']}"
                yield GoldenItem.from_parent(
                    self,
                    name=_printable(name),
                    golden=self.golden,
                    target=target,
                    case_id=question["id"],
                    title=question["title"],
                )
        yield GateItem.from_parent(self, name="gate", golden=self.golden)


def _printable(name: str) -> str:
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in name)


def select_questions(collected: Iterable[Any]) -> None:
    """Asks only the questions that were selected, as by -k; all of them if the gate is to decide."""
    chosen: Dict[int, List[GoldenItem]] = {}
    for item in collected:
        if isinstance(item, GoldenItem):
            chosen.setdefault(id(item.golden), []).append(item)
    for items in chosen.values():
        has_gate = any(item.case_id is None for item in items)
        ids = [item.case_id for item in items if item.case_id is not None]
        items[0].golden.selected = None if has_gate else list(dict.fromkeys(ids))
