# The scoring of the source of the three-component scorecard, to be held against. Reads trials as JSON on stdin, writes for
# each the shares of tools and keywords and the score.
import json
import sys


def score_tool_usage(expected_tools, tools_used):
    if not expected_tools:
        return 1.0
    return 1.0 if all(tool in tools_used for tool in expected_tools) else 0.0


def score_response_quality(expected_keywords, response):
    if not expected_keywords:
        return 1.0
    lower = response.lower()
    found = sum(1 for keyword in expected_keywords if keyword.lower() in lower)
    return found / len(expected_keywords)


def score_error_handling(error):
    return 0.0 if error else 1.0


def evaluate(trial):
    tools = score_tool_usage(trial["expected_tools"], trial["tools_used"])
    quality = score_response_quality(trial["expected_keywords"], trial["response"])
    errors = score_error_handling(trial["error"])
    return {"tools": tools, "quality": quality, "score": 0.4 * tools + 0.4 * quality + 0.2 * errors}


json.dump([evaluate(trial) for trial in json.load(sys.stdin)], sys.stdout)
