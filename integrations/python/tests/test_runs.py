"""Runs by the real command line, which the environment variable TOUCHSTONE names."""
import base64
import json
import os
import sys

import pytest
import touchstone_evals
from touchstone_evals import BotError, CommandError, GateError, bot, compare, gate, run, score, show

ROWS = [
    {"id": "lamp", "question": "What does the lamp cost?", "expected_keywords": ["49"], "metadata": {"shelf": 3}},
    {"id": "desk", "question": "What does the desk cost?", "expected_keywords": ["199"]},
    {"id": "odd", "question": "Is \x1b[31m<b>&\"it\"</b> odd?", "expected_keywords": ["odd"]},
    {"id": "broken", "question": "Is it broken?", "expected_keywords": ["broken"]},
]


@bot(name="shop")
async def answer(question, metadata, messages):
    print("printed by the bot")
    assert messages[-1]["content"] == question
    if "broken" in question:
        raise ValueError("cannot \x1b[31m answer")
    return f"It costs 49 euros, from shelf {metadata.get('shelf')}; odd."


def test_a_function_sees_the_picture_of_its_question(tmp_path):
    picture = base64.b64decode(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
    )
    (tmp_path / "dent.png").write_bytes(picture)
    row = {"id": "dent", "question": "What is broken?", "attachments": ["dent.png"], "expected_answer": "the door"}
    (tmp_path / "golden.jsonl").write_text(json.dumps(row) + "\n")

    def look(request):
        [file] = request.attachments
        assert file.read() == picture and file.data_url().startswith("data:image/png;base64,iVBOR")
        assert request.messages[-1]["content"] == request.question
        return "the door"

    assert run(look, "golden.jsonl", folder=tmp_path).rows()[0]["passed"] is True

    (tmp_path / "bot.py").write_text(
        "def look(request):\n    return 'the door' if request.attachments[0].data_url().endswith('=') else 'nothing'\n"
    )
    target = {"use": "command", "name": "shop", "command": [sys.executable, "-m", "touchstone_evals", "bot.py"]}
    report = run(config={"dataset": "golden.jsonl", "targets": [target]}, folder=tmp_path)
    assert report.rows()[0]["answer"] == "the door"


