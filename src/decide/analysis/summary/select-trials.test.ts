import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Outcome } from '../../../core/schema/result.ts';
import type { Selection } from '../../../core/schema/selection.ts';
import { buildRun } from '../../../library/testing/build-records.ts';
import { createLowest, createTrialSelection } from './select-trials.ts';

const card = { total: 1, lower: 1, upper: 1, grade: null, passed: true };

const scorecard = {
  name: 'card',
  use: { use: 'weighted' },
  version: 1,
  criteria: [],
  grades: [],
  passMark: 0.6,
};

function outcome(ordinal: number, changes: Partial<Outcome> = {}, caseId = `q-${ordinal}`): Outcome {
  const trial = { ordinal, caseId, target: 'bot', status: 'completed', retries: 0 } as const;
  return { case: {}, trial, verdicts: {}, scorecard: card, ...changes };
}

function select(outcomes: readonly Outcome[], targets = 1): Selection {
  const [target] = buildRun().targets;
  if (target === undefined) throw new Error('no target');
  const all = Array.from({ length: targets }, (_, number) => ({ ...target, name: `bot-${number}` }));
  const selection = createTrialSelection(buildRun({ targets: all, scorecard }));
  for (const one of outcomes) selection.add(one);
  return selection.summarize();
}

const failed = { scorecard: { ...card, total: 0.5, passed: false } };

test('all trials are counted, and only the first are kept', () => {
  const outcomes = Array.from({ length: 3000 }, (_, ordinal) =>
    outcome(
      ordinal,
      ordinal % 2 === 1 ? { ...failed, verdicts: { k: { status: 'scored', value: 0.2 } } } : {},
    ),
  );
  const { all, unresolved, shortfalls, errors } = select(outcomes);
  expect(all.count).toBe(3000);
  expect(all.ordinals).toEqual(Array.from({ length: 60 }, (_, ordinal) => ordinal));
  expect(unresolved.count).toBe(1500);
  expect(unresolved.ordinals).toEqual(Array.from({ length: 40 }, (_, place) => 2 * place + 1));
  expect(shortfalls.count).toBe(1500);
  expect(shortfalls.ordinals).toHaveLength(1000);
  expect(errors).toEqual({ count: 0, ordinals: [] });
});

test('the more targets share a report, the fewer trials of each are kept', () => {
  const outcomes = Array.from({ length: 500 }, (_, ordinal) => outcome(ordinal, failed));
  const { all, unresolved, questions } = select(outcomes, 10);
  const lengths = [all, unresolved, questions].map(({ ordinals }) => ordinals.length);
  expect(lengths).toEqual([6, 10, 10]);
});

test('a question counts once, however many of its attempts did not pass', () => {
  const { questions, unresolved } = select([
    outcome(0, {}, 'a'),
    outcome(1, failed, 'a'),
    outcome(2, failed, 'a'),
    outcome(3, failed, 'b'),
    outcome(4, {}, 'b'),
    outcome(5, failed, 'b'),
    outcome(6, failed, 'c'),
  ]);
  expect(questions).toEqual({ count: 3, ordinals: [1, 3, 6] });
  expect(unresolved.count).toBe(5);
});

test('shortfalls are listed by metric and category, apart from missing verdicts', () => {
  const short = (value: number) => ({ k: { status: 'scored', value } }) as const;
  const total = (value: number) => ({ ...card, total: value });
  const selection = select([
    outcome(0, { verdicts: short(0.5), case: { category: 'x' }, scorecard: total(0.7) }),
    outcome(1, { verdicts: short(0.1), case: { category: 'x' }, scorecard: total(0.9) }),
    outcome(2, { verdicts: short(1), case: { category: 'x' } }),
    outcome(3, { verdicts: { k: { status: 'failed' } }, scorecard: total(0.2) }),
    outcome(4, { verdicts: { k: { status: 'scored', value: 0.2, unit: 'ms' } } }),
    outcome(5, { verdicts: { k: { status: 'not-applicable' } } }),
  ]);
  expect(selection.shortfalls.ordinals).toEqual([0, 1, 3]);
  expect(selection.unmeasured).toEqual([{ metric: 'k', count: 1 }]);
  expect(selection.lowest).toEqual([{ metric: 'k', ids: ['q-1', 'q-0'] }]);
  expect(selection.lowestInCategory).toEqual([
    { category: 'x', ids: ['q-0', 'q-1'] },
    { category: 'uncategorized', ids: ['q-3'] },
  ]);
});

test('an error is no shortfall, but an error report in place of an answer is both', () => {
  const aspect = 'no-error';
  const metrics = [{ name: 'e', use: { use: 'mine' }, version: 1, fingerprint: '', aspect } as const];
  const selection = createTrialSelection(buildRun({ metrics }));
  const error = outcome(0, { scorecard: null });
  selection.add({ ...error, trial: { ...error.trial, status: 'failed', error: { code: 'timeout' } } });
  selection.add(outcome(1, { verdicts: { e: { status: 'scored', value: 0, passed: false } } }));
  const { errors, shortfalls } = selection.summarize();
  expect(errors.ordinals).toEqual([0, 1]);
  expect(shortfalls.ordinals).toEqual([1]);
});

test('the three lowest ids are kept, each by its lowest value and the first of equals first', () => {
  const offer = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), fc.integer({ min: 0, max: 4 }));
  fc.assert(
    fc.property(fc.array(offer), (offers) => {
      const lowest = createLowest();
      for (const [id, value] of offers) lowest.add(id, value);
      const inOrder = offers.toSorted(([, one], [, other]) => one - other).map(([id]) => id);
      expect(lowest.ids()).toEqual([...new Set(inOrder)].slice(0, 3));
    }),
  );
});
