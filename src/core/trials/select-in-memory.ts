import { planOrder } from '../lib/filter/parse-sort.ts';
import type { Result } from '../schema/result.ts';
import { outcomeOfTrial } from '../schema/result.ts';
import type {
  ColumnQuery,
  ColumnValue,
  TrialColumns,
  TrialCursor,
  TrialPage,
  TrialQuery,
} from './trial-queries.ts';
import {
  comparePlaces,
  createFieldReader,
  matchResults,
  metricValues,
  type RunOfTrials,
  toTrialRow,
  withAttempts,
} from './trial-values.ts';

/** Returns a part of a sorted list of the results of a run. */
export function selectInMemory(
  run: RunOfTrials,
  results: readonly Result[],
  { where = [], sort = planOrder, after, limit, fold = false }: TrialQuery,
): TrialPage {
  const valueOf = createColumnReader(run, sort.field);
  const compare = comparePlaces(sort);
  const matching = results
    .filter(matchResults(run, where))
    .map((result) => ({
      result,
      ordinal: result.trial.ordinal,
      value: valueOf(result) as TrialCursor['value'],
    }))
    .sort(compare);
  const listed = fold ? firstOfEach(matching, run.attempts) : matching;
  const rest = after === undefined ? listed : listed.filter((place) => compare(place, after) > 0);
  const shown = rest.slice(0, limit);
  const last = shown.at(-1);
  const outcomes = new Map(results.map((result) => [result.trial.ordinal, outcomeOfTrial(run, result)]));
  return {
    rows: shown.map(({ result }) => withAttempts(toTrialRow(run, result), { run, outcomes })),
    next: last === undefined || rest.length <= limit ? null : { value: last.value, ordinal: last.ordinal },
  };
}

/** Returns the first place of each case and target. The attempts of one target at one case are neighbours in the plan. */
function firstOfEach<Place extends { readonly ordinal: number }>(
  places: readonly Place[],
  attempts: number,
): Place[] {
  const seen = new Set<number>();
  return places.filter(({ ordinal }) => {
    const group = Math.floor(ordinal / attempts);
    const isFirst = !seen.has(group);
    seen.add(group);
    return isFirst;
  });
}

/** Returns the values of some columns for the results that match a filter, in the order given. */
export function columnsInMemory(
  run: RunOfTrials,
  results: readonly Result[],
  { where = [], columns = [] }: ColumnQuery = {},
): TrialColumns[] {
  const readers = columns.map((column) => createColumnReader(run, column));
  return results
    .filter(matchResults(run, where))
    .map((result) => ({ ordinal: result.trial.ordinal, values: readers.map((read) => read(result)) }));
}

function createColumnReader(run: RunOfTrials, column: string): (result: Result) => ColumnValue {
  if (column === planOrder.field) return ({ trial }) => trial.ordinal;
  if (column === 'tag') return (result) => result.case.tags;
  if (column === 'metrics') {
    return ({ verdicts, scorecard }) =>
      scorecard === null && Object.keys(verdicts).length === 0
        ? null
        : JSON.stringify(metricValues(verdicts));
  }
  const read = createFieldReader(run);
  return (result) => read(result, column)[0] ?? null;
}
