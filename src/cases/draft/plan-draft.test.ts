import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planDraft, shareOut, usualMix } from './plan-draft.ts';

const filler = 'and this goes on for some more words so that there is enough of it to ask about it';
const passage = (document: string, number: number, about: string) => ({
  id: `${document}#${number}`,
  document,
  headings: [],
  text: `The ${about} of ${document} number ${number} is fixed, ${filler}.`,
});

const passages = [
  ...Array.from({ length: 9 }, (_, index) => passage('long', index + 1, 'rent')),
  passage('short', 1, 'rent'),
  passage('other', 1, 'insurance'),
];

test('documents take turns, so that a long one does not get all questions', () => {
  const { tasks } = planDraft(passages, { count: 3, mix: { fact: 1 }, seed: 1 });
  expect(new Set(tasks.map((task) => task.passages[0]?.document))).toEqual(
    new Set(['long', 'other', 'short']),
  );
  expect(tasks.every(({ questions }) => questions === 1)).toBe(true);
});

test('the passages of a question about several documents are of two documents', () => {
  const { tasks } = planDraft(passages, { count: 8, mix: { 'multi-document': 1 }, seed: 1 });
  expect(tasks.length).toBeGreaterThan(1);
  for (const task of tasks) expect(new Set(task.passages.map(({ document }) => document)).size).toBe(2);
  const pairs = tasks.map((task) => JSON.stringify(task.passages.map(({ id }) => id).toSorted()));
  expect(new Set(pairs).size).toBe(pairs.length);
});

test('what the documents have no room for is said, not repeated', () => {
  const { tasks, notices } = planDraft([passage('only', 1, 'rent')], { count: 10, mix: usualMix, seed: 1 });
  expect(tasks.map(({ kind, questions }) => [kind, questions])).toEqual([
    ['fact', 3],
    ['comparison', 1],
    ['unanswerable', 3],
  ]);
  expect(notices).toEqual([
    'Questions about several documents need two of them.',
    'The documents have room for 7 of 10 questions.',
  ]);
});

test('a passage of a few words is not asked about', () => {
  const { tasks, notices } = planDraft([{ id: 'a#1', document: 'a', headings: [], text: 'See below.' }], {
    count: 2,
    mix: usualMix,
    seed: 1,
  });
  expect(tasks).toEqual([]);
  expect(notices[0]).toBe('1 of 1 passages are too short to ask about.');
});

test('the same seed plans the same, another seed other passages', () => {
  const plan = (seed: number) =>
    planDraft(passages, { count: 4, mix: { fact: 1 }, seed }).tasks.map((task) => task.passages[0]?.id);
  expect(plan(7)).toEqual(plan(7));
  expect(new Set([1, 2, 3, 4].map((seed) => plan(seed).join())).size).toBeGreaterThan(1);
});

test('shares add up to the whole, and differ from the exact ones by less than 1', () => {
  const weights = fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(fc.nat({ max: 500 }), weights, (count, given) => {
      const total = given.reduce((sum, weight) => sum + weight, 0);
      fc.pre(total > 0);
      const shares = shareOut(count, new Map(given.entries()));
      expect(shares.values().reduce((sum, share) => sum + share, 0)).toBe(count);
      for (const [index, weight] of given.entries())
        expect(Math.abs((shares.get(index) ?? 0) - (count * weight) / total)).toBeLessThan(1);
    }),
  );
});
