import { expect, test } from 'vitest';
import { type Label, markOf } from '../../core/schema/review/label.ts';
import { buildItems, buildLabel, buildRubric, buildTask } from '../../../test/support/build-labels.ts';
import { deriveProgress, longestSittingMs } from './progress.ts';

const now = new Date('2026-01-10T12:00:00.000Z');

function progressOf(labels: readonly Label[], people = 2) {
  const task = buildTask({ items: 6 });
  const items = buildItems(task, { people });
  const reservations = [
    { item: 5, person: 'ann', purpose: 'new', until: '2026-01-10T12:10:00.000Z' },
  ] as const;
  return deriveProgress(
    { task, rubrics: [buildRubric()], items, marks: labels.map(markOf), reservations },
    now,
  );
}

const labels = [
  buildLabel('a0', { item: 0, seconds: 20 }),
  buildLabel('b0', { item: 0, person: 'bob', seconds: 40 }),
  buildLabel('a1', { item: 1, seconds: 20 }),
  buildLabel('b1', { item: 1, person: 'bob', value: false, seconds: 40 }),
  buildLabel('a2', { item: 2, at: '2026-01-03T09:00:30.000Z', seconds: 60 }),
  buildLabel('a3', { item: 3, outcome: { status: 'skipped', reason: 'broken' }, seconds: null }),
];

test('the progress counts items by state, labels wanted and given, and the hours left', () => {
  const progress = progressOf(labels);
  expect(progress.states).toEqual({ open: 1, skipped: 1, reserved: 1, labelled: 1, disputed: 1, settled: 1 });
  expect(progress).toMatchObject({ items: 6, wanted: 12, given: 5, disputed: [1] });
  // The median of 20, 40, 20, 40 and 60 seconds, for 7 labels.
  expect(progress.hoursLeft).toBeCloseTo((7 * 40) / 3600, 12);
  expect(progressOf([]).hoursLeft).toBeCloseTo((12 * 40) / 3600, 12);
});

test('agreement is that of pairs of people before any correction; without pairs it is undefined, not 0', () => {
  const shown = { verdict: 'shown', score: 'shown', others: 'shown', target: 'hidden' } as const;
  const correction = buildLabel('c', {
    item: 1,
    person: 'bob',
    kind: 'correction',
    blind: shown,
    replaces: 'b1',
  });
  for (const given of [labels, [...labels, correction]]) {
    const [agreement] = progressOf(given).agreement;
    expect(agreement).toMatchObject({ pairs: 2, same: 1, share: { status: 'defined', estimate: 0.5 } });
  }
  expect(progressOf([]).agreement[0]?.share).toMatchObject({ status: 'undefined', estimate: null });
});

test('each person has counts of their own, their pace, and how steady they are', () => {
  const again = buildLabel('r', { item: 2, purpose: 'repeat', value: false, at: '2026-01-05T09:00:00.000Z' });
  const { people } = progressOf([...labels, again]);
  expect(people.map(({ person }) => person)).toEqual(['ann', 'bob']);
  expect(people[0]).toMatchObject({
    labelled: 3,
    skipped: 1,
    repeats: 1,
    longestSittingMs: 30_000,
    steadiness: { pairs: 1, same: 0 },
  });
  expect(people[1]).toMatchObject({ labelled: 2, medianSeconds: 40, steadiness: { pairs: 0 } });
});

test('a sitting ends with a break of more than ten minutes', () => {
  const at = (minutes: number) => ({ at: new Date(minutes * 60_000).toISOString() });
  expect(longestSittingMs([])).toBe(0);
  expect(longestSittingMs([at(60), at(0), at(10), at(20), at(31)])).toBe(20 * 60_000);
});
