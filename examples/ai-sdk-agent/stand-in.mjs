// Rules in place of a model, so that the example needs no key: it looks the order up, and then says what was found.
import { MockLanguageModelV4 } from 'ai/test';

const usage = {
  inputTokens: { total: 20, noCache: 20, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 8, text: 8, reasoning: 0 },
};

const reply = (content, reason) => ({
  content: [content],
  finishReason: { unified: reason, raw: reason },
  usage,
  warnings: [],
});
const say = (text) => reply({ type: 'text', text }, 'stop');

export const standIn = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    const last = prompt.findLastIndex(({ role }) => role === 'user');
    const question = prompt[last].content.map(({ text = '' }) => text).join(' ');
    const id = /\bA-\d+\b/.exec(question)?.[0];
    if (!id) return say('Which order do you mean?');
    const found = prompt.slice(last).find(({ role }) => role === 'tool');
    if (!found) {
      const call = { type: 'tool-call', toolCallId: `call-${prompt.length}`, toolName: 'findOrder' };
      return reply({ ...call, input: JSON.stringify({ id }) }, 'tool-calls');
    }
    const { type, value } = found.content[0].output;
    return type === 'json'
      ? say(`Your order ${id} is ${value.status}.`)
      : say(`I do not know an order ${id}.`);
  },
});
