import { expect, test } from 'vitest';
import { markdown } from '../reporters/markdown.ts';
import type { Reporter } from '../reporters/reporter.ts';
import { terminal } from '../reporters/terminal.ts';
import { notRecordedCode } from '../../core/schema/trial.ts';
import { TargetFailure } from '../../evaluate/targets/target.ts';
import { buildTarget, resolvedTarget } from '../../../test/support/build-evaluation.ts';
import { sampleView } from '../../../test/support/build-sample-run.ts';
import { type GatedCase, type GatedRunOptions, runScores } from '../../../test/support/gated-run.ts';
import { judgeParts } from './overview.ts';

async function reportOf(
  reporter: Reporter,
  cases: readonly GatedCase[],
  options: GatedRunOptions = {},
): Promise<string> {
  const { run, store } = await runScores(cases, options);
  if (run.summary === undefined) throw new Error('the run has a summary');
  const input = { run, summary: run.summary, results: () => store.readResults(run.id) };
  return (await Array.fromAsync(reporter.report(input, sampleView({ width: 120 })))).join('');
}

const note =
  'Counts are of attempts; shares are means over questions, each with its attempts averaged first.';

test('shares that differ from the counts beside them are explained', async () => {
  // 2 of 4 attempts passed, and by question (1/1 + 1/3) / 2.
  const uneven = [{ scores: [1, null, null] }, { scores: [1, 0, 0] }];
  const report = await reportOf(terminal, uneven);
  expect(report).toMatch(/Passed {2}2 of 4 {2}66\.7 %/);
  expect(report).toContain(note);
  expect(await reportOf(markdown, uneven)).toMatch(new RegExp(`Passed . 2 of 4 . 66\\.7 %[^]*${note}`));
});

test('errors are counted over the same trials as the error rate', async () => {
  const target = buildTarget(async ({ caseId }) => {
    if (caseId === 'q0') return { answer: 'yes', toolCalls: [] };
    throw new TargetFailure(caseId === 'q1' ? 'target-threw' : notRecordedCode, 'no answer');
  });
  const cases = Array.from({ length: 4 }, () => ({ scores: [1] }));
  const report = await reportOf(terminal, cases, {
    evaluation: { targets: [resolvedTarget('bot', target)] },
  });
  expect(report).toMatch(/Errors {2}1 of 2 +50\.0 %/);
  expect(report).toContain('2 not measured (2 without a recorded answer)');
});

test('shares that agree with the counts have no note', async () => {
  expect(await reportOf(terminal, [{ scores: [1, 1, 0] }, { scores: [1, 0, 0] }])).not.toContain(note);
  expect(await reportOf(terminal, [{ scores: [1] }, { scores: [null] }])).not.toContain(note);
});

const nothing = { sum: null, reported: 0, unknown: 0 };

test('the usage of judging is listed separately, and an unknown cost is not 0', () => {
  const parts = judgeParts({
    asked: 1200,
    cached: 30,
    failed: 2,
    calls: 1203,
    inputTokens: { sum: 400_000, reported: 1203, unknown: 0 },
    outputTokens: { sum: 52_000, reported: 1203, unknown: 0 },
    cost: { sum: 0.5, reported: 1200, unknown: 3 },
  });
  expect(parts).toEqual([
    '1,200 judgements in 1,203 calls',
    '30 reused, not paid again',
    '400,000 tokens in',
    '52,000 tokens out',
    '$0.50',
    'cost unknown for 3 calls',
    '2 verdicts missing because the judge failed',
  ]);
});

test('a run that reused all judgements cost nothing', () => {
  const judge = {
    asked: 0,
    cached: 5,
    failed: 0,
    calls: 0,
    inputTokens: nothing,
    outputTokens: nothing,
    cost: nothing,
  };
  expect(judgeParts(judge)).toEqual(['0 judgements in 0 calls', '5 reused, not paid again']);
});
