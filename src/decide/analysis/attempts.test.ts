import { expect, test } from 'vitest';
import type { Outcome } from '../../core/schema/result.ts';
import { certainOutcomes, weightAttempts } from './attempts.ts';

const rule = { passes: 3, isCurtailed: true };

/** Yields the attempts at cases of a plan with four each: passed, failed, or not measured. Batches of three split cases. */
async function* outcomesOf(cases: readonly string[]): AsyncGenerator<Outcome[]> {
  const outcomes = cases.flatMap((marks, position) =>
    Array.from(marks, (mark, place): Outcome => {
      const isMeasured = mark !== '!';
      return {
        case: {},
        trial: {
          ordinal: position * 4 + place,
          caseId: `q${position}`,
          target: 'bot',
          status: isMeasured ? 'completed' : 'failed',
          retries: 0,
        },
        verdicts: {},
        scorecard: {
          total: isMeasured ? 1 : null,
          lower: 0,
          upper: 1,
          grade: null,
          passed: isMeasured ? mark === '+' : null,
        },
      };
    }),
  );
  for (let from = 0; from < outcomes.length; from += 3) yield outcomes.slice(from, from + 3);
}

const weightsOf = async (cases: readonly string[], parts: object = {}) =>
  (await Array.fromAsync(weightAttempts({ attempts: 4, caseRule: rule, ...parts }, outcomesOf(cases))))
    .flat()
    .map(({ weight, notNeeded }) => (notNeeded === undefined ? weight : [weight, notNeeded]));

const close = (weight: number) => expect.closeTo(weight, 12);

test('weights keep the mean unbiased when a case was settled early, and attempts not needed are recorded once', async () => {
  // Of the two attempts before the last, one passed and one failed: each represents two of the four.
  expect(await weightsOf(['+--'])).toEqual([[close(2), 1], close(1), close(1)]);
  expect(await weightsOf(['+++', '++-+'])).toEqual([
    [close(4 / 3), 1],
    close(4 / 3),
    close(4 / 3),
    ...[8 / 9, 8 / 9, 4 / 3, 8 / 9].map(close),
  ]);
});

test('attempts at an undecided case keep their weight', async () => {
  expect(await weightsOf(['+-', '+'])).toEqual([1, 1, 1]);
});

test('attempts after the case was settled, as when a judge is asked again, have no weight', async () => {
  expect(await weightsOf(['+++-'])).toEqual([close(4 / 3), close(4 / 3), close(4 / 3), 0]);
});

test('attempts that were not measured keep their share of the weight', async () => {
  expect(await weightsOf(['!+--'])).toEqual([4 / 3, 4 / 3, 2 / 3, 2 / 3].map(close));
});

test('in a run scored by other rules, only the attempts that every case has count', async () => {
  expect(await weightsOf(['+--', '+++'], { rescoredFrom: 'other' })).toEqual([[2, 1], 2, 0, [2, 1], 2, 0]);
});

test('without early stopping, outcomes are passed through', async () => {
  expect(await weightsOf(['+--+'], { caseRule: { ...rule, isCurtailed: false } })).toEqual(
    Array.from({ length: 4 }, () => undefined),
  );
});

test('with early stopping, attempts that cannot settle a case on their own are certain', async () => {
  const certain = await Array.fromAsync(
    certainOutcomes({ attempts: 4, caseRule: rule }, outcomesOf(['+--', '+++'])),
  );
  expect(certain.flat().map(({ trial }) => trial.ordinal)).toEqual([0, 1, 4, 5]);
});
