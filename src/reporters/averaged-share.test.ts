import { expect, test } from 'vitest';
import { sampleView } from '../testing/build-sample-run.ts';
import { type GatedCase, runScores } from '../testing/gated-run.ts';
import { markdown } from './markdown.ts';
import type { Reporter } from './reporter.ts';
import { terminal } from './terminal.ts';

async function reportOf(reporter: Reporter, cases: readonly GatedCase[]): Promise<string> {
  const { run, store } = await runScores(cases);
  if (run.summary === undefined) throw new Error('the run has a summary');
  const input = { run, summary: run.summary, results: () => store.readResults(run.id) };
  return (await Array.fromAsync(reporter.report(input, sampleView({ width: 120 })))).join('');
}

const note =
  'Counts are of attempts; shares are means over questions, each with its attempts averaged first.';

test('shares that are not those of the counts beside them say what they are of', async () => {
  // 2 of 4 attempts passed, and by question (1/1 + 1/3) / 2.
  const uneven = [{ scores: [1, null, null] }, { scores: [1, 0, 0] }];
  const told = await reportOf(terminal, uneven);
  expect(told).toMatch(/Passed {2}2 of 4 {2}66\.7 %/);
  expect(told).toContain(note);
  expect(await reportOf(markdown, uneven)).toMatch(new RegExp(`passed 2 of 4, 66\\.7 %[^]*${note}`));
});

test('where counts and shares agree there is nothing to say', async () => {
  expect(await reportOf(terminal, [{ scores: [1, 1, 0] }, { scores: [1, 0, 0] }])).not.toContain(note);
  expect(await reportOf(terminal, [{ scores: [1] }, { scores: [null] }])).not.toContain(note);
});
