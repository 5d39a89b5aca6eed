import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Result } from '../src/core/schema/result.ts';
import { measure, median, touchstone, type Usage } from './measure.ts';
import { writeWorkload } from './write-workload.ts';

/** The cost of a run over a number of cases: medians, and every single measurement. */
export interface RunFigures {
  readonly cases: number;
  readonly wallMs: number;
  readonly casesPerSecond: number;
  readonly cpuMicrosecondsPerCase: number;
  readonly peakMegabytes: number;
  readonly diskBytesPerCase: number;
  /** Bytes of the JSON of question, answer and scores. */
  readonly contentBytesPerCase: number;
  readonly diskToContent: number;
  readonly measurements: readonly Usage[];
}

/** Runs the same workload in fresh processes, each with its own store: once to warm up, then `runs` times. */
export async function measureRun(cases: number, runs: number): Promise<RunFigures> {
  const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-bench-'));
  try {
    await writeWorkload(folder, cases);
    const store = path.join(folder, 'store');
    const runOnce = (): Usage => {
      rmSync(store, { recursive: true, force: true });
      return measure(['run', '--store', store], folder);
    };
    runOnce();
    const measurements = Array.from({ length: runs }, runOnce);
    return toFigures(measurements, {
      cases,
      diskBytes: sizeOf(store),
      contentBytes: await readContentBytes(store),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function toFigures(
  measurements: readonly Usage[],
  { cases, diskBytes, contentBytes }: { cases: number; diskBytes: number; contentBytes: number },
): RunFigures {
  const wallMs = median(measurements.map((usage) => usage.wallMs));
  return {
    cases,
    wallMs,
    casesPerSecond: (cases / wallMs) * 1000,
    cpuMicrosecondsPerCase: (median(measurements.map(({ cpuMs }) => cpuMs)) / cases) * 1000,
    peakMegabytes: median(measurements.map(({ peakBytes }) => peakBytes)) / 2 ** 20,
    diskBytesPerCase: diskBytes / cases,
    contentBytesPerCase: contentBytes / cases,
    diskToContent: diskBytes / contentBytes,
    measurements,
  };
}

/** Returns the bytes of all files of a store. */
function sizeOf(folder: string): number {
  const files = globSync('**/*', { cwd: folder }).map((file) => statSync(path.join(folder, file)));
  return files.reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0);
}

/**
 * Returns the bytes of the least that could be kept: question, answer, the value of every verdict and the total, as
 * JSON.
 */
async function readContentBytes(store: string): Promise<number> {
  const [program = '', ...words] = touchstone;
  const exporter = spawn(program, [...words, 'export', '--store', store], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let bytes = 0;
  for await (const line of createInterface({ input: exporter.stdout })) {
    const { result }: { result?: Result } = JSON.parse(line);
    if (result !== undefined) bytes += Buffer.byteLength(JSON.stringify(contentOf(result)));
  }
  if (bytes === 0) throw new Error('touchstone export gave no results');
  return bytes;
}

function contentOf({ case: { input }, trial: { answer }, verdicts, scorecard }: Result): object {
  const values = Object.entries(verdicts).map(([name, verdict]) => [
    name,
    verdict.status === 'scored' ? verdict.value : null,
  ]);
  return { question: input, answer, scores: { ...Object.fromEntries(values), total: scorecard?.total } };
}
