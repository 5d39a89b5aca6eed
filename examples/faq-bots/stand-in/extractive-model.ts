import { defineModel, z } from 'touchstone-evals';
import type { ChatReply, ChatRequest } from 'touchstone-evals/models';
import { contentWords, rankBySharedWords } from './shared-words.ts';

/** Least share of the question's words in a sentence that is taken for its answer. */
const leastShare = 0.4;
const unknown = 'I am sorry, I do not know that. Please call the shop at 555-0142.';

/**
 * Stands in for a language model where there is no key. It understands nothing: of the text it is given it says the sentence
 * that shares the most words with the question, and that it does not know when none shares enough. Where there are tools, it
 * asks the first one that takes a query. It follows no instructions, so it refuses nothing.
 */
export const extractiveModel = defineModel({
  name: 'extractive',
  version: 1,
  summary: 'Quotes the sentence of its prompt that is nearest to the question.',
  options: z.strictObject({}),
  create: () => ({
    name: 'extractive',
    fingerprint: 'extractive 1',
    generate: async (request) => reply(request),
    priceOf: async () => 0,
  }),
});

function reply(request: ChatRequest): ChatReply {
  const startedAt = new Date().toISOString();
  const start = performance.now();
  const query = findQuery(request);
  const quoted =
    query === undefined ? quote(request) : { text: null, reasoning: `I look up: ${query.words}` };
  const toolCalls =
    query === undefined ? [] : [{ id: 'call_1', name: query.tool, arguments: { query: query.words } }];
  const latencyMs = Math.round((performance.now() - start) * 1000) / 1000;
  return {
    ...quoted,
    toolCalls,
    finishReason: toolCalls.length > 0 ? 'tool-calls' : 'stop',
    message: { role: 'assistant', content: quoted.text, ...(toolCalls.length > 0 && { toolCalls }) },
    cost: 0,
    latencyMs,
    attempts: [{ startedAt, waitedMs: 0, latencyMs }],
    exchange: { request: JSON.parse(JSON.stringify(request)), reply: quoted },
  };
}

/** What to ask which tool; undefined when there is none to ask, or it has been asked. */
function findQuery({ messages, tools = [] }: ChatRequest): { tool: string; words: string } | undefined {
  const tool = tools.find(({ parameters }) =>
    JSON.stringify(parameters['properties'] ?? {}).includes('"query"'),
  );
  if (tool === undefined || messages.at(-1)?.role === 'tool') return undefined;
  return { tool: tool.name, words: [...contentWords(questionIn(messages))].join(' ') };
}

function quote({ messages }: ChatRequest): { text: string; reasoning: string } {
  const question = questionIn(messages);
  const passages = passagesIn(messages);
  const [best] = rankBySharedWords(
    question,
    passages.map(({ about, text }) => `${about} ${text}`),
  );
  const share = `${Math.round((best?.score ?? 0) * 100)} % of the question's words, by weight`;
  if (best === undefined || best.score < leastShare) {
    return {
      text: unknown,
      reasoning: `The nearest of ${passages.length} passages holds ${share}: too few.`,
    };
  }
  return {
    text: passages[best.index]?.text ?? '',
    reasoning: `The nearest of ${passages.length} passages holds ${share}.`,
  };
}

function lastOf(messages: ChatRequest['messages'], role: string): string {
  return messages.findLast((message) => message.role === role)?.content ?? '';
}

function questionIn(messages: ChatRequest['messages']): string {
  const prompt = lastOf(messages, 'user');
  return /^Question:\s*(.*)$/ms.exec(prompt)?.[1] ?? prompt;
}

/** A text that can be quoted, and what it stands under. */
interface Passage {
  readonly about: string;
  readonly text: string;
}

/** The documents that a tool has found; else the sentences and rows of tables in the knowledge. */
function passagesIn(messages: ChatRequest['messages']): Passage[] {
  if (messages.at(-1)?.role === 'tool') return readDocuments(lastOf(messages, 'tool'));
  const knowledge = /<knowledge>\n(.*)\n<\/knowledge>/s.exec(lastOf(messages, 'user'))?.[1] ?? '';
  return knowledge.split(/^#+ /m).flatMap((section) => {
    const [about = '', ...lines] = section.split('\n');
    return lines.flatMap(cutLine).map((text) => ({ about, text }));
  });
}

function cutLine(line: string): string[] {
  if (!line.startsWith('|')) return line.split(/(?<=[.!?]) +/).filter((sentence) => sentence !== '');
  const cells = line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
  return cells.every((cell) => /^-+$/.test(cell)) ? [] : [`${cells.join(': ')}.`];
}

function readDocuments(result: string): Passage[] {
  try {
    const documents: { id: string; text: string }[] = JSON.parse(result);
    return documents.map(({ id, text }) => ({ about: id, text }));
  } catch {
    return []; // The tool gave an error, which holds no answer.
  }
}
