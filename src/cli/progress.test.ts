import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { BusyAccount } from '../evaluate/models/account/rate-limiter.ts';
import type { ScoredTrial } from '../core/schema/result.ts';
import { buildCase, buildFailedTrial, buildRun, buildTrial } from '../library/testing/build-records.ts';
import { formatProgress, formatProgressView, type ProgressState } from './format-progress.ts';
import { createProgress } from './progress.ts';

const scored = (parts: Partial<ScoredTrial>): ScoredTrial => ({
  case: buildCase(),
  trial: buildTrial('yes', { cost: 0.5 }),
  verdicts: {},
  scorecard: { total: 0.5, lower: 0.5, upper: 0.5, grade: 'F', passed: false, explanation: '' },
  ...parts,
});

function watched(parts: { isTTY?: boolean; columns?: number }) {
  const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), parts) as unknown as NodeJS.WriteStream;
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

test('a terminal shows a few lines that are redrawn, fit its width and are cleared at the end', async () => {
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
  expect(lines[0]).toMatch(/^3\/8 attempts · 37 % · /);
  expect(lines[1]).toMatch(/^score 50\.0 % · 1 error: tim/);
  expect(lines[2]).toBe('$0.50 of $5.00 · 1 in flight');
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(29);
  expect(others.at(-1)).toBe('');
});

test('a log has no line for a run shorter than a second', async () => {
  const { progress, read } = watched({ isTTY: false });
  progress.begin(run);
  progress.add([scored({})]);
  progress.end();
  expect(read()).toBe('');
});

test('a note is printed on its own line, and text quoted in it cannot break the terminal', () => {
  const { progress, read } = watched({ isTTY: true });
  progress.note('failed: \u001b[2Jboom');
  expect(read()).toBe('failed: ␛[2Jboom\n');
});

/** Returns the log of a run with a fake clock: the given number of trials finish in each second, none in a pause. */
function logOf(
  seconds: readonly number[],
  settings: {
    readonly cases: number;
    readonly reason?: BusyAccount['reason'];
    /** Returns the seconds for which a server refuses calls from a second on. */
    readonly refusedFor?: (second: number) => number | undefined;
  },
) {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  let isPaused = false;
  let now = 0;
  const account = {
    name: 'http://bot',
    inFlight: 0,
    waiting: 8,
    resting: 0,
    limit: 8,
    reason: settings.reason ?? 'paused',
  };
  const stream = new PassThrough({ encoding: 'utf8' });
  const progress = createProgress({
    spent: () => ({ targets: 0, judges: 0, users: 0 }),
    busyAccounts: () => {
      const seconds = settings.refusedFor?.(now);
      if (seconds !== undefined)
        return [
          {
            ...account,
            refusals: { reason: 'overloaded', status: 503, inRow: 1, nextTryMs: seconds * 1000 },
          },
        ];
      return isPaused && settings.reason !== undefined ? [account] : [];
    },
    stream: stream as unknown as NodeJS.WriteStream,
  });
  progress.begin({ ...run, dataset: { ...run.dataset, cases: settings.cases }, attempts: 1 });
  for (const [second, count] of seconds.entries()) {
    now = second;
    isPaused = count === 0;
    progress.add(Array.from({ length: count }, () => scored({})));
    vi.advanceTimersByTime(1000);
  }
  progress.end();
  const [first, ...lines] = String(stream.read()).trimEnd().split('\n');
  return { first, lines };
}

const tenSeconds = (trials: number) => Array.from({ length: 10 }, () => trials);
const leftIn = (line = '') => Number(/ (\d+) s left/.exec(line)?.[1]);

test('no time left is shown while an account is paused, since the earlier pace says nothing', () => {
  const { lines } = logOf([...tenSeconds(10), ...tenSeconds(0)], { cases: 300, reason: 'paused' });
  expect(leftIn(lines[1])).toBe(20);
  expect(lines.slice(2).join()).not.toContain('left');
});

