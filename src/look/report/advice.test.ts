import { expect, test } from 'vitest';
import { adviseOn } from './advice.ts';
import { sampleInput } from '../../../test/support/build-sample-run.ts';
import { collectFindings } from './findings.ts';
import type { SampleTrial } from '../../../test/support/judge-sample.ts';
import type { Phrase } from './phrase.ts';

async function adviceFor(trials: readonly SampleTrial[]): Promise<string[]> {
  const [reported] = await collectFindings(sampleInput(trials));
  if (reported === undefined) throw new Error('the sample has a target');
  return adviseOn(reported).map(({ title, facts, ids }) =>
    [plain(title), ...facts.map(plain), ids.join(' ')].join(' | '),
  );
}

function plain(phrase: Phrase): string {
  return phrase.map((part) => (typeof part === 'string' ? part : part.quoted)).join('');
}

const fine: SampleTrial = { expectedTools: ['query'], usedTools: ['query'], found: ['a'] };

test('there is no advice when nothing stands out', async () => {
  expect(await adviceFor([fine, fine, fine])).toEqual([]);
});

test('low tool usage names the tool missed most and the tools used instead', async () => {
  const missed: SampleTrial = { expectedTools: ['query'], usedTools: ['search'], found: ['a'] };
  expect(await adviceFor([fine, missed, missed, { ...missed, usedTools: [] }])).toEqual([
    'tool usage is low: 25.0 % | query was expected but not used 3 times; instead: search 2, no tool at all 1. | q-002 q-003 q-004',
  ]);
});

test('low response quality names the keywords missed most', async () => {
  const poor: SampleTrial = { ...fine, found: [], missing: ['August', 'total'] };
  expect(await adviceFor([fine, poor, { ...poor, missing: ['August'] }])).toEqual([
    'response quality is low: 33.3 % | Missing most often: August twice, total once. | q-002 q-003',
  ]);
});

test('errors are listed by code, both failed calls and error reports as answers', async () => {
  const timeout: SampleTrial = { error: { code: 'timeout', message: 'late' } };
  expect((await adviceFor([fine, timeout, timeout, { ...fine, reportedError: 'traceback' }]))[0]).toBe(
    '3 errors: 75.0 % of the calls | timeout twice, traceback once. | q-002 q-003 q-004',
  );
});

test('missing measurements are listed by the name of the component', async () => {
  expect(await adviceFor([fine, { ...fine, isUnmeasured: true }])).toEqual([
    'response quality could not be measured once | judge-timeout once. | q-002',
  ]);
});

test('the weakest category is listed with the questions to open, lowest first', async () => {
  const bad: SampleTrial = { ...fine, category: 'money', found: [], missing: ['x'] };
  const worse: SampleTrial = { ...bad, usedTools: [] };
  const advice = await adviceFor([...Array.from({ length: 9 }, () => fine), bad, worse]);
  expect(advice).toEqual(['Weakest category: money, 40.0 % | 0 of 2 passed. | q-011 q-010']);
});

test('the costliest component comes first', async () => {
  const both: SampleTrial = { expectedTools: ['query'], usedTools: [], found: ['a'], missing: ['b'] };
  expect((await adviceFor([both, both])).map((text) => text.split(' is low')[0])).toEqual([
    'tool usage',
    'response quality',
  ]);
});

test('ids of documents that never met are said first, with one of each', async () => {
  const [reported] = await collectFindings(sampleInput([fine, fine]));
  if (reported === undefined) throw new Error('the sample has a target');
  const neverRetrieved = { trials: 2, expected: 'fees', retrieved: 'chunk-17' };
  const [first] = adviseOn({ ...reported, target: { ...reported.target, neverRetrieved } });
  expect([first?.title, ...(first?.facts ?? [])].map((phrase) => plain(phrase ?? []))).toEqual([
    'No expected document was ever retrieved, in 2 answers',
    'Expected, for example: fees. Retrieved: chunk-17.',
  ]);
});
