"""Turns what an agent framework gives back into a reply that Touchstone reads: the answer, and the tool calls with their
arguments and results. Copy this file: it needs neither framework, and knows nothing of the agent."""
import json
import sys


def reply_from_messages(messages):
    """Reads LangChain's messages: those that a LangGraph agent has added to a conversation."""
    calls, answer, tokens = {}, "", []
    for message in messages:
        if message.type == "ai":
            answer = message.text or answer
            tokens += [message.usage_metadata] if message.usage_metadata else []
            for call in message.tool_calls:
                calls[call["id"]] = {"name": call["name"], "arguments": call["args"]}
        elif message.type == "tool":
            part = "error" if message.status == "error" else "result"
            calls[message.tool_call_id][part] = read_json(message.text)
    usage = {part: sum(used[part] for used in tokens) for part in ("input_tokens", "output_tokens")}
    return {"answer": answer, "tool_calls": list(calls.values()), "usage": usage if tokens else None}


def reply_from_result(result):
    """Reads what the Runner of the OpenAI Agents SDK gives back."""
    calls = {}
    for item in result.new_items:
        if item.type == "tool_call_item":
            calls[item.call_id] = {"name": item.tool_name, "arguments": read_json(item.raw_item.arguments)}
        elif item.type == "tool_call_output_item":
            calls[item.call_id]["result"] = item.output
    used = result.context_wrapper.usage
    usage = {"input_tokens": used.input_tokens, "output_tokens": used.output_tokens} if used.total_tokens else None
    return {"answer": str(result.final_output), "tool_calls": list(calls.values()), "usage": usage}


def reply_from_run(result):
    """Reads what `Agent.run_sync` of Pydantic AI gives back: the messages that it added."""
    calls = {}
    for part in (part for message in result.new_messages() for part in message.parts):
        if part.part_kind == "tool-call":
            calls[part.tool_call_id] = {"name": part.tool_name, "arguments": part.args_as_dict()}
        elif part.part_kind in ("tool-return", "retry-prompt") and part.tool_call_id in calls:
            kind = "result" if part.part_kind == "tool-return" else "error"
            calls[part.tool_call_id][kind] = part.content
    used = result.usage() if callable(result.usage) else result.usage
    usage = {"input_tokens": used.input_tokens, "output_tokens": used.output_tokens}
    return {"answer": str(result.output), "tool_calls": list(calls.values()), "usage": usage}


def read_json(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


def serve(ask):
    """Answers a line of JSON with a line of JSON; `ask` is given the conversation so far. What it throws fails that question only."""
    for line in sys.stdin:
        request = json.loads(line)
        messages = [{"role": message["role"], "content": message["content"]} for message in request["messages"]]
        try:
            reply = ask(messages)
        except Exception as error:
            reply = {"error": {"code": type(error).__name__, "message": str(error)}}
        print(json.dumps({"id": request["id"], **reply}, default=str), flush=True)
