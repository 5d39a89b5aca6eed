import { expect, test } from 'vitest';
import type { Outcome } from '../schema/result.ts';
import { certainOutcomes, weighAttempts } from './attempts.ts';

const rule = { passes: 3, isCurtailed: true };

/** The attempts at cases of a plan with four each: passed, failed, or not measured. Three at a time tear cases apart. */
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
  (await Array.fromAsync(weighAttempts({ attempts: 4, caseRule: rule, ...parts }, outcomesOf(cases))))
    .flat()
    .map(({ weight, notNeeded }) => (notNeeded === undefined ? weight : [weight, notNeeded]));

const close = (weight: number) => expect.closeTo(weight, 12);

test('the attempt that settled the case counts for the others before it, and what was not needed is told once', async () => {
  // Of the two attempts before the last, one passed and one failed: each stands for two of the four.
  expect(await weightsOf(['+--'])).toEqual([[close(2), 1], close(1), close(1)]);
  expect(await weightsOf(['+++', '++-+'])).toEqual([
    [close(4 / 3), 1],
    close(4 / 3),
    close(4 / 3),
    ...[8 / 9, 8 / 9, 4 / 3, 8 / 9].map(close),
  ]);
});

test('a case that is still open is as it is', async () => {
  expect(await weightsOf(['+-', '+'])).toEqual([1, 1, 1]);
});

test('what came after the case was settled, as when a judge is asked again, counts for nothing', async () => {
  expect(await weightsOf(['+++-'])).toEqual([close(4 / 3), close(4 / 3), close(4 / 3), 0]);
});

test('attempts that were not measured stand for their share', async () => {
  expect(await weightsOf(['!+--'])).toEqual([4 / 3, 4 / 3, 2 / 3, 2 / 3].map(close));
});

test('scored by other rules, only the attempts that every case has count', async () => {
  expect(await weightsOf(['+--', '+++'], { rescoredFrom: 'other' })).toEqual([[2, 1], 2, 0, [2, 1], 2, 0]);
});

test('without curtailing, outcomes come as they are', async () => {
  expect(await weightsOf(['+--+'], { caseRule: { ...rule, isCurtailed: false } })).toEqual(
    Array.from({ length: 4 }, () => undefined),
  );
});

test('of curtailed attempts, those are certain that settle no case by themselves', async () => {
  const certain = await Array.fromAsync(
    certainOutcomes({ attempts: 4, caseRule: rule }, outcomesOf(['+--', '+++'])),
  );
  expect(certain.flat().map(({ trial }) => trial.ordinal)).toEqual([0, 1, 4, 5]);
});
