import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/run-cli.ts';
import { atFileEnd } from '../../../test/support/file-end.ts';
import { callTool, connectInMemory, projectOf } from '../../../test/support/mcp-client.ts';
import { hashText } from '../../core/lib/content-hash.ts';
import type { PlannedCase, Result } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import { readSummary } from '../../evaluate/run/summarize.ts';
import { openStore } from '../../library/api/open-store.ts';
import { buildCase, buildRun, buildTrial } from '../../library/testing/build-records.ts';
import type { Store } from '../../stores/store.ts';
import { tools } from './tools/index.ts';

const cases = 40;
const categories = 30;
/** Every so many cases, the question, the answers and the reasons are long. */
const longEvery = 20;
const targets = ['a', 'b', 'c', 'd', 'e', 'f'];
const metrics = Array.from({ length: 30 }, (_, index) => `metric-${index}-${'m'.repeat(60)}`);
const long = 'An answer with "quotes",\nline breaks and \u202ehidden characters. '.repeat(1700);

interface CaseOfRun {
  readonly planned: PlannedCase;
  readonly results: readonly Result[];
}

/** Builds a case of a run with the results of all targets. In the first run every answer fails, in the others every second one. */
function buildResults(run: string, position: number): CaseOfRun {
  const isLong = position % longEvery === 0;
  const text = isLong ? long : `text ${position}`;
  const made = buildCase({
    id: `case-${position}`,
    input: text,
    category: `category-${position % categories}`,
    expected: { answer: text },
  });
  const hash = hashText(String(position));
  const total = run === 'run-a' || position % 2 === 0 ? 0 : 1;
  const results = targets.map((target, place): Result => {
    const ordinal = position * targets.length + place;
    const key = hashText(`${run} ${ordinal}`);
    const verdicts = metrics.map((name, index) => {
      const explanation = isLong && index < 3 ? long : 'no';
      return [name, { status: 'scored' as const, value: total, passed: total === 1, explanation }] as const;
    });
    return {
      case: made,
      trial: buildTrial(text, { ordinal, key, target, caseId: made.id, caseHash: hash }),
      verdicts: Object.fromEntries(verdicts),
      scorecard: { total, lower: total, upper: total, grade: null, passed: total === 1, explanation: 'no' },
    };
  });
  return { planned: { position, hash, place: `golden.jsonl:${position + 1}`, case: made }, results };
}

async function keepRun(store: Store, id: string, createdAt: string): Promise<void> {
  const use = { use: 'module' };
  await store.createRun(
    buildRun({
      id,
      createdAt,
      status: 'completed',
      dataset: { sources: ['golden.jsonl'], cases, hash: 'h'.repeat(32) },
      targets: targets.map((name) => ({ name, use, fingerprint: hashText(name + id) })),
      metrics: metrics.map((name) => ({ name, use, version: 1, fingerprint: hashText(name) })),
      scorecard: { name: 's', use, version: 1, criteria: [], grades: [], passMark: 0.5 },
    }),
  );
  const built = Array.from({ length: cases }, (_, position) => buildResults(id, position));
  const results = built.flatMap((each) => each.results);
  await store.addCases(
    id,
    built.map(({ planned }) => planned),
  );
  await store.addTrials(id, results);
  await store.addScores(id, results);
  const run = (await store.readRun(id)) as Run;
  await store.updateRun({ ...run, summary: await readSummary(run, store) });
}

test('of answers of 100 kB, 6 targets, 30 metrics and 30 categories, each reply keeps to its limit, and each part is reached once', async () => {
  const store = await openStore({ folder: await temporaryFolder() }, 'create');
  atFileEnd(async () => await store.close());
  await keepRun(store, 'run-a', '2026-01-02T00:00:00.000Z');
  await keepRun(store, 'run-b', '2026-01-03T00:00:00.000Z');
  const client = await connectInMemory(projectOf(store));
  const longest: Record<string, number> = {};
  const ask = async (name: string, input: Record<string, unknown>) => {
    const { reply, text, isError } = await callTool(client, name, input);
    expect({ name, isError, reply: isError ? reply : undefined }).toEqual({ name, isError: false });
    longest[name] = Math.max(longest[name] ?? 0, text.length);
    return reply;
  };
  await ask('project', {});
  await ask('run_status', { run: 'run-a', waitSeconds: 0 });
  await ask('show_run', { run: 'run-a' });
  await ask('failed_cases', { run: 'run-a', limit: 20, chars: 4000 });

  const runs = { a: 'run-a', b: 'run-b' };
  const all = await ask('compare_runs', runs);
  expect(all.comparisons.map((one: { a: { target: string } }) => one.a.target)).toEqual(targets);
  expect(all.next).toContain('targetA');
  const [metric] = metrics;
  const one = await ask('compare_runs', { ...runs, targetA: 'a' });
  const named = await ask('compare_runs', { ...runs, targetA: 'a', metric });
  for (const { comparisons } of [one, named]) {
    const { differences, notCompared, ...decided } = comparisons[0];
    expect(all.comparisons[0]).toMatchObject({ ...decided, difference: { value: 0.5 } });
    expect(decided).toMatchObject({ decision: 'better', won: { count: cases / 2 }, lost: { count: 0 } });
    expect(decided.won.ids).toHaveLength(20);
    expect(notCompared).toEqual({ pairs: cases });
    expect(differences.length).toBeGreaterThan(0);
  }
  expect(named.comparisons[0].differences).toHaveLength(1);
  const refused = await callTool(client, 'compare_runs', { ...runs, metric });
  expect(refused.isError).toBe(true);
  expect(refused.text).toContain('6 targets in common');

  const seen: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const { cases: some, next } = await ask('failed_cases', { run: 'run-b', limit: 20, cursor });
    seen.push(...some.map((each: { id: string; target: string }) => `${each.id} ${each.target}`));
    if (typeof next !== 'string') break;
    cursor = next;
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toHaveLength((cases / 2) * targets.length);

  const offsets: number[] = [0];
  for (;;) {
    const { next } = await ask('show_case', {
      run: 'run-a',
      case: `case-${longEvery}`,
      target: 'f',
      part: 'all',
      offset: offsets.at(-1),
    });
    if (typeof next !== 'number') break;
    offsets.push(next);
  }
  expect(offsets).toEqual([...new Set(offsets)].toSorted((x, y) => x - y));
  // The question, the expected and the given answer, and the reasons of three metrics have 100 kB each.
  expect(offsets.at(-1)).toBeGreaterThan(long.length);
  for (const { name, limit } of tools) expect(longest[name] ?? 0).toBeLessThanOrEqual(limit);
  expect(Object.keys(longest)).toHaveLength(6);
});
