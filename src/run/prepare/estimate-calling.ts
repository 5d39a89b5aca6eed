import type { Run } from '../../schema/run.ts';
import type { UsageSummary } from '../../schema/usage-summary.ts';
import type { Evaluation } from '../evaluation.ts';

/** What calling targets is likely to cost, as far as earlier runs tell; judges apart. */
export interface CallingEstimate {
  /** In US dollars, models that play users or rewrite questions included, of the targets of which anything is known. */
  readonly cost: number;
  /** The runs whose mean cost of a trial was taken. */
  readonly from: readonly string[];
  /** Targets of which no run says what an answer costs. */
  readonly unknown: readonly string[];
}

/**
 * The price of so many trials of each target, by the mean of the newest run that knows one of the same target; null when
 * nothing is known of any.
 * @param runs - The newest first.
 */
export function estimateCalling(
  { targets }: Pick<Evaluation, 'targets'>,
  runs: readonly Run[],
  trialsOfEach: number,
): CallingEstimate | null {
  const found = targets.map(({ name, fingerprint }) => ({ name, known: findMean(fingerprint, runs) }));
  const known = found.flatMap((each) => each.known ?? []);
  if (known.length === 0) return null;
  return {
    cost: known.reduce((sum, { mean }) => sum + mean * trialsOfEach, 0),
    from: [...new Set(known.map(({ run }) => run))],
    unknown: found.filter((each) => each.known === undefined).map(({ name }) => name),
  };
}

function findMean(fingerprint: string, runs: readonly Run[]) {
  for (const { id, targets, summary } of runs) {
    const name = targets.find((target) => target.fingerprint === fingerprint)?.name;
    const usage = summary?.targets.find(({ target }) => target === name)?.usage;
    const mean = usage === undefined ? undefined : meanCost(usage);
    if (mean !== undefined) return { run: id, mean };
  }
  return undefined;
}

/** Of a trial, with who played its user or rewrote its question; undefined when no trial said. */
function meanCost({ trials, cost, users, rewriting }: UsageSummary): number | undefined {
  const beside = [users, rewriting].flatMap((side) => side?.cost.sum ?? []);
  if (cost.sum === null && beside.length === 0) return undefined;
  const ofTarget = cost.sum === null ? 0 : cost.sum / cost.reported;
  return beside.reduce((sum, side) => sum + side / trials, ofTarget);
}
