import { defineModel, z } from 'touchstone-evals';
import type { ChatReply, ChatRequest } from 'touchstone-evals/models';
import { formatDate, formatDollars } from '../assistant/format-value.ts';
import { chooseTools } from './choose-tools.ts';

/**
 * Stands in for a language model where there is no key: it chooses tools by a few patterns and reads out what they return.
 * It cannot follow instructions, mend a call, or decline.
 */
export const ruleModel = defineModel({
  name: 'rules',
  version: 1,
  summary: 'Chooses tools by patterns and reads out their results.',
  options: z.strictObject({}),
  create: () => ({
    name: 'rules',
    fingerprint: 'rules 1',
    generate: async (request) => reply(request),
    priceOf: async () => 0,
  }),
});

function reply(request: ChatRequest): ChatReply {
  const startedAt = new Date().toISOString();
  const start = performance.now();
  const { messages } = request;
  const isAnswered = messages.at(-1)?.role === 'tool';
  const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const text = isAnswered ? readOut(messages) : null;
  const toolCalls = isAnswered
    ? []
    : chooseTools(question).map((choice, index) => ({ ...choice, id: `call_${index + 1}` }));
  const latencyMs = Math.round((performance.now() - start) * 1000) / 1000;
  return {
    text,
    toolCalls,
    finishReason: isAnswered ? 'stop' : 'tool-calls',
    message: { role: 'assistant', content: text, ...(!isAnswered && { toolCalls }) },
    cost: 0,
    latencyMs,
    attempts: [{ startedAt, waitedMs: 0, latencyMs }],
    exchange: { request: JSON.parse(JSON.stringify(request)), reply: { text } },
  };
}

/** The results of the tools that were used last, as text. */
function readOut(messages: ChatRequest['messages']): string {
  const used = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  return used.map(({ content }) => readResult(content ?? '')).join('\n\n');
}

function readResult(content: string): string {
  const rows = parse(content);
  if (rows === undefined) return `I encountered an error while using a tool. ${content}`;
  if (rows.length === 0) return 'I found nothing about that.';
  if (typeof rows[0]?.['text'] === 'string')
    return rows
      .slice(0, 2)
      .map(({ text }) => String(text))
      .join('\n');
  return rows.map(describe).join('\n');
}

function describe(row: Readonly<Record<string, string | number | null>>): string {
  return Object.entries(row)
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${formatValue(name, value)}`)
    .join(', ');
}

function formatValue(name: string, value: string | number | null): string {
  if (/amount|total|basis|price/.test(name)) return formatDollars(value);
  return /^\d{4}-\d\d-\d\d$/.test(String(value)) ? formatDate(value) : String(value);
}

function parse(content: string): Record<string, string | number | null>[] | undefined {
  try {
    return JSON.parse(content);
  } catch {
    return undefined; // The error of a tool is plain text.
  }
}
