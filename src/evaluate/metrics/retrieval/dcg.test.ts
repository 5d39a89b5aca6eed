import { expect, test } from 'vitest';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { scoreDocuments } from '../../../../test/support/score-documents.ts';
import { dcg } from './dcg.ts';

const { log2 } = Math;

test('adds up the gains, each divided by the logarithm of its rank', () => {
  expect(scoreDocuments(dcg)).toBeCloseTo(1 / log2(3) + 3 / log2(5), 12);
  expect(scoreDocuments(dcg, { gain: 'exponential' })).toBeCloseTo(1 / log2(3) + 7 / log2(5), 12);
  expect(scoreDocuments(dcg, { k: 2 })).toBeCloseTo(1 / log2(3), 12);
});

test('is a quantity with a unit, which passes from a least gain on', () => {
  const score = (min: number) =>
    dcg.definition.create(dcg.definition.options.parse({ min }), {}).score({
      case: buildCase({ expected: { documents: [{ id: 'a', relevance: 3 }] } }),
      trial: buildTrial('x', { documents: [{ id: 'a' }] }),
    });
  expect(score(3)).toMatchObject({ value: 3, unit: 'gain', passed: true });
  expect(score(3.1)).toMatchObject({ passed: false });
});
