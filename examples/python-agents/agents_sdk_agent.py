"""The same agent with the OpenAI Agents SDK."""
import os

from agents import Agent, Runner, function_tool, set_tracing_disabled

from replies import reply_from_result, serve
from shop import INSTRUCTIONS, find_order, refund_order

model = os.environ.get("AGENTS_MODEL")  # such as "gpt-5-mini"
if not model:
    from stand_in.agents_model import StandIn

    model = StandIn()
    set_tracing_disabled(True)  # The SDK sends its traces to OpenAI, which takes a key.

tools = [function_tool(find_order), function_tool(refund_order)]
agent = Agent(name="shop", instructions=INSTRUCTIONS, tools=tools, model=model)


def ask(messages):
    return reply_from_result(Runner.run_sync(agent, messages))


serve(ask)
