import { hashText } from '../../src/core/lib/content-hash.ts';
import type { KeptRun } from '../../src/decide/analysis/compare/compared-run.ts';
import type { Case } from '../../src/core/schema/case.ts';
import type { PlannedCase, Result } from '../../src/core/schema/result.ts';
import type { Run } from '../../src/core/schema/run.ts';
import type { Store } from '../../src/stores/store.ts';
import { createMemoryStore } from './memory-store.ts';
import { buildCase, buildRun, buildTrial } from '../../src/library/testing/build-records.ts';

/**
 * One attempt at a case: its total, null when it has none, and any other parts that matter; `absent` when it was not
 * made.
 */
export interface TriedCase {
  readonly total: number | null;
  readonly answer?: string;
  readonly latencyMs?: number;
  readonly isAbsent?: boolean;
}

/** A case of a run for tests; its question distinguishes it from the others. */
export interface AskedCase extends Partial<Pick<Case, 'id' | 'category' | 'cluster'>> {
  readonly asks: string;
  readonly attempts: readonly TriedCase[];
}

const passMark = 0.6;

/**
 * Builds a run for tests in a memory store, a new one unless one is given. Totals come from one metric, `keywords`, and pass
 * from 0.6 on.
 */
export async function buildKeptRun(
  cases: readonly AskedCase[],
  parts: Partial<Run> = {},
  store: Store = createMemoryStore(),
): Promise<KeptRun> {
  const planned = cases.map(planCase);
  const attempts = Math.max(1, ...cases.map((asked) => asked.attempts.length));
  const [{ name: target } = { name: 'bot' }] = parts.targets ?? [];
  const run = buildRun({
    status: 'completed',
    dataset: { sources: ['golden.jsonl'], cases: cases.length, hash: hashText(JSON.stringify(planned)) },
    metrics: [{ name: 'keywords', use: { use: 'keywords' }, version: 1, fingerprint: 'k'.repeat(32) }],
    scorecard: { name: 's', use: { use: 's' }, version: 1, criteria: [], grades: [], passMark },
    attempts,
    ...parts,
  });
  const results = cases.flatMap(({ attempts: tries }, position) =>
    tries.flatMap((tried, attempt) => {
      const place = { ordinal: position * attempts + attempt, attempt: attempt + 1, target };
      return tried.isAbsent === true ? [] : [toResult(tried, planned[position] as PlannedCase, place)];
    }),
  );
  await store.createRun(run);
  await store.addCases(run.id, planned);
  await store.addTrials(run.id, results);
  await store.addScores(run.id, results);
  return { run, store };
}

function planCase({ asks, id, category, cluster }: AskedCase, position: number): PlannedCase {
  const labels = {
    ...(category === undefined ? {} : { category }),
    ...(cluster === undefined ? {} : { cluster }),
  };
  const testCase = buildCase({ id: id ?? asks, input: asks, ...labels });
  return { position, hash: hashText(asks), place: `golden.jsonl:${position + 1}`, case: testCase };
}

function toResult(
  { total, answer = 'It is.', latencyMs = 10 }: TriedCase,
  { case: testCase, hash }: PlannedCase,
  place: { ordinal: number; attempt: number; target: string },
): Result {
  const trial = buildTrial(answer, {
    ...place,
    key: hashText(`${hash} ${place.ordinal}`),
    caseId: testCase.id,
    caseHash: hash,
    latency: { totalMs: latencyMs },
  });
  const words = { explanation: '' };
  return {
    case: testCase,
    trial,
    verdicts: total === null ? {} : { keywords: { status: 'scored', value: total } },
    scorecard:
      total === null
        ? { total, lower: 0, upper: 1, grade: null, passed: null, ...words }
        : { total, lower: total, upper: total, grade: null, passed: total >= passMark, ...words },
  };
}
