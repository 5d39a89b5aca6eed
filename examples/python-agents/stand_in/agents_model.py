import ast
import json

from agents import Model, ModelResponse, Usage
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from replies import read_json
from stand_in.decide import decide


class StandIn(Model):
    """A model of the OpenAI Agents SDK that goes by rules."""

    async def get_response(self, system_instructions, input, *_, **__):
        last = max(index for index, item in enumerate(input) if item.get("role") == "user")
        results = [
            read_result(item["output"]) for item in input[last:] if item.get("type") == "function_call_output"
        ]
        kind, text, *arguments = decide(input[last]["content"], results)
        if kind == "call":
            output = ResponseFunctionToolCall(
                type="function_call", call_id=f"call-{len(input)}", name=text, arguments=json.dumps(arguments[0])
            )
        else:
            part = ResponseOutputText(type="output_text", text=text, annotations=[])
            output = ResponseOutputMessage(
                type="message", id=f"message-{len(input)}", role="assistant", status="completed", content=[part]
            )
        return ModelResponse(output=[output], usage=Usage(), response_id=None)

    def stream_response(self, *_, **__):
        raise NotImplementedError("the stand-in does not stream")


def read_result(text):
    """The SDK gives a model the text that Python has for a dict."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return read_json(text)
