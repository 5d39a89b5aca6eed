import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createLocalExecutor } from '../../executors/local.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { TargetSummary } from '../../../core/schema/summary.ts';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { openSqliteStore } from '../../../stores/sqlite/sqlite.ts';
import { readRuns, type Store } from '../../../stores/store.ts';
import { buildEvaluation, buildTarget, resolvedTarget } from '../../../../test/support/build-evaluation.ts';
import { createLineWriter } from './archive-line.ts';
import { exportRun, importRun } from './archive.ts';
import { requireWhole } from '../../../decide/analysis/summary/check-totals.ts';
import { run } from '../run.ts';
import { neverStopped } from '../run-needs.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'touchstone-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const drafts = ['a', 'b', 'c'].map((id) => ({
  id,
  input: `question ${id}`,
  expected: { keywords: ['yes'] },
  metadata: { z: 1, a: [null, { y: 'é', b: '\u0000' }] },
}));

/** Creates a finished run in a memory store; one of its trials failed. */
async function makeRun(state: Json = { booked: true }) {
  const store = createMemoryStore();
  const bot = buildTarget(({ caseId }) => {
    if (caseId === 'b') throw new Error('no database');
    return {
      answer: `yes ${caseId}`,
      toolCalls: [{ name: 'look', arguments: { q: 1, a: 2 } }],
      state,
      cost: 0.25,
    };
  });
  const finished = await run(buildEvaluation(drafts, [resolvedTarget('bot', bot)]), {
    store,
    executor: createLocalExecutor(),
    observer: {},
    signals: neverStopped,
  });
  return { store, finished, lines: await Array.fromAsync(exportRun(finished, store)) };
}

const exported = await makeRun();

async function* rowsOf(lines: readonly string[]) {
  for (const [index, line] of lines.entries()) {
    yield { value: JSON.parse(line), place: { file: 'run.jsonl', line: index + 1 } };
  }
}

async function reexport(lines: readonly string[], store: Store): Promise<string[]> {
  const imported = await importRun(rowsOf(lines), store);
  return await Array.fromAsync(exportRun(imported, store));
}

test('an imported run is exported again with the same bytes, from every store', async () => {
  const { lines } = exported;
  const sqlite = openSqliteStore(path.join(folder, 'one.db'));
  expect(await reexport(lines, createMemoryStore())).toEqual(lines);
  expect(await reexport(lines, sqlite)).toEqual(lines);
  await sqlite.close();
});

test('no content of an answer is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (state) => {
      const { lines } = await makeRun(state as Json);
      expect(await reexport(lines, createMemoryStore())).toEqual(lines);
    }),
    { numRuns: 30, examples: [[JSON.parse('{"__proto__":{"a":1},"constructor":null,"":[1e-7]}')]] },
  );
});

test('the order of keys and white space may change in transit', async () => {
  const { lines, finished } = exported;
  const reversed = lines.map((line) =>
    JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(line)).reverse())),
  );
  expect(await importRun(rowsOf(reversed), createMemoryStore())).toEqual(finished);
});

const [head = '', first = '', second = '', ...rest] = exported.lines;
const last = exported.lines.at(-1) ?? '';

