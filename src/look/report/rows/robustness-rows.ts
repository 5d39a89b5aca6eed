import { conditionName, faultHandlings, type Robustness } from '../../../core/schema/condition.ts';
import { formatCount, formatInterval, formatPercent, formatPlural } from '../format.ts';

/** The row of one condition of a target. */
export interface RobustnessRow {
  /** The name of the target under the condition, and the name of the target without it. */
  readonly target: string;
  readonly of: string;
  /** The name of the condition: `timeout`, `case upper`, `typos@0.5`. */
  readonly name: string;
  readonly held: string;
  readonly interval: string;
  /** The share of unchanged verdicts, for a colour. */
  readonly share: number | null;
  /** The comparable pairs among those planned: `45 of 48`. */
  readonly compared: string;
  readonly broken: number;
  readonly mended: number;
  readonly errors: number;
  /** The pairs that cannot be compared, `2 not triggered, 1 not measured`; empty when all can. */
  readonly missing: string;
  /** The frequency of each way of handling a fault, in the order of `faultHandlings`. */
  readonly handling: readonly number[];
  /** Cases to open first: those with made-up or misled answers, otherwise those whose verdict broke. */
  readonly listings: readonly Listing[];
}

/** A few cases of one kind. */
export interface Listing {
  /** The title, such as `timeout made up`. */
  readonly title: string;
  readonly ids: readonly string[];
  /** The number of trials of the kind, if there are more than listed cases; otherwise empty. */
  readonly more: string;
}

/** All conditions of one target. */
export interface RobustnessGroup {
  readonly target: string;
  readonly faults: readonly RobustnessRow[];
  readonly perturbations: readonly RobustnessRow[];
}

/** Groups the conditions of a run by target; empty for a run without conditions. */
export function robustnessGroups(all: readonly Robustness[] = []): RobustnessGroup[] {
  const byTarget = Map.groupBy(all, ({ condition }) => condition.of);
  return Array.from(byTarget, ([target, conditions]) => ({
    target,
    faults: conditions.filter(({ condition }) => condition.type === 'fault').map(toRow),
    perturbations: conditions.filter(({ condition }) => condition.type === 'perturbation').map(toRow),
  }));
}

function toRow(robustness: Robustness): RobustnessRow {
  const { target, condition, held, counts, handling = [] } = robustness;
  const { planned, broken, mended, errors, untouched, notMeasured, notRun } = counts;
  const compared = counts.held + broken + mended;
  const missing = [
    [untouched, 'not triggered'],
    [notMeasured, 'not measured'],
    [notRun, 'not run'],
  ] as const;
  // The heading "Faults in tools" makes the word unnecessary.
  const name = conditionName({ ...condition, type: 'perturbation' });
  return {
    target,
    of: condition.of,
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
    handling: faultHandlings.map(({ label }) => handling.find((way) => way.label === label)?.trials ?? 0),
    listings: condition.type === 'fault' ? badHandlings(name, robustness) : brokenCases(name, robustness),
  };
}

/** The explanation of the table's columns. */
export const robustnessNote =
  'Held: the verdict is the same as without, question by question and attempt by attempt. Broke: it passed without only. Untouched: no tool was hit, or the question stayed as it was.';

const mostIds = 5;

function badHandlings(name: string, { handling = [] }: Robustness): Listing[] {
  return faultHandlings
    .filter(({ rating }) => rating === 'bad')
    .flatMap(({ label, title }) => {
      const way = handling.find((one) => one.label === label);
      return way === undefined ? [] : [listing(`${name}: ${title}`, way.caseIds, way.trials)];
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
