"""Calls a bot for a request that Touchstone has sent as JSON, whatever the bot does."""
from __future__ import annotations

import asyncio
import base64
import hashlib
import inspect
import json
import logging
import os
import tempfile
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict, List, Mapping, Optional

from .bots import Attachment, Bot, Memories, Request
from .replies import to_reply
from .tools import enter_question, leave_run

logger = logging.getLogger("touchstone_evals")


_ENDINGS = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    "application/pdf": "pdf",
    "audio/wav": "wav",
    "audio/mpeg": "mp3",
}


class Caller:
    """Calls a bot: functions in threads, coroutines in one event loop, so that several questions can be in flight."""

    def __init__(self, bot: Bot, most_at_once: int = 64):
        self._bot = bot
        self._memories = Memories()
        self._lock = threading.Lock()
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._loops: List[asyncio.AbstractEventLoop] = []
        self._copies: Optional[tempfile.TemporaryDirectory] = None
        self._threads = ThreadPoolExecutor(most_at_once, "touchstone-bot", initializer=self._give_loop)

    def submit(self, sent: Mapping[str, Any]) -> Any:
        """Starts a call and returns the future of its reply, a dict that can be written as JSON. It never fails."""
        return self._threads.submit(self._reply, sent)

    def close(self) -> None:
        """Ends without waiting for calls that hang."""
        leave_run(self)
        self._threads.shutdown(wait=False)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
        for loop in self._loops:
            if not loop.is_running():
                loop.close()
        if self._copies is not None:
            self._copies.cleanup()

    def _give_loop(self) -> None:
        """Gives a thread an event loop: some frameworks' sync functions expect one."""
        loop = asyncio.new_event_loop()
        self._loops.append(loop)
        asyncio.set_event_loop(loop)

    def _reply(self, sent: Mapping[str, Any]) -> Dict[str, Any]:
        try:
            request = self._read(sent)
            enter_question(self, request.tools)
            answered = self._bot.ask(request)
            if inspect.isawaitable(answered):
                answered = asyncio.run_coroutine_threadsafe(_wait(answered), self._own_loop()).result()
            reply = to_reply(answered)
            # NaN is no JSON, and a value that is neither becomes the text that Python has for it.
            json.dumps(reply, allow_nan=False, default=str)
            return reply
        except BaseException as error:  # Also sys.exit() in a bot: it fails this question only.
            logger.info("The bot %s failed.", self._bot.name, exc_info=True)
            return {"error": {"code": type(error).__name__, "message": describe_error(error)}}

    def _read(self, sent: Mapping[str, Any]) -> Request:
        session = sent.get("session") or {}
        session_id, turn = str(session.get("id", "")), int(session.get("turn", 1))
        with self._lock:
            memory = self._memories.of(session_id, turn)
        return Request(
            question=sent["input"],
            messages=[_with_text(message) for message in sent.get("messages") or []],
            session_id=session_id,
            turn=turn,
            memory=memory,
            metadata=sent.get("metadata") or {},
            case_id=str(sent.get("caseId", "")),
            attempt=int(sent.get("attempt", 1)),
            seed=int(sent.get("seed", 0)),
            attachments=[self._attachment(each) for each in sent.get("attachments") or []],
            tools=sent.get("tools") or {},
        )

    def _attachment(self, each: Mapping[str, Any]) -> Attachment:
        """Returns a file with the path of its copy. A file that came as a data URL is copied here."""
        name, media_type = str(each["name"]), str(each["mediaType"])
        if "path" in each:
            return Attachment(str(each["path"]), name, media_type, str(each["hash"]))
        content = base64.b64decode(str(each["dataUrl"]).partition(",")[2])
        digest = hashlib.sha256(content).hexdigest()
        with self._lock:
            if self._copies is None:
                self._copies = tempfile.TemporaryDirectory(prefix="touchstone-files-")
            # The name is Touchstone's, whatever the dataset calls the file; its end is that of its type.
            path = os.path.join(self._copies.name, f"{digest}.{_ENDINGS.get(media_type, 'bin')}")
            if not os.path.exists(path):
                with open(path, "wb") as file:
                    file.write(content)
                os.chmod(path, 0o444)
        return Attachment(path, name, media_type, digest)

    def _own_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=_run, args=(self._loop,), name="touchstone-loop", daemon=True).start()
            return self._loop


def _with_text(message: Dict[str, Any]) -> Dict[str, Any]:
    """Returns a message whose content is its text: over HTTP, a message with files has parts."""
    content = message.get("content")
    if not isinstance(content, list):
        return message
    return {**message, "content": "\n".join(part["text"] for part in content if part.get("type") == "text")}


def _run(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.close()


async def _wait(awaitable: Any) -> Any:
    return await awaitable


def describe_error(error: BaseException) -> str:
    """Describes an error in one line, with the place in the code that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if not frames:
        return said
    last = frames[-1]
    return f"{said} ({last.filename.rsplit('/', 1)[-1]}:{last.lineno}, in {last.name})"


def write_reply(reply: Mapping[str, Any]) -> str:
    """Writes a reply as one line of ASCII, which no text of a bot can break."""
    return json.dumps(reply, allow_nan=False, default=str)
