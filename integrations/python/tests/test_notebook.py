"""What a notebook shows of a report, with texts that try to be markup."""
from html.parser import HTMLParser

import pytest
from touchstone_evals import Report

HOSTILE = '</td></table><script>alert(1)</script><img src=x onerror="a()"> & \x1b[31m \u202e "quoted" \ud800 '


class Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.open, self.cells = set(), [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs
        self.open.append(tag)
        if tag == "td":
            self.cells.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "td":
            self.cells[-1] += data


def result_of(number, text, **trial):
    return {
        "case": {"id": f"q{number}", "input": text},
        "trial": {"target": "shop", "attempt": 1, "status": "completed", "answer": text, **trial},
        "scorecard": {"passed": False, "total": 0},
        "verdicts": {"keywords": {"status": "scored", "value": 0, "passed": False, "explanation": text}},
    }


def report_of(results, targets=1, gate=None, text="shop"):
    score = {"value": 0.84, "lower": 0.731, "upper": 0.912, "n": 62}
    counts = {"planned": 65, "measured": 62, "errors": 2}
    summary = {
        "targets": [{"target": f"{text}{index or ''}", "score": score, "counts": counts} for index in range(targets)],
        "decision": {"outcome": "pass", "reasons": []},
    }
    return Report({"run": {"id": "r1", "gate": gate or {}}, "summary": summary, "results": results})


def read(report):
    page = report._repr_html_()
    assert len(page.encode("utf-8")) <= 60_000
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    assert reader.tags <= {"div", "p", "strong", "ul", "li", "table", "thead", "tbody", "tr", "th", "td"}
    assert reader.attributes == [("class", "touchstone-report")]
    return page, reader


def test_a_notebook_shows_the_score_with_its_interval_the_decision_and_what_failed():
    error = result_of(2, "Is it broken?", status="failed", answer=None, error={"message": "timed out"})
    page, reader = read(report_of([result_of(1, "What does it cost?"), error], gate={"failUnder": 80}))
    assert "<strong>shop 84.0 % [73.1, 91.2] · pass</strong>" in page
    assert reader.cells[:5] == ["shop", "84.0 % [73.1, 91.2]", "62", "62 of 65", "2"]
    assert reader.cells[5:8] == ["What does it cost?", "What does it cost?", "keywords: What does it cost?"]
    assert reader.cells[8:] == ["Is it broken?", "error: timed out", "not measured"]
    assert "<p>1 failed, 1 error</p>" in page
    assert " · measured</strong>" in read(report_of([]))[0]


def test_hostile_answers_are_text_and_many_long_ones_are_cut():
    page, reader = read(report_of([result_of(1, HOSTILE)], text=HOSTILE))
    assert any("<script>alert(1)</script>" in cell for cell in reader.cells)
    assert "\x1b" not in page and "\u202e" not in page
    page, reader = read(report_of([result_of(number, HOSTILE * 400) for number in range(300)], 70, text=HOSTILE * 9))
    assert "… and 280 more answers" in page and "… and 50 more targets" in page


def test_a_notebook_runs_it(tmp_path):
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    code = (
        "from touchstone_evals import Report\n"
        "Report({'run': {'id': 'r'}, 'summary': {'targets': [], 'decision': {'outcome': 'pass'}}, 'results': []})"
    )
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    nbclient.NotebookClient(notebook, resources={"metadata": {"path": str(tmp_path)}}).execute()
    [output] = notebook.cells[0].outputs
    assert output["data"]["text/html"].startswith('<div class="touchstone-report">')
