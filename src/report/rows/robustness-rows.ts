import { conditionName, type Robustness } from '../../schema/condition.ts';
import { formatCount, formatInterval, formatPercent, formatPlural } from '../format.ts';

/** The ways in which faults are dealt with, best first, with what they are called in reports. */
export const handlings = [
  ['recovered', 'recovered'],
  ['told-user', 'told user'],
  ['gave-up', 'gave up'],
  ['misled', 'misled'],
  ['made-up', 'made up'],
] as const;

/** One condition of a target, ready to be shown. */
export interface RobustnessRow {
  /** `timeout`, `case upper`, `typos@0.5`. */
  readonly name: string;
  readonly held: string;
  readonly interval: string;
  /** The share that held, for a colour. */
  readonly share: number | null;
  /** `45 of 48`: pairs that could be compared, of those planned. */
  readonly compared: string;
  readonly broken: number;
  readonly mended: number;
  readonly errors: number;
  /** `2 untouched, 1 not measured`; empty when every pair could be compared. */
  readonly missing: string;
  /** How often each way of dealing with a fault was seen, in the order of `handlings`. */
  readonly handling: readonly number[];
  /** Cases to open first: those where something was made up or passed on, else those whose verdict broke. */
  readonly listings: readonly Listing[];
}

/** A few cases of a sort. */
export interface Listing {
  /** `timeout made up`. */
  readonly title: string;
  readonly ids: readonly string[];
  /** Trials of the sort, where these are more than the cases that are listed; else empty. */
  readonly more: string;
}

/** All conditions of one target. */
export interface RobustnessGroup {
  readonly target: string;
  readonly faults: readonly RobustnessRow[];
  readonly perturbations: readonly RobustnessRow[];
}

/** The conditions of a run, target by target; empty for a run without any. */
export function robustnessGroups(all: readonly Robustness[] = []): RobustnessGroup[] {
  const byTarget = Map.groupBy(all, ({ condition }) => condition.of);
  return Array.from(byTarget, ([target, conditions]) => ({
    target,
    faults: conditions.filter(({ condition }) => condition.type === 'fault').map(toRow),
    perturbations: conditions.filter(({ condition }) => condition.type === 'perturbation').map(toRow),
  }));
}

function toRow(robustness: Robustness): RobustnessRow {
  const { condition, held, counts, handling = [] } = robustness;
  const { planned, broken, mended, errors, untouched, notMeasured, notRun } = counts;
  const compared = counts.held + broken + mended;
  const missing = [
    [untouched, 'untouched'],
    [notMeasured, 'not measured'],
    [notRun, 'not run'],
  ] as const;
  // Under "Faults in tools" the word need not be repeated.
  const name = conditionName({ ...condition, type: 'perturbation' });
  return {
    name,
    held: formatPercent(held.value),
    interval: formatInterval(held),
    share: held.value,
    compared: `${formatCount(compared)} of ${formatCount(planned)}`,
    broken,
    mended,
    errors,
    missing: missing
      .flatMap(([count, what]) => (count === 0 ? [] : [`${formatCount(count)} ${what}`]))
      .join(', '),
    handling: handlings.map(([label]) => handling.find((way) => way.label === label)?.trials ?? 0),
    listings: condition.type === 'fault' ? badHandlings(name, robustness) : brokenCases(name, robustness),
  };
}

/** What the columns of the table mean. */
export const robustnessNote =
  'Held: the verdict is the same as without, case by case and attempt by attempt. Broke: it passed without only. Untouched: no tool was hit, or the question stayed as it was.';

const mostIds = 5;

function badHandlings(name: string, { handling = [] }: Robustness): Listing[] {
  return handlings
    .filter(([label]) => label === 'made-up' || label === 'misled')
    .flatMap(([label, words]) => {
      const way = handling.find((one) => one.label === label);
      return way === undefined ? [] : [listing(`${name}: ${words}`, way.caseIds, way.trials)];
    });
}

function brokenCases(name: string, { flips, counts }: Robustness): Listing[] {
  const ids = [...new Set(flips.filter(({ passed }) => !passed).map(({ caseId }) => caseId))];
  return ids.length === 0 ? [] : [listing(`${name}: broke`, ids, counts.broken)];
}

function listing(title: string, ids: readonly string[], trials: number): Listing {
  const shown = ids.slice(0, mostIds);
  return { title, ids: shown, more: trials > shown.length ? `${formatPlural(trials, 'answer')} in all` : '' };
}
