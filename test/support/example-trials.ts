import { expect } from 'vitest';
import type { Config } from '../../src/library/config/config.ts';

/** The question that examples are tried on. */
export const question = 'What does the lamp cost?';
/** The answer that meets all expectations. */
export const answer = 'The lamp costs 49 dollars. You get a refund within 14 days, thank you.';
const calls = [{ name: 'price_list', arguments: { item: 'lamp' } }];
const tools = [{ name: 'price_list', parameters: { type: 'object', required: ['item'] } }];
/** A question with most of what a row can expect. */
export const row = {
  question,
  language: 'en',
  expected_answer: answer,
  expected_keywords: ['49'],
  expected_entities: ['lamp'],
  expected_numbers: [49],
  expected_forbidden: ['free'],
  expected_documents: ['prices'],
  expected_tools: ['price_list'],
  expected_calls: calls,
  expected_state: { order: 'open' },
  expected_behavior: 'Names the price.',
  checks: [{ use: 'contains', value: '49' }],
};
/** The reply that meets all of it. */
export const reply = {
  answer,
  tool_calls: [{ ...calls[0], result: '49 dollars' }],
  documents: [{ id: 'prices', text: answer }],
  usage: { input_tokens: 10, output_tokens: 10 },
  cost: 0.001,
  finish_reason: 'stop',
  state: { order: 'open' },
};

/** The question, the answer and the settings that an example is tried on. */
export interface Trying {
  /** Members of the row beside those that all share, or in their place. */
  readonly row?: object;
  /** Members of the reply, likewise. */
  readonly reply?: object;
  /** The code of the bot, where it is more than a reply. */
  readonly bot?: string;
  /** A row of a recording that answers in place of a bot, and options of `replay`. */
  readonly recorded?: object;
  readonly options?: object;
  readonly config?: Partial<Config>;
  /** The value of the verdict, if it is not 1. */
  readonly value?: unknown;
}

/** The reply of a model that plays a user who has what it wants. */
export const leaves = '{"reason": "The price is known.", "status": "goal-met", "message": ""}';
const said = (expected: string, text = expected): Trying => ({
  row: { expected_answer: expected },
  reply: { answer: text },
});
const bot = `export default async (question, { useTool }) => {
  const price = await useTool('price_list', { item: 'lamp' }, () => 'The lamp costs 49 dollars.').catch(() => undefined);
  return price === undefined ? 'I could not look up the price.' : 'The lamp costs 49 dollars.';
};`;
/** An answer that was recorded, with more beside it, and how the target reads that. */
const recorded = (beside: object, options: object = {}): Trying => ({
  recorded: { question, answer, ...beside },
  options,
});

/** The needs of the example of a metric beside the row and the reply that nearly all are measured on, and its value if that is not 1. */
export const metricTrials: Readonly<Record<string, Trying>> = {
  'attack-resisted': { row: { attack: { success: { reveals: ['BLUE-7142'] } } } },
  'answer-length': { value: answer.length },
  'answer-part': said('49', '{"total": 49}'),
  'contains-json': { reply: { answer: 'Here it is: {"total": 49}' } },
  cost: { value: 0.001 },
  'date-match': said('1 March 2026', 'On 2026-03-01.'),
  'fault-handling': { bot, config: { faults: ['timeout'] } },
  'first-token': { ...recorded({ latency_ms: 300, firstTokenMs: 120 }), value: 120 },
  'html-valid': { reply: { answer: '<p>It costs 49 dollars.</p>' } },
  'injection-resistance': { bot, config: { perturb: ['prompt-injection'] } },
  'json-schema': { reply: { answer: '{"total": 49}' } },
  'json-valid': { reply: { answer: '{"total": 49}' } },
  latency: { value: expect.any(Number) },
  'list-contains': { reply: { answer: '["lamp"]' } },
  meteor: { value: expect.closeTo(1, 3) },
  'numeric-difference': { ...said('49', '50'), value: expect.closeTo(98 / 99) },
  'one-of': { reply: { answer: 'yes' } },
  politeness: { value: expect.any(Number) },
  // The first of all, with a persistence of 0.8.
  'rank-biased-precision': { value: expect.closeTo(0.2) },
  'recorded-score': recorded({ reward: 1 }),
  'recorded-verdict': recorded(
    { verdicts: { correct: { status: 'scored', value: 1 } } },
    { recorded: ['verdicts'] },
  ),
  refusal: { row: { expected_refusal: true }, reply: { answer: 'I cannot help with that.' } },
  regex: { reply: { answer: '2026-03-01' } },
  'reported-calls': {
    config: { tools: {} },
    bot: `export default async (question, { useTool }) => {
  await useTool('price_list', { item: 'lamp' }, () => 49);
  return { answer: 'It costs 49.', toolCalls: [{ name: 'price_list', arguments: { item: 'lamp' } }] };
};
`,
  },
  'sql-valid': { reply: { answer: 'SELECT price FROM lamps' } },
  'state-diff': { row: { metadata: { state: { order: 'none' } } } },
  'state-query': {
    row: { expected_state: { query: 'SELECT price FROM lamps', rows: [49] } },
    reply: { state: { lamps: [{ price: 49 }] } },
  },
  ter: { value: 0 },
  tokens: { value: 20 },
  'tool-failures': {
    reply: {
      tool_calls: [
        { name: 'price_list', error: 'no such item' },
        { name: 'price_list', result: '49 dollars' },
      ],
    },
    value: expect.any(Number),
  },
  'tool-schema': { row: { metadata: { tools } } },
  'turn-checks': {
    row: { question: undefined, turns: [question, { say: 'Sure?', expected: { keywords: ['49'] } }] },
  },
  'user-conduct': {
    row: { user: { goal: 'Learn the price of the lamp.' } },
    config: { user: { use: 'simulated-user', model: { use: 'scripted', otherwise: leaves } } },
  },
  'word-count': { value: 14 },
  'xml-valid': { reply: { answer: '<price>49</price>' } },
};

/** The needs of the example of a scorecard, a judge or a user. */
export const otherTrials: Readonly<Record<string, Trying>> = {
  'binary-weighted': { reply: { state: { booked: true } } },
  recorded: recorded({ reward: 1 }),
  'scripted-user': metricTrials['turn-checks'] ?? {},
  'simulated-user': { row: { user: { goal: 'Learn the price of the lamp.' } } },
  'hostile-user': { row: { user: { goal: 'Learn the price of the lamp.' } } },
};
