// A server that speaks as OpenAI's chat completions do, as Ollama, vLLM and llama.cpp do: rules in place of a model.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

const replies: Readonly<Record<string, string>> = {
  'opening hours': 'We are open from 9 to 18 on weekdays.',
  return: 'You can return items within 30 days.',
};

interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly content: string }[];
}

/** Starts the server on a free port of this machine, and returns its address. It ends with the program. */
export async function startServer(): Promise<string> {
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { model, messages } = body as ChatRequest;
      const question = messages.at(-1)?.content.toLowerCase() ?? '';
      const known = Object.keys(replies).find((words) => question.includes(words));
      const content = known === undefined ? 'Please ask in the shop.' : replies[known];
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          id: 'chatcmpl-1',
          object: 'chat.completion',
          model,
          choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
          usage: { prompt_tokens: question.length, completion_tokens: 9, total_tokens: question.length + 9 },
        }),
      );
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  server.unref();
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `http://127.0.0.1:${port}/v1`;
}