test.each([
  [
    'an edited answer',
    exported.lines.map((line) => line.replace('"yes c"', '"no c"')),
    /run\.jsonl:7 is not as it was exported/,
  ],
  [
    'an edited question',
    exported.lines.map((line) => line.replace('question b', 'question d')),
    /run\.jsonl:3 is not/,
  ],
  [
    'an edited gate',
    [head.replace('"minCoverage":1', '"minCoverage":0'), first, second, ...rest],
    /run\.jsonl:1 is not/,
  ],
  ['a line left out', [head, first, ...rest], /run\.jsonl:3 is not .* missing/],
  ['a line doubled', [head, first, first, second, ...rest], /run\.jsonl:3 is not .* doubled/],
  ['lines moved', [head, second, first, ...rest], /run\.jsonl:2 is not .* moved/],
  ['its end cut off', exported.lines.slice(0, -1), /ends before the run does/],
  ['nothing', [], /is empty/],
  ['its beginning cut off', exported.lines.slice(1), /run\.jsonl:1 is not/],
  ['another file behind it', [...exported.lines, ...exported.lines], /run\.jsonl:9 is not/],
  [
    'a line of something else',
    [head, '{"question":"x"}'],
    /run\.jsonl:2 is not a line of an exported run: type/,
  ],
  ['a text', ['"run"'], /run\.jsonl:1 is not a line of an exported run/],
  [
    'a later version',
    [head.replace('"version":1,"hash"', '"version":2,"hash"')],
    /run\.jsonl:1 is of version 2, /,
  ],
])('a file with %s is refused with the place, and nothing is left behind', async (_what, lines, message) => {
  const store = createMemoryStore();
  await expect(importRun(rowsOf(lines), store)).rejects.toMatchObject({
    code: 'import-invalid',
    message: expect.stringMatching(message),
  });
  expect(await store.listRuns()).toEqual([]);
  expect(last).toMatch(/^\{"type":"end",/);
});

test('a summary of an older version, which had fewer numbers, is computed again from the records', async () => {
  const { finished, lines } = exported;
  const toLine = createLineWriter();
  const older = lines.map((line) => {
    const { type, hash: _, ...content } = JSON.parse(line);
    for (const target of content.run?.summary.targets ?? []) delete target.selection;
    return toLine(type, content);
  });
  const imported = await importRun(rowsOf(older), createMemoryStore());
  expect(imported).toEqual(finished);
});

test('a run that is already in the store is refused, and stays as it is', async () => {
  const { store, lines, finished } = exported;
  await expect(importRun(rowsOf(lines), store)).rejects.toMatchObject({
    message: `Run ${finished.id} is already in the store.`,
  });
  expect(await Array.fromAsync(exportRun(finished, store))).toEqual(lines);
});

test('what a killed import leaves has no totals, is not a whole run, and is removed by the next import', async () => {
  const store = createMemoryStore();
  const dying: Store = {
    ...store,
    addScores: () => Promise.reject(new Error('killed')),
    deleteRun: () => Promise.reject(new Error('killed')),
  };
  await expect(importRun(rowsOf(exported.lines), dying)).rejects.toThrow('killed');
  const [left] = await Array.fromAsync(readRuns(store));
  expect(left).toMatchObject({ status: 'planning', isImporting: true });
  expect(left).not.toHaveProperty('summary');
  await expect(requireWhole(left as Run, store)).rejects.toThrow('ended before it was complete');
  const other = await makeRun();
  await importRun(rowsOf(other.lines), store);
  expect((await store.listRuns()).map(({ id }) => id)).toEqual([other.finished.id]);
  expect(await reexport(exported.lines, store)).toEqual(exported.lines);
});

test('what a killed import of an older version left is imported again', async () => {
  const store = createMemoryStore();
  await store.createRun({ ...exported.finished, status: 'planning' });
  expect(await reexport(exported.lines, store)).toEqual(exported.lines);
});

test('a stopped import leaves nothing behind', async () => {
  const store = createMemoryStore();
  const stop = new AbortController();
  async function* rows() {
    for await (const row of rowsOf(exported.lines)) {
      if (row.place.line === 4) stop.abort();
      yield row;
    }
  }
  await expect(importRun(rows(), store, { stop: stop.signal })).rejects.toMatchObject({
    code: 'run-stopped',
  });
  expect(await store.listRuns()).toEqual([]);
});

/** Returns the same file with another record of its run, and with new hashes. */
function withHead(change: (run: Run) => void): string[] {
  const toLine = createLineWriter();
  return exported.lines.map((line) => {
    const { type, hash: _, ...content } = JSON.parse(line);
    if (content.run !== undefined) change(content.run);
    return toLine(type, content);
  });
}

test.each<[string, (target: TargetSummary) => void, RegExp]>([
  [
    'score',
    ({ score }) => {
      score.value = 0.123;
    },
    /bot: score 12\.3 %, but computed from the results 100\.0 %/,
  ],
  [
    'pass rate',
    ({ passRate }) => {
      passRate.value = 0.5;
    },
    /pass rate 50\.0 %/,
  ],
  [
    'counts',
    ({ counts }) => {
      counts.errors = 0;
    },
    /bot: errors 0, but computed from the results 1/,
  ],
  [
    'mean of a metric',
    ({ metrics }) => {
      for (const { estimate } of metrics) estimate.value = null;
    },
    /tool-usage not measured, but computed from the results 100\.0 %/,
  ],
])('a file whose %s does not follow from its results is refused', async (_what, forge, message) => {
  const store = createMemoryStore();
  const forged = withHead(({ summary }) => forge(summary?.targets[0] as TargetSummary));
  await expect(importRun(rowsOf(forged), store)).rejects.toMatchObject({ code: 'import-invalid', message });
  expect(await store.listRuns()).toEqual([]);
});

test('totals and decision are computed from the results; differences to another version or baseline are reported', async () => {
  const notices: string[] = [];
  const written = withHead((run) => {
    run.touchstoneVersion = '0.0.9';
    const [target] = run.summary?.targets ?? [];
    if (run.summary === undefined || target === undefined) throw new Error('it has no numbers');
    target.score.value = 0.5;
    run.summary.decision = { outcome: 'pass', reasons: [] };
  });
  const store = createMemoryStore();
  const { summary } = await importRun(rowsOf(written), store, { onNotice: (notice) => notices.push(notice) });
  expect(summary).toEqual(exported.finished.summary);
  expect(notices).toEqual([
    'The totals were computed again, since version 0.0.9 computed them differently: bot: score 50.0 %, but computed from the results 100.0 %.',
    'The decision was pass in the file and is not-measured here: bot: 1 of 3 attempts was not measured.',
  ]);
});

test('an interrupted run can be exported and finished elsewhere', async () => {
  const here = createMemoryStore();
  const elsewhere = createMemoryStore();
  const stop = new AbortController();
  const bot = buildTarget(() => {
    stop.abort();
    return 'yes';
  });
  const needs = { executor: createLocalExecutor(), observer: {} };
  const settings = { concurrency: 1, timeLimitMs: 1000, maxRetries: 0 };
  const evaluation = buildEvaluation(drafts, [resolvedTarget('bot', bot)], { settings });
  const signals = { stop: stop.signal, abort: new AbortController().signal };
  const interrupted = await run(evaluation, { ...needs, store: here, signals });
  const lines = await Array.fromAsync(exportRun(interrupted, here));
  const imported = await importRun(rowsOf(lines), elsewhere);
  const finished = await run(evaluation, { ...needs, store: elsewhere, signals: neverStopped }, imported);
  expect(finished.status).toBe('completed');
  expect(bot.calls.toSorted()).toEqual(['a', 'b', 'c']);
});
