import { expect, test } from 'vitest';
import { storeReviewedRun } from '../../../test/support/reviewed-run.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { buildLabel, buildRubric } from '../../../test/support/build-labels.ts';
import { makeRubric } from '../../decide/certificates/rubric.ts';
import { notesRubric } from './notes-rubric.ts';
import { createReview, planReview, type ReviewSettings } from './plan-review.ts';
import type { Result } from '../../core/schema/result.ts';
import { addReviewRecords, readItems } from '../../stores/reviews/review-records.ts';
import { rubricKind } from '../../stores/kinds/rubric.ts';
import { reviewTaskKind } from '../../stores/kinds/review-task.ts';

const head = { id: 'task-1', createdAt: '2026-01-03T00:00:00.000Z', seed: 7 };

async function planOf(
  answers: Parameters<typeof storeReviewedRun>[1],
  settings: Partial<ReviewSettings> = {},
) {
  const store = createMemoryStore();
  const run = await storeReviewedRun(store, answers);
  const plan = await planReview(store, run, { rubrics: [buildRubric()], labels: 200, ...head, ...settings });
  return { store, run, plan };
}

test('a plan states strata, labels, hours and what the labels can show, and stores nothing', async () => {
  const overlap = { people: 2, share: 0.2 };
  const { store, plan } = await planOf({ passed: 300, failed: 150, unjudged: 4, errors: 6 }, { overlap });
  expect(plan.task.strata).toEqual([
    { name: 'passed', size: 300, drawn: 100, targets: { bot: 300 } },
    { name: 'failed', size: 150, drawn: 100, targets: { bot: 150 } },
  ]);
  expect(plan.task.frame).toMatchObject({
    count: 450,
    excluded: [
      { reason: 'no verdict of politeness', count: 4 },
      { reason: 'no answer', count: 6 },
    ],
  });
  expect(plan.items.filter(({ people }) => people === 2)).toHaveLength(40);
  expect(plan.labels).toBe(240);
  expect(plan.hours).toBeCloseTo((240 * 40) / 3600, 12);
  // 1.959964 × √(Σ W² p(1 − p)/m (1 − m/n)) with p = 0.9 and 0.1, and with 0.5.
  expect(plan.halfWidth?.expected).toBeCloseTo(0.033948, 6);
  expect(plan.halfWidth?.most).toBeCloseTo(0.056579, 6);
  expect(await Array.fromAsync(store.documents.list(reviewTaskKind))).toEqual([]);
  const task = await createReview(store, plan);
  expect(await store.documents.get(reviewTaskKind, ['task-1'])).toEqual(task);
  expect(await readItems(store.documents, 'task-1')).toEqual(plan.items);
  expect(await Array.fromAsync(store.documents.list(rubricKind))).toEqual([buildRubric()]);
});

test('the same settings plan the same items; the items name their answers and probabilities', async () => {
  const [one, other] = [await planOf({ passed: 30, failed: 30 }), await planOf({ passed: 30, failed: 30 })];
  expect(one.plan).toEqual(other.plan);
  const { items } = (await planOf({ passed: 30, failed: 30 }, { labels: 10 })).plan;
  const [first] = items;
  const position = first?.subject.ordinal as number;
  expect(first).toMatchObject({
    position: 0,
    stratum: position < 30 ? 'passed' : 'failed',
    probability: 5 / 30,
    subject: { caseId: `case ${position}`, target: 'bot', category: position % 2 === 0 ? 'a' : 'b' },
  });
});

test('a plan warns of what its labels cannot show', async () => {
  const { plan } = await planOf({ passed: 100, failed: 20 });
  expect(plan.notes).toEqual([
    'There are only 120 answers to label.',
    'Only 20 answers that the judge failed: with fewer than 50, its error rate there is not measured.',
    'A certificate wants 50 of each kind: where 16.7 % failed, about 300 answers have as many, and `--labels 100` then finds them.',
    'No item is labelled by two people, so that their agreement is not measured (`--doubled 20%`).',
  ]);
});

test('a plan says before anything is labelled what a certificate takes', async () => {
  const good = (await planOf({ passed: 194, failed: 6 })).plan;
  expect(good.notes).toContain(
    'A certificate wants 50 of each kind: where 3.0 % failed, about 1,667 answers have as many, and `--labels 100` then finds them.',
  );
  const few = (await planOf({ passed: 100, failed: 60 }, { labels: 40 })).plan;
  expect(few.notes).toContain('A certificate wants 50 of each kind: `--labels 100`.');
  expect((await planOf({ passed: 40, failed: 0 })).plan.notes).toContain(
    'A certificate wants 50 of each kind, and none of the 40 answers failed: ask questions of which some do.',
  );
  const enough = (await planOf({ passed: 100, failed: 60 })).plan;
  expect(enough.notes.filter((note) => note.startsWith('A certificate'))).toEqual([]);
});

