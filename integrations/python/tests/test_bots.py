"""Bots without the command line: their parameters, what they return, and the lines that they are served by."""
import base64
import hashlib
import json
import os
import subprocess
import sys
from types import SimpleNamespace as Record

import pytest
from touchstone_evals import BotError, Request, bot
from touchstone_evals.bots import Memories
from touchstone_evals.calling import Caller
from touchstone_evals.cli import to_flags, without_controls
from touchstone_evals.goldens import to_filter
from touchstone_evals.replies import to_reply


PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)
DATA_URL = "data:image/png;base64," + base64.b64encode(PICTURE).decode()


def ask(function, **sent):
    caller = Caller(bot(function))
    try:
        return caller.submit({"input": "hello", **sent}).result()
    finally:
        caller.close()


def test_a_bot_is_called_with_what_its_parameters_name():
    assert ask(lambda question: question.upper()) == {"answer": "HELLO"}
    assert ask(lambda q, metadata, turn: f"{q} {metadata['a']} {turn}", metadata={"a": 1}, session={"turn": 3}) == {
        "answer": "hello 1 3"
    }
    assert ask(lambda request: request.case_id, caseId="lamp") == {"answer": "lamp"}
    assert ask(lambda *, messages: messages[0]["content"], messages=[{"role": "user", "content": "x"}]) == {"answer": "x"}

    def with_annotation(asked: Request):
        return asked.question

    assert ask(with_annotation) == {"answer": "hello"}


def test_a_bot_gets_the_files_of_a_question_with_a_path_and_as_a_data_url(tmp_path):
    picture = tmp_path / "copy.png"
    picture.write_bytes(PICTURE)
    in_line = {"path": str(picture), "name": "dent.png", "mediaType": "image/png", "hash": "h" * 64}
    over_http = {"name": "dent.png", "mediaType": "image/png", "dataUrl": DATA_URL}

    def look(request):
        [file] = request.attachments
        with open(file.path, "rb") as opened:
            assert opened.read() == file.read() == PICTURE
        assert file.data_url() == DATA_URL
        return f"{file.name} {file.media_type} {file.hash} {file.path}"

    assert ask(look, attachments=[in_line]) == {"answer": f"dent.png image/png {'h' * 64} {picture}"}
    name, kind, digest, path = ask(look, attachments=[over_http])["answer"].split(" ")
    assert (name, kind, digest) == ("dent.png", "image/png", hashlib.sha256(PICTURE).hexdigest())
    assert not os.path.exists(path)
    parts = [{"type": "text", "text": "What?"}, {"type": "image_url", "image_url": {"url": DATA_URL}}]
    messages = [{"role": "user", "content": parts}, {"role": "assistant", "content": "A dent."}]
    assert ask(lambda *, messages: messages[0]["content"] + messages[1]["content"], messages=messages) == {
        "answer": "What?A dent."
    }


def test_the_files_of_an_answer_are_bytes_or_base64():
    data = base64.b64encode(PICTURE).decode()
    files = [PICTURE, {"name": "plan.png", "data": PICTURE}, {"data": data}, DATA_URL]
    assert ask(lambda question: {"answer": "the plan", "attachments": files}) == {
        "answer": "the plan",
        "attachments": [{"data": data}, {"name": "plan.png", "data": data}, {"data": data}, DATA_URL],
    }


def test_a_bot_that_cannot_be_called_is_refused_with_what_to_change():
    with pytest.raises(BotError, match="takes no question"):
        bot(lambda: "x")
    with pytest.raises(BotError, match="'customer'.*request, question, messages"):
        bot(lambda question, customer: "x")


def test_an_async_bot_is_awaited():
    async def answer(question):
        return question * 2

    assert ask(answer) == {"answer": "hellohello"}


def test_what_a_bot_raises_fails_its_question_only():
    def fail(question):
        raise ValueError("no such table")

    assert ask(fail)["error"] == {
        "code": "ValueError",
        "message": f"ValueError: no such table (test_bots.py:{fail.__code__.co_firstlineno + 1}, in fail)",
    }
    assert ask(lambda question: sys.exit(3))["error"]["code"] == "SystemExit"
    assert ask(lambda question: {"answer": "x", "score": float("nan")})["error"]["code"] == "ValueError"
    assert "return a text, a dict" in ask(lambda question: object())["error"]["message"]


def test_each_conversation_has_its_own_memory_that_begins_empty():
    memories = Memories(most=2)
    memories.of("a", 1)["seen"] = 1
    assert memories.of("a", 2) == {"seen": 1}
    assert memories.of("b", 1) == {}
    assert memories.of("a", 1) == {}
    memories.of("c", 1)
    assert memories.of("b", 2) == {}