test('a stall shows its own length in place of the time left', () => {
  const { lines } = logOf([...tenSeconds(10), ...tenSeconds(0), ...tenSeconds(10)], { cases: 300 });
  expect(lines[2]).toMatch(/^100\/300 attempts · 33 % · 6\.7\/s · nothing done for 6 s · /);
  expect(lines[3]).toContain(' · nothing done for 11 s · ');
  expect(leftIn(lines[4])).toBe(25);
});

test('the time left takes earlier pauses into account', () => {
  const round = [...tenSeconds(10), ...tenSeconds(0)];
  const { lines } = logOf([...round, ...round, ...round, ...tenSeconds(10)], {
    cases: 400,
    reason: 'paused',
  });
  const estimates = lines.map((line, index) => ({ left: leftIn(line), truth: 70 - 5 * (index + 1) }));
  const known = estimates.slice(4, -1).filter(({ left }) => left > 0);
  expect(known).toHaveLength(5);
  for (const { left, truth } of known) {
    expect(left).toBeGreaterThan(truth / 2);
    expect(left).toBeLessThan(truth * 2);
  }
});

test('a log begins after a second, and its lines become rarer the longer the run takes', () => {
  const { first, lines } = logOf(
    Array.from({ length: 1200 }, () => 1),
    { cases: 1200 },
  );
  expect(first).toMatch(/^1\/1,200 attempts · /);
  // Every 5 s for two minutes, every 15 s up to ten, then once a minute.
  expect(lines).toHaveLength(120 / 5 + 480 / 15 + 600 / 60);
});

const score = { target: 'bot', interval: { estimate: 0.84, lower: 0.8, upper: 0.88 } };
const tally: ProgressState = {
  planned: 300,
  done: 120,
  kept: 0,
  inFlight: 0,
  judging: 0,
  errors: new Map(),
  scores: [score],
  spent: { targets: 0, judges: 0, users: 0 },
};
const line = (parts: Partial<ProgressState>, elapsedMs = 10_000) =>
  formatProgress({ ...tally, ...parts }, { elapsedMs, stalledMs: undefined });

test('a line shows what is done, the rate, the time left and the score', () => {
  expect(line({})).toBe('120/300 attempts · 40 % · 12/s · 15 s left · score 84.0 % [80.0, 88.0]');
});

test('several targets are shown by name, and only the first three of many', () => {
  const scores = ['a', 'b', 'c', 'd'].map((target) => ({ ...score, target }));
  expect(line({ scores })).toMatch(/ · a 84\.0 % .* · b 84\.0 % .* · c 84\.0 % \[80\.0, 88\.0\]$/);
});

test('errors are counted by code, the most frequent first', () => {
  const errors = new Map([
    ['timeout', 1],
    ['target-threw', 3],
  ]);
  expect(line({ errors })).toContain(' · 4 errors: target-threw 3, timeout 1');
});

test('the cost of judges is shown separately, and the total against the limit', () => {
  expect(line({ spent: { targets: 0.36, judges: 0.12, users: 0 } })).toMatch(/ · \$0\.36 · judges \$0\.12$/);
  expect(line({ spent: { targets: 0.36, judges: 0.12, users: 0 }, maxCost: 5 })).toMatch(
    / · \$0\.36 \+ judges \$0\.12 of \$5\.00$/,
  );
  expect(line({ maxCost: 5, inFlight: 8 })).toMatch(/ · \$0\.00 of \$5\.00 · 8 in flight$/);
});

test('no rate and no time left are shown before the first answer', () => {
  expect(line({ done: 0, scores: [] }, 3000)).toBe('0/300 attempts · 0 %');
});

test('trials kept from an earlier part count as done, but not for the rate', () => {
  expect(line({ kept: 110 })).toContain('120/300 attempts · 40 % · 1.0/s · 3 min left');
  expect(line({ kept: 120 })).not.toContain('left');
});

test('slow rates are per minute, long times in hours, and a finished run has no time left', () => {
  expect(line({ done: 3 }, 60_000)).toContain('3.0/min · 1.6 h left');
  expect(line({ done: 30 }, 60_000)).toContain('30/min · 9 min left');
  expect(line({ done: 300 })).not.toContain('left');
});

