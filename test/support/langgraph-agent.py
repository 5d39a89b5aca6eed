"""A graph as `langgraph dev` serves it: a model that knows the prices of a shop."""

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langgraph.graph import END, START, MessagesState, StateGraph


def pieces_for(messages):
    asked = [str(message.content) for message in messages if message.type == "human"]
    if "lamp" not in " ".join(asked):
        return ["What ", "do you mean?"]
    return ["In blue it costs ", "52 dollars."] if "blue" in asked[-1] else ["It costs ", "49 dollars."]


class Shop(BaseChatModel):
    @property
    def _llm_type(self):
        return "shop"

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        return ChatResult(generations=[ChatGeneration(message=AIMessage("".join(pieces_for(messages))))])

    def _stream(self, messages, stop=None, run_manager=None, **kwargs):
        for piece in pieces_for(messages):
            yield ChatGenerationChunk(message=AIMessageChunk(piece))


def answer(state: MessagesState):
    return {"messages": [Shop().invoke(state["messages"])]}


graph = StateGraph(MessagesState).add_node("answer", answer).add_edge(START, "answer").add_edge("answer", END).compile()
