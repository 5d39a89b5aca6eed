import { uncategorized } from '../../schema/case.ts';
import type { Outcome } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import type { Store } from '../../stores/store.ts';
import type { QuestionStep } from './question-noise.ts';
import type { TrendMeasure } from './trend-rules.ts';

/** So many answers are read for a series, and no more. */
const mostOutcomes = 200_000;

/** Whose numbers are read, and which. */
export interface StepView {
  readonly target: string;
  readonly measure: TrendMeasure;
  readonly store: Pick<Store, 'readOutcomes'>;
}

/** The runs of a series from one to the next, question by question; undefined where that would be too much to read. */
export async function readSteps(runs: readonly Run[], view: StepView): Promise<QuestionStep[][] | undefined> {
  const outcomes = runs.reduce(
    (sum, { dataset, targets, attempts }) => sum + dataset.cases * targets.length * attempts,
    0,
  );
  if (outcomes > mostOutcomes) return undefined;
  const steps: QuestionStep[][] = [];
  let earlier: ReadonlyMap<number, QuestionMean> | undefined;
  for (const run of runs) {
    const means = await readMeans(run, view);
    if (earlier !== undefined) steps.push(stepsBetween(earlier, means));
    earlier = means;
  }
  return steps;
}

interface QuestionMean extends Omit<QuestionStep, 'difference'> {
  sum: number;
  weight: number;
}

/** The mean of the attempts at each question that was measured, by its position: the plans of a series are the same. */
async function readMeans(run: Run, { target, measure, store }: StepView): Promise<Map<number, QuestionMean>> {
  const means = new Map<number, QuestionMean>();
  const add = (outcome: Outcome): void => {
    if (outcome.trial.target !== target) return;
    const value = valueOf(outcome, measure);
    if (value === undefined) return;
    const position = Math.floor(outcome.trial.ordinal / (run.targets.length * run.attempts));
    const { category = uncategorized, cluster } = outcome.case;
    const mean = means.get(position) ?? { category, cluster, sum: 0, weight: 0 };
    const weight = outcome.weight ?? 1;
    mean.sum += value * weight;
    mean.weight += weight;
    means.set(position, mean);
  };
  for await (const outcomes of store.readOutcomes(run.id)) outcomes.forEach(add);
  return means;
}

function valueOf({ trial, scorecard, verdicts }: Outcome, { type, name }: TrendMeasure): number | undefined {
  if (trial.status !== 'completed') return undefined;
  if (type === 'score') return scorecard?.total ?? undefined;
  const verdict = verdicts[name];
  return verdict?.status === 'scored' ? verdict.value : undefined;
}

function stepsBetween(
  earlier: ReadonlyMap<number, QuestionMean>,
  later: ReadonlyMap<number, QuestionMean>,
): QuestionStep[] {
  return [...later].flatMap(([position, { category, cluster, sum, weight }]) => {
    const before = earlier.get(position);
    if (before === undefined) return [];
    return [{ difference: sum / weight - before.sum / before.weight, category, cluster }];
  });
}
