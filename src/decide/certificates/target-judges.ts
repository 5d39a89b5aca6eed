import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';
import type { CertifiedMetric } from './certify-run.ts';
import type { TrialJudge } from './number-trials.ts';
import { errorsOf, type JudgeErrors } from './judge-errors.ts';
import { type JudgedTrial, readJudgedTrials, readPeople } from './judged-trials.ts';

/** The judged trials of a target, with the judges whose error rates on it are known. */
export interface TargetJudges {
  /** The metrics of the judges, in the order of their bits. */
  readonly metrics: readonly string[];
  readonly judges: readonly TrialJudge[];
  /** The trials, or the reason why their numbers by other verdicts are not known. */
  readonly trials: readonly JudgedTrial[] | { readonly reason: string };
  /** The certified metrics whose error rates on this target are not known. */
  readonly unknown: ReadonlyMap<string, Extract<JudgeErrors, { status: 'unknown' }>>;
}

/** Reads what certificates say of the answers of a target. The results are read only for judges whose error rates are known. */
export async function readTargetJudges(
  run: Run,
  store: Store,
  { target, certified }: { readonly target: string; readonly certified: readonly CertifiedMetric[] },
): Promise<TargetJudges> {
  const metrics: string[] = [];
  const judges: TrialJudge[] = [];
  const unknown = new Map<string, Extract<JudgeErrors, { status: 'unknown' }>>();
  for (const each of certified) {
    const { name } = each.metric;
    const errors = errorsOf(each, run, target);
    if (errors?.status === 'unknown') unknown.set(name, errors);
    if (errors?.status !== 'known') continue;
    const people = errors.from === 'labels' ? await readPeople(store, errors.calibration) : undefined;
    judges.push({ bit: metrics.length, errors, people });
    metrics.push(name);
  }
  if (run.dataset.caseWeights !== undefined) return { metrics, judges, trials: uneven, unknown };
  const trials = metrics.length === 0 ? [] : await readJudgedTrials(run, store, { target, metrics });
  return { metrics, judges, trials, unknown };
}

/** Why no mean of cases with weights is corrected: every method is one of means in which each case counts once. */
export const uneven = {
  reason:
    'the questions have different weights, and the error rates of a judge are of answers that all count alike',
};

/** Returns the judges of some metrics. */
export function judgesOf({ metrics, judges }: TargetJudges, names: ReadonlySet<string>): TrialJudge[] {
  return judges.filter(({ bit }) => names.has(metrics[bit] ?? ''));
}
