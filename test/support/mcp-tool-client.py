"""Lists the tools at an address with the Python client, uses some of them, and prints all that they said as JSON."""

import asyncio
import json
import sys

from mcp import Client


async def main() -> None:
    said = []
    progress = []

    async def on_progress(done, total, message) -> None:
        progress.append([done, total])

    async with Client(sys.argv[1]) as client:
        said.append([tool.name for tool in (await client.list_tools()).tools])
        for name, given in [("echo", {"text": "é"}), ("order", {}), ("fail", {})]:
            result = await client.call_tool(name, given)
            said.append([result.model_dump(mode="json")])
        await client.call_tool("steps", {}, progress_callback=on_progress)
    print(json.dumps([said, progress]))


asyncio.run(main())
