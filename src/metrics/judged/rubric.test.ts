import { expect, test } from 'vitest';
import { judgeAnswer } from '../../testing/judge-answer.ts';
import { rubric } from './rubric.ts';

const text = 'The answer names the street.';

test("a text of the user's own is the measure, and is no material", async () => {
  const { questions } = await judgeAnswer(rubric, 'x', {
    options: { text, reads: ['answer', 'final state'] },
  });
  expect(questions[0]?.instructions).toContain(text);
  expect(questions[0]?.material).toEqual([{ title: 'answer', text: 'x' }]);
});

test('yes is 1 and passes, no is 0 and does not', async () => {
  const judged = async (verdict: string) =>
    (
      await judgeAnswer(rubric, 'x', {
        options: { text, shape: 'verdict' },
        rules: [{ reply: { reason: 'so', verdict } }],
      })
    ).verdict;
  expect(await judged('yes')).toMatchObject({ value: 1, passed: true, explanation: 'so' });
  expect(await judged('no')).toMatchObject({ value: 0, passed: false });
});

test('several samples of a yes or no go by majority, and as many of each are neither', async () => {
  const rules = [
    { sample: 1, reply: { reason: 'lacks it', verdict: 'no' } },
    { reply: { reason: 'has it', verdict: 'yes' } },
  ];
  const judged = async (samples: number) =>
    (await judgeAnswer(rubric, 'x', { options: { text, shape: 'verdict', samples }, rules })).verdict;
  expect(await judged(3)).toMatchObject({
    value: 1,
    passed: true,
    evidence: { mean: expect.closeTo(2 / 3, 12) },
  });
  expect(await judged(2)).toMatchObject({ value: 0.5, passed: false });
});
