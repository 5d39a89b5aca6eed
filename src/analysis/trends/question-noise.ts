import { normalQuantile } from '../../stats/normal.ts';
import { studentTQuantile } from '../../stats/student-t.ts';

/** The same question in two runs that follow each other. */
export interface QuestionStep {
  readonly difference: number;
  readonly category: string;
  /** Questions of one cluster do not vary by themselves; undefined for a question of its own. */
  readonly cluster: string | undefined;
}

/** Steps of fewer questions, or clusters, do not tell what is chance. */
const leastUnits = 5;

/**
 * How much the mean of a run varies by chance when the same questions are asked again: its standard error. Half of the
 * variance of the mean step from one run to the next, which is clustered (CR1) and pooled over all steps; a change of all
 * runs from one on enters one of the steps, and only by as much as it is not the same for all questions. Larger by Student's
 * t over the normal quantile, for what few steps leave open. null where fewer than 5 questions, or clusters, were asked twice.
 */
export function questionNoise(steps: readonly (readonly QuestionStep[])[]): number | null {
  let [variances, freedom, count] = [0, 0, 0];
  for (const step of steps) {
    const { variance, units } = varianceOfMean(step);
    if (units < leastUnits) continue;
    variances += variance;
    freedom += units - 1;
    count += 1;
  }
  if (count === 0) return null;
  const p = 0.025;
  const allowance = studentTQuantile({ p, degreesOfFreedom: freedom }) / normalQuantile(p);
  return Math.sqrt(variances / count / 2) * allowance;
}

/** Method: cluster-robust CR1, as in `clusterInterval`. */
function varianceOfMean(steps: readonly QuestionStep[]): { variance: number; units: number } {
  const mean = steps.reduce((sum, { difference }) => sum + difference, 0) / steps.length;
  const sums = new Map<string | number, number>();
  for (const [place, { difference, cluster }] of steps.entries()) {
    const unit = cluster ?? place;
    sums.set(unit, (sums.get(unit) ?? 0) + difference - mean);
  }
  const units = sums.size;
  if (units < 2) return { variance: 0, units };
  const squares = [...sums.values()].reduce((sum, each) => sum + each * each, 0);
  return { variance: (squares * units) / (units - 1) / steps.length ** 2, units };
}
