"""The agent in LangGraph, by way of LangChain's create_agent."""
import os

from langchain.agents import create_agent
from langchain.agents.middleware import wrap_tool_call
from langchain.messages import ToolMessage

from replies import reply_from_messages, serve
from shop import INSTRUCTIONS, find_order, refund_order


@wrap_tool_call
def pass_errors_on(request, handler):
    """Gives the model the error of a tool, to make something of it; without this, the error ends the agent."""
    try:
        return handler(request)
    except Exception as error:
        return ToolMessage(str(error), tool_call_id=request.tool_call["id"], status="error")


model = os.environ.get("LANGCHAIN_MODEL")  # such as "openai:gpt-5-mini"
if not model:
    from stand_in.langchain_model import StandIn

    model = StandIn()

agent = create_agent(model, [find_order, refund_order], system_prompt=INSTRUCTIONS, middleware=[pass_errors_on])


def ask(messages):
    state = agent.invoke({"messages": messages})
    return reply_from_messages(state["messages"][len(messages):])


serve(ask)
