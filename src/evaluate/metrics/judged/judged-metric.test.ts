import { expect, test } from 'vitest';
import { judgeAnswer } from '../../../../test/support/judge-answer.ts';
import { relevance } from './relevance.ts';

const samples = [0.5, 0.75, 1].map((score, index) => ({
  sample: index + 1,
  reply: { reason: `reason ${score}`, score },
}));

test('the value of several samples is their mean, with the spread and every ballot as evidence', async () => {
  const { verdict, questions } = await judgeAnswer(relevance, 'x', {
    options: { samples: 3 },
    rules: samples,
  });
  expect(questions.map(({ sample }) => sample)).toEqual([1, 2, 3]);
  expect(verdict).toMatchObject({
    value: 0.75,
    explanation: '3 ballots, from 0.5 to 1. reason 0.75',
    evidence: {
      standardDeviation: 0.25,
      least: 0.5,
      most: 1,
      ballots: samples.map(({ sample, reply: { reason, score } }) => ({
        judge: 'scripted',
        sample,
        value: score,
        reason,
      })),
    },
    judgements: [expect.any(String), expect.any(String), expect.any(String)],
  });
});

test('one failed sample leaves the verdict unmeasured, and answered samples are still listed', async () => {
  const rules = [{ sample: 2, fail: 'timeout' }, ...samples];
  const { verdict } = await judgeAnswer(relevance, 'x', { options: { samples: 3 }, rules });
  expect(verdict).toMatchObject({
    status: 'failed',
    code: 'judge-timeout',
    reason: '1 of 3 samples failed: as the rule says',
    judgements: [expect.any(String), expect.any(String)],
  });
});

test('a computed metric that decides saves the call of the judge, and the explanation names it', async () => {
  const options = { decidedBy: [{ metric: 'exact-match', atLeast: 1, score: 1 }], threshold: 0.5 };
  const expected = { answer: 'Paris' };
  const spared = await judgeAnswer(relevance, ' paris', { options, case: { expected } });
  expect(spared.questions).toEqual([]);
  expect(spared.verdict).toEqual({
    status: 'scored',
    value: 1,
    passed: true,
    explanation: 'decided without the judge: exact-match is 1',
    evidence: { decidedBy: 'exact-match', value: 1 },
  });
  const asked = await judgeAnswer(relevance, 'It is Paris', { options, case: { expected } });
  expect(asked.questions).toHaveLength(1);
  const undecided = await judgeAnswer(relevance, 'Paris', { options });
  expect(undecided.questions).toHaveLength(1);
});

test('rejects a rule that could never decide', async () => {
  const options = { decidedBy: [{ metric: 'exact-match', score: 1 }] };
  await expect(judgeAnswer(relevance, 'x', { options })).rejects.toThrow(/needs `atLeast` or `atMost`/);
});

test('rejects the metric without a judge, and says how to configure one', () => {
  const { definition } = relevance;
  expect(() => definition.create(definition.options.parse({}), {})).toThrow(
    expect.objectContaining({ code: 'judge-missing', remedy: expect.stringContaining('judge:') }),
  );
});

test('judges a missing answer as an empty one', async () => {
  const { questions } = await judgeAnswer(relevance, null);
  expect(questions[0]?.material.at(-1)).toEqual({ title: 'answer', text: '' });
});
