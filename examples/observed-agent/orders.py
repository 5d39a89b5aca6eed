"""The orders of a shop, over HTTP: `python3 orders.py 8801`. What it was asked stands in its log."""
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ORDERS = {"1290461237612345678": {"id": 1290461237612345678, "product": "lamp", "status": "open"}}


class Orders(BaseHTTPRequestHandler):
    def do_GET(self):
        order = ORDERS.get(self.path.rsplit("/", 1)[-1])
        body = json.dumps(order or {"detail": "no such order"}).encode()
        self.send_response(200 if order else 404)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Orders).serve_forever()
