"""Turns what a bot returns into a reply that Touchstone reads. The frameworks' results are recognised by their parts,
so none of them has to be installed."""
from __future__ import annotations

import base64
import dataclasses
import json
from typing import Any, Dict, List, Mapping, Optional, Sequence


def to_reply(value: Any) -> Dict[str, Any]:
    """Returns the reply for a text, a dict, a dataclass, a Pydantic model, or the result of an agent framework.

    Raises TypeError for anything else.
    """
    if value is None or isinstance(value, (str, int, float, bool)):
        return {"answer": value}
    if isinstance(value, Mapping):
        return _from_mapping(value)
    if hasattr(value, "new_items") and hasattr(value, "final_output"):
        return from_agents_sdk(value)
    if hasattr(value, "new_messages") and hasattr(value, "output"):
        return from_pydantic_ai(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _from_mapping(dataclasses.asdict(value))
    if hasattr(value, "model_dump"):
        return _from_mapping(value.model_dump())
    if _is_langchain_message(value):
        return from_langchain([value])
    raise TypeError(
        f"the bot returned {type(value).__name__}; return a text, a dict with an answer, "
        "or the result of LangGraph, the OpenAI Agents SDK or Pydantic AI"
    )


def _from_mapping(value: Mapping[str, Any]) -> Dict[str, Any]:
    messages = value.get("messages")
    if isinstance(messages, Sequence) and messages and _is_langchain_message(messages[-1]):
        return from_langchain(messages)
    reply = dict(value)
    if isinstance(reply.get("attachments"), (list, tuple)):
        reply["attachments"] = [_as_json(each) for each in reply["attachments"]]
    return reply


def _as_json(file: Any) -> Any:
    """Returns a file of an answer with its bytes in base64, which JSON can hold."""
    if isinstance(file, (bytes, bytearray)):
        return {"data": base64.b64encode(file).decode("ascii")}
    if isinstance(file, Mapping) and isinstance(file.get("data"), (bytes, bytearray)):
        return {**file, **_as_json(file["data"])}
    return file


def _is_langchain_message(value: Any) -> bool:
    return hasattr(value, "content") and getattr(value, "type", None) in ("ai", "human", "tool", "system")


def from_langchain(messages: Sequence[Any]) -> Dict[str, Any]:
    """Reads LangChain's messages, as in the state of a LangGraph agent: those after the last question."""
    asked = max((index for index, message in enumerate(messages) if message.type == "human"), default=-1)
    calls: Dict[Any, Dict[str, Any]] = {}
    answer = ""
    usage: List[Mapping[str, Any]] = []
    for message in messages[asked + 1 :]:
        if message.type == "ai":
            answer = _text_of(message) or answer
            usage += [message.usage_metadata] if getattr(message, "usage_metadata", None) else []
            for call in message.tool_calls:
                calls[call["id"]] = {"name": call["name"], "arguments": call["args"]}
        elif message.type == "tool":
            call = calls.setdefault(message.tool_call_id, {"name": getattr(message, "name", None) or "unknown"})
            call["error" if getattr(message, "status", "") == "error" else "result"] = read_json(_text_of(message))
    return _reply(answer, calls, _sum_usage(usage))


def _text_of(message: Any) -> str:
    content = message.content
    if isinstance(content, str):
        return content
    parts = [part if isinstance(part, str) else part.get("text", "") for part in content]
    return "".join(part for part in parts if isinstance(part, str))


def _sum_usage(all_usage: Sequence[Mapping[str, Any]]) -> Optional[Dict[str, int]]:
    if not all_usage:
        return None
    return {part: sum(used[part] for used in all_usage) for part in ("input_tokens", "output_tokens")}


def from_agents_sdk(result: Any) -> Dict[str, Any]:
    """Reads the result of a Runner of the OpenAI Agents SDK."""
    calls: Dict[Any, Dict[str, Any]] = {}
    for item in result.new_items:
        if item.type == "tool_call_item":
            raw = item.raw_item
            call_id = getattr(raw, "call_id", None) or getattr(item, "call_id", None)
            name = getattr(raw, "name", None) or getattr(item, "tool_name", None) or raw.type
            calls[call_id] = {"name": name, "arguments": read_json(getattr(raw, "arguments", None))}
        elif item.type == "tool_call_output_item":
            raw = item.raw_item
            call_id = raw.get("call_id") if isinstance(raw, Mapping) else getattr(raw, "call_id", None)
            calls.setdefault(call_id, {"name": "unknown"})["result"] = item.output
    return _reply(_plain(result.final_output), calls, _usage_of(result.context_wrapper.usage))


def from_pydantic_ai(result: Any) -> Dict[str, Any]:
    """Reads the result of a run of a Pydantic AI agent."""
    calls: Dict[Any, Dict[str, Any]] = {}
    for message in result.new_messages():
        for part in message.parts:
            if part.part_kind == "tool-call":
                calls[part.tool_call_id] = {"name": part.tool_name, "arguments": read_json(part.args)}
            elif part.part_kind == "tool-return":
                calls.setdefault(part.tool_call_id, {"name": part.tool_name})["result"] = part.content
            elif part.part_kind == "retry-prompt" and part.tool_name is not None:
                calls.setdefault(part.tool_call_id, {"name": part.tool_name})["error"] = str(part.content)
    used = result.usage if hasattr(result.usage, "input_tokens") else result.usage()
    return _reply(_plain(result.output), calls, _usage_of(used))


def _usage_of(used: Any) -> Optional[Dict[str, int]]:
    if not (used.input_tokens or used.output_tokens):
        return None
    return {"input_tokens": used.input_tokens, "output_tokens": used.output_tokens}


def _plain(output: Any) -> Any:
    """Returns an answer that is not text as JSON: a structured output."""
    if output is None or isinstance(output, str):
        return output
    if hasattr(output, "model_dump_json"):
        return output.model_dump_json()
    if dataclasses.is_dataclass(output) and not isinstance(output, type):
        output = dataclasses.asdict(output)
    return json.dumps(output, default=str, ensure_ascii=False)


def _reply(answer: Any, calls: Mapping[Any, Dict[str, Any]], usage: Optional[Dict[str, int]]) -> Dict[str, Any]:
    reply = {"answer": answer, "tool_calls": list(calls.values())}
    return reply if usage is None else {**reply, "usage": usage}


def read_json(text: Any) -> Any:
    """Parses a text of JSON; anything else is returned as it is."""
    if not isinstance(text, str):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text
