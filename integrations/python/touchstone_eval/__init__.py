"""Evaluates chatbots and agents written in Python with Touchstone, whose command line does the work."""
from .api import compare, gate, plan, run, score, show
from .bots import Attachment, Bot, BotError, Request, bot
from .cli import CommandError, find_command
from .golden import Golden, golden
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
