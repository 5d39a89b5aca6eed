import { expect, test } from 'vitest';
import { storeReviewedRun } from '../../../test/support/reviewed-run.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { buildRubric } from '../../../test/support/build-labels.ts';
import { addLabels, adjudicate, correct, skip, undo } from './give-labels.ts';
import { nextItems, readProgress, reveal } from './next-items.ts';
import { readView } from './read-view.ts';
import { deriveItems } from './review-view.ts';
import { createReview, planReview, type ReviewSettings } from './plan-review.ts';
import { releaseItems } from '../../stores/reviews/reservations.ts';
import { reviewTaskKind } from '../../stores/kinds/review-task.ts';
import { labelKind } from '../../stores/kinds/label.ts';
import { putDocuments } from '../../stores/documents/document-store.ts';

const task = 'task-1';
const morning = new Date('2026-01-03T09:00:00.000Z');
const after = (minutes: number) => new Date(morning.getTime() + minutes * 60_000);
const [ann, bob, cem] = ['ann', 'bob', 'cem'].map((person) => ({ person, now: morning })) as [
  Someone,
  Someone,
  Someone,
];
interface Someone {
  readonly person: string;
  readonly now: Date;
}

async function createTask(settings: Partial<ReviewSettings> = {}) {
  const store = createMemoryStore();
  const run = await storeReviewedRun(store, { passed: 4, failed: 4 });
  const head = { id: task, createdAt: morning.toISOString(), seed: 7, labels: 8, repeats: 0, controls: 0 };
  const plan = await planReview(store, run, { rubrics: [buildRubric()], ...head, ...settings });
  await createReview(store, plan);
  return { store, run, plan };
}

const answer = (item: number, value: boolean | null = true, id?: string) => ({
  item,
  labels: [{ rubric: 'tone', value }],
  seconds: 12,
  ...(id !== undefined && { id }),
});

test('an undo whose reply was lost is not done again, even if the item was labelled meanwhile', async () => {
  const { store } = await createTask();
  for (const item of [0, 1]) await addLabels(store, task, { ...ann, now: after(item) }, answer(item));
  const request = { id: 'undo-1' };
  expect(await undo(store, task, { ...ann, now: after(2) }, request)).toBe(1);
  expect(await undo(store, task, { ...ann, now: after(3) }, request)).toBe(1);
  await addLabels(store, task, { ...ann, now: after(4) }, answer(1, false));
  expect(await undo(store, task, { ...ann, now: after(5) }, { ...request, item: 1 })).toBe(1);
  expect(await readProgress(store, task, after(5))).toMatchObject({ given: 2 });
  // Another person's request of that id is another request.
  expect(await undo(store, task, { ...bob, now: after(6) }, request)).toBeUndefined();
  expect(await undo(store, task, { ...ann, now: after(7) }, { id: 'undo-2' })).toBe(1);
  expect(await readProgress(store, task, after(7))).toMatchObject({ given: 1 });
});

test('a card shows the conversation, and nothing of judge, score, target, stratum or other labels', async () => {
  const { store, plan } = await createTask();
  const { cards } = await nextItems(store, task, ann, 1);
  const [card] = cards;
  const ordinal = plan.items[card?.item as number]?.subject.ordinal;
  expect(cards).toEqual([
    {
      item: card?.item,
      purpose: 'new',
      until: after(15).toISOString(),
      transcript: [
        { role: 'user', content: `question ${ordinal}` },
        { role: 'assistant', content: `answer ${ordinal}` },
      ],
      answer: `answer ${ordinal}`,
      context: 'for reviewers',
    },
  ]);
  const words = { maySeeContext: false, maySeeExpected: true };
  const other = await createTask({ rubrics: [buildRubric(words)] });
  const [shown] = (await nextItems(other.store, task, ann, 1)).cards;
  expect(shown).toMatchObject({ expected: { answer: 'politely' } });
  expect(shown).not.toHaveProperty('context');
});

