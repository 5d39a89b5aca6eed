"""A shop's orders, and the tools with which an agent may look at them. Plain functions: both frameworks use them as they are."""

ORDERS = {
    "A-100": {"item": "desk lamp", "status": "shipped", "total": 49.0},
    "A-101": {"item": "office chair", "status": "delivered", "total": 180.0},
    "A-102": {"item": "bookcase", "status": "delivered", "total": 95.5},
}
INSTRUCTIONS = "You help customers of a shop. Look an order up before you refund it; refund delivered orders only."


def find_order(order_id: str) -> dict:
    """Looks up what was ordered, its status and its total in dollars."""
    if order_id not in ORDERS:
        raise ValueError(f"no order {order_id}")
    return {"order_id": order_id, **ORDERS[order_id]}


def refund_order(order_id: str, amount: float) -> dict:
    """Refunds an amount in dollars for an order."""
    return {"order_id": order_id, "refunded": amount}
