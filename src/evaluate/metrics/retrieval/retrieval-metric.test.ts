import { expect, test } from 'vitest';
import type { Case } from '../../../core/schema/case.ts';
import type { RetrievedDocument } from '../../../core/schema/trial.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { cutoffOptions, createRetrievalMetric } from './retrieval-metric.ts';
import { recallAt } from './measures.ts';

const toDocuments = (ids: readonly string[]): RetrievedDocument[] => ids.map((id) => ({ id }));

function score(
  expected: Case['expected']['documents'],
  documents: RetrievedDocument[] | undefined,
  options: object = {},
) {
  const checked = cutoffOptions().parse(options);
  const metric = createRetrievalMetric(checked, (ranking) => recallAt(ranking, checked.k));
  return metric.score({
    case: buildCase({ expected: { documents: expected } }),
    trial: buildTrial('x', { documents }),
  });
}

test('an expected id has relevance 1, an object states its own', () => {
  expect(score(['a', { id: 'b', relevance: 0 }, { id: 'c', relevance: 2 }], toDocuments(['a', 'b']))).toEqual(
    {
      status: 'scored',
      value: 0.5,
      explanation: '1 of 2 relevant documents among the 2 retrieved',
      evidence: {
        retrieved: 2,
        relevant: 2,
        unjudged: 0,
        found: [{ id: 'a', rank: 1, relevance: 1 }],
        missed: ['c'],
      },
    },
  );
});

test.each([
  ['the question says of no document whether it is relevant', undefined, ['a']],
  ['the question says of no document whether it is relevant', [], ['a']],
  ['no document is judged relevant', [{ id: 'a', relevance: 0 }], ['a']],
  ['the target reported no retrieved documents', ['a'], undefined],
])('is not applicable, never 0: %s', (reason, expected, retrieved) => {
  expect(score(expected, retrieved && toDocuments(retrieved))).toEqual({ status: 'not-applicable', reason });
});

test('an empty list of documents is measured as nothing found', () => {
  expect(score(['a'], [])).toMatchObject({ status: 'scored', value: 0 });
});

test('a document that was retrieved twice counts once, at its best rank, unless that is refused', () => {
  expect(score(['a'], toDocuments(['b', 'b', 'a']), { k: 2 })).toMatchObject({
    status: 'scored',
    value: 1,
    explanation:
      '1 of 1 relevant documents among the first 2, 1 of which the question does not name; 1 further passage is of an earlier document, and not counted again',
    evidence: { retrieved: 2, repeated: 1, found: [{ id: 'a', rank: 2 }] },
  });
  expect(score(['a'], toDocuments(['b', 'a', 'b']), { duplicates: 'refuse' })).toMatchObject({
    status: 'failed',
    code: 'duplicate-document',
    reason: expect.stringContaining('the document b was retrieved twice'),
  });
  expect(score(['a', { id: 'a', relevance: 2 }], toDocuments(['a']))).toMatchObject({
    status: 'failed',
    reason: 'the question lists the document a twice',
  });
});

test('by score, the best rank of a document that was retrieved twice is kept', () => {
  const documents = [
    { id: 'a', score: 1 },
    { id: 'b', score: 2 },
    { id: 'a', score: 3 },
  ];
  expect(score(['a'], documents, { order: 'score', k: 1 })).toMatchObject({
    value: 1,
    evidence: { retrieved: 2, found: [{ id: 'a', rank: 1 }] },
  });
});

test('the list of a bot is its ranking, whatever the scores are, and the explanation says where they disagree', () => {
  const documents = [
    { id: 'a', score: 0.1 },
    { id: 'b', score: 0.9 },
  ];
  expect(score(['a'], documents, { k: 1 })).toMatchObject({
    value: 1,
    explanation: expect.stringContaining('in the order given, which is not the order of the scores'),
  });
  for (const order of ['score', 'trec'])
    expect(score(['a'], documents, { k: 1, order })).toMatchObject({
      value: 0,
      explanation: expect.stringContaining('ranked by score, which is not the order given'),
    });
});

test('equal scores keep the order given; only files of runs order them by id', () => {
  const documents = ['a', 'b', 'c'].map((id) => ({ id, score: 0.5 }));
  for (const order of ['given', 'score'])
    expect(score(['a'], documents, { k: 1, order })).toMatchObject({
      value: 1,
      explanation: expect.not.stringContaining('order'),
    });
  expect(score(['a'], documents, { k: 1, order: 'trec' })).toMatchObject({ value: 0 });
});

test('when only some documents have a score, the given order is used, and an order by score says so', () => {
  const documents = [{ id: 'a', score: 0.1 }, { id: 'b' }, { id: 'c', score: 0.9 }];
  expect(score(['a'], documents, { k: 1, order: 'score' })).toMatchObject({
    value: 1,
    explanation: expect.stringContaining('in the order given, as 1 of 3 documents have no score'),
  });
  const unscored = documents.map(({ id }) => ({ id }));
  for (const given of [documents, unscored])
    expect(score(['a'], given, { k: 1 })).toMatchObject({
      value: 1,
      explanation: expect.not.stringContaining('order'),
    });
});

test('the verdict passes from the threshold on', () => {
  expect(score(['a', 'b', 'c'], toDocuments(['a', 'b']), { threshold: 2 / 3 })).toMatchObject({
    passed: true,
  });
  expect(score(['a', 'b', 'c'], toDocuments(['a']), { threshold: 2 / 3 })).toMatchObject({ passed: false });
});

test('the evidence lists at most twenty ids of each kind', () => {
  const ids = Array.from({ length: 60 }, (_, index) => `d${index}`);
  expect(score(ids, toDocuments(ids.slice(0, 30)))).toMatchObject({
    value: 0.5,
    evidence: { found: { length: 20 }, missed: { length: 20 }, relevant: 60 },
  });
});

test('a document that the case gave to the target does not count as retrieved', () => {
  const given = { id: 'knowledge', given: true } as const;
  expect(score(['a'], [given])).toMatchObject({ status: 'not-applicable' });
  expect(score(['a'], [given, { id: 'a' }])).toMatchObject({ value: 1 });
  expect(score(['a'], [])).toMatchObject({ value: 0 });
});

test('passages are recognized by their document, which counts once, at its first rank, and is said', () => {
  const passages = ['fees.md#0', 'cancellation.md#1', 'cancellation.md#0', 'fees.md#3'];
  expect(score(['cancellation.md'], toDocuments(passages), { k: 2 })).toEqual({
    status: 'scored',
    value: 1,
    explanation:
      '1 of 1 relevant documents among the first 2, 1 of which the question does not name; cancellation.md found as cancellation.md#1; 2 further passages are of an earlier document, and not counted again',
    evidence: {
      retrieved: 2,
      relevant: 1,
      unjudged: 1,
      repeated: 2,
      found: [{ id: 'cancellation.md', rank: 2, relevance: 1, as: 'cancellation.md#1', by: 'document' }],
      missed: [],
    },
  });
});
