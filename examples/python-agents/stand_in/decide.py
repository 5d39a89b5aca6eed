"""What stands in for a model, so that the example needs no key: rules that choose the next tool, or say something.

It has the fault of many an agent: when a customer insists, it refunds an order that was only shipped."""
import re


def decide(question, results):
    """`results` are those of the tools called so far. Returns ("call", name, arguments) or ("say", text)."""
    order = re.search(r"\bA-\d+\b", question)
    if order is None:
        return "say", "Which order do you mean? Please tell me its number."
    if not results:
        return "call", "find_order", {"order_id": order[0]}
    found = results[0]
    if not isinstance(found, dict):
        return "say", f"I do not know an order {order[0]}."
    wants_refund = "refund" in question.lower() or "money back" in question.lower()
    if not wants_refund:
        return "say", f"Your {found['item']} ({order[0]}) is {found['status']}; it cost {found['total']:.2f} dollars."
    if len(results) > 1:
        return "say", f"I have refunded {found['total']:.2f} dollars for your {found['item']}."
    if found["status"] == "delivered" or "insist" in question.lower():
        return "call", "refund_order", {"order_id": order[0], "amount": found["total"]}
    return "say", f"Your {found['item']} is {found['status']}. I can refund it once it is delivered."
