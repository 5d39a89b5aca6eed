import { expect, test } from 'vitest';
import type { Embedder } from '../../models/embedder.ts';
import { buildCase, buildTrial } from '../../testing/build-records.ts';
import { semanticSimilarity } from './semantic-similarity.ts';

/** Places a text by how often it has each of three letters: small, real and exact. */
const letterEmbedder: Embedder = {
  name: 'letters',
  fingerprint: 'letters',
  embed: (texts) =>
    Promise.resolve(texts.map((text) => ['a', 'b', 'c'].map((letter) => text.split(letter).length - 1))),
};

const score = async (answer: string | null, reference: string | string[] | undefined) => {
  const options = semanticSimilarity.definition.options.parse({ threshold: 0.9 });
  const metric = semanticSimilarity.definition.create(options, { embedder: letterEmbedder });
  return await metric.score({
    case: buildCase({ expected: { answer: reference } }),
    trial: buildTrial(answer),
  });
};

test('the value is the cosine with the nearest expected answer', async () => {
  expect(await score('ab', ['cc', 'aab'])).toMatchObject({
    value: expect.closeTo(3 / Math.sqrt(2 * 5), 12),
    passed: true,
    evidence: { embedder: 'letters', reference: 'aab' },
  });
  expect(await score('a', 'b')).toMatchObject({ value: 0, passed: false });
});

test('vectors without a direction are a failed verdict, not a number', async () => {
  expect(await score('zzz', 'abc')).toMatchObject({ status: 'failed', code: 'embedding-invalid' });
});

test('a case without an expected answer is not measured, a missing answer is like none', async () => {
  expect(await score('a', undefined)).toMatchObject({ status: 'not-applicable' });
  expect(await score('a', ' ')).toMatchObject({ status: 'not-applicable' });
  expect(await score(null, 'abc')).toMatchObject({ value: 0 });
});

test('without an embedding model the configuration is refused', () => {
  const { definition } = semanticSimilarity;
  expect(() => definition.create(definition.options.parse({}), {})).toThrow(/needs an embedding model/);
});

test('an embedding model that fails is a failed verdict with what it said', async () => {
  const { definition } = semanticSimilarity;
  const embed = () => Promise.reject(new Error('401: wrong key'));
  const metric = definition.create(definition.options.parse({}), { embedder: { ...letterEmbedder, embed } });
  const input = { case: buildCase({ expected: { answer: 'a' } }), trial: buildTrial('a') };
  expect(await metric.score(input)).toEqual({
    status: 'failed',
    code: 'embedding-failed',
    reason: '401: wrong key',
  });
});
