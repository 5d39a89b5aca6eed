import { beforeAll, expect, test } from 'vitest';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';
import { runScores } from '../../../test/support/gated-run.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import type { Reporter, ReportInput } from './reporter.ts';
import { terminal } from './terminal.ts';

let ended: { run: Run; store: Store };
beforeAll(async () => {
  const cases = Array.from({ length: 120 }, () => ({ scores: [1] }));
  const rules = { good: { type: 'pass-rate', atLeast: 80, confidence: 0.95 } } as const;
  const gate = { rules: rules as never, sequential: true };
  ended = await runScores(cases, { gate, reply: { cost: 0.5, latency: { totalMs: 2000 } } });
});

async function reportOf(reporter: Reporter): Promise<string> {
  const { run, store } = ended;
  const input = {
    run,
    summary: run.summary,
    results: () => store.readResults(run.id),
  } as ReportInput;
  const view = { width: 100, color: false, verbose: false } as never;
  return (await Array.fromAsync(reporter.report(input, view))).join('');
}

test('the report of a sequential run begins with the decision, the bounds and the savings', async () => {
  const [, , , ...lines] = (await reportOf(terminal)).split('\n');
  const top = lines.slice(0, 9).join(' ').replaceAll(/\s+/g, ' ');
  expect(top).toMatch(
    /PASS decided after \d+ of 120 attempts: pass; a target that breaks a rule would pass like this in at most 5 % of runs; saved \d+ calls/,
  );
  expect(top).toMatch(/about \$\d+(\.5)?, about \d+ min of answering/);
  expect(top).toMatch(
    /good: \d+ questions in random order: mean 100.0 %; from 8\d\.\d % to 100.0 % at whichever look/,
  );
  expect(top).toContain('only the intervals of the rules are valid wherever a run ends');
});

test('trials that were not needed are counted beside the measured ones, and are not a problem', async () => {
  const report = await reportOf(terminal);
  expect(report).toMatch(/n = (\d+)\/\1 · \d+ not needed/);
  expect(report).not.toContain('Stopped');
  expect(report).not.toContain('not run');
});

test('the Markdown report begins with the decision and the arithmetic', async () => {
  const report = await reportOf(markdown);
  expect(report).toMatch(/\*\*PASS\*\* `decided after \d+ of 120 attempts/);
  expect(report).toMatch(/\| `good` \| pass \| `the pass rate is at least 80 %, with 97.5 % confidence/);
});

test('in JUnit, questions that were not needed are skipped, not errors', async () => {
  const report = await reportOf(junit);
  expect(report).toContain('<skipped message="not needed: the gate was decided without it"/>');
  expect(report).toMatch(/<testsuites name="touchstone" tests="\d+" failures="0" errors="0"/);
});
