import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { TouchstoneError } from '../errors.ts';
import { runState } from '../report/run-row.ts';
import { makeRunView } from '../report/run-view.ts';
import { listWorstFirst } from '../report/worst-cases.ts';
import { type ReportFile, reportFilePath, runPath, trialPath } from '../schema/api/report-file.ts';
import type { Result } from '../schema/result.ts';
import type { Reporter, ReportInput } from './reporter.ts';

/** The most cases in a file, and the most bytes of their trials. */
const mostCases = 2_000;
const mostBytes = 20_000_000;

/** The number of cases that are read at a time. */
const batchSize = 50;

/** The place in the built page at which the data are inserted. */
const dataMark = '<!--data-->';

/**
 * The reporter for a page in one file, with the components of the dashboard: it needs no server and no network. It contains
 * the numbers of the whole run, and of its cases the worst, as many as fit.
 */
export const html: Reporter = {
  name: 'html',
  extensions: ['.html'],
  async *report(input) {
    const { run, summary, results, storeFolder } = input;
    const [before, after] = await readTemplate();
    yield before;
    const state = runState(run, false);
    const view = await makeRunView({ run, state, summary, results, storeFolder });
    yield writeAnswer(runPath(run.id), view);
    const cases = await listWorstFirst(run, results());
    let shown = 0;
    for await (const piece of writeCases(input, cases)) {
      shown += 1;
      yield piece;
    }
    const { narrowing } = input;
    const file: ReportFile = {
      run: run.id,
      shown,
      cases: cases.length,
      ...(narrowing !== undefined && { narrowing }),
    };
    yield writeAnswer(reportFilePath, file);
    yield after;
  },
};

/** Yields the trials of the first cases, one piece for each case, until the file is full. A case that is too large is left out. */
async function* writeCases(
  { run, results }: ReportInput,
  cases: readonly (readonly number[])[],
): AsyncGenerator<string> {
  let [written, bytes] = [0, 0];
  for (let start = 0; start < cases.length && written < mostCases; start += batchSize) {
    const batch = cases.slice(start, start + batchSize);
    const byOrdinal = new Map<number, Result>();
    for await (const result of results(batch.flat().sort((a, b) => a - b)))
      byOrdinal.set(result.trial.ordinal, result);
    for (const ordinals of batch) {
      const trials = ordinals.flatMap((ordinal) => byOrdinal.get(ordinal) ?? []);
      const piece = trials
        .map((result) => writeAnswer(trialPath(run.id, result.trial.ordinal), { result }))
        .join('');
      const size = Buffer.byteLength(piece);
      if (written === mostCases || bytes + size > mostBytes) continue;
      written += 1;
      bytes += size;
      yield piece;
    }
    if (bytes > mostBytes * 0.99) return;
  }
}

/** Formats an answer as an element that a browser neither runs nor shows. A `<` would end it, or begin a comment. */
function writeAnswer(at: string, answer: unknown): string {
  const json = JSON.stringify(answer).replaceAll('<', String.raw`\u003c`);
  return `<script type="application/json" data-answer="${at}">${json}</script>\n`;
}

/** Reads the built page, up to the place of the data and from there on. Throws `dashboard-missing`. */
async function readTemplate(): Promise<[before: string, after: string]> {
  const file = path.join(
    path.dirname(fileURLToPath(import.meta.resolve('touchstone/package.json'))),
    'dist',
    'dashboard-report',
    'report.html',
  );
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new TouchstoneError('dashboard-missing', `The page of reports is not built: there is no ${file}.`, {
      cause,
    });
  });
  const place = text.indexOf(dataMark);
  return [text.slice(0, place), text.slice(place + dataMark.length)];
}
