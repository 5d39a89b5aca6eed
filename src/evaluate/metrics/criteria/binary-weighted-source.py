# The example of "Binary weighted evaluations", to be held against. Reads trials as JSON on stdin, writes for each what the
# functions say, or null where they raise an error.
import json
import sys

WEIGHTS = {
    "correct_participants": 0.25,
    "correct_time": 0.25,
    "correct_duration": 0.10,
    "explored_alternatives": 0.20,
    "clear_explanation": 0.20,
}


def check_participants(context, truth):
    if not context.get("booking_confirmed"):
        return False
    return set(context["booked_event"]["participants"]) == set(truth["participants"])


def check_time(context, truth):
    if not context.get("booking_confirmed"):
        return False
    return context["booked_event"]["time"] == truth["time"]


def check_duration(context, truth):
    if not context.get("booking_confirmed"):
        return False
    return context["booked_event"]["duration"] == truth.get("duration", 30)


def check_alternatives(context):
    if not context.get("conflicts"):
        return True
    return len(context.get("proposed_alternatives", [])) > 0


def check_explanation(trace, stage):
    if not trace:
        return False
    last = trace[-1].get("response", "")
    if stage == "failed":
        return len(last) > 20
    return len(last) > 0


def classify(context, score):
    if score > 0.75 - 1e-9 and context.get("booking_confirmed"):
        return "successful_completion"
    if score > 0.5 - 1e-9:
        return "graceful_failure"
    return "partial_failure" if score > 1e-9 else "hard_failure"


def evaluate(trial):
    context = trial["state"].get("scheduling_context", {})
    stage = trial["state"].get("conversation_stage", "unknown")
    truth, trace = trial["truth"], trial["trace"]
    checks = {
        "correct_participants": check_participants(context, truth),
        "correct_time": check_time(context, truth),
        "correct_duration": check_duration(context, truth),
        "explored_alternatives": check_alternatives(context),
        "clear_explanation": check_explanation(trace, stage),
    }
    score = sum(WEIGHTS[name] for name, passed in checks.items() if passed)
    return {"checks": checks, "score": score, "outcome": classify(context, score)}


def try_evaluate(trial):
    try:
        return evaluate(trial)
    except (KeyError, TypeError):
        return None


json.dump([try_evaluate(trial) for trial in json.load(sys.stdin)], sys.stdout)
