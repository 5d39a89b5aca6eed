import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { ScoredTrial } from '../schema/scored-trial.ts';
import { buildCase, buildFailedTrial, buildRun, buildTrial } from '../testing/build-records.ts';
import { createProgress, formatProgress } from './progress.ts';

const nothing = { targets: 0, judges: 0 };
const tally = { planned: 300, done: 120, kept: 0, errors: 0, total: 100, measured: 119, spent: nothing };

test('a line says how much is done, how fast, and how long it will take', () => {
  expect(formatProgress(tally, 10_000)).toBe(
    '120/300 trials · 40 % · 12/s · 15 s left · score so far 84.0 %',
  );
});

test('errors and what was spent stand there once there are any', () => {
  const spent = { targets: 0.36, judges: 0.12 };
  expect(formatProgress({ ...tally, errors: 1, spent }, 10_000)).toMatch(
    / · 1 error · \$0\.36 · judges \$0\.12$/,
  );
  expect(formatProgress({ ...tally, errors: 2 }, 10_000)).toMatch(/ · 2 errors$/);
});

test('before the first answer there is nothing to reckon with', () => {
  const none = { ...tally, done: 0, total: 0, measured: 0 };
  expect(formatProgress(none, 3000)).toBe('0/300 trials · 0 %');
});

test('what was kept of an earlier part counts as done and not as fast', () => {
  const line = formatProgress({ ...tally, kept: 110 }, 10_000);
  expect(line).toContain('120/300 trials · 40 % · 1.0/s · 3 min left');
  expect(formatProgress({ ...tally, kept: 120 }, 10_000)).not.toContain('left');
});

test('slow runs are told by the minute, long ones by the hour', () => {
  expect(formatProgress({ ...tally, done: 3 }, 60_000)).toContain('3.0/min · 1.6 h left');
  expect(formatProgress({ ...tally, done: 30 }, 60_000)).toContain('30/min · 9 min left');
});

test('a run that is done has no time left', () => {
  expect(formatProgress({ ...tally, done: 300 }, 10_000)).not.toContain('left');
});

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
    progress: createProgress(() => nothing, stream),
    read: () => String((stream as unknown as PassThrough).read() ?? ''),
  };
}

const run = buildRun({ dataset: { sources: ['a.jsonl'], cases: 4, hash: 'x' }, attempts: 2 });

test('a terminal shows one line that renews itself, fits its width and is wiped at the end', async () => {
  const { progress, read } = watched({ isTTY: true, columns: 30 });
  progress.keep([scored({})]);
  progress.begin(run);
  progress.add([scored({}), scored({ trial: buildFailedTrial('timeout', 'late'), scorecard: null })]);
  await new Promise((resolve) => setTimeout(resolve, 150));
  progress.end();
  const lines = read().split('\r\u001b[2K');
  expect(lines.at(-1)).toBe('');
  expect(lines[1]).toMatch(/^3\/8 trials · 37 % · /);
  expect(lines[1]?.length).toBe(29);
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
  expect(read()).toBe('\r\u001b[2Kfailed: ␛[2Jboom\n');
});