test('two people work through a task without ever having the same item', async () => {
  const { store } = await createTask();
  const seen: number[] = [];
  for (let turn = 0; turn < 8; turn += 1) {
    const person = turn % 2 === 0 ? ann : bob;
    const { cards } = await nextItems(store, task, person, 3);
    const others = (await nextItems(store, task, person === ann ? bob : ann, 3)).cards;
    expect(cards.filter(({ item }) => others.some((other) => other.item === item))).toEqual([]);
    const [card] = cards;
    if (card === undefined) continue;
    seen.push(card.item);
    await addLabels(store, task, person, answer(card.item));
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(await readProgress(store, task, morning)).toMatchObject({ given: seen.length });
});

test('of the last items a person holds no more than half, so that another one need not wait', async () => {
  const { store, plan } = await createTask();
  const held = async (person: typeof ann) => {
    const { cards, hasMore } = await nextItems(store, task, person, 4);
    return { items: cards.map(({ item }) => item), hasMore };
  };
  const all = plan.items.length;
  expect(all).toBe(8);
  const own = new Map<number, [number, boolean]>();
  for (let left = all; left > 0; left -= 1) {
    const { items, hasMore } = await held(ann);
    own.set(left, [items.length, hasMore]);
    const [first = -1] = items;
    await addLabels(store, task, ann, answer(first));
    if (left === 4) expect((await held(bob)).items).toHaveLength(1);
    await releaseItems(store.documents, { task, person: 'bob' });
  }
  expect(Object.fromEntries(own)).toEqual({
    8: [4, true],
    7: [4, true],
    6: [3, true],
    5: [3, true],
    4: [2, true],
    3: [2, true],
    2: [1, true],
    1: [1, false],
  });
  expect(await held(ann)).toEqual({ items: [], hasMore: false });
});

test('a label records who gave it, when, blind, in how long, and how its answer was drawn', async () => {
  const { store, plan } = await createTask();
  const [card] = (await nextItems(store, task, ann)).cards;
  const item = card?.item as number;
  const given = { ...answer(item), labels: [{ rubric: 'tone', value: false, note: 'short' }], order: 3 };
  const [label] = await addLabels(store, task, ann, given);
  const { subject, stratum, probability } = plan.items[item] as (typeof plan.items)[number];
  expect(label).toEqual({
    id: expect.stringMatching(/^[\da-f]{32}$/),
    subject,
    rubric: { id: 'tone', version: buildRubric().version },
    kind: 'label',
    purpose: 'new',
    outcome: { status: 'answered', value: false },
    note: 'short',
    by: { person: 'ann', role: 'reviewer' },
    at: morning.toISOString(),
    seconds: 12,
    blind: { verdict: 'hidden', score: 'hidden', others: 'hidden', target: 'hidden' },
    task,
    item,
    draw: { frame: plan.task.frame.hash, stratum, probability, seed: 7 },
    order: 3,
  });
  expect(await Array.fromAsync(store.documents.list(labelKind))).toEqual([label]);
});

test('the same answer that is sent again, later, is stored once; a differing one is refused', async () => {
  const { store } = await createTask();
  const first = await addLabels(store, task, ann, answer(0, true, 'x'));
  expect(await addLabels(store, task, { ...ann, now: after(1) }, answer(0, true, 'x'))).toEqual(first);
  await expect(addLabels(store, task, ann, answer(0, false, 'x'))).rejects.toMatchObject({
    code: 'label-conflict',
  });
  await expect(addLabels(store, task, ann, answer(0))).rejects.toMatchObject({ code: 'label-refused' });
  expect(await store.documents.count(labelKind)).toBe(1);
});

test('values that are not on the scale, and answers that lack a rubric, are refused', async () => {
  const second = buildRubric({ id: 'warmth', scale: { type: 'ordinal', anchors: ['cold', 'warm'] } });
  const { store } = await createTask({ rubrics: [buildRubric(), second] });
  const labels = (tone: unknown, warmth?: unknown) => ({
    item: 0,
    labels: [
      { rubric: 'tone', value: tone as boolean },
      ...(warmth === undefined ? [] : [{ rubric: 'warmth', value: warmth as number }]),
    ],
  });
  const refused = (text: string) => ({ code: 'review-invalid', message: expect.stringContaining(text) });
  const give = async (...values: [unknown, unknown?]) => await addLabels(store, task, ann, labels(...values));
  await expect(give(true)).rejects.toMatchObject(refused('The rubric warmth has no answer'));
  await expect(give('yes', 1)).rejects.toMatchObject(refused('"yes" is no answer to the rubric tone'));
  await expect(give(true, 3)).rejects.toMatchObject(refused('it asks for a number from 1 to 2'));
  await expect(give(null, 1)).rejects.toMatchObject(refused('"not applicable" is no answer'));
  expect(await give(true, 2)).toHaveLength(2);
  expect(await readProgress(store, task, morning)).toMatchObject({ given: 1, states: { settled: 1 } });
});

test('undo withdraws the last label of a person and offers its item again', async () => {
  const { store } = await createTask();
  expect(await undo(store, task, ann)).toBeUndefined();
  await addLabels(store, task, ann, answer(0));
  await addLabels(store, task, { ...ann, now: after(1) }, answer(1));
  expect(await undo(store, task, { ...ann, now: after(2) })).toBe(1);
  expect((await nextItems(store, task, { ...ann, now: after(2) }, 1)).cards[0]?.item).toBe(1);
  await expect(addLabels(store, task, { ...bob, now: after(2) }, answer(1))).rejects.toMatchObject({
    message: expect.stringContaining('another person'),
  });
  await addLabels(store, task, { ...ann, now: after(3) }, answer(1, false));
  const progress = await readProgress(store, task, after(3));
  expect(progress).toMatchObject({ given: 2 });
  expect(await store.documents.count(labelKind)).toBe(4);
});

test('undoing and correcting are done once when the same request is sent again', async () => {
  const { store } = await createTask();
  for (const item of [0, 1]) await addLabels(store, task, { ...ann, now: after(item) }, answer(item));
  expect(await undo(store, task, { ...ann, now: after(2) }, { item: 1 })).toBe(1);
  expect(await undo(store, task, { ...ann, now: after(3) }, { item: 1 })).toBeUndefined();
  expect(await readProgress(store, task, after(3))).toMatchObject({ given: 1 });
  const correction = {
    item: 0,
    label: { rubric: 'tone', value: false },
    finding: 'own-error',
    id: 'x',
  } as const;
  const { id } = await correct(store, task, { ...ann, now: after(4) }, correction);
  expect(await correct(store, task, { ...ann, now: after(5) }, correction)).toMatchObject({ id });
  expect(await store.documents.count(labelKind)).toBe(4);
});

test('a skipped item goes to others', async () => {
  const { store } = await createTask();
  await skip(store, task, ann, { item: 0, reason: 'no-expertise', note: 'law' });
  const seen: Record<string, number[]> = { ann: [], bob: [] };
  for (const who of [ann, bob]) {
    for (;;) {
      const [card] = (await nextItems(store, task, who, 8)).cards;
      if (card === undefined) break;
      seen[who.person]?.push(card.item);
      await addLabels(store, task, who, answer(card.item));
    }
  }
  expect(seen['ann']?.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(seen['bob']).toEqual([0]);
});

test('a dispute is decided by a third person, who sees the labels without names', async () => {
  const { store } = await createTask({ overlap: { people: 2, share: 1 } });
  await addLabels(store, task, ann, answer(0));
  await expect(adjudicate(store, task, cem, answer(0, false))).rejects.toMatchObject({
    message: 'Item 1 of the review task task-1 is not disputed.',
  });
  await addLabels(store, task, bob, {
    ...answer(0, false),
    labels: [{ rubric: 'tone', value: false, note: 'curt' }],
  });
  const asAdjudicator = (who: Someone) => ({ ...who, role: 'adjudicator' as const });
  expect((await nextItems(store, task, asAdjudicator(ann))).cards).toEqual([]);
  const { cards } = await nextItems(store, task, asAdjudicator(cem));
  expect(cards).toMatchObject([{ item: 0, purpose: 'dispute' }]);
  expect(cards[0]?.others).toHaveLength(2);
  expect(JSON.stringify(cards[0]?.others)).not.toMatch(/ann|bob/);
  expect(await readProgress(store, task, after(20))).toMatchObject({
    disputed: [0],
    states: { disputed: 1 },
  });
  const [label] = await adjudicate(store, task, cem, answer(0, false));
  expect(label).toMatchObject({
    kind: 'adjudication',
    by: { role: 'adjudicator' },
    blind: { others: 'shown' },
  });
  expect(await readProgress(store, task, morning)).toMatchObject({ disputed: [], states: { settled: 1 } });
});

test('the verdict of the judge is revealed after the label alone, and a correction is recorded as such', async () => {
  const { store, plan } = await createTask();
  await expect(reveal(store, task, ann, 0)).rejects.toMatchObject({ code: 'label-refused' });
  const [first] = await addLabels(store, task, ann, answer(0));
  const passed = plan.items[0]?.stratum === 'passed';
  expect(await reveal(store, task, ann, 0)).toMatchObject({
    target: 'bot',
    verdicts: [{ rubric: 'tone', verdict: { passed, explanation: 'judged so' } }],
    others: [],
  });
  const correction = await correct(
    store,
    task,
    { ...ann, now: after(1) },
    {
      item: 0,
      label: { rubric: 'tone', value: false },
      finding: 'own-error',
    },
  );
  expect(correction).toMatchObject({
    kind: 'correction',
    replaces: first?.id,
    finding: 'own-error',
    blind: { verdict: 'shown', others: 'shown' },
  });
  const [derived] = deriveItems(await readView(store.documents, task), morning);
  expect(derived?.settlements).toMatchObject([{ value: false, isBlind: false }]);
  expect(await undo(store, task, { ...ann, now: after(2) })).toBe(0);
  const [undone] = deriveItems(await readView(store.documents, task), morning);
  expect(undone?.settlements).toMatchObject([{ value: true, isBlind: true }]);
});

test('a task can be for some people only, and a closed one takes no labels', async () => {
  const { store, plan } = await createTask({ people: ['ann'], adjudicators: ['cem'] });
  const refused = { code: 'label-refused' };
  await expect(nextItems(store, task, bob)).rejects.toMatchObject(refused);
  await expect(addLabels(store, task, bob, answer(0))).rejects.toMatchObject(refused);
  await expect(adjudicate(store, task, ann, answer(0))).rejects.toMatchObject(refused);
  await expect(nextItems(store, task, { ...ann, person: 'a\u001bnn' })).rejects.toMatchObject({
    code: 'review-invalid',
  });
  await putDocuments(store.documents, reviewTaskKind, [{ ...plan.task, status: 'closed' }]);
  await expect(addLabels(store, task, ann, answer(0))).rejects.toMatchObject(refused);
});

test('items whose run was deleted or whose answer was replaced are passed over and counted', async () => {
  const { store, run, plan } = await createTask();
  const [first] = (await nextItems(store, task, ann, 1)).cards;
  await releaseItems(store.documents, { task, person: 'ann' });
  const replaced = first?.item ?? -1;
  const ordinal = plan.items[replaced]?.subject.ordinal ?? -1;
  const [result] = await Array.fromAsync(store.readResults(run.id, [ordinal]));
  if (result === undefined) throw new Error('no result');
  const trial = { ...result.trial, answer: 'another', transcript: [] };
  await store.addTrials(run.id, [{ case: result.case, trial }]);
  const { cards, gone } = await nextItems(store, task, ann, 8);
  expect(cards.map(({ item }) => item)).not.toContain(replaced);
  expect(cards).toHaveLength(3);
  expect(gone).toBe(1);
  await store.deleteRun(run.id);
  expect(await nextItems(store, task, { ...bob, now: after(20) }, 3)).toEqual({
    cards: [],
    gone: 8,
    hasMore: false,
  });
});

test('a value that needs a note is refused without one', async () => {
  const { store } = await createTask({ rubrics: [buildRubric({ noteOn: [false] })] });
  await expect(addLabels(store, task, ann, answer(0, false))).rejects.toMatchObject({
    code: 'review-invalid',
    message: 'The rubric tone asks for a note with the answer false.',
  });
  const noted = { item: 0, labels: [{ rubric: 'tone', value: false, note: 'curt' }] };
  expect(await addLabels(store, task, ann, noted)).toHaveLength(1);
  expect(await addLabels(store, task, ann, answer(1, true))).toHaveLength(1);
});
