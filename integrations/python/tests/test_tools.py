"""Tools that pass through Touchstone: what a bot gets, in threads and coroutines, in a run and outside of one."""
import asyncio
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from touchstone_evals import ToolError, bot, tool, use_tool
from touchstone_evals.calling import Caller


@tool
def get_order(id, verbose=False):
    return {"id": id, "status": "shipped"}


@tool(name="refund")
async def refund_order(id):
    raise ValueError("limit exceeded")


class Proxy:
    """The functions protocol, as Touchstone speaks it: `answers` by name are given in place of the tool."""

    def __init__(self, answers=()):
        self.answers, self.seen = dict(answers), []
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            def _reply(self):
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                proxy.seen.append((self.command, self.path, body))
                is_end = self.command == "PUT"
                reply = {"do": "return-own"} if is_end else proxy.answers.get(body["name"], {"id": "c1", "do": "run"})
                content = json.dumps(reply).encode()
                self.send_response(200)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_POST = do_PUT = _reply

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/t/secret/functions"


def ask(function, proxy):
    caller = Caller(bot(function))
    try:
        return caller.submit({"input": "hello", "tools": {"functions": proxy.url}}).result()
    finally:
        caller.close()
        proxy.server.shutdown()


def test_outside_of_a_run_a_tool_is_just_called():
    assert get_order(7) == {"id": 7, "status": "shipped"}
    with pytest.raises(ValueError):
        asyncio.run(refund_order(7))


def test_a_call_is_asked_for_first_and_its_outcome_is_passed_on():
    proxy = Proxy()

    async def answer(question):
        got = get_order("4711")
        with pytest.raises(ValueError, match="limit exceeded"):
            await refund_order(id=got["id"])
        return got["status"]

    assert ask(answer, proxy) == {"answer": "shipped"}
    assert [(method, path) for method, path, _ in proxy.seen] == [
        ("POST", "/t/secret/functions/calls"),
        ("PUT", "/t/secret/functions/calls/c1"),
    ] * 2
    assert proxy.seen[0][2]["arguments"] == {"id": "4711", "verbose": False}
    assert proxy.seen[1][2] == {"result": {"id": "4711", "status": "shipped"}}
    assert proxy.seen[3][2] == {"error": {"message": "limit exceeded"}}


def test_what_touchstone_answers_takes_the_place_of_the_tool():
    def raising(**error):
        return {"do": "raise", "error": {"message": "no", **error}}

    proxy = Proxy({"a": {"do": "return", "result": 5}, "b": raising(status=409), "c": raising(code="ETIMEDOUT")})

    def answer(question):
        assert use_tool("a", {}, lambda: pytest.fail("the tool was used")) == 5
        with pytest.raises(ToolError) as refused:
            use_tool("b", {}, lambda: 1)
        with pytest.raises(TimeoutError):
            use_tool("c", {}, lambda: 1)
        return str(refused.value.status)

    assert ask(answer, proxy) == {"answer": "409"}


def test_a_thread_of_the_bot_uses_the_request_and_never_the_tool_in_silence():
    proxy = Proxy({"a": {"do": "return", "result": 5}})
    found = []

    def answer(question, request):
        def work():
            try:
                use_tool("a", {}, lambda: "the tool")
            except ToolError as error:
                found.append(str(error))
            found.append(request.use_tool("a", {}, lambda: "the tool"))

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        return "done"

    assert ask(answer, proxy) == {"answer": "done"}
    assert "request.use_tool" in found[0] and found[1] == 5
