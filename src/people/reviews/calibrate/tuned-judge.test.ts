import { buildSubject } from '../../../../test/support/build-labels.ts';
import { expect, test } from 'vitest';
import { type TuningFacts, chooseSplit, findLeaks, halfOf, textsIn } from './tuned-judge.ts';

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

const item = {
  caseId: 'refund',
  question: 'How do I get my money back?',
  answer: 'Within 30 days, by the form on our page.',
};

test('a question or an answer in a prompt is found, whatever its spaces and capitals', () => {
  const asks = (prompt: string) =>
    findLeaks([prompt], [item]).map(({ caseId, text }) => `${caseId}: ${text}`);
  expect(asks('Example: "HOW do I get\n  my money back?" is good.')).toEqual(['refund: question']);
  expect(asks('Pass "within 30 days, by the form on our page."')).toEqual(['refund: answer']);
  expect(asks('Pass "within 30 days, by the form on our page."')).toEqual(['refund: answer']);
  expect(asks('Show how do I get my money backwards.')).toEqual([]);
  expect(asks('Pass answers that say how to get money back.')).toEqual([]);
});

test('short texts are no proof', () => {
  const short = { ...item, question: 'Hours?', answer: "I don't know." };
  expect(findLeaks(["Fail answers such as I don't know. Hours? Fail."], [short])).toEqual([]);
});

test('texts are searched for anywhere in the settings of a metric', () => {
  const use = { use: 'rubric', text: 'one', examples: [{ answer: 'two', score: 1 }], together: true };
  expect([...textsIn(use)]).toEqual(['rubric', 'one', 'two']);
});
