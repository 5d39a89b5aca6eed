"""A report as HTML for notebooks. All texts are from bots and files, and none of them is markup."""
from __future__ import annotations

import html
from typing import Any, Dict, List, Sequence

from .cli import without_controls
from .report import Report, percent_of, question_of, reasons_of

_MOST_CASES = 20
_MOST_TARGETS = 20
_MOST_REASONS = 10


def report_to_html(report: Report) -> str:
    """Returns the score with its interval, the decision, a table by target, and the first questions that did not pass, in at most
    60 kB."""
    scores = report.scores
    first = next(iter(scores.items()), None)
    headline = "" if first is None else f"{first[0]} {percent_of(first[1])} · "
    reasons = report.decision.get("reasons", [])[:_MOST_REASONS]
    parts = [
        f'<div class="touchstone-report"><p><strong>{_safe(headline, 400)}{_safe(report.outcome, 40)}</strong></p>',
        _list([*reasons, *report.unread[:_MOST_REASONS]]),
        _table(["target", "score", "questions", "measured", "errors"], _target_rows(report)),
        _more(len(scores), _MOST_TARGETS, "targets"),
        _failures(report),
        f"<p>Run {_safe(report.id, 200)}</p></div>",
    ]
    return "".join(parts)


def _target_rows(report: Report) -> List[List[str]]:
    rows = []
    for target in report.summary["targets"][:_MOST_TARGETS]:
        counts: Dict[str, Any] = target.get("counts") or {}
        score = report.scores[target["target"]]
        asked = "" if score is None or score.get("n") is None else str(score["n"])
        measured = f"{counts.get('measured', '')} of {counts.get('planned', '')}" if counts else ""
        rows.append(
            [_safe(target["target"], 150), _safe(percent_of(score), 150), asked, measured, str(counts.get("errors", ""))]
        )
    return rows


def _failures(report: Report) -> str:
    errors = [result for result in report.results if result["trial"]["status"] == "failed"]
    answered = (result for result in report.results if result["trial"]["status"] != "failed")
    failed = [result for result in answered if (result.get("scorecard") or {}).get("passed") is False]
    missed = [*failed, *errors]
    if not missed:
        return ""
    rows = []
    for result in missed[:_MOST_CASES]:
        trial = result["trial"]
        error = trial.get("error")
        said = trial.get("answer") or "" if error is None else f"error: {error['message']}"
        reason = "; ".join(reasons_of(result)) if error is None else "not measured"
        rows.append([_safe(question_of(result["case"]), 400), _safe(said, 950), _safe(reason, 700)])
    title = f"<p>{len(failed)} failed, {len(errors)} {'error' if len(errors) == 1 else 'errors'}</p>"
    return title + _table(["question", "answer", "reason"], rows) + _more(len(missed), _MOST_CASES, "answers")


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{name}</th>" for name in heads)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _list(texts: Sequence[str]) -> str:
    items = "".join(f"<li>{_safe(text, 300)}</li>" for text in texts)
    return f"<ul>{items}</ul>" if items else ""


def _more(all_of_them: int, shown: int, noun: str) -> str:
    return f"<p>… and {all_of_them - shown} more {noun}</p>" if all_of_them > shown else ""


def _safe(text: Any, most_bytes: int) -> str:
    """Returns a text as HTML without markup of its own, in at most so many bytes; a part of it ends with `…`."""
    clean = without_controls(str(text)).encode("utf-8", "replace").decode("utf-8")
    parts: List[str] = []
    length = 0
    for letter in clean:
        part = html.escape(letter)
        length += len(part.encode("utf-8"))
        if length > most_bytes:
            return "".join(parts) + "…"
        parts.append(part)
    return "".join(parts)
