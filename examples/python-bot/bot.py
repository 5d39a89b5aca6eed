"""A shop's bot: reads a question as a line of JSON, writes its answer as a line of JSON with the same id."""
import json
import sys

HOURS = {"monday": "9:00 to 18:00", "saturday": "10:00 to 14:00", "sunday": "closed"}
PRICES = {"coffee": 3.20, "tea": 2.80, "cake": 4.50, "sandwich": 6.00}


def answer(question):
    words = question.lower().replace("?", " ").replace(",", " ").split()
    days = [day for day in HOURS if day in words]
    items = [item for item in PRICES if item in words or item + "s" in words]
    if days:
        call = {"name": "opening_hours", "arguments": {"days": days}, "result": [HOURS[day] for day in days]}
        return "; ".join(f"{day.title()}: {HOURS[day]}" for day in days) + ".", [call]
    if items:
        count = next((int(word) for word in words if word.isdigit()), 1)
        total = sum(PRICES[item] for item in items) * count
        call = {"name": "price_lookup", "arguments": {"items": items, "count": count}, "result": total}
        return f"{count} x {' and '.join(items)}: {total:.2f} dollars.", [call]
    return "I know our opening hours and our prices. Which would you like?", []


for line in sys.stdin:
    request = json.loads(line)
    text, tool_calls = answer(request["input"])
    print(json.dumps({"id": request["id"], "answer": text, "tool_calls": tool_calls}), flush=True)
