import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readRequest } from '../../evaluate/datasets/otlp/read-request.ts';
import type { Case } from '../../core/schema/case.ts';
import type { Feedback } from '../../core/schema/feedback/feedback.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { buildFeedback } from '../../../test/support/store-contract/feedback-contract.ts';
import { createNearestSearch, suggestCategory } from './nearest-cases.ts';
import { pickTraces, type PickRules, type RatedTrace } from './pick-traces.ts';
import { proposeCases, type ProposalSetting } from './propose-cases.ts';
import { rateTraces } from './rate-traces.ts';
import { receiveSpans, trimTraces } from './receive-spans.ts';
import type { TraceFacts } from './trace-facts.ts';
import { addFeedback } from '../../stores/feedback/feedback-records.ts';
import { addProposals } from '../../stores/proposals/proposal-records.ts';

const limits = { spans: 10_000, attributes: 4096, text: 1_000_000, events: 4096 };
const fixture = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../../test/otlp/exporter-http.json'), 'utf8'),
);
const traceId = '5b8efff798038103d269b633813fc60c';

const golden: Case[] = [
  ['friday', 'When is the library open on Friday?', 'hours'],
  ['sunday', 'Is the library open on Sunday?', 'hours'],
  ['fee', 'What does a lost card cost?', 'fees'],
].map(([id = '', input = '', category = '']) => ({
  id,
  input,
  category,
  tags: [],
  expected: {},
  metadata: {},
}));

const rules: PickRules = { seed: 7, share: 0, distance: 1 };
const find = createNearestSearch(golden);

function facts(id: string, parts: Partial<TraceFacts> = {}): TraceFacts {
  return {
    traceId: id,
    day: '2026-01-02',
    conversation: null,
    input: 'When is the library open on Thursday?',
    question: 'When is the library open on Thursday?',
    answer: 'From 15:00 to 19:00.',
    documents: [],
    tools: [{ name: 'hours', spanId: 's1', arguments: {}, result: { from: '15:00', to: '19:00', n: 3 } }],
    cost: null,
    tokens: null,
    latencyMs: null,
    error: undefined,
    evaluations: {},
    evaluatedCase: null,
    rootSpanId: 's0',
    ...parts,
  };
}

const rated = (parts: Partial<TraceFacts> = {}, feedback: readonly Feedback[] = []): RatedTrace => ({
  facts: facts('t', parts),
  feedback,
});

const reasonsOf = (trace: RatedTrace, changed: Partial<PickRules> = {}) =>
  pickTraces([trace], { ...rules, ...changed }, find).flatMap(({ picked }) =>
    picked.map(({ reason, why }) => `${reason}: ${why}`),
  );

test('each reason picks a trace and says why', () => {
  expect(reasonsOf(rated())).toEqual([]);
  const down = buildFeedback('a', { value: 'down', text: 'wrong\nhours' });
  expect(reasonsOf(rated({}, [down]))).toEqual(['negative-feedback: thumbs down: wrong hours']);
  expect(reasonsOf(rated({}, [down, buildFeedback('b')]))).toEqual([]);
  const { value: _up, ...bare } = buildFeedback('c');
  expect(reasonsOf(rated({}, [{ ...bare, signal: 'escalated' }]))).toEqual([
    'escalated: the user asked for a person',
  ]);
  expect(reasonsOf(rated({ error: 'it timed out' }))).toEqual(['error: it failed: it timed out']);
  expect(reasonsOf(rated({ evaluations: { tone: 0.2, safe: 1, groundedness: 'Failed' } }))).toEqual([
    'judge-failed: tone: 0.2',
    'judge-failed: groundedness: Failed',
  ]);
  expect(reasonsOf(rated({ question: 'How do I knit?', input: 'x' }), { distance: 0.8 })).toEqual([
    'unlike: it shares no word with any question',
  ]);
  expect(reasonsOf(rated(), { distance: 0.8 })).toEqual([]);
  expect(reasonsOf(rated({ error: 'x' }), { reasons: ['unlike'] })).toEqual([]);
});

test('traces far above the median cost are expensive, and with few prices none is', () => {
  const priced = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      facts: facts(`t${index}`, { cost: index === 0 ? 0.5 : 0.01 }),
      feedback: [],
    }));
  const picked = pickTraces(priced(20), rules, find);
  expect(picked.map((each) => [each.facts.traceId, each.picked[0]])).toEqual([
    ['t0', { reason: 'expensive', why: '$0.50; the median is $0.010' }],
  ]);
  expect(pickTraces(priced(19), rules, find)).toEqual([]);
});

test('the random share depends on the seed and the trace alone', () => {
  const all = Array.from({ length: 5000 }, (_, index) => ({ facts: facts(`t${index}`), feedback: [] }));
  const drawn = (traces: readonly RatedTrace[], seed: number) =>
    pickTraces(traces, { ...rules, seed, share: 0.01 }, find).map((each) => each.facts.traceId);
  const first = drawn(all, 7);
  // Binomial with n = 5000 and p = 0.01: 50 ± 4 standard deviations.
  expect(first.length).toBeGreaterThan(22);
  expect(first.length).toBeLessThan(78);
  expect(drawn(all.toReversed(), 7).sort()).toEqual(first.toSorted());
  expect(drawn(all.slice(0, 2500), 7)).toEqual(first.filter((id) => Number(id.slice(1)) < 2500));
  expect(drawn(all, 8)).not.toEqual(first);
});

