// What each step of a run costs in the store. Started by store.ts, in a process of its own for each measurement.
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { inBatches } from '../src/core/lib/async-iterables.ts';
import type { ScoredTrial } from '../src/core/schema/result.ts';
import type { Store } from '../src/stores/store.ts';
import { buildBenchRun, buildRecord } from './store-records.ts';

/** What store.ts asks for. */
export interface StoreWorkload {
  /** The folder of the Touchstone to measure. */
  readonly checkout: string;
  readonly cases: number;
  /** How many trials the store gets at a time. */
  readonly batch: number;
  /** Words in an answer. */
  readonly words: number;
}

/** What one process measured. */
export interface StoreFigures {
  /** User and system time of each step, in microseconds for all cases. */
  readonly cpu: Readonly<Record<string, number>>;
  readonly diskBytes: number;
  /** Bytes of the JSON of question, answer and scores. */
  readonly contentBytes: number;
  readonly peakBytes: number;
}

const planBatch = 200;
const cpu: Record<string, number> = {};

/** Adds the CPU time that a piece of work takes to that of its step. */
async function measured<Value>(step: string, work: () => Promise<Value>): Promise<Value> {
  const before = process.cpuUsage();
  const value = await work();
  const { user, system } = process.cpuUsage(before);
  cpu[step] = (cpu[step] ?? 0) + user + system;
  return value;
}

async function measureSteps({ checkout, cases, batch, words }: StoreWorkload): Promise<StoreFigures> {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-bench-'));
  const module = pathToFileURL(path.join(checkout, 'src/stores/sqlite/sqlite.ts')).href;
  const { openSqliteStore }: { openSqliteStore(file: string): Store } = await import(module);
  const file = path.join(folder, 'touchstone.db');
  const store = openSqliteStore(file);
  const run = buildBenchRun(cases);
  await store.createRun(run);
  for (const records of inGroups(cases, planBatch, words)) {
    const planned = records.map((record) => record.planned);
    await measured('add cases', () => store.addCases(run.id, planned));
  }
  for (const records of inGroups(cases, planBatch, words)) {
    const specs = records.map(({ scored }) => scored.trial);
    await measured('find done', () => store.findDone(run.id, specs));
  }
  let contentBytes = 0;
  for (const records of inGroups(cases, batch, words)) {
    const trials = records.map(({ scored }) => scored);
    contentBytes += trials.reduce((bytes, trial) => bytes + contentBytesOf(trial), 0);
    await measured('add trials', () => store.addTrials(run.id, trials));
    await measured('add scores', () => store.addScores(run.id, trials));
  }
  await measured('read cases', () => count(store.readCases(run.id)));
  await measured('count categories', () => count(store.readCaseNames(run.id)));
  await measured('finish', () => store.updateRun({ ...run, status: 'completed' }));
  await measured('read outcomes', () => count(store.readOutcomes(run.id)));
  await store.close();
  const diskBytes = sizeOf(folder);
  const reopened = openSqliteStore(file);
  await measured('score again', () => scoreAgain(run.id, reopened));
  await reopened.close();
  rmSync(folder, { recursive: true });
  return { cpu, diskBytes, contentBytes, peakBytes: process.resourceUsage().maxRSS * 1024 };
}

function* inGroups(cases: number, size: number, words: number) {
  for (let from = 0; from < cases; from += size) {
    const length = Math.min(size, cases - from);
    yield Array.from({ length }, (_, index) => buildRecord(from + index, words));
  }
}

/** The store's part of scoring stored trials again: all are read whole, and get other scores. */
async function scoreAgain(runId: string, store: Store): Promise<void> {
  for await (const results of inBatches(store.readResults(runId), planBatch)) {
    await store.addScores(runId, results);
  }
}

async function count(rows: AsyncIterable<unknown>): Promise<number> {
  let read = 0;
  for await (const _row of rows) read += 1;
  return read;
}

function contentBytesOf({ case: { input }, trial: { answer }, verdicts, scorecard }: ScoredTrial): number {
  const values = Object.entries(verdicts).map(([name, verdict]) => {
    return [name, verdict.status === 'scored' ? verdict.value : null];
  });
  const scores = { ...Object.fromEntries(values), total: scorecard?.total };
  return Buffer.byteLength(JSON.stringify({ question: input, answer, scores }));
}

/** Bytes of all files of a store. */
function sizeOf(folder: string): number {
  const files = globSync('**/*', { cwd: folder }).map((file) => statSync(path.join(folder, file)));
  return files.reduce((sum, { size }) => sum + size, 0);
}

if (import.meta.main) console.log(JSON.stringify(await measureSteps(JSON.parse(process.argv[2] ?? ''))));
