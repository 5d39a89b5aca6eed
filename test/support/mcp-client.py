"""Lists the tools of `touchstone mcp` with the Python client, calls two of them, and prints what they say as JSON."""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main() -> None:
    node, program = sys.argv[1:3]
    server = StdioServerParameters(command=node, args=[program, "mcp"])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        tools = (await session.list_tools()).tools
        failed = await session.call_tool("failed_cases", {"limit": 2})
        missing = await session.call_tool("show_run", {"run": "nothing"})
    is_error = getattr(missing, "is_error", getattr(missing, "isError", None))
    said = json.loads(failed.content[0].text)
    print(json.dumps({"tools": [tool.name for tool in tools], "failed": said, "missing": {"isError": is_error}}))


asyncio.run(main())
