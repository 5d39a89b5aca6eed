"""A bot of LangServe, as its documentation writes one: a chat model behind `add_routes`, which streams."""

import sys

import uvicorn
from fastapi import FastAPI
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.prompts import ChatPromptTemplate
from langserve import add_routes

USAGE = {"input_tokens": 7, "output_tokens": 5, "total_tokens": 12}


def pieces_for(messages):
    said = " ".join(str(message.content) for message in messages)
    if "fail" in said:
        return None
    return ["It costs ", "49 ", "dollars. ", "Grüße 🙂"]


class Bot(BaseChatModel):
    """A model that knows a price."""

    @property
    def _llm_type(self):
        return "test"

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        pieces = pieces_for(messages)
        if pieces is None:
            raise ValueError("the shop is closed")
        message = AIMessage("".join(pieces), usage_metadata=USAGE)
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(self, messages, stop=None, run_manager=None, **kwargs):
        pieces = pieces_for(messages)
        for piece in pieces or ["It costs "]:
            yield ChatGenerationChunk(message=AIMessageChunk(piece))
        if pieces is None:
            raise ValueError("the shop is closed")
        yield ChatGenerationChunk(message=AIMessageChunk("", usage_metadata=USAGE))


app = FastAPI()
add_routes(app, ChatPromptTemplate.from_messages([("human", "{question}")]) | Bot(), path="/bot")

if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
