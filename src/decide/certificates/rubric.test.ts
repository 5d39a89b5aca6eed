import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { buildLabel, buildRubric, buildTask } from '../../../test/support/build-labels.ts';
import { readVersions, stateSameMeaning } from './rubric.ts';
import { addReviewRecords } from '../../stores/reviews/review-records.ts';
import { equivalenceKind } from '../../stores/kinds/rubric.ts';

const [first, second, third] = ['6', 'a', 'b'].map((digit) => buildRubric({ version: digit.repeat(32) }));

async function storeVersions() {
  const { documents } = createMemoryStore();
  const points = buildRubric({ version: 'c'.repeat(32), scale: { type: 'text' } });
  await addReviewRecords(documents, {
    rubrics: [first, second, third, points].filter((rubric) => rubric !== undefined),
    tasks: [buildTask()],
    labels: [buildLabel('x')],
  });
  return documents;
}

const state = { rubric: 'tone', person: 'ann' } as const;

test('versions that mean the same are named with each other, through others too, and stated once', async () => {
  const documents = await storeVersions();
  expect(await stateSameMeaning(documents, { ...state, versions: ['66', 'a'] })).toBe(true);
  expect(await stateSameMeaning(documents, { ...state, versions: ['a', 'bb'], note: 'a comma' })).toBe(true);
  expect(await stateSameMeaning(documents, { ...state, versions: ['b', '6'] })).toBe(false);
  expect(await Array.fromAsync(documents.list(equivalenceKind))).toMatchObject([
    { by: 'ann' },
    { by: 'ann' },
  ]);
  const versions = await readVersions(documents, 'tone');
  expect(versions.map(({ labels, sameAs }) => [labels, sameAs.map((version) => version.charAt(0))])).toEqual([
    [1, expect.arrayContaining(['a', 'b'])],
    [0, expect.arrayContaining(['6', 'b'])],
    [0, expect.arrayContaining(['6', 'a'])],
    [0, []],
  ]);
});

test.each([
  [['a', 'a'], 'review-invalid', 'A version means the same as itself.'],
  [['a', 'c'], 'review-invalid', 'The scales of the two versions of tone differ'],
  [['a', 'd'], 'rubric-not-found', 'The rubric tone has no version "d"'],
  [['a', ''], 'rubric-not-found', 'The rubric tone has no version ""'],
] as const)('%j is refused with %s', async (versions, code, message) => {
  const documents = await storeVersions();
  await expect(stateSameMeaning(documents, { ...state, versions })).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
  });
  expect(await Array.fromAsync(documents.list(equivalenceKind))).toEqual([]);
});

test('a rubric that no task asks, and a beginning of several versions, are refused', async () => {
  const documents = await storeVersions();
  await expect(readVersions(documents, 'tune')).rejects.toMatchObject({
    message: 'No review task asks the rubric "tune". Did you mean "tone"?',
  });
  await addReviewRecords(documents, { rubrics: [buildRubric({ version: `a${'0'.repeat(31)}` })] });
  await expect(stateSameMeaning(documents, { ...state, versions: ['6', 'a'] })).rejects.toMatchObject({
    message: 'The rubric tone has 2 versions "a…".',
  });
});
