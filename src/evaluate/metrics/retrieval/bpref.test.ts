import { expect, test } from 'vitest';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { scoreDocuments } from '../../../../test/support/score-documents.ts';
import { bpref } from './bpref.ts';

test('a relevant document counts less for each one judged not relevant before it', () => {
  const score = (ids: string[]) =>
    bpref.definition.create(bpref.definition.options.parse({}), {}).score({
      case: buildCase({
        expected: { documents: ['a', 'b', { id: 'c', relevance: 0 }, { id: 'd', relevance: 0 }] },
      }),
      trial: buildTrial('x', { documents: ids.map((id) => ({ id })) }),
    });
  expect(score(['a', 'b', 'c'])).toMatchObject({ value: 1 });
  expect(score(['x', 'a', 'y', 'c', 'b'])).toMatchObject({ value: (1 + 1 / 2) / 2 });
  expect(score(['c', 'a', 'd', 'b'])).toMatchObject({ value: (1 / 2 + 0) / 2 });
  expect(score(['c', 'a'])).toMatchObject({ value: 1 / 2 / 2 });
});

test('in the worked example one document judged not relevant stands before both relevant ones', () => {
  expect(scoreDocuments(bpref)).toBe(0);
});
