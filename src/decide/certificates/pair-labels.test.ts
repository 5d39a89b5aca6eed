import { expect, test } from 'vitest';
import { type Label, markOf } from '../../core/schema/review/label.ts';
import {
  buildItems,
  buildLabel,
  buildRubric,
  buildTask,
  type LabelParts,
} from '../../../test/support/build-labels.ts';
import { pairLabels } from './pair-labels.ts';

/** Pairs labels of four items, of which two people label each; the judge passes all but the last, which it has no verdict on. */
function pairOf(labels: readonly Label[]) {
  const rubric = buildRubric();
  return pairLabels({
    items: buildItems(buildTask({ items: 4 }), { people: 2 }),
    marks: labels.map(markOf),
    rubric,
    versions: new Set([rubric.version]),
    passedOf: ({ position }) => (position === 3 ? null : true),
    clusterOf: ({ subject }) => subject.caseId,
  });
}

/** Builds the labels of two people on one item. */
function twoLabels(item: number, one: LabelParts, other: LabelParts): Label[] {
  return [
    buildLabel(`a${item}`, { item, ...one }),
    buildLabel(`b${item}`, { item, person: 'bob', ...other }),
  ];
}

const shown = { verdict: 'shown', score: 'shown', others: 'shown', target: 'hidden' } as const;

test('settled blind labels are paired with verdicts, and everything else is counted', () => {
  const found = pairOf([
    ...twoLabels(0, { value: false }, { value: false }),
    ...twoLabels(1, { value: true }, { value: false }),
    ...twoLabels(3, { value: true }, { value: true }),
  ]);
  expect(found.answers).toMatchObject([{ item: 0, truth: false, passed: true, category: 'uncategorized' }]);
  expect(found.labels).toEqual(['a0', 'b0']);
  expect(found.settled).toEqual(['a0', 'a3', 'b0', 'b3']);
  expect(found.leftOut).toEqual({ open: 1, disputed: 1, notApplicable: 0, notBlind: 0, noVerdict: 1 });
  expect(found.ratings.map((row) => [...row.values()])).toEqual([
    [false, false],
    [true, false],
    [true, true],
  ]);
});

test('labels given in sight of the verdict never count, and a correction leaves the blind label in force', () => {
  const seen = pairOf(twoLabels(0, { blind: shown }, { blind: shown }));
  expect(seen).toMatchObject({ answers: [], ratings: [], leftOut: { notBlind: 1, open: 3 } });
  const correction = buildLabel('c', { kind: 'correction', value: true, blind: shown, replaces: 'a0' });
  const corrected = pairOf([...twoLabels(0, { value: false }, { value: false }), correction]);
  expect(corrected.answers).toMatchObject([{ item: 0, truth: false }]);
});

test('labels of another version of the rubric do not count', () => {
  const rubric = { id: 'tone', version: '7'.repeat(32) };
  expect(pairOf(twoLabels(0, { rubric }, { rubric })).leftOut.open).toBe(4);
});