test('a terminal shows one line each for pace, scores and calls', () => {
  const pace = { elapsedMs: 10_000, stalledMs: undefined };
  const view = formatProgressView({ ...tally, inFlight: 8, errors: new Map([['timeout', 2]]) }, pace, 80);
  expect(view).toEqual([
    '████████░░░░░░░░░░░░  120/300 attempts · 40 % · 12/s · 15 s left',
    'score 84.0 % [80.0, 88.0] · 2 errors: timeout 2',
    '8 in flight',
  ]);
});

test('the reason why calls wait is shown beside those in flight, by account when there are several', () => {
  const busy = {
    name: 'http://bot',
    inFlight: 12,
    waiting: 4,
    resting: 0,
    limit: 12,
    reason: 'rate-limited' as const,
  };
  expect(line({ inFlight: 16, busyAccounts: [busy] })).toMatch(/ · 16 in flight \(limit 12: rate limited\)$/);
  const other = { ...busy, name: 'http://judge', limit: 3, reason: 'allowance' as const };
  expect(line({ inFlight: 16, busyAccounts: [busy, other] })).toMatch(
    /\(http:\/\/bot limit 12: rate limited, http:\/\/judge limit 3: per-minute allowance\)$/,
  );
});

const refusing = {
  account: 'api.groq.com',
  reason: 'rate-limited',
  status: 429,
  inRow: 37,
  nextTryMs: 8000,
} as const;

test('a line says what the run waits for, and then shows no time left', () => {
  const waiting = { judging: 8, refused: [refusing] };
  const stalled = { elapsedMs: 60_000, stalledMs: 24_000 };
  expect(formatProgress({ ...tally, done: 12, scores: [], waiting }, stalled)).toBe(
    '12/300 attempts · 4 % · 12/min · nothing done for 24 s · judging 8 · refused by api.groq.com (429, 37 times), next try in 8 s',
  );
  expect(line({ waiting: { judging: 2, refused: [] } })).toContain(' · 15 s left · judging 2 · ');
  const now = { ...refusing, status: undefined, inRow: 1, nextTryMs: 0 };
  expect(line({ waiting: { judging: 0, refused: [now] } })).toContain(
    ' · refused by api.groq.com (rate limited, once), trying again · ',
  );
});

test('on a terminal of 40 columns, what the run waits for is shortened before it is cut', () => {
  const waiting = {
    judging: 8,
    refused: [refusing, { ...refusing, account: 'x'.repeat(80), nextTryMs: 2000 }],
  };
  const stalled = { elapsedMs: 60_000, stalledMs: 24_000 };
  expect(formatProgressView({ ...tally, done: 12, scores: [], waiting }, stalled, 39)).toEqual([
    '12/300 attempts · 4 % · 12/min',
    'nothing done for 24 s · judging 8',
    'refused (429), next try in 8 s',
    'refused (429), next try in 2 s',
  ]);
  expect(
    formatProgressView(
      { ...tally, done: 12, scores: [], waiting: { judging: 8, refused: [refusing] } },
      stalled,
      99,
    )[1],
  ).toBe('nothing done for 24 s · judging 8 · refused by api.groq.com (429, 37 times), next try in 8 s');
});

test('a log gets a line at once when a wait of more than five seconds begins, and when it ends', () => {
  const waits = (second: number) => (second >= 7 && second < 17 ? [17 - second] : []);
  const { lines } = logOf(
    Array.from({ length: 24 }, (_, second) => (waits(second).length === 0 ? 10 : 0)),
    { cases: 300, refusedFor: (second) => waits(second)[0] },
  );
  const withWait = lines.map((each) => /next try in (\d+) s/.exec(each)?.[1]);
  // As without it every five seconds, and one more at its beginning and its end.
  expect(withWait).toEqual([undefined, '10', '8', '3', undefined, undefined]);
  for (const each of lines.filter((_, index) => withWait[index] !== undefined))
    expect(each).not.toContain(' left');
});
