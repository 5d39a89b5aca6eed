// An agent of the AI SDK with one tool. Touchstone calls the exported function with the question and the conversation so far.
import { generateText, stepCountIs, tool } from 'ai';
import { z } from 'zod';
import { standIn } from './stand-in.mjs';

const orders = { 'A-100': { status: 'shipped', total: 49 }, 'A-101': { status: 'delivered', total: 180 } };

// For a real model: `import { openai } from '@ai-sdk/openai'` and `openai('gpt-5-mini')`.
const model = standIn;

const tools = {
  findOrder: tool({
    description: 'Looks up an order of the shop.',
    inputSchema: z.object({ id: z.string() }),
    execute: ({ id }) => {
      if (!orders[id]) throw new Error(`no order ${id}`);
      return orders[id];
    },
  }),
};

export default async function answer(_question, { messages }) {
  const { text, steps, usage } = await generateText({
    model,
    tools,
    stopWhen: stepCountIs(5),
    system: 'You help customers of a shop. Look an order up before you speak of it.',
    messages: messages.map(({ role, content }) => ({ role, content: content ?? '' })),
  });
  const parts = steps.flatMap(({ content }) => content);
  const resultOf = (call) =>
    parts.find(({ type, toolCallId }) => type === 'tool-result' && toolCallId === call.toolCallId);
  const errorOf = (call) =>
    parts.find(({ type, toolCallId }) => type === 'tool-error' && toolCallId === call.toolCallId);
  return {
    answer: text,
    toolCalls: parts
      .filter(({ type }) => type === 'tool-call')
      .map((call) => ({
        name: call.toolName,
        arguments: call.input,
        result: resultOf(call)?.output,
        ...(errorOf(call) && { error: String(errorOf(call).error?.message ?? errorOf(call).error) }),
      })),
    usage: { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
  };
}
