"""A bot with a log-in by a form and a session in a cookie: python fastapi_bot.py PORT."""

import secrets
import sys
from urllib.parse import parse_qs

import uvicorn
from fastapi import Cookie, FastAPI, HTTPException, Request
from fastapi.responses import RedirectResponse
from pydantic import BaseModel

app = FastAPI()
asked: dict[str, list[str]] = {}


class Question(BaseModel):
    question: str


@app.post("/login")
async def login(request: Request) -> RedirectResponse:
    form = parse_qs((await request.body()).decode())
    if form.get("username") != ["ann"] or form.get("password") != ["the password of ann"]:
        raise HTTPException(403, "wrong user name or password")
    session = secrets.token_urlsafe(24)
    asked[session] = []
    response = RedirectResponse("/", status_code=303)
    response.set_cookie("session", session, httponly=True, secure=True, samesite="lax")
    return response


@app.post("/chat")
def chat(question: Question, session: str | None = Cookie(default=None)) -> dict[str, str]:
    if session not in asked:
        raise HTTPException(401, "sign in first")
    asked[session].append(question.question)
    is_blue = "blue" in question.question
    # Only a session that asked for the lamp before knows what is meant.
    if is_blue and "lamp" not in asked[session][0]:
        return {"answer": "What do you mean?"}
    return {"answer": "In blue it costs 52 dollars." if is_blue else "It costs 49 dollars."}


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
