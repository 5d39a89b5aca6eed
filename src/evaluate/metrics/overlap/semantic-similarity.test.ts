import { expect, test } from 'vitest';
import { createEmbeddingJudge } from '../../judges/embedding-judge.ts';
import type { Embedder } from '../../models/embedder.ts';
import { buildCase, buildTrial, createJudgementMemory } from '../../../library/testing/build-records.ts';
import { semanticSimilarity } from './semantic-similarity.ts';

/** Embeds a text by how often it contains each of three letters: small, real and exact. */
function createLetters() {
  const embedded: string[][] = [];
  const embedder: Embedder = {
    name: 'letters',
    fingerprint: 'letters',
    embed: (texts) => {
      embedded.push([...texts]);
      const vectors = texts.map((text) => ['a', 'b', 'c'].map((letter) => text.split(letter).length - 1));
      return Promise.resolve({ vectors });
    },
  };
  return { embedder, embedded };
}

function createMetric(embedder: Embedder, settings: object = { threshold: 0.9 }) {
  const { definition } = semanticSimilarity;
  return definition.create(definition.options.parse(settings), {
    embedder: (limits) => createEmbeddingJudge(embedder, { ...limits, environment: {} }),
  });
}

const inputOf = (answer: string | null, reference: string | string[] | undefined, attempt = 1) => ({
  case: buildCase({ expected: { answer: reference } }),
  trial: buildTrial(answer, { attempt }),
});

async function score(answer: string | null, reference: string | string[] | undefined) {
  const { context } = await createJudgementMemory();
  return await createMetric(createLetters().embedder).score(inputOf(answer, reference), context());
}

test('is the cosine with the most similar expected answer', async () => {
  expect(await score('ab', ['cc', 'aab'])).toMatchObject({
    value: expect.closeTo(3 / Math.sqrt(2 * 5), 12),
    passed: true,
    explanation: 'cosine 0.9487',
    evidence: { embedder: 'letters', reference: 'aab' },
  });
  expect(await score('a', 'b')).toMatchObject({ value: 0, passed: false });
});

test('vectors of length zero give a failed verdict, not a number', async () => {
  expect(await score('zzz', 'abc')).toMatchObject({ status: 'failed', code: 'judge-invalid-vectors' });
  expect(await score('a', ['abc', 'zzz'])).toMatchObject({ status: 'failed' });
});

test('is not applicable without an expected answer; a missing answer scores 0', async () => {
  expect(await score('a', undefined)).toMatchObject({ status: 'not-applicable' });
  expect(await score('a', ' ')).toMatchObject({ status: 'not-applicable' });
  expect(await score(null, 'abc')).toMatchObject({ value: 0 });
});

test('rejects a configuration without an embedding model', () => {
  const { definition } = semanticSimilarity;
  expect(() => definition.create(definition.options.parse({}), {})).toThrow(/needs an embedding model/);
});

test('embeds the texts of a trial in one call and never again for another attempt or metric', async () => {
  const { embedder, embedded } = createLetters();
  const { context, kept } = await createJudgementMemory();
  const strict = createMetric(embedder);
  const lenient = createMetric(embedder, { threshold: 0.1 });
  const input = inputOf('ab', ['cc', 'aab']);
  const trial = context();
  const both = await Promise.all([strict.score(input, trial), lenient.score(input, trial)]);
  expect(both).toEqual([both[1], both[1]]);
  expect(await strict.score(inputOf('ab', ['cc', 'aab'], 2), { ...context(), attempt: 2 })).toEqual(both[0]);
  expect(embedded).toEqual([['cc', 'ab', 'aab']]);
  expect(both[0]).toMatchObject({ judgements: kept.map(({ id }) => id) });
  // Only the new texts are embedded.
  await strict.score(inputOf('ab', ['cc', 'aab', 'b']), context());
  expect(embedded.slice(1)).toEqual([['b', 'ab']]);
});

test('metrics with other references share one call about a trial, and its answer is embedded once', async () => {
  const { embedder, embedded } = createLetters();
  const judge = createEmbeddingJudge(embedder, { timeLimitMs: 1000, environment: {} });
  const { definition } = semanticSimilarity;
  const [near, far] = ['expected.answer', 'metadata.other'].map((from) =>
    definition.create(definition.options.parse({ from }), { embedder: () => judge }),
  );
  const { context } = await createJudgementMemory();
  const testCase = buildCase({ expected: { answer: 'aa' }, metadata: { other: 'bb' } });
  const input = { case: testCase, trial: buildTrial('ab', { attempt: 2 }) };
  const ofTrial = context();
  await Promise.all([near?.score(input, ofTrial), far?.score(input, ofTrial)]);
  expect(embedded).toEqual([['aa', 'ab', 'bb']]);
});

/** Embeds texts as vectors that the test gives. */
function createTable(table: Readonly<Record<string, number[]>>): Embedder {
  const embed: Embedder['embed'] = (texts) =>
    Promise.resolve({ vectors: texts.map((text) => table[text] ?? []) });
  return { name: 'table', fingerprint: 'table', embed };
}

test('vectors can be compared by their dot product or their distance, each with a judgement of its own', async () => {
  const embedder = createTable({
    x: [0.6, 0.8],
    y: [0.8, 0.6],
    opposite: [-0.6, -0.8],
    long: [3, 4],
    short: [1],
  });
  const { context } = await createJudgementMemory();
  const scoreBy = async (measure: string, answer: string, reference = 'x') =>
    await createMetric(embedder, { measure }).score(inputOf(answer, reference), context());
  // numpy 2: np.dot([.6, .8], [.8, .6]), and 1 / (1 + np.linalg.norm(np.subtract([.6, .8], [.8, .6])))
  expect(await scoreBy('dot', 'y')).toMatchObject({
    value: expect.closeTo(0.96, 12),
    explanation: 'dot product 0.9600',
  });
  expect(await scoreBy('euclidean', 'y')).toMatchObject({
    value: expect.closeTo(0.7795187907884575, 12),
    explanation: 'distance 0.2828',
  });
  expect(await scoreBy('cosine', 'y')).toMatchObject({ explanation: 'cosine 0.9600' });
  expect(await scoreBy('euclidean', 'long')).toMatchObject({ value: expect.closeTo(1 / 5, 12) });
  expect(await scoreBy('dot', 'opposite')).toMatchObject({ value: 0, explanation: 'dot product -1.0000' });
  expect(await scoreBy('dot', 'long')).toMatchObject({
    status: 'failed',
    code: 'judge-invalid-vectors',
    reason: expect.stringContaining('not of length 1'),
  });
  expect(await scoreBy('euclidean', 'short')).toMatchObject({ status: 'failed' });
});