def test_results_of_agent_frameworks_become_replies():
    asked = Record(type="human", content="x")
    calls = [{"id": "1", "name": "find", "args": {"n": 1}}, {"id": "2", "name": "find", "args": {}}]
    calling = Record(type="ai", content="", tool_calls=calls, usage_metadata={"input_tokens": 5, "output_tokens": 2})
    found = Record(type="tool", tool_call_id="2", status="success", content='{"found": true}')
    failed = Record(type="tool", tool_call_id="1", status="error", content="no such thing")
    parts = [{"type": "text", "text": "Found."}]
    said = Record(type="ai", content=parts, tool_calls=[], usage_metadata={"input_tokens": 9, "output_tokens": 1})
    earlier = [Record(type="human", content="before"), Record(type="ai", content="Earlier.", tool_calls=calls)]
    assert to_reply({"messages": [*earlier, asked, calling, found, failed, said]}) == {
        "answer": "Found.",
        "tool_calls": [
            {"name": "find", "arguments": {"n": 1}, "error": "no such thing"},
            {"name": "find", "arguments": {}, "result": {"found": True}},
        ],
        "usage": {"input_tokens": 14, "output_tokens": 3},
    }
    call = Record(type="tool_call_item", raw_item=Record(call_id="1", name="find", arguments='{"n": 1}'))
    output = Record(type="tool_call_output_item", raw_item={"call_id": "1"}, output={"found": True})
    used = Record(usage=Record(input_tokens=0, output_tokens=0))
    items = [call, output, Record(type="message_output_item")]
    assert to_reply(Record(new_items=items, final_output="Found.", context_wrapper=used)) == {
        "answer": "Found.",
        "tool_calls": [{"name": "find", "arguments": {"n": 1}, "result": {"found": True}}],
    }


def test_options_become_flags_and_ids_a_filter():
    assert to_flags({"fail_under": 85, "no_cache": True, "filter": ["a=1", "b=2"], "limit": None, "view": False}) == [
        "--fail-under=85",
        "--no-cache",
        "--filter=a=1",
        "--filter=b=2",
    ]
    assert to_filter(["a b", "c*"]) == 'id="a b"|"c\\*"'
    assert to_filter(['a"b']) is None
    assert without_controls("a\x1b[31m\u202eb\n") == "a\ufffd[31m\ufffdb\n"


def test_what_a_served_bot_prints_or_reads_does_not_break_the_protocol(tmp_path):
    (tmp_path / "shop.py").write_text(
        "import os, sys\n"
        "from touchstone_evals import bot\n"
        "print('loading')\n"
        "@bot\n"
        "def answer(question):\n"
        "    print('asked \\ud83d'); os.system('echo from a child'); sys.stdin.read()\n"
        "    if question == 'fail': raise KeyError('lamp')\n"
        "    return question\n"
    )
    asked = "".join(json.dumps({"id": number, "input": text}) + "\n" for number, text in enumerate(["a", "fail", "c"]))
    command = [sys.executable, "-m", "touchstone_evals", "shop.py"]
    done = subprocess.run(command, cwd=tmp_path, input=asked, capture_output=True, text=True, timeout=60)
    first, *replies = map(json.loads, done.stdout.splitlines())
    assert first == {"ready": True}
    by_id = {reply["id"]: reply for reply in replies}
    assert by_id[0]["answer"] == "a" and by_id[2]["answer"] == "c"
    assert by_id[1]["error"]["message"] == "KeyError: 'lamp' (shop.py:7, in answer)"
    assert "from a child" in done.stderr and "loading" in done.stderr and "Traceback" in done.stderr
    missing = subprocess.run([*command[:3], "shop.py:other"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (missing.returncode, missing.stdout) == (2, "")
    assert "shop.py has no function other" in missing.stderr


def test_a_file_without_a_bot_serves_its_answer_or_its_only_function(tmp_path):
    def serve(text, asked='{"id": 1, "input": "a"}\n'):
        (tmp_path / "shop.py").write_text(text)
        command = [sys.executable, "-m", "touchstone_evals", "shop.py"]
        return subprocess.run(command, cwd=tmp_path, input=asked, capture_output=True, text=True, timeout=60)

    only = "import json\nfrom json import dumps\ndef reply(question):\n    return question * 2\n"
    assert json.loads(serve(only).stdout.splitlines()[1]) == {"answer": "aa", "id": 1}
    named = "def help_me(x):\n    return x\ndef answer(question):\n    return help_me('b')\n"
    assert json.loads(serve(named).stdout.splitlines()[1]) == {"answer": "b", "id": 1}
    several = serve("def one(q): return q\ndef two(q): return q\n")
    assert several.returncode == 2 and "several functions (one, two). Name the bot: shop.py:one." in several.stderr
    assert "shop.py has no function." in serve("x = 1\n").stderr
