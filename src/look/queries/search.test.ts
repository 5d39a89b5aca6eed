import { expect, test } from 'vitest';
import { buildKeptRun } from '../../../test/support/build-kept-run.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { buildCase, buildRun, buildTrial } from '../../library/testing/build-records.ts';
import { mostHits, progressStep, searchTrials, type SearchQuery } from './search.ts';

const call = {
  name: 'find_page',
  arguments: { topic: 'Kündigung' },
  result: { page: 'Vertrag, Seite 4' },
};
const longAnswer = `${'Long before. '.repeat(20)}The refund (30 %) takes\n14 days.${' And after.'.repeat(20)}`;
const trial = buildTrial(longAnswer, {
  transcript: [
    { role: 'user', content: 'May I get my money back?' },
    { role: 'assistant', content: null, toolCalls: [call, { name: 'pay', error: 'Quota exceeded' }] },
    { role: 'assistant', content: 'The answer.' },
  ],
  documents: [{ id: 'terms.md', text: 'No returns of opened software.' }],
});

async function search(query: SearchQuery) {
  const store = createMemoryStore();
  const run = buildRun({ dataset: { sources: ['a.jsonl'], cases: 1, hash: 'x' } });
  const testCase = buildCase({ id: trial.caseId, input: 'May I get my money back?' });
  await store.createRun(run);
  await store.addCases(run.id, [{ position: 0, hash: '0'.repeat(32), place: 'a.jsonl:1', case: testCase }]);
  await store.addTrials(run.id, [{ case: testCase, trial }]);
  return await Array.fromAsync(searchTrials(store, run, query));
}

test.each([
  ['MONEY back', 'question', 'money back'],
  ['(30 %) takes 14', 'answer', '(30 %) takes\n14'],
  ['the answer', 'message', 'The answer'],
  ['find_page', 'tool call', 'find_page'],
  ['kündigung', 'tool call', 'Kündigung'],
  ['seite 4', 'tool result', 'Seite 4'],
  ['quota', 'tool result', 'Quota'],
  ['opened software', 'document', 'opened software'],
])('%s is found in the %s', async (text, place, match) => {
  expect(await search({ text })).toEqual([
    expect.objectContaining({ ordinal: 0, place, match }),
    { next: null, searched: 1 },
  ]);
});

test('a hit shows what stands around it, and where the text is cut', async () => {
  const [hit] = await search({ text: 'refund' });
  expect(hit).toMatchObject({
    before: expect.stringMatching(/^….{56}The $/s),
    after: expect.stringMatching(/^ \(30 %\) takes\n14 days\..*…$/s),
  });
});

test('signs of patterns are ordinary characters, and what is not there is not found', async () => {
  expect(await search({ text: '.*' })).toEqual([{ next: null, searched: 1 }]);
  expect(await search({ text: '[a-z]' })).toEqual([{ next: null, searched: 1 }]);
});

test('an empty text is refused', async () => {
  await expect(search({ text: ' ' })).rejects.toMatchObject({ code: 'usage-invalid' });
});

test('a search ends after 50 hits, continues after the last one, and keeps to the filter', async () => {
  const cases = Array.from({ length: 130 }, (_, index) => ({
    asks: `question ${index}`,
    category: index % 2 === 0 ? 'even' : 'odd',
    attempts: [{ total: 1 }],
  }));
  const { run, store } = await buildKeptRun(cases);
  const ask = async (query: Partial<SearchQuery>) =>
    await Array.fromAsync(searchTrials(store, run, { text: 'question', ...query }));
  const first = await ask({});
  expect(first).toHaveLength(mostHits + 1);
  expect(first.at(-1)).toEqual({ next: 49, searched: 50 });
  expect((await ask({ after: 99 })).map((line) => ('ordinal' in line ? line.ordinal : line.next))).toEqual([
    ...Array.from({ length: 30 }, (_, index) => 100 + index),
    null,
  ]);
  const odd = await ask({ where: 'category=odd', after: 119 });
  expect(odd.map((line) => ('ordinal' in line ? line.ordinal : line.next))).toEqual([
    121,
    123,
    125,
    127,
    129,
    null,
  ]);
});

test('a long search without hits says how far it has come', async () => {
  const cases = Array.from({ length: 2 * progressStep + 15 }, (_, index) => ({
    asks: `question ${index}`,
    attempts: [{ total: 1 }],
  }));
  const { run, store } = await buildKeptRun(cases);
  expect(await Array.fromAsync(searchTrials(store, run, { text: 'nowhere', after: 9 }))).toEqual([
    { next: progressStep + 9, searched: progressStep },
    { next: 2 * progressStep + 9, searched: 2 * progressStep },
    { next: null, searched: 2 * progressStep + 5 },
  ]);
});
