import { expect, test } from 'vitest';
import { formatProgress, formatProgressView } from './format-progress.ts';
import type { ProgressTally } from './progress-tally.ts';

const score = { target: 'bot', interval: { estimate: 0.84, lower: 0.8, upper: 0.88 } };
const tally: ProgressTally = {
  planned: 300,
  done: 120,
  kept: 0,
  inFlight: 0,
  errors: new Map(),
  scores: [score],
  spent: { targets: 0, judges: 0, users: 0 },
};
const line = (parts: Partial<ProgressTally>, elapsedMs = 10_000) =>
  formatProgress({ ...tally, ...parts }, { elapsedMs, stalledMs: undefined });

test('a line says how much is done, how fast, how long it will take and how good it looks', () => {
  expect(line({})).toBe('120/300 trials · 40 % · 12/s · 15 s left · score 84.0 % [80.0, 88.0]');
});

test('several targets are told by name, and only the first of many', () => {
  const scores = ['a', 'b', 'c', 'd'].map((target) => ({ ...score, target }));
  expect(line({ scores })).toMatch(/ · a 84\.0 % .* · b 84\.0 % .* · c 84\.0 % \[80\.0, 88\.0\]$/);
});

test('errors are told by kind, the most frequent first', () => {
  const errors = new Map([
    ['timeout', 1],
    ['target-threw', 3],
  ]);
  expect(line({ errors })).toContain(' · 4 errors: target-threw 3, timeout 1');
});

test('what was spent is told apart for judges, and against the cap', () => {
  expect(line({ spent: { targets: 0.36, judges: 0.12, users: 0 } })).toMatch(/ · \$0\.36 · judges \$0\.12$/);
  expect(line({ spent: { targets: 0.36, judges: 0.12, users: 0 }, maxCost: 5 })).toMatch(
    / · \$0\.36 \+ judges \$0\.12 of \$5\.00$/,
  );
  expect(line({ maxCost: 5, inFlight: 8 })).toMatch(/ · \$0\.00 of \$5\.00 · 8 in flight$/);
});

test('before the first answer there is nothing to reckon with', () => {
  expect(line({ done: 0, scores: [] }, 3000)).toBe('0/300 trials · 0 %');
});

test('what was kept of an earlier part counts as done and not as fast', () => {
  expect(line({ kept: 110 })).toContain('120/300 trials · 40 % · 1.0/s · 3 min left');
  expect(line({ kept: 120 })).not.toContain('left');
});

test('slow runs are told by the minute, long ones by the hour, and one that is done has no time left', () => {
  expect(line({ done: 3 }, 60_000)).toContain('3.0/min · 1.6 h left');
  expect(line({ done: 30 }, 60_000)).toContain('30/min · 9 min left');
  expect(line({ done: 300 })).not.toContain('left');
});

test('a terminal has a line for the pace, one for the quality and one for what it takes', () => {
  const pace = { elapsedMs: 10_000, stalledMs: undefined };
  const view = formatProgressView({ ...tally, inFlight: 8, errors: new Map([['timeout', 2]]) }, pace, 80);
  expect(view).toEqual([
    '████████░░░░░░░░░░░░  120/300 trials · 40 % · 12/s · 15 s left',
    'score 84.0 % [80.0, 88.0] · 2 errors: timeout 2',
    '8 in flight',
  ]);
});

test('what calls wait for is told beside those in flight, by account where there are several', () => {
  const busy = { name: 'http://bot', inFlight: 12, waiting: 4, limit: 12, reason: 'rate-limited' as const };
  expect(line({ inFlight: 16, busyAccounts: [busy] })).toMatch(/ · 16 in flight \(limit 12: rate limited\)$/);
  const other = { ...busy, name: 'http://judge', limit: 3, reason: 'allowance' as const };
  expect(line({ inFlight: 16, busyAccounts: [busy, other] })).toMatch(
    /\(http:\/\/bot limit 12: rate limited, http:\/\/judge limit 3: so many a minute\)$/,
  );
});
