import { defineModel, z } from 'touchstone-evals';
import type { ChatReply, ChatRequest } from 'touchstone-evals/models';

/** What a user does next, in the form that Touchstone asks for. */
interface Turn {
  reason: string;
  status: 'goes-on' | 'goal-met' | 'gave-up';
  message: string;
}

/**
 * Stands in for a language model where there is no key: plays a user who knows "Who: …", "When: …" and "Otherwise: …", says
 * each when it is asked for, and understands nothing else.
 */
export const ruleUser = defineModel({
  name: 'rule-user',
  version: 1,
  summary: 'Plays a user by a few patterns.',
  options: z.strictObject({}),
  create: () => ({
    name: 'rule-user',
    fingerprint: 'rule-user 1',
    generate: async (request) => toReply(request, play(request)),
    priceOf: async () => 0,
  }),
});

function play({ messages }: ChatRequest): Turn {
  const [part = '', conversation = ''] = messages.map(({ content }) => content ?? '');
  const fact = (name: string) => new RegExp(`^- ${name}: (.*)$`, 'm').exec(part)?.[1];
  const heard = lastAnswerIn(conversation);
  const say = (message = "I don't know."): Turn => ({ reason: 'I was asked.', status: 'goes-on', message });

  if (/^(?:Booked|Moved|Cancelled)/.test(heard)) return leave('goal-met', 'It is done.');
  if (/\bWhom\b|\bWhich \w+ do you mean\b/.test(heard)) return say(fact('Who'));
  if (/\bOn which day\b/.test(heard)) return say(fact('When'));
  if (/ 1\) /.test(heard)) return say(fact('Otherwise'));
  return leave('gave-up', 'This leads nowhere.');
}

function leave(status: Turn['status'], reason: string): Turn {
  return { reason, status, message: '' };
}

/** What the other side said last: the text of the last part that is called so. */
function lastAnswerIn(conversation: string): string {
  const parts = conversation.matchAll(/^<<<\S+ other side \d+>>>\n(.*?)\n<<<end /gms);
  return [...parts].at(-1)?.[1] ?? '';
}

function toReply(request: ChatRequest, turn: Turn): ChatReply {
  const text = JSON.stringify(turn);
  return {
    text,
    toolCalls: [],
    finishReason: 'stop',
    message: { role: 'assistant', content: text },
    cost: 0,
    latencyMs: 0,
    attempts: [{ startedAt: new Date().toISOString(), waitedMs: 0, latencyMs: 0 }],
    exchange: { request: JSON.parse(JSON.stringify(request)), reply: text },
  };
}