def test_a_run_of_a_function_is_recorded_scored_and_decided(tmp_path):
    (tmp_path / "golden.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    report = run(answer, "golden.jsonl", folder=tmp_path, fail_under=90)
    assert (report.outcome, report.exit_code, report.passed) == ("fail", 1, False)
    rows = {row["case"]: row for row in report.rows()}
    assert rows["lamp"]["answer"] == "It costs 49 euros, from shelf 3; odd."
    assert [rows[name]["passed"] for name in ("lamp", "desk", "odd")] == [True, False, True]
    assert (rows["broken"]["status"], rows["broken"]["score"]) == ("failed", None)
    assert "ValueError: cannot \x1b[31m answer (test_runs.py:" in rows["broken"]["error"]
    assert "\x1b" not in repr(report)
    with pytest.raises(GateError) as failure:
        report.check()
    assert (failure.value.exit_code, failure.value.report) == (1, report)
    # The config that was written for the run is gone, and no address or secret of the server was stored.
    assert sorted(os.listdir(tmp_path)) == [".touchstone", "golden.jsonl"]
    assert report.run["dataset"]["sources"] == ["golden.jsonl"]
    assert report.run["targets"][0]["use"]["url"] == "{{env.TOUCHSTONE_EVAL_URL}}"
    again = show(folder=tmp_path)
    assert (again.id, again.scores) == (report.id, report.scores)
    assert gate(report, folder=tmp_path, fail_under=2)["run"] == report.id
    better = run(lambda question: "49, 199, odd, broken", "golden.jsonl", folder=tmp_path, config={"attempts": 1})
    compared = compare(report, better, folder=tmp_path, target="shop=<lambda>")
    assert compared["comparisons"]
    planned = touchstone_evals.plan(answer, "golden.jsonl", folder=tmp_path)
    assert (planned["calls"], [question["id"] for question in planned["questions"]]) == (4, [row["id"] for row in ROWS])
    try:
        import pandas  # noqa: F401
    except ImportError:
        with pytest.raises(ImportError, match="pip install pandas"):
            report.to_pandas()
    else:
        assert report.to_pandas().shape[0] == len(ROWS)


def test_the_score_of_a_certified_judge_is_the_one_that_people_would_give():
    said = {"value": 0.775, "lower": 0.71, "upper": 0.83}
    corrected = {"value": 0.55, "lower": 0.481, "upper": 0.617}
    summary = {"targets": [{"target": "bot", "score": said, "corrected": corrected}], "decision": {"outcome": "fail"}}
    report = touchstone_evals.Report({"run": {"id": "r"}, "summary": summary, "results": []})
    assert report.scores["bot"] == {**corrected, "said": 0.775}
    assert "bot corrected 55.0 % [48.1, 61.7], judge says 77.5 %" in repr(report)
    summary["targets"] = [{"target": "bot", "score": said, "notCorrected": "too few labels"}]
    assert report.scores["bot"] == {"value": None, "lower": None, "upper": None, "reason": "too few labels", "said": 0.775}
    assert "bot not corrected, judge says 77.5 %" in repr(report)


def test_recorded_answers_are_scored(tmp_path):
    report = score([{"question": "x", "expected_keywords": ["a"], "answer": "a"}], folder=tmp_path)
    assert [estimate["value"] for estimate in report.scores.values()] == [1]
    assert (report.outcome, report.passed, report.check()) == ("measured", False, report)


def test_what_is_missing_is_named_with_its_remedy(tmp_path, monkeypatch):
    with pytest.raises(BotError, match="no questions"):
        run(answer)
    with pytest.raises(BotError, match="python3, -m, touchstone_evals"):
        run(answer, config="touchstone.config.yaml")
    with pytest.raises(CommandError, match="there is no such file") as failure:
        run(answer, "none.jsonl", folder=tmp_path)
    assert failure.value.exit_code == 4


GOLDEN = """
from touchstone_evals import golden
asked = []
def answer(question):
    asked.append(question)
    open("asked.txt", "a").write(question + "\\n")
    if "broken" in question: raise ValueError("cannot answer")
    return "49 odd"
test_golden = golden(answer, "golden.jsonl", fail_under=%d, fail_on=%r)
"""


@pytest.fixture
def project(pytester, monkeypatch):
    monkeypatch.setenv("PYTEST_ADDOPTS", os.environ.get("TOUCHSTONE_EVAL_PLUGIN", ""))

    def write(fail_under, fail_on="cases"):
        pytester.path.joinpath("golden.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
        pytester.makepyfile(test_shop=GOLDEN % (fail_under, fail_on))
        return pytester

    return write


def test_each_question_and_the_gate_are_tests(project):
    result = project(90).runpytest_subprocess("-q")
    result.assert_outcomes(passed=2, failed=3)
    result.stdout.fnmatch_lines(
        [
            "*desk: What does the desk cost?*",
            "*keywords: missing: 199*",
            "  question: What does the desk cost?",
            "  answer:   49 odd",
            "*broken: Is it broken?*",
            "*ValueError: cannot answer (test_shop.py:*",
            "The gate did not pass: fail",
            "FAILED test_shop.py::test_golden::desk*",
            "FAILED test_shop.py::test_golden::gate*",
        ]
    )
    assert "Traceback" not in result.stdout.str()
    assert "\x1b" not in result.stdout.str()


def test_a_selected_question_is_asked_alone(project):
    pytester = project(90)
    result = pytester.runpytest_subprocess("-q", "-x", "-k", "lamp or desk")
    result.assert_outcomes(passed=1, failed=1)
    asked = (pytester.path / "asked.txt").read_text().splitlines()
    assert sorted(asked) == ["What does the desk cost?", "What does the lamp cost?"]


def test_the_gate_alone_can_fail_the_build(project):
    project(2, "gate").runpytest_subprocess("-q").assert_outcomes(passed=3, skipped=2)


def test_a_column_that_nothing_reads_keeps_the_gate_from_passing(project):
    pytester = project(2)
    row = {**ROWS[0], "min_citations": 2}
    pytester.path.joinpath("golden.jsonl").write_text(json.dumps(row) + "\n")
    clause = 'the column "min_citations" of 1 question is read by no metric'
    result = pytester.runpytest_subprocess("-q")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["The gate did not pass: not-measured", f"  {clause}"])
    source = pytester.path.joinpath("test_shop.py").read_text()
    pytester.path.joinpath("test_shop.py").write_text(source.replace("fail_under=2, ", ""))
    pytester.runpytest_subprocess("-q").assert_outcomes(passed=1, failed=1)
    report = touchstone_evals.run(lambda question: {"answer": "49 odd", "tool_calls": []}, [row], folder=pytester.path)
    assert report.unread == [clause]
    assert clause in repr(report)
    gated = touchstone_evals.run(lambda question: "49 odd", [row], folder=pytester.path, fail_under=2)
    assert (gated.outcome, gated.exit_code) == ("not-measured", 2)


def test_a_problem_with_the_data_is_an_error_with_its_remedy(project):
    pytester = project(90)
    (pytester.path / "golden.jsonl").write_text('{"id": "a"}\n')
    result = pytester.runpytest_subprocess("-q")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*golden.jsonl:1*"])
