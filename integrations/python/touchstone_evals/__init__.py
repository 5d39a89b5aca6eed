"""Evaluates chatbots and agents written in Python with Touchstone, whose command line does the work."""
from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Dict, List

if TYPE_CHECKING:
    from .api import compare, gate, plan, run, score, show
    from .bots import Attachment, Bot, BotError, Request, bot
    from .cli import CommandError, find_command
    from .goldens import Golden, golden
    from .report import GateError, Report
    from .tools import ToolError, tool, use_tool

__all__ = [
    "Attachment",
    "Bot",
    "BotError",
    "CommandError",
    "GateError",
    "Golden",
    "Report",
    "ToolError",
    "Request",
    "bot",
    "compare",
    "find_command",
    "gate",
    "golden",
    "plan",
    "run",
    "score",
    "show",
    "tool",
    "use_tool",
]

_NAMES: Dict[str, List[str]] = {
    "api": ["compare", "gate", "plan", "run", "score", "show"],
    "bots": ["Attachment", "Bot", "BotError", "Request", "bot"],
    "cli": ["CommandError", "find_command"],
    "goldens": ["Golden", "golden"],
    "report": ["GateError", "Report"],
    "tools": ["ToolError", "tool", "use_tool"],
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Imports the module of a name when it is first used: pytest imports this package in every project, for its plugin."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> List[str]:
    return sorted([*globals(), *__all__])
