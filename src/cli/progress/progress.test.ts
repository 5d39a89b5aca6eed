import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { ScoredTrial } from '../../schema/scored-trial.ts';
import { buildCase, buildFailedTrial, buildRun, buildTrial } from '../../testing/build-records.ts';
import { createProgress } from './progress.ts';

const scored = (parts: Partial<ScoredTrial>): ScoredTrial => ({
  case: buildCase(),
  trial: buildTrial('yes', { cost: 0.5 }),
  verdicts: {},
  scorecard: { total: 0.5, lower: 0.5, upper: 0.5, grade: 'F', passed: false, explanation: '' },
  ...parts,
});

function watched(parts: { isTTY?: boolean; columns?: number }) {
  const stream = Object.assign(new PassThrough(), parts) as unknown as NodeJS.WriteStream;
  return {
    progress: createProgress({ spent: () => ({ targets: 0.5, judges: 0, users: 0 }), stream }),
    read: () => String((stream as unknown as PassThrough).read() ?? ''),
  };
}

const run = buildRun({
  dataset: { sources: ['a.jsonl'], cases: 4, hash: 'x' },
  attempts: 2,
  settings: { concurrency: 8, timeLimitMs: 60_000, maxRetries: 2, maxCost: 5 },
});

test('a terminal shows a few lines that renew themselves, fit its width and are wiped at the end', async () => {
  const { progress, read } = watched({ isTTY: true, columns: 30 });
  progress.keep([scored({})]);
  progress.begin(run);
  progress.call(1);
  progress.add([scored({}), scored({ trial: buildFailedTrial('timeout', 'late'), scorecard: null })]);
  await new Promise((resolve) => setTimeout(resolve, 250));
  progress.end();
  const wipe = '\r\u001b[2K\u001b[1A\u001b[2K\u001b[1A\u001b[2K';
  const [first = '', ...others] = read().split(wipe);
  const lines = first.split('\n');
  expect(lines[0]).toMatch(/^█{7}░{13} {2}3\/8 t/);
  expect(lines[1]).toMatch(/^score 50\.0 % · 1 error: tim/);
  expect(lines[2]).toBe('$0.50 of $5.00 · 1 in flight');
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(29);
  expect(others.at(-1)).toBe('');
});

test('elsewhere nothing is printed for a run that is over soon', async () => {
  const { progress, read } = watched({ isTTY: false });
  progress.begin(run);
  progress.add([scored({})]);
  progress.end();
  expect(read()).toBe('');
});

test('a note stands on a line of its own, and what it quotes cannot break the terminal', () => {
  const { progress, read } = watched({ isTTY: true });
  progress.note('failed: \u001b[2Jboom');
  expect(read()).toBe('failed: ␛[2Jboom\n');
});
