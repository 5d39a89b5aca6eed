"""A real MCP server: the stock of a shop. It counts its reservations, so that one can see when it was really used."""
import os

from mcp.server.mcpserver import MCPServer

server = MCPServer("stock")
STOCK = {"lamp": 3, "chair": 0}


@server.tool(annotations={"readOnlyHint": True})
def find_stock(product: str) -> dict:
    """How many pieces of a product there are."""
    return {"product": product, "pieces": STOCK.get(product, 0)}


@server.tool()
def reserve(product: str, order_id: str) -> dict:
    """Reserves a piece for an order."""
    if log := os.environ.get("STOCK_LOG"):
        with open(log, "a", encoding="utf-8") as file:
            print(f"reserve {product} {order_id}", file=file)
    return {"reserved": product, "order_id": order_id}


server.run("stdio")
