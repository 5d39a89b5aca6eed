import { expect, test } from 'vitest';
import { keywords } from '../../../evaluate/metrics/registry.ts';
import { scriptedJudge as scripted } from '../../../evaluate/judges/registry.ts';
import { weighted } from '../../../decide/scorecards/registry.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { evaluate } from './evaluate.ts';

const row = {
  question: 'What does the lamp cost?',
  expected_tools: ['price_list'],
  expected_keywords: ['49', 'dollars'],
};

test('one response is scored as a run would score it, under the names that a dataset and a bot may use', async () => {
  const { scorecard, verdicts, trial, judgements } = await evaluate(
    { answer: 'It costs 49.', tool_calls: ['price_list'] },
    row,
  );
  // 0.4 · 1 + 0.4 · 1/2 + 0.2 · 1
  expect(scorecard).toMatchObject({ total: expect.closeTo(0.8), grade: 'B', passed: true });
  expect(verdicts['response-quality']).toMatchObject({
    value: 0.5,
    evidence: { parts: { keywords: { evidence: { missing: ['dollars'] } } } },
  });
  expect(trial).toMatchObject({ status: 'completed', answer: 'It costs 49.' });
  // The answer was given before, so its latency is unknown, and is not scored.
  expect(verdicts['latency']?.status).not.toBe('scored');
  expect(judgements).toEqual([]);
});

test('what is not there is no member, as in a result that was stored', async () => {
  const evaluated = await evaluate('It costs 49.', row);
  expect(Object.keys(evaluated.trial)).not.toContain('error');
  expect(evaluated).toStrictEqual(JSON.parse(JSON.stringify(evaluated)));
});

test('the rules are those of a config, and a bad response or row is refused with the reason', async () => {
  const scorecard = weighted({ criteria: [{ metric: keywords(), weight: 1 }] });
  expect((await evaluate('49 dollars', row, { scorecard })).scorecard?.total).toBe(1);
  expect((await evaluate({ error: 'no key' }, row)).trial).toMatchObject({
    status: 'failed',
    error: { message: expect.stringContaining('no key') },
  });
  const failure = await evaluate('49', { expected_keywords: ['49'] }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(TouchstoneError);
  expect((failure as TouchstoneError).code).toBe('dataset-invalid');
});

test('judges are asked, and their judgements are returned', async () => {
  const judge = scripted({ rules: [{ reply: { reason: 'To the point.', score: 0.75 } }] });
  const { verdicts, judgements } = await evaluate('49', 'What?', {
    scorecard: null,
    metrics: ['relevance'],
    judge,
  });
  expect(verdicts['relevance']).toMatchObject({
    status: 'scored',
    value: 0.75,
    judgements: [judgements[0]?.id],
  });
});

test('what the row expects and nothing reads is named in the words of the headline', async () => {
  const found = async (given: object, options: Parameters<typeof evaluate>[2] = {}) =>
    (await evaluate('49 dollars', { question: 'What?', ...given }, options)).unread;
  const scorecard = weighted({ criteria: [{ metric: keywords(), weight: 1 }] });
  expect(await found({ expected_keywords: ['49'] }, { scorecard })).toEqual([]);
  expect(await found({ expected_keywords: ['49'], min_citations: 2 }, { scorecard })).toEqual([
    'the column "min_citations" of 1 question is read by no metric',
  ]);
  const both = { expected_keywords: ['49'], expected_tools: ['price_list'] };
  expect(await found(both, { scorecard })).toEqual(['1 of 1 lists of expected tools is read by no metric']);
  expect(await found(both, { scorecard, unread: ['tools'] })).toEqual([]);
});
