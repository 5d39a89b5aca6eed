import { type ComparedRun, type KeptRun, pickTargets } from '../decide/analysis/compare/compared-run.ts';
import { listDifferences } from '../decide/analysis/compare/list-differences.ts';
import { thinDifferences } from '../look/report/comparison/parts.ts';
import { makeRunRow, runState } from '../look/report/rows/run-row.ts';
import { isEnded } from '../evaluate/run/prepare/is-ended.ts';
import {
  type ComparisonFile,
  comparisonFilePath,
  comparisonPath,
  differencesPath,
  pairedCasePath,
  pairsPath,
} from '../core/schema/api/comparison/comparison-file.ts';
import type { ComparisonView, DifferenceList } from '../core/schema/api/comparison/comparison-view.ts';
import type { PairRow } from '../core/schema/api/comparison/pair-row.ts';
import { toRunHead } from '../core/schema/api/to-run-head.ts';
import type { RunRow } from '../core/schema/api/run-row.ts';
import { measureKey, type PairComparison, type RunComparison } from '../core/schema/run-comparison.ts';
import { readPairedCase } from '../look/queries/paired-case.ts';
import { listPairs, type PairList } from '../look/queries/pairs.ts';
import { readProgress } from '../look/queries/runs.ts';
import { mostRows } from '../look/queries/trials.ts';

/** Two runs with their comparison. */
export interface ComparedRuns {
  readonly a: KeptRun;
  readonly b: KeptRun;
  readonly comparison: RunComparison;
  /** The folder of the store, as `--store` takes it; undefined when a command finds the store without it. */
  readonly storeFolder?: string;
}

/** The most cases whose answers are read, and the most bytes of them. */
export interface AnswerLimits {
  readonly cases: number;
  readonly bytes: number;
}

/** An answer with its path in a comparison in one file. */
export type PlacedAnswer = readonly [path: string, answer: unknown];

/**
 * Reads what a page on two runs asks the server for. The cases are those that lost most, as many as the limits allow; a case
 * that is too large is skipped. The last answer says how many there are.
 */
export async function* readComparisonAnswers(
  { a, b, comparison, storeFolder }: ComparedRuns,
  limits: AnswerLimits,
): AsyncGenerator<PlacedAnswer> {
  const view = { a: await readRunRow(a), b: await readRunRow(b), comparison, storeFolder };
  yield [comparisonPath, view satisfies ComparisonView];
  const file: ComparisonFile = { pairs: [] };
  const left = { ...limits };
  for (const [index, pair] of comparison.comparisons.entries()) {
    const [sides] = pickTargets(a, b, [{ a: pair.a.target, b: pair.b.target }]);
    if (sides === undefined) continue;
    yield* readDifferences(index, pair, sides);
    file.pairs.push(yield* readCases(index, sides, left));
  }
  yield [comparisonFilePath, file];
}

/** Reads a run as a list of runs shows it. */
export async function readRunRow({ run, store }: KeptRun): Promise<RunRow> {
  const ended = await isEnded(run, store);
  const head = toRunHead(run);
  return makeRunRow(head, runState(run, ended), await readProgress({ run: head, isEnded: ended }, store));
}

/** Two targets of two runs. */
type Sides = readonly [a: ComparedRun, b: ComparedRun];

async function* readDifferences(
  index: number,
  { differences: measures }: PairComparison,
  [a, b]: Sides,
): AsyncGenerator<PlacedAnswer> {
  for (const [place, row] of measures.entries()) {
    if (row.measure === 'category' || row.difference.n === 0) continue;
    const { differences, ...measure } = await listDifferences(a, b, measureKey(row));
    const answer: DifferenceList = { ...measure, steps: thinDifferences(differences) };
    yield [differencesPath(index, place), answer];
  }
}

/** Reads the cases of two targets until the limits are reached, and lowers the limits by what was read. */
async function* readCases(
  index: number,
  [a, b]: Sides,
  left: { cases: number; bytes: number },
): AsyncGenerator<PlacedAnswer, ComparisonFile['pairs'][number]> {
  const targets = { a: a.target, b: b.target };
  const rows: PairRow[] = [];
  let cases = 0;
  let after: string | undefined;
  do {
    const part = await listPairs(a, b, { sort: 'change', limit: mostRows, targets, after });
    cases = part.count;
    for (const row of part.rows) {
      if (left.cases === 0) break;
      const paired = await readPairedCase(a, b, row.caseId);
      const size = Buffer.byteLength(JSON.stringify([row, paired]));
      if (size > left.bytes) continue;
      left.cases -= 1;
      left.bytes -= size;
      rows.push(row);
      yield [pairedCasePath(index, row.position), paired];
    }
    after = part.next ?? undefined;
  } while (after !== undefined && left.cases > 0);
  const list: PairList = { targets, rows, count: rows.length, next: null };
  yield [pairsPath(index), list];
  return { shown: rows.length, cases };
}
