import { readCaseWeights } from '../../decide/analysis/case-weights.ts';
import { createCaseMeans } from '../../decide/analysis/summary/case-means.ts';
import {
  type ClusterNumbers,
  createClusterNumbers,
  estimateMean,
  estimateRate,
} from '../../decide/analysis/summary/estimates.ts';
import { TouchstoneError } from '../../core/errors.ts';
import { didYouMean } from '../../core/lib/text/nearest-name.ts';
import type { TrialGroup } from '../../core/schema/api/trial-facets.ts';
import type { Run } from '../../core/schema/run.ts';
import type { TrialOutcome } from '../../core/schema/result.ts';
import type { ColumnValue, Store, TrialColumns } from '../../stores/store.ts';
import { whereOf } from './trials.ts';

/** The fields by which trials can be grouped. A trial belongs to the group of each of its tags. */
const groupFields = [
  'category',
  'target',
  'tag',
  'cluster',
  'result',
  'passed',
  'grade',
  'outcome',
  'error',
  'status',
  'attempt',
] as const;

/** A question for the numbers of groups of trials. */
export interface GroupQuery {
  /** The fields to group by; none for one group of all trials. */
  readonly by?: readonly string[];
  /** A filter, such as `passed=false total<0.7`; all trials when left out. */
  readonly where?: string;
}

/**
 * Counts and averages the trials of a run by one or several fields, in the order of first occurrence. Means and intervals are
 * those of the summary, over the trials that match. Throws `usage-invalid` for an unknown field or an invalid filter.
 */
export async function groupTrials(
  store: Pick<Store, 'readColumns' | 'readCases'>,
  run: Pick<Run, 'id' | 'metrics' | 'targets' | 'attempts' | 'dataset'>,
  { by = [], where }: GroupQuery = {},
): Promise<TrialGroup[]> {
  checkFields(by);
  const trialsPerCase = run.targets.length * run.attempts;
  const clusters = createClusterNumbers(run.dataset);
  const weights = await readCaseWeights(run, store);
  const tallies = new Map<string, ReturnType<typeof createTally>>();
  const tallyOf = (key: readonly ColumnValue[]) => {
    const name = JSON.stringify(key);
    const tally = tallies.get(name) ?? createTally(key, { trialsPerCase, clusters, weights });
    tallies.set(name, tally);
    return tally;
  };
  const query = { where: whereOf(where, run), columns: [...measured, ...by] };
  for await (const trials of store.readColumns(run.id, query)) {
    for (const trial of trials) {
      for (const key of keysOf(trial.values.slice(measured.length))) tallyOf(key).add(trial);
    }
  }
  if (by.length === 0) tallyOf([]);
  return Array.from(tallies.values(), (tally) => tally.summarize(by));
}

/** The columns of which the numbers of a group are made. */
const measured = ['total', 'passed', 'result', 'cluster'] as const;

function checkFields(by: readonly string[]): void {
  const known: readonly string[] = groupFields;
  const unknown = by.find((field) => !known.includes(field));
  if (unknown === undefined) return;
  throw new TouchstoneError(
    'usage-invalid',
    `Trials cannot be grouped by "${unknown}".${didYouMean(unknown, known)}`,
    { remedy: `Group by ${known.join(', ')}.` },
  );
}

/** Returns the keys of the groups of a trial: one for each combination of its values. */
function keysOf(values: readonly ColumnValue[]): (string | number | null)[][] {
  return values.reduce<(string | number | null)[][]>(
    (keys, value) => {
      const all: readonly (string | number | null)[] = isList(value) ? value : [value];
      return keys.flatMap((key) => all.map((each) => [...key, each]));
    },
    [[]],
  );
}

function isList(value: ColumnValue): value is readonly string[] {
  return Array.isArray(value);
}

interface TallyNeeds {
  readonly trialsPerCase: number;
  readonly clusters: ClusterNumbers;
  /** The weights by the position of the case; undefined where all weigh the same. */
  readonly weights: Float64Array | undefined;
}

/** Creates the count of one group. Trials are added in the order of the plan. */
function createTally(key: readonly ColumnValue[], { trialsPerCase, clusters, weights }: TallyNeeds) {
  const scores = createCaseMeans(trialsPerCase, clusters);
  const passes = createCaseMeans(trialsPerCase, clusters);
  const results: TrialGroup['results'] = { passed: 0, failed: 0, error: 0, 'not-measured': 0, unscored: 0 };
  let [trials, cases, known, last] = [0, 0, 0, -1];
  return {
    add: ({ ordinal, values: [total, passed, result, cluster] }: TrialColumns): void => {
      const position = Math.floor(ordinal / trialsPerCase);
      if (position !== last) cases += 1;
      last = position;
      trials += 1;
      results[result as TrialOutcome] += 1;
      const of = {
        trial: { caseId: String(position) },
        case: { cluster: (cluster ?? undefined) as string | undefined, weight: weights?.[position] },
      };
      if (typeof total !== 'number') return;
      known += 1;
      scores.add(of, total);
      if (passed === 'true' || passed === 'false') passes.add(of, Number(passed === 'true'));
    },
    summarize: (by: readonly string[]): TrialGroup => ({
      key: Object.fromEntries(by.map((field, index) => [field, key[index] as string | number | null])),
      trials,
      cases,
      results,
      score: estimateMean(scores),
      passRate: estimateRate(passes),
      coverage: trials === 0 ? null : known / trials,
    }),
  };
}