test('a filter limits the frame, and answers picked by hand are all taken, for no estimates', async () => {
  const filter = ['category=a'];
  const { plan } = await planOf({ passed: 20, failed: 10 }, { filter, draw: { type: 'by-hand' } });
  expect(plan.task.frame).toMatchObject({ filter, count: 15 });
  expect(plan.items).toHaveLength(15);
  expect(plan.halfWidth).toBeNull();
  expect(plan.items.every(({ probability }) => probability === null)).toBe(true);
});

test('a second batch leaves out the answers of the pilot and takes more where its labels differ', async () => {
  const answers = { passed: 200, failed: 200 };
  const { store, run, plan } = await planOf(answers, { labels: 40 });
  await createReview(store, plan);
  // People agree with all passes, and with half of the fails.
  const labels = plan.items.map(({ position, stratum }) =>
    buildLabel(`l${position}`, { item: position, value: stratum === 'passed' || position % 2 === 0 }),
  );
  await addReviewRecords(store.documents, { labels });
  const settings = { rubrics: [buildRubric()], labels: 100, ...head, id: 'task-2' } as const;
  const second = await planReview(store, run, { ...settings, draw: { type: 'neyman', pilot: 'task-1' } });
  expect(second.task.frame.excluded).toEqual([{ reason: 'labelled in the pilot', count: 40 }]);
  const [passed, failed] = second.task.strata.map(({ drawn }) => drawn);
  expect((passed ?? 0) + (failed ?? 0)).toBe(100);
  expect(failed).toBeGreaterThan(70);
  const before = new Set(plan.items.map(({ subject }) => subject.ordinal));
  expect(second.items.some(({ subject }) => before.has(subject.ordinal))).toBe(false);
});

test('a run without verdicts of the criterion is refused, except for draws that need none', async () => {
  const rubrics = [buildRubric({ criterion: 'politness' })] as const;
  await expect(planOf({ passed: 2, failed: 2 }, { rubrics })).rejects.toMatchObject({
    code: 'review-invalid',
    message: expect.stringContaining('Did you mean "politeness"?'),
  });
  const { plan } = await planOf({ passed: 2, failed: 2 }, { rubrics, draw: { type: 'random' } });
  expect(plan.task.strata).toEqual([{ name: 'all', size: 4, drawn: 4, targets: { bot: 4 } }]);
  await expect(planOf({ passed: 0, failed: 0, errors: 2 })).rejects.toMatchObject({
    message: expect.stringContaining('has no answers to label (no answer: 2)'),
  });
});

test('for notes, half of the answers are drawn where the scorecard failed them; answers without an outcome are not in the frame', async () => {
  const store = createMemoryStore();
  const plain = await storeReviewedRun(store, { passed: 30, failed: 10, unjudged: 2 });
  const settings = { rubrics: [makeRubric(notesRubric)], labels: 10, ...head } as const;
  await expect(planReview(store, plain, { ...settings, draw: { type: 'outcome' } })).rejects.toMatchObject({
    message: expect.stringContaining('has no scorecard'),
  });
  const scorecard = { use: { use: 'weighted' }, name: 'weighted', version: 1, fingerprint: 'f' };
  const scored = { ...plain, id: 'scored', scorecard } as unknown as typeof plain;
  await store.createRun(scored);
  const results = await Array.fromAsync(store.readResults(plain.id));
  const carded = results.map((result, index) => ({
    ...result,
    scorecard: index < 40 ? ({ total: 1, passed: index < 30 } as Result['scorecard']) : null,
  }));
  await store.addCases(
    scored.id,
    carded.map(({ case: testCase, trial }, position) => ({
      position,
      hash: trial.caseHash,
      place: 'p',
      case: testCase,
    })),
  );
  await store.addTrials(scored.id, carded);
  await store.addScores(scored.id, carded);
  const { task } = await planReview(store, scored, {
    ...settings,
    draw: { type: 'outcome' },
  });
  expect(task.strata).toEqual([
    { name: 'passed', size: 30, drawn: 5, targets: { bot: 30 } },
    { name: 'failed', size: 10, drawn: 5, targets: { bot: 10 } },
  ]);
  expect(task.frame.excluded).toEqual([{ reason: 'no outcome of the scorecard', count: 2 }]);
  const vectors = {
    fingerprint: 'e',
    embed: async (texts: readonly string[]) => texts.map((text) => (/[02468]$/.test(text) ? [1, 0] : [0, 1])),
  };
  const draw = { type: 'outcome', by: 'cluster' } as const;
  const clustered = await planReview(store, scored, { ...settings, vectors, draw });
  expect(clustered.task.draw).toEqual({ ...draw, clusters: { embedder: 'e', count: 8 } });
  expect(clustered.task.strata.map(({ name, size }) => `${name} ${size}`)).toEqual([
    'passed · cluster 1 15',
    'passed · cluster 2 15',
    'failed · cluster 1 5',
    'failed · cluster 2 5',
  ]);
});
