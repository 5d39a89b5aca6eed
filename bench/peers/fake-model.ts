// Started by run.ts: a model on loopback that answers at once in the form of OpenAI's chat completions. `GET /count` says how often it was
// asked since the last time, so that a tool that asked too little, or twice, is seen.
import { createServer, type IncomingMessage } from 'node:http';

let asked = 0;

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.setHeader('connection', 'close');
    response.end(String(asked));
    asked = 0;
    return;
  }
  asked += 1;
  void readText(request).then((text) => {
    const { messages } = JSON.parse(text) as { messages: { content: unknown }[] };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(completion(answerTo(questionIn(messages.at(-1)?.content)))));
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
});

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function questionIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return (content as { text?: string }[]).map(({ text = '' }) => text).join('');
}

/** Returns the answer to a question: all of its words, in another sentence. */
function answerTo(question: string): string {
  return `According to the register: ${question.replace('What does the register say about', 'it speaks of')}`;
}

function completion(content: string) {
  return {
    id: 'fake',
    object: 'chat.completion',
    created: 0,
    model: 'fake',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 30, completion_tokens: 30, total_tokens: 60 },
  };
}
