"""The report of a run, as dicts or as a table of pandas."""
from __future__ import annotations

from typing import Any, Dict, List, Optional

from .cli import without_controls


class GateError(Exception):
    """The gate of a run did not pass. `report` is the report, `exit_code` that of the command line."""

    def __init__(self, report: "Report"):
        reasons = "; ".join(report.decision.get("reasons", []))
        super().__init__(without_controls(f"The gate did not pass ({report.outcome}): {reasons}"))
        self.report = report
        self.exit_code = report.exit_code


class Report:
    """A run with its summary and results, as the command line writes them with `--json`."""

    def __init__(self, document: Dict[str, Any], exit_code: int = 0):
        self.document = document
        self.run: Dict[str, Any] = document["run"]
        self.summary: Dict[str, Any] = document["summary"]
        self.results: List[Dict[str, Any]] = document["results"]
        self.exit_code = exit_code
        """0 pass, 1 fail, 2 not measured, 3 inconclusive."""

    @property
    def id(self) -> str:
        return self.run["id"]

    @property
    def decision(self) -> Dict[str, Any]:
        return self.summary["decision"]

    @property
    def outcome(self) -> str:
        """The decision of the gate: `pass`, `fail`, `inconclusive` or `not-measured`; `measured` where nothing is missing
        and no gate decides."""
        outcome = self.decision["outcome"]
        return "measured" if outcome == "pass" and not self.is_gated else outcome

    @property
    def is_gated(self) -> bool:
        """Whether the run has a gate: a least score, or rules."""
        has_threshold = (self.run.get("gate") or {}).get("failUnder") is not None
        return has_threshold or "rules" in self.decision or bool(self.decision.get("reasons"))

    @property
    def passed(self) -> bool:
        """Whether a gate passed; False without one."""
        return self.outcome == "pass"

    @property
    def unread(self) -> List[str]:
        """What the questions expect and nothing reads, as sentences: the scores do not cover it, and a gate is not measured."""
        return self.document.get("unread", [])

    @property
    def scores(self) -> Dict[str, Optional[Dict[str, Any]]]:
        """The score of each target, with its interval: `{"bot": {"value": 0.96, "lower": ..., "upper": ...}}`.

        Where it rests on a judge with a certificate, it is the score that people would give, as in all reports, and `said` is the
        one by the judge; where that is not known, `value` is None and `reason` says why.
        """
        return {target["target"]: _score(target) for target in self.summary["targets"]}

    def check(self) -> "Report":
        """Returns the report itself. Raises GateError when the gate did not pass, or, without a gate, when too little was measured."""
        if self.outcome not in ("pass", "measured"):
            raise GateError(self)
        return self

    def rows(self) -> List[Dict[str, Any]]:
        """Returns one flat dict for each answer. What was not measured is None, never 0."""
        return [_row(result) for result in self.results]

    def to_pandas(self) -> Any:
        """Returns the rows as a DataFrame. Needs pandas."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_pandas needs pandas: pip install pandas. rows() works without it.") from error
        return pandas.DataFrame(self.rows())

    def _repr_html_(self) -> str:
        """Returns what a notebook shows of the report."""
        from .notebook import report_to_html

        return report_to_html(self)

    def __repr__(self) -> str:
        targets = ", ".join(f"{name} {percent_of(score)}" for name, score in self.scores.items())
        unread = "".join(f"; {clause}" for clause in self.unread)
        return without_controls(f"<Report of run {self.id}: {self.outcome}; {targets}{unread}>")


def _score(target: Dict[str, Any]) -> Optional[Dict[str, Any]]:
    score, corrected = target.get("score"), target.get("corrected")
    if score is None:
        return score
    if corrected is None:
        reason = target.get("notCorrected")
        if reason is None or score.get("value") is None:
            return score
        corrected = {**score, "value": None, "lower": None, "upper": None, "reason": reason}
    return {**corrected, "said": score.get("value")}


def percent_of(score: Optional[Dict[str, Any]]) -> str:
    """Returns a score of `Report.scores` with its interval, in percent; says so when it is not measured."""
    said = None if score is None else score.get("said")
    if score is None or score.get("value") is None:
        return "not measured" if said is None else f"not corrected, judge says {said * 100:.1f} %"
    lower, upper = score.get("lower"), score.get("upper")
    interval = "" if lower is None or upper is None else f" [{lower * 100:.1f}, {upper * 100:.1f}]"
    number = f"{score['value'] * 100:.1f} %{interval}"
    return number if said is None else f"corrected {number}, judge says {said * 100:.1f} %"


def _row(result: Dict[str, Any]) -> Dict[str, Any]:
    asked, trial, card = result["case"], result["trial"], result.get("scorecard") or {}
    row = {
        "case": asked["id"],
        "target": trial["target"],
        "attempt": trial["attempt"],
        "category": asked.get("category"),
        "question": question_of(asked),
        "answer": trial.get("answer"),
        "status": trial["status"],
        "error": (trial.get("error") or {}).get("message"),
        "passed": card.get("passed"),
        "score": card.get("total"),
        "grade": card.get("grade"),
        "latency_ms": (trial.get("latency") or {}).get("totalMs"),
        "cost": trial.get("cost"),
    }
    for metric, verdict in (result.get("verdicts") or {}).items():
        row[f"metric.{metric}"] = verdict.get("value") if verdict["status"] == "scored" else None
    return row


def question_of(asked: Dict[str, Any]) -> str:
    """Returns the text of a case's question."""
    given = asked.get("input")
    if isinstance(given, str):
        return given
    texts = [message.get("content", "") for message in given or [] if message.get("role") == "user"]
    return str(texts[-1]) if texts else ""


def reasons_of(result: Dict[str, Any]) -> List[str]:
    """Returns why a result did not pass: each verdict that is no pass, with its explanation."""
    reasons = []
    for name, verdict in (result.get("verdicts") or {}).items():
        if verdict["status"] == "not-applicable" or (verdict["status"] == "scored" and verdict.get("passed") is not False):
            continue
        reasons.append(f"{name}: {verdict.get('explanation') or verdict.get('reason') or verdict['status']}")
    return reasons
