"""Bots: functions that answer a question, and how they are called."""
from __future__ import annotations

import base64
import functools
import hashlib
import inspect
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, Union

from .tools import use_tool_at


class BotError(Exception):
    """A bot that cannot be used; the message says what to change."""


@dataclass(frozen=True)
class Request:
    """A question as it is put to a bot. It contains no expectations."""

    question: str
    """The text of the last message of the user."""
    messages: List[Dict[str, Any]]
    """The whole conversation so far, with the bot's own messages and tool calls; the question is last."""
    session_id: str = ""
    """The conversation that the question belongs to."""
    turn: int = 1
    """The number of the question in its conversation, from 1."""
    memory: Dict[str, Any] = field(default_factory=dict)
    """Storage for the bot, kept until its conversation ends; empty at the beginning."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    case_id: str = ""
    attempt: int = 1
    seed: int = 0
    attachments: List["Attachment"] = field(default_factory=list)
    """The pictures, PDFs and sounds of the question."""
    tools: Mapping[str, str] = field(default_factory=dict)
    """The addresses of the bot's tools by server, where the config has `tools`."""

    def use_tool(self, name: str, arguments: Mapping[str, Any], run: Callable[[], Any]) -> Any:
        """Calls a tool for this question, from any thread: as `use_tool` does."""
        return use_tool_at(self.tools.get("functions"), name, arguments, run)


@dataclass(frozen=True)
class Attachment:
    """A picture, a PDF or a sound of a question."""

    path: str
    """A copy that the bot may read; it is gone after the run."""
    name: str
    media_type: str
    hash: str
    """The SHA-256 of its bytes."""

    def read(self) -> bytes:
        """Returns its bytes."""
        with open(self.path, "rb") as file:
            return file.read()

    def data_url(self) -> str:
        """Returns it as `data:image/png;base64,...`."""
        return f"data:{self.media_type};base64,{base64.b64encode(self.read()).decode('ascii')}"


_FIELDS = tuple(Request.__dataclass_fields__)
_BY_NAME = ("request", *_FIELDS)
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class Bot:
    """A function that answers questions, with the name of its target. Calling it calls the function."""

    def __init__(self, function: Callable[..., Any], name: Optional[str] = None, version: Optional[str] = None):
        if not callable(function):
            raise BotError(f"A bot is a function; this is {type(function).__name__}.")
        self.function = function
        self.name: str = name or getattr(function, "__name__", type(function).__name__)
        self._version = version
        self._names = _parameter_names(function, self.name)
        functools.update_wrapper(self, function, updated=())

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.function(*arguments, **named)

    @property
    def version(self) -> Optional[str]:
        """The version as given, or a hash of the function's file; None when it has no file, as in a notebook."""
        if self._version is not None:
            return self._version
        try:
            source = inspect.getsourcefile(inspect.unwrap(self.function))
            content = Path(source).read_bytes() if source else None
        except (TypeError, OSError):
            content = None
        return hashlib.sha256(content).hexdigest()[:16] if content else None

    def ask(self, request: Request) -> Any:
        """Calls the function with the parts of a request that its parameters name. May return an awaitable."""
        values = [request if name == "request" else getattr(request, name) for name in self._names[0]]
        named = {name: request if name == "request" else getattr(request, name) for name in self._names[1]}
        return self.function(*values, **named)


def bot(
    function: Optional[Callable[..., Any]] = None, *, name: Optional[str] = None, version: Optional[str] = None
) -> Any:
    """Declares a function as a bot: `@bot`, or `@bot(name="shop", version="2")`.

    The function, sync or async, is called with the question. Other parameters are filled by their names:
    `request`, or one of its fields, such as `messages`, `memory` or `metadata`. It returns the answer as text, a
    dict such as `{"answer": ..., "tool_calls": [...]}`, or the result of LangGraph, the OpenAI Agents SDK or
    Pydantic AI.
    """
    if function is None:
        return lambda given: Bot(given, name, version)
    return Bot(function, name, version)


def to_bot(value: Union[Bot, Callable[..., Any]]) -> Bot:
    """Returns a bot as it is, and any other function as a bot."""
    return value if isinstance(value, Bot) else Bot(value)


def _parameter_names(function: Callable[..., Any], name: str) -> Tuple[Tuple[str, ...], Tuple[str, ...]]:
    """Returns the fields for the positional parameters, and for those that are given by name."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return ("question",), ()
    positional: List[str] = []
    named: List[str] = []
    for parameter in parameters:
        is_first = parameter is parameters[0]
        if parameter.kind == inspect.Parameter.VAR_POSITIONAL:
            if is_first:
                positional.append("question")
        elif parameter.kind in _POSITIONAL and is_first:
            positional.append(_field_of_first(parameter))
        elif parameter.name in _BY_NAME:
            (positional if parameter.kind == inspect.Parameter.POSITIONAL_ONLY else named).append(parameter.name)
        elif parameter.kind != inspect.Parameter.VAR_KEYWORD and parameter.default is inspect.Parameter.empty:
            raise BotError(
                f"The bot {name} has a parameter {parameter.name!r} that nothing fills. "
                f"Give it a default, or use one of: {', '.join(_BY_NAME)}."
            )
    if not positional and not named:
        raise BotError(f"The bot {name} takes no question. Give it a parameter: def {name}(question).")
    return tuple(positional), tuple(named)


def _field_of_first(parameter: inspect.Parameter) -> str:
    if parameter.annotation in (Request, "Request"):
        return "request"
    return parameter.name if parameter.name in _BY_NAME else "question"


class Memories:
    """The memory of each conversation. The oldest are dropped when there are far more than can be in progress."""

    def __init__(self, most: int = 20_000):
        self._most = most
        self._kept: "OrderedDict[str, Dict[str, Any]]" = OrderedDict()

    def of(self, session_id: str, turn: int) -> Dict[str, Any]:
        """Returns the memory of a conversation; its first turn begins with an empty one."""
        if turn <= 1 or session_id not in self._kept:
            self._kept[session_id] = {}
        self._kept.move_to_end(session_id)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return self._kept[session_id]
