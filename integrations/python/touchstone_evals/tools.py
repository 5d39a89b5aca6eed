"""Tools of a bot that pass through Touchstone, which sees their calls and may mock, record, replay, break or refuse them."""
from __future__ import annotations

import asyncio
import contextvars
import functools
import inspect
import json
import urllib.error
import urllib.request
from typing import Any, Callable, Dict, List, Mapping, Optional, Set


class ToolError(Exception):
    """A tool that failed, as Touchstone passes it on: refused by the test, mocked as an error, or broken on purpose."""

    def __init__(self, message: str, status: Optional[int] = None, code: Optional[str] = None):
        super().__init__(message)
        self.status = status
        """The HTTP status of the error, such as 429, where it has one."""
        self.code = code


# The address of the question in progress. Coroutines inherit it; threads that a bot starts do not.
_address: "contextvars.ContextVar[Optional[str]]" = contextvars.ContextVar("touchstone_tools", default=None)
# Those who ask questions whose tools pass through Touchstone.
_runs: Set[object] = set()
_names: List[str] = []
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def enter_question(run: object, tools: Mapping[str, str]) -> None:
    """Makes the address of a question that of the calls of tools in this thread and in the coroutines that it starts."""
    address = tools.get("functions")
    _address.set(address)
    if address is not None:
        _runs.add(run)


def leave_run(run: object) -> None:
    """Ends a run: without one, tools are called as they are."""
    _runs.discard(run)


def tool(function: Optional[Callable[..., Any]] = None, *, name: Optional[str] = None, read_only: bool = False) -> Any:
    """Declares a function, sync or async, as a tool of a bot: `@tool`, or `@tool(name="search", read_only=True)`.

    During a run of Touchstone each call is seen, and may be mocked, replayed, broken or refused. Outside of one the function is just
    called. `read_only` says that it changes nothing.
    """
    if function is None:
        return lambda given: tool(given, name=name, read_only=read_only)
    known = name or function.__name__
    signature = inspect.signature(function)
    _names.append(known)

    def arguments_of(values: Any, named: Any) -> Dict[str, Any]:
        bound = signature.bind(*values, **named)
        bound.apply_defaults()
        return dict(bound.arguments)

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def call_async(*values: Any, **named: Any) -> Any:
            arguments = arguments_of(values, named)
            return await _use_async(_find_address(known), _begin(known, arguments, read_only), lambda: function(*values, **named))

        return call_async

    @functools.wraps(function)
    def call(*values: Any, **named: Any) -> Any:
        arguments = arguments_of(values, named)
        return _use(_find_address(known), _begin(known, arguments, read_only), lambda: function(*values, **named))

    return call


def use_tool(name: str, arguments: Mapping[str, Any], run: Callable[[], Any]) -> Any:
    """Calls a tool for the question in progress: `use_tool("get_order", {"id": 7}, lambda: get_order(7))`.

    Returns what the tool returns and raises what it raises, unless Touchstone answers in its place. With an `async def` as `run` it
    returns an awaitable.
    """
    return use_tool_at(_find_address(name), name, arguments, run)


def use_tool_at(address: Optional[str], name: str, arguments: Mapping[str, Any], run: Callable[[], Any]) -> Any:
    """Calls a tool for the question with this address; without one, the tool is just called."""
    body = _begin(name, arguments, False)
    return (_use_async if inspect.iscoroutinefunction(run) else _use)(address, body, run)


def _find_address(name: str) -> Optional[str]:
    address = _address.get()
    if address is None and _runs:
        raise ToolError(
            f"{name} was called without a question: a thread that the bot starts does not know it. "
            "There, use request.use_tool(name, arguments, run)."
        )
    return address


def _begin(name: str, arguments: Mapping[str, Any], read_only: bool) -> Dict[str, Any]:
    return {"name": name, "arguments": _to_json(dict(arguments)), "readOnly": read_only, "tools": sorted(set(_names))}


def _use(address: Optional[str], body: Mapping[str, Any], run: Callable[[], Any]) -> Any:
    if address is None:
        return run()
    asked = _send(address, "POST", "/calls", body)
    if asked["do"] != "run":
        return _take(asked)
    path = f"/calls/{asked['id']}"
    try:
        own = run()
    except Exception as error:
        told = _send(address, "PUT", path, _error_of(error))
        if told["do"] == "return-own":
            raise
        return _take(told)
    told = _send(address, "PUT", path, {"result": _to_json(own)})
    return own if told["do"] == "return-own" else _take(told)


async def _use_async(address: Optional[str], body: Mapping[str, Any], run: Callable[[], Any]) -> Any:
    if address is None:
        return await run()
    loop = asyncio.get_running_loop()
    asked = await loop.run_in_executor(None, _send, address, "POST", "/calls", body)
    if asked["do"] != "run":
        return _take(asked)
    path = f"/calls/{asked['id']}"
    try:
        own = await run()
    except Exception as error:
        told = await loop.run_in_executor(None, _send, address, "PUT", path, _error_of(error))
        if told["do"] == "return-own":
            raise
        return _take(told)
    told = await loop.run_in_executor(None, _send, address, "PUT", path, {"result": _to_json(own)})
    return own if told["do"] == "return-own" else _take(told)


def _error_of(error: Exception) -> Dict[str, Any]:
    return {"error": {"message": str(error) or type(error).__name__}}


def _to_json(value: Any) -> Any:
    return json.loads(json.dumps(value, default=str))


def _send(address: str, method: str, path: str, body: Mapping[str, Any]) -> Dict[str, Any]:
    content = json.dumps(body).encode()
    request = urllib.request.Request(address + path, content, {"content-type": "application/json"}, method=method)
    try:
        with _opener.open(request) as reply:
            return json.loads(reply.read())
    except urllib.error.HTTPError as error:
        try:
            message = json.loads(error.read())["error"]
        except (ValueError, KeyError):
            message = str(error)
        raise ToolError(message, error.code) from None


def _take(told: Mapping[str, Any]) -> Any:
    """Returns the result that Touchstone gives, or raises its error."""
    if told["do"] == "return":
        return told["result"]
    error = told["error"]
    message, code = error["message"], error.get("code")
    if code == "ETIMEDOUT":
        raise TimeoutError(message)
    if code == "ECONNRESET":
        raise ConnectionError(message)
    raise ToolError(message, error.get("status"), code)
