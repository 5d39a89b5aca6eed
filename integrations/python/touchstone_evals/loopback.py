"""Serves a bot of this process to Touchstone's `http` target, on the loopback interface and with a secret of its own."""
from __future__ import annotations

import hmac
import json
import secrets
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, Optional

from .bots import Bot
from .calling import Caller, write_reply

_ADDRESS, _TOKEN = "TOUCHSTONE_EVAL_URL", "TOUCHSTONE_EVAL_TOKEN"
# A question has at most 50 MiB of files, which are in the body twice, in base64.
_MOST_BYTES = 192 * 1024 * 1024


def target_of(bot: Bot, has_tools: bool = False) -> Dict[str, Any]:
    """Returns the target that asks a bot of this process, with the addresses of its tools where the config has `tools`. Address and secret come from the environment, so that the
    same bot is the same target in every run."""
    parts = ("input", "messages", "metadata", "caseId", "attempt", "seed", "attachments")
    body: Dict[str, Any] = {part: "{{%s}}" % part for part in parts}
    if has_tools:
        body["tools"] = "{{tools}}"
    body["session"] = {"id": "{{session.id}}", "turn": "{{session.turn}}"}
    target = {
        "use": "http",
        "name": bot.name,
        "url": "{{env.%s}}" % _ADDRESS,
        "headers": {"authorization": "Bearer {{env.%s}}" % _TOKEN},
        "body": body,
    }
    return target if bot.version is None else {**target, "version": bot.version}


class Loopback:
    """A server for one bot, from `with` until its end."""

    def __init__(self, bot: Optional[Bot]):
        self._caller = None if bot is None else Caller(bot)
        self._token = secrets.token_hex(16)
        self._server: Optional[ThreadingHTTPServer] = None

    def __enter__(self) -> Dict[str, str]:
        """Returns the environment variables by which the target finds the bot."""
        if self._caller is None:
            return {}
        self._server = _Server(("127.0.0.1", 0), _handler(self._caller, self._token))
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return {_ADDRESS: f"http://127.0.0.1:{self._server.server_address[1]}/", _TOKEN: self._token}

    def __exit__(self, *_: Any) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
        if self._caller is not None:
            self._caller.close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, *_: Any) -> None:
        """Does nothing: a caller that no longer waits has closed the connection."""


def _handler(caller: Caller, token: str) -> type:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            if length > _MOST_BYTES:
                return self.send_error(413)
            if not hmac.compare_digest(self.headers.get("authorization", ""), f"Bearer {token}"):
                return self.send_error(401)
            body = self.rfile.read(length)
            reply = write_reply(caller.submit(json.loads(body)).result()).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *_: Any) -> None:
            """Logs nothing: Touchstone records every question."""

    return Handler
