"""A model of the OpenAI Agents SDK that goes by rules, so that the example needs no key."""
import json
import re

from agents import Model, ModelResponse, Usage
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText


class StandIn(Model):
    async def get_response(self, system_instructions, input, *_, **__):
        last = max(index for index, item in enumerate(input) if item.get("role") == "user")
        outputs = [str(item["output"]) for item in input[last:] if item.get("type") == "function_call_output"]
        kind, text, *arguments = decide(input[last]["content"], outputs)
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


def decide(question, outputs):
    order_id = re.search(r"\d{6,}", question).group()
    if not outputs:
        return "call", "get_order", {"order_id": order_id}
    found = re.search(r"\"product\": ?\"(\w+)\"", outputs[0].replace("\\", ""))
    if found is None:
        return "answer", f"I cannot find order {order_id}."
    product = found.group(1)
    if len(outputs) == 1:
        return "call", "find_stock", {"product": product}
    pieces = re.search(r"\"pieces\": ?(\d+)", outputs[1].replace("\\", ""))
    if pieces is None:
        return "answer", f"I could not see whether there is a {product}; please ask again later."
    if pieces.group(1) == "0":
        return "answer", f"There is no {product} left for order {order_id}."
    if len(outputs) == 2:
        return "call", "reserve", {"product": product, "order_id": order_id}
    if '"reserved"' not in outputs[2].replace("\\", ""):
        return "answer", f"I could not get the {product} for order {order_id}."
    return "answer", f"A {product} is reserved for order {order_id}."