test('the category is that of the nearest cases by words', () => {
  expect(suggestCategory(find, 'When is the library open on Thursday?')).toEqual({
    category: 'hours',
    reason: expect.stringMatching(/^nearest by words: friday \(\d+ %\), sunday/),
  });
  expect(suggestCategory(find, 'How do I knit?')).toBeUndefined();
});

const setting: ProposalSetting = {
  dataset: 'golden.jsonl',
  known: golden.map((each) => ({ case: each, isGolden: true })),
  findNearest: find,
  by: { type: 'person', name: 'Ann' },
  at: '2026-01-03T00:00:00.000Z',
};
const picked = (trace: RatedTrace) => ({ ...trace, picked: [{ reason: 'random', why: 'x' }] as const });
const make = (...traces: RatedTrace[]) => proposeCases(traces.map(picked), setting);

test('tools and entities of a successful path are proposed with their spans, the recorded answer is not', () => {
  const [proposal] = make(rated()).proposals;
  expect(proposal?.expectations).toEqual([
    {
      field: 'tools',
      value: 'hours',
      proof: { type: 'span', spanId: 's1', text: 'used once without an error' },
    },
    ...['15:00', '19:00'].map((value) => ({
      field: 'entities',
      value,
      proof: { type: 'span', spanId: 's1', text: 'in the result of hours and in the answer' },
    })),
  ]);
  expect(proposal?.case).toMatchObject({ category: 'hours', input: 'When is the library open on Thursday?' });
  const objected = make(rated({}, [buildFeedback('a', { value: 'down' })])).proposals[0];
  expect(objected?.expectations.map(({ field, proof }) => [field, (proof as { text: string }).text])).toEqual(
    [['tools', 'used once without an error, in a trace that someone objected to']],
  );
  expect(objected?.checks.find(({ name }) => name === 'path')?.passed).toBe(false);
  expect(make(rated({ tools: [] })).proposals[0]?.expectations).toMatchObject([
    { field: 'tools', value: [] },
  ]);
  expect(make(rated({ error: 'x' })).proposals[0]?.expectations).toEqual([]);
});

test('a corrected answer is the expected one; of a known question it changes the case', () => {
  const { value: _up, ...bare } = buildFeedback('edit-1');
  const edit: Feedback = { ...bare, signal: 'edit', text: 'Until 19:00.' };
  expect(make(rated({}, [edit])).proposals[0]?.expectations[0]).toEqual({
    field: 'answer',
    value: 'Until 19:00.',
    proof: { type: 'feedback', feedback: 'edit-1', text: 'the user wrote this answer' },
  });
  const known = {
    question: 'When is the library open on Friday?',
    input: 'When is the library open on Friday?',
  };
  expect(make(rated(known)).leftOut).toEqual([
    { traceId: 't', reason: 'the question friday asks this: the same question, letter for letter' },
  ]);
  const [changed] = make(rated(known, [edit])).proposals;
  expect(changed).toMatchObject({
    change: 'changed',
    replaces: 'friday',
    case: { id: 'friday', category: 'hours' },
  });
});

test('the same question of two traces is proposed once, and one without a question not at all', () => {
  const again = { facts: facts('u'), feedback: [] };
  const lost = { facts: facts('v', { input: null }), feedback: [] };
  const { proposals, leftOut } = make(rated(), again, lost);
  expect(proposals).toHaveLength(1);
  expect(leftOut).toEqual([
    { traceId: 'v', reason: 'its question was not recorded' },
    { traceId: 'u', reason: 'another trace t asks this: the same question, letter for letter' },
  ]);
});

test('stored traces are read once their time is over, with their feedback, and each is proposed once', async () => {
  const store = createMemoryStore();
  const secrets = { text: (text: string) => text };
  const now = '2026-01-02T10:05:00.000Z';
  await receiveSpans(readRequest(fixture, limits), { store, secrets, now });
  await addFeedback(store, [
    buildFeedback('f', { subject: { conversation: 'conv-7', turn: 1 }, value: 'down' }),
  ]);
  expect(await rateTraces(store, { now })).toEqual({ rated: [], left: { 'spans may still come': 1 } });
  const later = '2026-01-02T10:16:00.000Z';
  const { rated: all } = await rateTraces(store, { now: later });
  expect(all).toMatchObject([
    {
      facts: {
        traceId,
        day: '2026-01-02',
        answer: 'On Thursday the library is open from 15:00 to 19:00.',
        tools: [{ name: 'opening_hours', result: { from: '15:00', to: '19:00' } }],
        cost: 0.0021,
        tokens: 853,
        evaluations: { helpful: 1 },
      },
      feedback: [{ id: 'f' }],
    },
  ]);
  await addProposals(store.documents, make(...all).proposals);
  expect((await rateTraces(store, { now: later })).left).toEqual({ 'a question of it was proposed': 1 });
  expect(await trimTraces(store, '2026-02-03T00:00:00.000Z')).toBe(1);
});
