"""An agent of the OpenAI Agents SDK that reads orders over HTTP and reserves pieces by MCP. It is asked a line of JSON at a time;
the addresses of its tools come with each question."""
import asyncio
import json
import sys
import urllib.request

from agents import Agent, Runner, function_tool, set_tracing_disabled
from agents.mcp import MCPServerStreamableHttp

from model import StandIn

set_tracing_disabled(True)  # The SDK sends its traces to OpenAI, which takes a key.


async def answer(question, tools):
    @function_tool
    def get_order(order_id: str) -> str:
        """Reads an order."""
        with urllib.request.urlopen(f"{tools['orders']}/orders/{order_id}") as reply:
            return reply.read().decode()

    async with MCPServerStreamableHttp(params={"url": tools["stock"]}) as stock:
        agent = Agent(name="shop", instructions="Help.", tools=[get_order], mcp_servers=[stock], model=StandIn())
        result = await Runner.run(agent, question)
        return str(result.final_output)


for line in sys.stdin:
    request = json.loads(line)
    try:
        reply = {"answer": asyncio.run(answer(request["input"], request["tools"])), "tool_calls": []}
    except Exception as error:
        reply = {"error": {"code": type(error).__name__, "message": str(error)}}
    print(json.dumps({"id": request["id"], **reply}), flush=True)
