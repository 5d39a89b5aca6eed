import { expect, test } from 'vitest';
import { buildSubject } from '../../testing/build-labels.ts';
import { chooseSplit, halfOf, type TuningFacts } from './split.ts';

test('cases fall in halves by their content, all answers to one case in the same', () => {
  const halves = Array.from({ length: 2000 }, (_, index) => halfOf(buildSubject(index)));
  const tuning = halves.filter((half) => half === 'tune').length;
  // Four standard deviations of 2,000 throws of a coin.
  expect(Math.abs(tuning - 1000)).toBeLessThan(90);
  const other = buildSubject(0, { trialKey: 'x', answerHash: 'y', target: 'v2', attempt: 3 });
  expect(halfOf(other)).toBe(halves[0]);
});

test.each([
  ['the same as when the answers were drawn', {}, 'all'],
  [
    'another than when the answers were drawn',
    { task: { judged: [{ metric: 'tone', fingerprint: 'old' }] } },
    'certify',
  ],
  ['of a run that is gone, where the task says so', { labelled: undefined }, 'all'],
  ['of a run that is gone', { task: {}, labelled: undefined }, 'certify'],
  ['said to be tuned', { isTuned: true }, 'certify'],
  ['prompted with items for tuning', { tuningItemsInPrompt: 2 }, 'certify'],
] as readonly [string, Partial<TuningFacts>, string][])('a judge that is %s', (_, facts, part) => {
  const split = chooseSplit({
    task: { judged: [{ metric: 'tone', fingerprint: 'same' }] },
    metric: { name: 'tone', fingerprint: 'same' },
    labelled: 'same',
    isTuned: false,
    tuningItemsInPrompt: 0,
    ...facts,
  });
  expect(split.part).toBe(part);
});
