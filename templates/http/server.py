# A bot to start from: replace `answer` with a call of your own, or delete this file and put your bot's address into
# touchstone.config.yaml. Start it with: python3 server.py
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HOURS = {"saturday": "from 10 to 16", "sunday": "closed all day"}
PRICES = {"desk lamp": 49, "chair": 120, "bookshelf": 199}


def answer(question):
    text = question.lower()
    if any(word in text for word in ("open", "hours", "until when")):
        day = next((name for name in HOURS if name in text), None)
        result = HOURS.get(day, "from 9 to 18")
        return f"On {day or 'weekdays'} we are {result}.", ["opening_hours"]
    if any(word in text for word in ("cost", "how much", "price")):
        product = next((name for name in PRICES if name in text), None)
        if product is None:
            return "Sorry, we do not have that.", ["price_list"]
        return f"The {product} costs ${PRICES[product]}.", ["price_list"]
    if "back" in text or "return" in text:
        return "You can return anything within 30 days.", []
    return "I can't help with that, but I am glad to talk about our shop.", []


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        question = json.loads(self.rfile.read(int(self.headers["content-length"])))["question"]
        text, tools = answer(question)
        body = json.dumps({"answer": text, "tools_used": tools}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", 8000), Handler).serve_forever()
