"""The same agent with Pydantic AI."""
import inspect
import os

from pydantic_ai import Agent
from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart

from replies import reply_from_run, serve
from shop import INSTRUCTIONS, find_order, refund_order

model = os.environ.get("PYDANTIC_AI_MODEL")  # such as "openai:gpt-5-mini"
if not model:
    from stand_in.pydantic_model import stand_in

    model = stand_in


def pass_errors_on(tool):
    """Gives what a tool throws to the model, which otherwise ends the agent."""

    def safe(**arguments):
        try:
            return tool(**arguments)
        except Exception as error:
            return f"Error: {error}"

    safe.__name__, safe.__doc__ = tool.__name__, tool.__doc__
    safe.__annotations__, safe.__signature__ = tool.__annotations__, inspect.signature(tool)
    return safe


agent = Agent(model, instructions=INSTRUCTIONS)
for each in (find_order, refund_order):
    agent.tool_plain(pass_errors_on(each))


def message_of(message):
    if message["role"] == "user":
        return ModelRequest(parts=[UserPromptPart(message["content"])])
    return ModelResponse(parts=[TextPart(message["content"])])


def ask(messages):
    history = [message_of(message) for message in messages[:-1]]
    return reply_from_run(agent.run_sync(messages[-1]["content"], message_history=history))


serve(ask)
